package retrieve

import (
	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// prepare makes a request ready for a corpus with these vectors. queries are the vectors of its needs with
// a slot; nil: they are made here, where that is allowed and the open model can.
func (e *Engine) prepare(q abi.Request, set abi.VectorSet, queries [][]int8, embeds bool, m *meter.Meter) (*shared, error) {
	s, err := share(q)
	if err != nil || !q.Indexed() {
		return s, err
	}
	if queries == nil && embeds && q.Mode != abi.ModeLexical {
		if queries, err = e.queryVectors(s, set, m); err != nil {
			return nil, err
		}
	}
	return s, s.ask(set, queries)
}

// queryVectors returns the vectors of the needs with a slot, nil where the open model is
// not the one that made those of an index.
func (e *Engine) queryVectors(s *shared, set abi.VectorSet, m *meter.Meter) ([][]int8, error) {
	var list [][]int8
	for i, need := range s.needs {
		if s.slots[i] == 0 {
			continue
		}
		v, err := e.queryVector(set, need.Text, m)
		if err != nil || v == nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func (e *Engine) planRequest(in []byte) (q abi.PlanRequest, c *corpus, err error) {
	if q, err = abi.ReadPlanRequest(in); err == nil {
		c, err = e.corpus(q.Handle)
	}
	return q, c, err
}

func (e *Engine) partialRequest(in []byte) (q abi.PartialRequest, c *corpus, err error) {
	if q, err = abi.ReadPartialRequest(in); err == nil {
		c, err = e.corpus(q.Handle)
	}
	return q, c, err
}

func (e *Engine) plan(in []byte, m *meter.Meter) ([]byte, error) {
	q, c, err := e.planRequest(in)
	if err != nil {
		return nil, err
	}
	s, err := e.prepare(q.Request, c.vectorSet(), q.QueryVectors, false, m)
	if err != nil {
		return nil, err
	}
	if !q.Request.Indexed() {
		p := c.plan()
		return p.Append(nil), nil
	}
	r, err := c.rankChunks(s, e.account, m)
	if err != nil {
		return nil, err
	}
	p, err := r.plan()
	return p.Append(nil), err
}

// plannedNeeds begins a round after the first, of a request that an index ranks.
func (e *Engine) plannedNeeds(c *corpus, q *abi.PartialRequest, m *meter.Meter) (*chunkRanking, []abi.SearchPlan, error) {
	s, err := share(q.Request)
	if err != nil {
		return nil, nil, err
	}
	totals, err := s.askPlanned(q.Plans, q.QueryVectors)
	if err != nil {
		return nil, nil, err
	}
	if s.byVectors() && c.vectorSet() != totals[0].Vectors {
		return nil, nil, abi.Errorf(abi.RoundsInvalid, "the plans are of other vectors than this instance has")
	}
	if _, err := s.work(q.Plans); err != nil {
		return nil, nil, err
	}
	r, err := c.rankChunks(s, e.account, m)
	return r, totals, err
}

func (e *Engine) statistics(in []byte, m *meter.Meter) ([]byte, error) {
	q, c, err := e.partialRequest(in)
	if err != nil {
		return nil, err
	}
	var counted abi.InstanceStatistics
	if q.Request.Indexed() {
		r, totals, err := e.plannedNeeds(c, &q, m)
		if err != nil {
			return nil, err
		}
		if counted, err = r.statistics(totals); err != nil {
			return nil, err
		}
	}
	return counted.Append(nil), nil
}

func (e *Engine) partial(in []byte, m *meter.Meter) ([]byte, error) {
	q, c, err := e.partialRequest(in)
	if err != nil {
		return nil, err
	}
	if q.Request.Indexed() {
		r, totals, err := e.plannedNeeds(c, &q, m)
		if err != nil {
			return nil, err
		}
		e.stage("rank")
		p, err := r.partial(totals, q.Statistics)
		return p.Append(nil), err
	}
	s, err := share(q.Request)
	if err != nil {
		return nil, err
	}
	if _, err := s.work(q.Plans); err != nil {
		return nil, err
	}
	p, err := e.rank(c, s, m)
	return p.Append(nil), err
}

// rank ranks the documents of this instance for each need with a slot, without an index.
func (e *Engine) rank(c *corpus, s *shared, m *meter.Meter) (abi.PartialResult, error) {
	e.stage("rank")
	if err := c.plain(e.account, m); err != nil {
		return abi.PartialResult{}, err
	}
	return c.partial(s, m)
}

func (e *Engine) merge(in []byte) ([]byte, error) {
	e.stage("merge")
	q, err := abi.ReadMergeRequest(in)
	if err != nil {
		return nil, err
	}
	s, err := share(q.Request)
	if err != nil {
		return nil, err
	}
	by := rankedBy{settings: q.Settings, plans: q.Plans, statistics: q.Statistics, partials: q.Partials}
	if q.Request.Indexed() {
		if by.totals, err = s.askPlanned(q.Plans, q.QueryVectors); err != nil {
			return nil, err
		}
	}
	reply, err := merge(s, q.Names, q.Corpus, by)
	if err != nil {
		return nil, err
	}
	return audit.Seal(reply), nil
}

func (e *Engine) retrieve(in []byte, m *meter.Meter) ([]byte, error) {
	q, c, err := e.planRequest(in)
	if err != nil {
		return nil, err
	}
	return e.answer(c, q.Request, c.vectorSet(), q.QueryVectors, m)
}

// answer runs the rounds in one instance, with these vectors of the corpus.
func (e *Engine) answer(c *corpus, q abi.Request, set abi.VectorSet, queries [][]int8, m *meter.Meter) ([]byte, error) {
	e.stage("decompose")
	s, err := e.prepare(q, set, queries, true, m)
	if err != nil {
		return nil, err
	}
	by, err := e.ranked(c, s, m)
	if err != nil {
		return nil, err
	}
	e.stage("merge")
	reply, err := merge(s, c.names, c.root, by)
	if err != nil {
		return nil, err
	}
	return audit.Seal(reply), nil
}

// ranked runs all rounds but the last in one instance.
func (e *Engine) ranked(c *corpus, s *shared, m *meter.Meter) (by rankedBy, err error) {
	if !s.request.Indexed() {
		by.plans = []abi.InstancePlan{c.plan()}
		if _, err = s.work(by.plans); err != nil {
			return by, err
		}
		p, err := e.rank(c, s, m)
		by.partials = []abi.PartialResult{p}
		return by, err
	}
	r, err := c.rankChunks(s, e.account, m)
	if err != nil {
		return by, err
	}
	r.alone, by.settings, by.tell = true, c.lexical.Settings, r.tell
	plan, err := r.plan()
	if err != nil {
		return by, err
	}
	by.plans = []abi.InstancePlan{plan}
	if _, err := s.work(by.plans); err != nil {
		return by, err
	}
	if by.totals, err = s.totals(by.plans); err != nil {
		return by, err
	}
	statistics, err := r.statistics(by.totals)
	if err != nil {
		return by, err
	}
	e.stage("rank")
	by.statistics = []abi.InstanceStatistics{statistics}
	p, err := r.partial(by.totals, by.statistics)
	by.partials = []abi.PartialResult{p}
	return by, err
}
