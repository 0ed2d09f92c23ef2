//go:build goexperiment.simd && (amd64 || wasm)

package kernel

import "unsafe"

// The vector forms of what stands between products. Numbers of 32 bits are in lanes;
// their products, of 64, are in two vectors as mulWide leaves them, and highs takes the
// upper halves of those in the order of the lanes. So where a quotient of products by
// 2^s, rounded down, fits into 32 bits, it is the highs of them shifted to the left by
// 32 − s. All slices have the length of the first, which is whole.

// start is where the numbers of a slice begin. Beyond it, nobody looks at lengths.
func start[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

func greatest(x []int32) int32 {
	from, g := start(x), all(0)
	for i := 0; i < len(x); i += width {
		g = g.Max(loadLanes(unsafe.Add(from, 4*i)).Abs())
	}
	n := mostOf(g)
	clearUpper()
	return n
}

// quantize splits the factor into hi·2³² + lo with |lo| ≤ 2³¹: x·lo + half is below 2⁶³ in
// size, and to its quotient by 2³² comes x·hi. What they add up to is at most 2³⁰ + 2³⁰ and
// fits into 32 bits, so that it may be formed modulo 2³².
func quantize(out []int16, x []int32, factor int64, shift int) {
	to, from := start(out), start(x)
	lo, hi := all(int32(factor)), all(int32((factor+1<<31)>>32))
	half, by := allWide(1<<(31+shift)), countOf(shift)
	for i := 0; i < len(x); i += width {
		v := loadLanes(unsafe.Add(from, 4*i))
		a, b := mulWide(v, lo)
		storeNarrow(unsafe.Add(to, 2*i), right(highs(a.Add(half), b.Add(half)).Add(v.Mul(hi)), by))
	}
	clearUpper()
}

// scale and norm end alike: a product v and half, over 2^s, and a number of 32 bits that is
// added. They report whether for all of them −2³⁰ ≤ v/2^s < 2³⁰, so that v + 2^(30+s) has no
// bit from 31+s on, and the number added is bounded likewise: then the sum fits into 32
// bits. Otherwise, which no encoder's numbers give, the caller takes the portable form.

// scale: |sum·mantissa| < 2⁶², so that it may be doubled, and its quotient by 2³¹, below
// 2³¹ in size, is the highs. With a scale below 2³¹ and s ≤ 32, |v| + 2^(30+s) < 2⁶³.
func scale(out, sums []int32, mantissa int32, shift int, scales []uint32, bias []int32) bool {
	if shift > 32 {
		return false
	}
	to, from, fromScales, fromBias := start(out), start(sums), start(scales), start(bias)
	m, half, up := all(mantissa), allWide(1<<shift>>1), countOfWide(32-shift)
	reach, reached, added, factors := allWide(1<<(30+shift)), allWide(0), all(0), all(0)
	for i := 0; i < len(sums); i += width {
		a, b := mulWide(loadLanes(unsafe.Add(from, 4*i)), m)
		by, bias := loadLanes(unsafe.Add(fromScales, 4*i)), loadLanes(unsafe.Add(fromBias, 4*i))
		a, b = mulWide(highs(a.ShiftAllLeft(1), b.ShiftAllLeft(1)), by)
		a, b = a.Add(half), b.Add(half)
		reached = reached.Or(a.Add(reach)).Or(b.Add(reach))
		added, factors = added.Or(bias.Add(all(1<<30))), factors.Or(by)
		store(unsafe.Add(to, 4*i), highs(leftWide(a, up), leftWide(b, up)).Add(bias).Max(all(-Bound)).Min(all(Bound)))
	}
	fits := orOfWide(reached)>>(31+shift) == 0 && orOf(added.Or(factors)) >= 0
	clearUpper()
	return fits
}

// norm: the first quotient, which fits into 32 bits, is formed modulo 2³², as in quantize. It is
// below 2³¹ in size, so that |v| + 2⁵⁰ < 2⁶³.
func norm(out, x []int32, mean int32, inverse int64, gain, shift []int32) bool {
	const s = 20
	to, from, fromGain, fromShift := start(out), start(x), start(gain), start(shift)
	lo, hi, middle := all(int32(inverse)), all(int32((inverse+1<<31)>>32<<6)), all(mean)
	half, reach, reached, added := allWide(1<<s>>1), allWide(1<<(30+s)), allWide(0), all(0)
	for i := 0; i < len(x); i += width {
		d := loadLanes(unsafe.Add(from, 4*i)).Sub(middle)
		by, shift := loadLanes(unsafe.Add(fromGain, 4*i)), loadLanes(unsafe.Add(fromShift, 4*i))
		a, b := mulWide(d, lo)
		a, b = mulWide(highs(a.ShiftAllLeft(6), b.ShiftAllLeft(6)).Add(d.Mul(hi)), by)
		a, b = a.Add(half), b.Add(half)
		reached = reached.Or(a.Add(reach)).Or(b.Add(reach))
		added = added.Or(shift.Add(all(1 << 30)))
		store(unsafe.Add(to, 4*i), highs(a.ShiftAllLeft(32-s), b.ShiftAllLeft(32-s)).Add(shift).Max(all(-Bound)).Min(all(Bound)))
	}
	fits := orOfWide(reached)>>(31+s) == 0 && orOf(added) >= 0
	clearUpper()
	return fits
}

func join(y, x []int32) (sum int64, squares uint64) {
	to, from, sums, both := start(y), start(x), allWide(0), allWide(0)
	for i := 0; i < len(y); i += width {
		v := loadLanes(unsafe.Add(to, 4*i)).Add(loadLanes(unsafe.Add(from, 4*i))).Max(all(-Bound)).Min(all(Bound))
		store(unsafe.Add(to, 4*i), v)
		a, b := mulWide(v, all(1))
		sums = sums.Add(a).Add(b)
		a, b = mulWide(v, v)
		both = both.Add(a).Add(b)
	}
	sum, squares = sumOf(sums), uint64(sumOf(both))
	clearUpper()
	return sum, squares
}

// logits: |product·mantissa| < 2⁶², so that its quotient by 2³² is below 2³⁰ in size, and times
// a part below 2⁶⁰. The last vector may hold numbers of the one before: they come out the
// same.
func logits(out, products []int32, mantissa int32, shift int, keys, parts []int32) (greatest int32, ok bool) {
	last := len(products) - width
	if last < 0 || whole(width) == 0 {
		return 0, false
	}
	to, from, fromKeys, fromParts := start(out), start(products), start(keys), start(parts)
	m, down, g := all(mantissa), countOf(shift-32), all(-1<<30)
	for i := 0; ; i = min(i+width, last) {
		a, b := mulWide(loadLanes(unsafe.Add(fromKeys, 4*i)), m)
		a, b = mulWide(loadLanes(unsafe.Add(from, 4*i)), highs(a.ShiftAllLeft(1), b.ShiftAllLeft(1)))
		a, b = mulWide(right(highs(a, b), down), loadLanes(unsafe.Add(fromParts, 4*i)))
		v := highs(a.ShiftAllLeft(2), b.ShiftAllLeft(2))
		g = g.Max(v)
		store(unsafe.Add(to, 4*i), v)
		if i == last {
			break
		}
	}
	greatest = mostOf(g)
	clearUpper()
	return greatest, true
}
