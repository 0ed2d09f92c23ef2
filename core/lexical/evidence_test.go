package lexical

import (
	"math/rand/v2"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// The least score of some evidence has it, and the score below has not.
func TestLeast(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		v := View{most: 1 + r.Int64N(1<<(1+r.IntN(tierBits-1)))}
		evidence := 1 + r.Int64N(abi.MaxEvidence)
		if r.IntN(10) == 0 {
			evidence = abi.MaxEvidence
		}
		least := int64(v.Least(evidence))
		if at, below := v.Of(0, least), v.Of(0, least-1); at < evidence || below >= evidence {
			t.Fatalf("seed %d: %d of %d is %d, one less %d, want the border of %d", seed, least, v.most, at, below, evidence)
		}
	}
}

var evidenceTests = []struct {
	name              string
	most, tier, score int64
	want              int64
}{
	{"rounded down", 3, 0, 2, 666_666_666},
	{"the most", 7, 0, 7, abi.MaxEvidence},
	{"nothing", 7, 0, 0, 0},
	{"nothing can be reached", 0, 0, 0, 0},
	{"a tier is enough", 7, 1, 1, abi.MaxEvidence},
	{"a tier, where nothing can be reached", 0, 1, 0, abi.MaxEvidence},
}

func TestEvidence(t *testing.T) {
	for _, tt := range evidenceTests {
		v := View{most: tt.most}
		if got := v.Of(tt.tier, tt.score); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
		for _, evidence := range []int64{0, 1, abi.MaxEvidence} {
			if counts := Score(tt.tier<<tierBits+tt.score) >= v.Least(evidence); counts != (tt.want >= evidence) {
				t.Errorf("%s: it counts for %d: %v", tt.name, evidence, counts)
			}
		}
	}
}
