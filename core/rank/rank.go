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
	Tier   int64 // compared before the score
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
	ByTier      Rule = "tier"
	ByScore     Rule = "score"
	ByKey       Rule = "key"
	ByStableKey Rule = "stableKey"
	ByID        Rule = "id"
	ByChunk     Rule = "chunk"
)

// Compare orders hits best first: by descending Tier and Score, then ascending Key, then
// ascending stable key, ID and chunk. Keys and stable keys may collide, two
// chunks of one document or two IDs may not; ending on them makes the order
// total. Strings compare by their UTF-8 bytes.
func Compare(a, b Hit) int {
	return cmp.Or(
		cmp.Compare(b.Tier, a.Tier),
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
	case a.Tier != b.Tier:
		return ByTier
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

// A Top keeps the best n of a stream, in any order of arrival.
type Top[T any] struct {
	n       int
	compare func(a, b T) int // a total order, best first
	heap    []T              // the worst that is kept first
}

// NewTop returns a Top for n of a total order, best first.
func NewTop[T any](n int64, compare func(a, b T) int) *Top[T] {
	return &Top[T]{n: int(n), compare: compare, heap: make([]T, 0, min(n, 16))}
}

// Worst returns the worst that is kept, once n are: what is not before it cannot
// enter any more.
func (t *Top[T]) Worst() (worst T, full bool) {
	if len(t.heap) < t.n || t.n == 0 {
		return worst, false
	}
	return t.heap[0], true
}

// Push offers one.
func (t *Top[T]) Push(h T) {
	if len(t.heap) < t.n {
		t.heap = append(t.heap, h)
		t.up(len(t.heap) - 1)
		return
	}
	if t.n > 0 && t.compare(h, t.heap[0]) < 0 {
		t.heap[0] = h
		t.down(0)
	}
}

// Ranked returns those that were kept, best first. The Top is used up.
func (t *Top[T]) Ranked() []T {
	slices.SortFunc(t.heap, t.compare)
	return t.heap
}

func (t *Top[T]) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if t.compare(t.heap[i], t.heap[parent]) < 0 {
			return
		}
		t.heap[i], t.heap[parent] = t.heap[parent], t.heap[i]
		i = parent
	}
}

func (t *Top[T]) down(i int) {
	for {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.heap); child++ {
			if t.compare(t.heap[child], t.heap[worst]) > 0 {
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
	top := NewTop(n, Compare)
	for _, list := range lists {
		for _, h := range list {
			top.Push(h)
		}
	}
	return top.Ranked()
}
