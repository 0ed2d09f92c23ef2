package lexical

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/text"
)

// Typos are looked for in words of at least four characters, one edit away, and
// of at least eight, two. The first character has to be right: most typos leave
// it, and it bounds the terms to compare with.
const (
	minTypo   = 4
	minTwo    = 8
	typoShare = 500 // thousandths of the weight that the word would have
)

// A Candidate is a term that a word of the query may have been meant as.
type Candidate struct {
	Text     string
	Distance int64
	Live     int64 // chunks with the term where the word has to stand
}

// unknown returns the units that may be typos: words of letters that occur nowhere,
// neither as they are spelt nor by their stem.
func (n *Need) unknown(entries []entry, counts []int64) []int {
	live := make([]int64, len(n.Units))
	for i := range entries {
		live[entries[i].unit] += counts[i]
	}
	var list []int
	for i := range n.Units {
		u := &n.Units[i]
		if u.Kind == Word && !u.Exclude && !u.Part && !u.Stop && !u.Quoted && live[i] == 0 && mayBeTypo(u.Text) {
			list = append(list, i)
		}
	}
	return list
}

// mayBeTypo reports whether a word is long enough, and of letters alone.
func mayBeTypo(word string) bool {
	for i := range len(word) {
		if c := word[i]; c < utf8.RuneSelf && (c < 'a' || c > 'z') {
			return false
		}
	}
	return utf8.RuneCountInString(word) >= minTypo
}

// Candidates returns the live terms of an index nearest to a unit that stand where it
// has to, by their bytes. The unit itself is the only one, at no distance, where it
// occurs elsewhere, as it is spelt or by its stem.
func Candidates(x *index.Index, u *Unit, m *meter.Meter) ([]Candidate, error) {
	c := corrector{index: x, word: []rune(u.Text), field: u.Field, meter: m}
	if u.Field != FieldAny {
		elsewhere := Unit{Text: u.Text}
		if live, stem, err := CountsOf(x, &elsewhere, u.Text, m); err != nil || live+stem > 0 {
			return []Candidate{{Text: u.Text}}, err
		}
	}
	c.limit = 1
	if len(c.word) >= minTwo {
		c.limit = 2
	}
	_, size := utf8.DecodeRuneInString(u.Text)
	for _, part := range x.Parts {
		if err := c.part(part, u.Text[:size]); err != nil {
			return nil, err
		}
	}
	return add(c.found), nil
}

// CountsOf returns how many live chunks of an index have a term, and how many its stem,
// where a unit has to stand.
func CountsOf(x *index.Index, u *Unit, term string, m *meter.Meter) (live, stem int64, err error) {
	root, stems := x.Stem(term)
	for _, part := range x.Parts {
		f := finder{index: x, part: part, weigh: once, meter: m, cache: &cache{}}
		_, n, err := f.found(&entry{form: exact, text: term}, u.Field)
		if err != nil {
			return 0, 0, err
		}
		live += n
		if !stems {
			continue
		}
		if _, n, err = f.found(&entry{form: stemmed, text: root}, u.Field); err != nil {
			return 0, 0, err
		}
		stem += n
	}
	return live, stem, nil
}

// once counts a term once, wherever it stands.
func once(body, title, heading uint32) uint32 { return min(body+title+heading, 1) }

// A corrector collects the terms at the least distance from a word.
type corrector struct {
	index *index.Index
	meter *meter.Meter
	word  []rune
	field Field
	limit int
	found []Candidate
	term  []rune
	rows  [3][]int
}

func (c *corrector) part(p *index.Part, first string) error {
	var err error
	p.Prefix(first, func(term string, l segment.List) bool {
		if err = c.meter.Add(16 + len(term)); err != nil {
			return false
		}
		if len(term) > 4*(len(c.word)+c.limit) || !mayBeTypo(term) && utf8.RuneCountInString(term) >= minTypo || text.IsStandardStop(term) {
			return true
		}
		live := p.LiveTerm(term, &l)
		if live == 0 {
			return true
		}
		d := c.distance(term)
		if d > c.limit {
			return true
		}
		if c.field != FieldAny {
			var found *postings
			if found, err = read(l, weigher(once).in(c.field), c.meter); err != nil {
				return false
			}
			if live = found.live(p); live == 0 {
				return true
			}
		}
		if d < c.limit {
			c.limit, c.found = d, c.found[:0]
		}
		c.found = append(c.found, Candidate{Text: strings.Clone(term), Distance: int64(d), Live: live})
		return true
	})
	return err
}

// add sorts candidates by their bytes and adds up those of one term.
func add(list []Candidate) []Candidate {
	slices.SortStableFunc(list, func(a, b Candidate) int { return strings.Compare(a.Text, b.Text) })
	out := list[:0]
	for _, k := range list {
		if n := len(out); n > 0 && out[n-1].Text == k.Text {
			out[n-1].Live += k.Live
			continue
		}
		out = append(out, k)
	}
	return out
}

// distance returns how many insertions, deletions, substitutions and exchanges of
// neighbours lead from the word to a term (optimal string alignment, Damerau
// 1964), or more than the limit where that is more.
func (c *corrector) distance(term string) int {
	c.term = c.term[:0]
	for _, r := range term {
		c.term = append(c.term, r)
	}
	a, b := c.word, c.term
	if d := len(a) - len(b); d > c.limit || -d > c.limit {
		return c.limit + 1
	}
	for i := range c.rows {
		c.rows[i] = slices.Grow(c.rows[i][:0], len(b)+1)[:len(b)+1]
	}
	before, last, row := c.rows[0], c.rows[1], c.rows[2]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			n := min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				n = min(n, before[j-2]+1)
			}
			row[j] = n
			least = min(least, n)
		}
		if least > c.limit {
			return c.limit + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// Choose returns which of the candidates of all instances a word is taken for: the
// nearest, of those the one in most chunks, of those the first by its bytes; false
// where there is none, or where the word occurs.
func Choose(list []Candidate) (string, bool) {
	list = add(slices.Clone(list))
	if len(list) == 0 {
		return "", false
	}
	best := slices.MinFunc(list, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(b.Live, a.Live), strings.Compare(a.Text, b.Text))
	})
	return best.Text, best.Distance > 0
}

// Correct takes a unit for a term, at a discount, and sets the counts of its entries:
// in how many live chunks the term is, and its stem.
func (n *Need) Correct(unit int, term string, live, stem int64, by Stem, p Params, counts []int64) {
	n.Units[unit].Text, n.Units[unit].corrected = term, true
	for i, e := range n.entries(by, p) {
		if e.unit != unit || i >= len(counts) {
			continue
		}
		counts[i] = live
		if e.form == stemmed {
			counts[i] = stem
		}
	}
}
