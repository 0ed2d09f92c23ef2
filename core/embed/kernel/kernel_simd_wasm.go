//go:build goexperiment.simd

package kernel

import (
	"simd/archsimd"
	"unsafe"
)

type sums = archsimd.Int32x4

// numbers have the method that archsimd gives those of amd64.
type numbers struct{ archsimd.Int16x8 }

// step is how many numbers are in two vectors.
const step = 16

func multiply(out []int32, a []int16, w []int8, n, rows, k int) { vector(out, a, w, n, rows, k) }

func multiplyWide(out []int32, a, b []int16, n, rows, k int) { vector(out, a, b, n, rows, k) }

// load calls what loads: threeByTwo says why.
func load[W int8 | int16](p unsafe.Pointer, part int) numbers {
	if unsafe.Sizeof(W(0)) == 1 {
		return widened(p, part)
	}
	return load8(unsafe.Add(p, 16*part))
}

func widened(p unsafe.Pointer, part int) numbers {
	v := archsimd.LoadInt8x16Array((*[16]int8)(p))
	if part == 0 {
		return numbers{v.ExtendLo8ToInt16()}
	}
	return numbers{v.ExtendHi8ToInt16()}
}

func load8(p unsafe.Pointer) numbers { return numbers{archsimd.LoadInt16x8Array((*[8]int16)(p))} }

// DotProductPairs returns the products of x and y, two neighbours added to each lane. It is
// written as wasm/artifact/dots looks for it, which makes one instruction of it.
func (x numbers) DotProductPairs(y numbers) sums {
	return low(x).Mul(low(y)).Add(high(x).Mul(high(y)))
}

// low and high are every other number, widened.
func low(x numbers) sums  { return pairs(x).ShiftAllLeft(16).ShiftAllRight(16) }
func high(x numbers) sums { return pairs(x).ShiftAllRight(16) }

func pairs(x numbers) sums { return x.ToBits().ReshapeToUint32s().BitsToInt32() }

// total adds the lanes modulo 2³², two of them at once: what the lower two carry
// into the upper half is cut off.
func total(s sums) int32 {
	v := s.ToBits().ReshapeToUint64s()
	x, y := v.GetElem(0), v.GetElem(1)
	return int32(x + y + x>>32 + y>>32)
}

// totals stores the totals of two sums.
func totals(out unsafe.Pointer, s0, s1 sums) {
	*(*int32)(out), *(*int32)(unsafe.Add(out, 4)) = total(s0), total(s1)
}
