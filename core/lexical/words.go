package lexical

import "github.com/rookhaven-project/rookhaven/core/text"

// Words returns a text as a need: each of its words once, with how often it is
// asked. Nothing in it is syntax.
func Words(s string) *Need {
	n := &Need{}
	at := map[asked]int{}
	for t, place := range text.Standard(s) {
		if place.Kind != text.Compound {
			n.add(Unit{Asked: s[t.Start:t.End], Count: 1}, t.Text, place.Kind, at)
		}
	}
	return n
}

// asked is what makes two words of a need the same.
type asked struct {
	text    string
	kind    Kind
	part    bool
	field   Field
	exclude bool
}

// add adds a token to a need: as a unit of its own, or to the same one before it.
func (n *Need) add(u Unit, term string, kind text.Kind, at map[asked]int) {
	u.Text, u.Part = term, kind == text.Part
	if kind.IsWhole() {
		u.Kind = Identifier
	} else {
		u.Stop = text.IsStandardStop(term)
	}
	key := asked{u.Text, u.Kind, u.Part, u.Field, u.Exclude}
	if i, again := at[key]; again {
		n.Units[i].Count += u.Count
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
