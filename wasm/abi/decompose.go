package abi

import "github.com/rookhaven-project/rookhaven/wasm/abi/json"

// A Decomposition is the reply of decompose.
type Decomposition struct {
	Request    Request
	Subqueries []Subquery // as they are before they are ranked
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

// ReadDecomposition reads a Decomposition.
func ReadDecomposition(in []byte) (d Decomposition, err error) {
	r := json.NewReader(in)
	each(r, func(name string) bool {
		switch name {
		case "request":
			d.Request = request(r)
		case "subqueries":
			for range r.Array() {
				d.Subqueries = append(d.Subqueries, readSubquery(r))
			}
		default:
			return false
		}
		return true
	})
	return d, done(r, ReplyInvalid)
}
