package retrieve

import (
	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/cosine"
	"github.com/rookhaven-project/rookhaven/core/internal/fixed"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/rank"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A ranking collects what one instance finds for a request.
type ranking struct {
	corpus  *corpus
	shared  *shared
	places  map[int]int64 // document → its place in the result
	matched uint32        // the mark of documents with a score above 0 for some need with a slot
	excerpt *excerpter
	result  abi.PartialResult
	meter   *meter.Meter
}

// partial ranks the documents of this instance for each need with a slot.
func (c *corpus) partial(s *shared, m *meter.Meter) (abi.PartialResult, error) {
	r := ranking{
		corpus:  c,
		shared:  s,
		places:  map[int]int64{},
		matched: c.newMark(),
		excerpt: newExcerpter(s),
		meter:   m,
	}
	for i := range s.needs {
		if s.slots[i] == 0 {
			continue
		}
		if err := r.need(i); err != nil {
			return r.result, err
		}
	}
	if s.request.Scores != nil {
		r.result.Unknown = r.unknown()
	}
	return r.result, nil
}

// need adds the ranking of one need.
func (r *ranking) need(i int) error {
	top, matched, err := r.top(i)
	if err != nil {
		return err
	}
	need := abi.PartialNeed{Index: int64(i), Matched: matched}
	for _, h := range top.Ranked() {
		at, err := r.place(h.Ref)
		if err != nil {
			return err
		}
		hit := abi.PartialHit{At: at, Score: int64(h.Score)}
		if r.shared.request.Explain {
			hit.Explain = r.explain(i, h)
		}
		need.Hits = append(need.Hits, hit)
	}
	r.result.Needs = append(r.result.Needs, need)
	return nil
}

// top returns the best documents of a need and how many have a score above 0.
func (r *ranking) top(i int) (*rank.Top[rank.Hit], int64, error) {
	top, matched := rank.NewTop(r.shared.depth(i), rank.Compare), int64(0)
	if r.shared.request.Scores == nil {
		err := r.corpus.scan.Need(r.shared.needs[i], r.meter, func(m cosine.Match) {
			if !m.AtLeast(1) {
				return
			}
			matched++
			r.note(m.Doc)
			if worst, full := top.Worst(); !full || m.AtLeast(worst.Score) { // or it need not be scored in full
				top.Push(r.hit(m.Doc, m.Score()))
			}
		})
		return top, matched, err
	}
	for _, g := range r.shared.request.Scores[i] {
		if doc, ok := r.corpus.find(g.ID); ok && g.Score > 0 {
			matched++
			r.note(doc)
			top.Push(r.hit(doc, fixed.Score(g.Score)))
		}
	}
	return top, matched, r.meter.Add(len(r.shared.request.Scores[i]))
}

// note counts a document that has a score above 0 for some need with a slot.
func (r *ranking) note(doc int) {
	if marks := r.corpus.marks; marks[doc] != r.matched {
		marks[doc] = r.matched
		r.result.Candidates++
	}
}

func (r *ranking) hit(doc int, score fixed.Score) rank.Hit {
	d := &r.corpus.documents[doc]
	stable := d.Stable()
	return rank.Hit{Score: score, Key: r.shared.keys.Of(stable), Stable: stable, ID: d.ID, Ref: doc}
}

// place returns a document's place in the result, and puts it there.
func (r *ranking) place(doc int) (int64, error) {
	if at, ok := r.places[doc]; ok {
		return at, nil
	}
	at := int64(len(r.result.Documents))
	r.places[doc] = at
	d := &r.corpus.documents[doc]
	r.result.Documents = append(r.result.Documents, abi.PartialDocument{
		ID:         d.ID,
		Doc:        audit.Name(r.corpus.digests[doc]),
		Stable:     d.Stable(),
		Title:      d.Title,
		Path:       d.Path,
		Collection: d.Collection,
		Text:       r.excerpt.of(d.Text),
	})
	return at, r.meter.Add(1000 + len(d.Text))
}

func (r *ranking) explain(i int, h rank.Hit) *abi.Explain {
	if r.shared.request.Scores != nil {
		given := int64(h.Score)
		return &abi.Explain{Given: &given}
	}
	need := r.shared.needs[i]
	products, norm := r.corpus.index.Explain(need, h.Ref)
	e := &abi.Explain{QueryNorm: int64(cosine.Norm(need)), DocumentNorm: int64(norm)}
	for _, p := range products {
		e.Dot += p.Query * p.Document
		e.Terms = append(e.Terms, abi.TermProduct{Term: p.Term, Query: p.Query, Document: p.Document, Product: p.Query * p.Document})
	}
	return e
}

// unknown returns the ids in scores that are not in this instance, in the order
// of the request.
func (r *ranking) unknown() []string {
	list := []string{}
	for _, need := range r.shared.request.Scores {
		for _, g := range need {
			if _, ok := r.corpus.find(g.ID); !ok {
				list = append(list, g.ID)
			}
		}
	}
	return list
}
