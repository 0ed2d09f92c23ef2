package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// remarks returns what is to be said of an answer beside its verdict, a line each.
func (a *answer) remarks() []string {
	var list []string
	if b := a.Request.Budget; b != nil && len(a.Hits) == 1 && int64(a.size) > *b*abi.TokenBytes {
		list = append(list, fmt.Sprintf("the reply takes %d tokens, more than the budget of %d: the first hit is given in any case", (a.size+abi.TokenBytes-1)/abi.TokenBytes, *b))
	}
	list = append(list, unmet(&a.Unmet)...)
	for _, phrase := range a.Evidence.Missing {
		if isPhrase(phrase) {
			list = append(list, "the phrase "+terminal.Cut(terminal.Line(phrase), 60)+" "+nowhere(a.Request.Query, phrase)+"; its words were searched")
		}
	}
	for _, d := range a.Degraded {
		if why := missingLegs[d]; why != "" {
			list = append(list, why)
		}
	}
	if slices.Contains(a.Degraded, abi.PhrasesApart) {
		list = append(list, "no passage has all of the quoted phrases: those with one of them are hits")
	}
	switch {
	case a.Request.Match == abi.MatchExact:
		if syntaxIn(a.Request.Query) {
			list = append(list, "under exactThenFallback quotes, - and title: are read as text")
		}
	case a.Verdict != abi.Answered:
		list = append(list, a.misread()...)
	}
	return list
}

// missingLegs says what it means that vectors took no part.
var missingLegs = map[string]string{
	abi.VectorsAbsent:   "found by words alone: the index has no vectors (rookhaven index makes them, unless the model is none)",
	abi.VectorsBuilding: "found by words alone: the vectors of the index are not all made yet (rookhaven index goes on with them)",
	abi.VectorsDamaged:  "found by words alone: vectors of the index are damaged (rookhaven index makes them again, rookhaven doctor says which)",
	abi.QueryAbsent:     "found by words alone: the query has no vector, since the model of the index is another one, or is not at hand",
}

// syntaxIn reports whether something in a query would have a meaning of its own if any
// word were enough.
func syntaxIn(query string) bool {
	text, _ := withoutPhrases(query)
	return strings.ContainsRune(text, phraseMark) || slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		rest, excluded := strings.CutPrefix(word, "-")
		name, _, colon := strings.Cut(rest, ":")
		return excluded && beginsWord(rest) || colon && slices.Contains(fieldNames, name)
	})
}

// unmet says what an answer was restricted to and no document meets.
func unmet(u *abi.Unmet) []string {
	var list []string
	for _, l := range []struct {
		what  string
		names []string
	}{
		{"no document has the field, or such a value in it: ", u.Fields},
		{"no document is of the collection: ", u.Collections},
		{"the index has no document: ", u.Documents},
	} {
		if len(l.names) > 0 {
			list = append(list, l.what+listed(l.names))
		}
	}
	return list
}

const quotes = `"“”`

func isQuote(c rune) bool { return strings.ContainsRune(quotes, c) }

// isPhrase reports whether something that occurs nowhere, as the query spells it, is a
// quoted phrase.
func isPhrase(missing string) bool {
	c, _ := utf8.DecodeRuneInString(missing)
	return isQuote(c)
}

// fieldNames are the names that may stand before a word with a colon.
var fieldNames = []string{"title", "heading", "body"}

// nowhere says where a phrase of a query does not occur.
func nowhere(query, phrase string) string {
	for _, name := range fieldNames {
		if strings.Contains(query, name+":"+phrase) {
			return "occurs in no " + name
		}
	}
	return "occurs nowhere"
}

// misread says what of a query looks like its syntax and was read as text, the first of
// each kind. It only looks: what a query means, the engine decides.
func (a *answer) misread() []string {
	text, alone := withoutPhrases(a.Request.Query)
	var star, field string
	for _, word := range strings.Fields(text) {
		word = strings.TrimPrefix(word, "-")
		name, rest, colon := strings.Cut(word, ":")
		isField := colon && slices.Contains(fieldNames, name)
		switch {
		case isField && rest == "":
			field = cmp.Or(field, name+": goes before its word without a space")
		case isField:
			word = rest
		case colon && isName(name) && beginsWord(rest) && !a.holds(word):
			field = cmp.Or(field, quote(name+":", 40)+" is no field; title:, heading: and body: are")
		}
		if before, ok := strings.CutSuffix(word, "*"); ok && letters(before) < 2 {
			star = cmp.Or(star, quote(word, 40)+" is read as text: a star goes behind two characters at least")
		}
	}
	var list []string
	for _, s := range []string{star, field} {
		if s != "" {
			list = append(list, s)
		}
	}
	if alone {
		list = append(list, "a quote without its partner is read as text")
	}
	return list
}

// phraseMark stands for a phrase that was taken out of a query.
const phraseMark = '\x00'

// withoutPhrases returns a query with phraseMark in the place of each phrase. alone says
// that there is a quote without a partner.
func withoutPhrases(query string) (text string, alone bool) {
	var b strings.Builder
	before := ' '
	for i := 0; i < len(query); {
		c, size := utf8.DecodeRuneInString(query[i:])
		if isQuote(c) {
			if end := phraseEnd(query[i+size:]); end > 0 && !isWord(before) {
				b.WriteRune(phraseMark)
				before, i = c, i+size+end
				continue
			}
			alone = true
		}
		b.WriteRune(c)
		before, i = c, i+size
	}
	return b.String(), alone
}

// phraseEnd returns where a phrase ends whose first quote stands before a text: behind
// the next quote of its line that no word goes on after; 0 where there is none.
func phraseEnd(s string) int {
	for i, c := range s {
		if c == '\n' {
			break
		}
		if end := i + utf8.RuneLen(c); isQuote(c) {
			if next, _ := utf8.DecodeRuneInString(s[end:]); !isWord(next) {
				return end
			}
		}
	}
	return 0
}

// isName reports whether something could be meant as the name of a field.
func isName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsLetter(c) && c != '_' })
}

// beginsWord reports whether a text begins with a word or a phrase.
func beginsWord(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return s != "" && (isWord(c) || c == phraseMark || isQuote(c))
}

// letters counts the characters of words.
func letters(s string) int {
	n := 0
	for _, c := range s {
		if isWord(c) && !unicode.IsMark(c) {
			n++
		}
	}
	return n
}

// holds reports whether a hit has a word of the query as it is spelt.
func (a *answer) holds(word string) bool {
	return slices.ContainsFunc(a.Hits, func(h abi.Found) bool { return slices.Contains(h.Words, word) })
}
