package lexical

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/rank"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func newMeter() *meter.Meter { return meter.New(nil, nil) }

// documents returns documents of few different words, so that scores tie.
func documents(r *rand.Rand, n int) []abi.Document {
	list := make([]abi.Document, n)
	for i := range list {
		list[i] = abi.Document{ID: fmt.Sprintf("d%04d", i), Text: sentence(r, 1+r.IntN(8))}
		if r.IntN(3) == 0 {
			list[i].Title = sentence(r, 2)
		}
	}
	return list
}

var vocabulary = strings.Fields("crane cranes berth tide tides fog foggy brake rope pilot quay ferry ferries lamp buoy")

func sentence(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = vocabulary[min(r.IntN(len(vocabulary)), r.IntN(len(vocabulary)))]
	}
	return strings.Join(words, " ")
}

func whole() abi.Settings {
	s := abi.DefaultSettings()
	s.Chunks = abi.ChunksWhole
	return s
}

// open returns an index of documents in segments of so many.
func open(t testing.TB, documents []abi.Document, size int) *index.Index {
	t.Helper()
	return openWith(t, whole(), documents, size)
}

func openWith(t testing.TB, settings abi.Settings, documents []abi.Document, size int) *index.Index {
	t.Helper()
	var segments []*segment.Segment
	for part := range slices.Chunk(documents, size) {
		b, err := index.Build(part, settings, meter.NewAccount(0), newMeter())
		if err != nil {
			t.Fatal(err)
		}
		s, err := segment.Open(b)
		if err != nil {
			t.Fatal(err)
		}
		segments = append(segments, s)
	}
	x, err := index.Open(settings, segments, nil, newMeter())
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A named hit can be compared between layouts.
type named struct {
	id    string
	score Score
}

func ask(t testing.TB, x *index.Index, need *Need, q Query) ([]named, int64) {
	t.Helper()
	s, err := Prepare(x, need, Standard, tablesOf(x), newMeter())
	if err != nil {
		t.Fatal(err)
	}
	s.Resolve(Standard.Statistics(x.Statistics()), s.Counts())
	q.Key = keyOf(x)
	hits, matched, err := s.Rank(q)
	if err != nil {
		t.Fatal(err)
	}
	list := make([]named, len(hits))
	for i, h := range hits {
		list[i] = named{q.Key(h.Part, h.Chunk).ID, h.Score}
	}
	return list, matched
}

// Pruning changes no hit and no score, on data full of ties, in any cutting into
// segments.
func TestPrunedEqualsBruteForce(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 0))
		docs := documents(r, 1+r.IntN(6000))
		x := open(t, docs, len(docs))
		y := open(t, docs, 1+len(docs)/(1+r.IntN(5)))
		for range 12 {
			need := Parse(randomQuery(r))
			limit := int64(1 + r.IntN(30))
			want, _ := ask(t, x, need, Query{Limit: limit, Exact: true})
			for _, x := range []*index.Index{x, y} {
				if got, _ := ask(t, x, need, Query{Limit: limit}); !slices.Equal(got, want) {
					t.Fatalf("seed %d, %+v, %d hits: pruned %v, want %v", seed, need, limit, got, want)
				}
			}
		}
	}
}

var tables = map[*index.Index]*Tables{}

func tablesOf(x *index.Index) *Tables {
	if tables[x] == nil {
		tables[x] = &Tables{}
	}
	return tables[x]
}

func keyOf(x *index.Index) func(part int, chunk uint32) rank.Hit {
	return func(part int, chunk uint32) rank.Hit {
		stable, id := x.Parts[part].Key(x.Parts[part].DocumentOf(chunk))
		return rank.Hit{Stable: stable, ID: id, Chunk: int64(chunk)}
	}
}
