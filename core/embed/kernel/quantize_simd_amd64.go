//go:build goexperiment.simd

package kernel

import (
	"simd/archsimd"
	"unsafe"
)

// greatestOf is [Greatest] of the first n numbers.
func greatestOf(x []int32) (greatest int32, n int) {
	n = len(x) &^ 7
	if n == 0 || !archsimd.X86.AVX2() {
		return 0, 0
	}
	p := unsafe.Pointer(&x[0])
	top := archsimd.BroadcastInt32x8(0)
	for i := 0; i < n; i += 8 {
		top = top.Max(archsimd.LoadInt32x8Array((*[8]int32)(unsafe.Add(p, 4*i))).Abs())
	}
	half := top.GetLo().Max(top.GetHi())
	archsimd.ClearAVXUpperBits()
	return max(half.GetElem(0), half.GetElem(1), half.GetElem(2), half.GetElem(3)), n
}

// quantize is [Quantize] of the first n numbers. Of two neighbours the products are made
// in 64 bits, in two vectors; what each is rounded to is the upper half of it, which for
// the second stands where the result belongs.
func quantize(out []int16, x []int32, factor int32) (n int) {
	n = len(x) &^ 7
	if n == 0 || !archsimd.X86.AVX2() {
		return 0
	}
	from, to := unsafe.Pointer(&x[0]), unsafe.Pointer(&out[0])
	by, half := archsimd.BroadcastInt32x8(factor), archsimd.BroadcastInt64x4(1<<31)
	upper := archsimd.BroadcastInt64x4(-1 << 32).ToBits()
	for i := 0; i < n; i += 8 {
		v := archsimd.LoadInt32x8Array((*[8]int32)(unsafe.Add(from, 4*i)))
		second := v.ToBits().ReshapeToUint64s().ShiftAllRight(32).ReshapeToUint32s().BitsToInt32()
		a := v.MulWidenEven(by).Add(half).ToBits().ShiftAllRight(32)
		b := second.MulWidenEven(by).Add(half).ToBits().And(upper)
		r := a.Or(b).ReshapeToUint32s().BitsToInt32()
		r.GetLo().SaturateToInt16Concat(r.GetHi()).StoreArray((*[8]int16)(unsafe.Add(to, 2*i)))
	}
	archsimd.ClearAVXUpperBits()
	return n
}
