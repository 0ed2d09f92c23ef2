package ucd

import "unicode/utf8"

// A value of the norm trie is 0 for a character that normalization leaves alone
// and that nothing combines into; below normMapped its combining class, plus
// normBackward where it combines with a character before it; else normMapped
// plus the place of its decomposition in normPool.
const (
	normBackward = 0x100
	normMapped   = 0x200
)

// The bits of a decomposition's first byte.
const (
	poolLength  = 0x0F // bytes that follow
	poolAttach  = 0x40 // its first character may combine with or move before what precedes
	poolReplace = 0x80 // the decomposed character never stands in NFC
)

func normOf(r rune) uint32 {
	return le16(normBlocks, blockOf(normIndex, slot(r)))
}

// startsApart reports whether text that begins with a character of value v
// normalizes on its own, whatever stands before it.
func startsApart(v uint32) bool {
	return v == 0 || v >= normMapped && normPool[v-normMapped]&poolAttach == 0
}

// AppendNFC appends the normalization form C of s to dst.
func AppendNFC[S ~string | ~[]byte](dst []byte, s S) []byte {
	for i := 0; i < len(s); {
		piece, at := quickSpan(s, i)
		dst = append(dst, s[i:piece]...)
		if at == len(s) {
			break
		}
		i = nextNFC(s, at)
		dst = appendPiece(dst, s[piece:i])
	}
	return dst
}

// IsNFC reports whether s is valid UTF-8 and its own normalization form C.
func IsNFC[S ~string | ~[]byte](s S) bool {
	var buf [64]byte
	for i := 0; i < len(s); {
		piece, at := quickSpan(s, i)
		if at == len(s) {
			break
		}
		i = nextNFC(s, at)
		if string(appendPiece(buf[:0], s[piece:i])) != string(s[piece:i]) {
			return false
		}
	}
	return true
}

// NextNFC returns the length in bytes of the shortest start of s that normalizes
// on its own: the NFC of s is the NFC of that start and the NFC of the rest.
// It is 0 only for an empty s.
func NextNFC[S ~string | ~[]byte](s S) int {
	if len(s) == 0 {
		return 0
	}
	return nextNFC(s, 0)
}

// nextNFC returns the first place after the character at s[i] where s can be cut.
func nextNFC[S ~string | ~[]byte](s S, i int) int {
	_, n := decode(s, i)
	for i += n; i < len(s); i += n {
		var r rune
		r, n = decode(s, i)
		if startsApart(normOf(r)) {
			break
		}
	}
	return i
}

// quickSpan reads s from a place where it can be cut. It stops at the first
// character that is possibly not in its NFC form or order, at, or at the end of s.
// The text before piece is in NFC and can be cut there; piece is at most at.
func quickSpan[S ~string | ~[]byte](s S, i int) (piece, at int) {
	piece, at = i, i
	class := uint32(0)
	for at < len(s) {
		if s[at] < utf8.RuneSelf {
			piece, class = at, 0
			at++
			continue
		}
		r, n := decode(s, at)
		if n == 1 {
			return at, at
		}
		v := normOf(r)
		switch {
		case startsApart(v):
			piece, class = at, 0
			if v != 0 && normPool[v-normMapped]&poolReplace != 0 {
				return at, at
			}
		case v >= normBackward || v < class:
			return piece, at
		default:
			class = v
		}
		at += n
	}
	return at, at
}

// A char is a character with its combining class in the top byte, so that
// sorting by class can keep the order of equal ones.
type char uint32

func (c char) char() rune   { return rune(c & 0xFFFFFF) }
func (c char) class() uint8 { return uint8(c >> 24) }

// appendPiece normalizes s, which can be cut from its surroundings at both ends.
func appendPiece[S ~string | ~[]byte](dst []byte, s S) []byte {
	var room [32]char
	chars := room[:0]
	for i := 0; i < len(s); {
		r, n := decode(s, i)
		chars = appendDecomposed(chars, r)
		i += n
	}
	order(chars)
	for _, c := range compose(chars) {
		dst = utf8.AppendRune(dst, c.char())
	}
	return dst
}

// appendDecomposed appends the full canonical decomposition of r. Hangul
// syllables stay whole: their parts never reorder, and compose adds a trailing
// consonant to a syllable without one.
func appendDecomposed(dst []char, r rune) []char {
	v := normOf(r)
	if v < normMapped {
		return append(dst, char(r)|char(v&0xFF)<<24)
	}
	at := v - normMapped + 1
	end := at + uint32(normPool[at-1]&poolLength)
	for at < end {
		r, n := decode(normPool, int(at))
		dst = append(dst, char(r)|char(normOf(r)&0xFF)<<24)
		at += uint32(n)
	}
	return dst
}

// order sorts each run of characters with a combining class by class, keeping
// the order of equal ones. It returns how often it placed a character, at most
// insertionMax times the number of characters.
func order(chars []char) (placed int) {
	for i := 0; i < len(chars); i++ {
		first := i
		for i < len(chars) && chars[i].class() != 0 {
			i++
		}
		if run := chars[first:i]; len(run) <= insertionMax {
			placed += orderShort(run)
		} else {
			placed += orderLong(run)
		}
	}
	return placed
}

// insertionMax is the longest run that insertion sort gets. Real text has fewer
// than five marks on a letter; hostile text has thousands.
const insertionMax = 16

func orderShort(run []char) (placed int) {
	for i := 1; i < len(run); i++ {
		c := run[i]
		j := i
		for j > 0 && run[j-1].class() > c.class() {
			run[j] = run[j-1]
			j--
			placed++
		}
		run[j] = c
	}
	return placed
}

// orderLong is a counting sort.
func orderLong(run []char) (placed int) {
	var next [256]int
	for _, c := range run {
		next[c.class()]++
	}
	sum := 0
	for class, n := range next {
		next[class] = sum
		sum += n
	}
	sorted := make([]char, len(run))
	for _, c := range run {
		sorted[next[c.class()]] = c
		next[c.class()]++
	}
	return len(run) + copy(run, sorted)
}

// compose combines characters with the starter before them where nothing
// between blocks it, in place.
func compose(chars []char) []char {
	out := chars[:0]
	starter := -1 // the place in out of the last character of class 0
	last := -1    // the class of the last character after it, -1 if there is none
	for _, c := range chars {
		class := int(c.class())
		if starter >= 0 && last < class {
			if r, ok := pair(out[starter].char(), c.char()); ok {
				out[starter] = char(r)
				continue
			}
		}
		if last = class; class == 0 {
			starter, last = len(out), -1
		}
		out = append(out, c)
	}
	return out
}

// Hangul syllables are composed by arithmetic (The Unicode Standard, §3.12).
const (
	hangulLead, hangulLeads   = 0x1100, 19
	hangulVowel, hangulVowels = 0x1161, 21
	hangulTail, hangulTails   = 0x11A7, 28 // one before the first tail: no tail
	hangul, hangulSyllables   = 0xAC00, hangulLeads * hangulVowels * hangulTails
)

// pair returns the primary composite of a and b, if there is one.
func pair(a, b rune) (rune, bool) {
	if l, v := a-hangulLead, b-hangulVowel; 0 <= l && l < hangulLeads && 0 <= v && v < hangulVowels {
		return hangul + (l*hangulVowels+v)*hangulTails, true
	}
	if s, t := a-hangul, b-hangulTail; 0 <= s && s < hangulSyllables && s%hangulTails == 0 && 0 < t && t < hangulTails {
		return a + t, true
	}
	return pairInTable(a, b)
}

// pairInTable is a binary search in normPairs.
func pairInTable(a, b rune) (rune, bool) {
	const row = 9
	want := uint64(a)<<24 | uint64(b)
	low, high := 0, len(normPairs)/row
	for low < high {
		mid := int(uint(low+high) / 2)
		at := row * mid
		got := uint64(be24(at))<<24 | uint64(be24(at+3))
		switch {
		case got == want:
			return be24(at + 6), true
		case got < want:
			low = mid + 1
		default:
			high = mid
		}
	}
	return 0, false
}

func be24(at int) rune {
	b := normPairs[at : at+3]
	return rune(b[0])<<16 | rune(b[1])<<8 | rune(b[2])
}
