package pool

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A spread is what lies in several shards and answers as one, until it is closed.
type spread struct {
	runner runner.Runner
	names  abi.Names
	shards []*shard
	whole  content // of all shards together
	root   string
	leaves []byte
	count  int
	next   atomic.Uint64 // which shard does what any can do

	mu      sync.Mutex
	closed  bool
	holders int           // requests among them
	idle    chan struct{} // closed when it is closed and nobody holds it
	over    chan struct{} // closed when all is closed
	failure error         // of closing; set before over is closed
}

// openSpread opens a shard for each of parts; whole is what they are together.
func openSpread(ctx context.Context, r runner.Runner, names abi.Names, parts []content, whole content) (*spread, error) {
	p := &spread{runner: r, names: names, whole: whole, idle: make(chan struct{}), over: make(chan struct{})}
	for _, part := range parts {
		p.shards = append(p.shards, newShard(r, names, part))
	}
	if err := p.open(ctx); err != nil {
		return nil, errors.Join(p.worded(ctx, err), p.end(context.WithoutCancel(ctx)))
	}
	return p, nil
}

// open opens all shards, and finds the root of their documents together.
func (p *spread) open(ctx context.Context) error {
	replies := make([]abi.OpenReply, len(p.shards))
	err := p.each(ctx, func(ctx context.Context, i int) (err error) {
		replies[i], err = p.shards[i].start(ctx, true)
		return err
	})
	if err != nil {
		return err
	}
	all := replies[0]
	if len(p.shards) > 1 {
		if all, err = p.join(ctx, replies); err != nil {
			return err
		}
	}
	p.root, p.leaves, p.count = all.Corpus, abi.AppendLeaves(nil, all.Leaves), len(all.Leaves)
	return nil
}

// join finds the root over the leaves of all shards, in an instance of its own.
func (p *spread) join(ctx context.Context, replies []abi.OpenReply) (abi.OpenReply, error) {
	var leaves []abi.Leaf
	for _, r := range replies {
		leaves = append(leaves, r.Leaves...)
	}
	return openIn(ctx, p.runner, p.names, func(ctx context.Context, i runner.Instance, names abi.Names, list bool) (abi.OpenReply, error) {
		return open(ctx, i, names, list, []byte(`"leaves":`), abi.AppendLeaves(nil, leaves))
	})
}

// worded finds the words for a failure to open: those of one instance that is
// given everything, which counts documents as the caller does. What only several
// instances hold keeps the failure that it has.
func (p *spread) worded(ctx context.Context, err error) error {
	if len(p.shards) == 1 || !aboutDocuments(err) {
		return err
	}
	if _, again := openIn(ctx, p.runner, p.names, p.whole); aboutDocuments(again) {
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
func (p *spread) each(ctx context.Context, f func(ctx context.Context, i int) error) error {
	return atOnce(ctx, len(p.shards), len(p.shards), f)
}

// atOnce runs f for 0 … n-1, at most so many at once. The first failure by number
// wins, and ends the others; theirs do not count where they only follow from it.
func atOnce(ctx context.Context, n, most int, f func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	errs := make([]error, n)
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(n, most) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if ctx.Err() != nil {
					errs[i] = runner.Cancelled(ctx)
				} else if errs[i] = f(ctx, i); errs[i] != nil {
					cancel(errOther)
				}
			}
		})
	}
	wg.Wait()
	return first(errs, errors.Is(context.Cause(ctx), errOther))
}

// first returns the first failure that does not follow from another.
func first(errs []error, ended bool) error {
	var follows error
	for _, err := range errs {
		switch {
		case err == nil:
		case ended && errors.Is(err, context.Canceled):
			follows = err
		default:
			return err
		}
	}
	return follows
}

var errOther = errors.New("another one failed")

// Root returns the digest of the corpus.
func (p *spread) Root() string { return p.root }

// Leaves returns the leaves of the corpus: a JSON array of [id, digest] in trie
// order, which is what a later replay names the changed document with.
func (p *spread) Leaves() []byte { return slices.Clone(p.leaves) }

// Documents returns how many there are.
func (p *spread) Documents() int { return p.count }

// Memory returns the size of the instances' memories in bytes.
func (p *spread) Memory() int64 {
	n := int64(0)
	for _, s := range p.shards {
		n += s.memory()
	}
	return n
}

// Hold keeps a corpus open for a caller that is about to ask it several things,
// or that took it from where another may replace it. It fails on a corpus that
// is being closed; release must be called once.
func (p *spread) Hold() (release func(), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, false
	}
	p.holders++
	return sync.OnceFunc(p.leave), true
}

// enter keeps a corpus open for a request. One that is being closed goes on to
// answer those who hold it.
func (p *spread) enter() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed && p.holders == 0 {
		return errClosed
	}
	p.holders++
	return nil
}

func (p *spread) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.holders--; p.closed && p.holders == 0 {
		close(p.idle)
	}
}

// Close closes the corpus once nobody holds it. When the context ends before, that
// goes on; a second Close waits for it.
func (p *spread) Close(ctx context.Context) error {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		if p.holders == 0 {
			close(p.idle)
		}
		go func() {
			<-p.idle
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

func (p *spread) end(ctx context.Context) error {
	var err error
	for _, s := range p.shards {
		err = errors.Join(err, s.close(ctx))
	}
	return err
}
