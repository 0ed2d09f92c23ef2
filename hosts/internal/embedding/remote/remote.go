// Package remote turns texts into vectors by a server elsewhere: Ollama, or one that speaks
// as OpenAI does.
//
// Such vectors cannot be made again: the same text gives another vector after an update of
// the server, or on another processor. So they are stored and recorded as they came.
//
// # Vectors
//
// A server answers floating-point numbers x₁ … xₙ. With m the greatest |xᵢ|, the components
// are
//
//	round((xᵢ / m) · 127)
//
// each operation one of IEEE 754 doubles, half rounded away from zero: −127 to 127, the same
// on every machine, and the length that the server gave a vector has no part in it. A text of
// no bytes, prefix included, has the vector of zeros and is not sent, since some servers
// refuse it. See TestQuantise.
//
// An answer is taken whole or not at all. Another number of vectors or of components than
// there must be, an index that is missing, repeated or out of bounds, a component that is no
// number or none that a double holds, a vector of zeros, a member that is there twice: each is
// EMBEDDER_MISMATCH. See TestAnswers and FuzzAnswer.
//
// # Requests
//
// Nothing is cut: Ollama is told to refuse a text that is longer than its model's window
// (truncate:false), and servers of OpenAI's kind refuse it by themselves.
//
// Too many requests (429), a failure of the server (5xx) and of the connection are tried
// again: after half a second, then twice as long each time up to 30 s, of which half is
// chance, and no sooner than Retry-After says; as often as Attempts and as long as Patience
// allow. What is left is EMBEDDER_FAILED. Other statuses are EMBEDDER_REFUSED at once, and so
// are redirects: texts and key go where the settings say, and nowhere else. Certificates are
// verified always. See TestFailures.
//
// A failure never holds the key, a text, or anything of what the server wrote, which may
// repeat both: see TestFailures and TestOptions.
package remote

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"net"
	"net/http"
	"strconv"
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/internal/embedding"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

type embedder struct {
	Options
	target
	client     *http.Client
	slots      chan struct{} // as many as requests at a time
	dimensions int
	model      string
}

// Open returns an Embedder that asks a server. Where no dimensions are asked for it sends one
// short text, to learn how many there are, and fails as Embed does; else it sends nothing.
// Options that cannot be are CONFIG_INVALID.
//
// Its model is the SHA-256 of "rh/embedder/v1", the kind, the model's name, the dimensions in
// decimal, and the prefixes of documents and of queries, each after its length in 8 bytes,
// big-endian. Where the server is has no part in it, so that one may move.
func Open(ctx context.Context, o Options) (embedding.Embedder, error) {
	e, err := open(ctx, o, (&net.Dialer{}).DialContext)
	if err != nil {
		return nil, err
	}
	return e, nil
}

func open(ctx context.Context, o Options, dial dialer) (*embedder, error) {
	o, t, err := o.settled()
	if err != nil {
		return nil, err
	}
	e := &embedder{
		Options:    o,
		target:     t,
		client:     newClient(&o, dial),
		slots:      make(chan struct{}, o.Concurrent),
		dimensions: o.Dimensions,
	}
	if e.dimensions == 0 {
		vectors, err := e.ask(ctx, []string{o.DocumentPrefix + "dimensions"})
		if err != nil {
			e.client.CloseIdleConnections()
			return nil, err
		}
		e.dimensions = len(vectors[0])
	}
	e.model = o.digest(e.dimensions)
	return e, nil
}

func (o *Options) digest(dimensions int) string {
	var in []byte
	parts := []string{"rh/embedder/v1", string(o.Kind), o.Model, strconv.Itoa(dimensions), o.DocumentPrefix, o.QueryPrefix}
	if o.Background > 0 {
		parts = append(parts, strconv.Itoa(o.Background))
	}
	for _, s := range parts {
		in = binary.BigEndian.AppendUint64(in, uint64(len(s)))
		in = append(in, s...)
	}
	sum := sha256.Sum256(in)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func (e *embedder) Model() string   { return e.model }
func (e *embedder) External() bool  { return true }
func (e *embedder) Dimensions() int { return e.dimensions }
func (e *embedder) Background() int { return e.Options.Background }

// Close gives the connections back.
func (e *embedder) Close(context.Context) error {
	e.client.CloseIdleConnections()
	return nil
}

// Embed sends the texts in batches, several at a time. The first that fails ends the others.
func (e *embedder) Embed(ctx context.Context, query bool, texts ...string) ([][]int8, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	vectors := make([][]int8, len(texts))
	var wg sync.WaitGroup
	for _, b := range e.batches(query, texts) {
		select {
		case e.slots <- struct{}{}:
		case <-ctx.Done():
			continue
		}
		wg.Go(func() {
			defer func() { <-e.slots }()
			made, err := e.ask(ctx, b.texts)
			if err != nil {
				cancel(err)
			}
			for i, v := range made {
				vectors[b.at[i]] = v
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		var failed *abi.Error
		if cause := context.Cause(ctx); errors.As(cause, &failed) {
			return nil, cause
		}
		return nil, runner.Cancelled(ctx)
	}
	for i, v := range vectors {
		if v == nil {
			vectors[i] = make([]int8, e.dimensions)
		}
	}
	return vectors, nil
}

// A batch has the texts of one request, and where their vectors go.
type batch struct {
	texts []string
	at    []int
}

// batches returns all texts with their prefix, but those of no bytes.
func (e *embedder) batches(query bool, texts []string) []batch {
	prefix := e.DocumentPrefix
	if query {
		prefix = e.QueryPrefix
	}
	var all []batch
	var b batch
	size := 0
	for i, text := range texts {
		text = prefix + text
		if text == "" {
			continue
		}
		if len(b.texts) == e.BatchTexts || len(b.texts) > 0 && size+len(text) > e.BatchBytes {
			all, b, size = append(all, b), batch{}, 0
		}
		b.texts, b.at, size = append(b.texts, text), append(b.at, i), size+len(text)
	}
	if len(b.texts) > 0 {
		all = append(all, b)
	}
	return all
}
