// Command ours is our engine as a peer: the module under wazero, asked through the
// protocol of conformance/ir/peer. make quality and make bench start it. With -mode hybrid or
// vector it ranks by the vectors of a model, too, the built-in one or that of -model, which
// are made natively and kept (package vectors).
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
	"github.com/rookhaven-project/rookhaven/conformance/ir/peer"
	"github.com/rookhaven-project/rookhaven/conformance/vectors"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

func main() {
	shards := flag.Int("shards", 1, "how many instances answer")
	mode := flag.String("mode", abi.ModeLexical, "lexical, hybrid or vector")
	model := flag.String("model", "", "the `file` of the model, instead of the built-in one")
	drawn := flag.Bool("drawn", false, "draw vectors from seeds in place of making them: for how long a query takes, not for what it finds")
	flag.Parse()
	if err := serve(context.Background(), *shards, *mode, *model, *drawn); err != nil {
		fmt.Fprintln(os.Stderr, "ours:", err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, shards int, mode, model string, drawn bool) error {
	module, _, ok := artifact.Built()
	if !ok {
		return errors.New("the engine is absent: run make build")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	r, err := wazero.Open(ctx, module, wazero.Config{Cache: filepath.Join(cache, "rookhaven")})
	if err != nil {
		return err
	}
	return peer.Serve(&engine{ctx: ctx, runner: r, shards: shards, mode: mode, model: model, drawn: drawn}, os.Stdin, os.Stdout)
}

// An engine holds one index. Documents are one chunk each, as for the other peers.
type engine struct {
	ctx    context.Context
	runner runner.Runner
	shards int
	mode   string
	model  string // its file, "" for the built-in one
	drawn  bool
	index  *pool.Index
}

// Build writes the segments to the folder. Their documents do not count in the
// size, since the others keep none.
func (e *engine) Build(documents []ir.Document, folder string) (int64, error) {
	list := make([][]byte, len(documents))
	for i, d := range documents {
		var err error
		if list[i], err = json.Marshal(d); err != nil {
			return 0, err
		}
	}
	settings := abi.DefaultSettings()
	settings.Chunks = abi.ChunksWhole
	segments := make([]pool.Segment, len(pool.Batches(list)))
	size := int64(0)
	err := pool.Build(e.ctx, e.runner, settings, list, func(n int, b pool.Built) error {
		name := filepath.Join(folder, fmt.Sprint(n))
		segments[n] = pool.Segment{Size: int64(len(b.Bytes)), Read: func() ([]byte, error) { return os.ReadFile(name) }}
		size += int64(len(b.Bytes)) - b.Stored
		return os.WriteFile(name, b.Bytes, 0o600)
	})
	if err != nil {
		return 0, err
	}
	c := pool.Config{Shards: e.shards}
	if e.mode != abi.ModeLexical {
		if err := e.vectors(&c, settings, segments); err != nil {
			return 0, err
		}
	}
	e.index, err = pool.OpenIndex(e.ctx, e.runner, c, abi.Names{Engine: e.runner.Engine()}, settings, segments)
	return size, err
}

// vectors gives segments their vectors, and queries theirs.
func (e *engine) vectors(c *pool.Config, settings abi.Settings, segments []pool.Segment) error {
	of, q := draw, abi.PackRequest{Model: vectors.Model, Dimensions: vectors.Dimensions}
	c.Vectors.Query = func(_ context.Context, text string) ([]int8, error) { return one(text), nil }
	if !e.drawn {
		store, err := vectors.OpenFile(e.ctx, e.model)
		if err != nil {
			return err
		}
		if c.Vectors.Query, err = store.Queries(e.ctx); err != nil {
			return err
		}
		of, q = store.Make, abi.PackRequest{Model: store.Model, Dimensions: int64(store.Dimensions), Background: int64(store.Background)}
	}
	for i := range segments {
		var texts []string
		err := pool.Texts(e.ctx, e.runner, settings, segments[i], func(text string) { texts = append(texts, text) })
		if err != nil {
			return err
		}
		components, err := of(e.ctx, texts)
		if err != nil {
			return err
		}
		err = pool.Pack(e.ctx, e.runner, settings, segments[i], q, components, func(file []byte) error {
			kept := bytes.Clone(file)
			segments[i].Vectors = func() ([]byte, error) { return kept, nil }
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// draw returns a vector for each text, drawn by its hash.
func draw(_ context.Context, texts []string) ([]byte, error) {
	components := make([]byte, 0, len(texts)*vectors.Dimensions)
	for _, text := range texts {
		for _, n := range one(text) {
			components = append(components, byte(n))
		}
	}
	return components, nil
}

func one(text string) []int8 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	r := rand.New(rand.NewPCG(h.Sum64(), 0))
	v := make([]int8, vectors.Dimensions)
	for i := range v {
		v[i] = int8(r.IntN(255) - 127)
	}
	return v
}

// Query asks as the others do: without texts, and without a look for what a word that
// occurs nowhere may have been meant as.
func (e *engine) Query(text string, k int) ([]string, error) {
	q := abi.DefaultSearch()
	q.Query, q.Mode, q.Limit, q.Text, q.Typos = text, e.mode, int64(k), abi.TextNone, false
	reply, _, err := e.index.Search(e.ctx, q.Append(nil))
	if err != nil {
		return nil, err
	}
	var p struct{ Hits []struct{ ID string } }
	if err := json.Unmarshal(reply, &p); err != nil {
		return nil, err
	}
	ids := make([]string, len(p.Hits))
	for i, h := range p.Hits {
		ids[i] = h.ID
	}
	return ids, nil
}
