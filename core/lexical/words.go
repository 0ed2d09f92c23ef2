package lexical

import "github.com/rookhaven-project/rookhaven/core/text"

// Words returns a text as a need: each of its words once, with how often it is
// asked. Nothing in it is syntax.
func Words(s string) *Need {
	n := &Need{}
	at := map[asked]int{}
	for t, place := range text.Standard(s) {
		n.add(t.Text, s[t.Start:t.End], place.Kind, at)
	}
	return n
}

// asked is what makes two words of a need the same.
type asked struct {
	text string
	kind Kind
	part bool
}

func (n *Need) add(term, spelt string, kind text.Kind, at map[asked]int) {
	u := Unit{Text: term, Asked: spelt, Count: 1, Part: kind == text.Part, Compound: kind == text.Compound}
	if kind.IsWhole() {
		u.Kind = Identifier
	} else {
		u.Stop = text.IsStandardStop(term)
	}
	key := asked{u.Text, u.Kind, u.Part}
	if i, again := at[key]; again {
		n.Units[i].Count++
		return
	}
	at[key] = len(n.Units)
	n.Units = append(n.Units, u)
}

// Once returns a need that asks for each of its units once.
func (n *Need) Once() *Need {
	for i := range n.Units {
		n.Units[i].Count = 1
	}
	return n
}

// FirstMatch returns where in a text the first word of the need stands, by its
// spelling or its stem; 0 where none does.
func (s *Search) FirstMatch(body string) int {
	wanted := map[string]bool{}
	for i := range s.entries {
		if e := &s.entries[i]; e.scores() && e.form <= stemmed {
			wanted[e.text] = true
		}
	}
	for t := range text.Standard(body) {
		if wanted[t.Text] {
			return t.Start
		}
		if root, ok := s.index.Stem(t.Text); ok && s.params.Stems && wanted[root] {
			return t.Start
		}
	}
	return 0
}

// Fold returns a text as words compare, blanks alike.
func Fold(s string) string {
	var b []byte
	for t, place := range text.Standard(s) {
		if !place.Kind.IsWhole() {
			b = append(append(b, t.Text...), ' ')
		}
	}
	return string(b)
}

// Parse reads a query.
func Parse(s string) *Need { return Words(s) }

// ParseExact reads a query for the rule exact-then-fallback.
func ParseExact(s string) *Need { return Words(s) }
