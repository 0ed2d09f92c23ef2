package json

import (
	"bytes"
	"unicode/utf8"
)

const (
	quoted   = 40  // characters of user text that a sentence shows
	longPath = 400 // bytes of a path after which it is not continued
	longest  = 100 // characters of a name that Nearest compares
)

// Quote returns s for use in a sentence: in double quotes, cut after 40
// characters (then … follows the closing quote), with backslash escapes for
// quotes, backslashes, control and bidirectional characters and others that
// change or hide what stands around them, and with \xff for the bytes of
// ill-formed UTF-8. The result is always valid UTF-8.
func Quote(s string) string {
	b := []byte{'"'}
	n := 0
	for i := 0; i < len(s); n++ {
		if n == quoted {
			return string(append(b, `"…`...))
		}
		c, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == utf8.RuneError && size == 1:
			b = appendHex(append(b, `\x`...), uint32(s[i]), 2)
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\t':
			b = append(b, `\t`...)
		case hidden(c) && c > 0xffff:
			b = appendHex(append(b, `\U`...), uint32(c), 8)
		case hidden(c):
			b = appendHex(append(b, `\u`...), uint32(c), 4)
		default:
			b = append(b, s[i:i+size]...)
		}
		i += size
	}
	return string(append(b, '"'))
}

// hidden reports whether a character shows nothing of its own, or can change how
// the text around it looks: controls, spaces other than U+0020, bidirectional
// marks, joiners and other zero-width characters, line separators, tags,
// variation selectors and noncharacters. The list is our own and fixed; it is
// about sentences, not about any version of Unicode.
func hidden(c rune) bool {
	switch {
	case c < 0x20, 0x7f <= c && c <= 0xa0, c == 0xad,
		c == 0x034f, c == 0x061c, 0x115f <= c && c <= 0x1160, c == 0x1680,
		0x17b4 <= c && c <= 0x17b5, 0x180b <= c && c <= 0x180f,
		0x2000 <= c && c <= 0x200f, 0x2028 <= c && c <= 0x202f, 0x205f <= c && c <= 0x206f,
		c == 0x2800, c == 0x3000, c == 0x3164, 0xfdd0 <= c && c <= 0xfdef, 0xfe00 <= c && c <= 0xfe0f,
		c == 0xfeff, c == 0xffa0, 0xfff0 <= c && c <= 0xfffb, c&0xfffe == 0xfffe,
		0x1bca0 <= c && c <= 0x1bca3, 0x1d173 <= c && c <= 0x1d17a, 0xe0000 <= c && c <= 0xe0fff:
		return true
	}
	return false
}

// cut returns a number's text for use in a sentence, at most 40 characters of it.
func cut(lit []byte) string {
	if len(lit) > quoted {
		return string(lit[:quoted]) + "…"
	}
	return string(lit)
}

// appendPathName appends a member's name to a path.
func appendPathName(b []byte, name string) []byte {
	if len(b) > longPath {
		return appendMore(b)
	}
	if !plainName(name) {
		b = append(b, '[')
		b = append(b, Quote(name)...)
		return append(b, ']')
	}
	if len(b) > 0 {
		b = append(b, '.')
	}
	return append(b, name...)
}

// appendPathIndex appends an element's index to a path.
func appendPathIndex(b []byte, i int) []byte {
	if len(b) > longPath {
		return appendMore(b)
	}
	b = append(b, '[')
	b = appendDigits(b, uint64(i))
	return append(b, ']')
}

// appendMore ends a path that has become too long for a sentence.
func appendMore(b []byte) []byte {
	if bytes.HasSuffix(b, []byte("…")) {
		return b
	}
	return append(b, "…"...)
}

// plainName reports whether a name stands in a path as it is: 1 to 40 ASCII
// letters, digits, _ and -.
func plainName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c|0x20-'a' <= 25 || c-'0' <= 9 || c == '_' || c == '-') {
			return false
		}
	}
	return 0 < len(s) && len(s) <= quoted
}

// Nearest returns the name in the list that is nearest to a misspelt one, for
// `did you mean "recallBudget"?`, or "" if none is near. The distance is the
// number of characters inserted, deleted, replaced or swapped with a neighbour,
// each character at most once; it must be at most 2, or a third of the name's
// length if that is more, and less than the longer name's length. Of equally
// near names the first in the list is taken. A name of more than 100 characters
// is near to none.
func Nearest(name string, of []string) string {
	if len(name) > longest*utf8.UTFMax {
		return ""
	}
	a := []rune(name)
	if len(a) > longest {
		return ""
	}
	best, nearest := max(2, len(a)/3)+1, ""
	for _, other := range of {
		if len(other) > longest*utf8.UTFMax {
			continue
		}
		b := []rune(other)
		if len(b) > longest {
			continue
		}
		if d := distance(a, b); d < best && d < max(len(a), len(b)) {
			best, nearest = d, other
		}
	}
	return nearest
}

// distance returns the Damerau–Levenshtein distance in its restricted form, also
// called optimal string alignment. It keeps the last three rows of the table.
func distance(a, b []rune) int {
	var before, last, row [longest + 1]int
	for j := range b {
		last[j+1] = j + 1
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			d := min(last[j+1], row[j]) + 1
			if a[i] == b[j] {
				d = min(d, last[j])
			} else {
				d = min(d, last[j]+1)
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
		}
		before, last = last, row
	}
	return last[len(b)]
}
