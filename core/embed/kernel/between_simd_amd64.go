//go:build goexperiment.simd

package kernel

import (
	"simd/archsimd"
	"unsafe"
)

type (
	lanes = archsimd.Int32x8
	wide  = archsimd.Int64x4

	// How far all numbers are shifted, where it is no constant: what Go makes of a shift by
	// one number moves that with an instruction that waits for upper halves.
	count     = archsimd.Uint32x8
	countWide = archsimd.Uint64x4
)

const width = 8

// whole returns how many of n numbers vectors take.
func whole(n int) int {
	if !archsimd.X86.AVX2() {
		return 0
	}
	return n &^ (width - 1)
}

func clearUpper() { archsimd.ClearAVXUpperBits() }

func loadLanes(p unsafe.Pointer) lanes { return archsimd.LoadInt32x8Array((*[width]int32)(p)) }

func store(p unsafe.Pointer, v lanes) { v.StoreArray((*[width]int32)(p)) }

func storeNarrow(p unsafe.Pointer, v lanes) {
	v.GetLo().SaturateToInt16Concat(v.GetHi()).StoreArray((*[width]int16)(p))
}

func all(n int32) lanes    { return archsimd.BroadcastInt32x8(n) }
func allWide(n int64) wide { return archsimd.BroadcastInt64x4(n) }

func countOf(n int) count         { return archsimd.BroadcastUint32x8(uint32(n)) }
func countOfWide(n int) countWide { return archsimd.BroadcastUint64x4(uint64(n)) }

func right(v lanes, n count) lanes      { return v.ShiftRight(n) }
func leftWide(v wide, n countWide) wide { return v.ShiftLeft(n) }

// mulWide returns the products of the even lanes and of the odd ones.
func mulWide(x, y lanes) (even, odd wide) { return x.MulWidenEven(y), odds(x).MulWidenEven(odds(y)) }

func odds(x lanes) lanes {
	return x.ToBits().ReshapeToUint64s().ShiftAllRight(32).ReshapeToUint32s().BitsToInt32()
}

func highs(even, odd wide) lanes {
	x, y := even.ToBits().ReshapeToUint32s(), odd.ToBits().ReshapeToUint32s()
	return x.ConcatPermuteScalarsGrouped(1, 3, 5, 7, y).PermuteScalarsGrouped(0, 2, 1, 3).BitsToInt32()
}

func sumOf(v wide) int64 {
	w := v.GetLo().Add(v.GetHi())
	return w.GetElem(0) + w.GetElem(1)
}

func orOfWide(v wide) uint64 {
	w := v.GetLo().Or(v.GetHi())
	return uint64(w.GetElem(0) | w.GetElem(1))
}

func orOf(v lanes) int32 {
	w := v.GetLo().Or(v.GetHi())
	return w.GetElem(0) | w.GetElem(1) | w.GetElem(2) | w.GetElem(3)
}

func mostOf(v lanes) int32 {
	w := v.GetLo().Max(v.GetHi())
	return max(w.GetElem(0), w.GetElem(1), w.GetElem(2), w.GetElem(3))
}
