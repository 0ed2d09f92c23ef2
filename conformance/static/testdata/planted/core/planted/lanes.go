package planted

import "simd/archsimd"

//go:noinline
func lanes(n int) int {
	v := archsimd.BroadcastInt32x4(int32(n)).ConvertToFloat32()
	return int(v.Mul(v).ConvertToInt32().GetElem(1))
}
