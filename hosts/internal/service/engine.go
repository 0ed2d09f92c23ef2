package service

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/internal/logging"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// An engine is the built-in one, compiled once.
type engine struct {
	digest string
	cache  string
	log    *slog.Logger

	once   sync.Once
	done   chan struct{}
	opened runner.Runner
	err    error
}

func newEngine(cache string, log *slog.Logger) *engine {
	_, digest, _ := artifact.Built()
	return &engine{digest: digest, cache: cache, log: log, done: make(chan struct{})}
}

func (e *engine) start() {
	e.once.Do(func() {
		go func() {
			defer close(e.done)
			wasm, _, ok := artifact.Built()
			if !ok {
				e.err = artifact.Absent()
				return
			}
			e.opened, e.err = Compile(context.Background(), wasm, e.cache, e.log)
			e.log.Debug("engine_ready", "engine", e.digest)
		}()
	})
}

// runner returns the compiled engine, and waits for it.
func (e *engine) runner(ctx context.Context) (runner.Runner, error) {
	e.start()
	select {
	case <-e.done:
		return e.opened, e.err
	case <-ctx.Done():
		return nil, cancelled(ctx)
	}
}

func (e *engine) close(ctx context.Context) {
	select {
	case <-e.done:
		if e.opened != nil {
			_ = e.opened.Close(ctx)
		}
	default: // compiling: the end of the process ends it
	}
}

// Compile opens an engine with a cache folder, or without one where that folder
// cannot be used.
func Compile(ctx context.Context, wasm []byte, cache string, log *slog.Logger) (runner.Runner, error) {
	unused := func(err error) { log.Warn("cache_unusable", logging.Failure(err)) }
	r, err := wazero.Open(ctx, wasm, wazero.Config{Cache: cache, Unused: unused})
	var e *abi.Error
	if cache != "" && errors.As(err, &e) && e.Code == abi.StorageFailed {
		log.Warn("cache_unusable", logging.Failure(err))
		r, err = wazero.Open(ctx, wasm, wazero.Config{})
	}
	return r, err
}
