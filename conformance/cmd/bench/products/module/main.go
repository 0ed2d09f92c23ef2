//go:build wasip1

package main

import "github.com/rookhaven-project/rookhaven/conformance/cmd/bench/products"

var matrices = products.New()

//go:wasmexport multiply
func multiply(n int32) { matrices.Multiply(int(n)) }

func main() {}
