// Package checksum finds damage in the files that an engine makes: it is no digest, and
// keeps nobody from making another file with the same sum.
package checksum

import "encoding/binary"

// Of mixes the bytes of b, whose length is a multiple of 8, word by word.
// Each step is a bijection of the sum and of the word, so that two runs of
// bytes that differ in one word never have the same sum.
func Of(b []byte) uint64 {
	const odd = 0x9e3779b97f4a7c15
	var sums [4]uint64
	for ; len(b) >= 32; b = b[32:] {
		for i := range sums {
			s := (sums[i] ^ binary.LittleEndian.Uint64(b[8*i:])) * odd
			sums[i] = s ^ s>>32
		}
	}
	sum := uint64(len(b))
	for i := range sums {
		sum = (sum ^ sums[i]) * odd
		sum ^= sum >> 32
	}
	for ; len(b) >= 8; b = b[8:] {
		sum = (sum ^ binary.LittleEndian.Uint64(b)) * odd
		sum ^= sum >> 32
	}
	return sum
}
