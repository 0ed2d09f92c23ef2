//go:build (linux || darwin || freebsd || netbsd || openbsd) && (amd64 || arm64)

package wazero

import (
	"context"
	"fmt"
	"syscall"

	"github.com/tetratelabs/wazero/experimental"

	"github.com/rookhaven-project/rookhaven/wasm/artifact"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

// withMemory reserves the memory of an instance as a mapping of its own, for the
// instance that is started with the context it returns. In Go's heap, 1 GiB of
// capacity would count as live for the collector's pace, and be cleared, hence
// touched, whenever a second instance got the place of a first. free gives the
// mapping back where no instance came of it.
func withMemory(ctx context.Context) (_ context.Context, free func(), err error) {
	b, err := syscall.Mmap(-1, 0, artifact.MemoryMax*wasmfile.PageSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, fmt.Errorf("no room for the memory of an instance: %w", err)
	}
	m := &mapping{b}
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return m })), m.Free, nil
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
		_ = syscall.Munmap(m.bytes) // fails for what is no mapping only
		m.bytes = nil
	}
}
