//go:build wasmtime && cgo

package main

import (
	"context"

	host "github.com/bytecodealliance/wasmtime-go/v39"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wasmtime"
)

func inWasmtime(ctx context.Context, engine, wasm []byte) (runner.Runner, func(n int) error, error) {
	r, err := wasmtime.Open(ctx, engine, runner.Options{Guard: runner.GuardNone})
	if err != nil {
		return nil, nil, err
	}
	multiply, err := productsInWasmtime(wasm)
	return r, multiply, err
}

func productsInWasmtime(wasm []byte) (func(n int) error, error) {
	engine := host.NewEngine()
	store, linker := host.NewStore(engine), host.NewLinker(engine)
	store.SetWasi(host.NewWasiConfig())
	if err := linker.DefineWasi(); err != nil {
		return nil, err
	}
	module, err := host.NewModule(engine, wasm)
	if err != nil {
		return nil, err
	}
	i, err := linker.Instantiate(store, module)
	if err != nil {
		return nil, err
	}
	if _, err := i.GetFunc(store, "_initialize").Call(store); err != nil {
		return nil, err
	}
	f := i.GetFunc(store, "multiply")
	return func(n int) error {
		_, err := f.Call(store, int32(n))
		return err
	}, nil
}
