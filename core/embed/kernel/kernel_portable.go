package kernel

// portable computes both products without vectors, two rows by one multiplication:
//
//	Σ_j a_j·(v_j + 2³²·w_j) = Σ_j a_j·v_j + 2³²·Σ_j a_j·w_j
//
// The sums are below 2³¹, so that halves finds them again.
func portable[W int8 | int16](out []int32, a []int16, w []W, n, rows, k int) {
	for r := 0; r < rows; r += 2 {
		next := min(r+1, rows-1) // the last row again where there is no other
		v, w := w[r*k:][:k], w[next*k:][:k]
		t := 0
		for ; t+4 <= n; t += 4 {
			for i, s := range fourWithTwo(a[t*k:][:4*k], v, w) {
				out[(t+i)*rows+r], out[(t+i)*rows+next] = halves(s)
			}
		}
		for ; t < n; t++ {
			out[t*rows+r], out[t*rows+next] = halves(oneWithTwo(a[t*k:][:k], v, w))
		}
	}
}

func fourWithTwo[W int8 | int16](a []int16, v, w []W) [4]int64 {
	k := len(v)
	a0, a1, a2, a3 := a[:k], a[k:][:k], a[2*k:][:k], a[3*k:][:k]
	w = w[:k]
	var s0, s1, s2, s3 int64
	for j := range v {
		both := int64(v[j]) + int64(w[j])<<32
		s0 += int64(a0[j]) * both
		s1 += int64(a1[j]) * both
		s2 += int64(a2[j]) * both
		s3 += int64(a3[j]) * both
	}
	return [4]int64{s0, s1, s2, s3}
}

func oneWithTwo[W int8 | int16](a []int16, v, w []W) (s int64) {
	a, w = a[:len(v)], w[:len(v)]
	for j := range v {
		s += int64(a[j]) * (int64(v[j]) + int64(w[j])<<32)
	}
	return s
}

func halves(s int64) (lo, hi int32) {
	lo = int32(s)
	return lo, int32((s - int64(lo)) >> 32)
}
