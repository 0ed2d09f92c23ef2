// # The profile standard
//
// [Standard] makes the tokens of the profile standard. A word is found by itself, in
// whatever it is part of; names and numbers are found whole, too. Signs (Letter, mark and
// digit are as above; a letter is also what UAX #29 counts among the letters of
// words, such as Ⅷ):
//
//   - What UAX #29 ignores inside words (soft hyphens, joiners, direction marks),
//     variation selectors and U+034F are left out. U+2019, U+2018, U+02BC and
//     U+FF07 are apostrophes.
//   - The form of a text is its NFC, without what is left out, folded as above.
//   - An atom is a letter or digit and all letters, marks and digits after it, of
//     scripts with spaces.
//   - A sequence is the same of scripts without: Han, Kana, Hangul and Bopomofo
//     ([ucd.IsCJK]), 〇 and the other ideographic numbers, and letters that UAX #29
//     joins to nothing, as those of Thai, Lao, Khmer and Myanmar. So 使用kubectl部署
//     is a sequence, an atom and a sequence.
//
// Atoms:
//
//   - 's, 're, 've, 'll, 'd and 'm at the end of an atom are left out: crane's is
//     crane. 't after an n belongs to it: don't is one atom. So a word of the text
//     that is an English short form is a stop word if it should be one.
//   - An atom has parts, which begin at a capital after a small letter, at the last
//     of several capitals if a small letter follows (but s alone is a plural: URLs),
//     at a digit after a letter and at a letter after a digit. parseHTTP2Header is
//     parse, http, 2, header. If they would have less than two characters on
//     average, or less than three in an atom of 32 or more, the atom is one part:
//     b12, PhD, digests and base64 stay as they are.
//   - An atom of one part that nothing is joined to is a [Word].
//
// Chains:
//
//   - Atoms are joined by what stands between them without a blank: underscores; one
//     to three of - ‐ ‑ . / \ : @ & # + = ? % ~ and underscores around them; one
//     apostrophe; one comma between digits; one of the other characters by which
//     UAX #29 joins, but neither ; nor U+202F nor a " in Hebrew. None of them joins
//     if a mark belongs to it.
//   - Closest join single hyphens, apostrophes and the characters of UAX #29, then
//     underscores and several hyphens, then full stops and commas, then all else.
//     Underscores around atoms belong to them; so do ++ and # after a first atom of
//     letters (C++, C#), and a full stop before a letter that begins a chain and
//     follows none of . ) ] } (.NET).
//   - What is joined is a token, as one, at three levels: the chain, what full stops
//     join in it, what closer joints join in that; and each atom of several parts. It
//     is a [Compound] if single hyphens, apostrophes and the like join atoms of letters of
//     one part (well-known, o'reilly), else an [Identifier]. obj.parseHTTP(max_len)
//     gives obj.parsehttp, obj, parsehttp, parse, http, max_len, max, len. In it,
//     \ is spelled /, a hyphen - and an apostrophe '.
//   - Each part of an atom in a chain, or in an atom of several parts, is a [Part].
//     Full stops that end sentences join words only where a blank is missing: end.Next
//     is end.next, end, next. The parts are there in any case.
//
// Sequences: a character with its marks and the one after it are a [Bigram]; the last
// is a [Tail]. So each character begins one token: one character is found as the
// prefix of tokens (Tail in a query), two or more as the bigrams of the query,
// in a row, without its tail.
//
// Sizes: no token is longer than [MaxToken] bytes. Longer chains and the like are
// not tokens, but what they hold is; a longer part is cut into Parts, at characters,
// of at most 85 bytes before folding. A character with more than 42 bytes of marks
// is cut in the same way.
//
// Positions count words, parts, bigrams and tails from 0. A compound or identifier
// has the position of its first part, and comes before it. So "parse http header"
// is found in parseHTTPHeader as a phrase.
//
// Tokens depend on nothing beyond the chain or sequence they are in, and these end
// at white space: a text cut there has the same tokens (TestStandardInPieces). As
// with the profile cosine, canonically equivalent texts have the same tokens, and time
// is linear; FuzzStandard and TestStandardEquivalentForms compare all this with a
// slow reading of the rules above.
//
// Parts beside wholes are worth the most of all (cosqa, nDCG@10 with BM25: .401
// against .392 without), letters cut from digits too (scifact .699 against .688).
// Compounds should not be scored: the parts say the same twice (cranfield .377
// against .382).
package text

import (
	"iter"
	"unicode/utf8"
)

// MaxToken is the largest length in bytes of a token of the profile standard: a
// byte can hold it.
const MaxToken = 255

// sureLength is the largest length in bytes of a source whose form surely is no
// longer than a token: no character's form has more than three times its length.
const sureLength = MaxToken / 3

// A Place says what a token of the profile standard is, and how many tokens that
// take a position stand before it.
type Place struct {
	Position int32
	Kind     Kind
}

// A Kind says what a token of the profile standard is made of.
type Kind uint8

const (
	Word       Kind = iota // a word by itself
	Part                   // a word inside a compound or identifier
	Compound               // words of letters with hyphens or apostrophes between: well-known
	Identifier             // anything else that has parts: parseHTTPHeader, INV-004, a/b
	Bigram                 // two neighbours in a script without spaces
	Tail                   // the last of such neighbours
)

// IsWhole reports whether tokens of this kind stand beside their parts. They take
// no position; all others take one each.
func (k Kind) IsWhole() bool { return k == Compound || k == Identifier }

// Standard yields the tokens of s for the profile standard, by ascending Start
// and, where that is equal, wholes before what they hold. Stop words are among
// them; [IsStandardStop] knows them.
func Standard(s string) iter.Seq2[Token, Place] {
	return func(yield func(Token, Place) bool) {
		w := walker{cutter: cutter{source: s}, yield: yield}
		w.walk()
	}
}

// A walker makes the tokens of the profile standard.
type walker struct {
	cutter
	yield    func(Token, Place) bool
	position int32
	chain    []atom // words that are joined to one another
	cuts     []int  // where the parts of the chain's atoms begin
	prefix   int    // where the full stop before the chain stands, or none
	form     string // of the chain from byte formed on, if it is ASCII
	formed   int
	whole    []byte // the text of a compound or identifier
}

// place yields a token and returns end, or stopped.
func (w *walker) place(text string, start, end int, kind Kind) int {
	if !w.yield(Token{text, start, end}, Place{w.position, kind}) {
		return stopped
	}
	if !kind.IsWhole() {
		w.position++
	}
	return end
}

// walk yields the tokens of the source. Words of ASCII that nothing joins to
// others are made here, without a call but the consumer's.
func (w *walker) walk() {
	s := w.source
	for i := 0; i >= 0 && i < len(s); {
		first := signs[s[i]]
		if first&inWord == 0 {
			if first&canBegin == 0 {
				i++
			} else {
				i = w.nextOther(i)
			}
			continue
		}
		start, rest := i, byte(0)
		for i++; i < len(s) && signs[s[i]]&inWord != 0; i++ {
			rest |= signs[s[i]]
		}
		end, all := i, first|rest
		if i < len(s) && signs[s[i]]|isStop == stop {
			i++
		}
		if i < len(s) && signs[s[i]] != blank || end-start > MaxToken || all != small && isMixed(first, rest) {
			i = w.nextJoined(start, end, first, rest)
			continue
		}
		text := s[start:end]
		if all&isCapital != 0 {
			text = w.lower(text)
		}
		if !w.yield(Token{text, start, end}, Place{w.position, Word}) {
			return
		}
		w.position++
	}
}

// endsPlainly reports whether one look shows, as in walk, that nothing joins the
// word that ends at byte i to another: a blank or the end follows, perhaps after
// one character that can join.
func (w *walker) endsPlainly(i int) bool {
	s := w.source
	if i < len(s) && signs[s[i]]|isStop == stop {
		i++
	}
	return i >= len(s) || signs[s[i]] == blank
}

// nextJoined handles the word from start on, which is ASCII up to byte i, and what
// is joined to it, and returns where that ends, or stopped.
func (w *walker) nextJoined(start, i int, first, rest byte) int {
	switch {
	case i < len(w.source) && signs[w.source[i]] == wide:
		return w.nextWide(start, i, first, rest)
	case i < len(w.source) && w.source[i] == '\'':
		return w.nextContraction(start, i, first, rest)
	}
	return w.nextChain(start, start)
}

// nextContraction is nextJoined for a word before an apostrophe.
func (w *walker) nextContraction(start, i int, first, rest byte) int {
	end, after := i, i+ending(w.source, i)
	if n := negation(w.source, i); n > 0 {
		end, after = i+n, i+n
	}
	if isMixed(first, rest) || end-start > MaxToken || !w.endsPlainly(after) {
		return w.nextChain(start, start)
	}
	text := w.source[start:end]
	if (first|rest|signs[w.source[end-1]])&isCapital != 0 {
		text = w.plain(text)
	}
	if w.place(text, start, end, Word) == stopped {
		return stopped
	}
	return after
}

// nextWide is nextJoined for a word that goes on beyond ASCII, or such a character
// after it.
func (w *walker) nextWide(start, i int, first, rest byte) int {
	a := atom{from: start, start: start, end: i, first: first, rest: rest}
	w.readOn(&a)
	switch {
	case a.seen&hasIgnored != 0 || a.isMixed() || a.end-start > sureLength || !w.endsApart(a.next):
		return w.nextChain(start, start)
	case w.place(w.formOf(&a), start, a.end, Word) == stopped:
		return stopped
	}
	return a.next
}

// endsApart is endsPlainly for characters beyond ASCII, too.
func (w *walker) endsApart(i int) bool {
	if w.endsPlainly(i) {
		return true
	}
	_, n := connector(w.source, i)
	return n == 0 && signs[w.source[i]] == wide
}

// nextOther handles what begins at byte i where no ASCII letter or digit stands,
// and returns where that ends, or stopped.
func (w *walker) nextOther(i int) int {
	s := w.source
	switch {
	case s[i] == '_':
		start := skipLow(s, i)
		if signAt(s, start)&inWord == 0 {
			return max(start, i+1)
		}
		return w.nextChain(i, start)
	case s[i] == '.' && isPrefix(s, i):
		return w.nextChain(i, i+1)
	case s[i] < utf8.RuneSelf:
		return i + 1
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	switch sign, _ := signOf(r); {
	case sign == unspaced:
		return w.nextSequence(i)
	case sign&inWord != 0:
		return w.nextWide(i, i, 0, 0)
	}
	return w.skipMarks(i + n)
}

// isPrefix reports whether the full stop at byte i of s belongs to the word after
// it, as in .NET.
func isPrefix(s string, i int) bool {
	if i > 0 {
		switch s[i-1] {
		case '.', ')', ']', '}':
			return false
		}
	}
	sign := signAt(s, i+1)
	return sign&inWord != 0 && sign&isLetter != 0
}

// skipLow returns where the underscores from byte i of s on end. One that a mark
// belongs to is none.
func skipLow(s string, i int) int {
	start := i
	for i < len(s) && s[i] == '_' {
		i++
	}
	if i > start && i < len(s) && s[i] >= utf8.RuneSelf && signAt(s, i) == attached {
		i--
	}
	return i
}
