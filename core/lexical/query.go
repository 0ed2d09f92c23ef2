package lexical

import (
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
	"github.com/rookhaven-project/rookhaven/core/text"
)

// Parse reads a query. Every string is one:
//
//   - "words in quotes", also in “typographic” ones, are a phrase; a quote without
//     its partner is text;
//   - pre* is every term that begins so; at least two characters stand before the
//     star, else it is text;
//   - a - before a word, a phrase or a prefix excludes it; one before anything else,
//     as in --flag, is text;
//   - title:, heading: and body: before a word, a phrase or a prefix say where it
//     has to stand; other words with colons are text.
//
// Everything else is words: AND, OR, NOT, brackets and carets are what they look
// like. A query that is one identifier and nothing else is Sole.
func Parse(s string) *Need {
	p := parser{need: &Need{}, at: map[asked]int{}, source: s}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if ucd.IsSpace(r) {
			i += n
			continue
		}
		i = p.clause(i)
	}
	p.need.Sole = p.clauses == 1 && p.sole
	return p.need
}

type parser struct {
	need    *Need
	at      map[asked]int
	source  string
	clauses int
	sole    bool // the last clause was an identifier, as it stands
}

// clause reads what begins at byte i, and returns where it ends.
func (p *parser) clause(i int) int {
	p.clauses++
	p.sole = false
	s, start := p.source, i
	u := Unit{Count: 1}
	if s[i] == '-' && begins(s[i+1:]) {
		u.Exclude = true
		i++
	}
	for f, name := range fields {
		if rest, ok := strings.CutPrefix(s[i:], name); ok && begins(rest) {
			u.Field = Field(f + 1)
			i += len(name)
			break
		}
	}
	if from, to, end, ok := quoted(s, i); ok {
		p.phrase(u, s[from:to], s[start:end])
		return end
	}
	end := i
	for end < len(s) {
		r, n := utf8.DecodeRuneInString(s[end:])
		if ucd.IsSpace(r) {
			break
		}
		end += n
	}
	p.word(u, s[i:end], s[start:end])
	return end
}

// fields are what may stand before a unit, in the order of [Field].
var fields = [...]string{"title:", "heading:", "body:"}

// begins reports whether a unit of a query can begin with s.
func begins(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n > 0 && (isQuote(r) || ucd.ClassOf(r)&(ucd.Letter|ucd.Digit) != 0 || r == '.' || r == '_')
}

func isQuote(r rune) bool { return r == '"' || r == '“' || r == '”' }

// quoted finds the text in quotes that begins at byte i.
func quoted(s string, i int) (from, to, end int, ok bool) {
	r, n := utf8.DecodeRuneInString(s[i:])
	if !isQuote(r) {
		return 0, 0, 0, false
	}
	from = i + n
	to = strings.IndexAny(s[from:], "\"“”")
	if to < 0 {
		return 0, 0, 0, false
	}
	to += from
	_, n = utf8.DecodeRuneInString(s[to:])
	return from, to, to + n, true
}

// phrase adds the words of a text as a phrase.
func (p *parser) phrase(u Unit, content, spelt string) {
	u.Kind, u.Quoted, u.Asked = Phrase, true, spelt
	first := 0
	for t, place := range text.Standard(content) {
		if place.Kind.IsWhole() {
			continue
		}
		if len(u.Terms) == 0 {
			first = int(place.Position)
		}
		u.Terms = append(u.Terms, strings.Clone(t.Text))
		u.Offsets = append(u.Offsets, uint32(int(place.Position)-first))
		u.stops = append(u.stops, text.IsStandardStop(t.Text))
	}
	if len(u.Terms) > 0 {
		p.need.Units = append(p.need.Units, u)
	}
}

// word adds a word that white space surrounds: a prefix, an identifier or words.
func (p *parser) word(u Unit, word, spelt string) {
	stem, isPrefix := strings.CutSuffix(word, "*")
	if isPrefix && p.prefix(u, stem, spelt) {
		return
	}
	tokens, wholes, whole := 0, 0, false
	for t, place := range text.Standard(word) {
		tokens++
		if place.Kind.IsWhole() {
			wholes++
			whole = place.Kind == text.Identifier && t.End-t.Start == len(word)
		}
		if u.Exclude && wholes > 0 && !place.Kind.IsWhole() {
			continue // the whole is excluded, not its parts
		}
		unit := u
		unit.Asked = word[t.Start:t.End]
		p.need.add(unit, t.Text, place.Kind, p.at)
	}
	p.sole = wholes == 1 && whole && !u.Exclude && u.Field == FieldAny
}

// prefix adds a prefix, if what stands before the star can be one.
func (p *parser) prefix(u Unit, stem, spelt string) bool {
	var tokens []text.Token
	for t, place := range text.Standard(stem) {
		if !place.Kind.IsWhole() {
			tokens = append(tokens, t)
		}
	}
	if len(tokens) != 1 || tokens[0].End != len(stem) || utf8.RuneCountInString(tokens[0].Text) < 2 {
		return false
	}
	u.Kind, u.Text, u.Asked = Prefix, strings.Clone(tokens[0].Text), spelt
	p.need.Units = append(p.need.Units, u)
	return true
}

// The bounds of the rule exact-then-fallback.
const (
	maxExact  = 50 // words that have to match in the first pass
	maxGroups = 12 // words of the second pass
)

// ParseExact reads a query for the rule exact-then-fallback. Passages that hold
// every word between white space come first, each as a phrase and, with a star
// behind, as a prefix; after them those that hold enough of the words that are no
// stop words: two of three or more, one of two; one word has no second pass.
func ParseExact(s string) *Need {
	p := parser{need: &Need{Exactly: true}, at: map[asked]int{}, source: s}
	groups := map[string]bool{}
	for word := range words(s) {
		if len(p.need.Units) == maxExact {
			break
		}
		before := len(p.need.Units)
		stem, isPrefix := strings.CutSuffix(word, "*")
		isPrefix = isPrefix && p.prefix(Unit{Count: 1}, stem, word)
		if !isPrefix {
			p.phrase(Unit{Count: 1}, word, word)
		}
		n := len(p.need.Units)
		if group := Fold(word); n > before && len(groups) < maxGroups && !groups[group] && (isPrefix || !text.IsStop(strings.TrimSuffix(group, " "))) {
			groups[group] = true
			p.need.Units[n-1].fallback = true
		}
	}
	switch n := len(groups); {
	case n >= 3:
		p.need.enough = 2
	case n == 2:
		p.need.enough = 1
	}
	return p.need
}

// words yields what stands between white space, without quotes.
func words(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		clean := strings.Map(func(r rune) rune {
			switch {
			case isQuote(r):
				return -1
			case ucd.IsSpace(r):
				return ' '
			}
			return r
		}, s)
		for _, word := range strings.Split(clean, " ") {
			if word != "" && !yield(word) {
				return
			}
		}
	}
}
