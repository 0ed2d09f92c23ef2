package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// openPool opens documents under wazero.
func openPool(ctx context.Context, engine []byte, shards int, documents []byte) (*pool.Corpus, func(), error) {
	list, err := pool.Split(documents)
	if err != nil {
		return nil, nil, err
	}
	r, err := wazero.Open(ctx, engine, wazero.Config{Options: runner.Options{Guard: runner.GuardNone}, Cache: cacheFolder()})
	if err != nil {
		return nil, nil, err
	}
	c, err := pool.Open(ctx, r, pool.Config{Shards: shards}, abi.Names{Engine: r.Engine()}, list)
	if err != nil {
		return nil, nil, err
	}
	return c, func() { _, _ = c.Close(ctx), r.Close(ctx) }, nil
}

func cacheFolder() string {
	folder := filepath.Join(os.TempDir(), fmt.Sprintf("rookhaven-bench-%d", os.Getuid()))
	_ = os.MkdirAll(folder, 0o700)
	return folder
}

func builtEngine() ([]byte, error) {
	engine, _, ok := artifact.Built()
	if !ok {
		return nil, abi.Errorf(abi.EngineAbsent, "run make build first")
	}
	return engine, nil
}

// retrieve compares the engine with the same algorithm in plain JavaScript.
func retrieve(b *bench) error {
	engine, err := builtEngine()
	if err != nil {
		return err
	}
	peer, err := startPeer("node", "--max-old-space-size=8192", "conformance/cmd/bench/peer.mjs")
	if err != nil {
		return err
	}
	defer peer.end()
	fmt.Println("\nretrieve, k = 10, two needs, warm; milliseconds a query (wazero: request bytes in to reply bytes out)")
	fmt.Printf("%9s %7s %22s %22s %22s %22s %11s %11s\n", "documents", "MB", "open: wazero / js", "wazero p50 / p95", "js scan p50 / p95", "js lists p50 / p95", "scan/wazero", "lists/wazero")
	for _, n := range []int{1000, 10000, b.choose(100000, 20000)} {
		if err := retrieveRow(engine, peer, n, b.choose(200, 50)); err != nil {
			return err
		}
	}
	return nil
}

func retrieveRow(engine []byte, peer *peer, n, rounds int) error {
	l, err := newLanguage()
	if err != nil {
		return err
	}
	documents, queries := l.corpus(n), l.queries(rounds)
	ctx := context.Background()
	from := time.Now()
	corpus, end, err := openPool(ctx, engine, 1, documents)
	if err != nil {
		return err
	}
	defer end()
	opened := time.Since(from)
	ours, err := ask(ctx, corpus, queries)
	if err != nil {
		return err
	}
	scan, lists, ready, err := peer.measure(documents, queries)
	if err != nil {
		return err
	}
	mb := float64(len(documents)) / 1e6
	fmt.Printf("%9d %7.1f %9.2f / %6.2f s %13.3f / %7.3f %11.3f / %8.3f %12.3f / %7.3f %11.1f %11.1f\n", n, mb,
		opened.Seconds(), ready/1000, ours.at(.5), ours.at(.95), scan.at(.5), scan.at(.95), lists.at(.5), lists.at(.95), scan.at(.5)/ours.at(.5), lists.at(.5)/ours.at(.5))
	return nil
}

// ask measures each query once, after one round to warm up.
func ask(ctx context.Context, c *pool.Corpus, queries []string) (sample, error) {
	var s sample
	for round := range 2 {
		s = s[:0]
		for _, q := range queries {
			request := []byte(fmt.Sprintf(`{"query":%q,"recallBudget":10}`, q))
			from := time.Now()
			if _, _, err := c.Retrieve(ctx, request); err != nil {
				return nil, fmt.Errorf("round %d: %w", round, err)
			}
			s.add(time.Since(from))
		}
	}
	return s, nil
}

func (p *peer) measure(documents []byte, queries []string) (scan, lists sample, ready float64, err error) {
	file := filepath.Join(cacheFolder(), "corpus.json")
	if err := os.WriteFile(file, documents, 0o600); err != nil {
		return nil, nil, 0, err
	}
	defer os.Remove(file)
	var opened struct{ ScanMs, ListsMs float64 }
	if err := p.call(map[string]any{"corpus": file}, &opened); err != nil {
		return nil, nil, 0, err
	}
	for _, way := range []struct {
		name string
		into *sample
	}{{"scan", &scan}, {"lists", &lists}} {
		for range 2 { // the first round warms up
			var got struct{ Times []float64 }
			if err := p.call(map[string]any{"queries": queries, "way": way.name}, &got); err != nil {
				return nil, nil, 0, err
			}
			*way.into = got.Times
		}
	}
	return scan, lists, opened.ListsMs, nil
}
