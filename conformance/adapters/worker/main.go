//go:build wasmtime

// Command worker serves the stream of conformance/call from wasmtime, which needs
// cgo and therefore a process that is built apart.
//
//	worker [-hostile] ENGINE
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"os"

	"github.com/rookhaven-project/rookhaven/conformance/adapters"
	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wasmtime"
)

func main() {
	hostile := flag.Bool("hostile", false, "rotate through the worlds of conformance/hostile")
	flag.Parse()
	if err := serve(flag.Arg(0), *hostile); err != nil {
		log.Fatal(err)
	}
}

func serve(path string, hostile bool) error {
	wasm, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	open := func(o runner.Options) (runner.Runner, error) {
		return wasmtime.Open(context.Background(), wasm, o)
	}
	if hostile {
		source, end := adapters.Hostile(open)
		return errors.Join(call.Serve(os.Stdin, os.Stdout, source), end())
	}
	r, err := open(runner.Options{})
	if err != nil {
		return err
	}
	return errors.Join(call.Serve(os.Stdin, os.Stdout, adapters.Sealed(r, false)), r.Close(context.Background()))
}
