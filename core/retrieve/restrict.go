package retrieve

import (
	"slices"

	"github.com/rookhaven-project/rookhaven/core/filter"
	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/lexical"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A restriction says which chunks may be hits: those that the filters, collections
// and documents of a request let through.
type restriction struct {
	request    *abi.SearchRequest
	fields     []string // of the conditions, sorted
	conditions [][]filter.Condition
	met        met
}

// A met says of each name in a request, in its order there, whether a live document
// meets it; a field is met by a document that all its conditions hold of.
type met struct{ fields, collections, documents []bool }

// restriction returns that of an inquiry, nil where it has none.
func (a *inquiry) restriction() *restriction {
	if a.filter == nil && a.request.Collections == nil && a.request.Documents == nil {
		return nil
	}
	r := &restriction{request: &a.request}
	if a.filter != nil {
		r.group(a.filter.Conditions())
	}
	r.met = met{make([]bool, len(r.fields)), make([]bool, len(a.request.Collections)), make([]bool, len(a.request.Documents))}
	return r
}

// group sorts conditions by their fields.
func (r *restriction) group(list []filter.Condition) {
	by := map[string][]filter.Condition{}
	for _, c := range list {
		if by[c.Field] == nil {
			r.fields = append(r.fields, c.Field)
		}
		by[c.Field] = append(by[c.Field], c)
	}
	slices.Sort(r.fields)
	for _, field := range r.fields {
		r.conditions = append(r.conditions, by[field])
	}
}

// chunks returns which chunks of a part pass, and how many live ones that are.
func (r *restriction) chunks(part *index.Part, m *meter.Meter) (b lexical.Bitmap, passed int64, err error) {
	documents, err := r.of(part, m)
	if err != nil {
		return nil, 0, err
	}
	b = lexical.NewBitmap(part.Chunks(), false)
	for chunk := range uint32(part.Chunks()) {
		if documents.Has(part.DocumentOf(chunk)) {
			b.Set(chunk)
			if part.IsLive(chunk) {
				passed++
			}
		}
	}
	return b, passed, m.Add(part.Chunks())
}

// of returns which documents of a part pass.
func (r *restriction) of(part *index.Part, m *meter.Meter) (lexical.Bitmap, error) {
	b := lexical.NewBitmap(part.Documents(), true)
	for i, conditions := range r.conditions {
		field := lexical.NewBitmap(part.Documents(), true)
		for j := range conditions {
			field.And(column(part, &conditions[j]))
			if err := m.Add(part.Documents() / 8); err != nil {
				return nil, err
			}
		}
		for doc := uint32(0); !r.met.fields[i] && doc < uint32(part.Documents()); doc++ {
			r.met.fields[i] = field.Has(doc) && !part.IsRemoved(doc)
		}
		b.And(field)
	}
	if r.request.Collections == nil && r.request.Documents == nil {
		return b, nil
	}
	for doc := range uint32(part.Documents()) {
		if part.IsRemoved(doc) {
			continue
		}
		id, collection := part.Names(doc)
		if !among(r.request.Documents, r.met.documents, id) || !among(r.request.Collections, r.met.collections, collection) {
			b.Clear(doc)
		}
		if err := m.Add(16); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// among reports whether a sorted list has a name, and notes it; no list has every one.
func among(list []string, met []bool, name string) bool {
	i, ok := slices.BinarySearch(list, name)
	if ok {
		met[i] = true
	}
	return ok || list == nil
}

// column returns which documents of a part a condition lets through.
func column(part *index.Part, c *filter.Condition) lexical.Bitmap {
	column := part.Column(c.Field)
	b := lexical.NewBitmap(part.Documents(), false)
	selection := c.Select(column.Values(), column.Value)
	for _, r := range selection.Ranges {
		for i := r.Start; i < r.End; i++ {
			column.Documents(int(i), b.Set)
		}
	}
	if selection.Not {
		for i := range b {
			b[i] = ^b[i]
		}
	}
	return b
}

// unmet returns the names that no live document of this instance meets.
func (r *restriction) unmet() abi.Unmet {
	var u abi.Unmet
	for i, field := range r.fields {
		if !r.met.fields[i] {
			u.Fields = append(u.Fields, field)
		}
	}
	for i, name := range r.request.Collections {
		if !r.met.collections[i] {
			u.Collections = append(u.Collections, name)
		}
	}
	for i, id := range r.request.Documents {
		if !r.met.documents[i] {
			u.Documents = append(u.Documents, id)
		}
	}
	return u
}

// common returns what is unmet in every instance.
func common(partials []abi.SearchPartial) (u abi.Unmet) {
	for i, p := range partials {
		if i == 0 {
			u = p.Unmet
			continue
		}
		u.Fields = both(u.Fields, p.Unmet.Fields)
		u.Collections = both(u.Collections, p.Unmet.Collections)
		u.Documents = both(u.Documents, p.Unmet.Documents)
	}
	return u
}

// both returns what two sorted lists have in common.
func both(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool {
		_, ok := slices.BinarySearch(b, s)
		return !ok
	})
}
