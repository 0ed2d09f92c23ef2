package retrieve

import (
	"github.com/rookhaven-project/rookhaven/core/budget"
	"github.com/rookhaven-project/rookhaven/core/decompose"
	"github.com/rookhaven-project/rookhaven/core/internal/seed"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// shared is a request whose needs have their slots: what follows from the
// request alone.
type shared struct {
	request abi.Request
	needs   []decompose.Need
	slots   []int64
	keys    seed.Keys

	inquiries []*inquiry // need → what it asks of an index, nil without a slot; set by ask
}

// share splits a request into needs and shares its budget between them.
func share(q abi.Request) (*shared, error) {
	s := &shared{request: q, keys: seed.NewKeys(q.Seed, q.Query)}
	if q.Needs == nil {
		s.needs = decompose.Query(q.Query)
	}
	for _, text := range q.Needs {
		s.needs = append(s.needs, decompose.Of(text))
	}
	if q.Scores != nil && len(q.Scores) != len(s.needs) {
		return nil, abi.Errorf(abi.ScoresInvalid, "scores has %d objects, the query has %d needs", len(q.Scores), len(s.needs))
	}
	weights := make([]int64, len(s.needs))
	for i, n := range s.needs {
		weights[i] = n.Weight()
	}
	s.slots = budget.Split(q.RecallBudget, weights, seed.Draws(q.Seed, q.Query, len(weights)))
	if q.Representation == abi.RepresentationEach {
		budget.Represent(s.slots)
	}
	return s, nil
}

// depth returns how many hits of a need's ranking can matter: its slots, or the
// whole budget where empty slots are filled.
func (s *shared) depth(need int) int64 {
	if s.request.Fill && s.slots[need] > 0 {
		return s.request.RecallBudget
	}
	return s.slots[need]
}

// work adds up the plans of all instances, and fails with [abi.WorkLimit] when
// that is more than the request allows.
func (s *shared) work(plans []abi.InstancePlan) (abi.Work, error) {
	w := abi.Work{}
	for _, slots := range s.slots {
		if slots > 0 {
			w.Needs++
		}
	}
	for _, p := range plans {
		if p.Chunks > maxChunks-w.Chunks {
			return w, abi.Errorf(abi.RoundsInvalid, "the plans have more than %d chunks", int64(maxChunks))
		}
		w.Chunks += p.Chunks
	}
	if s.byVectors() {
		w.Vectors = w.Chunks * w.Needs
	}
	w.Units = w.Chunks*w.Needs + w.Vectors
	if w.Units > s.request.WorkLimit {
		return w, abi.Errorf(abi.WorkLimit, "the request takes %d units, its workLimit is %d", w.Units, s.request.WorkLimit)
	}
	return w, nil
}

// maxChunks keeps units, at most twice [abi.MaxNeeds] times as many, below 2⁵³.
const maxChunks = 1 << 32

func (s *shared) subqueries() []abi.Subquery {
	list := make([]abi.Subquery, len(s.needs))
	for i, n := range s.needs {
		list[i] = abi.Subquery{Index: int64(i), Text: n.Text, Weight: n.Weight(), Budget: s.slots[i]}
	}
	return list
}

// hasTerms reports whether some need has a content term.
func (s *shared) hasTerms() bool {
	for _, n := range s.needs {
		if n.Weight() > 0 {
			return true
		}
	}
	return false
}
