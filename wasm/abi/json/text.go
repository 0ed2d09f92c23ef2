package json

import (
	"math/bits"
	"unicode/utf8"
)

// plain returns the first index from i on of a byte that must be escaped in a
// string, or len(s), and whether all bytes before it are ASCII.
//
// It looks at eight bytes as one word, the first byte lowest. Subtracting from a
// byte what it must at least be sets its highest bit if that borrows. The borrow
// can reach the bytes above, never those below, so the lowest bit set is right.
func plain[T string | []byte](s T, i int) (end int, ascii bool) {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	var seen uint64
	t := s[i:]
	for ; len(t) >= 8; t = t[8:] {
		// The compiler makes one load of this, wasm's too.
		w := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
			uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
		m := (w - ' '*ones) | (w ^ '"'*ones - ones) | (w ^ '\\'*ones - ones)
		if m &= ^w & highs; m != 0 {
			n := bits.TrailingZeros64(m) &^ 7
			seen |= w & (1<<n - 1)
			return len(s) - len(t) + n/8, seen&highs == 0
		}
		seen |= w
	}
	for i = len(s) - len(t); i < len(s); i++ {
		c := s[i]
		if c < ' ' || c == '"' || c == '\\' {
			break
		}
		seen |= uint64(c)
	}
	return i, seen&highs == 0
}

// illFormed returns the index of the first byte of s that does not belong to a
// well-formed character, or −1.
func illFormed(s []byte) int {
	if utf8.Valid(s) {
		return -1
	}
	i := 0
	for {
		c, n := utf8.DecodeRune(s[i:])
		if c == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
}
