package filter

import (
	"bytes"
	"encoding/binary"
)

const (
	// MaxDigits is how many significant digits a number may have.
	MaxDigits = 1000

	// MaxExponent bounds the exponent of a number that is written with one digit
	// before the point, on both sides of 0.
	MaxExponent = 1000
)

// A number other than zero is ±d·10^e with 1 ≤ d < 10. Its encoding is a tag for
// the sign, e + MaxExponent in two bytes, the greatest first, and the digits of d,
// two in a byte as their number plus 1; the last digit is not 0, and a 0 fills up
// the last byte. Of two positive numbers the one with the greater exponent is the
// greater, then the one with the greater digits, where the shorter stands for
// zeros to come. For a negative number all bytes after the tag are complemented,
// and 255 ends it, so that there the shorter is the greater.
const negativeEnd = 0xFF

// A decimal is a number of JSON's grammar taken apart: ±d·10^e, where the digits
// of d, without zeros around them, are those of digits; there may be a point
// between them. It is zero if there are none.
type decimal struct {
	neg    bool
	digits []byte
	count  int // of digits
	e      int64
}

func parseNumber(text []byte) decimal {
	var n decimal
	if text[0] == '-' {
		n.neg = true
		text = text[1:]
	}
	first, end := -1, 0 // of the significant digits
	seen, leading, whole := 0, 0, -1
	i := 0
	for ; i < len(text) && text[i]|0x20 != 'e'; i++ {
		switch text[i] {
		case '.':
			whole = seen
			continue
		case '0':
		default:
			if first < 0 {
				first, leading = i, seen
			}
			end, n.count = i+1, seen+1-leading
		}
		seen++
	}
	if first < 0 {
		return decimal{}
	}
	if whole < 0 {
		whole = seen
	}
	n.digits = text[first:end]
	n.e = int64(whole-leading-1) + parseExponent(text[i:])
	return n
}

// parseExponent reads the end of a number: nothing, or e, a sign and digits.
func parseExponent(text []byte) int64 {
	const wide = 1 << 40 // more than the zeros of any document can make up for
	if len(text) == 0 {
		return 0
	}
	text = text[1:]
	neg := text[0] == '-'
	if neg || text[0] == '+' {
		text = text[1:]
	}
	e := int64(0)
	for _, c := range text {
		e = min(e*10+int64(c-'0'), wide)
	}
	if neg {
		return -e
	}
	return e
}

// appendNumber appends the encoding of a number of JSON's grammar, or says what
// hinders that.
func appendNumber(dst, text []byte) (out []byte, problem string) {
	n := parseNumber(text)
	switch {
	case n.count == 0:
		return append(dst, tagZero), ""
	case n.count > MaxDigits:
		return dst, "the number has more than 1000 significant digits"
	case n.e > MaxExponent || n.e < -MaxExponent:
		return dst, "the number's exponent is not between -1000 and 1000"
	}
	if !n.neg {
		return n.append(append(dst, tagPositive)), ""
	}
	start := len(dst) + 1
	dst = n.append(append(dst, tagNegative))
	for i := start; i < len(dst); i++ {
		dst[i] = ^dst[i]
	}
	return append(dst, negativeEnd), ""
}

// append appends the exponent and the digits.
func (n decimal) append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(n.e+MaxExponent))
	high := true // the next digit begins a byte
	for _, c := range n.digits {
		switch {
		case c == '.':
			continue
		case high:
			dst = append(dst, (c-'0')*10+1)
		default:
			dst[len(dst)-1] += c - '0'
		}
		high = !high
	}
	return dst
}

// appendDecimal appends an encoded number in the layout that ECMAScript gives a
// Number, and so RFC 8785: plain where the point is not too far away.
func appendDecimal(dst, value []byte) []byte {
	if value[0] == tagZero {
		return append(dst, '0')
	}
	var buf [MaxDigits]byte
	digits, e := unpack(buf[:0], value)
	if value[0] == tagNegative {
		dst = append(dst, '-')
	}
	k, n := len(digits), e+1 // n digits before the point
	switch {
	case k <= n && n <= 21:
		return appendZeros(append(dst, digits...), n-k)
	case 0 < n && n <= 21:
		dst = append(append(dst, digits[:n]...), '.')
		return append(dst, digits[n:]...)
	case -6 < n && n <= 0:
		dst = appendZeros(append(dst, "0."...), -n)
		return append(dst, digits...)
	}
	dst = append(dst, digits[0])
	if k > 1 {
		dst = append(append(dst, '.'), digits[1:]...)
	}
	return appendExponent(append(dst, 'e'), e)
}

// unpack appends the digits of an encoded number and returns its exponent.
func unpack(dst, value []byte) (digits []byte, e int) {
	flip, packed := byte(0), value[3:]
	if value[0] == tagNegative {
		flip, packed = 0xFF, packed[:len(packed)-1]
	}
	for _, b := range packed {
		pair := (b ^ flip) - 1
		dst = append(dst, '0'+pair/10, '0'+pair%10)
	}
	return bytes.TrimSuffix(dst, []byte("0")), int(value[1]^flip)<<8 + int(value[2]^flip) - MaxExponent
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}

// appendExponent appends a sign and up to four digits.
func appendExponent(dst []byte, e int) []byte {
	if e < 0 {
		dst, e = append(dst, '-'), -e
	} else {
		dst = append(dst, '+')
	}
	for unit := 1000; unit > 0; unit /= 10 {
		if e >= unit || unit == 1 {
			dst = append(dst, '0'+byte(e/unit%10))
		}
	}
	return dst
}
