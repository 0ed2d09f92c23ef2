package adapters

import (
	"context"

	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/core/retrieve"
)

// Native returns an engine that is core itself, without a module: the reference.
func Native() call.Engine { return retrieve.New(retrieve.Config{}) }

// native keeps one engine for all cases, unlike the reference, which takes a new
// one for each: what a case leaves behind would show.
func native(context.Context, *Env) (Session, error) {
	return &local{source: call.Single(false, func() (call.Engine, error) { return Native(), nil })}, nil
}

// nativeSIMD is core itself with the vector instructions of this machine.
func nativeSIMD(ctx context.Context, e *Env) (Session, error) {
	binary, err := build(ctx, e, "native-simd", []string{"CGO_ENABLED=0", "GOEXPERIMENT=simd"}, e.Native)
	if err != nil {
		return nil, err
	}
	return launch(ctx, e.Root, nil, binary)
}

// A local session runs in this process.
type local struct {
	source call.Source
	ends   []func() error
	done   int
}

func (l *local) Run(cases []call.Case, yield func(int, []call.Result) error) error {
	for i, c := range cases {
		results, err := call.RunNext(l.source, l.done, c)
		l.done++
		if err != nil {
			return err
		}
		if err := yield(i, results); err != nil {
			return err
		}
	}
	return nil
}

func (l *local) Close() error {
	err := l.source.Close()
	for _, end := range l.ends {
		if e := end(); err == nil {
			err = e
		}
	}
	return err
}
