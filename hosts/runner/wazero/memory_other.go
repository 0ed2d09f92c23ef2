//go:build !((linux || darwin || freebsd || netbsd || openbsd) && (amd64 || arm64))

package wazero

import "github.com/tetratelabs/wazero/experimental"

// allocator is wazero's own: a slice whose capacity is the whole memory.
var allocator experimental.MemoryAllocator
