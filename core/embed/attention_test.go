package embed

import (
	"math/rand/v2"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/embed/model/modeltest"
)

// What vectors make of a query's products is as far below the greatest as what is computed
// for all factors: with queries and keys of all sizes, alike or not, and products up to
// what limits allow.
func TestLogits(t *testing.T) {
	c := modeltest.Config()
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 0))
		h := newHeads(c.Window, &c)
		n := 1 + r.IntN(c.Window)
		usual, spread := 1+r.IntN(26), 1+r.IntN(2+r.IntN(25))
		for u := range n {
			greatest := r.Int32N(2 << max(usual-r.IntN(spread), 0))
			h.byKey[u] = factorOf(min(greatest, bound), h.limit)
		}
		h.level(n)
		byQuery := factorOf(min(r.Int32N(2<<r.IntN(26)), bound), h.limit).times(h.perRoot)
		products, got, want := make([]int32, n), make([]int32, n), make([]int32, n)
		for u := range products {
			products[u] = (1 - 2*r.Int32N(2)) * (1<<31 - 1) >> r.IntN(2+r.IntN(30))
		}
		greatest := h.compare(got, products, byQuery)
		most := h.anyLogits(want, products, byQuery)
		for u := range got {
			if a, b := min(greatest-got[u], fallen), most-want[u]; a != b {
				t.Fatalf("seed %d: product %d of %d is %d below the greatest, want %d", seed, u, n, a, b)
			}
		}
	}
}
