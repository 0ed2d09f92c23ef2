package lexical

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/rank"
)

// windowSize is how many chunks are scored together: their sums stay in the
// cache of the processor.
const windowSize = 1 << 12

// A Hit is a chunk of a part of the index with its score.
type Hit struct {
	Score Score
	Part  int
	Chunk uint32
}

// A Score is a tier, which is compared first, and nano-units below 2⁵⁰.
type Score int64

const tierBits = 50

// Tier returns the tier of a score, and Nano its nano-units.
func (s Score) Tier() int64 { return int64(s) >> tierBits }
func (s Score) Nano() int64 { return int64(s) & (1<<tierBits - 1) }

// A scorer ranks the chunks of one part after the other for one need.
//
// It is MaxScore (Turtle and Flood 1995) over windows of chunks: terms whose
// bounds together stay below the worst kept score are looked up only for chunks
// that others have brought up. Bounds come from greatest counts and least
// lengths with the statistics of the query; a chunk that can still reach the worst
// kept score is scored in full, so that pruning changes no hit: see
// TestPrunedEqualsBruteForce.
type scorer struct {
	meter    *meter.Meter
	sat      *saturation
	top      *rank.Top[Hit]
	floor    Score // a chunk below it cannot enter
	keys     func(part int, chunk uint32) rank.Hit
	prune    bool
	collapse bool
	limit    int64
	least    Score // what counts
	apart    bool
	count    int64 // of the hits that count, where nothing is pruned
	part     int
	*window
	allows Bitmap // nil: every chunk
	lens   []uint32

	found     func(part int, chunk uint32)
	documents func(chunk uint32) uint32 // nil: every chunk is a hit of its own
	pending   bool                      // best is of a document
	document  uint32
	best      Hit

	cursors []cursor // by ascending bound
}

// A window holds what is worked out of a run of chunks. Its sums are 0 between
// windows, so that a window that was used to its end can be used again.
type window struct {
	acc   [windowSize]Score
	seen  [windowSize / 64]uint64
	near  [windowSize]uint32 // the chunks that were gathered
	value [windowSize]Score  // their scores so far
}

func newScorer(s *Search, q Query) *scorer {
	r := &scorer{meter: s.meter, sat: s.sat, keys: q.Key, prune: !q.Exact, window: s.tables.window()}
	r.top, r.limit, r.collapse, r.found, r.least, r.apart = rank.NewTop(q.Limit, r.compare), q.Limit, q.Collapse, q.Found, q.Least, q.Apart
	return r
}

// compare is the order of a need's ranking: the score, and what breaks ties.
func (s *scorer) compare(a, b Hit) int {
	if a.Score != b.Score {
		return cmp.Compare(b.Score, a.Score)
	}
	return rank.Compare(s.keys(a.Part, a.Chunk), s.keys(b.Part, b.Chunk))
}

// rankPart ranks the chunks of a part.
func (s *scorer) rankPart(i int, part *index.Part, of *Search, filter Bitmap) error {
	var err error
	if s.allows, err = of.allowed(i, part, filter, s.apart); err != nil {
		return err
	}
	of.allows[i] = s.allows
	s.part, s.lens = i, of.tables.lengths[i]
	if s.collapse {
		s.documents = part.DocumentOf
	}
	defer s.flush()
	cursors := s.cursors[:0]
	for n := 0; n < len(of.entries); n++ {
		e := &of.entries[n]
		if !e.scores() || len(of.sources[i][n].list) == 0 {
			continue
		}
		c := cursor{lift: Score(e.tiers) << tierBits}
		c.scored = of.scored(i, n, s.lens)
		c.bound = c.lift + c.most
		cursors = append(cursors, c)
		if of.isSpelling(n + 1) {
			n++
		}
	}
	if of.Need.Exactly {
		exact := of.exact(i, part.Chunks()).postings(part.Chunks())
		c := cursor{scored: &scored{exact, make([]Score, len(exact.list)+1), make([]Score, len(exact.list)/peakSize+1), 0, nil}, lift: 1 << tierBits}
		c.bound = c.lift
		cursors = append(cursors, c)
	}
	return s.run(cursors)
}

// A cursor stands at a place of what an entry, or a word with its stem, is worth.
type cursor struct {
	*scored
	lift  Score // the tiers that a chunk gains by it
	bound Score // what a chunk gains by it at most
	i     int   // in the list
}

// A scored holds postings with what each adds to the score of its chunk.
type scored struct {
	*postings
	values []Score // one more than the list has: see refineByPlace
	peaks  []Score // of each peakSize values the greatest
	most   Score
	places directory // nil until it is asked for
}

// peakSize is how many postings are passed over together where their peak says
// that none of their chunks can enter (block-max, Ding and Suel 2011).
const peakSize = 16

// score works out what the postings of a stem and, where they are not nil, those
// of one of its spellings add, each rounded by itself. The chunks of the spelling
// are among those of the stem.
func score(p *postings, idf int64, spelling *postings, spellingIDF int64, s *saturation, lens []uint32) *scored {
	r := &scored{postings: p, values: make([]Score, len(p.list)+1), peaks: make([]Score, 0, len(p.list)/peakSize+1)}
	rest := []uint32{}
	if spelling != nil {
		rest = spelling.list
	}
	for i, n := range p.list {
		length := lens[n>>countBits]
		v := part(idf, s.of(n&maxCount, length))
		if len(rest) > 0 && rest[0]>>countBits == n>>countBits {
			v += part(spellingIDF, s.of(rest[0]&maxCount, length))
			rest = rest[1:]
		}
		r.values[i] = v
		if i%peakSize == 0 {
			r.peaks = append(r.peaks, v)
		}
		r.peaks[i/peakSize] = max(r.peaks[i/peakSize], v)
		r.most = max(r.most, v)
	}
	return r
}

// part is what an entry adds to a score, of its idf and what its count is worth.
func part(idf int64, worth uint32) Score { return Score(idf * int64(worth) >> scaleBits) }

// seek returns the first place from i on whose chunk is not before one. It doubles
// its step, then halves it.
func (p *postings) seek(i int, chunk uint32) int {
	list, bound := p.list, chunk<<countBits
	if i >= len(list) || list[i] >= bound {
		return i
	}
	step := 1
	for i+step < len(list) && list[i+step] < bound {
		i += step
		step *= 2
	}
	end := min(i+step, len(list))
	for i++; i < end; {
		if mid := int(uint(i+end) >> 1); list[mid] < bound {
			i = mid + 1
		} else {
			end = mid
		}
	}
	return i
}

// run ranks the chunks of a part. It takes the cursors.
func (s *scorer) run(cursors []cursor) error {
	slices.SortStableFunc(cursors, func(a, b cursor) int { return cmp.Compare(a.bound, b.bound) })
	s.cursors = cursors
	sums := make([]Score, len(cursors)+1) // of the bounds before each
	for i := range cursors {
		sums[i+1] = sums[i] + cursors[i].bound
	}
	s.seed(sums)
	for lo := uint32(0); int(lo) < len(s.lens); lo += windowSize {
		first := 0
		for s.prune && first < len(cursors) && sums[first+1] < s.floor {
			first++
		}
		if first == len(cursors) {
			break // no chunk can enter any more
		}
		steps := s.rankWindow(lo, lo+windowSize, first, sums)
		if err := s.meter.Add(steps); err != nil {
			return err
		}
	}
	return nil
}

// maxSeed is how many chunks are looked at for a first floor.
const maxSeed = 128

// seed sets the floor by the first chunks of the strongest entry, whose scores are
// known before any window is ranked: as many of them as are asked for reach it.
func (s *scorer) seed(sums []Score) {
	last := len(s.cursors) - 1
	if last < 0 || !s.prune || s.collapse || s.floor > 0 || s.limit > maxSeed {
		return
	}
	scores := rank.NewTop(s.limit, func(a, b Score) int { return cmp.Compare(b, a) })
	strongest := &s.cursors[last]
	for i, p := range strongest.list[:min(len(strongest.list), maxSeed)] {
		chunk := p >> countBits
		if s.allows != nil && !s.allows.Has(chunk) {
			continue
		}
		score := strongest.lift + strongest.values[i]
		for j := last - 1; j >= 0 && score+sums[j+1] >= s.floor; j-- {
			c := &s.cursors[j]
			c.i = c.seek(c.i, chunk)
			if c.i < len(c.list) && c.list[c.i]>>countBits == chunk {
				score += c.lift + c.values[c.i]
			}
		}
		scores.Push(score)
		if worst, full := scores.Worst(); full {
			s.floor = worst
		}
	}
	for j := range s.cursors {
		s.cursors[j].i = 0
	}
}

// rankWindow ranks the chunks from lo on, below hi, that the cursors from first on
// stand in, and returns how many steps it took.
func (s *scorer) rankWindow(lo, hi uint32, first int, sums []Score) int {
	steps, n := 16, 0
	if first == len(s.cursors)-1 {
		n, steps = s.only(&s.cursors[first], hi, sums[first])
	} else {
		for i := first; i < len(s.cursors); i++ {
			steps += s.add(&s.cursors[i], lo, hi, sums[len(s.cursors)]-s.cursors[i].bound)
		}
		n = s.gather(lo, sums[first])
	}
	for i := first - 1; i >= 0 && n > 0; i-- {
		steps += 2 * n
		n = s.refine(&s.cursors[i], n, sums[i])
	}
	for i := range n {
		s.offer(s.near[i], s.value[i])
	}
	return steps + 8*n
}

// only collects the chunks of a cursor below hi that can enter if they gain rest:
// no other cursor brings up any. It returns how many they are, and its steps.
func (s *scorer) only(c *cursor, hi uint32, rest Score) (n, steps int) {
	least := s.floor - rest - c.lift
	list, values, i := c.list, c.values[:len(c.list)], c.i
	end := c.seek(i, hi)
	for i < end {
		stop := min((i|(peakSize-1))+1, end)
		if c.peaks[i/peakSize] < least {
			i = stop
			continue
		}
		for ; i < stop; i++ {
			chunk := list[i] >> countBits
			if values[i] < least || s.allows != nil && !s.allows.Has(chunk) {
				continue
			}
			s.near[n&(windowSize-1)], s.value[n&(windowSize-1)] = chunk, c.lift+values[i]
			n++
		}
	}
	steps = i - c.i + 16
	c.i = i
	return n, steps
}

// gather collects the chunks of a window that can enter if they gain rest, and
// empties the sums.
func (s *scorer) gather(lo uint32, rest Score) int {
	n, least := 0, s.floor-rest
	for w, word := range s.seen {
		if word == 0 {
			continue
		}
		s.seen[w] = 0
		if s.allows != nil {
			at := int(lo)>>6 + w
			for gone := word &^ s.allows[at]; gone != 0; gone &= gone - 1 {
				s.acc[(w<<6+bits.TrailingZeros64(gone))&(windowSize-1)] = 0
			}
			word &= s.allows[at]
		}
		for ; word != 0; word &= word - 1 {
			i := uint32(w<<6+bits.TrailingZeros64(word)) & (windowSize - 1)
			score := s.acc[i]
			s.acc[i] = 0
			s.near[n&(windowSize-1)], s.value[n&(windowSize-1)] = lo+i, score
			n += reaches(score, least)
		}
	}
	return n
}

// reaches is 1 for a score that is not below the least, else 0. It takes no branch,
// which a processor would guess wrong as often as right.
func reaches(score, least Score) int { return int(uint64(least-1-score) >> 63) }

// refine adds what a cursor is worth to the collected chunks, leaves out those
// that cannot enter then if they gain rest, and returns how many are left.
func (s *scorer) refine(c *cursor, n int, rest Score) int {
	if places := c.directory(len(s.lens)); places != nil {
		return s.refineByPlace(c, places, n, rest)
	}
	left, i := 0, c.seek(c.i, s.near[0])
	list, values, lift, least := c.list, c.values[:len(c.list)], c.lift, s.floor-rest
	for k := range n {
		chunk, score := s.near[k&(windowSize-1)], s.value[k&(windowSize-1)]
		bound := chunk << countBits
		for i < len(list) && list[i] < bound {
			i++
		}
		if i < len(list) && list[i]>>countBits == chunk {
			score += lift + values[i]
		}
		s.near[left&(windowSize-1)], s.value[left&(windowSize-1)] = chunk, score
		left += reaches(score, least)
	}
	c.i = i
	return left
}

// refineByPlace is refine for a cursor with a directory.
func (s *scorer) refineByPlace(c *cursor, places directory, n int, rest Score) int {
	left, values, lift, least := 0, c.values, c.lift, s.floor-rest
	for k := range n {
		chunk, score := s.near[k&(windowSize-1)], s.value[k&(windowSize-1)]
		d := &places[chunk>>6]
		has := d.chunks >> (chunk & 63)
		at := d.upTo - bits.OnesCount64(has)
		score += (lift + values[at]) & -Score(has&1)
		s.near[left&(windowSize-1)], s.value[left&(windowSize-1)] = chunk, score
		left += reaches(score, least)
	}
	return left
}

// A directory finds the place of a chunk in a list at once: for each run of 64
// chunks, which of them the list has, and how many it has up to their end (Jacobson
// 1989).
type directory []struct {
	chunks uint64
	upTo   int
}

// sparse is how many chunks there are to a posting at least in a list that has no
// directory: its postings are passed over one by one.
const sparse = 256

// directory returns that of a list over so many chunks, nil for a list that is
// sparse.
func (r *scored) directory(chunks int) directory {
	if r.places != nil || len(r.list) < chunks/sparse {
		return r.places
	}
	r.places = make(directory, (chunks+63)/64)
	for _, p := range r.list {
		chunk := p >> countBits
		r.places[chunk>>6].chunks |= 1 << (chunk & 63)
	}
	n := 0
	for i := range r.places {
		n += bits.OnesCount64(r.places[i].chunks)
		r.places[i].upTo = n
	}
	return r.places
}

// add adds what a cursor is worth to the sums of a window. It passes over chunks
// that cannot enter with all that the others are worth: what those have of them
// stays below the floor, too.
func (s *scorer) add(c *cursor, lo, hi uint32, others Score) int {
	i := c.seek(c.i, lo)
	list, values, lift := c.list, c.values[:len(c.list)], c.lift
	end := c.seek(i, hi)
	acc, seen := &s.acc, &s.seen
	least := s.floor - others - lift // less cannot enter with all the others
	steps := (end-i)/4 + 4
	for i < end {
		stop := min((i|(peakSize-1))+1, end)
		if c.peaks[i/peakSize] < least {
			i = stop
			continue
		}
		steps += stop - i
		run := values[i:stop]
		for j, p := range list[i:stop][:len(run)] {
			at := (p>>countBits - lo) & (windowSize - 1)
			acc[at] += lift + run[j]
			seen[at>>6] |= 1 << (at & 63)
		}
		i = stop
	}
	c.i = end
	return steps
}

// offer offers a chunk with its whole score.
func (s *scorer) offer(chunk uint32, score Score) {
	if s.found != nil {
		s.found(s.part, chunk)
	}
	if s.documents == nil {
		s.push(Hit{Score: score, Part: s.part, Chunk: chunk})
		return
	}
	if document := s.documents(chunk); !s.pending || document != s.document {
		s.flush()
		s.pending, s.document, s.best = true, document, Hit{Score: score, Part: s.part, Chunk: chunk}
	} else if score > s.best.Score {
		s.best.Score, s.best.Chunk = score, chunk
	}
}

// flush offers the best chunk of the document that was under way: the chunks of a
// document follow one another, the first of equals wins.
func (s *scorer) flush() {
	if s.pending {
		s.push(s.best)
		s.pending = false
	}
}

func (s *scorer) push(h Hit) {
	if h.Score >= s.least {
		s.count++
	}
	if h.Score < s.floor {
		return
	}
	s.top.Push(h)
	if worst, full := s.top.Worst(); full && s.prune {
		s.floor = max(s.floor, worst.Score)
	}
}
