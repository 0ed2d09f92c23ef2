package retrieve

import (
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func (e *Engine) search(in []byte, m *meter.Meter) ([]byte, error) {
	q, err := abi.ReadSearchCall(in, "handle")
	if err != nil {
		return nil, err
	}
	c, err := e.corpus(q.Handle)
	if err != nil {
		return nil, err
	}
	set, query := c.vectorSet(), q.QueryVector
	if query == nil && q.Search.Mode != abi.ModeLexical {
		if query, err = e.queryVector(set, q.Search.Query, m); err != nil {
			return nil, err
		}
	}
	return e.answerSearch(c, q.Search, set, query, m)
}

// round begins a round of a search over several instances. Every instance reads
// the inquiry alike; the root, which cursors name, is that of the whole corpus, as are
// the vectors after the first round.
func (e *Engine) round(q *abi.SearchCall, set func(c *corpus) abi.VectorSet, m *meter.Meter) (*round, error) {
	c, err := e.corpus(q.Handle)
	if err != nil {
		return nil, err
	}
	a, err := inquire(q.Search, q.Corpus, set(c), q.QueryVector)
	if err != nil {
		return nil, err
	}
	return c.search(a, e.account, m)
}

func (e *Engine) searchPlan(in []byte, m *meter.Meter) ([]byte, error) {
	q, err := abi.ReadSearchCall(in, "handle", "corpus")
	if err != nil {
		return nil, err
	}
	r, err := e.round(&q, (*corpus).vectorSet, m)
	if err != nil {
		return nil, err
	}
	p, err := r.plan()
	return p.Append(nil), err
}

func (e *Engine) searchStatistics(in []byte, m *meter.Meter) ([]byte, error) {
	q, err := abi.ReadSearchCall(in, "handle", "corpus", "plans")
	if err != nil {
		return nil, err
	}
	r, total, err := e.planned(&q, m)
	if err != nil {
		return nil, err
	}
	s, err := r.count(&total)
	return s.Append(nil), err
}

// planned begins a round after the first.
func (e *Engine) planned(q *abi.SearchCall, m *meter.Meter) (*round, abi.SearchPlan, error) {
	total, err := sum(q.Plans)
	if err != nil {
		return nil, total, err
	}
	r, err := e.round(q, func(*corpus) abi.VectorSet { return total.Vectors }, m)
	if err != nil {
		return nil, total, err
	}
	if r.vector != nil && r.corpus.vectorSet() != total.Vectors {
		return nil, total, abi.Errorf(abi.RoundsInvalid, "the plans are of other vectors than this instance has")
	}
	return r, total, r.bounded(total)
}

func (e *Engine) searchPartial(in []byte, m *meter.Meter) ([]byte, error) {
	q, err := abi.ReadSearchCall(in, "handle", "corpus", "plans", "statistics")
	if err != nil {
		return nil, err
	}
	r, total, err := e.planned(&q, m)
	if err != nil {
		return nil, err
	}
	corrected, err := r.correct(&total, q.Statistics, r.corpus.lexical.Stem)
	if err != nil {
		return nil, err
	}
	e.stage("rank")
	p, err := r.partial(total, q.Statistics, len(corrected) > 0)
	return p.Append(nil), err
}

func (e *Engine) searchMerge(in []byte) ([]byte, error) {
	e.stage("merge")
	q, err := abi.ReadSearchCall(in, "engine", "corpus", "settings", "plans", "statistics", "partials", "model", "vectors")
	if err != nil {
		return nil, err
	}
	total, err := sum(q.Plans)
	if err != nil {
		return nil, err
	}
	a, err := inquire(q.Search, q.Corpus, total.Vectors, q.QueryVector)
	if err != nil {
		return nil, err
	}
	stem, err := index.StemOf(q.Settings)
	if err != nil {
		return nil, err
	}
	corrected, err := a.correct(&total, q.Statistics, stem)
	if err != nil {
		return nil, err
	}
	reply := &abi.SearchReply{Names: q.Names, Corpus: q.Corpus, Settings: q.Settings, Corrected: corrected}
	view, err := a.need.View(stem, a.params, statisticsOf(a.params, total), total.Counts)
	if err != nil {
		return nil, err
	}
	if err := a.conclude(reply, total, q.Statistics, q.Partials, view, func([]abi.Found) error { return nil }); err != nil {
		return nil, err
	}
	return audit.SealSearch(reply), nil
}

func (e *Engine) build(in []byte, m *meter.Meter) ([]byte, error) {
	e.stage("build")
	taken := int64(0)
	defer func() { e.account.Give(taken) }()
	q, err := abi.ReadBuildRequest(in, ticker(e.account, m, documentBytes, &taken))
	if err != nil {
		return nil, err
	}
	return e.segment(q.Documents, q.Settings, q.Inline, m)
}

// segment builds a segment and hands it to the host.
func (e *Engine) segment(documents []abi.Document, settings abi.Settings, inline bool, m *meter.Meter) ([]byte, error) {
	b, err := index.Build(documents, settings, e.account, m)
	if err != nil {
		return nil, err
	}
	s, err := segment.Open(b)
	if err != nil {
		return nil, err
	}
	reply := abi.BuildReply{Documents: int64(s.Documents()), Chunks: int64(s.Chunks()), Terms: int64(s.Terms()), Stored: int64(s.Stored())}
	if inline || e.config.Keep == nil {
		reply.Segment.Inline = b
	} else {
		reply.Segment.Address, reply.Segment.Size = e.config.Keep(b), int64(len(b))
	}
	return reply.Append(nil), nil
}

func (e *Engine) compact(in []byte, m *meter.Meter) ([]byte, error) {
	e.stage("build")
	q, err := abi.ReadCompactRequest(in)
	if err != nil {
		return nil, err
	}
	c, err := e.indexOf(q.Handle)
	if err != nil {
		return nil, err
	}
	documents, err := c.live(m)
	if err != nil {
		return nil, err
	}
	return e.segment(documents, c.lexical.Settings, q.Inline, m)
}

func errNoIndex() error {
	return abi.Errorf(abi.IndexAbsent, "the corpus was opened without settings of an index")
}

func (e *Engine) indexOf(handle int64) (*corpus, error) {
	c, err := e.corpus(handle)
	if err != nil {
		return nil, err
	}
	if c.lexical == nil {
		return nil, errNoIndex()
	}
	return c, nil
}

// live returns the live documents of an index, in the order of their ids.
func (c *corpus) live(m *meter.Meter) ([]abi.Document, error) {
	var list []abi.Document
	for _, part := range c.lexical.Parts {
		for doc := range uint32(part.Documents()) {
			if !part.IsRemoved(doc) {
				list = append(list, part.Record(doc).Document)
			}
			if err := m.Add(1000); err != nil {
				return nil, err
			}
		}
	}
	slices.SortFunc(list, func(a, b abi.Document) int { return strings.Compare(a.ID, b.ID) })
	return list, nil
}

func (e *Engine) remove(in []byte, m *meter.Meter) ([]byte, error) {
	q, err := abi.ReadRemoveRequest(in)
	if err != nil {
		return nil, err
	}
	c, err := e.indexOf(q.Handle)
	if err != nil {
		return nil, err
	}
	wanted := make(map[string]bool, len(q.IDs))
	for _, id := range q.IDs {
		wanted[id] = true
	}
	reply := abi.RemoveReply{Removed: [][]uint32{}, Unknown: []string{}}
	for _, part := range c.lexical.Parts {
		list := []uint32{}
		for doc := range uint32(part.Documents()) {
			id, _ := part.Names(doc)
			switch {
			case part.IsRemoved(doc):
				list = append(list, doc)
			case wanted[id]:
				list = append(list, doc)
				wanted[id] = false
			}
			if err := m.Add(64); err != nil {
				return nil, err
			}
		}
		reply.Removed = append(reply.Removed, list)
	}
	for _, id := range q.IDs {
		if wanted[id] {
			reply.Unknown = append(reply.Unknown, id)
			wanted[id] = false
		}
	}
	return reply.Append(nil), nil
}
