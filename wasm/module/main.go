//go:build wasip1

// Command module is the WebAssembly module: the exports of ABI.md over one
// engine, and nothing else. It has two planes that give the same bytes: the
// exports of extism.go move their input and output through the Extism kernel,
// those of bulk.go leave them in the module's own memory.
//
// It is built as a reactor; see the package comment of wasm/artifact.
package main

import (
	"runtime/debug"
	"sync/atomic"

	"github.com/rookhaven-project/rookhaven/core/retrieve"
)

// What the memory maximum of 1 GiB (wasm/artifact) is for. The engine accounts
// for what is handed to it and what it builds, up to accounted; from there to
// collected is room for garbage, which the collector keeps free by working
// harder; the rest is for the program, its stacks and what lies between
// reservations. The collector's pace is in bytes, never in time: the clock that
// a host gives stands still.
const (
	accounted = 512 << 20
	collected = 896 << 20
	growth    = 50 // percent of garbage over live bytes
)

// stopWord ends the running call when a host writes into it (ABI.md §6).
var stopWord atomic.Uint32

var engine = newEngine()

func newEngine() *retrieve.Engine {
	debug.SetGCPercent(growth)
	debug.SetMemoryLimit(collected)
	return retrieve.New(retrieve.Config{Stop: &stopWord, Memory: accounted, Stage: stage})
}

func main() {}
