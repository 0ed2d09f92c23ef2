package ucd

import (
	"iter"
	"unicode/utf8"
)

// A graphemeBreak is a set of values of Grapheme_Cluster_Break; each character has one.
type graphemeBreak uint16

// In the order of gen.mjs.
const (
	gbOther graphemeBreak = 1 << iota
	gbCR
	gbLF
	gbControl
	gbExtend
	gbZWJ
	gbPrepend
	gbSpacingMark
	gbRegional
	gbL
	gbV
	gbT
	gbLV
	gbLVT

	gbAlone = gbCR | gbLF | gbControl
	gbAfter = gbExtend | gbZWJ | gbSpacingMark
)

func graphemeBreakOf(record uint32) graphemeBreak { return 1 << (record >> 13 & 15) }

// The values of Indic_Conjunct_Break, in the order of gen.mjs.
const (
	inCBNone = iota
	inCBConsonant
	inCBLinker
	inCBExtend
)

func inCBOf(record uint32) uint32 { return record >> 17 & 3 }

// Graphemes yields the extended grapheme clusters of s, what a reader takes for
// one character, in order; together they are s.
func Graphemes(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(s) > 0 {
			n := NextGrapheme(s)
			if !yield(s[:n]) {
				return
			}
			s = s[n:]
		}
	}
}

// NextGrapheme returns the length in bytes of the first extended grapheme cluster
// of s, which has to begin at a border of clusters, as every text does. It is 0
// only for an empty s.
func NextGrapheme(s string) int {
	if len(s) == 0 {
		return 0
	}
	if s[0] != '\r' && s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1 // in ASCII, only CR LF is longer
	}
	r, i := decode(s, 0)
	last := charOf(r)
	var c cluster
	c.add(last)
	for i < len(s) {
		r, n := decode(s, i)
		next := charOf(r)
		if !glued(last, next) && !c.glues(last, next) {
			break
		}
		c.add(next)
		last = next
		i += n
	}
	return i
}

// GraphemeStart returns the last border of extended grapheme clusters at or
// before byte i of s. It reads as far back as borders depend on it, usually one
// cluster. An i outside s counts as the nearer end.
func GraphemeStart(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	if i <= 0 {
		return 0
	}
	at := certainBorder(s, charStart(s, i))
	for {
		n := NextGrapheme(s[at:])
		if at+n > i {
			return at
		}
		at += n
	}
}

// GraphemeEnd returns the first border of extended grapheme clusters at or after
// byte i of s. An i outside s counts as the nearer end.
func GraphemeEnd(s string, i int) int {
	i = max(0, min(i, len(s)))
	at := GraphemeStart(s, i)
	if at < i {
		at += NextGrapheme(s[at:])
	}
	return at
}

// charStart returns where the character that holds byte i of s begins.
func charStart(s string, i int) int {
	for back := 1; back < utf8.UTFMax && back <= i; back++ {
		if _, n := decode(s, i-back); n > back {
			return i - back
		}
	}
	return i
}

// certainBorder returns the last place at or before i, where a character begins,
// that is a border whatever stands before it.
func certainBorder(s string, i int) int {
	r, _ := decode(s, i)
	next := charOf(r)
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		last := charOf(r)
		if !glued(last, next) && !mayGlue(last, next) {
			break
		}
		next = last
		i -= n
	}
	return i
}

// glued holds the rules for which two characters are enough: there is never a
// border between them.
func glued(last, next uint32) bool {
	a, b := graphemeBreakOf(last), graphemeBreakOf(next)
	switch {
	case (a|b)&gbAlone != 0:
		return a == gbCR && b == gbLF // GB3, GB4, GB5
	case b&gbAfter != 0 || a == gbPrepend:
		return true // GB9, GB9a, GB9b
	case a == gbL:
		return b&(gbL|gbV|gbLV|gbLVT) != 0 // GB6
	case a&(gbLV|gbV) != 0:
		return b&(gbV|gbT) != 0 // GB7
	case a&(gbLVT|gbT) != 0:
		return b == gbT // GB8
	}
	return false
}

// mayGlue reports whether the two are glued by what stands before them, if at all.
func mayGlue(last, next uint32) bool {
	a, b := graphemeBreakOf(last), graphemeBreakOf(next)
	return a == gbRegional && b == gbRegional ||
		a == gbZWJ && next&pictographic != 0 ||
		inCBOf(last) >= inCBLinker && inCBOf(next) == inCBConsonant
}

// A cluster is what the rules ask of the characters of a cluster so far.
type cluster struct {
	consonant bool // ends in an Indic consonant, then extending characters,
	linker    bool // of which one is a linker
	picture   bool // ends in a pictograph, then extending characters,
	joiner    bool // then a zero-width joiner
	flags     int  // how many regional indicators
}

func (c *cluster) add(record uint32) {
	switch inCBOf(record) {
	case inCBConsonant:
		c.consonant, c.linker = true, false
	case inCBLinker:
		c.linker = c.consonant
	case inCBNone:
		c.consonant, c.linker = false, false
	}
	b := graphemeBreakOf(record)
	c.joiner = c.picture && b == gbZWJ
	c.picture = record&pictographic != 0 || c.picture && b == gbExtend
	if b == gbRegional {
		c.flags++
	}
}

// glues holds the rules that need more than two characters.
func (c *cluster) glues(last, next uint32) bool {
	return c.linker && inCBOf(next) == inCBConsonant || // GB9c
		c.joiner && next&pictographic != 0 || // GB11
		c.flags%2 == 1 && graphemeBreakOf(last) == gbRegional && graphemeBreakOf(next) == gbRegional // GB12, GB13
}
