//go:build (linux || darwin || freebsd || netbsd || openbsd) && (amd64 || arm64)

package wazero

import (
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// allocator reserves the memory of an instance as a mapping of its own. In Go's
// heap, 1 GiB of capacity would count as live for the collector's pace, and be
// cleared, hence touched, whenever a second instance got the place of a first.
var allocator experimental.MemoryAllocator = experimental.MemoryAllocatorFunc(reserve)

func reserve(_, most uint64) experimental.LinearMemory {
	b, err := syscall.Mmap(-1, 0, int(most), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		// The caller indexes the result, which ends the start of the instance.
		return &mapping{}
	}
	return &mapping{b}
}

// A mapping is a linear memory that never moves.
type mapping struct{ bytes []byte }

func (m *mapping) Reallocate(size uint64) []byte {
	if size > uint64(len(m.bytes)) {
		return nil
	}
	return m.bytes[:size:size]
}

func (m *mapping) Free() {
	if m.bytes != nil {
		syscall.Munmap(m.bytes)
		m.bytes = nil
	}
}
