// Package pool keeps a corpus open in several instances of the engine, each with
// a part of the documents, and answers requests from all of them together.
//
// The parts are called shards. How many there are changes no byte of a reply and
// no word of a failure: see TestShardsChangeNothing. With one shard the pool asks
// for retrieve; with more it hands plans and partials of all shards on untouched
// (wasm/ABI.md §4.6).
//
// A Corpus answers several requests at once: each shard serves one call at a
// time, the others wait. A shard whose instance died answers that one request
// with the engine's failure; the next one finds a fresh instance with the same
// documents. The documents are therefore kept here, too.
package pool

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Config says how a corpus is spread.
type Config struct {
	// Shards is the number of instances. 0: one below 5,000 documents, since
	// three rounds cost more than they save there; else one per processor.
	Shards int
}

const oneShard = 5000 // documents below which one is faster

func (c Config) shards(documents int) int {
	switch {
	case c.Shards > 0:
		return c.Shards
	case documents < oneShard:
		return 1
	}
	return min(runtime.GOMAXPROCS(0), 64)
}

// A Corpus is open until it is closed.
type Corpus struct {
	runner runner.Runner
	names  abi.Names
	shards []*shard
	root   string
	leaves []byte
	count  int
	next   atomic.Uint64 // which shard does what any can do

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
	over    chan struct{} // closed when all is closed
	failure error         // of closing; set before over is closed
}

// Split cuts a JSON array of documents into its elements, which share its memory.
func Split(documents []byte) ([][]byte, error) {
	r := json.NewReader(documents)
	list := [][]byte{}
	for range r.Array() {
		list = append(list, r.Raw())
	}
	if err := r.End(); err != nil {
		return nil, invalid(err)
	}
	return list, nil
}

// invalid is the failure of a document that is no JSON, as the engine words it.
func invalid(err error) error {
	var e *json.Error
	if errors.As(err, &e) && (e.Reason == json.WrongType || e.Reason == json.BadValue) {
		return &abi.Error{Code: abi.RequestInvalid, Sentence: err.Error()}
	}
	return &abi.Error{Code: abi.JSONInvalid, Sentence: err.Error()}
}

// Open opens a corpus. Each of documents is one document as JSON; they are kept,
// and must not change while the corpus is open.
func Open(ctx context.Context, r runner.Runner, c Config, names abi.Names, documents [][]byte) (*Corpus, error) {
	p := &Corpus{runner: r, names: names, count: len(documents), over: make(chan struct{})}
	for _, part := range cut(documents, c.shards(len(documents))) {
		p.shards = append(p.shards, newShard(r, names, part))
	}
	if err := p.open(ctx); err != nil {
		return nil, errors.Join(p.whole(ctx, documents, err), p.end(context.WithoutCancel(ctx)))
	}
	return p, nil
}

// cut cuts documents into n parts of about the same size in bytes.
func cut(documents [][]byte, n int) [][][]byte {
	total := 0
	for _, d := range documents {
		total += len(d)
	}
	parts := make([][][]byte, 0, n)
	from, size := 0, 0
	for i, d := range documents {
		size += len(d)
		if len(parts) < n-1 && size >= total/n*(len(parts)+1) {
			parts = append(parts, documents[from:i+1])
			from = i + 1
		}
	}
	parts = append(parts, documents[from:])
	for len(parts) < n {
		parts = append(parts, nil)
	}
	return parts
}

// open opens all shards, and finds the root of their documents together.
func (p *Corpus) open(ctx context.Context) error {
	replies := make([]abi.OpenReply, len(p.shards))
	err := p.each(ctx, func(ctx context.Context, i int) (err error) {
		replies[i], err = p.shards[i].start(ctx, true)
		return err
	})
	if err == nil {
		err = p.counted(replies)
	}
	if err != nil {
		return err
	}
	if len(p.shards) == 1 {
		p.root, p.leaves = replies[0].Corpus, abi.AppendLeaves(nil, replies[0].Leaves)
		return nil
	}
	var leaves []abi.Leaf
	for _, r := range replies {
		leaves = append(leaves, r.Leaves...)
	}
	return p.join(ctx, leaves)
}

// counted refuses documents that are not one JSON value each.
func (p *Corpus) counted(replies []abi.OpenReply) error {
	n := int64(0)
	for _, r := range replies {
		n += r.Documents
	}
	if n != int64(p.count) {
		return abi.Errorf(abi.CorpusInvalid, "%d documents were given as %d", n, p.count)
	}
	return nil
}

// join finds the root over the leaves of all shards, in an instance of its own.
func (p *Corpus) join(ctx context.Context, leaves []abi.Leaf) error {
	reply, err := openIn(ctx, p.runner, p.names, true, []byte(`"leaves":`), abi.AppendLeaves(nil, leaves))
	if err != nil {
		return err
	}
	p.root, p.leaves = reply.Corpus, abi.AppendLeaves(nil, reply.Leaves)
	return nil
}

// whole finds the words for a failure to open: those of one instance that is
// given all documents, which count them as the caller does. A corpus that only
// several instances hold keeps the failure that it has.
func (p *Corpus) whole(ctx context.Context, documents [][]byte, err error) error {
	if len(p.shards) == 1 || !aboutDocuments(err) {
		return err
	}
	if _, again := openIn(ctx, p.runner, p.names, false, list(documents)...); aboutDocuments(again) {
		return again
	}
	return err
}

func aboutDocuments(err error) bool {
	var e *abi.Error
	return errors.As(err, &e) && (e.Code == abi.CorpusInvalid || e.Code == abi.JSONInvalid || e.Code == abi.RequestInvalid)
}

// each runs f for all shards at once. The first failure by number of the shard
// wins; failures of the others that only follow from it do not count.
func (p *Corpus) each(ctx context.Context, f func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	errs := make([]error, len(p.shards))
	var wg sync.WaitGroup
	for i := range p.shards {
		wg.Go(func() {
			if errs[i] = f(ctx, i); errs[i] != nil {
				cancel(errOther)
			}
		})
	}
	wg.Wait()
	var follows error
	for _, err := range errs {
		switch {
		case err == nil:
		case errors.Is(context.Cause(ctx), errOther) && errors.Is(err, context.Canceled):
			follows = err
		default:
			return err
		}
	}
	return follows
}

var errOther = errors.New("another shard failed")

// Root returns the digest of the corpus.
func (p *Corpus) Root() string { return p.root }

// Leaves returns the leaves of the corpus: a JSON array of [id, digest] in trie
// order, which is what a later replay names the changed document with.
func (p *Corpus) Leaves() []byte { return slices.Clone(p.leaves) }

// Documents returns how many there are.
func (p *Corpus) Documents() int { return p.count }

// Memory returns the size of the instances' memories in bytes.
func (p *Corpus) Memory() int64 {
	n := int64(0)
	for _, s := range p.shards {
		n += s.memory()
	}
	return n
}

// Hold keeps a corpus open for a caller that is about to ask it several things,
// or that took it from where another may replace it. It fails on a corpus that
// is being closed; release must be called once.
func (p *Corpus) Hold() (release func(), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, false
	}
	p.running.Add(1)
	return sync.OnceFunc(p.running.Done), true
}

// Close closes the corpus once the requests that began with it are answered. When
// the context ends before, the rest is closed as they are; a second Close waits
// for that.
func (p *Corpus) Close(ctx context.Context) error {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		go func() {
			p.running.Wait()
			p.failure = p.end(context.WithoutCancel(ctx))
			close(p.over)
		}()
	}
	p.mu.Unlock()
	select {
	case <-p.over:
		return p.failure
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *Corpus) end(ctx context.Context) error {
	var err error
	for _, s := range p.shards {
		err = errors.Join(err, s.close(ctx))
	}
	return err
}
