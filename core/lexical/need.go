package lexical

import (
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/internal/fixed"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
)

// A Kind says what a unit of a need is.
type Kind uint8

const (
	Word       Kind = iota // one word
	Identifier             // a whole identifier; its parts are words of their own
	Prefix                 // every term that begins so
	Phrase                 // words after one another
)

// A Unit is what a need asks for at one place.
type Unit struct {
	Kind      Kind
	Field     Field
	Exclude   bool
	Quoted    bool
	Stop      bool     // a stop word: it counts only where nothing else is asked
	Part      bool     // a part of an identifier that is a unit beside it
	Asked     string   // as the query spells it
	Count     int64    // how often it is asked
	Text      string   // the term, or the prefix
	Terms     []string // of a phrase
	Offsets   []uint32 // of its terms, from the first
	stops     []bool   // of a phrase: which of its terms are stop words
	corrected bool     // Text is what it was taken for
	fallback  bool     // it counts in the second pass of exact-then-fallback
}

// A Stem returns the stem of a term, false for one that has none.
type Stem = func(term string) (string, bool)

// A Need is a query in units.
type Need struct {
	Units []Unit
	Sole  bool // the query is one identifier and nothing else: its first unit is the whole

	Omitted int // terms of the query that were too many

	Exactly bool // exact-then-fallback: see ParseExact
	enough  int  // units of the second pass that a chunk has to hold; 0: there is none
}

// An entry is a part of a score: what a term, stem, prefix or phrase gives.
type entry struct {
	unit     int
	form     form
	text     string
	weight   int64 // of idf, in thousandths
	tiers    int64 // that a chunk gains by it
	instead  bool  // it takes part only where the phrase that it is of does not occur
	spelling bool  // the next entry is the spelling of this stem
	df       int64 // live chunks of the whole generation
	idf      int64 // weighted, in nano-units
}

// A form says how an entry meets the text.
type form uint8

const (
	exact   form = iota // as it is spelt
	stemmed             // by its stem
	prefix
	inOrder
)

func (f form) String() string {
	return [...]string{"exact", "stem", "prefix", "phrase"}[f]
}

// entries makes the entries of a need. What the corpus holds does not matter yet.
func (n *Need) entries(stem Stem, p Params) []entry {
	list := make([]entry, 0, 2*len(n.Units))
	onlyStops := p.Stops || n.onlyStops()
	for i := range n.Units {
		u := &n.Units[i]
		switch {
		case u.Exclude:
		case u.Kind == Phrase:
			list = append(list, entry{unit: i, form: inOrder, text: strings.Join(u.Terms, " "), weight: 1000 * max(u.Count, 1)})
			for j, term := range u.Terms {
				if (!u.stops[j] || onlyStops) && !n.Exactly {
					list = n.word(list, stem, p, entry{unit: i, text: term, weight: 1000, instead: true})
				}
			}
		case u.Stop && !onlyStops:
		default:
			list = n.unit(list, stem, p, i)
		}
	}
	return list
}

// unit appends the entries of a unit that is no phrase.
func (n *Need) unit(list []entry, stem Stem, p Params, i int) []entry {
	u := &n.Units[i]
	e := entry{unit: i, text: u.Text, weight: 1000 * max(u.Count, 1)}
	switch u.Kind {
	case Prefix:
		e.form = prefix
		return append(list, e)
	case Identifier:
		e.weight = e.weight * p.Whole / 1000
		if n.Sole && i == 0 {
			e.tiers = 1
		}
		return append(list, e)
	}
	if u.Part && !n.Sole {
		e.weight = e.weight * p.Part / 1000
	}
	if u.corrected {
		e.weight = e.weight * typoShare / 1000
	}
	return n.word(list, stem, p, e)
}

// word appends what a word gives: by its stem, and less by its own spelling; by
// its spelling alone where it has no stem.
func (n *Need) word(list []entry, stem Stem, p Params, e entry) []entry {
	root, ok := "", false
	if p.Stems && !n.Exactly {
		root, ok = stem(e.text)
	}
	if !ok {
		return append(list, e)
	}
	s := e
	s.form, s.text, s.spelling = stemmed, root, p.Exact > 0
	list = append(list, s)
	e.weight = e.weight * p.Exact / 1000
	return append(list, e)
}

// onlyStops reports whether a need asks for stop words and nothing else.
func (n *Need) onlyStops() bool {
	for i := range n.Units {
		if u := &n.Units[i]; !u.Exclude && !u.Stop && (u.Kind != Phrase || slices.Contains(u.stops, false)) {
			return false
		}
	}
	return true
}

// A finder finds the postings of entries in a part of an index.
type finder struct {
	index *index.Index
	part  *index.Part
	weigh weigher
	meter *meter.Meter
	cache *cache
}

// find returns the postings of an entry, and in how many live chunks they are.
func (f *finder) find(e *entry, u *Unit) (*postings, int64, error) {
	var p *postings
	var err error
	switch e.form {
	case inOrder:
		if len(u.Terms) == 1 { // its places don't matter
			return f.term(&entry{form: exact, text: u.Terms[0]}, u.Field)
		}
		p, err = f.phrase(u)
	case prefix:
		p, err = f.prefix(e.text, f.weigh.in(u.Field))
	default:
		return f.term(e, u.Field)
	}
	if err != nil {
		return nil, 0, err
	}
	return p, p.live(f.part), nil
}

// term finds a term or stem.
func (f *finder) term(e *entry, field Field) (*postings, int64, error) {
	at := key{f.part, e.form, e.text}
	if k, ok := f.cache.kept[at]; ok && field == FieldAny {
		return k.postings, k.live, nil
	}
	p, live, err := f.found(e, field)
	if err == nil && field == FieldAny {
		f.cache.keep(at, found{p, live})
	}
	return p, live, err
}

// found finds a term or stem that is not in the cache.
func (f *finder) found(e *entry, field Field) (*postings, int64, error) {
	w := f.weigh.in(field)
	if e.form == stemmed {
		p, err := f.stem(e.text, w)
		return p, p.live(f.part), err
	}
	l, live := f.part.Term(e.text)
	if live == 0 {
		return nothing, 0, nil
	}
	p, err := read(l, w, f.meter)
	if err != nil || field == FieldAny {
		return p, live, err
	}
	return p, p.live(f.part), nil
}

// stem unites the terms with a stem: their counts are added up.
func (f *finder) stem(stem string, w weigher) (*postings, error) {
	lists := f.index.StemLists(f.part, stem)
	if len(lists) == 0 {
		return nothing, nil
	}
	p, err := read(lists[0], w, f.meter)
	for _, l := range lists[1:] {
		if err != nil {
			return nothing, err
		}
		var more *postings
		if more, err = read(l, w, f.meter); err == nil {
			p = unite(p, more)
		}
	}
	if err != nil {
		return nothing, err
	}
	return p, nil
}

// prefix unites the terms that begin with a prefix.
func (f *finder) prefix(prefix string, w weigher) (*postings, error) {
	var list []posting
	var err error
	f.part.Prefix(prefix, func(_ string, l segment.List) bool {
		var p *postings
		if p, err = read(l, w, f.meter); err != nil {
			return false
		}
		for _, n := range p.list {
			list = append(list, posting{n >> countBits, n & maxCount})
		}
		return true
	})
	return collect(list), err
}

// phrase finds the words of a phrase after one another. Stop words have no places:
// what the other words leave is compared with the text.
func (f *finder) phrase(u *Unit) (*postings, error) {
	p := phrase{field: u.Field, weigh: f.weigh, meter: f.meter}
	var all []segment.List
	for i, term := range u.Terms {
		l, live := f.part.Term(term)
		if live == 0 {
			return nothing, nil
		}
		all = append(all, l)
		if !u.stops[i] {
			p.lists, p.offsets = append(p.lists, l), append(p.offsets, u.Offsets[i])
		}
	}
	if len(p.lists) == len(all) {
		return p.find()
	}
	candidates, err := p.common(all)
	if err != nil || len(candidates) == 0 {
		return nothing, err
	}
	if len(p.lists) > 0 {
		found, err := p.find()
		if err != nil {
			return nil, err
		}
		candidates = slices.DeleteFunc(candidates, func(chunk uint32) bool { return found.count(chunk) == 0 })
	}
	return f.compare(u, candidates)
}

// idf is ln(1 + (N − n + ½)/(n + ½)) in nano-units (Robertson and Spärck Jones, in
// the form that is never below 0).
func idf(chunks, df int64) int64 {
	return int64(fixed.Ln(uint64(2*chunks+2), uint64(2*min(df, chunks)+1)))
}
