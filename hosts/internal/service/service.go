// Package service answers requests over one corpus file with one engine. Both
// doors, MCP and the command line, stand in front of it; it knows neither.
//
// The corpus file may change while requests run. A request keeps the corpus it
// started with; one that starts after a whole new file stands in its place is
// answered from the new file: see TestReload. A file that cannot be read, or
// that breaks a rule, changes nothing: the old corpus is served on, and the log
// says why. Replies name the root of the corpus that gave them.
//
// The engine is compiled once, on the first request or by [Service.Warm]; every
// request waits for it. What later replays need (the engine's file, the leaves
// of each corpus that answered) is kept in the data folder; a fault there is
// logged once and fails no request.
package service

import (
	"context"
	"log/slog"
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/corpusfile"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Service is used by several goroutines at once.
type Service struct {
	config *config.Config
	life   context.Context // of what outlives a request: it ends with the service
	end    context.CancelFunc
	log    *slog.Logger
	engine *engine
	keeper *keeper

	mu      sync.Mutex
	current *generation
	seen    corpusfile.Stamp // of the file as it was last looked at

	reloading sync.Mutex
}

// New returns a service over a corpus that was read before.
func New(c *config.Config, log *slog.Logger, file *corpusfile.File) *Service {
	life, end := context.WithCancel(context.Background())
	return &Service{
		config:  c,
		life:    life,
		end:     end,
		log:     log,
		engine:  newEngine(c.CacheDir, log),
		keeper:  newKeeper(c.DataDir, log),
		current: &generation{file: file},
		seen:    file.Stamp,
	}
}

// Warm begins to compile the engine, in the background.
func (s *Service) Warm() { s.engine.start() }

// Config returns the settings that the service runs with.
func (s *Service) Config() *config.Config { return s.config }

// Documents returns how many documents the corpus of now has.
func (s *Service) Documents() int { return len(s.now().file.Documents) }

// Retrieve answers a request with the bytes of a Reply.
func (s *Service) Retrieve(ctx context.Context, q *abi.Request) ([]byte, error) {
	if err := Check(s.config, q); err != nil {
		return nil, err
	}
	corpus, release, err := s.hold(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	reply, timings, err := corpus.Retrieve(ctx, q.Append(nil))
	if err != nil {
		return nil, err
	}
	s.log.Debug("retrieved", "ms", timings.Total.Milliseconds(), "bytes", len(reply), "corpus", corpus.Root())
	s.keeper.keep(s.engine.digest, corpus)
	return reply, nil
}

// Check reports the first limit of this host, or of the engine, that a request
// breaks. The host's are named by their settings.
func Check(c *config.Config, q *abi.Request) error {
	if n, most := int64(abi.Units(q.Query)), c.MaxQueryLen; n > most {
		return abi.Errorf(abi.QueryTooLong, "the query has %d units, the limit is %d", n, most)
	}
	if n, most := q.RecallBudget, c.MaxRecall; n < 1 || n > most {
		return abi.Errorf(abi.BudgetOutOfRange, "recallBudget is %d, it must be between 1 and %d", n, most)
	}
	for i, need := range q.Needs {
		if n, most := int64(abi.Units(need)), c.MaxQueryLen; n > most {
			return abi.Errorf(abi.NeedsInvalid, "needs[%d] has %d units, the limit is %d", i, n, most)
		}
	}
	return q.Check()
}

// Request returns a request with a host's defaults and no query.
func Request(c *config.Config) abi.Request {
	q := abi.Default()
	q.RecallBudget = c.DefaultRecall
	q.Seed = c.DefaultSeed
	q.Text = abi.TextSnippet
	return q
}

// Describe returns what the engine says of itself.
func (s *Service) Describe(ctx context.Context) ([]byte, error) {
	corpus, release, err := s.hold(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return corpus.Describe(ctx)
}

// EndWith stops what runs when a context ends, by the stop word, also what no single
// request waits for.
func (s *Service) EndWith(ctx context.Context) { context.AfterFunc(ctx, s.end) }

// Close stops what is still being opened, waits for what is still being kept, and gives the engine back.
func (s *Service) Close(ctx context.Context) {
	s.end()
	s.keeper.wait(ctx)
	if corpus := s.now().opened(); corpus != nil {
		if err := corpus.Close(ctx); err != nil {
			return // a call still runs in the engine
		}
	}
	s.engine.close(ctx)
}

// hold returns the corpus of now, kept open until it is released.
func (s *Service) hold(ctx context.Context) (*pool.Corpus, func(), error) {
	for {
		corpus, err := s.fresh().open(ctx, s)
		if err != nil {
			return nil, nil, err
		}
		if release, ok := corpus.Hold(); ok {
			return corpus, release, nil
		}
		// It was replaced between the two lines above.
	}
}

func (s *Service) now() *generation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}
