// Package sealed answers the imports of the engine without letting the world in:
// the Extism kernel over a byte slice, and the WASI calls that Go's runtime makes.
//
// By default the clock stands still, random bytes are always the same, there is
// no environment, no file and no network; what the module prints is kept for the
// report of a trap and goes nowhere else. A [Host] with other answers exists for
// the conformance suite, which shows that they change no byte of a reply.
//
// An engine for WebAssembly links [Functions] and keeps one [Sandbox] for each
// instance. A Sandbox is used by one goroutine at a time.
package sealed

import (
	"fmt"
	"math"

	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

// A Host is what an instance is told about the world. Its zero value is sealed.
type Host struct {
	Clock  func() int64   // nanoseconds, for every clock; nil: always the same instant
	Random func(p []byte) // fills p; nil: always the same bytes
	Args   []string       // nil: the name of the program alone
	Env    []string       // name=value
}

// instant is the time that a sealed clock shows: 2000-01-01T00:00:00Z. Go's
// runtime refuses to start at 0.
const instant = 946684800_000_000_000

func (h *Host) clock() int64 {
	if h.Clock == nil {
		return instant
	}
	return h.Clock()
}

func (h *Host) random(p []byte) {
	if h.Random != nil {
		h.Random(p)
		return
	}
	for i := range p {
		p[i] = 0x5a
	}
}

func (h *Host) args() []string {
	if h.Args == nil {
		return []string{"rookhaven"}
	}
	return h.Args
}

// A Memory is the linear memory of the instance that calls. Bytes returns a
// view that is valid until the module runs on.
type Memory interface{ Bytes() []byte }

// A Sandbox is the state of one instance outside its memory.
type Sandbox struct {
	Host  Host
	Stage func(name string) // called when the module announces a stage; may be nil

	kernel  kernel
	printed []byte
}

// printedMax bounds what is kept of the module's own words: the first line of a
// panic says what happened, the trace behind it where.
const printedMax = 16 << 10

// Printed returns the beginning of what the module has printed.
func (s *Sandbox) Printed() string { return string(s.printed) }

// Begin readies the kernel for a call with the given input. It keeps a small
// memory of the last call, so that announcing stages allocates nothing.
func (s *Sandbox) Begin(input []byte) {
	memory := s.kernel.memory[:0]
	if cap(memory) > kernelKept {
		memory = nil
	}
	s.kernel = kernel{input: input, memory: memory}
}

// Output returns what the last call on the Extism plane gave: its output, or
// the text of its error. It is valid until the next [Sandbox.Begin].
func (s *Sandbox) Output() (out []byte, failure string) { return s.kernel.output, s.kernel.failure }

// An Exit is the error of a module that ended itself.
type Exit struct{ Code uint32 }

func (e Exit) Error() string { return fmt.Sprintf("the module ended itself with status %d", e.Code) }

// A Function is one import. Call takes the parameters from stack and leaves the
// result there; its error ends the instance.
type Function struct {
	Module, Name string
	Signature    wasmfile.Signature
	Call         func(s *Sandbox, m Memory, stack []uint64) error
}

// Functions returns all functions that a module may import.
func Functions() []Function { return append(kernelFunctions(), wasiFunctions()...) }

const (
	i32 = wasmfile.I32
	i64 = wasmfile.I64
)

// function makes a Function.
func function(module, name string, params, results []wasmfile.Type, call func(s *Sandbox, m Memory, stack []uint64) error) Function {
	return Function{module, name, wasmfile.Signature{Params: params, Results: results}, call}
}

func types(t ...wasmfile.Type) []wasmfile.Type { return t }

// span returns n bytes of memory at an address, or nil and false where they are not inside.
func span(memory []byte, at, n uint64) ([]byte, bool) {
	if n > math.MaxUint32 || at > uint64(len(memory)) || n > uint64(len(memory))-at {
		return nil, false
	}
	return memory[at : at+n : at+n], true
}
