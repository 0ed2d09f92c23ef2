//go:build wasip1

package main

import (
	pdk "github.com/extism/go-pdk"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// The Extism plane: one export for each of ABI.md §2, in its order.

//go:wasmexport abi
func exportAbi() int32 { return serve(abi.Abi) }

//go:wasmexport describe
func exportDescribe() int32 { return serve(abi.Describe) }

//go:wasmexport open
func exportOpen() int32 { return serve(abi.Open) }

//go:wasmexport close
func exportClose() int32 { return serve(abi.Close) }

//go:wasmexport decompose
func exportDecompose() int32 { return serve(abi.Decompose) }

//go:wasmexport plan
func exportPlan() int32 { return serve(abi.Plan) }

//go:wasmexport partial
func exportPartial() int32 { return serve(abi.Partial) }

//go:wasmexport merge
func exportMerge() int32 { return serve(abi.Merge) }

//go:wasmexport retrieve
func exportRetrieve() int32 { return serve(abi.Retrieve) }

//go:wasmexport replay
func exportReplay() int32 { return serve(abi.Replay) }

//go:wasmexport search
func exportSearch() int32 { return serve(abi.Search) }

//go:wasmexport search_plan
func exportSearchPlan() int32 { return serve(abi.SearchPlans) }

//go:wasmexport search_statistics
func exportSearchStatistics() int32 { return serve(abi.SearchStats) }

//go:wasmexport search_partial
func exportSearchPartial() int32 { return serve(abi.SearchPartials) }

//go:wasmexport search_merge
func exportSearchMerge() int32 { return serve(abi.SearchMerge) }

//go:wasmexport build
func exportBuild() int32 { return serve(abi.Build) }

//go:wasmexport compact
func exportCompact() int32 { return serve(abi.Compact) }

//go:wasmexport remove
func exportRemove() int32 { return serve(abi.Remove) }

//go:wasmexport documents
func exportDocuments() int32 { return serve(abi.Documents) }

//go:wasmexport open_model
func exportOpenModel() int32 { return serve(abi.OpenModel) }

//go:wasmexport close_model
func exportCloseModel() int32 { return serve(abi.CloseModel) }

//go:wasmexport embed
func exportEmbed() int32 { return serve(abi.Embed) }

//go:wasmexport chunk_texts
func exportChunkTexts() int32 { return serve(abi.ChunkTexts) }

//go:wasmexport pack_vectors
func exportPackVectors() int32 { return serve(abi.PackVectors) }

//go:wasmexport attach_vectors
func exportAttachVectors() int32 { return serve(abi.AttachVectors) }

//go:wasmexport statistics
func exportStatistics() int32 { return serve(abi.Statistics) }

// serve runs one export on the input that the kernel holds. The input is
// reserved before it is read, so that one too large is an answer, not a trap.
func serve(export abi.Export) int32 {
	size := int64(inputLength())
	if !engine.Reserve(size) {
		return fail(abi.Errorf(abi.OverBudget, "an input of %d bytes does not fit the memory of the module", size))
	}
	in := pdk.Input()
	engine.Unreserve(size)
	out, err := engine.Call(export, in)
	if err != nil {
		return fail(err)
	}
	pdk.Output(out)
	return 0
}

func fail(err error) int32 {
	pdk.SetError(err)
	return 1
}

// stage tells the host that a stage of a call begins.
func stage(name string) {
	memory := pdk.AllocateString(name)
	logDebug(memory.Offset())
	memory.Free()
}

// Two functions of the kernel, declared here because the kit offers the first
// not at all and the second only together with a log level that kernels of some
// languages lack.

//go:wasmimport extism:host/env input_length
func inputLength() uint64

//go:wasmimport extism:host/env log_debug
func logDebug(offset uint64)
