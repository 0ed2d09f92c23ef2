// Package library keeps an index of documents on disk, and answers from it.
//
// What is on disk is hosts/store/index: generations of immutable segments. What is
// opened, in instances of the engine, is hosts/runner/pool. A [Library] stands
// between the two:
//
//   - [Library.Sync] makes a generation that holds exactly the documents given. Those
//     that are there with the same content stay in their segments; others are removed
//     there, or come in a new segment. Segments that are many or mostly empty are
//     merged. How a generation came to be changes no byte of what it answers: see
//     TestSync.
//   - [Library.Search] answers from the generation that is current when it begins,
//     whoever published it, or from an older one that is kept: see TestAsOf. What runs
//     is answered from the generation that it began with: see TestReaders.
//   - [Library.Complete] makes the vectors that a generation lacks, and publishes it
//     complete: see TestComplete. Until then it answers by its words. A generation that lacks
//     few is complete from the start.
//   - [Library.Diff] says which documents changed a ranking from one generation to
//     another.
//   - [Library.Export] gives the documents of a generation back: see TestExport.
//
// A generation belongs to the engine and the settings that its segments were built
// with. Another engine is refused with SEGMENT_VERSION and other settings with
// SETTINGS_INVALID, never answered without hits: see TestX20AnotherEngine and
// TestOtherSettings. [Library.Rebuild] and [Library.Compact] make a generation with the
// engine and the settings of now.
//
// A generation is opened, and its root compared, before it is published and whenever
// it answers. Whatever fails in between, the old one is current or the new one: see
// TestFaults. Where something on the disk is damaged or missing, the newest generation
// that is whole answers, and [Options.Tell] is told: see TestDamaged.
//
// A set of tombstones is a blob: a JSON array of the numbers of the documents that are
// removed from a segment, ascending, without spaces.
package library

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/internal/embedding"
	"github.com/rookhaven-project/rookhaven/hosts/internal/logging"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// Options say where a Library is and what answers from it. Those that may be left out
// say so.
type Options struct {
	Folder   string
	Disk     disk.FS
	Runner   runner.Runner // closed by its owner, after the Library
	Settings *abi.Settings // nil: those of the current generation, else the defaults
	Shards   int           // as in pool.Config; may be 0
	Clock    func() time.Time
	Command  string       // what others are told of who holds the lock, such as "rookhaven index"
	Log      *slog.Logger // nil: nothing is logged

	// Engines returns another engine than Runner by its digest, and who asks closes it: for
	// [Library.Export] of a generation that belongs to it. nil: there is none.
	Engines func(ctx context.Context, digest string) (runner.Runner, error)

	// Tell is told, once, each sentence about what was not in order and is answered or
	// written all the same; nil: it is logged.
	Tell func(sentence string)

	// Vectors make what the vector leg needs; nil: the index has its words alone, and
	// vectors that are there are left alone.
	Vectors *Vectors
}

// Vectors say how an index gets its vectors, and queries theirs.
type Vectors struct {
	Model string // the digest of the model
	// Open returns what embeds texts in bulk; it is closed when that is done.
	Open func(ctx context.Context) (embedding.Embedder, error)
	// Query makes the vector of a query.
	Query func(ctx context.Context, text string) ([]int8, error)
	// File returns the file of the model; nil where it is an external one.
	File func() ([]byte, error)
}

// A Library may be used by several goroutines at once.
type Library struct {
	Options
	store *index.Store

	writing sync.Mutex    // held by who makes a generation
	opening chan struct{} // holds one token while a generation is opened

	mu      sync.Mutex
	current *Edition // the last current one that was asked, nil before
	past    *Edition // the last other one that was asked, nil before
	told    []string // sentences for Tell
	closing sync.WaitGroup
}

// Open returns the library in a folder, which may be empty or not exist yet. Nothing
// is read before something is asked.
func Open(o Options) *Library {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Library{Options: o, store: index.Open(o.Folder, o.Disk), opening: make(chan struct{}, 1)}
}

// Generations returns the generations that are kept, the newest first.
func (l *Library) Generations() ([]index.Generation, error) { return l.store.Generations() }

// Close closes what is open once the requests that began with it are answered.
func (l *Library) Close(ctx context.Context) error {
	l.take(&l.current, nil)
	l.take(&l.past, nil)
	done := make(chan struct{})
	go func() {
		l.closing.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return runner.Cancelled(ctx)
	}
}

// take puts an edition into the place of another, which is closed once its last
// request is answered.
func (l *Library) take(place **Edition, e *Edition) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if old := *place; old != nil {
		l.closing.Go(func() {
			if err := old.Index.Close(context.Background()); err != nil {
				l.Log.Warn("index_not_closed", "generation", old.Generation.Number, logging.Failure(err))
			}
		})
	}
	*place = e
}

// Recovered returns what was told so far of what was not in order. After a search, it
// says why what answered may not be what was published last.
func (l *Library) Recovered() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.told)
}

// recovered tells what the store put in order, once.
func (l *Library) recovered(sentences ...string) {
	for _, s := range sentences {
		switch {
		case s == "" || !l.isNew(s):
		case l.Tell != nil:
			l.Tell(s)
		default:
			l.Log.Warn("index_recovered", "path", l.Folder, "sentence", s)
		}
	}
}

func (l *Library) isNew(sentence string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if slices.ContainsFunc(l.told, func(t string) bool { return strings.Contains(t, sentence) }) {
		return false // a part of one is left when the rest was mended
	}
	l.told = append(l.told, sentence)
	return true
}

func code(err error) abi.Code {
	var e *abi.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
