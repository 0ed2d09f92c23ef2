package retrieve

import (
	"slices"

	"github.com/rookhaven-project/rookhaven/core/internal/fixed"
	"github.com/rookhaven-project/rookhaven/core/rank"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A merger makes one reply from what the instances found.
type merger struct {
	shared   *shared
	partials []abi.PartialResult
	ranked   [][]candidate          // need → its ranking over all instances
	picked   map[place]*pickedEntry // document → what picked it
	order    []*pickedEntry
	apart    bool // of some need no hit has all quoted phrases
}

// A place is a document of a partial result: no document is in two of them.
type place struct{ partial, at int }

// A candidate is a hit of one need's ranking, with its explanation. Its chunk may
// be another one of the same document than that of the place.
type candidate struct {
	rank.Hit
	place   place
	at      int // of the chunk in the partial
	hit     *abi.PartialHit
	explain *abi.Explain
}

// A pickedEntry is a document with the picks of its needs, ascending.
type pickedEntry struct {
	candidate // the strongest
	picks     []abi.Pick
	fill      bool
}

// A rankedBy is what the instances found, with the sums of their plans and the settings
// of their index, where an index ranked.
type rankedBy struct {
	settings   abi.Settings
	totals     []abi.SearchPlan
	plans      []abi.InstancePlan
	statistics []abi.InstanceStatistics
	partials   []abi.PartialResult
	tell       func(at int64) error // tells what is said of a hit of the one partial; nil: it is told
}

// merge makes the reply, without its digest.
func merge(s *shared, names abi.Names, root string, by rankedBy) (*abi.Reply, error) {
	plans, partials := by.plans, by.partials
	work, err := s.work(plans)
	if err != nil {
		return nil, err
	}
	m := &merger{shared: s, partials: partials, ranked: make([][]candidate, len(s.needs)), picked: map[place]*pickedEntry{}}
	reply := &abi.Reply{
		Names:   names,
		Corpus:  root,
		Request: s.request,
		Audit:   abi.Audit{Seed: s.request.Seed, Query: s.request.Query, RecallBudget: s.request.RecallBudget, Subqueries: s.subqueries()},
		Work:    work,
	}
	if err := m.collect(plans, reply.Audit.Subqueries); err != nil {
		return nil, err
	}
	if s.request.Indexed() {
		if err := m.fuse(&by, reply.Audit.Subqueries); err != nil {
			return nil, err
		}
		reply.Settings = &by.settings
		if s.byVectors() {
			reply.Model = by.totals[0].Vectors.Model
		}
	} else {
		m.rank()
	}
	reply.Degraded = m.degraded()
	if err := m.unknown(); err != nil {
		return nil, err
	}
	m.pick(reply.Audit.Subqueries)
	if s.request.Fill {
		m.fill()
	}
	m.cap()
	if by.tell != nil {
		for _, e := range m.order {
			if err := by.tell(int64(e.at)); err != nil {
				return nil, err
			}
		}
	}
	reply.Hits = m.hits()
	m.conclude(reply)
	return reply, nil
}

// collect brings the rankings of the instances together, need by need.
func (m *merger) collect(plans []abi.InstancePlan, subs []abi.Subquery) error {
	if len(plans) != len(m.partials) || len(plans) == 0 {
		return abi.Errorf(abi.RoundsInvalid, "%d plans and %d partials", len(plans), len(m.partials))
	}
	in := map[string]int{} // document → its partial
	for p := range m.partials {
		for _, d := range m.partials[p].Documents {
			if other, ok := in[d.ID]; ok && other != p {
				return abi.Errorf(abi.RoundsInvalid, "document %q is in two partials", d.ID)
			}
			in[d.ID] = p
		}
		first := firstPlaces(m.partials[p].Documents)
		for i := range m.partials[p].Needs {
			if err := m.collectNeed(p, &m.partials[p].Needs[i], first, subs); err != nil {
				return err
			}
		}
	}
	return nil
}

// rank puts the candidates of each need in order.
func (m *merger) rank() {
	for i := range m.ranked {
		slices.SortFunc(m.ranked[i], func(a, b candidate) int { return rank.Compare(a.Hit, b.Hit) })
		m.ranked[i] = m.ranked[i][:min(int64(len(m.ranked[i])), m.shared.depth(i))]
	}
}

// firstPlaces returns for each chunk of a partial the first one of its document.
func firstPlaces(list []abi.PartialDocument) []int {
	places, at := make([]int, len(list)), make(map[string]int, len(list))
	for i := range list {
		first, ok := at[list[i].ID]
		if !ok {
			first, at[list[i].ID] = i, i
		}
		places[i] = first
	}
	return places
}

func (m *merger) collectNeed(p int, need *abi.PartialNeed, first []int, subs []abi.Subquery) error {
	if need.Index >= int64(len(subs)) || subs[need.Index].Budget == 0 {
		return abi.Errorf(abi.RoundsInvalid, "partial %d ranks need %d, which has no slot", p, need.Index)
	}
	subs[need.Index].Matched += need.Matched
	for i := range need.Hits {
		h := &need.Hits[i]
		if h.At >= int64(len(m.partials[p].Documents)) {
			return abi.Errorf(abi.RoundsInvalid, "partial %d has no document %d", p, h.At)
		}
		d := &m.partials[p].Documents[h.At]
		m.ranked[need.Index] = append(m.ranked[need.Index], candidate{
			Hit:     rank.Hit{Tier: h.Tier, Score: fixed.Score(h.Score), Key: m.shared.keys.Of(d.Stable), Stable: d.Stable, ID: d.ID},
			place:   place{p, first[h.At]},
			at:      int(h.At),
			hit:     h,
			explain: h.Explain,
		})
	}
	return nil
}

// unknown fails when scores name a document that no instance has.
func (m *merger) unknown() error {
	missing := map[string]int{}
	for _, p := range m.partials {
		seen := map[string]bool{}
		for _, id := range p.Unknown {
			if !seen[id] {
				seen[id] = true
				missing[id]++
			}
		}
	}
	for i, need := range m.shared.request.Scores {
		for _, g := range need {
			if missing[g.ID] == len(m.partials) {
				return abi.Errorf(abi.ScoresInvalid, "need %d: the corpus has no document %q", i, g.ID)
			}
		}
	}
	return nil
}

// pick takes from each need's ranking as many documents as it has slots.
func (m *merger) pick(subs []abi.Subquery) {
	for i, ranked := range m.ranked {
		subs[i].Contributed = []string{}
		for n, c := range ranked[:min(int64(len(ranked)), m.shared.slots[i])] {
			subs[i].Contributed = append(subs[i].Contributed, c.ID)
			m.add(i, n, c, false)
		}
	}
}

// add records that need i has c at place n of its ranking.
func (m *merger) add(i, n int, c candidate, fill bool) {
	e, ok := m.picked[c.place]
	if !ok {
		e = &pickedEntry{candidate: c, fill: fill}
		m.picked[c.place] = e
		m.order = append(m.order, e)
	}
	if c.Tier > e.Tier || c.Tier == e.Tier && c.Score > e.Score {
		e.candidate = c
	}
	e.picks = append(e.picks, abi.Pick{Index: int64(i), Rank: int64(n + 1), Score: int64(c.Score), Explain: c.explain})
}

// fill gives the slots that duplicates left empty to the best documents that no
// need picked, each by the need where it is strongest, the earlier of equals.
func (m *merger) fill() {
	type extra struct {
		candidate
		need, rank int
	}
	best := map[place]extra{}
	var all []place
	for i, ranked := range m.ranked {
		for n, c := range ranked {
			if _, ok := m.picked[c.place]; ok {
				continue
			}
			b, ok := best[c.place]
			if !ok {
				all = append(all, c.place)
			}
			if !ok || c.Tier > b.Tier || c.Tier == b.Tier && c.Score > b.Score {
				best[c.place] = extra{c, i, n}
			}
		}
	}
	slices.SortFunc(all, func(a, b place) int { return rank.Compare(best[a].Hit, best[b].Hit) })
	left := m.shared.request.RecallBudget - int64(len(m.order))
	for _, p := range all[:min(int64(len(all)), left)] {
		m.add(best[p].need, best[p].rank, best[p].candidate, true)
	}
}

// cap puts the picked documents in the total order and keeps as many as the budget has.
func (m *merger) cap() {
	slices.SortFunc(m.order, func(a, b *pickedEntry) int { return rank.Compare(a.Hit, b.Hit) })
	m.order = m.order[:min(int64(len(m.order)), m.shared.request.RecallBudget)]
}

func (m *merger) hits() []abi.Hit {
	list := make([]abi.Hit, len(m.order))
	for i, e := range m.order {
		list[i] = m.hit(i, e)
	}
	return list
}

func (m *merger) hit(i int, e *pickedEntry) abi.Hit {
	d := &m.partials[e.place.partial].Documents[e.at]
	h := abi.Hit{
		Rank:       int64(i + 1),
		ID:         e.ID,
		Doc:        d.Doc,
		Score:      int64(e.Score),
		Needs:      e.picks,
		Fill:       e.fill,
		Title:      d.Title,
		Path:       d.Path,
		Collection: d.Collection,
		Text:       d.Text,
		Tier:       e.Tier,
		Place:      d.Place,
	}
	if d.Place != nil {
		h.Chunk = d.Place.Chunk
	}
	if m.shared.request.Explain {
		h.Explain = &abi.Place{Key: e.Key, Rule: "last"}
		if i+1 < len(m.order) {
			h.Explain.Rule = string(rank.Why(e.Hit, m.order[i+1].Hit))
		}
	}
	return h
}

// conclude adds the verdict and what was left out.
func (m *merger) conclude(reply *abi.Reply) {
	for _, p := range m.partials {
		reply.Omitted.Documents += p.Candidates
	}
	reply.Omitted.Documents -= int64(len(reply.Hits))
	reply.Omitted.Slots = reply.Request.RecallBudget - int64(len(reply.Hits))
	for _, a := range m.shared.inquiries {
		if a != nil && a.full && reply.Omitted.Slots > 0 {
			reply.Omitted.Pool = legPool
		}
	}
	if reply.Verdict = verdictOfNeeds(reply.Audit.Subqueries, len(reply.Hits)); reply.Verdict != abi.NoAnswer {
		return
	}
	reply.Reason = abi.NoMatch
	switch {
	case len(reply.Hits) > 0:
		reply.Reason = abi.BelowEvidence
	case reply.Work.Chunks == 0:
		reply.Reason = abi.EmptyCorpus
	case !m.shared.hasTerms():
		reply.Reason = abi.OnlyStopWords
	}
}
