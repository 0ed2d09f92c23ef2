package chunk

import (
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

func decode(s string) (rune, int) { return utf8.DecodeRuneInString(s) }

// sentenceEnd returns where the sentence that begins at byte i ends, with the
// white space after it, or end. A sentence ends
//
//   - behind 。！？｡ and what closes brackets and quotation, in any text;
//   - behind . ! ? … and their like in other scripts, and what closes, where white
//     space follows; a full stop ends none behind a single letter (e.g. this, J.
//     Doe) or before a small one.
func sentenceEnd(source string, i, end int) int {
	for i < end {
		c := source[i]
		if c < utf8.RuneSelf && c != '.' && c != '!' && c != '?' {
			i++
			continue
		}
		r, n := decode(source[i:end])
		if !isWide(r) && !isStop(r) {
			i += n
			continue
		}
		at := i
		stop, wide := skipStops(source, i, end)
		after := skipSpace(source, stop, end)
		if wide || after > stop && !(r == '.' && goesOn(source, at, after, end)) {
			return after
		}
		i = stop
	}
	return end
}

// skipStops returns where the graphemes end that end a sentence and close what it
// opened, from byte i on, and whether one of them needs no white space.
func skipStops(source string, i, end int) (stop int, wide bool) {
	for i < end {
		r, _ := decode(source[i:end])
		if !isWide(r) && !isStop(r) && !isCloser(r) {
			break
		}
		wide = wide || isWide(r)
		n, _ := grapheme(source, i, end)
		i += n
	}
	return i, wide
}

// skipSpace returns where white space from byte i on ends.
func skipSpace(source string, i, end int) int {
	for i < end {
		n, space := grapheme(source, i, end)
		if !space {
			break
		}
		i += n
	}
	return i
}

// goesOn reports whether the sentence goes on at byte next behind the full stop
// at byte dot.
func goesOn(source string, dot, next, end int) bool {
	if r, _ := decode(source[next:end]); ucd.IsLower(r) {
		return true
	}
	r, n := utf8.DecodeLastRuneInString(source[:dot])
	if !ucd.IsLetter(r) || ucd.IsCJK(r) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(source[:dot-n])
	return dot == n || !ucd.IsLetter(before) && !ucd.IsDigit(before) && !ucd.IsMark(before)
}

// isWide reports whether r ends a sentence where no white space follows.
func isWide(r rune) bool {
	switch r {
	case '。', '！', '？', '｡', '︒':
		return true
	}
	return false
}

// isStop reports whether r ends a sentence where white space follows.
func isStop(r rune) bool {
	switch r {
	case '.', '!', '?', '…', '‼', '⁇', '⁈', '⁉', '．',
		'؟', '۔', // Arabic
		'।', '॥', // Devanagari and its neighbours
		'։', '።', '។', '။': // Armenian, Ethiopic, Khmer, Myanmar
		return true
	}
	return false
}

// isCloser reports whether r may follow the end of a sentence and belong to it.
func isCloser(r rune) bool {
	switch r {
	case ')', ']', '}', '"', '\'', '*', '_', '`', '”', '’', '»', '›', '」', '』', '）', '］', '】', '》', '〉', '〕', '｣', '＂', '＇':
		return true
	}
	return false
}
