package lexical

import (
	"strings"

	"github.com/rookhaven-project/rookhaven/core/text"
)

// A mark is something of a need that a word of a text can be.
type mark struct {
	entry  int
	form   form
	text   string
	weight int64
}

// A marks knows the words of a need in texts. It keeps its answers: to stem a word
// takes ten times as long as to look it up.
type marks struct {
	list   []mark
	known  map[string]int // word of a text → its place in list, or none
	counts []int          // mark → how often it is in the run under way
}

// none is the place of a word that is not of the need.
const none = -1

func (s *Search) newMarks() *marks {
	m := &marks{known: map[string]int{}}
	for i := range s.entries {
		e := &s.entries[i]
		switch u := &s.Need.Units[e.unit]; {
		case e.form == inOrder && e.df > 0:
			for _, term := range u.Terms {
				m.add(mark{i, exact, term, e.idf / int64(len(u.Terms))})
			}
		case !e.scores():
		case s.isSpelling(i): // beside its stem it only weighs more
		default:
			m.add(mark{i, e.form, e.text, max(e.idf, 1)})
		}
	}
	m.counts = make([]int, len(m.list))
	return m
}

func (m *marks) add(k mark) {
	if k.form == exact {
		m.known[k.text] = len(m.list)
	}
	m.list = append(m.list, k)
}

// of returns the place of a word of a text, or none.
func (m *marks) of(word string, stem Stem) int {
	at, ok := m.known[word]
	if !ok {
		at = m.find(word, stem)
		m.known[strings.Clone(word)] = at
	}
	return at
}

func (m *marks) find(word string, stem Stem) int {
	root, stemmable := "", false
	for i := range m.list {
		switch k := &m.list[i]; k.form {
		case stemmed:
			if !stemmable {
				root, stemmable = stem(word)
			}
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

// Densest returns where in the text of a hit the run of at most so many bytes begins,
// with a word of the need, whose different words weigh most, the first of equals; 0
// where there is no such word.
func (s *Search) Densest(h Hit, body string, span int) int {
	if s.marks == nil {
		s.marks = s.newMarks()
	}
	m := s.marks
	clear(m.counts)
	most := int64(0) // that a run can weigh
	for i := range m.list {
		if s.sources[h.Part][m.list[i].entry].count(h.Chunk) > 0 {
			most += m.list[i].weight
		}
	}
	type match struct{ mark, start int }
	var run []match
	best, start, weight := int64(0), 0, int64(0)
	for t := range text.Standard(body) {
		k := m.of(t.Text, s.index.Stem)
		if k == none {
			continue
		}
		run = append(run, match{k, t.Start})
		if m.counts[k]++; m.counts[k] == 1 {
			weight += m.list[k].weight
		}
		for first := run[0]; t.Start-first.start > span || m.counts[first.mark] > 1; first = run[0] {
			if m.counts[first.mark]--; m.counts[first.mark] == 0 {
				weight -= m.list[first.mark].weight
			}
			run = run[1:]
		}
		if weight > best {
			best, start = weight, run[0].start
			if best == most {
				break
			}
		}
	}
	return start
}
