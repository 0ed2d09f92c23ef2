package kernel

// Greatest returns the greatest size of numbers, none of which is −2³¹; 0 of none.
func Greatest(x []int32) int32 {
	greatest, n := greatestOf(x)
	for _, v := range x[n:] {
		greatest = max(greatest, v, -v)
	}
	return greatest
}

// Quantize sets out to x·factor/2³², each rounded to the nearest and halves up. It demands
// that these fit into 16 bits and that factor·x + 2³¹ fits into 64.
func Quantize(out []int16, x []int32, factor int64) {
	out = out[:len(x)]
	n := 0
	if factor < 1<<31 {
		n = quantize(out, x, int32(factor))
	}
	for i, v := range x[n:] {
		out[n+i] = int16((int64(v)*factor + 1<<31) >> 32)
	}
}
