package retrieve

import (
	"sort"

	"github.com/rookhaven-project/rookhaven/core/lexical"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// reach returns how many of the ranked hits have the least evidence that is asked
// for: the first ones, since evidence does not rise from one hit to the next.
func (a *inquiry) reach(view *lexical.View, ranked []abi.Found) int64 {
	return int64(sort.Search(len(ranked), func(i int) bool {
		return a.evidence(&ranked[i], view) < a.request.MinEvidence
	}))
}

// show puts the page that is asked for into a reply: as much of it as abstain and
// the budget let through, how much that leaves out, and the cursor of what follows.
// texts tells the texts of hits.
func (a *inquiry) show(reply *abi.SearchReply, view *lexical.View, ranked []abi.Found, texts func([]abi.Found) error) error {
	reach := a.reach(view, ranked)
	from := min(a.request.Offset, reach)
	to := min(from+a.request.Limit, reach)
	reply.Hits = make([]abi.Found, 0, to-from)
	if reply.Verdict == abi.NoAnswer && a.request.Abstain {
		reply.Omitted = to - from
		return nil
	}
	if err := texts(ranked[from:to]); err != nil {
		return err
	}
	for i := from; i < to; i++ {
		reply.Hits = append(reply.Hits, a.hit(ranked, int(i), view))
	}
	a.cut(reply, from, reach)
	return nil
}

// cut keeps of the hits of a page, which begins at from of reach, those from the
// best on with which the reply stays within its budget, the first in any case.
func (a *inquiry) cut(reply *abi.SearchReply, from, reach int64) {
	hits := reply.Hits
	end := func(n int) { // the page after n hits
		to := from + int64(n)
		reply.Omitted, reply.Cursor, reply.Pool = int64(len(hits)-n), "", 0
		switch {
		case to < reach && to <= abi.MaxOffset:
			reply.Cursor = a.cursor(reply.Corpus, to)
		case to >= reach && a.full:
			reply.Pool = legPool
		}
	}
	n := len(hits)
	if a.request.Budget != nil {
		room := abi.TokenBytes * *a.request.Budget
		sizes := sizesOf(hits, room)
		reply.Hits = nil
		n = sort.Search(len(sizes), func(i int) bool {
			end(i + 1)
			return reply.Size()+sizes[i] > room
		})
		n = min(max(n, 1), len(hits))
	}
	end(n)
	reply.Hits = hits[:n]
}

// sizesOf returns how many bytes the hits up to each take, as far as there is room.
func sizesOf(hits []abi.Found, room int64) []int64 {
	var sizes []int64
	size := int64(-1) // no comma before the first
	for i := range hits {
		if size += 1 + hits[i].Size(); size > room {
			break
		}
		sizes = append(sizes, size)
	}
	return sizes
}
