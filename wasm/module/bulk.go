//go:build wasip1

package main

import (
	"unsafe"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// The bulk plane (ABI.md §1). What a host may read or write is kept here, which
// pins it: Go does not move what is reachable.

// A reservation is memory that a host holds. accounted is what the engine was
// told of it: the whole until it is handed over, nothing from then on, since the
// engine accounts for what it keeps of an input itself.
type reservation struct {
	bytes     []byte
	accounted int64
}

var reservations = map[uint32]reservation{}

//go:wasmexport bulk_alloc
func bulkAlloc(size uint32) uint32 {
	if !engine.Reserve(int64(size)) {
		return 0
	}
	return pin(make([]byte, size, max(size, 1)), int64(size))
}

//go:wasmexport bulk_release
func bulkRelease(address uint32) {
	engine.Unreserve(reservations[address].accounted)
	delete(reservations, address)
}

//go:wasmexport bulk_call
func bulkCall(export int32, address, size uint32) uint64 {
	in, ok := handOver(address, size)
	if !ok {
		return result([]byte(abi.Errorf(abi.RequestInvalid, "no reservation of %d bytes at %d", size, address).Error()), 1)
	}
	out, err := engine.Call(abi.Export(export), in)
	if err != nil {
		return result([]byte(err.Error()), 1)
	}
	return result(out, 0)
}

//go:wasmexport stop_word
func stopWordAddress() uint32 { return uint32(uintptr(unsafe.Pointer(&stopWord))) }

// handOver returns the input of a call. An empty one needs no reservation.
func handOver(address, size uint32) ([]byte, bool) {
	r, ok := reservations[address]
	if !ok || int(size) > len(r.bytes) {
		return nil, size == 0
	}
	engine.Unreserve(r.accounted)
	reservations[address] = reservation{bytes: r.bytes}
	return r.bytes[:size:size], true
}

// result pins an output and packs where it is. An address has 32 bits, a size
// has 31: the memory ends at 1 GiB.
func result(out []byte, failed uint64) uint64 {
	if cap(out) == 0 {
		out = make([]byte, 0, 1)
	}
	return uint64(pin(out, 0))<<32 | failed<<31 | uint64(len(out))
}

func pin(b []byte, accounted int64) uint32 {
	address := uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	reservations[address] = reservation{b, accounted}
	return address
}

// held gives the engine what a host wrote into a reservation, which stays pinned
// until the host releases it.
func held(address, size int64) ([]byte, bool) {
	if size <= 0 || address != int64(uint32(address)) || size != int64(uint32(size)) {
		return nil, false
	}
	return handOver(uint32(address), uint32(size))
}

// keep pins what the engine made until the host has read and released it.
func keep(b []byte) int64 { return int64(pin(b, 0)) }
