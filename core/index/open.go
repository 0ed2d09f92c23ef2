package index

import (
	"slices"

	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Part is a segment without the documents that were removed from it.
type Part struct {
	*segment.Segment
	Live    []uint64         // a bit for each chunk; nil: all are live
	dead    []uint32         // the removed documents, ascending
	terms   map[string]int64 // term → in how many removed chunks
	chunks  int64            // removed
	removed segment.Totals
}

// An Index is open for reading.
type Index struct {
	Settings abi.Settings
	Parts    []*Part
	analyzer *analyzer
}

// Statistics are sums over live chunks.
type Statistics struct {
	Documents, Chunks    int64
	Title, Heading, Body int64 // content tokens
	All                  int64 // tokens in headings and bodies, stop words among them
}

// Open returns an index of segments. Of each segment, the documents with the
// numbers in removed are left out; they ascend.
func Open(settings abi.Settings, segments []*segment.Segment, removed [][]uint32, m *meter.Meter) (*Index, error) {
	an, err := checkSettings(settings)
	if err != nil {
		return nil, err
	}
	x := &Index{Settings: settings, analyzer: an}
	for i, s := range segments {
		p := &Part{Segment: s}
		if i < len(removed) && len(removed[i]) > 0 {
			if err := p.remove(removed[i], an, settings, m); err != nil {
				return nil, err
			}
		}
		x.Parts = append(x.Parts, p)
	}
	return x, nil
}

// remove leaves documents out, and counts their tokens again.
func (p *Part) remove(docs []uint32, an *analyzer, settings abi.Settings, m *meter.Meter) error {
	p.dead = docs
	p.Live = make([]uint64, (p.Chunks()+63)/64)
	for i := range p.Chunks() {
		p.Live[i>>6] |= 1 << (i & 63)
	}
	p.terms = map[string]int64{}
	for n, doc := range docs {
		if int(doc) >= p.Documents() || n > 0 && docs[n-1] >= doc {
			return abi.Errorf(abi.RequestInvalid, "the segment has no document %d to remove, or it is named twice", int64(doc))
		}
		first, count := p.Range(doc)
		for c := first; c < first+count; c++ {
			p.Live[c>>6] &^= 1 << (c & 63)
		}
		if err := p.forget(doc, an, settings, m); err != nil {
			return err
		}
	}
	return nil
}

// forget takes the tokens of a document out of the statistics: its kept text is cut
// and read again.
func (p *Part) forget(doc uint32, an *analyzer, settings abi.Settings, m *meter.Meter) error {
	r := p.Record(doc)
	parts, err := cut(&r.Document, settings, m)
	if err != nil {
		return err
	}
	title := titleOf(&r.Document, &parts)
	for i := range parts.Chunks {
		var terms []string
		an.tokens(title, &parts, i, func(_ segment.Field, term string, _ uint32, _ bool) {
			terms = append(terms, term)
		})
		count(p.terms, terms)
		if err := m.Add(64 * len(terms)); err != nil {
			return err
		}
	}
	first, count := p.Range(doc)
	for c := first; c < first+count; c++ {
		p.forgetLengths(p.Chunk(c))
	}
	return nil
}

func (p *Part) forgetLengths(c segment.Chunk) {
	p.chunks++
	tokens := c.Tokens()
	p.removed.Title += uint64(tokens[segment.Title])
	p.removed.Heading += uint64(tokens[segment.Heading])
	p.removed.Body += uint64(tokens[segment.Body])
	p.removed.All += uint64(c.All)
}

func count(into map[string]int64, list []string) {
	slices.Sort(list)
	for _, s := range slices.Compact(list) {
		into[s]++
	}
}

// Statistics returns those of the whole index.
func (x *Index) Statistics() Statistics {
	var s Statistics
	for _, p := range x.Parts {
		t := p.Totals()
		s.Documents += int64(p.Documents() - len(p.dead))
		s.Chunks += int64(p.Chunks()) - p.chunks
		s.Title += int64(t.Title - p.removed.Title)
		s.Heading += int64(t.Heading - p.removed.Heading)
		s.Body += int64(t.Body - p.removed.Body)
		s.All += int64(t.All - p.removed.All)
	}
	return s
}

// Stem returns the stem of a term, false for one that has none.
func (x *Index) Stem(term string) (string, bool) { return x.analyzer.stem(term) }

// Term returns the list of a term and in how many live chunks it stands.
func (p *Part) Term(term string) (l segment.List, live int64) {
	l, ok := p.Segment.Term(term)
	if !ok {
		return l, 0
	}
	return l, int64(l.Len()) - p.terms[term]
}

// StemLists returns the lists of all terms with a stem in a part.
func (x *Index) StemLists(p *Part, stem string) []segment.List {
	return p.Stem(stem, x.analyzer.stem)
}

// LiveTerm returns in how many live chunks of a part the term of a list stands.
func (p *Part) LiveTerm(term string, l *segment.List) int64 { return int64(l.Len()) - p.terms[term] }

// IsRemoved reports whether a document was removed.
func (p *Part) IsRemoved(doc uint32) bool {
	_, ok := slices.BinarySearch(p.dead, doc)
	return ok
}

// IsLive reports whether a chunk was not removed.
func (p *Part) IsLive(chunk uint32) bool {
	return p.Live == nil || p.Live[chunk>>6]>>(chunk&63)&1 == 1
}
