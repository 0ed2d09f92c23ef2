package adapters

import (
	"context"
	"os/exec"
)

// wasmtimeWorker starts the worker, after building it.
func wasmtimeWorker(ctx context.Context, e *Env, args ...string) (Session, error) {
	if _, err := exec.LookPath("gcc"); err != nil {
		if _, err := exec.LookPath("cc"); err != nil {
			return nil, Absent{"wasmtime (a C compiler)"}
		}
	}
	program, err := build(ctx, e, "worker-wasmtime", []string{"CGO_ENABLED=1"}, "-tags", "wasmtime", "./conformance/adapters/worker")
	if err != nil {
		return nil, err
	}
	return launch(ctx, e.Root, nil, program, append(args, e.Engine)...)
}

func wasmtimeSealed(ctx context.Context, e *Env) (Session, error) { return wasmtimeWorker(ctx, e) }
func wasmtimeHostile(ctx context.Context, e *Env) (Session, error) {
	return wasmtimeWorker(ctx, e, "-hostile")
}
