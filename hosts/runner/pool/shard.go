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

// A content opens what a shard holds, in an instance.
type content func(ctx context.Context, i runner.Instance, names abi.Names, leaves bool) (abi.OpenReply, error)

// A shard is an instance with a part of what is spread. What is below turn may be
// used by who put a token into it.
type shard struct {
	runner  runner.Runner
	names   abi.Names
	content content
	size    atomic.Int64

	turn     chan struct{}
	instance runner.Instance // nil: there is none now
	handle   []byte          // of the documents in it, as JSON
}

func newShard(r runner.Runner, names abi.Names, c content) *shard {
	return &shard{runner: r, names: names, content: c, turn: make(chan struct{}, 1)}
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

// start opens the content in a fresh instance.
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
	reply, err := s.content(ctx, instance, s.names, leaves)
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

// openIn opens a content in an instance that is closed again, and asks for its
// leaves.
func openIn(ctx context.Context, r runner.Runner, names abi.Names, c content) (abi.OpenReply, error) {
	var reply abi.OpenReply
	err := aside(ctx, r, func(i runner.Instance) (err error) {
		reply, err = c(ctx, i, names, true)
		return err
	})
	return reply, err
}

// aside does something in an instance of its own, which is closed again.
func aside(ctx context.Context, r runner.Runner, do func(i runner.Instance) error) error {
	instance, err := r.Instance(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(instance), instance.Close(context.WithoutCancel(ctx)))
}

// open calls open. The parts of corpus are the members that say what.
func open(ctx context.Context, i runner.Instance, names abi.Names, leaves bool, corpus ...[]byte) (abi.OpenReply, error) {
	in := append([][]byte{[]byte("{")}, corpus...)
	in = append(in, appendNames(nil, names), []byte(`,"list":`+strconv.FormatBool(leaves)+"}"))
	out, err := quietly(ctx, i, abi.Open, in...)
	if err != nil {
		return abi.OpenReply{}, err
	}
	return abi.ReadOpenReply(out)
}

// quietly makes a call that takes long, without collections meanwhile.
func quietly(ctx context.Context, i runner.Instance, export abi.Export, in ...[]byte) ([]byte, error) {
	release := collector.hold()
	out, err := i.Call(ctx, export, in...)
	if !stuck(err) { // else the collector would wait for what never returns
		release()
	}
	return out, err
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
