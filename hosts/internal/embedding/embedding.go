// Package embedding turns texts into vectors: with a model in instances of the engine,
// or with the same integers natively and a look at whether the engine agrees.
package embedding

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// An Embedder turns texts into vectors. It may be used by several goroutines at once.
type Embedder interface {
	// Model is the digest of what makes the vectors: of a model's file, or of what
	// identifies an external one.
	Model() string
	// External reports whether vectors cannot be made again.
	External() bool
	// Dimensions is how many components a vector has.
	Dimensions() int
	// Background is the cosine of texts that have nothing to do with each other, in
	// thousandths.
	Background() int
	// Embed returns the vectors of texts, in their order; query says that they are
	// questions. Components are −127 to 127.
	Embed(ctx context.Context, query bool, texts ...string) ([][]int8, error)
	// Close gives back what is held.
	Close(ctx context.Context) error
}

// ModelOf returns the digest of a model's file.
func ModelOf(file []byte) string {
	sum := sha256.Sum256(file)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// instances are an Embedder of instances that have the same model open.
type instances struct {
	model      string
	dimensions int
	background int
	idle       chan runner.Instance
	all        []runner.Instance
}

// Open opens a model in n instances of a runner. It fails with the code of open_model.
func Open(ctx context.Context, r runner.Runner, file []byte, n int) (Embedder, error) {
	e := &instances{model: ModelOf(file), idle: make(chan runner.Instance, n)}
	for range n {
		i, err := r.Instance(ctx)
		if err == nil {
			e.all = append(e.all, i)
			err = e.open(ctx, i, file)
		}
		if err != nil {
			return nil, errors.Join(err, e.Close(context.WithoutCancel(ctx)))
		}
		e.idle <- i
	}
	return e, nil
}

func (e *instances) open(ctx context.Context, i runner.Instance, file []byte) error {
	reply, err := pool.OpenModel(ctx, i, file)
	if err == nil && reply.Digest != e.model {
		err = abi.Errorf(abi.Internal, "the engine calls the model %s, its file has the digest %s", reply.Digest, e.model)
	}
	e.dimensions, e.background = int(reply.Dimensions), int(reply.Background)
	return err
}

func (e *instances) Model() string   { return e.model }
func (e *instances) External() bool  { return false }
func (e *instances) Dimensions() int { return e.dimensions }
func (e *instances) Background() int { return e.background }

// Embed gives each text to an instance that is idle.
func (e *instances) Embed(ctx context.Context, query bool, texts ...string) ([][]int8, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	vectors := make([][]int8, len(texts))
	var wg sync.WaitGroup
	for n, text := range texts {
		if ctx.Err() != nil {
			break
		}
		select {
		case i := <-e.idle:
			wg.Go(func() {
				v, err := embed(ctx, i, query, text)
				e.idle <- i
				if err != nil {
					cancel(err)
				}
				vectors[n] = v
			})
		case <-ctx.Done():
		}
	}
	wg.Wait()
	if ctx.Err() != nil {
		var failed *abi.Error
		if cause := context.Cause(ctx); errors.As(cause, &failed) {
			return nil, cause
		}
		return nil, runner.Cancelled(ctx)
	}
	return vectors, nil
}

func embed(ctx context.Context, i runner.Instance, query bool, text string) ([]int8, error) {
	q := abi.EmbedRequest{Texts: []string{text}, Query: query}
	out, err := i.Call(ctx, abi.Embed, q.Append(nil))
	if err != nil {
		return nil, err
	}
	reply, err := abi.ReadEmbedReply(out)
	if err == nil && len(reply.Vectors) != 1 {
		err = abi.Errorf(abi.Internal, "the engine gave %d vectors of a text", len(reply.Vectors))
	}
	if err != nil {
		return nil, err
	}
	return reply.Vectors[0], nil
}

// Close closes the instances once they are idle.
func (e *instances) Close(ctx context.Context) error {
	var err error
	for _, i := range e.all {
		err = errors.Join(err, i.Close(ctx))
	}
	return err
}
