package lexical

import (
	"strings"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
	"github.com/rookhaven-project/rookhaven/core/lexical/query"
	"github.com/rookhaven-project/rookhaven/core/text"
)

// Parse reads a query in the language of package query.
func Parse(s string) *Need {
	q := query.Parse(s)
	n, at := &Need{Omitted: q.Omitted}, map[asked]int{}
	for i := range q.Clauses {
		n.clause(s, &q.Clauses[i], at)
	}
	n.Sole = q.Sole && len(n.Units) > 0 && n.Units[0].Kind == Identifier
	return n
}

// clause adds the units of a clause.
func (n *Need) clause(source string, c *query.Clause, at map[asked]int) {
	u := Unit{Field: Field(c.Field), Exclude: c.Exclude, Count: int64(c.Count), Asked: source[c.Start:c.End]}
	switch {
	case c.Kind == query.Prefix:
		u.Kind, u.Text = Prefix, c.Terms[0].Text
		n.Units = append(n.Units, u)
	case c.Kind == query.Phrase || c.Kind == query.Sequence && c.Exclude:
		if u, ok := phraseOf(u, c.Terms); ok {
			n.Units = append(n.Units, u)
			n.Omitted += max(len(c.Terms)-maxPhrase, 0)
		}
	case c.Exclude: // of an identifier or compound, the whole
		n.add(u, c.Terms[0].Text, c.Terms[0].Kind, at)
	default:
		for _, t := range c.Terms {
			if t.Kind == text.Compound {
				continue // its parts say as much, see make quality
			}
			u.Asked = source[t.Start:t.End]
			n.add(u, t.Text, t.Kind, at)
		}
	}
}

// maxPhrase is how many terms of a phrase are searched: what it takes grows with them
// and with how often each occurs.
const maxPhrase = 64

// phraseOf makes a unit of terms as they stand to one another, of the first maxPhrase. A last character of a
// script without spaces is left out beside others; alone, it is a prefix.
func phraseOf(u Unit, terms []query.Term) (Unit, bool) {
	u.Kind, u.Quoted = Phrase, true
	for _, t := range terms[:min(len(terms), maxPhrase)] {
		if t.Kind == text.Tail {
			if len(terms) == 1 {
				u.Kind, u.Text = Prefix, t.Text
				return u, true
			}
			continue
		}
		u.Terms = append(u.Terms, t.Text)
		u.Offsets = append(u.Offsets, uint32(t.Position))
		u.stops = append(u.stops, text.IsStandardStop(t.Text))
	}
	if len(u.Terms) == 0 {
		return u, false
	}
	for i := range u.Offsets[1:] {
		u.Offsets[i+1] -= u.Offsets[0]
	}
	u.Offsets[0] = 0
	return u, true
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
	n := &Need{Exactly: true}
	at, groups := map[string]int{}, 0 // units by what they ask for
	for word := range words(s) {
		if len(n.Units) == maxExact {
			break
		}
		u, ok := exactly(word)
		if !ok {
			continue
		}
		key := Fold(word)
		if u.Kind == Prefix {
			key += "*"
		}
		if i, again := at[key]; again {
			n.Units[i].Count++
			continue
		}
		at[key] = len(n.Units)
		if groups < maxGroups && !(u.Kind == Phrase && text.IsStop(strings.Join(u.Terms, " "))) {
			u.fallback = true
			groups++
		}
		n.Units = append(n.Units, u)
	}
	switch {
	case groups >= 3:
		n.enough = 2
	case groups == 2:
		n.enough = 1
	}
	return n
}

// exactly makes a unit of a word between white space: a prefix, or what it is cut into
// as a phrase. It is false for signs alone.
func exactly(word string) (Unit, bool) {
	u := Unit{Count: 1, Asked: word}
	if q := query.Parse(word); len(q.Clauses) == 1 && q.Clauses[0].Kind == query.Prefix && strings.HasSuffix(word, "*") {
		u.Kind, u.Text = Prefix, q.Clauses[0].Terms[0].Text
		return u, true
	}
	for _, c := range query.Parse(`"` + word + `"`).Clauses {
		if c.Kind == query.Phrase || c.Kind == query.Prefix {
			return phraseOf(u, c.Terms)
		}
	}
	return u, false
}

// words yields what stands between white space, without quotes.
func words(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		clean := strings.Map(func(r rune) rune {
			switch {
			case r == '"' || r == '“' || r == '”':
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
