package lexical

import (
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/core/internal/seed"
	"github.com/rookhaven-project/rookhaven/core/text"
)

// A Marker finds where in the texts of hits most of what is asked stands together. It
// keeps its answers about words: to stem one takes ten times as long as to look it up.
type Marker struct {
	stem    Stem
	marks   []mark
	phrases []int          // of the marks, those that are phrases
	known   map[string]int // word of a text → its mark, or none
	counts  []int          // mark → how often it is in the run under way
}

// A mark is something that a word of a text, or several in a row, can be.
type mark struct {
	of     *Search
	entry  int
	form   form
	text   string
	unit   *Unit // of a phrase
	weight int64
	begun  []begun
}

// A begun is a phrase of which a text has had the first words.
type begun struct {
	first int32 // position of its first word
	start int   // its byte
	words int
}

// none is the place of a word that is not asked for.
const none = -1

// NewMarker returns a Marker for resolved searches of one index.
func NewMarker(searches ...*Search) *Marker {
	m := &Marker{known: map[string]int{}}
	for _, s := range searches {
		m.stem = s.index.Stem
		for i := range s.entries {
			e := &s.entries[i]
			switch k := (mark{of: s, entry: i, form: e.form, text: e.text, weight: max(e.idf, 1)}); {
			case e.form == inOrder && e.df > 0:
				k.unit = &s.Need.Units[e.unit]
				m.phrases = append(m.phrases, len(m.marks))
				m.marks = append(m.marks, k)
			case !e.scores(), s.isSpelling(i): // beside its stem a spelling only weighs more
			default:
				if e.form == exact {
					m.known[e.text] = len(m.marks)
				}
				m.marks = append(m.marks, k)
			}
		}
	}
	m.counts = make([]int, len(m.marks))
	return m
}

// of returns the mark of a word of a text, or none.
func (m *Marker) of(word string) int {
	at, ok := m.known[word]
	if !ok {
		at = m.find(word)
		m.known[strings.Clone(word)] = at
	}
	return at
}

func (m *Marker) find(word string) int {
	root, stemmable := m.stem(word)
	for i := range m.marks {
		switch k := &m.marks[i]; k.form {
		case stemmed:
			if stemmable && root == k.text {
				return i
			}
		case prefix:
			if strings.HasPrefix(word, k.text) {
				return i
			}
		}
	}
	return none
}

// A match is a mark in a text.
type match struct{ mark, start, from int } // from: start in UTF-16 units

// each yields what is asked for in a text, and where it ends, in the order in which it
// ends, until yield returns false.
func (m *Marker) each(body string, yield func(k match, end int) bool) {
	for i := range m.marks {
		m.marks[i].begun = m.marks[i].begun[:0]
	}
	for t, at := range text.Standard(body) {
		if k := m.of(t.Text); k != none && !yield(match{mark: k, start: t.Start}, t.End) {
			return
		}
		if at.Kind.IsWhole() {
			continue
		}
		for _, k := range m.phrases {
			if start := m.marks[k].next(t, at.Position); start != none && !yield(match{mark: k, start: start}, t.End) {
				return
			}
		}
	}
}

// Starts returns where in a text something begins that is asked for, ascending.
func (m *Marker) Starts(body string) []int {
	var list []int
	m.each(body, func(k match, _ int) bool {
		list = append(list, k.start)
		return true
	})
	slices.Sort(list)
	return slices.Compact(list)
}

// Densest returns where in the text of a hit the run of at most so many UTF-16 units
// begins, with something that is asked for, whose different words weigh most, the
// first of equals; 0 where there is none.
func (m *Marker) Densest(h Hit, body string, span int) int {
	clear(m.counts)
	most := int64(0) // that a run can weigh
	for i := range m.marks {
		k := &m.marks[i]
		if k.of.sources[h.Part][k.entry].count(h.Chunk) > 0 {
			most += k.weight
		}
	}
	r := run{marker: m, body: body, span: span}
	m.each(body, func(k match, end int) bool {
		r.add(k, end)
		return r.best != most || most == 0
	})
	return r.start
}

// next takes a word of a text, and returns where the phrase begins that it completes,
// or none.
func (k *mark) next(t text.Token, position int32) int {
	complete := none
	left := k.begun[:0]
	for _, b := range k.begun {
		switch due := b.first + int32(k.unit.Offsets[b.words]); {
		case position < due:
			left = append(left, b)
		case position > due || k.unit.Terms[b.words] != t.Text:
		case b.words+1 == len(k.unit.Terms):
			complete = b.start
		default:
			b.words++
			left = append(left, b)
		}
	}
	if k.begun = left; k.unit.Terms[0] != t.Text {
		return complete
	}
	if len(k.unit.Terms) == 1 {
		return t.Start
	}
	k.begun = append(k.begun, begun{position, t.Start, 1})
	return complete
}

// A run is a row of matches that stand near enough to one another.
type run struct {
	marker    *Marker
	body      string
	span      int
	at, units int // a place in the body, in bytes and UTF-16 units
	list      []match
	weight    int64
	best      int64
	start     int // of the best run
}

// unitsTo returns how many UTF-16 units stand before a byte.
func (r *run) unitsTo(at int) int {
	if at >= r.at {
		r.units += seed.Units(r.body[r.at:at])
	} else {
		r.units -= seed.Units(r.body[at:r.at])
	}
	r.at = at
	return r.units
}

// add adds a match that ends at a byte, and takes those away from which it is too far
// or that stand in the run again.
func (r *run) add(k match, end int) {
	k.from = r.unitsTo(k.start)
	i := len(r.list)
	for i > 0 && r.list[i-1].start > k.start {
		i--
	}
	r.list = slices.Insert(r.list, i, k)
	counts, marks := r.marker.counts, r.marker.marks
	if counts[k.mark]++; counts[k.mark] == 1 {
		r.weight += marks[k.mark].weight
	}
	to := r.unitsTo(end)
	for first := r.list[0]; len(r.list) > 1 && (to-first.from > r.span || counts[first.mark] > 1); first = r.list[0] {
		if counts[first.mark]--; counts[first.mark] == 0 {
			r.weight -= marks[first.mark].weight
		}
		r.list = r.list[1:]
	}
	if r.weight > r.best {
		r.best, r.start = r.weight, r.list[0].start
	}
}
