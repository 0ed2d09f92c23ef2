package adapters

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
)

// extismGo runs the SDK of Extism for Go. It is a module of its own, so that what
// the SDK depends on is no dependency of the product, and since that is how a
// stranger would use it.
func extismGo(ctx context.Context, e *Env) (Session, error) {
	program := filepath.Join(e.Cache, "extism-go")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	cmd.Dir = filepath.Join(e.Root, "conformance", "adapters", "extismgo")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod")
	if err := compiled(cmd); err != nil {
		return nil, err
	}
	return launch(ctx, cmd.Dir, nil, program, e.Engine)
}

// python runs serve.py in the environment that test-setup makes.
func python(what, mode string) func(context.Context, *Env) (Session, error) {
	return func(ctx context.Context, e *Env) (Session, error) {
		dir := filepath.Join(e.Root, "conformance", "adapters", "python")
		program, err := look(what, filepath.Join(dir, ".venv", "bin", "python"))
		if err != nil {
			return nil, err
		}
		return launch(ctx, dir, nil, program, "serve.py", mode, e.Engine)
	}
}

var (
	extismPython   = python("the Extism SDK for Python", "extism")
	wasmtimePython = python("wasmtime for Python", "wasmtime")
)
