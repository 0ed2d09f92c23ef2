package abi

import "github.com/rookhaven-project/rookhaven/wasm/abi/json"

// A Decomposition is the reply of decompose.
type Decomposition struct {
	Request    Request
	Subqueries []Subquery // without Matched and Contributed
}

// Append appends a Decomposition.
func (d *Decomposition) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("request")
	d.Request.write(w)
	w.Name("subqueries")
	w.BeginArray()
	for i := range d.Subqueries {
		d.Subqueries[i].write(w, false)
	}
	w.EndArray()
	w.EndObject()
	return w.Bytes()
}
