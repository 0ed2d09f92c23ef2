// Package kernel multiplies matrices of integers, which is nearly all the work of a
// transformer: [Multiply] activations by weights, [MultiplyWide] what attention
// compares and mixes. What stands between products is here, too, where vectors make it
// faster: [Greatest] and [Quantize] make the activations, [Scale] and [Logits] read sums, [Join]
// and [Norm] norm the stream. between_test.go holds them to sums of 64 bits.
//
// # The same integers everywhere
//
// There is one result, the exact sum, and nothing is rounded. It needs no more than
// 32 bits:
//
//   - Multiply: w is any int8 and |a|·128·k < 2³¹: 8,191·128·2,048 = 2³¹ − 2¹⁸, so
//     |a| may be 8,191 up to k = 2,048, and 5,461 for 3,072.
//   - MultiplyWide, scores: |a|, |b| ≤ 8,191 for k ≤ 32, and 5,792 for 64, so that none
//     exceeds 8,191²·32 = 2,146,959,392, which is 2³¹ − 524,256, or 5,792²·64.
//   - MultiplyWide, values: a ≥ 0, Σ_j a ≤ 16,384 + 512 and |b| ≤ 8,191, so that none
//     exceeds 16,896·8,191 = 138,395,136, whatever k is.
//
// Addition modulo 2³² gives a sum that fits into 32 bits in any order, so that each
// form may choose its own. The bounds are the caller's to keep: beyond them the
// forms differ, as the portable one has two sums in one word. TestMultiplyExtremes,
// TestMultiplyWideScores and TestMultiplyWideValues compare what a processor has
// with sums of 64 bits, at the bounds.
//
// # Three forms
//
// A module of WebAssembly and a program for amd64 that are built with
// GOEXPERIMENT=simd use vectors, the latter if it finds AVX2 when it runs; all
// others use the portable form. The vector forms are one text, but for the types, a few
// functions and two constants.
//
// Three tokens meet two rows at once: six sums, and a weight is widened once for
// three tokens. AVX2 has 16 registers and the compiler makes all six products
// before it adds the first, so that eight sums (four tokens by two rows) go through
// memory. There it is instructions that count, so that a turn of the loop takes two
// vectors of each and the sums' methods stand in place: a call that is inlined leaves
// an instruction that does nothing. On WebAssembly it takes 16, too, and needs them for factors widened to 32
// bits: archsimd does not offer i32x4.dot_i16x8_s, which wasm/artifact/dots puts in
// place of such products when the module is linked. So a vector of eight numbers meets
// all that it is multiplied with before the next is loaded. The tokens that are left
// meet four rows each, as the few of a query would otherwise be counted up to three.
// Weights that are laid out in panels when a model is opened gain less than a tenth,
// and were not worth a second layout.
//
// In units of 10⁹ products a second, by the time of one core of an EPYC of the third
// generation, the best of several runs on a machine that others used:
//
//	rows × k      n   portable  AVX2  wazero 1.12  wasmtime 39  V8 11.3
//	 384 × 384     1     1.6     35       8.0         15.5       14.3
//	 384 × 384    10     2.5     42      10.0         20.8       20.0
//	 384 × 384    32     2.8     42      10.3         20.7       20.6
//	 384 × 384   128     2.8     41      10.1         21.2       20.8
//	 384 × 384   256     2.7     39      10.0         20.6       20.4
//	1536 × 384     1     1.5     34       7.8         15.4       14.1
//	1536 × 384    10     2.4     41       9.8         20.6       20.0
//	1536 × 384    32     2.8     41      10.1         19.4       20.1
//	1536 × 384   128     2.8     38       9.9         19.5       19.7
//	1536 × 384   256     2.7     38       9.6         19.7       19.8
//	 384 × 1536    1     1.5     35       8.7         16.1       15.0
//	 384 × 1536   10     2.4     47      10.8         22.2       21.9
//	 384 × 1536   32     2.8     48      11.1         22.2       22.2
//	 384 × 1536  128     2.8     46      11.1         22.5       22.4
//	 384 × 1536  256     2.8     46      10.9         22.2       22.4
//	wide, 128 × 32, 128  2.5     15       5.1         11.1        9.6
//	wide, 32 × 128, 128  2.7     33       8.0         17.6       15.5
//	wide, 256 × 32, 256  2.5     15       5.0         11.1        9.1
//	wide, 32 × 256, 256  2.8     39       8.5         19.4       17.6
package kernel

// Lanes is what k must be a multiple of.
const Lanes = 32

// Multiply sets out[t·rows+r] to Σ_j a[t·k+j]·w[r·k+j] for t < n and r < rows.
// It demands that |a|·128·k is below 2³¹ and that k is a multiple of [Lanes].
func Multiply(out []int32, a []int16, w []int8, n, rows, k int) {
	check(len(out), len(a), len(w), n, rows, k)
	if n > 0 && rows > 0 {
		multiply(out, a, w, n, rows, k)
	}
}

// MultiplyWide sets out[t·rows+r] to Σ_j a[t·k+j]·b[r·k+j] for t < n and r < rows.
// It demands that k is a multiple of [Lanes], and that Σ_j |a·b| < 2³¹ for every t
// and r.
func MultiplyWide(out []int32, a, b []int16, n, rows, k int) {
	check(len(out), len(a), len(b), n, rows, k)
	if n > 0 && rows > 0 {
		multiplyWide(out, a, b, n, rows, k)
	}
}

// check guards memory: the vector forms read and write without looking.
func check(out, a, w, n, rows, k int) {
	if k <= 0 || k%Lanes != 0 {
		panic("kernel: BUG: k is not a multiple of 32")
	}
	if n < 0 || rows < 0 || out < n*rows || a < n*k || w < rows*k {
		panic("kernel: BUG: a slice is too short")
	}
}
