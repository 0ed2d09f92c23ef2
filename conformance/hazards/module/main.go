//go:build wasip1

// Command module is the planted hazards as a module with the bulk plane of
// wasm/ABI.md, so that every adapter can run it: the input of retrieve names the
// hazard.
package main

import (
	"unsafe"

	"github.com/rookhaven-project/rookhaven/conformance/hazards/planted"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

var (
	pinned   = map[uint32][]byte{}
	stopWord uint32
)

//go:wasmexport bulk_alloc
func bulkAlloc(size uint32) uint32 { return pin(make([]byte, size, max(size, 1))) }

//go:wasmexport bulk_release
func bulkRelease(address uint32) { delete(pinned, address) }

//go:wasmexport bulk_call
func bulkCall(export int32, address, size uint32) uint64 {
	out := []byte(`{"abi":1}`)
	if abi.Export(export) == abi.Retrieve {
		out = append([]byte(planted.Answer(pinned[address][:size])), '\n')
	}
	return uint64(pin(out))<<32 | uint64(len(out))
}

//go:wasmexport stop_word
func stopWordAddress() uint32 { return uint32(uintptr(unsafe.Pointer(&stopWord))) }

func pin(b []byte) uint32 {
	at := uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	pinned[at] = b
	return at
}

// What hosts look for, and this module never serves.

//go:wasmexport abi
func exportAbi() int32 { return 1 }

//go:wasmexport describe
func exportDescribe() int32 { return 1 }

//go:wasmexport open
func exportOpen() int32 { return 1 }

//go:wasmexport close
func exportClose() int32 { return 1 }

//go:wasmexport decompose
func exportDecompose() int32 { return 1 }

//go:wasmexport plan
func exportPlan() int32 { return 1 }

//go:wasmexport partial
func exportPartial() int32 { return 1 }

//go:wasmexport merge
func exportMerge() int32 { return 1 }

//go:wasmexport retrieve
func exportRetrieve() int32 { return 1 }

//go:wasmexport replay
func exportReplay() int32 { return 1 }

//go:wasmexport search
func exportSearch() int32 { return 1 }

//go:wasmexport search_plan
func exportSearchPlan() int32 { return 1 }

//go:wasmexport search_statistics
func exportSearchStatistics() int32 { return 1 }

//go:wasmexport search_partial
func exportSearchPartial() int32 { return 1 }

//go:wasmexport search_merge
func exportSearchMerge() int32 { return 1 }

//go:wasmexport build
func exportBuild() int32 { return 1 }

//go:wasmexport compact
func exportCompact() int32 { return 1 }

//go:wasmexport remove
func exportRemove() int32 { return 1 }

//go:wasmexport documents
func exportDocuments() int32 { return 1 }

//go:wasmexport open_model
func exportOpenModel() int32 { return 1 }

//go:wasmexport close_model
func exportCloseModel() int32 { return 1 }

//go:wasmexport embed
func exportEmbed() int32 { return 1 }

//go:wasmexport chunk_texts
func exportChunkTexts() int32 { return 1 }

//go:wasmexport pack_vectors
func exportPackVectors() int32 { return 1 }

//go:wasmexport attach_vectors
func exportAttachVectors() int32 { return 1 }

//go:wasmexport statistics
func exportStatistics() int32 { return 1 }

func main() {}
