package retrieve

import (
	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/internal/fixed"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/lexical"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// ask makes of each need with a slot an inquiry of an index with these vectors. queries
// are the vectors of these needs, nil where there are none.
func (s *shared) ask(set abi.VectorSet, queries [][]int8) error {
	resolveLegs(&s.request.Mode, &s.request.Fusion, s.request.Profile, set)
	s.inquiries = make([]*inquiry, len(s.needs))
	due := 0
	for i, need := range s.needs {
		if s.slots[i] == 0 {
			continue
		}
		var query []int8
		if due < len(queries) {
			query = queries[due]
		}
		if queries != nil && query == nil {
			return abi.Errorf(abi.RequestInvalid, "queryVectors has none for need %d", int64(i))
		}
		q := abi.DefaultSearch()
		q.Query, q.Profile, q.Mode, q.Fusion = need.Text, s.request.Profile, s.request.Mode, s.request.Fusion
		q.Limit, q.Collapse, q.Typos = s.depth(i), abi.CollapseDoc, false
		a, err := inquire(q, "", set, query)
		if err != nil {
			return err
		}
		a.keys = &s.keys
		s.inquiries[i] = a
		due++
	}
	if due < len(queries) {
		return abi.Errorf(abi.RequestInvalid, "there are %d needs with a slot, and %d queryVectors", int64(due), int64(len(queries)))
	}
	return nil
}

// totals adds up what the instances say of each need with a slot.
func (s *shared) totals(plans []abi.InstancePlan) ([]abi.SearchPlan, error) {
	var list []abi.SearchPlan
	for _, slots := range s.slots {
		if slots == 0 {
			continue
		}
		var of []abi.SearchPlan
		for _, p := range plans {
			if len(list) >= len(p.Lexical) {
				return nil, abi.Errorf(abi.RoundsInvalid, "a plan has %d needs", int64(len(p.Lexical)))
			}
			of = append(of, p.Lexical[len(list)])
		}
		total, err := sum(of)
		if err != nil {
			return nil, err
		}
		list = append(list, total)
	}
	return list, nil
}

// askPlanned is ask in the rounds after the first: with the vectors that the plans name.
func (s *shared) askPlanned(plans []abi.InstancePlan, queries [][]int8) ([]abi.SearchPlan, error) {
	totals, err := s.totals(plans)
	if err != nil {
		return nil, err
	}
	return totals, s.ask(totals[0].Vectors, queries)
}

// byVectors reports whether the vector leg takes part.
func (s *shared) byVectors() bool {
	for _, a := range s.inquiries {
		if a != nil && a.vector != nil {
			return true
		}
	}
	return false
}

// A chunkRanking collects what one instance finds by its index: for each need with a
// slot the best chunk of each document.
type chunkRanking struct {
	corpus *corpus
	shared *shared
	meter  *meter.Meter
	rounds []*round // of the needs with a slot
	needs  []int    // their numbers
	alone  bool     // no other instance ranks: only what is shown at last is told of

	seen   []lexical.Bitmap  // part → documents that were counted
	places map[chunkOf]int64 // chunk → its place in the result
	hits   []lexical.Hit     // by place
	marker *lexical.Marker   // of all needs: one chunk has one excerpt, whichever need finds it first
	result abi.PartialResult
}

// A chunkOf names a chunk of a part of an index.
type chunkOf struct {
	part  int
	chunk uint32
}

// rankChunks begins the rounds of all needs.
func (c *corpus) rankChunks(s *shared, a *meter.Account, m *meter.Meter) (*chunkRanking, error) {
	r := &chunkRanking{corpus: c, shared: s, meter: m, places: map[chunkOf]int64{}}
	for i, q := range s.inquiries {
		if q == nil {
			continue
		}
		round, err := c.search(q, a, m)
		if err != nil {
			return nil, err
		}
		r.rounds, r.needs = append(r.rounds, round), append(r.needs, i)
	}
	r.seen = c.newDocumentMarks()
	return r, nil
}

func (c *corpus) newDocumentMarks() []lexical.Bitmap {
	var list []lexical.Bitmap
	for _, part := range c.lexical.Parts {
		list = append(list, lexical.NewBitmap(part.Documents(), false))
	}
	return list
}

func (r *chunkRanking) plan() (abi.InstancePlan, error) {
	p := abi.InstancePlan{Chunks: r.corpus.lexical.statistics.Chunks, Lexical: []abi.SearchPlan{}}
	for _, round := range r.rounds {
		of, err := round.plan()
		if err != nil {
			return p, err
		}
		p.Lexical = append(p.Lexical, of)
	}
	return p, nil
}

func (r *chunkRanking) statistics(totals []abi.SearchPlan) (abi.InstanceStatistics, error) {
	var s abi.InstanceStatistics
	for i, round := range r.rounds {
		of, err := round.count(&totals[i])
		if err != nil {
			return s, err
		}
		s.Needs = append(s.Needs, of)
	}
	return s, nil
}

func (r *chunkRanking) partial(totals []abi.SearchPlan, all []abi.InstanceStatistics) (abi.PartialResult, error) {
	var searches []*lexical.Search
	for i, round := range r.rounds {
		if err := round.scan(&totals[i]); err != nil {
			return r.result, err
		}
		if err := round.resolve(&totals[i]); err != nil {
			return r.result, err
		}
		searches = append(searches, round.search)
	}
	r.marker = lexical.NewMarker(searches...)
	for i, round := range r.rounds {
		statistics, err := statisticsOfNeed(all, i)
		if err != nil {
			return r.result, err
		}
		if err := r.need(r.needs[i], round, statistics); err != nil {
			return r.result, err
		}
	}
	return r.result, nil
}

// statisticsOfNeed returns what all instances count for a need with a slot.
func statisticsOfNeed(all []abi.InstanceStatistics, due int) ([]abi.SearchStatistics, error) {
	if len(all) == 0 {
		return nil, abi.Errorf(abi.RoundsInvalid, "there are no statistics")
	}
	var list []abi.SearchStatistics
	for _, s := range all {
		if due >= len(s.Needs) {
			return nil, abi.Errorf(abi.RoundsInvalid, "statistics have %d needs", int64(len(s.Needs)))
		}
		list = append(list, s.Needs[due])
	}
	return list, nil
}

// need adds the ranking of one need. Every document that matches is counted.
func (r *chunkRanking) need(i int, round *round, all []abi.SearchStatistics) error {
	need, matched := abi.PartialNeed{Index: int64(i)}, r.corpus.newDocumentMarks()
	round.found = func(part int, chunk uint32) {
		doc := r.corpus.lexical.Parts[part].DocumentOf(chunk)
		if !matched[part].Has(doc) {
			matched[part].Set(doc)
			need.Matched++
		}
		if !r.seen[part].Has(doc) {
			r.seen[part].Set(doc)
			r.result.Candidates++
		}
	}
	var p abi.SearchPartial
	if err := round.legs(&p, all, lexical.Query{Limit: round.request.Limit, Collapse: true}); err != nil {
		return err
	}
	for _, f := range p.Hits {
		h := round.hits[f.Ref]
		at, err := r.place(h)
		if err != nil {
			return err
		}
		hit := abi.PartialHit{At: at, Tier: f.Tier, Score: f.Score, Cosine: f.Cosine, Near: f.Near, Units: round.search.Units(h)}
		if r.shared.request.Explain {
			hit.Explain = &abi.Explain{Parts: partsOf(round.search.Explain(h))}
		}
		need.Hits = append(need.Hits, hit)
	}
	r.result.Needs = append(r.result.Needs, need)
	return nil
}

// partsOf turns the parts of a score into those of a message.
func partsOf(list []lexical.Part) []abi.Part {
	parts := make([]abi.Part, len(list))
	for i, p := range list {
		parts[i] = abi.Part{Text: p.Text, Form: p.Form, Count: p.Count, Length: p.Length, Live: p.Live, Weight: p.Weight, Score: p.Score}
	}
	return parts
}

// place returns a chunk's place in the result, and puts it there.
func (r *chunkRanking) place(h lexical.Hit) (int64, error) {
	key := chunkOf{h.Part, h.Chunk}
	if at, ok := r.places[key]; ok {
		return at, nil
	}
	at := int64(len(r.result.Documents))
	r.places[key] = at
	part := r.corpus.lexical.Parts[h.Part]
	doc := part.DocumentOf(h.Chunk)
	stable, id := part.Key(doc)
	first, _ := part.Range(doc)
	d := abi.PartialDocument{ID: id, Stable: stable, Place: &abi.ChunkPlace{Chunk: int64(h.Chunk - first)}}
	r.result.Documents, r.hits = append(r.result.Documents, d), append(r.hits, h)
	if r.alone {
		return at, r.meter.Add(100)
	}
	return at, r.tell(at)
}

// tell tells what the reply says of a chunk in the result.
func (r *chunkRanking) tell(at int64) error {
	d, h := &r.result.Documents[at], r.hits[at]
	part := r.corpus.lexical.Parts[h.Part]
	c := part.Chunk(h.Chunk)
	doc := part.Record(c.Document)
	d.Doc, d.Title, d.Path, d.Collection = audit.Name(doc.Digest), doc.Shown, doc.Path, doc.Collection
	d.Place.FirstLine, d.Place.LastLine = int64(c.FirstLine), int64(c.LastLine)
	if d.Place.Headings = part.Headings(c); d.Place.Headings == nil {
		d.Place.Headings = []string{}
	}
	d.Text = excerptOf(doc.Text[c.Start:c.End], r.shared.request.Text, r.marker, h)
	if d.Place.Chunk == 0 {
		d.Place.Front = frontOf(doc.Text[:c.Start], r.shared.request.Text, r.marker)
	}
	return r.meter.Add(2000 + len(doc.Text))
}

// fuse ranks what the instances found for each need with a slot as a search does, and
// says of each need how well it is answered.
func (m *merger) fuse(by *rankedBy, subs []abi.Subquery) error {
	stem, err := index.StemOf(by.settings)
	if err != nil {
		return err
	}
	due := 0
	for i, a := range m.shared.inquiries {
		if a == nil {
			continue
		}
		total := by.totals[due]
		statistics, err := statisticsOfNeed(by.statistics, due)
		if err != nil {
			return err
		}
		due++
		view, err := a.need.View(stem, a.params, statisticsOf(a.params, total), total.Counts)
		if err != nil {
			return err
		}
		ranked, _, _, err := a.merge(m.found(i), view)
		if err != nil {
			return err
		}
		apart := len(ranked) > 0 && a.phrasesApart(statistics)
		ranked = ranked[:min(int64(len(ranked)), m.shared.depth(i))]
		m.apart = m.apart || apart
		m.take(i, ranked)
		shown := ranked[:min(int64(len(ranked)), m.shared.slots[i])]
		e, _ := a.weigh(view, shown)
		subs[i].Verdict = verdictOf(e, len(shown), apart)
		if a.vector != nil && a.set.External {
			subs[i].QueryVector = a.vector.Components()
		}
	}
	return nil
}

// found returns what was collected for a need as the partials of a search.
func (m *merger) found(need int) []abi.SearchPartial {
	list := make([]abi.SearchPartial, len(m.partials))
	for ref, c := range m.ranked[need] {
		d := &m.partials[c.place.partial].Documents[c.at]
		f := abi.Found{Tier: c.hit.Tier, Score: c.hit.Score, Cosine: c.hit.Cosine, Near: c.hit.Near, Units: c.hit.Units, Ref: ref}
		f.Stable, f.ID = d.Stable, d.ID
		if d.Place != nil {
			f.Chunk = d.Place.Chunk
		}
		list[c.place.partial].Hits = append(list[c.place.partial].Hits, f)
	}
	return list
}

// take makes what was fused the ranking of a need.
func (m *merger) take(need int, ranked []abi.Found) {
	list := make([]candidate, len(ranked))
	for i, f := range ranked {
		c := m.ranked[need][f.Ref]
		c.Tier, c.Score = f.Tier, fixed.Score(f.Score)
		if c.explain != nil {
			explain := *c.explain
			explain.Legs = f.Legs
			c.explain = &explain
		}
		list[i] = c
	}
	m.ranked[need] = list
}

// degraded says what was weaker than asked.
func (m *merger) degraded() []string {
	list := []string{}
	omitted, absent := false, ""
	for _, a := range m.shared.inquiries {
		if a != nil {
			omitted, absent = omitted || a.need.Omitted > 0, a.absent // which is alike in all
		}
	}
	if omitted {
		list = append(list, abi.TermsOmitted)
	}
	if absent != "" {
		list = append(list, absent)
	}
	if m.apart {
		list = append(list, abi.PhrasesApart)
	}
	return list
}
