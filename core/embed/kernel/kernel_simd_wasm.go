//go:build goexperiment.simd

package kernel

import (
	"simd/archsimd"
	"unsafe"
)

type (
	numbers = archsimd.Int16x8
	sums    = archsimd.Int32x4
)

// parts is how many numbers make [Lanes].
const parts = 2

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
		return v.ExtendLo8ToInt16()
	}
	return v.ExtendHi8ToInt16()
}

func load8(p unsafe.Pointer) numbers { return archsimd.LoadInt16x8Array((*[8]int16)(p)) }

// add adds the products of x and y to s, two neighbours to each lane. It is written as
// wasm/artifact/dots looks for it, which makes one instruction of all but the last
// addition.
func add(s sums, x, y numbers) sums {
	return s.Add(low(x).Mul(low(y)).Add(high(x).Mul(high(y))))
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
