//go:build !goexperiment.simd || !(amd64 || wasm)

package kernel

func multiply(out []int32, a []int16, w []int8, n, rows, k int) { portable(out, a, w, n, rows, k) }

func multiplyWide(out []int32, a, b []int16, n, rows, k int) { portable(out, a, b, n, rows, k) }
