package adapters

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/conformance/hostile"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// An instance is an instance of a runner as an engine.
type instance struct {
	runner.Instance
	extism bool // on the Extism plane
}

func (i instance) Call(export abi.Export, in []byte) ([]byte, error) {
	ctx := context.Background()
	var out []byte
	var err error
	if i.extism {
		out, err = i.Instance.(runner.ExtismPlane).CallExtism(ctx, export, in)
	} else {
		out, err = i.Instance.Call(ctx, export, in)
	}
	var e *abi.Error
	switch {
	case err == nil:
		return out, nil
	case runner.Dead(err) || !errors.As(err, &e):
		return nil, errors.New(err.Error())
	}
	return nil, e
}

func (i instance) Close() error { return i.Instance.Close(context.Background()) }

// Sealed returns a source of one instance of a runner.
func Sealed(r runner.Runner, extism bool) call.Source {
	return call.Single(false, func() (call.Engine, error) { return start(r, extism) })
}

func start(r runner.Runner, extism bool) (call.Engine, error) {
	i, err := r.Instance(context.Background())
	if err != nil {
		return nil, err
	}
	return instance{i, extism}, nil
}

// Hostile returns a source of instances in the worlds of the profiles. Open opens
// a runner with other answers to the imports.
func Hostile(open func(runner.Options) (runner.Runner, error)) (s call.Source, end func() error) {
	runners := map[string]runner.Runner{}
	s = hostile.Rotation(hostile.Profiles(), func(p hostile.Profile) (call.Engine, error) {
		r, ok := runners[p.Name]
		if !ok {
			var err error
			if r, err = open(runner.Options{Host: p.Host()}); err != nil {
				return nil, err
			}
			runners[p.Name] = r
		}
		return start(r, false)
	})
	return s, func() error {
		var errs []error
		for _, r := range runners {
			errs = append(errs, r.Close(context.Background()))
		}
		return errors.Join(errs...)
	}
}

func openWazero(ctx context.Context, e *Env, o runner.Options, interpreter bool) (runner.Runner, error) {
	return wazero.Open(ctx, e.Wasm, wazero.Config{Options: o, Cache: filepath.Join(e.Cache, "wazero"), Interpreter: interpreter})
}

func wazeroWith(interpreter, extism bool) func(context.Context, *Env) (Session, error) {
	return func(ctx context.Context, e *Env) (Session, error) {
		r, err := openWazero(ctx, e, runner.Options{}, interpreter)
		if err != nil {
			return nil, err
		}
		return &local{source: Sealed(r, extism), ends: []func() error{func() error { return r.Close(context.Background()) }}}, nil
	}
}

var (
	wazeroCompiler    = wazeroWith(false, false)
	wazeroExtism      = wazeroWith(false, true)
	wazeroInterpreter = wazeroWith(true, false)
)

func wazeroHostile(ctx context.Context, e *Env) (Session, error) {
	s, end := Hostile(func(o runner.Options) (runner.Runner, error) { return openWazero(ctx, e, o, false) })
	return &local{source: s, ends: []func() error{end}}, nil
}
