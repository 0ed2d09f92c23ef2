package pool_test

import (
	"bytes"
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/runnertest"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

const vectorModel = "sha256:5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"

// embedText returns a vector of sixteen components that count the words of a text.
func embedText(text string) []int8 {
	v := make([]int8, 16)
	for word := range strings.FieldsSeq(text) {
		h := fnv.New32a()
		_, _ = h.Write([]byte(word))
		v[h.Sum32()%16] += 1 + int8(h.Sum32()>>30)
	}
	return v
}

// withVectors gives segments the files of their vectors.
func withVectors(t testing.TB, settings abi.Settings, list []pool.Segment) []pool.Segment {
	t.Helper()
	r := indexing(t)
	list = slices.Clone(list)
	for i, s := range list {
		var components []byte
		err := pool.Texts(ctx, r, settings, s, func(text string) {
			for _, c := range embedText(text) {
				components = append(components, byte(c))
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		q := abi.PackRequest{Model: vectorModel, External: true, Dimensions: 16}
		err = pool.Pack(ctx, r, settings, s, q, components, func(file []byte) error {
			file = bytes.Clone(file)
			list[i].Vectors = func() ([]byte, error) { return file, nil }
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func openWith(t testing.TB, shards int, settings abi.Settings, v pool.Vectors, list []pool.Segment) *pool.Index {
	t.Helper()
	x, err := pool.OpenIndex(ctx, indexing(t), pool.Config{Shards: shards, Vectors: v}, names, settings, list)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return x
}

var bothLegs = []string{
	`{"query":"crane tide and harbour master","profile":"standard","explain":true,"text":"snippet"}`,
	`{"query":"crane","needs":["mooring rope","\"tide table\" \"harbour master\"","lantern -crane"],"profile":"standard","recallBudget":30,"fill":true,"explain":true}`,
	`{"query":"gale, pilot and buoy","profile":"journal","recallBudget":5,"text":"full"}`,
	`{"query":"gale","profile":"standard","mode":"vector"}`, `{"query":"gale","profile":"standard","mode":"lexical"}`,
	`{"query":"gale and anchor","profile":"standard","fusion":"rrf","representation":"seed","seed":"x"}`,
	`{"query":"gale and anchor"}`, `{"query":"gale","profile":"standard","mode":"both"}`, `{"query":"gale","mode":"vector"}`, `{"query":""}`,
}

// What the vector leg adds to search and retrieve is the same in any number of shards, with
// any settings; and it is replayed.
func TestVectorsLayoutFree(t *testing.T) {
	settings := abi.DefaultSettings()
	settings.Language = "none"
	list := withVectors(t, settings, segments(t, indexing(t), settings, notes(60), 10, 25, 26))
	v := pool.Vectors{Query: func(_ context.Context, text string) ([]int8, error) { return embedText(text), nil }}
	one, three := openWith(t, 1, settings, v, list), openWith(t, 3, settings, v, list)
	byVectors := 0
	for _, request := range bothLegs {
		want, _, errWant := one.Retrieve(ctx, []byte(request))
		got, _, err := three.Retrieve(ctx, []byte(request))
		if !bytes.Equal(got, want) || runnertest.Code(err) != runnertest.Code(errWant) {
			t.Errorf("%s:\n got %s %v\nwant %s %v", request, got, err, want, errWant)
		}
		if err != nil {
			continue
		}
		if bytes.Contains(got, []byte(vectorModel)) {
			byVectors++
		}
		for _, x := range []*pool.Index{one, three} {
			if out, err := x.Replay(ctx, got, nil); err != nil || !strings.Contains(string(out), abi.Match) {
				t.Errorf("%s: replay says %s, %v", request, out, err)
			}
		}
	}
	if byVectors != 5 {
		t.Errorf("vectors took part in %d replies", byVectors)
	}
	same(t, "3 shards", three, one)
}

// Where vectors are damaged, in whichever shard they lie, or the query has none, words
// answer and the reply says why.
func TestVectorsThatAreMissing(t *testing.T) {
	settings := abi.DefaultSettings()
	whole := withVectors(t, settings, segments(t, indexing(t), settings, notes(60), 10, 25))
	query := func(_ context.Context, text string) ([]int8, error) { return embedText(text), nil }
	for _, tt := range []struct {
		name   string
		change func(list []pool.Segment, v *pool.Vectors)
		want   string
	}{
		{"damaged", func(list []pool.Segment, _ *pool.Vectors) {
			b, _ := list[1].Vectors()
			b = bytes.Clone(b)
			b[len(b)/2] ^= 1
			list[1].Vectors = func() ([]byte, error) { return b, nil }
		}, abi.VectorsDamaged},
		{"gone", func(list []pool.Segment, _ *pool.Vectors) {
			list[0].Vectors = func() ([]byte, error) { return nil, abi.Errorf(abi.VectorsCorrupt, "it is missing") }
		}, abi.VectorsDamaged},
		{"of another segment", func(list []pool.Segment, _ *pool.Vectors) { list[0].Vectors = list[1].Vectors }, abi.VectorsDamaged},
		{"being made", func(list []pool.Segment, v *pool.Vectors) {
			list[0].Vectors, v.Absent = nil, abi.VectorsBuilding
		}, abi.VectorsBuilding},
		{"no query", func(_ []pool.Segment, v *pool.Vectors) {
			v.Query = func(context.Context, string) ([]int8, error) { return nil, errors.New("the server is gone") }
		}, abi.QueryAbsent},
	} {
		for _, shards := range []int{1, 3} {
			list := slices.Clone(whole)
			failures := 0
			v := pool.Vectors{Query: query, Failed: func(error) { failures++ }}
			tt.change(list, &v)
			x := openWith(t, shards, settings, v, list)
			words, _, err := openIndex(t, indexing(t), shards, settings, list).Retrieve(ctx, []byte(`{"query":"crane and gale","profile":"standard","mode":"lexical"}`))
			if err != nil {
				t.Fatal(err)
			}
			reply, _, err := x.Retrieve(ctx, []byte(`{"query":"crane and gale","profile":"standard"}`))
			if err != nil || !strings.Contains(string(reply), `"degraded":["`+tt.want+`"]`) || hitsOf(reply) != hitsOf(words) {
				t.Errorf("%s, %d shards: %s, %v", tt.name, shards, reply, err)
			}
			found, _, err := x.Search(ctx, []byte(`{"query":"crane"}`))
			if err != nil || !strings.Contains(string(found), `"degraded":["`+tt.want+`"]`) {
				t.Errorf("%s, %d shards: search says %s, %v", tt.name, shards, found, err)
			}
			if (failures > 0) != (tt.want != abi.VectorsBuilding) {
				t.Errorf("%s, %d shards: told %d times", tt.name, shards, failures)
			}
			for _, stored := range [][]byte{reply, found} {
				if out, err := x.Replay(ctx, stored, nil); err != nil || !strings.Contains(string(out), abi.Match) {
					t.Errorf("%s, %d shards: replay says %s, %v", tt.name, shards, out, err)
				}
			}
		}
	}
}

// hitsOf returns the hits of a reply as they are written.
func hitsOf(reply []byte) string {
	_, hits, _ := strings.Cut(string(reply), `"hits":`)
	hits, _, _ = strings.Cut(hits, `"omitted":`)
	return hits
}
