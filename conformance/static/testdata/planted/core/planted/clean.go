package planted

import (
	"crypto/sha256"
	"math/bits"
	"slices"
	"unicode/utf8"
)

//go:noinline
func leading(n int) int { return bits.LeadingZeros64(uint64(n)) }

//go:noinline
func decode(n int) int {
	r, size := utf8.DecodeRuneInString("ångström"[n%4:])
	return int(r) + size
}

var squares = map[int]int{1: 1, 2: 4, 3: 9}

//go:noinline
func lookup(n int) int { return squares[n] }

//go:noinline
func constant(n int) int {
	const k1 = 1.2
	return n * int(k1*10)
}

//go:noinline
func ordered(n int) int {
	list := []int{n, 3, n ^ 5, 1}
	slices.Sort(list)
	return list[1]
}

//go:noinline
func hash(n int) int {
	sum := sha256.Sum256([]byte{byte(n)})
	return int(sum[0])
}
