package service

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/internal/corpusfile"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A generation is the corpus as one version of the file holds it.
type generation struct {
	file *corpusfile.File

	mu      sync.Mutex
	opening *opening // nil: not begun, or to be begun again after a failure
}

// An opening is on its way, or done.
type opening struct {
	done   chan struct{}
	corpus *pool.Corpus
	err    error
}

// open returns the generation's corpus, opened in the engine. Several callers
// wait for one opening, which outlives a caller that goes away and ends with the
// service.
func (g *generation) open(ctx context.Context, s *Service) (*pool.Corpus, error) {
	r, err := s.engine.runner(ctx)
	if err != nil {
		return nil, err
	}
	o := g.begin(s.life, r, pool.Config{Shards: int(s.config.Shards)}, s.log)
	select {
	case <-o.done:
	case <-ctx.Done():
		return nil, cancelled(ctx)
	}
	if o.err != nil {
		g.forget(o)
	}
	return o.corpus, o.err
}

func (g *generation) begin(ctx context.Context, r runner.Runner, c pool.Config, log *slog.Logger) *opening {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opening != nil {
		return g.opening
	}
	o := &opening{done: make(chan struct{})}
	g.opening = o
	go func() {
		defer close(o.done)
		start := time.Now()
		o.corpus, o.err = pool.Open(ctx, r, c, abi.Names{Engine: r.Engine()}, g.file.Documents)
		if o.err == nil {
			log.Info("corpus_opened", "corpus", o.corpus.Root(), "documents", o.corpus.Documents(), "bytes", g.file.Bytes, slog.Group("", speed(g.file.Bytes, time.Since(start))...))
		}
	}()
	return o
}

// speed returns the members ms and mb_per_s.
func speed(bytes int64, took time.Duration) []any {
	return []any{"ms", took.Milliseconds(), "mb_per_s", math.Round(float64(bytes)/took.Seconds()/1e5) / 10}
}

func (g *generation) forget(o *opening) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opening == o {
		g.opening = nil
	}
}

// opened returns the corpus if it is open.
func (g *generation) opened() *pool.Corpus {
	g.mu.Lock()
	o := g.opening
	g.mu.Unlock()
	if o == nil {
		return nil
	}
	select {
	case <-o.done:
		return o.corpus
	default:
		return nil
	}
}

func cancelled(ctx context.Context) error {
	return &abi.Error{Code: abi.Cancelled, Sentence: context.Cause(ctx).Error()}
}
