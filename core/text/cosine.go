// Package text cuts text into tokens.
//
// The tokens of the profile cosine are made like this. Letter, mark and digit
// mean the general categories L*, M* and Nd of Unicode [ucd.Version].
//
//   - A run is a letter or digit and all letters, marks and digits after it. A
//     mark after anything else belongs to that (an accent on a symbol, the
//     variation selector of an emoji) and is skipped with it.
//   - A run is brought to NFC, folded (full case folding, C and F), and brought
//     to NFC again. Nothing is stemmed, split at capitals or dropped.
//   - In the result, a unit is a letter or digit and the marks after it. A unit
//     is CJK if its first character is used in Han, Hiragana, Katakana, Hangul or
//     Bopomofo by Script_Extensions ([ucd.IsCJK]).
//   - Each longest sequence of units that are not CJK is a token. Each longest
//     sequence of CJK units gives a token for every two neighbours, 新幹線 gives
//     新幹 and 幹線; a lone one is a token itself.
//
// Canonically equivalent texts give the same tokens, whatever form they are in
// (TestEquivalentForms): a letter or digit decomposes to one and letters and
// marks after it, a mark to marks, and anything else to one thing that is
// neither, and marks (TestRunsSurviveNormalization). Folding never moves a
// character in or out of a run either.
//
// [Token.Start] and [Token.End] are offsets in the text as given: those of the
// run, or, for the tokens of a run with CJK characters, of the shortest source
// around the token that normalizes on its own. Both never fall from one token to
// the next. Neighbouring bigrams overlap in one unit; two tokens share all of
// their source only where a Hangul jamo that composes with nothing follows.
//
// A byte that is not valid UTF-8 ends a run. Time is linear in the text.
package text

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

// A Token is a piece of text in the form in which it is compared. Text may share
// memory with the text it was cut from or with other tokens: clone it to keep it.
type Token struct {
	Text       string
	Start, End int // the source of Text, in bytes
}

// Cosine yields the tokens of s for the profile cosine, by ascending Start and,
// where that is equal, in the order of the text. Stop words are among them;
// [IsStop] knows them.
func Cosine(s string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		c := cutter{source: s, yield: yield}
		for i := 0; i >= 0 && i < len(s); {
			i = c.next(i)
		}
	}
}

// A cutter makes tokens of source.
type cutter struct {
	source string
	yield  func(Token) bool
	kept   strings.Builder // the tokens that differ from their source
	spare  [2][]byte       // for what is being folded
	units  []unit          // of one run
	pieces []piece         // of one run
}

const stopped = -1

// next handles what begins at byte i, a run or characters outside of runs, and
// returns where that ends, or stopped.
func (c *cutter) next(i int) int {
	s := c.source
	for i < len(s) && ascii[s[i]] == outside {
		i++
	}
	start, seen := i, byte(0)
	for i < len(s) && ascii[s[i]]&inRun != 0 {
		seen |= ascii[s[i]]
		i++
	}
	changes := seen&capital != 0
	switch {
	case i < len(s) && s[i] >= utf8.RuneSelf:
		return c.nextRun(start, i, changes)
	case start == i:
		return i
	case changes:
		return c.emit(c.lower(s[start:i]), start, i)
	}
	return c.emit(s[start:i], start, i)
}

// ascii says of each byte whether it is outside of runs (.), a digit (1), a small
// letter (a), a capital (C), or not ASCII (~). The signs are chosen for their bits.
const ascii = "" +
	"................" +
	"................" +
	"................" +
	"1111111111......" +
	".CCCCCCCCCCCCCCC" +
	"CCCCCCCCCCC....." +
	".aaaaaaaaaaaaaaa" +
	"aaaaaaaaaaa....." +
	"~~~~~~~~~~~~~~~~" +
	"~~~~~~~~~~~~~~~~" +
	"~~~~~~~~~~~~~~~~" +
	"~~~~~~~~~~~~~~~~" +
	"~~~~~~~~~~~~~~~~" +
	"~~~~~~~~~~~~~~~~" +
	"~~~~~~~~~~~~~~~~" +
	"~~~~~~~~~~~~~~~~"

const (
	outside = '.'
	inRun   = '1' & 'a' & 'C' // one bit that '.' and '~' don't have
	capital = 'C' &^ 'a' &^ '1'
)

// nextRun is next for the run or character from start on that goes on beyond
// ASCII at byte i; changes says whether the part before i has a capital.
func (c *cutter) nextRun(start, i int, changes bool) int {
	all := ucd.Class(0)
	for i < len(c.source) {
		r, n := utf8.DecodeRuneInString(c.source[i:])
		class := ucd.ClassOf(r)
		if i == start && class&(ucd.Letter|ucd.Digit) == 0 {
			return c.skipMarks(i + n)
		}
		if class&(ucd.Letter|ucd.Digit|ucd.Mark) == 0 {
			break
		}
		all |= class
		i += n
	}
	changes = changes || all&ucd.Changes != 0
	switch {
	case all&ucd.CJK != 0:
		return c.nextCJK(start, i, changes)
	case changes:
		return c.emit(c.fold(c.source[start:i]), start, i)
	}
	return c.emit(c.source[start:i], start, i)
}

// skipMarks returns where the marks from byte i on end.
func (c *cutter) skipMarks(i int) int {
	for i < len(c.source) && c.source[i] >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(c.source[i:])
		if !ucd.IsMark(r) {
			break
		}
		i += n
	}
	return i
}

// emit yields a token and returns end, or stopped.
func (c *cutter) emit(token string, start, end int) int {
	if !c.yield(Token{token, start, end}) {
		return stopped
	}
	return end
}

// lower folds an ASCII run.
func (c *cutter) lower(run string) string {
	b := append(c.spare[0][:0], run...)
	for i := range b {
		if ascii[b[i]]&capital != 0 {
			b[i] += 'a' - 'A'
		}
	}
	c.spare[0] = b
	return c.keep(b)
}

// fold returns the compared form of a run.
func (c *cutter) fold(run string) string {
	c.spare[0] = c.appendForm(c.spare[0][:0], run)
	return c.keep(c.spare[0])
}

// appendForm appends to dst the compared form of s: NFC, folded, NFC.
func (c *cutter) appendForm(dst []byte, s string) []byte {
	composed := len(dst)
	dst = ucd.AppendNFC(dst, s)
	c.spare[1] = ucd.AppendFold(c.spare[1][:0], dst[composed:])
	return ucd.AppendNFC(dst[:composed], c.spare[1])
}

// keep returns b as a string, many of which share one piece of memory.
func (c *cutter) keep(b []byte) string {
	const piece = 1024
	if c.kept.Cap()-c.kept.Len() < len(b) {
		c.kept = strings.Builder{}
		c.kept.Grow(max(len(b), min(len(c.source), piece)))
	}
	start := c.kept.Len()
	c.kept.Write(b)
	return c.kept.String()[start:]
}
