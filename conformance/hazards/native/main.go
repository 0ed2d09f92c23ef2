// Command native serves the stream of conformance/call from the planted hazards. It
// is built for other processors.
package main

import (
	"log"
	"os"

	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/conformance/hazards"
)

func main() {
	fresh := func() (call.Engine, error) { return hazards.Native(), nil }
	if err := call.Serve(os.Stdin, os.Stdout, call.Single(false, fresh)); err != nil {
		log.Fatal(err)
	}
}
