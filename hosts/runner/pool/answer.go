package pool

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// errClosed is the failure of a corpus that takes no more requests.
var errClosed = &abi.Error{Code: abi.HandleUnknown, Sentence: "the corpus is closed"}

// Retrieve answers a Request, given as JSON, with a Reply and where its time went.
func (p *spread) Retrieve(ctx context.Context, request []byte) ([]byte, Timings, error) {
	return p.answer(ctx, request, func(w *watch, request []byte) ([]byte, error) {
		return p.retrieve(ctx, w, request, nil, nil)
	})
}

// retrieve answers a request. vectors is the member queryVectors of its calls, settings
// that of the last one; either may be nil.
func (p *spread) retrieve(ctx context.Context, w *watch, request, vectors, settings []byte) ([]byte, error) {
	if len(p.shards) > 1 {
		return p.rounds(ctx, w, request, vectors, settings)
	}
	return p.shards[0].call(ctx, w.follow(0, abi.Retrieve), abi.Retrieve, withHandle([]byte(`,"request":`), request, vectors, closing))
}

// answer keeps the corpus open while by answers a request.
func (p *spread) answer(ctx context.Context, request []byte, by func(w *watch, request []byte) ([]byte, error)) ([]byte, Timings, error) {
	w := newWatch()
	if err := p.enter(); err != nil {
		return nil, w.timings(), err
	}
	defer p.leave()
	request, err := one(request)
	if err != nil {
		return nil, w.timings(), err
	}
	reply, err := by(w, request)
	return reply, w.timings(), err
}

// rounds answers a request in rounds; only an index counts statistics. What the rounds
// gave comes before the request, so that a fault of the request stands at its place in the
// first round, the one that finds it, as it would with one instance.
func (p *spread) rounds(ctx context.Context, w *watch, request, vectors, settings []byte) ([]byte, error) {
	rest := [][]byte{[]byte(`,"request":`), request, vectors, closing}
	var given [][]byte
	due := []struct {
		export abi.Export
		gives  string
	}{{abi.Plan, `,"plans":`}, {abi.Statistics, `,"statistics":`}, {abi.Partial, `,"partials":`}}
	if q, err := abi.ReadRequest(request); err == nil && !q.Indexed() {
		due = slices.Delete(due, 1, 2)
	}
	for _, d := range due {
		replies, err := p.round(ctx, w, d.export, withHandle(slices.Concat(given, rest)...))
		if err != nil {
			return nil, err
		}
		given = append(given, []byte(d.gives), replies)
	}
	head := appendNames(json.AppendString([]byte(`{"corpus":`), p.root), p.names)
	i := p.any()
	return p.shards[i].call(ctx, w.follow(i, abi.Merge), abi.Merge, func([]byte) [][]byte {
		return slices.Concat([][]byte{head, settings}, given, rest)
	})
}

// round calls an export on every shard and returns the replies as a JSON array.
func (p *spread) round(ctx context.Context, w *watch, export abi.Export, in func(handle []byte) [][]byte) ([]byte, error) {
	replies := make([][]byte, len(p.shards))
	err := p.each(ctx, func(ctx context.Context, i int) (err error) {
		replies[i], err = p.shards[i].call(ctx, w.follow(i, export), export, in)
		return err
	})
	return append(append([]byte("["), bytes.Join(replies, comma)...), ']'), err
}

// any returns the number of a shard, each in turn.
func (p *spread) any() int { return int(p.next.Add(1) % uint64(len(p.shards))) }

// Replay compares a stored Reply with what the engine answers now. leaves are
// those of the corpus that the reply names, or nil where nobody kept them. Where
// the corpus lies in several shards, a replay opens it in an instance of its own.
func (p *spread) Replay(ctx context.Context, stored, leaves []byte) ([]byte, error) {
	var own content // of an instance that is opened for it
	if len(p.shards) > 1 {
		own = p.whole
	}
	return p.replay(ctx, stored, leaves, own)
}

// replay is Replay in an instance with its own content, where that is not nil.
func (p *spread) replay(ctx context.Context, stored, leaves []byte, own content) ([]byte, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	stored, err := one(stored)
	if err != nil {
		return nil, err
	}
	rest := [][]byte{[]byte(`,"reply":`), stored, closing}
	if leaves != nil {
		if leaves, err = one(leaves); err != nil {
			return nil, err
		}
		rest = append([][]byte{[]byte(`,"leaves":`), leaves}, rest...)
	}
	s := p.shards[0]
	if own != nil {
		s = newShard(p.runner, p.names, own)
	}
	verdict, err := s.call(ctx, newWatch().follow(0, abi.Replay), abi.Replay, withHandle(rest...))
	if own != nil {
		err = errors.Join(err, s.close(context.WithoutCancel(ctx)))
	}
	return verdict, err
}

// Decompose says what a Request, given as JSON, is taken apart into.
func (p *spread) Decompose(ctx context.Context, request []byte) ([]byte, error) {
	return p.ask(ctx, abi.Decompose, request)
}

// Describe returns what the engine says of itself.
func (p *spread) Describe(ctx context.Context) ([]byte, error) {
	return p.ask(ctx, abi.Describe, nil)
}

// ask calls an export that needs no corpus.
func (p *spread) ask(ctx context.Context, export abi.Export, in []byte) ([]byte, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	i := p.any()
	return p.shards[i].call(ctx, newWatch().follow(i, export), export, func([]byte) [][]byte { return [][]byte{in} })
}

var closing = []byte("}")

// withHandle makes a request that begins with the member handle.
func withHandle(rest ...[]byte) func(handle []byte) [][]byte {
	return func(handle []byte) [][]byte { return append([][]byte{[]byte(`{"handle":`), handle}, rest...) }
}

// one returns a document that is exactly one JSON value, so that it can stand
// inside another one. An empty one counts as {}.
func one(document []byte) ([]byte, error) {
	if len(document) == 0 {
		return []byte("{}"), nil
	}
	r := json.NewReader(document)
	r.Skip()
	if err := r.End(); err != nil {
		return nil, invalid(err)
	}
	return document, nil
}
