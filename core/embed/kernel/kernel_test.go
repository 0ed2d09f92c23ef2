package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// The largest activation, by its size, and the largest sum of a token's
// probabilities.
const (
	activation    = 8191
	probabilities = 16384 + 512
)

var shapes = []struct{ n, rows, k int }{
	{1, 1, 32}, {1, 4, 32}, {1, 7, 64}, {2, 1, 32}, {2, 2, 64}, {3, 1, 32}, {3, 2, 32}, {3, 5, 96}, {4, 3, 384},
	{5, 15, 160}, {5, 16, 32}, {6, 17, 32}, {7, 33, 64}, {10, 31, 384}, {11, 384, 384}, {3, 35, 1536}, {2, 6, 2048}, {13, 3, 2048},
}

func TestMultiply(t *testing.T) {
	for _, s := range shapes {
		for seed := range uint64(3) {
			r := rand.New(rand.NewPCG(seed, 0))
			a := numbersOf(s.n*s.k, func(int) int16 { return int16(r.IntN(2*activation+1) - activation) })
			w := numbersOf(s.rows*s.k, func(int) int8 { return int8(r.IntN(256) - 128) })
			compare(t, fmt.Sprintf("seed %d", seed), a, w, s.n, s.rows, s.k)
		}
	}
}

// Sums as large as they get: the weights have one sign or two, and the activations
// the same, the opposite, or another than the one before.
func TestMultiplyExtremes(t *testing.T) {
	for _, s := range shapes {
		for name, a := range extremes(s.n, s.k, activation) {
			for _, most := range []int8{127, -127, -128} {
				compare(t, fmt.Sprint(name, " with ", most), a, numbersOf(s.rows*s.k, func(int) int8 { return most }), s.n, s.rows, s.k)
			}
			mixed := numbersOf(s.rows*s.k, func(i int) int8 { return int8(127 * (1 - i%2*2)) })
			compare(t, name+" with both signs", a, mixed, s.n, s.rows, s.k)
		}
	}
}

// Attention's scores: heads have 32 dimensions, and a score's factors are activations.
func TestMultiplyWideScores(t *testing.T) {
	for _, s := range shapes {
		k := min(s.k, 32)
		for nameA, a := range extremes(s.n, k, activation) {
			for nameB, b := range extremes(s.rows, k, activation) {
				compare(t, nameA+" with "+nameB, a, b, s.n, s.rows, k)
			}
		}
		r := rand.New(rand.NewPCG(uint64(s.n), uint64(k)))
		random := func(int) int16 { return int16(r.IntN(2*activation+1) - activation) }
		compare(t, "random", numbersOf(s.n*k, random), numbersOf(s.rows*k, random), s.n, s.rows, k)
	}
}

// Attention's values: a token's probabilities add up to a bounded sum, in one
// place, evenly, or at random.
func TestMultiplyWideValues(t *testing.T) {
	for _, s := range shapes {
		k := min(s.k, 512)
		r := rand.New(rand.NewPCG(uint64(s.n), uint64(k)))
		one, even, random := make([]int16, s.n*k), make([]int16, s.n*k), make([]int16, s.n*k)
		for i := range s.n {
			one[i*k+r.IntN(k)] = probabilities
			for j := range k {
				even[i*k+j] = int16(probabilities / k)
			}
			for range probabilities {
				random[i*k+r.IntN(k)]++
			}
		}
		for name, p := range map[string][]int16{"one": one, "even": even, "random": random} {
			for nameV, v := range extremes(s.rows, k, activation) {
				compare(t, name+" with "+nameV, p, v, s.n, s.rows, k)
			}
		}
	}
}

// extremes are vectors whose numbers all have one size.
func extremes(n, k int, size int16) map[string][]int16 {
	signs := map[string]func(t, j int) bool{
		"positive":          func(t, j int) bool { return true },
		"negative":          func(t, j int) bool { return false },
		"other than before": func(t, j int) bool { return j%2 == 0 },
		"in turn":           func(t, j int) bool { return t%2 == 0 },
		"half":              func(t, j int) bool { return j < k/2 },
	}
	all := map[string][]int16{}
	for name, positive := range signs {
		all[name] = numbersOf(n*k, func(i int) int16 {
			if positive(i/k, i%k) {
				return size
			}
			return -size
		})
	}
	return all
}

func numbersOf[T any](n int, f func(i int) T) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = f(i)
	}
	return s
}

// compare holds the product and its portable form against sums of 64 bits, which
// must fit into 32, and looks at what lies around the result.
func compare[W int8 | int16](t *testing.T, name string, a []int16, w []W, n, rows, k int) {
	t.Helper()
	want := make([]int32, n*rows)
	for i := range want {
		var sum int64
		for j, x := range a[i/rows*k:][:k] {
			sum += int64(x) * int64(w[i%rows*k+j])
		}
		if want[i] = int32(sum); int64(want[i]) != sum {
			t.Fatalf("%s: %d×%d×%d: sum %d needs more than 32 bits", name, n, rows, k, sum)
		}
	}
	for form, f := range map[string]func([]int32, []int16, []W, int, int, int){"own": own[W], "portable": portable[W]} {
		const around = 8
		got := numbersOf(around+len(want)+around, func(i int) int32 { return int32(-i) })
		f(got[around:][:len(want):len(want)], a, w, n, rows, k)
		if !slices.Equal(got[around:][:len(want)], want) {
			t.Fatalf("%s, %s: %d×%d×%d: got %v, want %v", name, form, n, rows, k, got[around:][:len(want)], want)
		}
		for i := range around {
			if last := around + len(want) + i; got[i] != int32(-i) || got[last] != int32(-last) {
				t.Fatalf("%s, %s: %d×%d×%d: wrote beside the result", name, form, n, rows, k)
			}
		}
	}
}

// own is the product that the processor has.
func own[W int8 | int16](out []int32, a []int16, w []W, n, rows, k int) {
	switch w := any(w).(type) {
	case []int8:
		Multiply(out, a, w, n, rows, k)
	case []int16:
		MultiplyWide(out, a, w, n, rows, k)
	}
}

func TestNothingToMultiply(t *testing.T) {
	Multiply(nil, nil, make([]int8, 64), 0, 2, 32)
	MultiplyWide(nil, make([]int16, 64), nil, 2, 0, 32)
}

var wrongTests = []struct {
	name       string
	out, a, w  int
	n, rows, k int
}{
	{name: "k is nothing", out: 1, n: 1, rows: 1},
	{name: "k is no multiple of the lanes", out: 1, a: 48, w: 48, n: 1, rows: 1, k: 48},
	{name: "a tokens' count below 0", out: 1, a: 32, w: 32, n: -1, rows: 1, k: 32},
	{name: "a rows' count below 0", out: 1, a: 32, w: 32, n: 1, rows: -1, k: 32},
	{name: "a short result", out: 3, a: 64, w: 64, n: 2, rows: 2, k: 32},
	{name: "short activations", out: 4, a: 63, w: 64, n: 2, rows: 2, k: 32},
	{name: "short weights", out: 4, a: 64, w: 63, n: 2, rows: 2, k: 32},
}

func TestWrongShapesPanic(t *testing.T) {
	for _, tt := range wrongTests {
		panics(t, tt.name, func() {
			Multiply(make([]int32, tt.out), make([]int16, tt.a), make([]int8, tt.w), tt.n, tt.rows, tt.k)
		})
		panics(t, tt.name, func() {
			MultiplyWide(make([]int32, tt.out), make([]int16, tt.a), make([]int16, tt.w), tt.n, tt.rows, tt.k)
		})
	}
}

func panics(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", name)
		}
	}()
	f()
}

func TestMultiplyAllocatesNothing(t *testing.T) {
	out, a, w, b := make([]int32, 35), make([]int16, 5*32), make([]int8, 7*32), make([]int16, 7*32)
	if n := testing.AllocsPerRun(10, func() {
		Multiply(out, a, w, 5, 7, 32)
		MultiplyWide(out, a, b, 5, 7, 32)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkMultiply(b *testing.B) {
	for _, s := range []struct{ rows, k int }{{384, 384}, {1536, 384}, {384, 1536}} {
		for _, n := range []int{1, 10, 32, 128, 256} {
			benchmark[int8](b, n, s.rows, s.k)
		}
	}
}

func BenchmarkMultiplyWide(b *testing.B) {
	for _, n := range []int{10, 128, 256} {
		benchmark[int16](b, n, n, 32)
		benchmark[int16](b, n, 32, (n+Lanes-1)/Lanes*Lanes)
	}
}

func benchmark[W int8 | int16](b *testing.B, n, rows, k int) {
	out, a, w := make([]int32, n*rows), make([]int16, n*k), make([]W, rows*k)
	for form, f := range map[string]func([]int32, []int16, []W, int, int, int){"own": own[W], "portable": portable[W]} {
		b.Run(fmt.Sprintf("n=%d/rows=%d/k=%d/%s", n, rows, k, form), func(b *testing.B) {
			for b.Loop() {
				f(out, a, w, n, rows, k)
			}
			b.ReportMetric(float64(n*rows*k)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GMAC/s")
		})
	}
}
