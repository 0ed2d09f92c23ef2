package lexical

import (
	"cmp"
	"slices"

	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
)

// A postings says in which chunks of a part an entry stands, ascending, and how
// often, weighted by field and at most 255.
type postings struct {
	list []uint32 // chunk<<countBits | count
}

const (
	countBits = 8
	maxCount  = 1<<countBits - 1
)

// nothing is what an entry has that stands nowhere.
var nothing = &postings{}

func (p *postings) add(chunk, count uint32) {
	p.list = append(p.list, chunk<<countBits|min(count, maxCount))
}

// live counts the live chunks.
func (p *postings) live(of *index.Part) int64 {
	if of.Live == nil {
		return int64(len(p.list))
	}
	live := int64(0)
	for _, n := range p.list {
		if of.IsLive(n >> countBits) {
			live++
		}
	}
	return live
}

// count returns the count in a chunk, 0 where there is none.
func (p *postings) count(chunk uint32) uint32 {
	i := p.seek(0, chunk)
	if i == len(p.list) || p.list[i]>>countBits != chunk {
		return 0
	}
	return p.list[i] & maxCount
}

// unite adds up two postings.
func unite(a, b *postings) *postings {
	p := &postings{list: make([]uint32, 0, len(a.list)+len(b.list))}
	x, y := a.list, b.list
	for len(x) > 0 && len(y) > 0 {
		switch c, d := x[0]>>countBits, y[0]>>countBits; {
		case c < d:
			p.list, x = append(p.list, x[0]), x[1:]
		case c > d:
			p.list, y = append(p.list, y[0]), y[1:]
		default:
			p.add(c, x[0]&maxCount+y[0]&maxCount)
			x, y = x[1:], y[1:]
		}
	}
	p.list = append(append(p.list, x...), y...)
	return p
}

// A posting is a chunk with a count.
type posting struct{ chunk, count uint32 }

// collect sorts postings by chunk and adds up those of one chunk.
func collect(list []posting) *postings {
	slices.SortFunc(list, func(a, b posting) int { return cmp.Compare(a.chunk, b.chunk) })
	p := &postings{}
	for i := 0; i < len(list); {
		chunk, count := list[i].chunk, uint32(0)
		for ; i < len(list) && list[i].chunk == chunk; i++ {
			count += list[i].count
		}
		p.add(chunk, count)
	}
	return p
}

// postings returns the chunks of a bitmap, each with the count 1.
func (b Bitmap) postings(chunks int) *postings {
	p := &postings{}
	for i := range uint32(chunks) {
		if b.Has(i) {
			p.add(i, 1)
		}
	}
	return p
}

// A weigher turns the counts in body, title and headings into one.
type weigher func(body, title, heading uint32) uint32

// in returns the weigher that sees one field only.
func (w weigher) in(f Field) weigher {
	switch f {
	case FieldTitle:
		return func(_, title, _ uint32) uint32 { return w(0, title, 0) }
	case FieldHeading:
		return func(_, _, heading uint32) uint32 { return w(0, 0, heading) }
	case FieldBody:
		return func(body, _, _ uint32) uint32 { return w(body, 0, 0) }
	}
	return w
}

// read returns the postings of a list whose weight is above 0.
func read(l segment.List, w weigher, m *meter.Meter) (*postings, error) {
	p := &postings{list: make([]uint32, 0, l.Len())}
	plain := w(1, 0, 0) == 1
	var b segment.Block
	for i := range l.Blocks() {
		if !l.Read(i, &b) {
			return nil, errDamaged
		}
		if plain && b.Once && b.Plain {
			for _, chunk := range b.Chunks[:b.Len] {
				p.list = append(p.list, chunk<<countBits|1)
			}
		} else {
			for j := range b.Len {
				if n := w(b.Counts(j)); n > 0 {
					p.add(b.Chunks[j], n)
				}
			}
		}
		if err := m.Add(4 * b.Len); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// A phrase finds where terms stand at given places after one another.
type phrase struct {
	lists   []segment.List
	offsets []uint32 // of each term, from the first
	field   Field
	weigh   weigher
	meter   *meter.Meter
}

// find returns the chunks that hold the phrase, and how often.
func (p *phrase) find() (*postings, error) {
	candidates, err := p.common(p.lists)
	if err != nil || len(candidates) == 0 {
		return nothing, err
	}
	starts, err := p.starts(0, candidates, nil)
	if err != nil {
		return nil, err
	}
	for i := 1; i < len(p.lists) && len(starts) > 0; i++ {
		if starts, err = p.starts(i, candidates, starts); err != nil {
			return nil, err
		}
	}
	return collect(p.count(starts)), nil
}

// A start is where a phrase may begin.
type start struct {
	chunk uint32
	field segment.Field
	place uint32
}

func compareStarts(a, b start) int {
	return cmp.Or(cmp.Compare(a.chunk, b.chunk), cmp.Compare(a.field, b.field), cmp.Compare(a.place, b.place))
}

// common returns the chunks that are in all lists.
func (p *phrase) common(lists []segment.List) ([]uint32, error) {
	order := slices.Clone(lists)
	slices.SortStableFunc(order, func(a, b segment.List) int { return cmp.Compare(a.Len(), b.Len()) })
	var kept []uint32
	var b segment.Block
	for n := range order {
		l := &order[n]
		var next []uint32
		rest := kept
		for i := range l.Blocks() {
			if n > 0 {
				if len(rest) == 0 {
					break
				}
				if l.Last(i) < rest[0] {
					continue
				}
			}
			if !l.Read(i, &b) {
				return nil, errDamaged
			}
			if err := p.meter.Add(b.Len); err != nil {
				return nil, err
			}
			if n == 0 {
				next = append(next, b.Chunks[:b.Len]...)
				continue
			}
			for _, c := range b.Chunks[:b.Len] {
				for len(rest) > 0 && rest[0] < c {
					rest = rest[1:]
				}
				if len(rest) > 0 && rest[0] == c {
					next = append(next, c)
				}
			}
		}
		kept = next
	}
	return kept, nil
}

// starts returns where the phrase begins by term i: all places, or those that
// are among the starts that the terms before have left.
func (p *phrase) starts(i int, candidates []uint32, among []start) ([]start, error) {
	var found []start
	l := &p.lists[i]
	rest := candidates
	var b segment.Block
	for n := range l.Blocks() {
		if len(rest) == 0 {
			break
		}
		if l.Last(n) < rest[0] {
			continue
		}
		if !l.Read(n, &b) {
			return nil, errDamaged
		}
		steps := 0
		wanted := rest
		ok := b.Places(func(j int, f segment.Field, places []uint32) {
			steps += len(places)
			for len(wanted) > 0 && wanted[0] < b.Chunks[j] {
				wanted = wanted[1:]
			}
			if len(wanted) == 0 || wanted[0] != b.Chunks[j] || !p.field.holds(f) {
				return
			}
			for _, place := range places {
				if place >= p.offsets[i] { // else the phrase would begin before the text
					found = append(found, start{b.Chunks[j], f, place - p.offsets[i]})
				}
			}
		})
		if !ok {
			return nil, errDamaged
		}
		for len(rest) > 0 && rest[0] <= b.Chunks[b.Len-1] {
			rest = rest[1:]
		}
		if err := p.meter.Add(2 * steps); err != nil {
			return nil, err
		}
	}
	if among == nil && i == 0 {
		return found, nil
	}
	return both(found, among), nil
}

// both returns what is in both of two ascending lists.
func both(a, b []start) []start {
	out := b[:0]
	for _, s := range b {
		for len(a) > 0 && compareStarts(a[0], s) < 0 {
			a = a[1:]
		}
		if len(a) > 0 && a[0] == s {
			out = append(out, s)
		}
	}
	return out
}

// count turns starts into postings.
func (p *phrase) count(starts []start) []posting {
	var list []posting
	for len(starts) > 0 {
		var counts [3]uint32
		chunk := starts[0].chunk
		for len(starts) > 0 && starts[0].chunk == chunk {
			counts[starts[0].field]++
			starts = starts[1:]
		}
		if n := p.weigh(counts[segment.Body], counts[segment.Title], counts[segment.Heading]); n > 0 {
			list = append(list, posting{chunk, n})
		}
	}
	return list
}

// A Field says where a unit of a query may stand.
type Field uint8

const (
	FieldAny Field = iota
	FieldTitle
	FieldHeading
	FieldBody
)

func (f Field) holds(of segment.Field) bool {
	return f == FieldAny || f == FieldTitle && of == segment.Title || f == FieldHeading && of == segment.Heading || f == FieldBody && of == segment.Body
}
