// Package fixed is the arithmetic of scores: integers in nano-units, exact
// where a formula can be exact, rounded once where it cannot, and the same on
// every machine because no floating point takes part.
package fixed

import "math/bits"

// One is the score 1.0.
const One = 1_000_000_000

// A Score is an integer number of nano-units: Score(1_000_000_000) is 1.0.
// Scores order results, so every operation on them is integer arithmetic
// and gives the same bits on every machine.
type Score int64

// Cosine returns dot / √(a·b) in nano-units, rounded half up from the exact
// value: (isqrt(4·10¹⁸·dot² / (a·b)) + 1) >> 1. It is 0 where a or b is 0.
// It demands dot² ≤ a·b, which holds for the dot product of two vectors and
// their squared norms (Cauchy and Schwarz), and dot < 2⁵³.
//
// Half up is exact: with q the floor of 4·10¹⁸·dot²/(a·b), the rounded value n
// is the largest with 2n−1 ≤ √q, and flooring before the root changes no such
// comparison, since (2n−1)² is an integer. See TestCosineAgainstBig.
func Cosine(dot, a, b uint64) Score {
	if dot == 0 || a == 0 || b == 0 {
		return 0
	}
	return Score((Sqrt(ratio(dot, a, b)) + 1) >> 1)
}

// CosineAtLeast reports whether [Cosine] of the same numbers is at least s. It
// needs no division and no root: the score is at least s where
// 4·10¹⁸·dot² ≥ (2s−1)²·a·b.
func CosineAtLeast(dot, a, b uint64, s Score) bool {
	if s <= 0 {
		return true
	}
	if s == 1 && (a|b)>>30 == 0 {
		return dot > 0 // a·b < 2⁶⁰, so that even a dot of 1 gives half a nano-unit
	}
	dHi, d := bits.Mul64(a, b)
	nHi, n := bits.Mul64(dot, dot)
	if nHi|dHi != 0 || s > One {
		return Cosine(dot, a, b) >= s
	}
	edge := 2*uint64(s) - 1
	hi, lo := bits.Mul64(n, scale)
	wantHi, wantLo := bits.Mul64(edge*edge, d)
	return n > 0 && (hi > wantHi || hi == wantHi && lo >= wantLo)
}

// A Bar says quickly, of most cosines that are below a score, that they are. The
// zero Bar is ready; it remembers the last norm and score it was asked about.
type Bar struct {
	norm   uint64
	score  Score
	factor uint64 // the floor of 2²⁰·norm·(2·score−1)²/(4·10¹⁸); 0: says nothing
}

// Below reports that the cosine of dot and the norms a and b is certainly below
// s. False says nothing. It multiplies 64-bit numbers only: the score is at
// least s where 2²⁰·dot² ≥ 2²⁰·a·(2s−1)²/(4·10¹⁸)·b, and factor is at most the
// part of that before b.
func (r *Bar) Below(dot, a, b uint64, s Score) bool {
	if s != r.score || a != r.norm {
		*r = newBar(a, s)
	}
	return dot < 1<<22 && b < 1<<31 && dot*dot<<20 < r.factor*b
}

func newBar(norm uint64, s Score) Bar {
	r := Bar{norm: norm, score: s}
	if s > 0 && s <= One && norm < 1<<12 {
		edge := 2*uint64(s) - 1
		hi, lo := bits.Mul64(edge*edge, norm<<20)
		r.factor, _ = bits.Div64(hi, lo, scale) // below 2³²
	}
	return r
}

// scale is 4·10¹⁸, below 2⁶².
const scale uint64 = 4_000_000_000_000_000_000

// ratio returns the floor of scale·dot²/(a·b), at most scale.
func ratio(dot, a, b uint64) uint64 {
	nHi, nLo := bits.Mul64(dot, dot)
	dHi, dLo := bits.Mul64(a, b)
	if dHi == 0 {
		hi, lo := bits.Mul64(nLo, scale)
		q, _ := bits.Div64(hi, lo, dLo) // nLo ≤ dLo, so the quotient is at most scale
		return q
	}
	return wideRatio(nHi, nLo, dHi, dLo)
}

// wideRatio is long division where the product of the norms has more than 64
// bits: the bits of scale are multiplied in from the top, and the remainder
// stays below three times the divisor, hence below 2¹²⁸ for norms below 2⁵³.
func wideRatio(nHi, nLo, dHi, dLo uint64) uint64 {
	var q, rHi, rLo uint64
	for i := bits.Len64(scale) - 1; i >= 0; i-- {
		q <<= 1
		rHi, rLo = rHi<<1|rLo>>63, rLo<<1
		if scale>>i&1 == 1 {
			var carry uint64
			rLo, carry = bits.Add64(rLo, nLo, 0)
			rHi, _ = bits.Add64(rHi, nHi, carry)
		}
		for rHi > dHi || rHi == dHi && rLo >= dLo {
			var borrow uint64
			rLo, borrow = bits.Sub64(rLo, dLo, 0)
			rHi, _ = bits.Sub64(rHi, dHi, borrow)
			q++
		}
	}
	return q
}

// Sqrt returns the floor of the square root of n, by Newton's iteration from
// above, which falls until it stands.
func Sqrt(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	x := uint64(1) << ((bits.Len64(n) + 1) / 2) // above √n; 2³² for the largest n
	for {
		y := (x + n/x) >> 1
		if y >= x {
			return x
		}
		x = y
	}
}

// Ln returns the natural logarithm of num / den in nano-units, rounded to the
// nearest; num ≥ den > 0, both below 2⁴⁸. See TestLnAgainstBig.
//
// With x = 2ᵏ·m and 1 ≤ m < 2, ln x = k·ln 2 + 2·artanh((m−1)/(m+1)), whose
// series is summed with 62 fractional bits; its terms fall by a factor of nine.
func Ln(num, den uint64) Score {
	k := bits.Len64(num) - bits.Len64(den)
	if k > 0 && num>>k < den || k == 0 && num < den {
		k--
	}
	d := den << k // num / d is m
	hi, lo := bits.Mul64(num-d, 1<<62)
	z, _ := bits.Div64(hi, lo, num+d)
	square, _ := bits.Mul64(z, z)
	square <<= 2 // z² with 62 bits
	total := uint64(0)
	for power, n := z, uint64(1); power > 0; n += 2 {
		total += power / n
		power, _ = bits.Mul64(power, square)
		power <<= 2
	}
	const ln2 = 0x2c5c85fdf473de6a // with 62 bits
	hi, lo = bits.Mul64(uint64(k), ln2)
	lo, carry := bits.Add64(lo, total<<1, 0)
	hi += carry
	// (hi, lo) has 62 fractional bits; below 2⁴⁸ the logarithm is below 34.
	whole := hi<<2 | lo>>62
	upper, lower := bits.Mul64(lo&(1<<62-1), One)
	nano := upper<<2 | lower>>62
	return Score(whole*One + nano + lower>>61&1)
}
