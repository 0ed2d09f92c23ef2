//go:build wasip1

// Command module is the WebAssembly module: the exports of ABI.md over one
// engine, and nothing else. It has two planes that give the same bytes: the
// exports of extism.go move their input and output through the Extism kernel,
// those of bulk.go leave them in the module's own memory.
//
// It is built as a reactor, by the command in the package comment of
// wasm/artifact.
//
// # Why the world stops for the collector
//
// Go's concurrent collector paces itself by the clock and needs to be preempted
// into. Here the clock stands still, and one thread runs one call to its end, so a
// cycle that began within open did not end before it: the same documents took
// twice the time and, after four corpora of 90 MB, all of the 1 GiB. The build
// therefore sets gcstoptheworld=1, which collects at once and by bytes alone;
// wasm/artifact/link refuses a module without it.
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
// reservations.
const (
	accounted = 512 << 20
	collected = 896 << 20
	growth    = 100 // percent of garbage over live bytes
)

// stopWord ends the running call when a host writes into it (ABI.md §6).
var stopWord atomic.Uint32

// engine is set before any export runs: what it is made of refers to it.
var engine *retrieve.Engine

func init() { engine = newEngine() }

func newEngine() *retrieve.Engine {
	debug.SetGCPercent(growth)
	debug.SetMemoryLimit(collected)
	return retrieve.New(retrieve.Config{Stop: &stopWord, Memory: accounted, Stage: stage, Yield: yield, Held: held, Keep: keep})
}

// yield gives a host a moment in a long call: compiled code that calls nobody
// holds up the host's own collector.
func yield() { schedYield() }

//go:wasmimport wasi_snapshot_preview1 sched_yield
func schedYield() uint32

func main() {}
