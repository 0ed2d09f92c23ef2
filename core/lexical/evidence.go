package lexical

import (
	"math/bits"
	"slices"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Part is what one entry adds to the score of a chunk.
type Part struct {
	Unit   int
	Text   string
	Form   string
	Count  int64
	Length int64
	Live   int64
	Weight int64
	Score  int64
	Tiers  int64
}

// Explain takes the score of a chunk apart: its parts add up to it exactly, and
// their tiers to its tier, see TestPartsAddUp.
func (s *Search) Explain(h Hit) []Part {
	var list []Part
	length := s.tables.lengths[h.Part][h.Chunk]
	for i := range s.entries {
		e := &s.entries[i]
		if !e.scores() {
			continue
		}
		n := s.sources[h.Part][i].count(h.Chunk)
		if n == 0 {
			continue
		}
		list = append(list, Part{
			Unit: e.unit, Text: e.text, Form: e.form.String(), Count: int64(n), Length: int64(length),
			Live: e.df, Weight: e.idf, Score: int64(part(e.idf, s.sat.of(n, length))), Tiers: e.tiers,
		})
	}
	return list
}

// Units returns the units of the need that a chunk holds, ascending.
func (s *Search) Units(h Hit) []int64 {
	list := make([]int64, 0, len(s.Need.Units))
	for i := range s.entries {
		e := &s.entries[i]
		if n := len(list); n > 0 && list[n-1] == int64(e.unit) || !e.scores() {
			continue
		}
		if s.sources[h.Part][i].count(h.Chunk) > 0 {
			list = append(list, int64(e.unit))
		}
	}
	return list
}

// scores reports whether an entry adds to scores.
func (e *entry) scores() bool { return e.idf > 0 || e.tiers > 0 }

// Masses returns for each unit of a resolved search what it asks for, in
// nano-units of idf: that of its rarest form, the greatest there is for a unit that
// occurs nowhere, and 0 for one that asks for nothing.
func (s *Search) Masses(stats Statistics) []int64 {
	return masses(s.Need, s.entries, stats)
}

func masses(n *Need, entries []entry, stats Statistics) []int64 {
	list := make([]int64, len(n.Units))
	for i := range entries {
		e := &entries[i]
		if e.instead && e.idf == 0 || list[e.unit] > 0 {
			continue // the first entry of a unit says what it is
		}
		list[e.unit] = idf(stats.Chunks, e.df)
	}
	return list
}

// most returns a score that no chunk exceeds: every entry at k1 + 1, with the
// greater of its own idf and that of what it is a form of; a form that does not
// occur adds nothing by being rare.
func (s *Search) most(stats Statistics) int64 {
	masses, sum := s.Masses(stats), int64(0)
	for i := range s.entries {
		e := &s.entries[i]
		asked := masses[e.unit] * e.weight / 1000
		switch {
		case e.instead:
			sum += e.idf // of the words of a phrase that does not occur
		case e.df > 0:
			sum += max(asked, e.idf)
		case e.form != inOrder:
			sum += asked
		}
	}
	return sum * int64(1000+s.params.K1) / 1000
}

// Missing returns the identifiers and quoted phrases of a resolved search that
// occur nowhere, in the order of the query.
func (s *Search) Missing() []string {
	list := []string{}
	for i := range s.entries {
		e := &s.entries[i]
		u := &s.Need.Units[e.unit]
		if e.df == 0 && (e.form == inOrder || u.Kind == Identifier) {
			list = append(list, u.Asked)
		}
	}
	return list
}

// Evidence is how many of the best chunks the verdict rests on, whatever the
// limit of a request.
const Evidence = 10

// A Level says how much of a query the best chunks hold.
type Level uint8

const (
	None   Level = iota // too little to be an answer
	Little              // some
	Enough
)

// A View is a need with what it asks for, as far as verdicts and replies need it.
type View struct {
	need    *Need
	masses  []int64
	most    int64
	missing []string
	first   []int // unit → the first one of its spelling, or none; nil until it is asked for
}

// View makes a View of a need whose entries stand in so many live chunks.
func (n *Need) View(stem Stem, p Params, stats Statistics, counts []int64) (*View, error) {
	s := Search{Need: n, params: p, entries: n.entries(stem, p)}
	if len(counts) != len(s.entries) {
		return nil, abi.Errorf(abi.RoundsInvalid, "the plans count %d entries, the query has %d", int64(len(counts)), int64(len(s.entries)))
	}
	s.weigh(stats, counts)
	return s.View(stats), nil
}

// View makes a View of a resolved search.
func (s *Search) View(stats Statistics) *View {
	return &View{need: s.Need, masses: s.Masses(stats), most: s.most(stats), missing: s.Missing()}
}

// NoWords reports whether the query asks for nothing: it is empty but for signs, or
// it only excludes.
func (v *View) NoWords() bool {
	return !slices.ContainsFunc(v.need.Units, func(u Unit) bool { return !u.Exclude })
}

// OnlyStopWords reports whether the query asks for nothing but stop words.
func (v *View) OnlyStopWords() bool { return v.need.onlyStops() }

// Words returns units as the query spells them, each spelling once. A quoted phrase
// that occurs nowhere is none of them: its words were searched.
func (v *View) Words(units []int64) []string {
	if v.first == nil {
		v.index()
	}
	list, seen := make([]string, 0, len(units)), make([]bool, len(v.need.Units))
	for _, u := range units {
		if u >= int64(len(v.first)) || v.first[u] == none || seen[v.first[u]] {
			continue
		}
		seen[v.first[u]] = true
		list = append(list, v.need.Units[u].Asked)
	}
	return list
}

// index finds for each unit the first one of its spelling.
func (v *View) index() {
	at := map[string]int{}
	v.first = make([]int, len(v.need.Units))
	for i := range v.need.Units {
		u := &v.need.Units[i]
		first, ok := at[u.Asked]
		if !ok {
			first, at[u.Asked] = i, i
		}
		if v.first[i] = first; u.Kind == Phrase && slices.Contains(v.missing, u.Asked) {
			v.first[i] = none
		}
	}
}

// Of returns the evidence of one chunk: how near its score comes to the most, in
// nano-units, rounded down; all of it in a tier above 0. It rises where the score does.
func (v *View) Of(tier, score int64) int64 {
	switch score = min(max(score, 0), v.most); {
	case tier > 0:
		return abi.MaxEvidence
	case v.most == 0:
		return 0
	}
	hi, lo := bits.Mul64(uint64(score), abi.MaxEvidence)
	share, _ := bits.Div64(hi, lo, uint64(v.most))
	return int64(share)
}

// Least returns the least score whose evidence is at least so much: the other side
// of [View.Of], see TestLeast.
func (v *View) Least(evidence int64) Score {
	switch {
	case evidence == 0:
		return 0
	case v.most == 0:
		return 1 << tierBits
	}
	hi, lo := bits.Mul64(uint64(evidence), uint64(v.most))
	lo, carry := bits.Add64(lo, abi.MaxEvidence-1, 0)
	least, _ := bits.Div64(hi+carry, lo, abi.MaxEvidence)
	return Score(least)
}

// A Finding is what the best chunks hold of a query, in nano-units of idf.
type Finding struct {
	Asked    int64 // by the whole query
	Passage  int64 // the most that one chunk holds
	Together int64
	Best     int64    // the score of the best chunk
	Most     int64    // the score that no chunk can exceed
	Missing  []string // identifiers and quoted phrases that occur nowhere
	Level    Level
}

// Evidence weighs what the best chunks hold: of each the units, ascending, and of
// the first its score.
func (v *View) Evidence(best [][]int64, score int64) Finding {
	f := Finding{Best: score, Most: v.most, Missing: v.missing}
	for _, mass := range v.masses {
		f.Asked += mass
	}
	held := make([]bool, len(v.masses))
	for _, units := range best {
		passage := int64(0)
		for _, u := range units {
			if u >= int64(len(v.masses)) {
				continue
			}
			passage += v.masses[u]
			if !held[u] {
				held[u] = true
				f.Together += v.masses[u]
			}
		}
		f.Passage = max(f.Passage, passage)
	}
	f.Level = f.level()
	return f
}

// The bounds between the levels, in thousandths: how near the best score comes to
// the greatest there could be, and which share of what is asked one chunk holds.
// They were chosen on the collections apidocs, cosqa and nfcorpus_pp, see make
// quality.
const (
	someScore, enoughScore = 200, 300
	someShare, enoughShare = 380, 500
)

// Whole reports whether one passage holds all that is asked for, however long it is.
func (f *Finding) Whole() bool { return f.Passage == f.Asked && len(f.Missing) == 0 }

func (f *Finding) level() Level {
	switch {
	case f.Asked == 0, f.Whole():
		return Enough
	case f.Best*1000 < f.Most*someScore || f.Passage*1000 < f.Asked*someShare:
		return None
	case f.Best*1000 < f.Most*enoughScore || f.Passage*1000 < f.Asked*enoughShare:
		return Little
	}
	return Enough
}
