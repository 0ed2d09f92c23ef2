package terminal

import "unicode/utf8"

// JSON returns a JSON text as one with the same value that does not act on a terminal:
// what Line would replace, and what JSON may hold as it is, is escaped. White space
// between tokens stays.
func JSON(in []byte) []byte {
	out := make([]byte, 0, len(in))
	for i := 0; i < len(in); {
		c, size := utf8.DecodeRune(in[i:])
		switch {
		case c < 0x20 || !acts(c) && (c != utf8.RuneError || size > 1):
			out = append(out, in[i:i+size]...)
		case c >= 0x10000:
			c -= 0x10000
			out = appendUnit(appendUnit(out, 0xd800+c>>10), 0xdc00+c&0x3ff)
		default:
			out = appendUnit(out, c)
		}
		i += size
	}
	return out
}

// appendUnit appends a UTF-16 unit as JSON escapes it.
func appendUnit(dst []byte, u rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[u>>12&15], digits[u>>8&15], digits[u>>4&15], digits[u&15])
}
