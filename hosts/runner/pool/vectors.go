package pool

import (
	"context"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// Texts gives each text that is embedded of the chunks of a segment, in their order, in an
// instance of its own.
func Texts(ctx context.Context, r runner.Runner, settings abi.Settings, s Segment, each func(text string)) error {
	return withSegment(ctx, r, settings, s, func(i runner.Instance, handle int64) error {
		for from := int64(0); ; {
			q := abi.ChunkTextsRequest{Handle: handle, From: from}
			out, err := i.Call(ctx, abi.ChunkTexts, q.Append(nil))
			if err != nil {
				return err
			}
			reply, err := abi.ReadChunkTextsReply(out)
			if err != nil {
				return err
			}
			for _, text := range reply.Texts {
				each(text)
			}
			if from += int64(len(reply.Texts)); from >= reply.Chunks {
				return nil
			}
		}
	})
}

// Pack makes the file of the vectors of a segment: of components, one vector after the
// other, as q says. use neither changes nor keeps the file.
func Pack(ctx context.Context, r runner.Runner, settings abi.Settings, s Segment, q abi.PackRequest, components []byte, use func(file []byte) error) error {
	return withSegment(ctx, r, settings, s, func(i runner.Instance, handle int64) error {
		q.Handle, q.Components = handle, abi.SegmentRef{Inline: []byte{}}
		var held []uint32
		if len(components) > 0 {
			at, err := i.Hold(ctx, components)
			if err != nil {
				return err
			}
			held, q.Components = []uint32{at}, abi.SegmentRef{Address: int64(at), Size: int64(len(components))}
		}
		out, err := quietly(ctx, i, abi.PackVectors, q.Append(nil))
		if err != nil {
			return err
		}
		reply, err := abi.ReadPackReply(out)
		if err != nil {
			return err
		}
		if err := i.View(ctx, uint32(reply.Vectors.Address), uint32(reply.Vectors.Size), use); err != nil {
			return err
		}
		return release(ctx, i, nil, append(held, uint32(reply.Vectors.Address)))
	})
}

// withSegment does something in an instance that has one segment open.
func withSegment(ctx context.Context, r runner.Runner, settings abi.Settings, s Segment, do func(i runner.Instance, handle int64) error) error {
	return aside(ctx, r, func(i runner.Instance) error {
		opened, err := ofSegments(settings, []Segment{s})(ctx, i, abi.Names{Engine: r.Engine()}, false)
		if err != nil {
			return err
		}
		return do(i, opened.Handle)
	})
}
