package rank

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

var compareTests = []struct {
	name string
	a, b Hit
	why  Rule
}{
	{"a higher score first", Hit{Score: 2, Key: 9}, Hit{Score: 1, Key: 1}, ByScore},
	{"then the lower key", Hit{Score: 1, Key: 1, Stable: "b"}, Hit{Score: 1, Key: 2, Stable: "a"}, ByKey},
	{"then the stable key by bytes", Hit{Stable: "Z", ID: "2"}, Hit{Stable: "a", ID: "1"}, ByStableKey},
	{"then the id by bytes", Hit{Stable: "a", ID: "1", Chunk: 4}, Hit{Stable: "a", ID: "2"}, ByID},
	{"ids compare by UTF-8, not by UTF-16", Hit{ID: "\uffff"}, Hit{ID: "\U00010000"}, ByID},
	{"then the chunk", Hit{ID: "1", Chunk: 2}, Hit{ID: "1", Chunk: 10}, ByChunk},
}

func TestCompare(t *testing.T) {
	for _, tt := range compareTests {
		if Compare(tt.a, tt.b) >= 0 || Compare(tt.b, tt.a) <= 0 {
			t.Errorf("%s: Compare(%+v, %+v) is not below 0", tt.name, tt.a, tt.b)
		}
		if got := Why(tt.a, tt.b); got != tt.why {
			t.Errorf("%s: Why = %s, want %s", tt.name, got, tt.why)
		}
	}
}

// The best n do not depend on the order in which hits arrive, on how they are
// cut into lists, or on n: the list for n is a prefix of the list for n+1.
func TestTopIsLayoutFree(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		hits := make([]Hit, r.IntN(60))
		for i := range hits {
			hits[i] = Hit{Score: 1, Key: r.Uint32N(3), Stable: "s", ID: fmt.Sprint(i), Ref: i}
		}
		want := slices.SortedFunc(slices.Values(hits), Compare)
		r.Shuffle(len(hits), func(i, j int) { hits[i], hits[j] = hits[j], hits[i] })
		cut := 0
		if len(hits) > 0 {
			cut = r.IntN(len(hits))
		}
		for _, n := range []int{0, 1, 5, 100} {
			first, second := Merge([][]Hit{hits[:cut]}, int64(n)), Merge([][]Hit{hits[cut:]}, int64(n))
			got := Merge([][]Hit{second, first}, int64(n))
			if !slices.Equal(got, want[:min(n, len(want))]) {
				t.Fatalf("seed %d: the best %d are %v, want %v", seed, n, got, want)
			}
		}
	}
}
