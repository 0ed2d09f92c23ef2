// # The profile standard
//
// The tokens of the profile standard ([Standard]) are made for search. Every word is
// found by itself, whatever it is joined to, and what words are joined to is found as a
// whole. Letter, mark and digit mean what they do above, and a letter is also what UAX
// #29 takes for one, such as Ⅷ.
//
// What tokens are made of:
//
//   - Format characters and joiners (those that UAX #29 ignores inside words, and no
//     marks), variation selectors and U+034F are left out of tokens: soft hyphens, byte
//     order marks, directions.
//   - The form of a piece of text is its NFC without these, folded and brought to NFC
//     again. All tokens are forms.
//   - An atom is a letter or digit of a script with spaces, with all such letters and
//     digits after it and their marks. A sequence is the same for scripts without: Han
//     with 〇 and its like, kana, Hangul and Bopomofo ([ucd.IsCJK]), and those whose
//     letters UAX #29 joins to none: Thai, Lao, Khmer, Myanmar and some others.
//     使用kubectl部署 is a sequence, an atom and a sequence.
//   - U+2018, U+2019, U+02BC and U+FF07 are apostrophes, too.
//
// Atoms:
//
//   - 's, 're, 've, 'll, 'd and 'm after an atom, where no letter or digit follows, are
//     left out, and 't after an n belongs to its atom. So crane's is crane and What's
//     is what, and don't is one word.
//   - A part of an atom begins at a capital after a small letter, at the last of several
//     capitals if a small letter follows it (an s alone is a plural, as in URLs), at a
//     digit after a letter and at a letter after a digit: parseHTTP2Header is parse,
//     http, 2, header. If the parts had less than two characters on average, or less
//     than three where there are 32 or more, the atom is one part: b12, PhD, digests.
//
// Chains, which are atoms joined by what stands between them, without a blank:
//
//   - Atoms are joined by underscores; by one to three of - ‐ ‑ . / \ : @ & # + = ? %
//     and ~, with or without underscores; by one apostrophe; by one comma or other
//     MidNum of UAX #29 between digits; by one of its MidLetter, MidNumLet and
//     ExtendNumLet. Not by a semicolon, by U+202F, by a " between Hebrew letters or by
//     anything that has a mark.
//   - One hyphen, one apostrophe and the characters of UAX #29 join closest, then
//     underscores and several hyphens, then full stops and commas, then the others.
//   - Underscores around an atom belong to it; so do ++ and # behind one of letters that
//     begins a chain or follows one of the two looser joints, as in Notepad++; a
//     single letter is no word without them, so that C++ and C# are not C. So does,
//     before the letter with which a chain begins, a full stop that follows none of
//     . ) ] and }, as in .NET.
//
// Tokens:
//
//   - An atom with one part, joined to nothing, is a [Word]. All other parts are each a
//     [Part], in the order of the text.
//   - Beside its parts stand, as tokens, a chain; in a chain with the loosest joints,
//     what is joined more closely; in that, what is joined more closely than by full
//     stops; and each atom of several parts. obj.parseHTTP(max_len) is obj.parsehttp,
//     obj, parsehttp, parse, http, and max_len, max, len. Joined by hyphens and
//     the like alone, of letters and without atoms of several parts, it is a [Compound],
//     as well-known and o'reilly; else an [Identifier]. In both, \ is spelled /,
//     and hyphens and apostrophes as in ASCII.
//   - Where a blank is missing, sentences are joined, too: end.Next is end.next, end,
//     next. The parts make this harmless.
//   - A character of a sequence and the one after it, with their marks, are a [Bigram];
//     the last one is a [Tail]. One token begins with each character, so that a search
//     for one character is a search for the prefix of tokens, and a search for more
//     is one for their bigrams in a row, without the tail.
//   - No token is longer than [MaxToken]. A longer compound or identifier is none, but
//     what it holds is there; a longer part is cut into several, of at most 85 bytes
//     before folding; a character of a sequence with more than 42 bytes of marks
//     is cut, too. So nothing is out of reach.
//
// Words, parts, bigrams and tails take one position each; a whole has the position of
// its first part and comes before it. "parse http header" is a phrase of
// parseHTTPHeader.
//
// White space ends all of these, and a token depends on nothing behind: the tokens of
// two texts are those of the texts with white space between (TestStandardInPieces). What
// is a word to UAX #29 is a token or in one (TestWordsOfUnicodeAreInTokens).
// Canonically equivalent texts have the same tokens, and time is linear, as above.
// TestStandardEquivalentForms and FuzzStandard compare the tokens with what a slow
// reading of these rules gives.
//
// With BM25, Porter's stems and the stop words, nDCG@10 over test collections: with no
// parts at all cosqa has .392, with parts .399, with identifiers beside them .403; parts
// that begin at digits raise scifact from .688 to .699; compounds, if they score, lower
// cranfield from .382 to .377, since they say what their parts say.
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
