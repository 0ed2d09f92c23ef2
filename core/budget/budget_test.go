package budget

import (
	"math/rand/v2"
	"slices"
	"testing"
)

var splitTests = []struct {
	name    string
	total   int64
	weights []int64
	draws   []uint32
	want    []int64
}{
	{"one need takes all", 10, []int64{3}, []uint32{9}, []int64{10}},
	{"shares in proportion", 4, []int64{1, 3}, []uint32{1, 2}, []int64{1, 3}},
	{"largest remainder wins", 5, []int64{2, 1, 2}, []uint32{1, 2, 3}, []int64{2, 1, 2}},
	{"equal remainders go to the lower draw", 1, []int64{1, 1}, []uint32{7, 3}, []int64{0, 1}},
	{"equal draws go to the earlier need", 1, []int64{1, 1}, []uint32{3, 3}, []int64{1, 0}},
	{"a small share can end with nothing", 2, []int64{4, 3, 1}, []uint32{1, 2, 3}, []int64{1, 1, 0}},
	{"weights of nothing count alike", 4, []int64{0, 0}, []uint32{1, 2}, []int64{2, 2}},
	{"a weight of nothing beside others has no share", 3, []int64{0, 5}, []uint32{1, 2}, []int64{0, 3}},
}

func TestSplit(t *testing.T) {
	for _, tt := range splitTests {
		if got := Split(tt.total, tt.weights, tt.draws); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Split(%d, %v, %v) = %v, want %v", tt.name, tt.total, tt.weights, tt.draws, got, tt.want)
		}
	}
}

// Slots add up to the total, and none is a whole slot away from its exact share.
func TestSplitSums(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		total, weights, draws := 1+r.Int64N(100000), make([]int64, 1+r.IntN(50)), []uint32(nil)
		sum := int64(0)
		for i := range weights {
			weights[i] = r.Int64N(1 << r.IntN(20))
			sum += weights[i]
			draws = append(draws, r.Uint32N(4))
		}
		slots := Split(total, weights, draws)
		left := total
		for i, s := range slots {
			left -= s
			if sum > 0 && (s*sum-total*weights[i] >= sum || total*weights[i]-s*sum >= sum) {
				t.Fatalf("seed %d: need %d got %d of %d at %d/%d", seed, i, s, total, weights[i], sum)
			}
		}
		if left != 0 {
			t.Fatalf("seed %d: %d slots left of %d", seed, left, total)
		}
	}
}

var representTests = []struct {
	name        string
	slots, want []int64
}{
	{"a need without a slot takes one from the richest", []int64{5, 0, 2}, []int64{4, 1, 2}},
	{"of the richest the later gives", []int64{3, 0, 3}, []int64{3, 1, 2}},
	{"fewer slots than needs stay as they are", []int64{2, 0, 0}, []int64{2, 0, 0}},
	{"as many slots as needs: one each", []int64{3, 0, 0}, []int64{1, 1, 1}},
	{"nothing to do", []int64{1, 2}, []int64{1, 2}},
}

func TestRepresent(t *testing.T) {
	for _, tt := range representTests {
		got := slices.Clone(tt.slots)
		if Represent(got); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Represent(%v) = %v, want %v", tt.name, tt.slots, got, tt.want)
		}
	}
}
