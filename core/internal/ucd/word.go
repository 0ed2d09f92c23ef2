package ucd

import (
	"iter"
	"unicode/utf8"
)

// A wordBreak is a set of values of Word_Break; each character has one.
type wordBreak uint32

// In the order of gen.mjs.
const (
	wbOther wordBreak = 1 << iota
	wbCR
	wbLF
	wbNewline
	wbExtend
	wbFormat
	wbZWJ
	wbALetter
	wbHebrew
	wbNumeric
	wbKatakana
	wbExtendNumLet
	wbMidLetter
	wbMidNum
	wbMidNumLet
	wbSingleQuote
	wbDoubleQuote
	wbRegional
	wbSpace

	wbLine       = wbCR | wbLF | wbNewline
	wbIgnored    = wbExtend | wbFormat | wbZWJ
	wbLetter     = wbALetter | wbHebrew
	wbInLetters  = wbMidLetter | wbMidNumLet | wbSingleQuote
	wbInNumbers  = wbMidNum | wbMidNumLet | wbSingleQuote
	wbWordPart   = wbLetter | wbNumeric | wbKatakana
	wbConnecting = wbWordPart | wbExtendNumLet
)

func wordBreakOf(record uint32) wordBreak { return 1 << (record >> 8 & 31) }

const pictographic = 1 << 19

// Words yields the segments between the word boundaries of s, in order; together
// they are s. Spaces and punctuation are segments too.
func Words(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(s) > 0 {
			n := NextWord(s)
			if !yield(s[:n]) {
				return
			}
			s = s[n:]
		}
	}
}

// NextWord returns the length in bytes of the first segment of s, which has to
// begin at a word boundary, as every text does. It is 0 only for an empty s.
func NextWord(s string) int {
	n, _ := nextWord(s)
	return n
}

// nextWord also returns how many characters it read beyond those it decided on.
func nextWord(s string) (n, ahead int) {
	if n := quickWord(s); n > 0 || s == "" {
		return n, 0
	}
	r, i := decode(s, 0)
	raw := wordBreakOf(charOf(r)) // of the character before i
	last := raw                   // of the last one that WB4 doesn't ignore
	before := wbOther             // of the one before that, in this word
	if raw&wbLine != 0 {
		if raw == wbCR && i < len(s) && s[i] == '\n' {
			i++ // WB3
		}
		return i, 0 // WB3a
	}
	for i < len(s) {
		r, size := decode(s, i)
		record := charOf(r)
		next := wordBreakOf(record)
		switch {
		case next&wbLine != 0:
			return i, ahead // WB3b
		case raw == wbZWJ && record&pictographic != 0: // WB3c
		case raw == wbSpace && next == wbSpace: // WB3d
		case next&wbIgnored != 0: // WB4
			raw = next
			i += size
			continue
		case joins(before, last, next):
		case asksNext(last, next):
			after, steps := peekWord(s, i+size)
			ahead += steps
			if !joinsBefore(last, next, after) {
				return i, ahead
			}
		default:
			return i, ahead // WB999
		}
		before, last, raw = last, next, next
		i += size
	}
	return i, ahead
}

// quickWord knows the two commonest segments: ASCII letters, digits and
// underscores before a space (WB5, WB8, WB9, WB10, WB13a, WB13b), and one space
// before another ASCII character. It returns 0 for what it doesn't know. It makes
// English three times as fast (BenchmarkWords).
func quickWord(s string) int {
	if s == "" {
		return 0
	}
	if s[0] == ' ' {
		if len(s) == 1 || s[1] < utf8.RuneSelf && s[1] != ' ' {
			return 1
		}
		return 0
	}
	i := 0
	for i < len(s) && isWordByte(s[i]) {
		i++
	}
	if i == len(s) || s[i] == ' ' {
		return i
	}
	return 0
}

func isWordByte(b byte) bool {
	return (b|0x20)-'a' < 26 || b-'0' < 10 || b == '_'
}

// joins holds the rules that look back: no boundary between last and next.
func joins(before, last, next wordBreak) bool {
	switch {
	case last&wbConnecting != 0 && next&wbConnecting != 0:
		return last&wbKatakana == next&wbKatakana || // WB5, WB8, WB9, WB10, WB13, WB13a, WB13b
			(last|next)&wbExtendNumLet != 0
	case last&wbInLetters != 0 && next&wbLetter != 0 && before&wbLetter != 0:
		return true // WB7
	case last == wbHebrew && next == wbSingleQuote:
		return true // WB7a
	case last == wbDoubleQuote && next == wbHebrew && before == wbHebrew:
		return true // WB7c
	case last&wbInNumbers != 0 && next == wbNumeric && before == wbNumeric:
		return true // WB11
	case last == wbRegional && next == wbRegional:
		return before != wbRegional // WB15, WB16: a word begins with the first of a pair
	}
	return false
}

// asksNext reports whether a rule that looks past next may join it to last.
func asksNext(last, next wordBreak) bool {
	return last&wbLetter != 0 && next&(wbInLetters|wbDoubleQuote) != 0 ||
		last == wbNumeric && next&wbInNumbers != 0
}

// joinsBefore holds the rules that look ahead: no boundary between last and next
// when after follows.
func joinsBefore(last, next, after wordBreak) bool {
	switch {
	case last&wbLetter != 0 && next&wbInLetters != 0 && after&wbLetter != 0: // WB6
	case last == wbHebrew && next == wbDoubleQuote && after == wbHebrew: // WB7b
	case last == wbNumeric && next&wbInNumbers != 0 && after == wbNumeric: // WB12
	default:
		return false
	}
	return true
}

// peekWord returns the value of the first character from i on that WB4 doesn't
// ignore, and how many characters it read.
func peekWord(s string, i int) (value wordBreak, steps int) {
	for i < len(s) {
		r, n := decode(s, i)
		steps++
		if v := wordBreakOf(charOf(r)); v&wbIgnored == 0 {
			return v, steps
		}
		i += n
	}
	return wbOther, steps
}
