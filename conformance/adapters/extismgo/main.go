// Command extismgo serves the stream of conformance/call from the module as an
// Extism plug-in under the SDK for Go, with wazero's own WASI.
package main

import (
	"context"
	"errors"
	"log"
	"os"
	"strings"

	extism "github.com/extism/go-sdk"

	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func main() {
	if err := serve(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func serve(path string) error {
	wasm, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	ctx := context.Background()
	manifest := extism.Manifest{Wasm: []extism.Wasm{extism.WasmData{Data: wasm, Name: "main"}}}
	compiled, err := extism.NewCompiledPlugin(ctx, manifest, extism.PluginConfig{EnableWasi: true}, nil)
	if err != nil {
		return err
	}
	defer compiled.Close(ctx)
	return call.Serve(os.Stdin, os.Stdout, call.Single(false, func() (call.Engine, error) {
		p, err := compiled.Instance(ctx, extism.PluginInstanceConfig{})
		return plugin{p}, err
	}))
}

type plugin struct{ *extism.Plugin }

func (p plugin) Call(export abi.Export, in []byte) ([]byte, error) {
	_, out, err := p.Plugin.Call(export.String(), in)
	if err == nil {
		return append([]byte(nil), out...), nil
	}
	code, sentence, ok := strings.Cut(err.Error(), ": ")
	if ok && strings.ToUpper(code) == code {
		return nil, &abi.Error{Code: abi.Code(code), Sentence: sentence}
	}
	return nil, errors.New(err.Error())
}

func (p plugin) Close() error { return p.Plugin.Close(context.Background()) }
