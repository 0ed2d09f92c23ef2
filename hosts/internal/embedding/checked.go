package embedding

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
)

// Checked returns an Embedder that embeds by fast, and meanwhile one text of each call again
// by sure: the one whose hash is least. Where the two differ, or fast takes no more calls, tell
// is told, once, and sure does it all from then on, that call among it. Queries are always
// sure's. It closes both.
func Checked(fast, sure Embedder, tell func(sentence string)) Embedder {
	return &checked{Embedder: sure, fast: fast, tell: tell}
}

type checked struct {
	Embedder
	fast   Embedder
	tell   func(sentence string)
	unsure atomic.Bool // fast is not asked any more
}

func (c *checked) Embed(ctx context.Context, query bool, texts ...string) ([][]int8, error) {
	if query || len(texts) == 0 || c.unsure.Load() {
		return c.Embedder.Embed(ctx, query, texts...)
	}
	checking, cancel := context.WithCancel(ctx)
	defer cancel()
	at := least(texts)
	var again [][]int8
	var failed error // of sure
	var wg sync.WaitGroup
	wg.Go(func() { again, failed = c.Embedder.Embed(checking, query, texts[at]) })
	vectors, err := c.fast.Embed(ctx, query, texts...)
	if err != nil {
		cancel()
	}
	wg.Wait()
	why := "the vectors that were made natively are not those of the engine"
	switch {
	case runner.Dead(err):
		why = err.Error()
	case err != nil || failed != nil:
		return nil, cmp.Or(err, failed)
	case slices.Equal(again[0], vectors[at]):
		return vectors, nil
	}
	if !c.unsure.Swap(true) {
		c.tell(why + "; the engine makes all of them from now on, which takes longer")
	}
	return c.Embedder.Embed(ctx, query, texts...)
}

// least returns which of some texts has the least hash.
func least(texts []string) int {
	at, best := 0, HashOf(texts[0])
	for i, t := range texts[1:] {
		if h := HashOf(t); bytes.Compare(h[:], best[:]) < 0 {
			at, best = i+1, h
		}
	}
	return at
}

func (c *checked) Close(ctx context.Context) error {
	return errors.Join(c.fast.Close(ctx), c.Embedder.Close(ctx))
}
