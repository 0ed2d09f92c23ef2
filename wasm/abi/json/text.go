package json

import (
	"math/bits"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// eight returns the first eight bytes of s as a word, the first byte lowest. The
// compiler makes one load of it, wasm's too.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// pairAt returns the bytes i and i+1 of s at their place in a word.
func pairAt(s string, i int) uint64 {
	return (uint64(s[i]) | uint64(s[i+1])<<8) << (uint(i) * 8 & 63)
}

// special returns a word whose lowest set bit is the highest of the first byte of
// w that must be escaped in a string, or 0.
//
// Subtracting from a byte what it must at least be sets its highest bit if that
// borrows. The borrow can reach the bytes above, never those below, so the lowest
// bit set is right.
func special(w uint64) uint64 {
	m := (w - ' '*ones) | (w ^ '"'*ones - ones) | (w ^ '\\'*ones - ones)
	return m &^ w & highs
}

// plainWords is plain for what is too short for more; seen is what other bytes
// before i are, or'ed.
func plainWords(s string, i int, seen uint64) (end int, ascii bool) {
	for i+8 <= len(s) {
		w := eight(s[i : i+8])
		if m := special(w); m != 0 {
			n := bits.TrailingZeros64(m) &^ 7
			seen |= w & (1<<n - 1)
			return i + n/8, seen&highs == 0
		}
		seen |= w
		i += 8
	}
	for i < len(s) {
		c := s[i]
		if c < ' ' || c == '"' || c == '\\' {
			break
		}
		seen |= uint64(c)
		i++
	}
	return i, seen&highs == 0
}

// illFormed returns the index of the first byte of s that does not belong to a
// well-formed character, or −1.
func illFormed(s string) int {
	if valid(s) {
		return -1
	}
	i := 0
	for {
		c, n := utf8.DecodeRuneInString(s[i:])
		if c == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
}
