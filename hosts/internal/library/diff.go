package library

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A State says what became of a document from one generation to another.
type State string

const (
	Same    State = "same"
	Added   State = "added"
	Removed State = "removed"
	Changed State = "changed" // its content, by its digest
)

// A Difference is what two generations differ in.
type Difference struct {
	From, To  index.Generation
	Documents map[State][]string // ids of the documents that are not the same, ascending
	Rankings  []Ranking          // one for each request
}

// A Ranking is how the hits of one request differ.
type Ranking struct {
	Request []byte
	Moves   []Move // hits that entered, left or moved; by the rank they have now, those that left at the end
}

// A Move is a hit that has another place in one generation than in the other. Where
// its document is the same, it moved because others did, or the statistics.
type Move struct {
	ID       string
	Chunk    int64
	From, To int64 // its ranks; 0: it is not among the hits
	Document State
}

// Diff says which documents changed the rankings of these SearchRequests, each given
// as JSON, from one generation to another, which are named as for [Library.Search]. A
// hit is a chunk of a document; what is below the limit of a request is not seen.
func (l *Library) Diff(ctx context.Context, from, to string, requests [][]byte) (Difference, error) {
	a, releaseA, err := l.Edition(ctx, from)
	if err != nil {
		return Difference{}, err
	}
	defer releaseA()
	b, releaseB, err := l.Edition(ctx, to)
	if err != nil {
		return Difference{}, err
	}
	defer releaseB()
	states, err := compareEditions(a, b)
	if err != nil {
		return Difference{}, err
	}
	d := Difference{From: a.Generation, To: b.Generation, Documents: map[State][]string{}}
	for id, s := range states {
		d.Documents[s] = append(d.Documents[s], id)
	}
	for _, ids := range d.Documents {
		slices.Sort(ids)
	}
	for _, request := range requests {
		moves, err := diffRanking(ctx, a, b, request, states)
		if err != nil {
			return d, err
		}
		d.Rankings = append(d.Rankings, Ranking{request, moves})
	}
	return d, nil
}

// compareEditions returns what became of each document that is not the same.
func compareEditions(a, b *Edition) (map[string]State, error) {
	before, err := abi.ReadLeaves(a.Index.Leaves())
	if err != nil {
		return nil, err
	}
	after, err := abi.ReadLeaves(b.Index.Leaves())
	if err != nil {
		return nil, err
	}
	digests, states := make(map[string]string, len(before)), map[string]State{}
	for _, leaf := range before {
		digests[leaf.ID], states[leaf.ID] = leaf.Doc, Removed
	}
	for _, leaf := range after {
		switch old, known := digests[leaf.ID]; {
		case !known:
			states[leaf.ID] = Added
		case old != leaf.Doc:
			states[leaf.ID] = Changed
		default:
			delete(states, leaf.ID)
		}
	}
	return states, nil
}

// A place is where a hit is found.
type place struct {
	id    string
	chunk int64
}

func diffRanking(ctx context.Context, a, b *Edition, request []byte, states map[string]State) ([]Move, error) {
	before, err := ranking(ctx, a, request)
	if err != nil {
		return nil, err
	}
	after, err := ranking(ctx, b, request)
	if err != nil {
		return nil, err
	}
	var moves []Move
	for p, from := range before {
		if to := after[p]; from != to {
			moves = append(moves, Move{p.id, p.chunk, from, to, Same})
		}
	}
	for p, to := range after {
		if _, both := before[p]; !both {
			moves = append(moves, Move{p.id, p.chunk, 0, to, Same})
		}
	}
	for i := range moves {
		if s, ok := states[moves[i].ID]; ok {
			moves[i].Document = s
		}
	}
	slices.SortFunc(moves, func(x, y Move) int {
		return cmp.Or(cmp.Compare(last(x.To), last(y.To)), cmp.Compare(x.From, y.From))
	})
	return moves, nil
}

// last returns a rank to order by, where 0 comes last.
func last(rank int64) int64 { return cmp.Or(rank, math.MaxInt64) }

// ranking returns the ranks of a request's hits.
func ranking(ctx context.Context, e *Edition, request []byte) (map[place]int64, error) {
	reply, _, err := e.Index.Search(ctx, request)
	if err != nil {
		return nil, err
	}
	v, err := json.Parse(reply)
	if err != nil {
		return nil, abi.Errorf(abi.ReplyInvalid, "%s", err.Error())
	}
	ranks := map[place]int64{}
	for _, hit := range v.Member("hits").Elements() {
		chunk, _ := hit.Member("chunk").Int()
		rank, _ := hit.Member("rank").Int()
		ranks[place{hit.Member("id").Text(), chunk}] = rank
	}
	return ranks, nil
}
