package chunk

import "bytes"

// maxLabel is how many characters are in the longest label of a link reference
// definition.
const maxLabel = 999

// definitions returns how many bytes of a paragraph are the link reference
// definitions at its front. Each of its lines ends with LF.
func definitions(s []byte) int {
	n := 0
	for {
		length := definition(s[n:])
		if length == 0 {
			return n
		}
		n += length
	}
}

// definition returns the length of the link reference definition at the front of
// s, with the end of its last line, or 0.
func definition(s []byte) int {
	i := label(s)
	if i == 0 || i == len(s) || s[i] != ':' {
		return 0
	}
	i += 1 + gap(s[i+1:])
	n := destination(s[i:])
	if n == 0 {
		return 0
	}
	i += n
	untitled := endOfLine(s[i:])
	if n := gap(s[i:]); n > 0 {
		if t := title(s[i+n:]); t > 0 {
			if end := endOfLine(s[i+n+t:]); end > 0 {
				return i + n + t + end
			}
		}
	}
	if untitled == 0 {
		return 0
	}
	return i + untitled
}

// label returns the length of the label at the front of s, with its brackets.
func label(s []byte) int {
	if len(s) == 0 || s[0] != '[' {
		return 0
	}
	filled, characters := false, 0
	for i := 1; i < len(s) && characters <= maxLabel; i++ {
		if s[i]&0xc0 != 0x80 {
			characters++
		}
		switch s[i] {
		case '\\':
			i++
			filled = true
		case '[':
			return 0
		case ']':
			if !filled {
				return 0
			}
			return i + 1
		default:
			filled = filled || !isBlank(s[i])
		}
	}
	return 0
}

// gap returns the length of the spaces and tabs at the front of s, with at most
// one end of a line among them.
func gap(s []byte) int {
	line := false
	for i, c := range s {
		switch {
		case c == ' ' || c == '\t':
		case c == '\n' && !line:
			line = true
		default:
			return i
		}
	}
	return len(s)
}

// destination returns the length of the link destination at the front of s, or 0.
func destination(s []byte) int {
	if len(s) > 0 && s[0] == '<' {
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '<', '\n':
				return 0
			case '>':
				return i + 1
			}
		}
		return 0
	}
	open := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && s[i+1] > ' ':
			i++
		case c == '(':
			open++
		case c == ')':
			open--
		case c <= ' ':
			if open != 0 {
				return 0
			}
			return i
		}
		if open < 0 {
			return 0
		}
	}
	return 0
}

// title returns the length of the link title at the front of s, or 0.
func title(s []byte) int {
	if len(s) == 0 {
		return 0
	}
	end := s[0]
	switch s[0] {
	case '"', '\'':
	case '(':
		end = ')'
	default:
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case end:
			return i + 1
		case '(':
			if end == ')' {
				return 0
			}
		}
	}
	return 0
}

// endOfLine returns the length of the rest of a line of spaces and tabs, with its
// end, or 0 if there is something else.
func endOfLine(s []byte) int {
	i := bytes.IndexByte(s, '\n')
	if i < 0 || len(bytes.Trim(s[:i], " \t")) > 0 {
		return 0
	}
	return i + 1
}
