package abi

// base64 as RFC 4648 §4 defines it, with padding: for hosts that cannot write into
// the module's memory.
const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

func appendBase64(dst, b []byte) []byte {
	for ; len(b) >= 3; b = b[3:] {
		n := uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
		dst = append(dst, base64Digits[n>>18], base64Digits[n>>12&63], base64Digits[n>>6&63], base64Digits[n&63])
	}
	switch len(b) {
	case 1:
		dst = append(dst, base64Digits[b[0]>>2], base64Digits[b[0]&3<<4], '=', '=')
	case 2:
		n := uint32(b[0])<<8 | uint32(b[1])
		dst = append(dst, base64Digits[n>>10], base64Digits[n>>4&63], base64Digits[n&15<<2], '=')
	}
	return dst
}

// parseBase64 reads what appendBase64 writes, and nothing else.
func parseBase64(s string) (b []byte, ok bool) {
	if len(s)%4 != 0 {
		return nil, false
	}
	b = make([]byte, 0, len(s)/4*3)
	for ; len(s) > 0; s = s[4:] {
		pad := 0
		if len(s) == 4 {
			for pad < 2 && s[3-pad] == '=' {
				pad++
			}
		}
		n := uint32(0)
		for i := range 4 - pad {
			d, ok := base64Digit(s[i])
			if !ok {
				return nil, false
			}
			n |= d << (18 - 6*i)
		}
		if n&(1<<(8*pad)-1) != 0 {
			return nil, false // bits that no byte has
		}
		b = append(b, byte(n>>16), byte(n>>8), byte(n))
		b = b[:len(b)-pad]
	}
	return b, true
}

func base64Digit(c byte) (uint32, bool) {
	switch {
	case 'A' <= c && c <= 'Z':
		return uint32(c - 'A'), true
	case 'a' <= c && c <= 'z':
		return uint32(c-'a') + 26, true
	case '0' <= c && c <= '9':
		return uint32(c-'0') + 52, true
	case c == '+':
		return 62, true
	case c == '/':
		return 63, true
	}
	return 0, false
}
