package pool

import (
	"context"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Built is a segment as an engine made it.
type Built struct {
	Bytes                    []byte // in the engine's memory: whoever keeps them copies them
	Documents, Chunks, Terms int64
	Stored                   int64 // bytes of documents in it
}

const (
	// batch is how many bytes of documents, as JSON, become one segment. An instance
	// that builds takes about 13 times as many, 130 MB: a host with two processors
	// indexes 100,000 passages (76 MB) in less than 512 MiB.
	batch = 10 << 20

	// builders is how many instances build at once where there are as many
	// processors: 1 GB of memory.
	builders = 8
)

// Batches cuts documents into the parts that become segments: as many as they take,
// all of about the same size. They depend on the documents and their order alone.
func Batches(documents [][]byte) [][][]byte {
	parts := cut(documents, (size(documents)+batch-1)/batch)
	return slices.DeleteFunc(parts, func(part [][]byte) bool { return len(part) == 0 })
}

// Build builds a segment of each of the batches of documents, in instances of its
// own, one per processor, and gives it to keep with its number. keep is called by one
// goroutine at a time, in any order. A document that breaks a rule is counted within
// its batch: who builds much reads the documents first.
func Build(ctx context.Context, r runner.Runner, settings abi.Settings, documents [][]byte, keep func(n int, b Built) error) error {
	batches := Batches(documents)
	if len(batches) > 1 {
		defer debug.FreeOSMemory() // what was not collected in the meantime
	}
	return makeSegments(ctx, r, len(batches), keep, func(ctx context.Context, i runner.Instance, n int) ([]byte, error) {
		in := append([][]byte{[]byte("{")}, list(batches[n])...)
		return quietly(ctx, i, abi.Build, append(in, []byte(`,"settings":`), settings.Append(nil), closing)...)
	})
}

// Compact makes one segment of each of groups: of the documents in its segments that
// are not removed. They are chunked and analysed anew, with these settings, whatever
// the segments were built with. The rest is as for [Build].
func Compact(ctx context.Context, r runner.Runner, settings abi.Settings, groups [][]Segment, keep func(n int, b Built) error) error {
	return makeSegments(ctx, r, len(groups), keep, func(ctx context.Context, i runner.Instance, n int) ([]byte, error) {
		opened, err := ofSegments(settings, groups[n])(ctx, i, abi.Names{Engine: r.Engine()}, false)
		if err != nil {
			return nil, err
		}
		return quietly(ctx, i, abi.Compact, []byte(`{"handle":`), strconv.AppendInt(nil, opened.Handle, 10), closing)
	})
}

// makeSegments makes n segments, each in an instance of its own, where one makes the
// call whose reply names it.
func makeSegments(ctx context.Context, r runner.Runner, n int, keep func(n int, b Built) error, one func(ctx context.Context, i runner.Instance, n int) ([]byte, error)) error {
	var turn sync.Mutex
	return atOnce(ctx, n, min(processors(), builders), func(ctx context.Context, n int) error {
		return aside(ctx, r, func(i runner.Instance) error {
			out, err := one(ctx, i, n)
			if err != nil {
				return err
			}
			reply, err := abi.ReadBuildReply(out)
			if err != nil {
				return err
			}
			turn.Lock()
			defer turn.Unlock()
			return i.View(ctx, uint32(reply.Segment.Address), uint32(reply.Segment.Size), func(b []byte) error {
				return keep(n, Built{b, reply.Documents, reply.Chunks, reply.Terms, reply.Stored})
			})
		})
	})
}
