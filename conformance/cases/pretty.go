package cases

import "strings"

// compact drops the white space between the tokens of JSON.
func compact(s string) string {
	var b strings.Builder
	inString := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case inString && c == '\\':
			b.WriteByte(c)
			i++
			c = s[i]
		case c == '"':
			inString = !inString
		case !inString && (c == ' ' || c == '\t' || c == '\r' || c == '\n'):
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// pretty breaks a reply into lines that can be read: one for each member at the
// top, and one for each element of an array in them that holds objects or lists.
func pretty(s string) string {
	if !strings.HasPrefix(s, "{") {
		return s
	}
	var b strings.Builder
	depth, inString := 0, false
	var open []byte
	indent := func(n int) { b.WriteString("\n" + strings.Repeat("  ", n)) }
	lines := 0 // how many of the open brackets break lines
	breaks := []bool{}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if inString {
			b.WriteByte(c)
			switch c {
			case '\\':
				i++
				b.WriteByte(s[i])
			case '"':
				inString = false
			}
			continue
		}
		switch c {
		case '"':
			inString = true
			b.WriteByte(c)
		case '{', '[':
			br := depth == 0 || depth < 4 && c == '[' && i+1 < len(s) && (s[i+1] == '{' || s[i+1] == '[') && allBreak(breaks)
			br = br || depth == 1 && c == '{' && strings.HasSuffix(b.String(), `"audit":`)
			breaks = append(breaks, br)
			open = append(open, c)
			depth++
			b.WriteByte(c)
			if br {
				lines++
				indent(lines)
			}
		case '}', ']':
			br := breaks[len(breaks)-1]
			breaks, open = breaks[:len(breaks)-1], open[:len(open)-1]
			depth--
			if br {
				lines--
				indent(lines)
			}
			b.WriteByte(c)
		case ',':
			b.WriteByte(c)
			if breaks[len(breaks)-1] {
				indent(lines)
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func allBreak(breaks []bool) bool {
	for _, b := range breaks {
		if !b {
			return false
		}
	}
	return true
}
