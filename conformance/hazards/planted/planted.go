// Package planted holds faults that core must not have, each in a file of its own.
// They exist to be caught: see conformance/hazards.
package planted

import "bytes"

// A Hazard answers a question with bytes that depend on more than the question.
type Hazard struct {
	Name string
	File string
	Run  func(question []string) string
}

// All are the hazards.
func All() []Hazard {
	return []Hazard{
		{"map order", "maporder.go", mapOrder},
		{"select", "select.go", selectOrder},
		{"the clock", "clock.go", clock},
		{"goroutines", "goroutines.go", goroutines},
		{"unstable sort", "unstable.go", unstable},
		{"storage order", "storage.go", storage},
		{"float to int", "floattoint.go", floatToInt},
		{"bits of NaN", "nan.go", nan},
		{"math.Exp", "exp.go", exp},
		{"fused product", "fused.go", fused},
		{"int of 32 bits", "int32.go", narrow},
		{"recursion", "recursion.go", recursion},
		{"processor", "processor.go", processor},
		{"environment", "environment.go", environment},
		{"arguments", "arguments.go", arguments},
		{"random numbers", "random.go", random},
		{"hash seed", "hashseed.go", hashSeed},
		{"address", "address.go", address},
		{"kept state", "state.go", state},
		{"collections", "collections.go", collections},
		{"pooled memory", "pool.go", pooled},
		{"std case tables", "tolower.go", toLower},
		{"std JSON", "stdjson.go", stdJSON},
	}
}

// Answer runs the hazard that the first line of the input names, on its other lines.
func Answer(in []byte) string {
	lines := bytes.Split(in, []byte("\n"))
	var question []string
	for _, line := range lines[1:] {
		question = append(question, string(line))
	}
	for _, h := range All() {
		if h.Name == string(lines[0]) {
			return h.Run(question)
		}
	}
	return "no hazard " + string(lines[0])
}
