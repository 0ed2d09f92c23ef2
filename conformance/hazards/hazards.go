// Package hazards shows that the suite would find what it looks for: faults are
// planted, and each must be caught by at least one of its means.
//
//	D1   native Go and the fast engines give the same bytes
//	D1b  so do the strict and slow ones
//	D1c  so does native Go on other processors
//	D3   a hostile host changes nothing
//	D4   another order of the documents changes nothing
//	D7   the source of core holds no construct that could
//
// The numbers are those of the project's catalogue of hazards. D7 reads the planted
// files with the same lint that reads core: see conformance/repo.
package hazards

import (
	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/conformance/hazards/planted"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// Native returns the planted hazards as an engine, in this process.
func Native() call.Engine { return native{} }

type native struct{}

func (native) Call(_ abi.Export, in []byte) ([]byte, error) {
	return []byte(planted.Answer(in) + "\n"), nil
}

// Ask returns the case that asks a hazard about words.
func Ask(hazard string, words ...string) call.Case {
	input := hazard
	for _, w := range words {
		input += "\n" + w
	}
	return call.Case{Name: hazard, Steps: []call.Step{{Export: abi.Retrieve, Input: []byte(input)}}}
}
