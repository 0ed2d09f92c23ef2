package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// lengths are those around a vector's, and longer ones.
var lengths = []int{0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 31, 32, 33, 100}

// sample draws numbers of which many are one of those named or next to it, up or down, and the
// others of any size up to most.
func sample(r *rand.Rand, n int, most int64, named ...int64) []int32 {
	return numbersOf(n, func(int) int32 {
		v := r.Int64N(2<<r.IntN(31)) * (1 - 2*r.Int64N(2))
		if len(named) > 0 && r.IntN(2) == 0 {
			v = named[r.IntN(len(named))] + r.Int64N(3) - 1
		}
		return int32(min(max(v, -most, math.MinInt32), most, math.MaxInt32))
	})
}

// inside calls f with an out that has something around it, and returns what it holds.
func inside[T int16 | int32](t *testing.T, name string, n int, f func(out []T)) []T {
	t.Helper()
	const around = 8
	got := numbersOf(around+n+around, func(i int) T { return T(-i) })
	f(got[around:][:n:n])
	for i := range around {
		if last := around + n + i; got[i] != T(-i) || got[last] != T(-last) {
			t.Fatalf("%s: wrote beside the result", name)
		}
	}
	return got[around:][:n]
}

func each(t *testing.T, f func(r *rand.Rand, n int, name string)) {
	t.Helper()
	seeds := uint64(300)
	if testing.Short() {
		seeds = 50
	}
	for seed := range seeds {
		for _, n := range lengths {
			f(rand.New(rand.NewPCG(seed, uint64(n))), n, fmt.Sprintf("seed %d, %d numbers", seed, n))
		}
	}
}

func TestGreatest(t *testing.T) {
	each(t, func(r *rand.Rand, n int, name string) {
		x := sample(r, n, math.MaxInt32>>r.IntN(31))
		want := int32(0)
		for _, v := range x {
			want = max(want, int32(math.Abs(float64(v))))
		}
		if got := Greatest(x); got != want {
			t.Fatalf("%s: %d, want %d", name, got, want)
		}
	})
}

// What a processor has gives the numbers that one division at a time gives: for every
// length, sizes from 1 to 2³¹ − 1 and limits from 1 to the greatest.
func TestQuantize(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 4000 {
		x := make([]int32, r.IntN(70))
		top := int32(1)<<r.IntN(31) + int32(r.IntN(2))*(1<<r.IntN(31)-1)&(1<<30-1)
		want := int32(0)
		for i := range x {
			switch r.IntN(6) {
			case 0:
				x[i] = top
			case 1:
				x[i] = -top
			default:
				x[i] = int32(r.Int64N(2*int64(top)+1) - int64(top))
			}
			want = max(want, x[i], -x[i])
		}
		if got := Greatest(x); got != want {
			t.Fatalf("%v: the greatest is %d, want %d", x, got, want)
		}
		if want == 0 {
			continue
		}
		limit := int64([]int{1, 2, 5461, 5792, 8191}[r.IntN(5)])
		factor := limit << 32 / int64(want)
		out := make([]int16, len(x)+1)
		out[len(x)] = 77
		Quantize(out[:len(x)], x, factor, 0)
		for i, v := range x {
			if want := (int64(v)*factor + 1<<31) >> 32; int64(out[i]) != want || want > limit || want < -limit {
				t.Fatalf("%d by %d of %d: %d, want %d", v, factor, limit, out[i], want)
			}
		}
		if out[len(x)] != 77 {
			t.Fatal("it wrote behind the end")
		}
	}
}

// The same with a shift: powers are made as large as their shares of a sum.
func TestQuantizeShifted(t *testing.T) {
	each(t, func(r *rand.Rand, n int, name string) {
		greatest := min(int64(1)<<r.IntN(32)+r.Int64N(3), math.MaxInt32)
		activations := sample(r, n, greatest, 0, greatest, -greatest)
		compareQuantized(t, name, activations, (2048+r.Int64N(6144))<<32/greatest, 0)

		powers := sample(r, n, 1<<30, 0, 1<<30)
		for i, p := range powers {
			powers[i] = max(p, -p)
		}
		sum := int64(1)<<(30+r.IntN(11)) + r.Int64N(2)
		compareQuantized(t, name, powers, 1<<62/sum, 16)
	})
}

func compareQuantized(t *testing.T, name string, x []int32, factor int64, shift int) {
	t.Helper()
	want := make([]int16, len(x))
	quantizePortable(want, x, factor, shift)
	for i, v := range x {
		if exact := math.Floor(float64(v)*float64(factor)/math.Exp2(float64(32+shift)) + .5); math.Abs(float64(want[i])-exact) > 1 {
			t.Fatalf("%s: %d·%d is %d, about %v", name, v, factor, want[i], exact)
		}
	}
	if got := inside(t, name, len(x), func(out []int16) { Quantize(out, x, factor, shift) }); !slices.Equal(got, want) {
		t.Fatalf("%s: factor %d, shift %d: got %v, want %v", name, factor, shift, got, want)
	}
}

// All sums, scales and biases that there can be; some are such that the vector forms
// refuse them.
func TestScale(t *testing.T) {
	each(t, func(r *rand.Rand, n int, name string) {
		most := int64(1<<31) >> r.IntN(31)
		sums := sample(r, n, most, 0, most, -most)
		mantissa := []int32{0, 1 << 30, math.MaxInt32, 1<<30 + r.Int32N(1<<30)}[r.IntN(4)]
		most = int64(1<<31) >> r.IntN(31)
		bias := sample(r, n, most, most, -most)
		scales, high := make([]uint32, n), uint32(r.IntN(2)*r.IntN(2))<<31
		for i, v := range sample(r, n, math.MaxInt32>>r.IntN(31), 0, math.MaxInt32) {
			scales[i] = uint32(max(v, -v)) | high
		}
		for shift := range 63 {
			want := make([]int32, n)
			scalePortable(want, sums, mantissa, shift, scales, bias)
			got := inside(t, name, n, func(out []int32) { Scale(out, sums, mantissa, shift, scales, bias) })
			if !slices.Equal(got, want) {
				t.Fatalf("%s: mantissa %d, shift %d: got %v, want %v", name, mantissa, shift, got, want)
			}
		}
	})
}

func TestJoin(t *testing.T) {
	each(t, func(r *rand.Rand, n int, name string) {
		most := int64(Bound) >> r.IntN(26)
		x, y := sample(r, n, most, most, -most), sample(r, n, most, most, -most)
		want := slices.Clone(y)
		sum, squares := joinPortable(want, x)
		got := inside(t, name, n, func(out []int32) {
			copy(out, y)
			if gotSum, gotSquares := Join(out, x); gotSum != sum || gotSquares != squares {
				t.Fatalf("%s: sums %d and %d, want %d and %d", name, gotSum, gotSquares, sum, squares)
			}
		})
		if !slices.Equal(got, want) {
			t.Fatalf("%s: got %v, want %v", name, got, want)
		}
	})
}

// Deviations as small as they can be beside the greatest distance, and all gains and shifts
// that there can be.
func TestNorm(t *testing.T) {
	each(t, func(r *rand.Rand, n int, name string) {
		most := int64(Bound) >> r.IntN(26)
		x, mean := sample(r, n, most, most, -most), int32(r.Int64N(2*most+1)-most)
		distance := int64(1)
		for _, v := range x {
			distance = max(distance, int64(v)-int64(mean), int64(mean)-int64(v))
		}
		inverse := min((1<<57-1)/distance, 1<<50) >> (r.IntN(2) * r.IntN(30))
		most = int64(1<<31) >> r.IntN(31)
		gain := sample(r, n, most, most, -most)
		most = int64(1<<31) >> r.IntN(31)
		shift := sample(r, n, most, most, -most)
		want := make([]int32, n)
		normPortable(want, x, mean, inverse, gain, shift)
		got := inside(t, name, n, func(out []int32) { Norm(out, x, mean, inverse, gain, shift) })
		if !slices.Equal(got, want) {
			t.Fatalf("%s: mean %d, inverse %d: got %v, want %v", name, mean, inverse, got, want)
		}
	})
}

// What encoders have is not left to the portable forms.
func TestNotRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	x, few, out := sample(r, 32, 1<<27), sample(r, 32, 1<<20), make([]int32, 32)
	scales := numbersOf(32, func(int) uint32 { return r.Uint32N(1 << 24) })
	for shift := 25; shift <= 32; shift++ {
		if n := whole(32); !scale(out[:n], x[:n], math.MaxInt32, shift, scales[:n], few[:n]) {
			t.Errorf("Scale with a shift of %d is", shift)
		}
	}
	if n := whole(32); !norm(out[:n], few[:n], 0, 1<<30, few[:n], few[:n]) {
		t.Error("Norm is")
	}
}

func TestBetweenAllocatesNothing(t *testing.T) {
	x, y, small, scales := make([]int32, 35), make([]int32, 35), make([]int16, 35), make([]uint32, 35)
	if n := testing.AllocsPerRun(10, func() {
		Quantize(small, x, 1<<32, int(Greatest(x)))
		Scale(y, x, 1<<30, 20, scales, x)
		sum, _ := Join(y, x)
		Norm(y, x, int32(sum), 1<<30, x, x)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkBetween(b *testing.B) {
	const n = 384
	x, y, small, scales := make([]int32, n), make([]int32, n), make([]int16, n), make([]uint32, n)
	for name, f := range map[string]func(){
		"Greatest": func() { Greatest(x) },
		"Quantize": func() { Quantize(small, x, 1<<32, 0) },
		"Scale":    func() { Scale(y, x, 1<<30, 20, scales, x) },
		"Join":     func() { Join(y, x) },
		"Norm":     func() { Norm(y, x, 0, 1<<30, x, x) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
		})
	}
}
