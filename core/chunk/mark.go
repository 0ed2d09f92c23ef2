package chunk

import "strings"

func indexByte(s string, c byte) int { return strings.IndexByte(s, c) }

func isDigit(c byte) bool { return c-'0' <= 9 }

func isLetter(c byte) bool { return c|0x20-'a' < 26 }

// run returns how many c begin s.
func run(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// isRest reports whether s is only spaces and tabs.
func isRest(s string) bool {
	for i := range len(s) {
		if s[i] != ' ' && s[i] != '\t' {
			return false
		}
	}
	return true
}

// atx reads a heading of 1 to 6 signs # from byte i of a line that ends at end,
// and returns its level, or 0, and where its text is, without closing signs.
func atx(source string, i, end int) (level, from, to int) {
	level = run(source[i:end], '#')
	i += level
	if level > 6 || i < end && source[i] != ' ' && source[i] != '\t' {
		return 0, 0, 0
	}
	from, to = trimBlanks(source, i, end)
	closing := to
	for closing > from && source[closing-1] == '#' {
		closing--
	}
	if closing == from || source[closing-1] == ' ' || source[closing-1] == '\t' {
		from, to = trimBlanks(source, from, closing)
	}
	return level, from, to
}

// trimBlanks returns the part of from to to that has no white space at its ends.
func trimBlanks(source string, from, to int) (int, int) {
	for from < to && isBlank(source[from]) {
		from++
	}
	for to > from && isBlank(source[to-1]) {
		to--
	}
	return from, to
}

// isRule reports whether a line is a thematic break: three or more of the sign it
// begins with, and spaces and tabs between them.
func isRule(s string) bool {
	n := 0
	for i := range len(s) {
		switch s[i] {
		case s[0]:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// listMark returns the length of the list mark at the front of s, or 0, and the
// sign that tells lists apart: the bullet, or what follows the number. Where the
// line could go on a paragraph, only an item that holds something, and only the
// number 1, begins a list.
func listMark(s string, follows bool) (length int, mark byte) {
	n, number := 0, 0
	for n < len(s) && n < 9 && isDigit(s[n]) {
		number = 10*number + int(s[n]-'0')
		n++
	}
	switch {
	case n == len(s):
		return 0, 0
	case n == 0 && s[0] != '-' && s[0] != '*' && s[0] != '+':
		return 0, 0
	case n > 0 && (s[n] != '.' && s[n] != ')' || follows && number != 1):
		return 0, 0
	}
	rest := s[n+1:]
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' || follows && isRest(rest) {
		return 0, 0
	}
	return n + 1, s[n]
}

// delimiters returns how many columns a table has whose second row is s, or 0 if
// s is no such row.
func delimiters(s string) int {
	s = strings.TrimRight(s, " \t")
	if s == "" || s[0] == '|' {
		s = s[min(1, len(s)):]
	}
	columns := 0
	for s != "" {
		cell, rest, _ := strings.Cut(s, "|")
		cell = strings.Trim(cell, " \t")
		cell = strings.TrimPrefix(cell, ":")
		n := run(cell, '-')
		if n == 0 || cell[n:] != "" && cell[n:] != ":" {
			return 0
		}
		columns, s = columns+1, rest
	}
	return columns
}

// columnsOf returns how many cells a row of a table has.
func columnsOf(s string) int {
	s = strings.TrimRight(s, " \t")
	if s != "" && s[0] == '|' {
		s = s[1:]
	}
	if s == "" {
		return 0
	}
	n := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '|':
			if i < len(s)-1 {
				n++
			}
		}
	}
	return n
}
