package dots

import (
	"encoding/binary"

	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

// parametersOf returns how many parameters each of the functions has that a module
// defines: its locals are numbered behind them.
func parametersOf(wasm []byte, f *wasmfile.File) []int {
	var types, functions numbers
	for _, s := range f.Sections {
		switch s.ID {
		case 1:
			types = wasm[s.From:s.To]
		case 3:
			functions = wasm[s.From:s.To]
		}
	}
	byType := make([]int, types.next())
	for i := range byType {
		types = types[1:] // what says that it is a function
		byType[i] = types.next()
		types = types[byType[i]:]
		types = types[types.next():] // the results
	}
	parameters := make([]int, functions.next())
	for i := range parameters {
		parameters[i] = byType[functions.next()]
	}
	return parameters
}

// localsOf returns how many locals a function declares, in how many groups, and where
// the groups begin in its code.
func localsOf(body []byte) (locals, groups, from int) {
	n := numbers(body)
	groups = n.next()
	from = len(body) - len(n)
	for range groups {
		locals += n.next()
		n = n[1:] // the type
	}
	return locals, groups, from
}

// numbers are bytes that [wasmfile.Parse] or [wasmcode.Decode] has read before.
type numbers []byte

// next takes the number away that stands first.
func (n *numbers) next() int {
	v, size := binary.Uvarint(*n)
	*n = (*n)[size:]
	return int(v)
}
