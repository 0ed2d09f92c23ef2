package index

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A field overlaps with itself, what is inside it and what it is inside.
func TestOverlaps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	name := func() string {
		list := make([]string, 1+r.IntN(3))
		for i := range list {
			list[i] = []string{"a", "b", "ab", "a-b", ""}[r.IntN(5)]
		}
		return strings.Join(list, ".")
	}
	for range 20_000 {
		list := make([]string, r.IntN(6))
		for i := range list {
			list[i] = name()
		}
		slices.Sort(list)
		field := name()
		want := slices.ContainsFunc(list, func(g string) bool {
			return g == field || strings.HasPrefix(g, field+".") || strings.HasPrefix(field, g+".")
		})
		if overlaps(list, field) != want {
			t.Fatalf("%q and %q overlap: %v", list, field, want)
		}
	}
}
