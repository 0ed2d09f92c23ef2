//go:build !wasmtime || !cgo

package main

import (
	"context"
	"errors"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
)

func inWasmtime(context.Context, []byte, []byte) (runner.Runner, func(n int) error, error) {
	return nil, nil, errors.New("built without wasmtime")
}
