package cosine

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// A terms is a map from strings to the order of their first occurrence.
func TestTermsIsAMap(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		table, model := newTerms(r.Uint64()), map[string]uint32{}
		for range 5000 {
			term := fmt.Sprintf("%0*d", r.IntN(20), r.IntN(3000))
			want, known := model[term]
			if n, ok := table.find(term); ok != known || known && n != want {
				t.Fatalf("seed %d: find(%q) = %d, %v, want %d, %v", seed, term, n, ok, want, known)
			}
			if !known {
				want = uint32(len(model))
				model[term] = want
			}
			if n, fresh := table.add(term); n != want || fresh == known {
				t.Fatalf("seed %d: add(%q) = %d, %v, want %d", seed, term, n, fresh, want)
			}
		}
		if len(table.names) != len(model) {
			t.Fatalf("seed %d: %d terms, want %d", seed, len(table.names), len(model))
		}
	}
}
