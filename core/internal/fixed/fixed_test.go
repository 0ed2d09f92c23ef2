package fixed

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestSqrt(t *testing.T) {
	check := func(n uint64) {
		want := new(big.Int).Sqrt(new(big.Int).SetUint64(n)).Uint64()
		if got := Sqrt(n); got != want {
			t.Fatalf("Sqrt(%d) = %d, want %d", n, got, want)
		}
	}
	for n := range uint64(5000) {
		check(n)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		root := r.Uint64() >> (32 + r.IntN(32))
		for _, n := range []uint64{root * root, root*root - 1, root*root + 1, r.Uint64() >> r.IntN(64)} {
			check(n)
		}
	}
	check(math.MaxUint64)
}

var cosineTests = []struct {
	name      string
	dot, a, b uint64
	want      Score
}{
	{"same direction is one", 6, 6, 6, One},
	{"nothing shared is zero", 0, 3, 4, 0},
	{"an empty side is zero", 0, 0, 9, 0},
	{"one of two terms in eight", 1, 2, 4, 353553391},
	{"rounds half up, not down", 1, 3, 3, 333333333},
	{"two thirds rounds up", 2, 3, 3, 666666667},
	{"far below half a nano-unit", 1, 1 << 45, 1 << 45, 0},
}

func TestCosine(t *testing.T) {
	for _, tt := range cosineTests {
		if got := Cosine(tt.dot, tt.a, tt.b); got != tt.want {
			t.Errorf("%s: Cosine(%d, %d, %d) = %d, want %d", tt.name, tt.dot, tt.a, tt.b, got, tt.want)
		}
	}
}

// The nearest integer to 10⁹·dot/√(a·b), by exact comparison of squares.
func TestCosineAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 50000 {
		a, b := 1+r.Uint64()>>(11+r.IntN(52)), 1+r.Uint64()>>(11+r.IntN(52))
		limit := new(big.Int).Sqrt(new(big.Int).Mul(num(a), num(b))).Uint64()
		if limit >= 1<<53 {
			limit = 1<<53 - 1
		}
		dot := r.Uint64N(limit + 1)
		got := Cosine(dot, a, b)
		if !nearest(int64(got), dot, a, b) {
			t.Fatalf("case %d: Cosine(%d, %d, %d) = %d is not the nearest", i, dot, a, b, got)
		}
	}
}

// nearest reports whether 2n−1 ≤ 2·10⁹·dot/√(a·b) < 2n+1.
func nearest(n int64, dot, a, b uint64) bool {
	left := new(big.Int).Mul(num(scale), new(big.Int).Mul(num(dot), num(dot)))
	ab := new(big.Int).Mul(num(a), num(b))
	low := new(big.Int).Mul(big.NewInt(2*n-1), big.NewInt(2*n-1))
	high := new(big.Int).Mul(big.NewInt(2*n+1), big.NewInt(2*n+1))
	return (n == 0 || left.Cmp(low.Mul(low, ab)) >= 0) && left.Cmp(high.Mul(high, ab)) < 0
}

func TestCosineAtLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 50000 {
		a, b := r.Uint64()>>(11+r.IntN(52)), r.Uint64()>>(11+r.IntN(52))
		limit := min(new(big.Int).Sqrt(new(big.Int).Mul(num(a), num(b))).Uint64(), 1<<53-1)
		dot := r.Uint64N(limit + 1)
		score := Cosine(dot, a, b)
		for _, s := range []Score{score - 1, score, score + 1, 0, 1, One, One + 1} {
			if got := CosineAtLeast(dot, a, b, s); got != (score >= s) {
				t.Fatalf("CosineAtLeast(%d, %d, %d, %d) = %v, the score is %d", dot, a, b, s, got, score)
			}
		}
	}
}

func TestBarIsNeverWrong(t *testing.T) {
	var bar Bar
	told := 0
	r := rand.New(rand.NewPCG(11, 12))
	for range 100000 {
		a, b := r.Uint64()>>(40+r.IntN(24)), r.Uint64()>>(20+r.IntN(44))
		dot := r.Uint64N(min(new(big.Int).Sqrt(new(big.Int).Mul(num(a), num(b))).Uint64(), 1<<53-1) + 1)
		score := Cosine(dot, a, b)
		for _, s := range []Score{score, score - 1, score + 1, Score(r.Int64N(One + 10))} {
			below := bar.Below(dot, a, b, s)
			if below && score >= s {
				t.Fatalf("Below(%d, %d, %d, %d) of a score of %d", dot, a, b, s, score)
			}
			if below {
				told++
			}
		}
	}
	if told < 10000 {
		t.Errorf("the bar told %d times", told)
	}
}

func num(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

func TestDivisionPathsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20000 {
		d := 1 + r.Uint64()>>(2+r.IntN(60))
		n := r.Uint64N(d + 1)
		want := new(big.Int).Mul(num(n), num(scale))
		want.Div(want, num(d))
		if got := wideRatio(0, n, 0, d); got != want.Uint64() {
			t.Fatalf("wideRatio(%d, %d) = %d, want %s", n, d, got, want)
		}
	}
}

func BenchmarkCosine(b *testing.B) {
	var s Score
	for i := range b.N {
		s += Cosine(uint64(i&1023), 1<<12, 1<<14)
	}
	_ = s
}

func TestLn(t *testing.T) {
	for _, tt := range []struct {
		num, den uint64
		want     Score
	}{
		{1, 1, 0},
		{7, 7, 0},
		{2, 1, 693147181},
		{10, 1, 2302585093},
		{3, 2, 405465108},
		{1<<48 - 1, 1, 33271064667},
	} {
		if got := Ln(tt.num, tt.den); got != tt.want {
			t.Errorf("Ln(%d, %d) = %d, want %d", tt.num, tt.den, got, tt.want)
		}
	}
}

// A float's logarithm is good to a millionth of a nano-unit: it says the nearest
// integer wherever the value is not that close to a half.
func TestLnAgainstFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200000 {
		den := 1 + r.Uint64()>>(16+r.IntN(47))
		num := den + r.Uint64()>>(17+r.IntN(46))
		want := (math.Log1p(float64(num-den) / float64(den))) * 1e9
		if _, fraction := math.Modf(want); math.Abs(fraction-0.5) < 1e-3 {
			continue
		}
		if got := Ln(num, den); got != Score(math.Round(want)) {
			t.Fatalf("Ln(%d, %d) = %d, want %f", num, den, got, want)
		}
	}
}
