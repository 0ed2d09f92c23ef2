package sealed

import (
	"encoding/binary"
	"fmt"

	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

// A kernel is the memory that Extism gives a plug-in beside its own. Blocks
// begin at multiples of 8 and live until the call ends; the last one can be
// given back, which is how the announcements of stages cost nothing.
type kernel struct {
	input   []byte
	output  []byte
	failure string
	memory  []byte // address a lies at memory[a-base]
	blocks  []block
}

type block struct{ at, size uint64 }

const (
	base       = 8       // addresses below are none
	kernelMax  = 1 << 30 // bytes: no output is larger than the module's own memory
	kernelKept = 1 << 16 // bytes kept from one call to the next
)

func (k *kernel) alloc(size uint64) uint64 {
	room := (size + 7) &^ 7
	if size > kernelMax || room > kernelMax-uint64(len(k.memory)) {
		return 0
	}
	at := base + uint64(len(k.memory))
	if grown := len(k.memory) + int(room); grown <= cap(k.memory) {
		k.memory = k.memory[:grown]
		clear(k.memory[at-base:])
	} else {
		k.memory = append(k.memory, make([]byte, room)...)
	}
	k.blocks = append(k.blocks, block{at, size})
	return at
}

func (k *kernel) free(at uint64) {
	if n := len(k.blocks); n > 0 && k.blocks[n-1].at == at {
		k.blocks = k.blocks[:n-1]
		k.memory = k.memory[:at-base]
	}
}

// length returns the size of the block that begins at an address, 0 for none.
func (k *kernel) length(at uint64) uint64 {
	for i := len(k.blocks) - 1; i >= 0; i-- {
		if k.blocks[i].at == at {
			return k.blocks[i].size
		}
	}
	return 0
}

func (k *kernel) span(at, n uint64) ([]byte, error) {
	b, ok := span(k.memory, at-base, n)
	if at < base || !ok {
		return nil, fmt.Errorf("%d bytes at %d are outside the kernel's memory", n, at)
	}
	return b, nil
}

func (k *kernel) inputSpan(at, n uint64) ([]byte, error) {
	b, ok := span(k.input, at, n)
	if !ok {
		return nil, fmt.Errorf("%d bytes at %d are outside the input", n, at)
	}
	return b, nil
}

// logOff is above every level of Extism's log.
const logOff = 1 << 20

func kernelFunctions() []Function {
	const module = "extism:host/env"
	def := func(name string, params, results []wasmfile.Type, call func(s *Sandbox, stack []uint64) error) Function {
		return function(module, name, params, results, func(s *Sandbox, _ Memory, stack []uint64) error { return call(s, stack) })
	}
	// none is a function that this host has nothing to say to: no settings, no variables, no log.
	none := func(s *Sandbox, stack []uint64) error {
		if len(stack) > 0 {
			stack[0] = 0
		}
		return nil
	}
	length := func(s *Sandbox, stack []uint64) error { stack[0] = s.kernel.length(stack[0]); return nil }
	return []Function{
		def("input_length", nil, types(i64), func(s *Sandbox, stack []uint64) error {
			stack[0] = uint64(len(s.kernel.input))
			return nil
		}),
		def("input_load_u8", types(i64), types(i32), func(s *Sandbox, stack []uint64) error {
			return load8(s.kernel.inputSpan, stack)
		}),
		def("input_load_u64", types(i64), types(i64), func(s *Sandbox, stack []uint64) error {
			return load64(s.kernel.inputSpan, stack)
		}),
		def("alloc", types(i64), types(i64), func(s *Sandbox, stack []uint64) error {
			stack[0] = s.kernel.alloc(stack[0])
			return nil
		}),
		def("free", types(i64), nil, func(s *Sandbox, stack []uint64) error {
			s.kernel.free(stack[0])
			return nil
		}),
		def("length", types(i64), types(i64), length),
		def("length_unsafe", types(i64), types(i64), length),
		def("load_u8", types(i64), types(i32), func(s *Sandbox, stack []uint64) error {
			return load8(s.kernel.span, stack)
		}),
		def("load_u64", types(i64), types(i64), func(s *Sandbox, stack []uint64) error {
			return load64(s.kernel.span, stack)
		}),
		def("store_u8", types(i64, i32), nil, func(s *Sandbox, stack []uint64) error {
			b, err := s.kernel.span(stack[0], 1)
			if err == nil {
				b[0] = byte(stack[1])
			}
			return err
		}),
		def("store_u64", types(i64, i64), nil, func(s *Sandbox, stack []uint64) error {
			b, err := s.kernel.span(stack[0], 8)
			if err == nil {
				binary.LittleEndian.PutUint64(b, stack[1])
			}
			return err
		}),
		def("output_set", types(i64, i64), nil, func(s *Sandbox, stack []uint64) (err error) {
			s.kernel.output, err = s.kernel.span(stack[0], stack[1])
			return err
		}),
		def("error_set", types(i64), nil, func(s *Sandbox, stack []uint64) error {
			text, err := s.kernel.span(stack[0], s.kernel.length(stack[0]))
			s.kernel.failure = string(text)
			return err
		}),
		def("log_debug", types(i64), nil, func(s *Sandbox, stack []uint64) error {
			name, err := s.kernel.span(stack[0], s.kernel.length(stack[0]))
			if err == nil && s.Stage != nil {
				s.Stage(string(name))
			}
			return err
		}),
		def("log_trace", types(i64), nil, none),
		def("log_info", types(i64), nil, none),
		def("log_warn", types(i64), nil, none),
		def("log_error", types(i64), nil, none),
		def("get_log_level", nil, types(i32), func(s *Sandbox, stack []uint64) error {
			stack[0] = logOff
			return nil
		}),
		def("config_get", types(i64), types(i64), none),
		def("var_get", types(i64), types(i64), none),
		def("var_set", types(i64, i64), nil, none),
	}
}

func load8(span func(at, n uint64) ([]byte, error), stack []uint64) error {
	b, err := span(stack[0], 1)
	if err == nil {
		stack[0] = uint64(b[0])
	}
	return err
}

func load64(span func(at, n uint64) ([]byte, error), stack []uint64) error {
	b, err := span(stack[0], 8)
	if err == nil {
		stack[0] = binary.LittleEndian.Uint64(b)
	}
	return err
}
