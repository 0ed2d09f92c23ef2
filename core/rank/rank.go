// Package rank orders hits, keeps the best ones and merges ranked lists.
//
// The order is total: at no stage do two different hits compare equal, so no
// result depends on the order in which hits arrive (TestTopIsLayoutFree) or on
// how a sort treats equals.
package rank

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/core/internal/fixed"
)

// A Hit is a chunk of a document with its score and what breaks ties.
type Hit struct {
	Score  fixed.Score
	Key    uint32 // the seeded key of the stable key
	Stable string // what the source calls the document
	ID     string
	Chunk  int64
	Ref    int // for the caller: where the document is; takes no part in the order
}

// A Rule names what puts one hit above another.
type Rule string

// The rules, in the order in which they are asked.
const (
	ByScore     Rule = "score"
	ByKey       Rule = "key"
	ByStableKey Rule = "stableKey"
	ByID        Rule = "id"
	ByChunk     Rule = "chunk"
)

// Compare orders hits best first: by descending Score, then ascending Key, then
// ascending stable key, ID and chunk. Keys and stable keys may collide, two
// chunks of one document or two IDs may not; ending on them makes the order
// total. Strings compare by their UTF-8 bytes.
func Compare(a, b Hit) int {
	return cmp.Or(
		cmp.Compare(b.Score, a.Score),
		cmp.Compare(a.Key, b.Key),
		strings.Compare(a.Stable, b.Stable),
		strings.Compare(a.ID, b.ID),
		cmp.Compare(a.Chunk, b.Chunk),
	)
}

// Why returns the rule that puts a above b, which must be different hits.
func Why(a, b Hit) Rule {
	switch {
	case a.Score != b.Score:
		return ByScore
	case a.Key != b.Key:
		return ByKey
	case a.Stable != b.Stable:
		return ByStableKey
	case a.ID != b.ID:
		return ByID
	}
	return ByChunk
}

// A Top keeps the best n hits of a stream, in any order of arrival.
type Top struct {
	n    int
	heap []Hit // the worst kept hit first
}

// NewTop returns a Top for n hits.
func NewTop(n int64) *Top { return &Top{n: int(n)} }

// Floor returns the least score with which a hit may still enter.
func (t *Top) Floor() fixed.Score {
	if len(t.heap) < t.n || t.n == 0 {
		return 0
	}
	return t.heap[0].Score
}

// Push offers a hit.
func (t *Top) Push(h Hit) {
	if len(t.heap) < t.n {
		t.heap = append(t.heap, h)
		t.up(len(t.heap) - 1)
		return
	}
	if t.n > 0 && Compare(h, t.heap[0]) < 0 {
		t.heap[0] = h
		t.down(0)
	}
}

// Ranked returns the kept hits, best first. The Top is used up.
func (t *Top) Ranked() []Hit {
	slices.SortFunc(t.heap, Compare)
	return t.heap
}

func (t *Top) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if Compare(t.heap[i], t.heap[parent]) < 0 {
			return
		}
		t.heap[i], t.heap[parent] = t.heap[parent], t.heap[i]
		i = parent
	}
}

func (t *Top) down(i int) {
	for {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.heap); child++ {
			if Compare(t.heap[child], t.heap[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}

// Merge joins ranked lists of distinct hits into one, and keeps the best n.
func Merge(lists [][]Hit, n int64) []Hit {
	top := NewTop(n)
	for _, list := range lists {
		for _, h := range list {
			top.Push(h)
		}
	}
	return top.Ranked()
}
