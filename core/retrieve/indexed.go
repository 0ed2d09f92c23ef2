package retrieve

import (
	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/lexical"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// Held gives the bytes of a reservation of the bulk plane, which belong to the
// Engine from then on; false where there is none of that size.
type Held func(address, size int64) ([]byte, bool)

// makeIndex makes the index of a corpus from its documents. Their bytes are in
// the segment from then on.
func (c *corpus) makeIndex(settings abi.Settings, a *meter.Account, m *meter.Meter) error {
	b, err := index.Build(c.documents, settings, a, m)
	if err != nil {
		return err
	}
	c.documents = nil
	return c.openSegments(settings, [][]byte{b}, nil, a, m)
}

// fromSegments opens segments that were built before.
func (c *corpus) fromSegments(q *abi.OpenRequest, held Held, a *meter.Account, m *meter.Meter) error {
	list := make([][]byte, len(q.Segments))
	for i, ref := range q.Segments {
		var err error
		if list[i], err = bytesOf(ref, held); err != nil {
			return err
		}
	}
	return c.openSegments(*q.Settings, list, q.Removed, a, m)
}

// bytesOf returns what a reference stands for.
func bytesOf(ref abi.SegmentRef, held Held) ([]byte, error) {
	if ref.Inline != nil {
		return ref.Inline, nil
	}
	if held != nil {
		if b, ok := held(ref.Address, ref.Size); ok {
			return b, nil
		}
	}
	return nil, abi.Errorf(abi.RequestInvalid, "there is no reservation of %d bytes at %d", ref.Size, ref.Address)
}

func (c *corpus) openSegments(settings abi.Settings, list [][]byte, removed [][]uint32, a *meter.Account, m *meter.Meter) error {
	var segments []*segment.Segment
	for _, b := range list {
		if err := a.Take(int64(len(b))); err != nil {
			return err
		}
		c.bytes += int64(len(b))
		s, err := segment.Open(b)
		if err != nil {
			return err
		}
		if err := m.Add(len(b) / 4); err != nil {
			return err
		}
		segments = append(segments, s)
	}
	x, err := index.Open(settings, segments, removed, m)
	if err != nil {
		return err
	}
	c.lexical = &indexed{Index: x, statistics: x.Statistics(), tables: map[string]*lexical.Tables{}}
	leaves, err := c.lexical.leavesOf(m)
	if err != nil {
		return err
	}
	c.size = len(leaves)
	c.trie = audit.NewCorpus(leaves)
	c.root = audit.Name(c.trie.Root())
	return nil
}

// ensure gives a corpus that was opened without settings an index with the default
// ones, when a profile that ranks by an index is asked for first.
func (c *corpus) ensure(a *meter.Account, m *meter.Meter) error {
	if c.lexical != nil {
		return nil
	}
	again := &corpus{names: c.names, documents: c.documents}
	if err := again.makeIndex(abi.DefaultSettings(), a, m); err != nil {
		a.Give(again.bytes)
		return err
	}
	c.lexical = again.lexical
	c.bytes += again.bytes
	return nil
}

// plain makes what the profile cosine ranks of the live documents of an index,
// when it is asked for first.
func (c *corpus) plain(a *meter.Account, m *meter.Meter) error {
	if c.lexical == nil || c.scan != nil {
		return nil
	}
	for _, part := range c.lexical.Parts {
		for doc := range uint32(part.Documents()) {
			if !part.IsRemoved(doc) {
				c.documents = append(c.documents, part.Record(doc).Document)
			}
			if err := m.Add(1000); err != nil {
				return err
			}
		}
	}
	return c.fromDocuments(a, m)
}

// indexAgain returns a corpus with an index of these settings: the one that is
// open, or one that is built anew from its documents and given back by close.
func (e *Engine) indexAgain(c *corpus, settings abi.Settings, m *meter.Meter) (again *corpus, close func(), err error) {
	if c.lexical != nil && c.lexical.Settings == settings {
		return c, func() {}, nil
	}
	documents := c.documents
	if c.lexical != nil {
		if documents, err = c.live(m); err != nil {
			return nil, nil, err
		}
	}
	again = &corpus{names: c.names, documents: documents}
	close = func() { e.account.Give(again.bytes) }
	if err := again.makeIndex(settings, e.account, m); err != nil {
		close()
		return nil, nil, err
	}
	return again, close, nil
}

// leavesOf returns the leaves of all live documents. It fails where two segments
// have a live document with the same id.
func (x *indexed) leavesOf(m *meter.Meter) ([]audit.Leaf, error) {
	leaves := make([]audit.Leaf, 0, x.statistics.Documents)
	seen := make(map[string]bool, x.statistics.Documents)
	for _, part := range x.Parts {
		for doc := range uint32(part.Documents()) {
			if part.IsRemoved(doc) {
				continue
			}
			id, _ := part.Names(doc)
			if seen[id] {
				return nil, abi.Errorf(abi.CorpusInvalid, "two segments have the document %q", id)
			}
			seen[id] = true
			leaves = append(leaves, audit.NewLeaf(id, part.Digest(doc)))
			if err := m.Add(2000); err != nil {
				return nil, err
			}
		}
	}
	return leaves, nil
}
