package index

import (
	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/stem"
	"github.com/rookhaven-project/rookhaven/core/text"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// headingGap is how many places lie between two headings of a path, so that no
// phrase reaches from one into the other.
const headingGap = 16

// An analyzer makes the tokens of chunks, the same when a segment is built, when
// a document is removed from it and when a query is read.
type analyzer struct{ stemmer *stem.Stemmer }

func newAnalyzer(language string) (*analyzer, bool) {
	if language == LanguageNone {
		return &analyzer{}, true
	}
	s, ok := stem.New(language)
	return &analyzer{s}, ok
}

// A token is what a builder takes.
type token func(f segment.Field, term string, place uint32, aside bool)

// field yields the tokens of a text from a place on, and returns the next place.
func field(f segment.Field, s string, from uint32, yield token) (next uint32) {
	next = from
	for t, at := range text.Standard(s) {
		place := from + uint32(at.Position)
		aside := at.Kind.IsWhole()
		yield(f, t.Text, place, aside)
		if !aside {
			next = place + 1
		}
	}
	return next
}

// stem returns the stem of a term, false for one that has none: what is not made
// of letters alone, and everything where the language is none.
func (a *analyzer) stem(term string) (string, bool) {
	if a.stemmer == nil || !stemmable(term) {
		return "", false
	}
	return a.stemmer.Stem(term), true
}

// stemmable reports whether a term may have a stem: it has no digit and no sign.
func stemmable(term string) bool {
	for i := range len(term) {
		if c := term[i]; c < 0x80 && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// StemOf returns how an index with these settings stems.
func StemOf(settings abi.Settings) (func(term string) (string, bool), error) {
	an, err := checkSettings(settings)
	if err != nil {
		return nil, err
	}
	return an.stem, nil
}

// Languages returns the languages whose stems an index may use, and none.
func Languages() []string { return append(stem.Languages(), LanguageNone) }
