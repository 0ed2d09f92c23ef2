// Command program keeps the planted functions in a module.
package main

import (
	"github.com/rookhaven-project/rookhaven/beside"
	"github.com/rookhaven-project/rookhaven/core/planted"
)

//go:wasmexport run
func run(n int32) int32 { return int32(planted.Run(int(n)) + beside.Half(int(n))) }

func main() {}
