package pool

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A shard is an instance with a part of the documents. What is below turn may be
// used by who put a token into it.
type shard struct {
	runner    runner.Runner
	names     abi.Names
	documents [][]byte
	size      atomic.Int64

	turn     chan struct{}
	instance runner.Instance // nil: there is none now
	handle   []byte          // of the documents in it, as JSON
}

func newShard(r runner.Runner, names abi.Names, documents [][]byte) *shard {
	return &shard{runner: r, names: names, documents: documents, turn: make(chan struct{}, 1)}
}

func (s *shard) memory() int64 { return s.size.Load() }

// take waits for the shard's turn.
func (s *shard) take(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return runner.Cancelled(ctx)
	}
}

func (s *shard) give() { <-s.turn }

// start opens the documents in a fresh instance.
func (s *shard) start(ctx context.Context, leaves bool) (abi.OpenReply, error) {
	if err := s.take(ctx); err != nil {
		return abi.OpenReply{}, err
	}
	defer s.give()
	return s.revive(ctx, leaves)
}

func (s *shard) revive(ctx context.Context, leaves bool) (abi.OpenReply, error) {
	instance, err := s.runner.Instance(ctx)
	if err != nil {
		return abi.OpenReply{}, err
	}
	reply, err := open(ctx, instance, s.names, leaves, list(s.documents)...)
	if err != nil {
		return abi.OpenReply{}, errors.Join(err, instance.Close(context.WithoutCancel(ctx)))
	}
	s.instance, s.handle = instance, strconv.AppendInt(nil, reply.Handle, 10)
	s.size.Store(instance.Memory())
	return reply, nil
}

// call calls an export on what in makes of the handle. A shard without an
// instance gets one first.
func (s *shard) call(ctx context.Context, t *track, export abi.Export, in func(handle []byte) [][]byte) ([]byte, error) {
	defer t.end()
	if err := s.take(ctx); err != nil {
		return nil, err
	}
	defer s.give()
	t.stage(Begin)
	if s.instance == nil {
		if _, err := s.revive(ctx, false); err != nil {
			return nil, err
		}
	}
	out, err := s.instance.Call(t.context(ctx), export, in(s.handle)...)
	s.size.Store(s.instance.Memory())
	if runner.Dead(err) {
		err = errors.Join(err, s.instance.Close(context.WithoutCancel(ctx)))
		s.instance = nil
	}
	return out, err
}

func (s *shard) close(ctx context.Context) error {
	if err := s.take(ctx); err != nil {
		return err
	}
	defer s.give()
	s.size.Store(0)
	if s.instance == nil {
		return nil
	}
	err := s.instance.Close(ctx)
	s.instance = nil
	return err
}

// openIn opens a corpus in an instance that is closed again.
func openIn(ctx context.Context, r runner.Runner, names abi.Names, leaves bool, corpus ...[]byte) (abi.OpenReply, error) {
	instance, err := r.Instance(ctx)
	if err != nil {
		return abi.OpenReply{}, err
	}
	reply, err := open(ctx, instance, names, leaves, corpus...)
	return reply, errors.Join(err, instance.Close(context.WithoutCancel(ctx)))
}

// open calls open. The parts of corpus are the member documents or leaves.
func open(ctx context.Context, instance runner.Instance, names abi.Names, leaves bool, corpus ...[]byte) (abi.OpenReply, error) {
	in := append([][]byte{[]byte("{")}, corpus...)
	in = append(in, appendNames(nil, names), []byte(`,"list":`+strconv.FormatBool(leaves)+"}"))
	release := collector.hold()
	out, err := instance.Call(ctx, abi.Open, in...)
	if !stuck(err) { // else the collector would wait for what never returns
		release()
	}
	if err != nil {
		return abi.OpenReply{}, err
	}
	return abi.ReadOpenReply(out)
}

func stuck(err error) bool {
	var e *abi.Error
	return errors.As(err, &e) && e.Code == abi.EngineStuck
}

// appendNames appends the members that name what answers, each after a comma.
func appendNames(dst []byte, n abi.Names) []byte {
	for _, m := range []struct{ name, value string }{{"engine", n.Engine}, {"model", n.Model}, {"vectors", n.Vectors}} {
		if m.value != "" || m.name == "engine" {
			dst = append(dst, `,"`+m.name+`":`...)
			dst = json.AppendString(dst, m.value)
		}
	}
	return dst
}

// list returns the member documents in parts that share their memory.
func list(documents [][]byte) [][]byte {
	parts := make([][]byte, 0, 2*len(documents)+2)
	parts = append(parts, []byte(`"documents":[`))
	for i, d := range documents {
		if i > 0 {
			parts = append(parts, comma)
		}
		parts = append(parts, d)
	}
	return append(parts, []byte("]"))
}

var comma = []byte(",")
