//go:build goexperiment.simd

package kernel

import (
	"simd/archsimd"
	"unsafe"
)

type (
	numbers struct{ lo, hi archsimd.Int16x8 }
	sums    = archsimd.Int32x4
)

func multiply(out []int32, a []int16, w []int8, n, rows, k int) { vector(out, a, w, n, rows, k) }

func multiplyWide(out []int32, a, b []int16, n, rows, k int) { vector(out, a, b, n, rows, k) }

func load[W int8 | int16](p unsafe.Pointer) numbers {
	if unsafe.Sizeof(W(0)) == 1 {
		v := archsimd.LoadInt8x16Array((*[16]int8)(p))
		return numbers{v.ExtendLo8ToInt16(), v.ExtendHi8ToInt16()}
	}
	return numbers{load8(p), load8(unsafe.Add(p, 16))}
}

func load8(p unsafe.Pointer) archsimd.Int16x8 { return archsimd.LoadInt16x8Array((*[8]int16)(p)) }

// add adds the products of x and y to s, four to each lane.
func add(s sums, x, y numbers) sums { return add8(add8(s, x.lo, y.lo), x.hi, y.hi) }

// add8 widens before it multiplies, and leaves it to the compiler to widen once
// what is multiplied twice. MulWidenLo and MulWidenHi say the same, but engines
// widen both factors anew for each: 6.2 instead of 6.7 GMAC/s under wazero.
func add8(s sums, x, y archsimd.Int16x8) sums {
	s = s.Add(x.ExtendLo4ToInt32().Mul(y.ExtendLo4ToInt32()))
	return s.Add(x.ExtendHi4ToInt32().Mul(y.ExtendHi4ToInt32()))
}

// total adds the lanes modulo 2³², two of them at once: what the lower two carry
// into the upper half is cut off.
func total(s sums) int32 {
	v := s.ToBits().ReshapeToUint64s()
	x, y := v.GetElem(0), v.GetElem(1)
	return int32(x + y + x>>32 + y>>32)
}
