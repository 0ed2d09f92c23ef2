//go:build goexperiment.simd

package kernel

import (
	"simd/archsimd"
	"unsafe"
)

type (
	lanes = archsimd.Int32x4
	wide  = archsimd.Int64x2

	// How far all numbers are shifted, where it is no constant.
	count     = uint64
	countWide = uint64
)

const width = 4

// whole returns how many of n numbers vectors take.
func whole(n int) int { return n &^ (width - 1) }

func clearUpper() {}

func loadLanes(p unsafe.Pointer) lanes { return archsimd.LoadInt32x4Array((*[width]int32)(p)) }

func store(p unsafe.Pointer, v lanes) { v.StoreArray((*[width]int32)(p)) }

func storeNarrow(p unsafe.Pointer, v lanes) {
	*(*uint64)(p) = lookup(v.ToBits().ReshapeToUint8s(), &lowsOf32).ReshapeToUint64s().GetElem(0)
}

func all(n int32) lanes    { return archsimd.BroadcastInt32x4(n) }
func allWide(n int64) wide { return archsimd.BroadcastInt64x2(n) }

func countOf(n int) count         { return count(n) }
func countOfWide(n int) countWide { return countWide(n) }

func right(v lanes, n count) lanes      { return v.ShiftAllRight(n) }
func leftWide(v wide, n countWide) wide { return v.ShiftAllLeft(n) }

// mulWide returns the products of the first two lanes and of the last two.
func mulWide(x, y lanes) (first, last wide) { return x.MulWidenLo(y), x.MulWidenHi(y) }

func highs(first, last wide) lanes {
	x := lookup(first.ToBits().ReshapeToUint8s(), &highsOfFirst)
	return x.Or(lookup(last.ToBits().ReshapeToUint8s(), &highsOfLast)).ReshapeToUint32s().BitsToInt32()
}

// What lookup puts at a byte: a byte, or 0 for −1.
var (
	lowsOf32     = [16]int8{0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1}
	highsOfFirst = [16]int8{4, 5, 6, 7, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1}
	highsOfLast  = [16]int8{-1, -1, -1, -1, -1, -1, -1, -1, 4, 5, 6, 7, 12, 13, 14, 15}
)

func lookup(v archsimd.Uint8x16, at *[16]int8) archsimd.Uint8x16 {
	return v.BitsToInt8().LookupOrZero(archsimd.LoadInt8x16Array(at)).ToBits()
}

func sumOf(v wide) int64 { return v.GetElem(0) + v.GetElem(1) }

func orOfWide(v wide) uint64 { return uint64(v.GetElem(0) | v.GetElem(1)) }

func orOf(v lanes) int32 { return v.GetElem(0) | v.GetElem(1) | v.GetElem(2) | v.GetElem(3) }

func mostOf(v lanes) int32 {
	return max(v.GetElem(0), v.GetElem(1), v.GetElem(2), v.GetElem(3))
}
