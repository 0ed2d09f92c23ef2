package lexical

import (
	"strings"

	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/rank"
)

// A Search is a need over an index: what there is of it here, and after
// [Search.Resolve] what it is worth.
type Search struct {
	Need    *Need
	index   *index.Index
	params  Params
	meter   *meter.Meter
	entries []entry
	sources [][]*postings // part → entry → where it stands
	allows  []Bitmap      // part → which chunks may be hits; nil: all. Set by Rank
	counts  []int64       // entry → live chunks here
	first   []Bitmap      // part → the chunks of the first pass; nil until they are asked for
	sat     *saturation
	tables  *Tables
}

// Prepare finds what an index has of a need.
func Prepare(x *index.Index, need *Need, p Params, t *Tables, m *meter.Meter) (*Search, error) {
	s := &Search{Need: need, index: x, params: p, tables: t, meter: m, entries: need.entries(x.Stem, p)}
	s.counts = make([]int64, len(s.entries))
	for _, part := range x.Parts {
		f := finder{x, part, p.weigh, m, &t.cache}
		sources := make([]*postings, len(s.entries))
		for i := range s.entries {
			e := &s.entries[i]
			found, live, err := f.find(e, &need.Units[e.unit])
			if err != nil {
				return nil, err
			}
			sources[i] = found
			s.counts[i] += live
		}
		s.sources = append(s.sources, sources)
	}
	return s, nil
}

// weigh turns counts in fields into one.
func (p *Params) weigh(body, title, heading uint32) uint32 {
	return body + title*p.Title + heading*p.Heading
}

// Counts returns in how many live chunks each entry stands. Those of several
// instances are added up before [Search.Resolve].
func (s *Search) Counts() []int64 { return s.counts }

// Unknown returns the units that may be typos, as far as this index tells.
func (s *Search) Unknown() []int { return s.Need.unknown(s.entries, s.counts) }

// Resolve gives the entries their weights by the statistics of the generation.
func (s *Search) Resolve(stats Statistics, counts []int64) {
	s.sat = s.tables.of(s.index, s.params, stats)
	s.weigh(stats, counts)
}

// weigh gives the entries their counts and weights.
func (s *Search) weigh(stats Statistics, counts []int64) {
	present := make([]bool, len(s.Need.Units)) // phrases that occur
	for i := range s.entries {
		e := &s.entries[i]
		e.df = counts[i]
		e.idf = idf(stats.Chunks, e.df) * e.weight / 1000
		if e.form == inOrder && e.df > 0 {
			present[e.unit] = true
		}
	}
	for i := range s.entries {
		if e := &s.entries[i]; e.instead && present[e.unit] {
			e.idf = 0
		}
	}
}

// Tables keep what is worked out once for an index, a profile and the statistics
// of a generation. The zero Tables is ready.
type Tables struct {
	stats   Statistics
	sat     *saturation
	lengths [][]uint32 // part → chunk → length
	cache   cache
	scores  scores
	spare   *window
}

// window returns an empty window.
func (t *Tables) window() *window {
	w := t.spare
	t.spare = nil
	if w == nil {
		w = &window{}
	}
	return w
}

// A cache keeps the postings of terms and stems that were asked for: to find and
// read a list costs several times what scoring it does. It keeps what fits
// cacheSize, and begins anew when that is full.
type cache struct {
	kept map[key]found
	size int
}

// A key names an entry in a part of an index.
type key struct {
	part *index.Part
	form form
	text string
}

// A found holds postings and in how many live chunks they are.
type found struct {
	*postings
	live int64
}

// cacheSize bounds a cache, in postings: 4 bytes each.
const cacheSize = 8 << 20

// isSpelling reports whether an entry is the spelling of the stem that the entry
// before it is: their postings are scored together.
func (s *Search) isSpelling(n int) bool {
	if n == 0 || n >= len(s.entries) {
		return false
	}
	e, before := &s.entries[n], &s.entries[n-1]
	return e.form == exact && before.form == stemmed && e.unit == before.unit && e.scores() && before.scores() && before.spelling
}

// scored returns what the postings of an entry add to scores, with those of the
// spelling that follows it.
func (s *Search) scored(i, n int, lens []uint32) *scored {
	e := &s.entries[n]
	key := scoredKey{s.index.Parts[i], e.form, e.text, "", e.idf, 0, s.Need.Units[e.unit].Field}
	var spelling *postings
	if s.isSpelling(n + 1) {
		next := &s.entries[n+1]
		key.spelling, key.spellingIDF, spelling = next.text, next.idf, s.sources[i][n+1]
	}
	if e.form > stemmed {
		return score(s.sources[i][n], e.idf, nil, 0, s.sat, lens)
	}
	if r, ok := s.tables.scores.kept[key]; ok && s.tables.scores.by == s.sat {
		return r
	}
	r := score(s.sources[i][n], e.idf, spelling, key.spellingIDF, s.sat, lens)
	s.tables.scores.keep(key, r, s.sat)
	return r
}

// A scoredKey names what the postings of an entry, with those of a spelling, add.
type scoredKey struct {
	part             *index.Part
	form             form
	text, spelling   string
	idf, spellingIDF int64
	field            Field
}

// A scores keeps what was worked out by one saturation, as a cache does.
type scores struct {
	kept map[scoredKey]*scored
	by   *saturation
	size int
}

// scoresSize bounds them, in postings: 8 bytes each.
const scoresSize = 6 << 20

func (c *scores) keep(at scoredKey, r *scored, by *saturation) {
	if c.kept == nil || c.by != by || c.size+len(r.list) > scoresSize {
		c.kept, c.by, c.size = map[scoredKey]*scored{}, by, 0
	}
	if len(r.list) <= scoresSize {
		at.text, at.spelling = strings.Clone(at.text), strings.Clone(at.spelling)
		c.kept[at] = r
		c.size += len(r.list) + 64
	}
}

// keep puts something into a cache.
func (c *cache) keep(at key, f found) {
	if c.kept == nil || c.size+len(f.list) > cacheSize {
		c.kept, c.size = map[key]found{}, 0
	}
	if len(f.list) <= cacheSize {
		at.text = strings.Clone(at.text)
		c.kept[at] = f
		c.size += len(f.list) + 64
	}
}

func (t *Tables) of(x *index.Index, p Params, stats Statistics) *saturation {
	if t.lengths == nil {
		t.lengths = make([][]uint32, len(x.Parts))
		for i, part := range x.Parts {
			t.lengths[i] = p.lengths(part)
		}
	}
	if t.sat == nil || t.stats != stats {
		t.sat = newSaturation(p, stats)
	}
	t.stats = stats
	return t.sat
}

// lengths returns the lengths of the chunks of a part: content tokens, weighted
// as the counts are.
func (p *Params) lengths(part *index.Part) []uint32 {
	list := make([]uint32, part.Chunks())
	for i := range list {
		list[i] = p.length(part, uint32(i))
	}
	return list
}

func (p *Params) length(part *index.Part, chunk uint32) uint32 {
	if p.Stops {
		c := part.Chunk(chunk)
		return c.All
	}
	n := part.TokensOf(chunk)
	return p.weigh(n[segment.Body], n[segment.Title], n[segment.Heading])
}

// Statistics returns those of an index by the weights of a profile.
func (p *Params) Statistics(s index.Statistics) Statistics {
	if p.Stops {
		return Statistics{s.Chunks, s.All}
	}
	return Statistics{s.Chunks, s.Body + s.Title*int64(p.Title) + s.Heading*int64(p.Heading)}
}

// A Bitmap says of each chunk of a part whether it may be a hit.
type Bitmap []uint64

// NewBitmap returns a Bitmap for n chunks, with every bit as all says.
func NewBitmap(n int, all bool) Bitmap {
	b := make(Bitmap, (n+63)/64)
	if all {
		for i := range b {
			b[i] = ^uint64(0)
		}
	}
	return b
}

// Has reports whether the bit of a chunk is set.
func (b Bitmap) Has(i uint32) bool { return b[i>>6]>>(i&63)&1 == 1 }

// Set sets the bit of a chunk.
func (b Bitmap) Set(i uint32) { b[i>>6] |= 1 << (i & 63) }

// Clear clears the bit of a chunk.
func (b Bitmap) Clear(i uint32) { b[i>>6] &^= 1 << (i & 63) }

func (b Bitmap) or(other Bitmap) {
	for i := range other {
		b[i] |= other[i]
	}
}

// And keeps the bits that are in other, too; nil means every one.
func (b Bitmap) And(other []uint64) {
	for i := range other {
		b[i] &= other[i]
	}
}

// allowed returns which chunks of a part may be hits, nil for all: live ones that
// the filter passes, that hold every quoted phrase which occurs at all, or one of them
// where phrases may be apart, and nothing that is excluded.
func (s *Search) allowed(i int, part *index.Part, filter Bitmap, apart bool) (Bitmap, error) {
	excluded, err := s.excluded(part)
	if err != nil {
		return nil, err
	}
	required := s.required(i, part.Chunks())
	switch {
	case s.Need.Exactly:
		required = []Bitmap{s.passes(i, part.Chunks())}
	case apart && len(required) > 1:
		for _, r := range required[1:] {
			required[0].or(r)
		}
		required = required[:1]
	}
	if part.Live == nil && filter == nil && len(excluded) == 0 && len(required) == 0 {
		return nil, nil
	}
	b := NewBitmap(part.Chunks(), true)
	b.And(part.Live)
	b.And(filter)
	for _, r := range required {
		b.And(r)
	}
	for _, chunk := range excluded {
		b.Clear(chunk)
	}
	return b, nil
}

// Allowed returns which chunks of a part may be hits of a resolved search, nil for all:
// with all of its quoted phrases.
func (s *Search) Allowed(part int, filter Bitmap) (Bitmap, error) {
	return s.allowed(part, s.index.Parts[part], filter, false)
}

// Score returns the score of a chunk, whether it was ranked or not, see TestScore.
func (s *Search) Score(part int, chunk uint32) Score {
	score := Score(0)
	for _, p := range s.Explain(Hit{Part: part, Chunk: chunk}) {
		score += Score(p.Score) + Score(p.Tiers)<<tierBits
	}
	if s.Need.Exactly && s.exactly(part).Has(chunk) {
		score += 1 << tierBits
	}
	return score
}

// exactly is exact of a part, made once.
func (s *Search) exactly(part int) Bitmap {
	if s.first == nil {
		s.first = make([]Bitmap, len(s.index.Parts))
	}
	if s.first[part] == nil {
		s.first[part] = s.exact(part, s.index.Parts[part].Chunks())
	}
	return s.first[part]
}

// exact returns which chunks of a part hold every unit of the first pass.
func (s *Search) exact(i, chunks int) Bitmap {
	b, any := NewBitmap(chunks, true), false
	for n := range s.entries {
		any = true
		held := NewBitmap(chunks, false)
		for _, p := range s.sources[i][n].list {
			held.Set(p >> countBits)
		}
		b.And(held)
	}
	if !any {
		return NewBitmap(chunks, false)
	}
	return b
}

// passes returns which chunks of a part the first or the second pass lets through.
func (s *Search) passes(i, chunks int) Bitmap {
	b := s.exact(i, chunks)
	if s.Need.enough == 0 {
		return b
	}
	held := make([]uint8, chunks)
	for n := range s.entries {
		if !s.Need.Units[s.entries[n].unit].fallback {
			continue
		}
		for _, p := range s.sources[i][n].list {
			chunk := p >> countBits
			if held[chunk]++; int(held[chunk]) == s.Need.enough {
				b.Set(chunk)
			}
		}
	}
	return b
}

// required returns for each phrase that occurs which chunks of a part hold it.
func (s *Search) required(i, chunks int) []Bitmap {
	var list []Bitmap
	for n := range s.entries {
		if e := &s.entries[n]; e.form == inOrder && e.df > 0 && !s.Need.Exactly {
			b := NewBitmap(chunks, false)
			for _, p := range s.sources[i][n].list {
				b.Set(p >> countBits)
			}
			list = append(list, b)
		}
	}
	return list
}

// excluded returns the chunks of a part that hold what the need excludes.
func (s *Search) excluded(part *index.Part) ([]uint32, error) {
	var list []uint32
	for i := range s.Need.Units {
		u := &s.Need.Units[i]
		if !u.Exclude {
			continue
		}
		e := entry{unit: i, text: u.Text}
		f := finder{s.index, part, s.params.weigh, s.meter, &s.tables.cache}
		switch u.Kind {
		case Phrase:
			e.form = inOrder
		case Prefix:
			e.form = prefix
		}
		found, _, err := f.find(&e, u)
		if err != nil {
			return nil, err
		}
		for _, p := range found.list {
			list = append(list, p>>countBits)
		}
	}
	return list, nil
}

// A Query says how [Search.Rank] ranks.
type Query struct {
	Limit    int64
	Filter   []Bitmap // part → which chunks may be hits; nil: all
	Key      func(part int, chunk uint32) rank.Hit
	Found    func(part int, chunk uint32) // told of every chunk that matches, for an exact query; nil: nobody is
	Exact    bool                         // score every chunk: the count of matches is exact
	Collapse bool                         // the best chunk of each document only
	Least    Score                        // what is below it does not count as a match; it is ranked all the same
	Apart    bool                         // one of several quoted phrases is enough
}

// Phrases returns how many quoted phrases of a resolved search occur.
func (s *Search) Phrases() int {
	n := 0
	for i := range s.entries {
		if e := &s.entries[i]; e.form == inOrder && e.df > 0 && !s.Need.Exactly {
			n++
		}
	}
	return n
}

// Rank returns the best chunks, best first, and, for an exact query, how many
// match with the least score.
func (s *Search) Rank(q Query) (hits []Hit, matched int64, err error) {
	r := newScorer(s, q)
	s.allows = make([]Bitmap, len(s.index.Parts))
	for i, part := range s.index.Parts {
		if err := r.rankPart(i, part, s, q.filter(i)); err != nil {
			return nil, 0, err
		}
	}
	s.tables.spare = r.window
	return r.top.Ranked(), r.count, nil
}

// Matches reports whether a chunk is among those that were ranked.
func (s *Search) Matches(part int, chunk uint32) bool {
	if b := s.allows[part]; b != nil && !b.Has(chunk) {
		return false
	}
	for i := range s.entries {
		if s.entries[i].scores() && s.sources[part][i].count(chunk) > 0 {
			return true
		}
	}
	return false
}

func (q *Query) filter(part int) Bitmap {
	if q.Filter == nil {
		return nil
	}
	return q.Filter[part]
}
