package pool

import (
	"context"
	"sync"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// Timings say where the time of one request went, by this host's clock. They
// stand beside a reply and are no part of it.
type Timings struct {
	Total time.Duration
	Spans []Span // by the time they ended
}

// A Span is a part of a request's time in one shard: Wait, before a call had its
// turn, or a stage that the engine announced. Begin holds what comes before the
// first announcement. From and To count from the start of the request.
type Span struct {
	Shard    int
	Export   string
	Stage    string
	From, To time.Duration
}

// Names of spans that no engine announces.
const (
	Wait  = "wait"
	Begin = "begin"
)

// A watch collects the spans of one request.
type watch struct {
	start time.Time
	mu    sync.Mutex
	spans []Span
}

func newWatch() *watch { return &watch{start: time.Now()} }

func (w *watch) timings() Timings {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Timings{Total: time.Since(w.start), Spans: w.spans}
}

// A track is the part of a watch that follows one call.
type track struct {
	watch *watch
	open  Span
	over  bool
}

func (w *watch) follow(shard int, export abi.Export) *track {
	return &track{watch: w, open: Span{Shard: shard, Export: export.String(), Stage: Wait, From: time.Since(w.start)}}
}

// stage ends the open span and opens the next. The worker of an instance that is
// stuck may call it after the end.
func (t *track) stage(name string) {
	t.watch.mu.Lock()
	defer t.watch.mu.Unlock()
	if t.over {
		return
	}
	now := time.Since(t.watch.start)
	t.open.To = now
	t.watch.spans = append(t.watch.spans, t.open)
	t.open.Stage, t.open.From = name, now
}

func (t *track) end() {
	t.stage("")
	t.watch.mu.Lock()
	defer t.watch.mu.Unlock()
	t.over = true
}

func (t *track) context(ctx context.Context) context.Context {
	return runner.WithStages(ctx, t.stage)
}
