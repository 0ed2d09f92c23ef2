package retrieve

import (
	"cmp"
	"slices"

	"github.com/rookhaven-project/rookhaven/core/internal/fixed"
	"github.com/rookhaven-project/rookhaven/core/lexical"
	"github.com/rookhaven-project/rookhaven/core/rank"
	"github.com/rookhaven-project/rookhaven/core/vector"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// The pools of the vector leg and of fusion. They are no functions of the limit, so
// that the list for k is the beginning of the list for k + 1. Only tests change them.
var (
	legPool    int64 = 200  // chunks that each leg brings up
	candidates int64 = 2000 // chunks at least whose cosine is worked out
)

// The weights of the legs in a sum, in thousandths. They were chosen on three of the
// collections of conformance/cmd/quality; the other three confirm them.
const (
	lexicalWeight = 500
	vectorWeight  = 1000 - lexicalWeight
)

// rrfK is the constant of reciprocal rank fusion.
const rrfK = 60

// resolveLegs gives the members of a request that say which legs rank their values, for
// an index with these vectors.
func resolveLegs(mode, fusion *string, profile string, set abi.VectorSet) {
	switch {
	case *mode == abi.ModeSemantic:
		*mode = abi.ModeVector
	case *mode == "" && set.Model+set.Absent == "":
		*mode = abi.ModeLexical
	case *mode == "":
		*mode = abi.ModeHybrid
	}
	switch {
	case *mode != abi.ModeHybrid:
		*fusion = ""
	case *fusion == "" && profile == abi.ProfileJournal:
		*fusion = abi.FusionRRF
	case *fusion == "":
		*fusion = abi.FusionSum
	}
}

// choose says which legs an inquiry asks for, and whether the vector leg takes part.
func (a *inquiry) choose(set abi.VectorSet, query []int8) error {
	q := &a.request
	resolveLegs(&q.Mode, &q.Fusion, q.Profile, set)
	a.set = set
	switch {
	case q.Mode == abi.ModeLexical:
	case set.Absent != "":
		a.absent = set.Absent
	case set.Model == "":
		a.absent = abi.VectorsAbsent
	case query == nil:
		a.absent = abi.QueryAbsent
	case int64(len(query)) != set.Dimensions:
		return abi.Errorf(abi.RequestInvalid, "the vector of the query has %d components, those of the index have %d", int64(len(query)), set.Dimensions)
	default:
		v := vector.Of(query)
		a.vector = &v
	}
	return nil
}

// scan measures how far the vectors here that may be hits are from the query's.
func (r *round) scan(total *abi.SearchPlan) error {
	if r.vector == nil || r.scans != nil {
		return nil
	}
	filter, err := r.filtered()
	if err != nil {
		return err
	}
	r.search.Resolve(statisticsOf(r.params, *total), total.Counts)
	for i, set := range r.corpus.lexical.vectors.parts {
		allowed, err := r.search.Allowed(i, filter.of(i))
		if err != nil {
			return err
		}
		scan, err := set.Scan(r.vector, allowed, r.meter)
		if err != nil {
			return err
		}
		r.scans = append(r.scans, scan)
	}
	return nil
}

// histogram returns the distances of all vectors that were measured here.
func (r *round) histogram() vector.Histogram {
	h := make(vector.Histogram, r.vector.Dimensions()+1)
	for _, scan := range r.scans {
		h.Add(scan.Histogram())
	}
	return h
}

// distances adds up the histograms of all instances.
func (a *inquiry) distances(all []abi.SearchStatistics) (vector.Histogram, error) {
	h := make(vector.Histogram, a.vector.Dimensions()+1)
	for i, s := range all {
		if len(s.Histogram) != len(h) {
			return nil, abi.Errorf(abi.RoundsInvalid, "statistics %d count %d distances, there are %d", int64(i), int64(len(s.Histogram)), int64(len(h)))
		}
		h.Add(s.Histogram)
	}
	return h, nil
}

// A near is a chunk with its cosine.
type near struct {
	part   int
	chunk  uint32
	cosine fixed.Score
}

// nearest returns the chunks here that are nearest to the query, the best first, and
// tells found of all that are so near.
func (r *round) nearest(reach int) ([]near, error) {
	top := rank.NewTop(legPool, func(x, y near) int {
		if c := cmp.Compare(y.cosine, x.cosine); c != 0 {
			return c
		}
		return rank.Compare(r.keyOf(x.part, x.chunk), r.keyOf(y.part, y.chunk))
	})
	for i, scan := range r.scans {
		err := scan.Each(reach, r.meter, func(chunk int, cosine fixed.Score) {
			if top.Push(near{i, uint32(chunk), cosine}); r.found != nil {
				r.found(i, uint32(chunk))
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return top.Ranked(), nil
}

// both joins what the legs bring up here, each chunk once, with the score that either
// leg gives it.
func (r *round) both(ranked []lexical.Hit, nearest []near, reach int) []abi.Found {
	type place struct {
		part  int
		chunk uint32
	}
	list := make([]abi.Found, 0, len(ranked)+len(nearest))
	seen := make(map[place]bool, len(ranked)+len(nearest))
	add := func(h lexical.Hit, cosine fixed.Score) {
		seen[place{h.Part, h.Chunk}] = true
		near := r.scans[h.Part].Within(int(h.Chunk), reach)
		list = append(list, abi.Found{Score: h.Score.Nano(), Tier: h.Score.Tier(), Cosine: int64(cosine), Near: near, Ref: len(r.hits)})
		r.hits = append(r.hits, h)
	}
	sets := r.corpus.lexical.vectors.parts
	for _, h := range ranked {
		add(h, sets[h.Part].Score(r.vector, int(h.Chunk)))
	}
	for _, n := range nearest {
		if !seen[place{n.part, n.chunk}] {
			add(lexical.Hit{Score: r.search.Score(n.part, n.chunk), Part: n.part, Chunk: n.chunk}, n.cosine)
		}
	}
	return list
}

// fuse ranks what the legs of all instances brought up: of each leg the first
// of the whole index, see TestIndexLayoutFree. From here on, the score of a hit is that of
// the sum.
func (a *inquiry) fuse(list []abi.Found, view *lexical.View) []abi.Found {
	legs := []string{abi.LegLexical, abi.LegVector}
	if a.request.Mode == abi.ModeVector {
		legs = legs[1:]
		for i := range list {
			list[i].Tier = 0 // which is the lexical leg's
		}
	}
	ranks := make([][2]int64, len(list))
	for n, leg := range legs {
		a.rankLeg(list, leg, func(i int, rank int64) { ranks[i][n] = rank })
	}
	fused := make([]abi.Found, 0, len(list))
	for i, f := range list {
		if ranks[i] == [2]int64{} {
			continue // among the first of its instance only
		}
		f.Legs = make([]abi.Leg, len(legs))
		total := int64(0)
		for n, leg := range legs {
			f.Legs[n] = abi.Leg{Name: leg, Rank: ranks[i][n], Score: scoreOf(&f, leg)}
			f.Legs[n].Share = a.share(&f, f.Legs[n], view)
			total += f.Legs[n].Share
		}
		evidence := a.fusedEvidence(&f, view)
		if a.request.Fusion == abi.FusionRRF && evidence < a.request.MinEvidence {
			continue // elsewhere evidence does not rise from one hit to the next
		}
		f.Evidence, f.Score = evidence, total
		fused = append(fused, f)
	}
	slices.SortFunc(fused, func(x, y abi.Found) int { return a.compare(&x, &y) })
	return fused
}

// rankLeg tells the ranks in a leg of those that it brings up.
func (a *inquiry) rankLeg(list []abi.Found, leg string, tell func(i int, rank int64)) {
	order := make([]int, 0, len(list))
	for i := range list {
		if f := &list[i]; leg == abi.LegVector && f.Near || leg == abi.LegLexical && (f.Score > 0 || f.Tier > 0) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		x, y := &list[i], &list[j]
		if leg == abi.LegLexical {
			return a.compare(x, y)
		}
		if c := cmp.Compare(y.Cosine, x.Cosine); c != 0 {
			return c
		}
		return rank.Compare(a.key(x.Stable, x.ID, x.Chunk), a.key(y.Stable, y.ID, y.Chunk))
	})
	a.full = a.full || int64(len(order)) >= legPool
	for n, i := range order[:min(int64(len(order)), legPool)] {
		tell(i, int64(n+1))
	}
}

func scoreOf(f *abi.Found, leg string) int64 {
	if leg == abi.LegVector {
		return f.Cosine
	}
	return f.Score
}

// share returns what a leg adds to the score of a hit.
func (a *inquiry) share(f *abi.Found, leg abi.Leg, view *lexical.View) int64 {
	switch {
	case a.request.Mode == abi.ModeVector:
		return f.Cosine
	case a.request.Fusion == abi.FusionRRF && leg.Rank == 0:
		return 0
	case a.request.Fusion == abi.FusionRRF:
		return (2*fixed.One + rrfK + leg.Rank) / (2 * (rrfK + leg.Rank))
	case leg.Name == abi.LegVector:
		return a.nearness(f.Cosine) * vectorWeight / 1000
	}
	return view.Of(f.Tier, f.Score) * lexicalWeight / 1000
}

// evidence returns how much speaks for a hit of the ranking.
func (a *inquiry) evidence(f *abi.Found, view *lexical.View) int64 {
	if a.vector == nil {
		return view.Of(f.Tier, f.Score)
	}
	return f.Evidence // since fuse
}

// fusedEvidence returns that of a hit whose score is still that of the lexical leg: how
// near it comes to the most and its nearness, weighted as their sum is, of the vector leg alone
// the nearness; all of it in a tier above 0.
func (a *inquiry) fusedEvidence(f *abi.Found, view *lexical.View) int64 {
	e, nearness := view.Of(f.Tier, f.Score), a.nearness(f.Cosine)
	switch {
	case f.Tier > 0:
		return e
	case a.request.Mode == abi.ModeVector:
		return nearness
	}
	return e*lexicalWeight/1000 + nearness*vectorWeight/1000
}

// nearness returns how near a cosine says that a chunk is, from 0 on, whichever model
// made the vectors.
func (a *inquiry) nearness(cosine int64) int64 { return max(a.set.Nearness(cosine), 0) }

// collapse keeps the first chunk of each document.
func collapse(ranked []abi.Found) []abi.Found {
	seen := make(map[string]bool, len(ranked))
	return slices.DeleteFunc(ranked, func(f abi.Found) bool {
		again := seen[f.ID]
		seen[f.ID] = true
		return again
	})
}
