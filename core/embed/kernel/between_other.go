//go:build !goexperiment.simd || !(amd64 || wasm)

package kernel

// whole returns how many of n numbers vectors take: none.
func whole(int) int { return 0 }

func greatest([]int32) int32 { return 0 }

func quantize([]int16, []int32, int64, int) {}

func scale([]int32, []int32, int32, int, []uint32, []int32) bool { return true }

func join([]int32, []int32) (int64, uint64) { return 0, 0 }

func norm([]int32, []int32, int32, int64, []int32, []int32) bool { return true }

func logits(_, _ []int32, _ int32, _ int, _, _ []int32) (int32, bool) { return 0, false }
