// Package terminal makes the text of strangers fit to be shown: a document or a
// file name must not move the cursor, change colours, turn the direction of what
// follows, or hide a part of itself.
package terminal

import (
	"strings"
	"unicode/utf8"
)

// Line returns text as one line: white space of any kind becomes one space, and
// characters that act on a terminal instead of showing become U+FFFD.
func Line(s string) string {
	var b strings.Builder
	space := false
	for _, c := range s {
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f' || c == 0x85 || c == 0xa0 || c == 0x2028 || c == 0x2029:
			space = b.Len() > 0
			continue
		case acts(c):
			c = utf8.RuneError
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(c)
	}
	return b.String()
}

// acts reports whether a character acts on what stands around it: the controls
// C0 and C1, the bidirectional controls, tags, and what shows nothing at all.
// Joiners and variation selectors stay: words of many scripts need them.
func acts(c rune) bool {
	return c < 0x20 || 0x7f <= c && c <= 0x9f ||
		c == 0x061c || c == 0x200b || c == 0x200e || c == 0x200f || 0x202a <= c && c <= 0x202e || 0x2060 <= c && c <= 0x206f ||
		c == 0xfeff || 0xfff0 <= c && c <= 0xfffb || 0xe0000 <= c && c <= 0xe0fff
}

// Cut returns the first n characters of a line, with … where more follow.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	i := 0
	for range n {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return strings.TrimRight(s[:i], " ") + "…"
}

// Wrap breaks a line at spaces into lines of at most width characters, where its
// words allow it, and puts indent before each.
func Wrap(s, indent string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(s) {
		n := utf8.RuneCountInString(word)
		switch {
		case column == 0:
			b.WriteString(indent)
			column = utf8.RuneCountInString(indent)
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = utf8.RuneCountInString(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
