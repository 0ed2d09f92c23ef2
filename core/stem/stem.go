// Package stem takes endings off words, so that the forms of a word are found by
// each other: connect, connected and connections all have the stem connect.
//
// The algorithms are those of Snowball 3.1, written from their descriptions at
// https://snowballstem.org/algorithms/ (Martin Porter and others). Where one is
// silent or behind the program, the program's stems decide.
//
//	da Danish     de German       en English (Porter2)   es Spanish   et Estonian
//	fi Finnish    fr French       ga Irish               hu Hungarian
//	id Indonesian (Tala)          it Italian             nl Dutch (Porter)
//	no nb nn Norwegian            pt Portuguese          ro Romanian
//	ru Russian    sv Swedish
//
// Dutch is Porter's algorithm, which Snowball calls dutch_porter. What it has for
// Dutch since 3.0, the algorithm of Kraaij and Pohlmann, is published as a program
// only, and takes more than endings: of geluidgevoelige it leaves luidvoel.
//
// # Words
//
// A word is valid UTF-8, in lower case and NFC, made of letters, marks and
// apostrophes (' or ’). Anything else is its own stem: a word with a digit, a
// hyphen, an ASCII capital or a byte that is not UTF-8. So is a word of which
// nothing would be left. A letter foreign to a language is a consonant to it.
//
// A stem is for comparing with other stems of the same [Version] and language,
// nothing else. It need not be a word (happi), and stemming it again may take more
// off. It is valid UTF-8, never empty and, since ’ counts as ', may differ from a
// word that has no ending. See TestVectors, with about 2,000 words a language,
// TestSelf and FuzzStem.
//
// # Case folding
//
// Words are expected to be folded in full (CaseFolding.txt, C and F), which loses
// more than case in these languages:
//
//   - German: ß is ss. The algorithm writes ss for ß itself, so no stem changes.
//     It also takes ae, oe and ue for ä, ö and ü, and drops the dots in the end.
//   - Irish: a prefix before a capital, as in tAthair and nÉireann, becomes a
//     letter like any other. It is not taken off, since tathair could be a word;
//     the prefixes h-, n- and t- are not either, since a hyphen ends a token.
//     Mutations that are letters in themselves (gc, bhf, mh) are undone.
//   - Romanian: none, but ş and ţ, which older texts write, are taken for ș and ț.
//   - Russian: none, but ё is taken for е.
//
// İ becomes i and a mark, which is no letter of these languages. Turkish, where
// folding takes ı for i, has no stemmer here.
//
// # Time
//
// Time is linear in the word, of whatever length, and memory is a copy of it
// (TestLongWords). A common word takes less than a microsecond of native code and
// a few as WebAssembly, mostly without allocating; making a stemmer, which builds
// its tables, takes 10 to 200 µs and some ten times that (BenchmarkStem,
// BenchmarkNew).
package stem

import (
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

// Version is the version of the algorithms together. A stem that changes changes
// scores, so it changes this number.
//
//   - 1: Snowball 3.1
const Version = 1

// A Stemmer stems the words of one language. It keeps a buffer between words and
// is not for concurrent use.
type Stemmer struct {
	algorithm algorithm
	word      word
}

// An algorithm is that of one language.
type algorithm interface {
	// stem makes the word its stem. The word has a letter.
	stem(w *word)
}

// The languages, by code. No changes to the table: it is a constant.
var languages = []struct {
	code string
	new  func() algorithm
}{
	{"da", newDanish},
	{"de", newGerman},
	{"en", newEnglish},
	{"es", newSpanish},
	{"et", newEstonian},
	{"fi", newFinnish},
	{"fr", newFrench},
	{"ga", newIrish},
	{"hu", newHungarian},
	{"id", newIndonesian},
	{"it", newItalian},
	{"nb", newNorwegian},
	{"nl", newDutch},
	{"nn", newNorwegian},
	{"no", newNorwegian},
	{"pt", newPortuguese},
	{"ro", newRomanian},
	{"ru", newRussian},
	{"sv", newSwedish},
}

// New returns the stemmer of a language, which a BCP 47 tag names, and false where
// there is none. What follows the first subtag of the tag is ignored: pt-BR is pt.
func New(language string) (*Stemmer, bool) {
	code, _, _ := strings.Cut(language, "-")
	for _, l := range languages {
		if equalFold(l.code, code) {
			return &Stemmer{algorithm: l.new()}, true
		}
	}
	return nil, false
}

// Languages returns the codes of the languages that there are stemmers of, in
// order.
func Languages() []string {
	codes := make([]string, len(languages))
	for i, l := range languages {
		codes[i] = l.code
	}
	return codes
}

// equalFold reports whether tag is code but for the case of its letters.
func equalFold(code, tag string) bool {
	if len(code) != len(tag) {
		return false
	}
	for i := range len(code) {
		if code[i] != tag[i]|0x20 {
			return false
		}
	}
	return true
}

// Stem returns the stem of a word. It may share memory with the word.
func (s *Stemmer) Stem(word string) string {
	ok, curly := examine(word)
	if !ok {
		return word
	}
	w := &s.word
	w.b = append(w.b[:0], word...)
	if curly {
		w.b = straighten(w.b)
	}
	s.algorithm.stem(w)
	switch n := len(w.b); {
	case n == 0:
		return word
	case n <= len(word) && string(w.b) == word[:n]:
		return word[:n]
	}
	return string(w.b)
}

// examine reports whether a word is valid UTF-8, of lower-case letters, marks and
// apostrophes only, and whether one of these is curly.
func examine(word string) (ok, curly bool) {
	for i := 0; i < len(word); {
		c := word[i]
		if 'a' <= c && c <= 'z' || c == '\'' {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			return false, false
		}
		r, n := utf8.DecodeRuneInString(word[i:])
		if r == '’' {
			curly = true
		} else if ucd.ClassOf(r)&(ucd.Letter|ucd.Mark) == 0 {
			return false, false
		}
		i += n
	}
	return word != "", curly
}

// straighten makes the curly apostrophes of a word straight.
func straighten(b []byte) []byte {
	kept := b[:0]
	for i := 0; i < len(b); i++ {
		if n := len("’"); len(b)-i >= n && string(b[i:i+n]) == "’" {
			kept = append(kept, '\'')
			i += n - 1
			continue
		}
		kept = append(kept, b[i])
	}
	return kept
}
