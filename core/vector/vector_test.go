package vector

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/internal/fixed"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
)

func newMeter() *meter.Meter { return meter.New(nil, nil) }

// clustered returns vectors around a few directions, as those of texts are.
func clustered(r *rand.Rand, n, dimensions int) [][]int8 {
	centres := make([][]float64, 1+n/20)
	for i := range centres {
		centres[i] = make([]float64, dimensions)
		for j := range centres[i] {
			centres[i][j] = r.NormFloat64()
		}
	}
	list := make([][]int8, n)
	for i := range list {
		list[i] = make([]int8, dimensions)
		centre := centres[r.IntN(len(centres))]
		for j := range list[i] {
			list[i][j] = int8(min(max(30*(centre[j]+0.8*r.NormFloat64()), -127), 127))
		}
	}
	return list
}

func setOf(list [][]int8, dimensions int) *Set {
	var components []byte
	for _, v := range list {
		for _, c := range v {
			components = append(components, byte(c))
		}
	}
	s, err := NewSet(dimensions, components, newMeter())
	if err != nil {
		panic(err)
	}
	return s
}

// A scored is a vector by its number in all.
type scored struct {
	at    int
	score fixed.Score
}

func best(list []scored, k int) []scored {
	slices.SortFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at)) })
	return list[:min(k, len(list))]
}

// near asks sets that hold the vectors from some number on each, with so many
// candidates at least.
func near(t *testing.T, sets []*Set, query []int8, allowed func(i int) bool, enough int64) []scored {
	t.Helper()
	q := Of(query)
	var scans []*Scan
	total := make(Histogram, len(query)+1)
	from := 0
	for _, s := range sets {
		bits := make([]uint64, s.Len()/64+1)
		for i := range s.Len() {
			if allowed(from + i) {
				bits[i>>6] |= 1 << (i & 63)
			}
		}
		from += s.Len()
		scan, err := s.Scan(&q, bits, newMeter())
		if err != nil {
			t.Fatal(err)
		}
		total.Add(scan.Histogram())
		scans = append(scans, scan)
	}
	var list []scored
	reach, from := total.Reach(enough), 0
	for i, scan := range scans {
		if err := scan.Each(reach, newMeter(), func(j int, score fixed.Score) { list = append(list, scored{from + j, score}) }); err != nil {
			t.Fatal(err)
		}
		from += sets[i].Len()
	}
	return list
}

func all(int) bool { return true }

// The candidates are the same however vectors lie in sets, and none that is not
// allowed is among them.
func TestLayoutFree(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 0))
		dimensions := 1 + r.IntN(200)
		list := clustered(r, 1+r.IntN(800), dimensions)
		query := clustered(r, 1, dimensions)[0]
		allowed := func(i int) bool { return uint64(i)*2654435761%5 != seed%5 }
		enough := int64(1 + r.IntN(100))
		want := best(near(t, []*Set{setOf(list, dimensions)}, query, allowed, enough), len(list))
		var sets []*Set
		for part := range slices.Chunk(list, 1+r.IntN(len(list))) {
			sets = append(sets, setOf(part, dimensions))
		}
		got := best(near(t, sets, query, allowed, enough), len(list))
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %d candidates in %d sets, %d in one", seed, len(got), len(sets), len(want))
		}
		if slices.ContainsFunc(got, func(s scored) bool { return !allowed(s.at) }) {
			t.Fatalf("seed %d: one that is not allowed", seed)
		}
	}
}

// Scores are cosines, to the nano-unit.
func TestScores(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	list := append(clustered(r, 300, 384), make([]int8, 384))
	query := list[7]
	for _, s := range near(t, []*Set{setOf(list, 384)}, query, all, 1000) {
		dot, a, b := 0.0, 0.0, 0.0
		for i, n := range query {
			m := list[s.at][i]
			dot, a, b = dot+float64(n)*float64(m), a+float64(n)*float64(n), b+float64(m)*float64(m)
		}
		want := 0.0
		if b > 0 {
			want = dot / math.Sqrt(a*b)
		}
		if math.Abs(float64(s.score)/fixed.One-want) > 1e-9 || s.at == 7 && s.score != fixed.One {
			t.Errorf("vector %d: %d, want %.10f", s.at, s.score, want)
		}
	}
}

// Of the ten nearest, how many are among so many candidates: what is lost to brute
// force is printed. With all of them nothing is.
func TestRecall(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	const n, dimensions = 20_000, 384
	list := clustered(r, n, dimensions)
	set := []*Set{setOf(list, dimensions)}
	for _, enough := range []int64{50, 100, 200, 400, n} {
		found, asked := 0, 0
		for range 20 {
			query := slices.Clone(list[r.IntN(n)])
			for i := range query {
				query[i] = int8(min(max(int(query[i])+r.IntN(61)-30, -127), 127))
			}
			want := best(near(t, set, query, all, n), 10)
			got := best(near(t, set, query, all, enough), 10)
			for _, s := range want {
				asked++
				if slices.Contains(got, s) {
					found++
				}
			}
		}
		t.Logf("%d candidates: %.3f of the ten nearest", enough, float64(found)/float64(asked))
		if enough == n && found < asked || enough >= 200 && float64(found) < 0.95*float64(asked) {
			t.Errorf("%d candidates hold %d of %d", enough, found, asked)
		}
	}
}

func TestReach(t *testing.T) {
	for _, tt := range []struct {
		h      Histogram
		enough int64
		want   int
	}{
		{Histogram{0, 2, 3}, 1, 1}, {Histogram{0, 2, 3}, 2, 1}, {Histogram{0, 2, 3}, 3, 2}, {Histogram{0, 2, 3}, 9, 2}, {Histogram{1, 0, 0}, 1, 0}, {Histogram{0}, 5, 0},
	} {
		if got := tt.h.Reach(tt.enough); got != tt.want {
			t.Errorf("%v reaches %d at %d, want %d", tt.h, tt.enough, got, tt.want)
		}
	}
}

func BenchmarkScan(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 3))
	list := clustered(r, 100_000, 384)
	s, q := setOf(list, 384), Of(list[5])
	for b.Loop() {
		scan, err := s.Scan(&q, nil, newMeter())
		if err != nil {
			b.Fatal(err)
		}
		if err := scan.Each(scan.Histogram().Reach(400), newMeter(), func(int, fixed.Score) {}); err != nil {
			b.Fatal(err)
		}
	}
}
