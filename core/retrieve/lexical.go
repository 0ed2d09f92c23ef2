package retrieve

import (
	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/lexical"
	"github.com/rookhaven-project/rookhaven/core/rank"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// lexicalNeed makes a need of a request ready for a profile that ranks by an index.
func lexicalNeed(profile, text string) (*lexical.Need, lexical.Params) {
	if profile == abi.ProfileJournal {
		return lexical.Words(text).Once(), lexical.Journal
	}
	return lexical.Parse(text), lexical.Standard
}

// planLexical begins the search of each need with a slot.
func (c *corpus) planLexical(s *shared, a *meter.Account, m *meter.Meter) (abi.InstancePlan, []*lexical.Search, error) {
	if err := c.ensure(a, m); err != nil {
		return abi.InstancePlan{}, nil, err
	}
	p := abi.InstancePlan{Chunks: c.lexical.statistics.Chunks, Lexical: []abi.SearchPlan{}}
	searches := make([]*lexical.Search, len(s.needs))
	for i, need := range s.needs {
		if s.slots[i] == 0 {
			continue
		}
		n, params := lexicalNeed(s.request.Profile, need.Text)
		var err error
		if searches[i], err = lexical.Prepare(c.lexical.Index, n, params, c.lexical.tablesOf(s.request.Profile), m); err != nil {
			return p, nil, err
		}
		p.Lexical = append(p.Lexical, c.lexical.plan(searches[i]))
	}
	return p, searches, nil
}

func errNoIndex() error {
	return abi.Errorf(abi.IndexAbsent, "the corpus was opened without settings of an index")
}

// partialLexical ranks the documents of this instance, each by its best chunk, for
// each need with a slot.
func (c *corpus) partialLexical(s *shared, searches []*lexical.Search, plans []abi.InstancePlan, m *meter.Meter) (abi.PartialResult, error) {
	r := chunkRanking{corpus: c, shared: s, meter: m, seen: c.newDocumentMarks(), places: map[chunkOf]int64{}}
	var due []*lexical.Search // of the needs with a slot
	for i, search := range searches {
		if search == nil {
			continue
		}
		total, err := totalOf(plans, len(due))
		if err != nil {
			return r.result, err
		}
		if len(total.Counts) != len(search.Counts()) {
			return r.result, abi.Errorf(abi.RoundsInvalid, "the plans count %d entries, need %d has %d", int64(len(total.Counts)), int64(i), int64(len(search.Counts())))
		}
		_, params := lexicalNeed(s.request.Profile, s.needs[i].Text)
		search.Resolve(statisticsOf(params, total), total.Counts)
		due = append(due, search)
	}
	r.marker = lexical.NewMarker(due...)
	for i, search := range searches {
		if search == nil {
			continue
		}
		if err := r.need(i, search); err != nil {
			return r.result, err
		}
	}
	return r.result, nil
}

// totalOf adds up what the instances say of one need.
func totalOf(plans []abi.InstancePlan, need int) (abi.SearchPlan, error) {
	var list []abi.SearchPlan
	for _, p := range plans {
		if need >= len(p.Lexical) {
			return abi.SearchPlan{}, abi.Errorf(abi.RoundsInvalid, "a plan has %d needs", int64(len(p.Lexical)))
		}
		list = append(list, p.Lexical[need])
	}
	return sum(list)
}

// A chunkOf names a chunk of a part of an index.
type chunkOf struct {
	part  int
	chunk uint32
}

// A chunkRanking collects what one instance finds by its index.
type chunkRanking struct {
	corpus *corpus
	shared *shared
	meter  *meter.Meter
	seen   []lexical.Bitmap  // part → documents that were counted
	places map[chunkOf]int64 // chunk → its place in the result
	marker *lexical.Marker   // of all needs: one chunk has one excerpt, whichever need finds it first
	result abi.PartialResult
}

func (c *corpus) newDocumentMarks() []lexical.Bitmap {
	var list []lexical.Bitmap
	for _, part := range c.lexical.Parts {
		list = append(list, lexical.NewBitmap(part.Documents(), false))
	}
	return list
}

// need adds the ranking of one need. Every document that matches is counted.
func (r *chunkRanking) need(i int, search *lexical.Search) error {
	x := r.corpus.lexical
	hits, matched, err := search.Rank(lexical.Query{
		Limit: r.shared.depth(i), Exact: true, Collapse: true,
		Found: func(part int, chunk uint32) {
			if doc := x.Parts[part].DocumentOf(chunk); !r.seen[part].Has(doc) {
				r.seen[part].Set(doc)
				r.result.Candidates++
			}
		},
		Key: func(part int, chunk uint32) rank.Hit {
			doc := x.Parts[part].DocumentOf(chunk)
			stable, id := x.Parts[part].Key(doc)
			return rank.Hit{Key: r.shared.keys.Of(stable), Stable: stable, ID: id, Chunk: int64(chunk)}
		},
	})
	if err != nil {
		return err
	}
	need := abi.PartialNeed{Index: int64(i), Matched: matched}
	for _, h := range hits {
		at, err := r.place(h)
		if err != nil {
			return err
		}
		hit := abi.PartialHit{At: at, Tier: h.Score.Tier(), Score: h.Score.Nano()}
		if r.shared.request.Explain {
			hit.Explain = &abi.Explain{Parts: partsOf(search.Explain(h))}
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
	c := part.Chunk(h.Chunk)
	doc := part.Record(c.Document)
	d := abi.PartialDocument{
		ID: doc.ID, Doc: audit.Name(doc.Digest), Stable: doc.Stable(), Title: doc.Shown, Path: doc.Path, Collection: doc.Collection,
		Text:  excerptOf(doc.Text[c.Start:c.End], r.shared.request.Text, r.marker, h),
		Place: &abi.ChunkPlace{Chunk: int64(h.Chunk - doc.First), Headings: part.Headings(c), FirstLine: int64(c.FirstLine), LastLine: int64(c.LastLine)},
	}
	if d.Place.Chunk == 0 {
		d.Place.Front = frontOf(doc.Text[:c.Start], r.shared.request.Text, r.marker)
	}
	if d.Place.Headings == nil {
		d.Place.Headings = []string{}
	}
	r.result.Documents = append(r.result.Documents, d)
	return at, r.meter.Add(2000 + len(doc.Text))
}
