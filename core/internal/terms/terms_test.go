package terms

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// A Table is a map from strings to the order of their first occurrence.
func TestTableIsAMap(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		table, model := New(r.Uint64()), map[string]uint32{}
		for range 5000 {
			term := fmt.Sprintf("%0*d", r.IntN(20), r.IntN(3000))
			want, known := model[term]
			if n, ok := table.Find(term); ok != known || known && n != want {
				t.Fatalf("seed %d: Find(%q) = %d, %v, want %d, %v", seed, term, n, ok, want, known)
			}
			if !known {
				want = uint32(len(model))
				model[term] = want
			}
			if n, fresh := table.Add(term); n != want || fresh == known {
				t.Fatalf("seed %d: Add(%q) = %d, %v, want %d", seed, term, n, fresh, want)
			}
		}
		if table.Len() != len(model) {
			t.Fatalf("seed %d: %d terms, want %d", seed, table.Len(), len(model))
		}
	}
}
