//go:build goexperiment.simd

package kernel

import (
	"simd/archsimd"
	"unsafe"
)

type (
	numbers = archsimd.Int16x16
	sums    = archsimd.Int32x8
)

// step is how many numbers are in two vectors.
const step = 32

func multiply(out []int32, a []int16, w []int8, n, rows, k int) { choose(out, a, w, n, rows, k) }

func multiplyWide(out []int32, a, b []int16, n, rows, k int) { choose(out, a, b, n, rows, k) }

// choose takes the vector form where the processor has it. Upper halves that are
// left dirty would slow down the code that comes after on some processors.
func choose[W int8 | int16](out []int32, a []int16, w []W, n, rows, k int) {
	if !archsimd.X86.AVX2() {
		portable(out, a, w, n, rows, k)
		return
	}
	vector(out, a, w, n, rows, k)
	archsimd.ClearAVXUpperBits()
}

func load[W int8 | int16](p unsafe.Pointer, part int) numbers {
	if unsafe.Sizeof(W(0)) == 1 {
		return archsimd.LoadInt8x16Array((*[16]int8)(unsafe.Add(p, 16*part))).ExtendToInt16()
	}
	return archsimd.LoadInt16x16Array((*[16]int16)(unsafe.Add(p, 32*part)))
}

func total(s sums) int32 {
	v := s.GetLo().Add(s.GetHi())
	v = v.ConcatAddPairs(v)
	return v.GetElem(0) + v.GetElem(1)
}

// totals stores the totals of two sums.
func totals(out unsafe.Pointer, s0, s1 sums) {
	v := s0.ConcatAddPairsGrouped(s1)
	v = v.ConcatAddPairsGrouped(v)
	*(*uint64)(out) = v.GetLo().Add(v.GetHi()).ToBits().ReshapeToUint64s().GetElem(0)
}
