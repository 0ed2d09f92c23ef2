package embedding

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"sync/atomic"
)

// Checked returns an Embedder that embeds by fast, and one text of each call again by
// sure: the one whose hash is least. Where the two differ, tell is told, once, and sure
// does it all from then on, that call among it. Queries are always sure's. It closes both.
func Checked(fast, sure Embedder, tell func(sentence string)) Embedder {
	return &checked{Embedder: sure, fast: fast, tell: tell}
}

type checked struct {
	Embedder
	fast     Embedder
	tell     func(sentence string)
	differed atomic.Bool
}

func (c *checked) Embed(ctx context.Context, query bool, texts ...string) ([][]int8, error) {
	if query || len(texts) == 0 || c.differed.Load() {
		return c.Embedder.Embed(ctx, query, texts...)
	}
	vectors, err := c.fast.Embed(ctx, query, texts...)
	if err != nil {
		return nil, err
	}
	at := least(texts)
	again, err := c.Embedder.Embed(ctx, query, texts[at])
	if err != nil {
		return nil, err
	}
	if slices.Equal(again[0], vectors[at]) {
		return vectors, nil
	}
	if !c.differed.Swap(true) {
		c.tell("the vectors that were made natively are not those of the engine; the engine makes all of them from now on, which takes longer")
	}
	return c.Embedder.Embed(ctx, query, texts...)
}

// least returns which of some texts has the least hash.
func least(texts []string) int {
	at, best := 0, ^uint64(0)
	for i, t := range texts {
		sum := sha256.Sum256([]byte(t))
		if h := binary.BigEndian.Uint64(sum[:]); h < best {
			at, best = i, h
		}
	}
	return at
}

func (c *checked) Close(ctx context.Context) error {
	return errors.Join(c.fast.Close(ctx), c.Embedder.Close(ctx))
}
