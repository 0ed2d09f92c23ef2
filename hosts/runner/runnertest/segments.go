package runnertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

const (
	buildable = `"documents":[{"id":"d1","text":"crane maintenance for berth 7"},{"id":"d2","text":"tide windows"}]}`
	search    = `{"handle":%d,"search":{"query":"crane"}}`
)

// segments: what an engine builds moves from one instance into another over the
// bulk plane, is the same as in a message, and goes on to be used once its
// reservation is released.
func segments(t *testing.T, r runner.Runner) {
	ctx := context.Background()
	from, to := Instance(t, r), Instance(t, r)
	if _, err := from.Call(ctx, abi.Build); Code(err) == abi.ExportUnknown {
		t.Skip("the engine that is built in has no index: run make build")
	}
	inline, err := abi.ReadBuildReply([]byte(call(t, from, abi.Build, `{"inline":true,`+buildable)))
	if err != nil {
		t.Fatal(err)
	}
	segment := inline.Segment.Inline
	want := call(t, to, abi.Search, fmt.Sprintf(search, openSegment(t, to, segment)))
	size := int64(0)
	for n := range 100 {
		if got := build(t, from); !bytes.Equal(got, segment) {
			t.Fatalf("build %d: %d bytes that differ from the %d in a message", n, len(got), len(segment))
		}
		handle := openSegment(t, to, segment)
		if got := call(t, to, abi.Search, fmt.Sprintf(search, handle)); got != want {
			t.Fatalf("opening %d:\n got %s\nwant %s", n, got, want)
		}
		call(t, to, abi.Close, fmt.Sprintf(`{"handle":%d}`, handle))
		if n == 50 {
			size = from.Memory() + to.Memory()
		}
	}
	if got := from.Memory() + to.Memory(); got != size {
		t.Errorf("memory grew from %d to %d bytes in the second half", size, got)
	}
	refusedHolds(t, to)
}

var errRefused = errors.New("what use returns")

// build builds a segment, reads it, and releases it.
func build(t *testing.T, i runner.Instance) []byte {
	t.Helper()
	p, err := abi.ReadBuildReply([]byte(call(t, i, abi.Build, `{`+buildable)))
	if err != nil || p.Segment.Inline != nil {
		t.Fatalf("%+v, %v", p, err)
	}
	var b []byte
	err = i.View(context.Background(), uint32(p.Segment.Address), uint32(p.Segment.Size), func(view []byte) error {
		b = bytes.Clone(view)
		return errRefused
	})
	if !errors.Is(err, errRefused) {
		t.Fatal(err)
	}
	if err := i.Release(context.Background(), uint32(p.Segment.Address)); err != nil {
		t.Fatal(err)
	}
	return b
}

// openSegment opens a segment, releases its reservation, and returns the handle.
func openSegment(t *testing.T, i runner.Instance, segment []byte) int64 {
	t.Helper()
	at, err := i.Hold(context.Background(), segment[:100], nil, segment[100:])
	if err != nil {
		t.Fatal(err)
	}
	p, err := abi.ReadOpenReply([]byte(call(t, i, abi.Open, fmt.Sprintf(`{"engine":"e","settings":{},"segments":[{"address":%d,"size":%d}]}`, at, len(segment)))))
	if err != nil {
		t.Fatal(err)
	}
	if err := i.Release(context.Background(), at); err != nil {
		t.Fatal(err)
	}
	return p.Handle
}

// refusedHolds: what does not fit is OVER_BUDGET, a context that has ended is
// CANCELLED, and the instance lives on.
func refusedHolds(t *testing.T, i runner.Instance) {
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := i.Hold(ended, []byte("a")); Code(err) != abi.Cancelled {
		t.Errorf("after the context ended, Hold says %v", err)
	}
	if err := i.View(ended, 0, 1, nil); Code(err) != abi.Cancelled {
		t.Errorf("after the context ended, View says %v", err)
	}
	var held []uint32
	part := make([]byte, 100<<20)
	for {
		at, err := i.Hold(context.Background(), part)
		if err != nil {
			if Code(err) != abi.OverBudget || len(held) < 2 {
				t.Errorf("%d reservations of 100 MiB, then %v", len(held), err)
			}
			break
		}
		held = append(held, at)
	}
	if err := i.Release(context.Background(), held...); err != nil {
		t.Error(err)
	}
	if at, err := i.Hold(context.Background(), part); err != nil {
		t.Errorf("after they were released: %v", err)
	} else if err := i.Release(context.Background(), at); err != nil {
		t.Error(err)
	}
}
