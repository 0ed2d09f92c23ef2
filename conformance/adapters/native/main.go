// Command native serves the stream of conformance/call from core itself. It is
// built for other processors and run under an emulator.
package main

import (
	"log"
	"os"

	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/core/retrieve"
)

func main() {
	fresh := func() (call.Engine, error) { return retrieve.New(retrieve.Config{}), nil }
	if err := call.Serve(os.Stdin, os.Stdout, call.Single(false, fresh)); err != nil {
		log.Fatal(err)
	}
}
