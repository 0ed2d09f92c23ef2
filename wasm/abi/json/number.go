package json

import "bytes"

// A decimal is a number read exactly: ±digits·10^exp, where digits is 0 or does
// not end in 0. It holds up to 16 significant digits; long says there are more,
// and digits then holds none.
type decimal struct {
	neg    bool
	long   bool
	digits uint64
	exp    int64
}

// parseInt reads an optional minus and digits, at most MaxInt in magnitude.
func parseInt(lit []byte) (n int64, ok bool) {
	neg := lit[0] == '-'
	if neg {
		lit = lit[1:]
	}
	if len(lit) > 16 {
		return 0, false
	}
	for _, c := range lit {
		n = n*10 + int64(c-'0')
	}
	if n > MaxInt {
		return 0, false
	}
	if neg {
		n = -n
	}
	return n, true
}

// parseDecimal reads a number of the grammar.
func parseDecimal(lit []byte) decimal {
	const wide = 1 << 40 // wider than any exponent that a document's zeros can make up for
	var d decimal
	zeros, count, fraction := int64(0), int64(0), false
	i := 0
	if lit[0] == '-' {
		d.neg = true
		i++
	}
	for ; i < len(lit); i++ {
		c := lit[i]
		if c == '.' {
			fraction = true
			continue
		}
		if c == 'e' || c == 'E' {
			break
		}
		if fraction {
			d.exp--
		}
		switch {
		case c == '0' && count == 0: // leading
		case c == '0':
			zeros++
		case d.long || count+zeros >= 16:
			d.long = true
			zeros = 0
		default:
			for count += zeros; zeros > 0; zeros-- {
				d.digits *= 10
			}
			d.digits = d.digits*10 + uint64(c-'0')
			count++
		}
	}
	if count == 0 {
		return decimal{}
	}
	d.exp += zeros
	if i < len(lit) {
		i++
		neg := lit[i] == '-'
		if neg || lit[i] == '+' {
			i++
		}
		e := int64(0)
		for ; i < len(lit); i++ {
			e = min(e*10+int64(lit[i]-'0'), wide)
		}
		if neg {
			e = -e
		}
		d.exp += e
	}
	return d
}

// size returns the number of significant digits.
func (d decimal) size() int64 {
	n := int64(0)
	for v := d.digits; v > 0; v /= 10 {
		n++
	}
	return n
}

// nano returns d in units of 10⁻⁹, or what hinders that.
func (d decimal) nano() (n int64, problem string) {
	if d.long {
		return 0, "has more than 15 significant digits"
	}
	if d.digits == 0 {
		return 0, ""
	}
	e := d.exp + 9
	if d.size()+e > 15 {
		return 0, "is 1000000 or more in magnitude"
	}
	if e < 0 {
		return 0, "has more than nine decimals"
	}
	n = int64(d.digits)
	for ; e > 0; e-- {
		n *= 10
	}
	if d.neg {
		n = -n
	}
	return n, ""
}

// The bounds of the numbers that a Value holds: significant digits, and the
// exponent, on both sides of 0, of one digit before the point.
const (
	maxDigits   = 1000
	maxExponent = 1000
)

// canonical appends d, which was read from lit, exactly, in the layout that
// ECMAScript gives a Number, or says why it is out of bounds.
//
// Where d is the shortest spelling of a float64 this is the spelling of RFC 8785.
// That is so for up to 15 significant digits: each such decimal well inside
// float64's range has a nearest float64 of its own, so no other that is as short
// prints the same. It is so for the integers up to MaxInt, and for whatever an
// ECMAScript program prints. RFC 8785 rounds all others, which would make two
// numbers one; here they keep their digits.
func (d decimal) canonical(dst, lit []byte) (out []byte, problem string) {
	if d.digits == 0 && !d.long {
		return append(dst, '0'), ""
	}
	var buf [20]byte
	var digits []byte
	if d.long {
		digits = significant(lit)
	} else {
		digits = appendDigits(buf[:0], d.digits)
	}
	n := int64(len(digits)) + d.exp // digits before the point
	switch {
	case len(digits) > maxDigits:
		return nil, "has more than 1000 significant digits"
	case n-1 > maxExponent, n-1 < -maxExponent:
		return nil, "is out of range"
	}
	if d.neg {
		dst = append(dst, '-')
	}
	return layOut(dst, digits, int(n)), ""
}

// significant returns the digits of a number other than 0, without the zeros
// before and behind them.
func significant(lit []byte) []byte {
	var digits []byte
	for _, c := range lit {
		if c|0x20 == 'e' {
			break
		}
		if '1' <= c && c <= '9' || c == '0' && len(digits) > 0 {
			digits = append(digits, c)
		}
	}
	return bytes.TrimRight(digits, "0")
}

// appendDecimal spells d, of at most 16 digits.
func appendDecimal(dst []byte, d decimal) []byte {
	if d.digits == 0 {
		return append(dst, '0')
	}
	if d.neg {
		dst = append(dst, '-')
	}
	var buf [20]byte
	s := appendDigits(buf[:0], d.digits)
	return layOut(dst, s, len(s)+int(d.exp))
}

// layOut appends digits s, n of them before the point, as ECMAScript's
// Number::toString does, step by step.
func layOut(dst, s []byte, n int) []byte {
	k := len(s)
	switch {
	case k <= n && n <= 21:
		dst = append(dst, s...)
		return appendZeros(dst, n-k)
	case 0 < n && n <= 21:
		dst = append(dst, s[:n]...)
		dst = append(dst, '.')
		return append(dst, s[n:]...)
	case -6 < n && n <= 0:
		dst = append(dst, "0."...)
		dst = appendZeros(dst, -n)
		return append(dst, s...)
	}
	dst = append(dst, s[0])
	if k > 1 {
		dst = append(dst, '.')
		dst = append(dst, s[1:]...)
	}
	e := n - 1
	if e < 0 {
		dst = append(dst, "e-"...)
		return appendDigits(dst, uint64(-e))
	}
	dst = append(dst, "e+"...)
	return appendDigits(dst, uint64(e))
}

func appendZeros(dst []byte, n int) []byte {
	for ; n > 0; n-- {
		dst = append(dst, '0')
	}
	return dst
}

// hundreds holds 00 to 99.
const hundreds = "0001020304050607080910111213141516171819" +
	"2021222324252627282930313233343536373839" +
	"4041424344454647484950515253545556575859" +
	"6061626364656667686970717273747576777879" +
	"8081828384858687888990919293949596979899"

// appendDigits appends n in decimal.
func appendDigits(dst []byte, n uint64) []byte {
	var buf [20]byte
	i := len(buf)
	for ; n >= 1<<32; n /= 10 { // 64 bits are divided slowly, 32 are multiplied
		i--
		buf[i] = '0' + byte(n%10)
	}
	for v := uint32(n); ; v /= 10 {
		i--
		buf[i] = '0' + byte(v%10)
		if v < 10 {
			return append(dst, buf[i:]...)
		}
	}
}

// appendHex appends the lowest digits of n in lower-case hexadecimal.
func appendHex(dst []byte, n uint32, digits int) []byte {
	for digits--; digits >= 0; digits-- {
		dst = append(dst, "0123456789abcdef"[n>>(4*digits)&15])
	}
	return dst
}
