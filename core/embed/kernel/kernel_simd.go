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
		for ; t+3 <= n; t += 3 {
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
	a1, a2 := unsafe.Add(a, 2*k), unsafe.Add(a, 4*k)
	for r := 0; r < rows; r += 2 {
		next := min(r+1, rows-1) // the last row again where there is no other
		w0, w1 := unsafe.Add(w, r*k*size), unsafe.Add(w, next*k*size)
		var s00, s01, s10, s11, s20, s21 sums
		for j := 0; j < k; j += Lanes {
			y0, y1 := load[W](unsafe.Add(w0, j*size), 0), load[W](unsafe.Add(w1, j*size), 0)
			x := load[int16](unsafe.Add(a, 2*j), 0)
			s00 = add(s00, x, y0)
			s01 = add(s01, x, y1)
			x = load[int16](unsafe.Add(a1, 2*j), 0)
			s10 = add(s10, x, y0)
			s11 = add(s11, x, y1)
			x = load[int16](unsafe.Add(a2, 2*j), 0)
			s20 = add(s20, x, y0)
			s21 = add(s21, x, y1)
			if parts > 1 {
				y0, y1 = load[W](unsafe.Add(w0, j*size), 1), load[W](unsafe.Add(w1, j*size), 1)
				x = load[int16](unsafe.Add(a, 2*j), 1)
				s00 = add(s00, x, y0)
				s01 = add(s01, x, y1)
				x = load[int16](unsafe.Add(a1, 2*j), 1)
				s10 = add(s10, x, y0)
				s11 = add(s11, x, y1)
				x = load[int16](unsafe.Add(a2, 2*j), 1)
				s20 = add(s20, x, y0)
				s21 = add(s21, x, y1)
			}
		}
		o0, o1 := unsafe.Add(out, 4*r), unsafe.Add(out, 4*next)
		*(*int32)(o0), *(*int32)(o1) = total(s00), total(s01)
		*(*int32)(unsafe.Add(o0, 4*stride)), *(*int32)(unsafe.Add(o1, 4*stride)) = total(s10), total(s11)
		*(*int32)(unsafe.Add(o0, 8*stride)), *(*int32)(unsafe.Add(o1, 8*stride)) = total(s20), total(s21)
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
		for j := 0; j < k; j += Lanes {
			x := load[int16](unsafe.Add(a, 2*j), 0)
			s0 = add(s0, x, load[W](unsafe.Add(w0, j*size), 0))
			s1 = add(s1, x, load[W](unsafe.Add(w1, j*size), 0))
			s2 = add(s2, x, load[W](unsafe.Add(w2, j*size), 0))
			s3 = add(s3, x, load[W](unsafe.Add(w3, j*size), 0))
			if parts > 1 {
				x = load[int16](unsafe.Add(a, 2*j), 1)
				s0 = add(s0, x, load[W](unsafe.Add(w0, j*size), 1))
				s1 = add(s1, x, load[W](unsafe.Add(w1, j*size), 1))
				s2 = add(s2, x, load[W](unsafe.Add(w2, j*size), 1))
				s3 = add(s3, x, load[W](unsafe.Add(w3, j*size), 1))
			}
		}
		*(*int32)(unsafe.Add(out, 4*r)), *(*int32)(unsafe.Add(out, 4*r1)) = total(s0), total(s1)
		*(*int32)(unsafe.Add(out, 4*r2)), *(*int32)(unsafe.Add(out, 4*r3)) = total(s2), total(s3)
	}
}
