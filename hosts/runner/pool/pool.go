// Package pool keeps documents open in several instances of the engine, each with
// a part of them, and answers requests from all of them together: a [Corpus] of
// documents, and an [Index] of segments that were built before.
//
// The parts are called shards. How many there are changes no byte of a reply and
// no word of a failure: see TestShardsChangeNothing and TestLayoutChangesNothing.
// With one shard the pool asks for retrieve and search; with more it hands what the
// rounds give on untouched (wasm/ABI.md §4.6, §4.10).
//
// Several requests are answered at once: each shard serves one call at a time,
// the others wait. A shard whose instance died answers that one request with the
// engine's failure; the next one finds a fresh instance with the same documents.
// A Corpus therefore keeps its documents, and an Index knows where its segments are.
//
// What takes long and much memory is done in instances of its own, which are closed
// afterwards: [Build] and [Compact].
package pool

import (
	"context"
	"errors"
	"runtime"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Config says how a corpus or an index is spread.
type Config struct {
	// Shards is the number of instances. 0: of a corpus, one below 5,000 documents,
	// since rounds cost more than they save there, else one per processor; of an
	// index, as few as have room for it. An Index has no more than segments.
	Shards int

	Vectors Vectors // of an index
}

const (
	oneShard = 5000 // documents below which one is faster

	// shardRoom is how many bytes of segments a shard of an index has. With 100,000
	// passages (115 MB) a query took 1.3 ms in one shard and 4.3 ms in two: rounds
	// cost more than two processors save. What an instance accounts for (512 MiB)
	// leaves room for what profile cosine makes of the documents.
	shardRoom = 192 << 20
)

func (c Config) ofDocuments(n int) int {
	switch {
	case c.Shards > 0:
		return c.Shards
	case n < oneShard:
		return 1
	}
	return processors()
}

func (c Config) ofSegments(list []Segment) int {
	n := int(weight(list)/shardRoom) + 1
	if c.Shards > 0 {
		n = c.Shards
	}
	return max(min(n, len(list)), 1)
}

func processors() int { return min(runtime.GOMAXPROCS(0), 64) }

// A Corpus is open until it is closed.
type Corpus struct{ *spread }

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
	var parts []content
	for _, part := range cut(documents, c.ofDocuments(len(documents))) {
		parts = append(parts, ofDocuments(part))
	}
	p, err := openSpread(ctx, r, names, parts, ofDocuments(documents))
	if err != nil {
		return nil, err
	}
	return &Corpus{p}, nil
}

// ofDocuments is the content of documents. Those that are not one JSON value each
// are refused.
func ofDocuments(documents [][]byte) content {
	return func(ctx context.Context, i runner.Instance, names abi.Names, leaves bool) (abi.OpenReply, error) {
		reply, err := open(ctx, i, names, leaves, list(documents)...)
		if n := int64(len(documents)); err == nil && reply.Documents != n {
			err = abi.Errorf(abi.CorpusInvalid, "%d documents were given as %d", reply.Documents, n)
		}
		return reply, err
	}
}

// cut cuts documents into n parts of about the same size in bytes.
func cut(documents [][]byte, n int) [][][]byte {
	total := size(documents)
	parts := make([][][]byte, 0, n)
	from, sum := 0, 0
	for i, d := range documents {
		sum += len(d)
		if len(parts) < n-1 && sum >= total/n*(len(parts)+1) {
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

func size(documents [][]byte) int {
	n := 0
	for _, d := range documents {
		n += len(d)
	}
	return n
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
