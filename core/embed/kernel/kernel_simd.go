//go:build goexperiment.simd && (amd64 || wasm)

package kernel

import "unsafe"

// panel is how many rows meet all tokens before the next rows do: few enough for
// their weights to stay in the first cache.
const panel = 16

// vector computes both products. What differs between processors is the types
// numbers, which holds [Lanes] numbers or a part of them, and sums, which holds parts
// of a sum; and the functions load, add and total. The compiler puts all of them in
// place.
func vector[W int8 | int16](out []int32, a []int16, w []W, n, rows, k int) {
	for r := 0; r < rows; r += panel {
		p, m := unsafe.Pointer(&w[r*k]), min(panel, rows-r)
		t := 0
		for ; t+3 <= n && m > 1; t += 3 {
			threeByTwo[W](unsafe.Pointer(&out[t*rows+r]), unsafe.Pointer(&a[t*k]), p, m, rows, k)
		}
		for ; t < n; t++ {
			oneByFour[W](unsafe.Pointer(&out[t*rows+r]), unsafe.Pointer(&a[t*k]), p, m, k)
		}
	}
}

// threeByTwo multiplies three tokens by rows, two rows at once. stride is how far
// apart two tokens are in out.
//
// On WebAssembly, one part meets all before the next is loaded, here and in oneByFour,
// and loads stand in a function more than products: the compiler orders by that, too,
// and products must come before the next loads, lest its 16 registers are too few.
// wasm/artifact/dots does not know again what was put into memory.
func threeByTwo[W int8 | int16](out, a, w unsafe.Pointer, rows, stride, k int) {
	size := int(unsafe.Sizeof(W(0)))
	for r := 0; r < rows; r += 2 {
		r = min(r, rows-2) // the row before again where one is left
		pair := unsafe.Add(w, r*k*size)
		var s00, s01, s10, s11, s20, s21 sums
		for j := 0; j < k; j += step {
			p, q := unsafe.Add(a, 2*j), unsafe.Add(pair, j*size)
			y0, y1 := load[W](q, 0), load[W](unsafe.Add(q, k*size), 0)
			x := load[int16](p, 0)
			s00 = s00.Add(x.DotProductPairs(y0))
			s01 = s01.Add(x.DotProductPairs(y1))
			x = load[int16](unsafe.Add(p, 2*k), 0)
			s10 = s10.Add(x.DotProductPairs(y0))
			s11 = s11.Add(x.DotProductPairs(y1))
			x = load[int16](unsafe.Add(p, 4*k), 0)
			s20 = s20.Add(x.DotProductPairs(y0))
			s21 = s21.Add(x.DotProductPairs(y1))

			y0, y1 = load[W](q, 1), load[W](unsafe.Add(q, k*size), 1)
			x = load[int16](p, 1)
			s00 = s00.Add(x.DotProductPairs(y0))
			s01 = s01.Add(x.DotProductPairs(y1))
			x = load[int16](unsafe.Add(p, 2*k), 1)
			s10 = s10.Add(x.DotProductPairs(y0))
			s11 = s11.Add(x.DotProductPairs(y1))
			x = load[int16](unsafe.Add(p, 4*k), 1)
			s20 = s20.Add(x.DotProductPairs(y0))
			s21 = s21.Add(x.DotProductPairs(y1))
		}
		o := unsafe.Add(out, 4*r)
		totals(o, s00, s01)
		totals(unsafe.Add(o, 4*stride), s10, s11)
		totals(unsafe.Add(o, 8*stride), s20, s21)
	}
}

// oneByFour multiplies a token by rows, four rows at once.
func oneByFour[W int8 | int16](out, a, w unsafe.Pointer, rows, k int) {
	size := int(unsafe.Sizeof(W(0)))
	for r := 0; r < rows; r += 4 {
		r1, r2, r3 := min(r+1, rows-1), min(r+2, rows-1), min(r+3, rows-1)
		w0, w1 := unsafe.Add(w, r*k*size), unsafe.Add(w, r1*k*size)
		w2, w3 := unsafe.Add(w, r2*k*size), unsafe.Add(w, r3*k*size)
		var s0, s1, s2, s3 sums
		for j := 0; j < k; j += step {
			x := load[int16](unsafe.Add(a, 2*j), 0)
			s0 = s0.Add(x.DotProductPairs(load[W](unsafe.Add(w0, j*size), 0)))
			s1 = s1.Add(x.DotProductPairs(load[W](unsafe.Add(w1, j*size), 0)))
			s2 = s2.Add(x.DotProductPairs(load[W](unsafe.Add(w2, j*size), 0)))
			s3 = s3.Add(x.DotProductPairs(load[W](unsafe.Add(w3, j*size), 0)))
			x = load[int16](unsafe.Add(a, 2*j), 1)
			s0 = s0.Add(x.DotProductPairs(load[W](unsafe.Add(w0, j*size), 1)))
			s1 = s1.Add(x.DotProductPairs(load[W](unsafe.Add(w1, j*size), 1)))
			s2 = s2.Add(x.DotProductPairs(load[W](unsafe.Add(w2, j*size), 1)))
			s3 = s3.Add(x.DotProductPairs(load[W](unsafe.Add(w3, j*size), 1)))
		}
		*(*int32)(unsafe.Add(out, 4*r)), *(*int32)(unsafe.Add(out, 4*r1)) = total(s0), total(s1)
		*(*int32)(unsafe.Add(out, 4*r2)), *(*int32)(unsafe.Add(out, 4*r3)) = total(s2), total(s3)
	}
}
