package kernel

// What stands between products. Each function gives the same integers in every form:
// nothing is rounded but as it says.

// Bound bounds numbers between products: 2²⁵ in size.
const Bound = 1 << 25

func clamp(x int64) int32 { return int32(min(max(x, -Bound), Bound)) }

// Greatest returns the size of the number that is greatest in size. It demands that none
// is −2³¹.
func Greatest(x []int32) int32 {
	n := whole(len(x))
	return max(greatest(x[:n]), greatestPortable(x[n:]))
}

// Quantize sets out to x·factor/2^(32+shift), to the nearest, halves up. It demands that
// |x·factor| ≤ 2⁶², that shift < 32 and that results fit into 16 bits.
func Quantize(out []int16, x []int32, factor int64, shift int) {
	n, out := whole(len(x)), out[:len(x)]
	quantize(out[:n], x[:n], factor, shift)
	quantizePortable(out[n:], x[n:], factor, shift)
}

// Scale sets out to sums·mantissa/2³¹, rounded down, ·scales/2^shift, to the nearest,
// halves up, + bias, and bounds it. It demands that mantissa < 2³¹ and shift < 64, and
// that out and sums lie apart.
func Scale(out, sums []int32, mantissa int32, shift int, scales []uint32, bias []int32) {
	out, scales, bias = out[:len(sums)], scales[:len(sums)], bias[:len(sums)]
	n := whole(len(sums))
	if !scale(out[:n], sums[:n], mantissa, shift, scales[:n], bias[:n]) {
		n = 0
	}
	scalePortable(out[n:], sums[n:], mantissa, shift, scales[n:], bias[n:])
}

// Join adds x to y, bounds it, and returns its sum and that of its squares, both
// modulo 2⁶⁴. It demands that all are bounded.
func Join(y, x []int32) (sum int64, squares uint64) {
	n, x := whole(len(y)), x[:len(y)]
	sum, squares = join(y[:n], x[:n])
	restSum, restSquares := joinPortable(y[n:], x[n:])
	return sum + restSum, squares + restSquares
}

// Norm sets out to (x − mean)·inverse/2²⁶, rounded down, ·gain/2²⁰, to the nearest,
// halves up, + shift, and bounds it. It demands that |x − mean| < 2³¹, that this times
// inverse is below 2⁶² in size, and that the first quotient fits into 32 bits; and that
// out and x lie apart.
func Norm(out, x []int32, mean int32, inverse int64, gain, shift []int32) {
	out, gain, shift = out[:len(x)], gain[:len(x)], shift[:len(x)]
	n := whole(len(x))
	if !norm(out[:n], x[:n], mean, inverse, gain[:n], shift[:n]) {
		n = 0
	}
	normPortable(out[n:], x[n:], mean, inverse, gain[n:], shift[n:])
}

// Logits sets out to products·m/2^shift·part/2³⁰, rounded down, where m is mantissa·key/2³¹,
// rounded down, and returns the greatest. It demands that mantissa and keys are from 0 on
// and below 2³¹, and that parts are powers of 2 up to 2³⁰. Where there
// are no vectors, too few numbers, or shift is below 32 or above 63, it does nothing and
// says so: what does the same without vectors needs other factors, and is package embed's
// (TestLogits).
func Logits(out, products []int32, mantissa int32, shift int, keys, parts []int32) (greatest int32, ok bool) {
	if n := len(products); shift >= 32 && shift < 64 {
		return logits(out[:n], products, mantissa, shift, keys[:n], parts[:n])
	}
	return 0, false
}

// The portable forms.

func greatestPortable(x []int32) int32 {
	g := int32(0)
	for _, n := range x {
		g = max(g, n, -n)
	}
	return g
}

func quantizePortable(out []int16, x []int32, factor int64, shift int) {
	out = out[:len(x)]
	half, s := int64(1)<<(31+shift), uint(32+shift)&63
	for i, n := range x {
		out[i] = int16((int64(n)*factor + half) >> s)
	}
}

// |sum| ≤ 2³¹, and the steps stay within 2⁶², 2³¹ and 2⁶³.
func scalePortable(out, sums []int32, mantissa int32, shift int, scales []uint32, bias []int32) {
	out, scales, bias = out[:len(sums)], scales[:len(sums)], bias[:len(sums)]
	m, s := int64(mantissa), uint(shift)&63
	half := int64(1) << s >> 1
	for i, sum := range sums {
		out[i] = clamp((int64(sum)*m>>31*int64(scales[i])+half)>>s + int64(bias[i]))
	}
}

func joinPortable(y, x []int32) (sum int64, squares uint64) {
	x = x[:len(y)]
	for i, n := range y {
		v := clamp(int64(n) + int64(x[i]))
		y[i] = v
		sum += int64(v)
		squares += uint64(int64(v) * int64(v))
	}
	return sum, squares
}

func normPortable(out, x []int32, mean int32, inverse int64, gain, shift []int32) {
	out, gain, shift = out[:len(x)], gain[:len(x)], shift[:len(x)]
	for i, n := range x {
		r := (int64(n) - int64(mean)) * inverse >> 26
		out[i] = clamp((r*int64(gain[i])+1<<19)>>20 + int64(shift[i]))
	}
}
