package pool_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/runnertest"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// all returns the lines and the ids of what each gives.
func all(t testing.TB, each func(yield func(pool.Document) error) error) (lines, ids []string) {
	t.Helper()
	err := each(func(d pool.Document) error {
		lines, ids = append(lines, string(d.JSON)), append(ids, d.ID)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, ids
}

// many returns n small documents, and among them some of which two are more than a page.
func many(n int) [][]byte {
	list := notes(n)
	big := strings.Repeat("x", 2_200_000)
	for _, id := range []string{"n0", "n1", "z", "\uffff"} {
		list = append(list, fmt.Appendf(nil, `{"id":%q,"text":%q}`, id, big))
	}
	return list
}

// canonical returns documents by their ids as they are given, one spelling each.
func canonical(t testing.TB, documents [][]byte) map[string]string {
	t.Helper()
	lines := map[string]string{}
	for _, in := range documents {
		d, err := abi.ReadDocument(bytes.Clone(in))
		if err != nil {
			t.Fatal(err)
		}
		lines[d.ID] = string(abi.AppendDocument(nil, d))
	}
	return lines
}

// Each gives every document that is not removed, in the order of ids and in one spelling,
// however they lie in segments and shards.
func TestEach(t *testing.T) {
	r, settings := indexing(t), abi.DefaultSettings()
	docs := many(1300)
	want := canonical(t, docs)
	delete(want, "n003")
	delete(want, "\uffff")
	for _, ends := range [][]int{{600}, {1, 900, 1302}} {
		list := segments(t, r, settings, shuffled(docs, uint64(len(ends))), ends...)
		removed, _, err := openIndex(t, r, 1, settings, list).Remove(ctx, []string{"n003", "\uffff"})
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			list[i].Removed = removed[i]
		}
		for _, shards := range []int{1, 3} {
			x := openIndex(t, r, shards, settings, list)
			lines, ids := all(t, func(yield func(pool.Document) error) error { return x.Each(ctx, yield) })
			where := fmt.Sprintf("segments end at %v, %d shards", ends, shards)
			if !slices.IsSorted(ids) || len(ids) != len(want) {
				t.Errorf("%s: %d documents, want %d in the order of their ids", where, len(ids), len(want))
			}
			for i, id := range ids {
				if lines[i] != want[id] {
					t.Errorf("%s: %.200s, want %.200s", where, lines[i], want[id])
				}
			}
		}
	}
}

// EachOf gives the documents with these ids, also where these are many, and passes over
// what is not there.
func TestEachOf(t *testing.T) {
	r, settings := indexing(t), abi.DefaultSettings()
	docs := many(400)
	want := canonical(t, docs)
	list := segments(t, r, settings, shuffled(docs, 5), 3, 200)
	for _, shards := range []int{1, 3} {
		x := openIndex(t, r, shards, settings, list)
		for _, tt := range []struct {
			name      string
			ids, want []string
		}{
			{"none", nil, nil},
			{"unknown ones", []string{"nobody", "", "n"}, nil},
			{"in any order, some twice", []string{"z", "n399", "n0", "nobody", "z", "n010", "\uffff", "n1"}, []string{"n0", "n010", "n1", "n399", "z", "\uffff"}},
			{"more than one call takes", strangers(25_000, "n399", "\uffff", "n0", "n000"), []string{"n0", "n000", "n399", "\uffff"}},
		} {
			lines, ids := all(t, func(yield func(pool.Document) error) error { return x.EachOf(ctx, tt.ids, yield) })
			if !slices.Equal(ids, tt.want) {
				t.Errorf("%d shards, %s: %q, want %q", shards, tt.name, ids, tt.want)
			}
			for i, id := range ids {
				if lines[i] != want[id] {
					t.Errorf("%d shards, %s: %.200s, want %.200s", shards, tt.name, lines[i], want[id])
				}
			}
		}
	}
}

// strangers returns n ids that no document has around some others.
func strangers(n int, ids ...string) []string {
	list := ids
	for i := range n {
		list = append(list, fmt.Sprintf("%c%d", "amoz"[i%4], i))
	}
	return list
}

// A counting runner counts the calls of documents.
type counting struct {
	runner.Runner
	calls atomic.Int64
}

type counted struct {
	runner.Instance
	of *counting
}

func (c *counting) Instance(ctx context.Context) (runner.Instance, error) {
	i, err := c.Runner.Instance(ctx)
	return &counted{i, c}, err
}

func (c *counted) Call(ctx context.Context, e abi.Export, in ...[]byte) ([]byte, error) {
	if e == abi.Documents {
		c.of.calls.Add(1)
	}
	return c.Instance.Call(ctx, e, in...)
}

// A page of a shard is asked for when the one before it was given: no more than one of
// each is in memory.
func TestEachHoldsOnePageOfEachShard(t *testing.T) {
	c := &counting{Runner: indexing(t)}
	settings := abi.DefaultSettings()
	x := openIndex(t, c, 2, settings, segments(t, c, settings, notes(4400), 2200))
	given := 0
	err := x.Each(ctx, func(pool.Document) error {
		given++
		if most := int64(2 + given/1000); c.calls.Load() > most {
			t.Fatalf("%d pages were asked for to give %d documents", c.calls.Load(), given)
		}
		return nil
	})
	if err != nil || given != 4400 || c.calls.Load() != 6 {
		t.Errorf("%d documents of %d pages, %v", given, c.calls.Load(), err)
	}
}

// Each ends with what ends it: the caller, the context, an engine that fails; and the
// index goes on.
func TestEachEnds(t *testing.T) {
	f := &frail{Runner: indexing(t)}
	settings := abi.DefaultSettings()
	list := segments(t, f, settings, notes(1500), 700)
	stop := errors.New("enough")
	for _, shards := range []int{1, 2} {
		x := openIndex(t, f, shards, settings, list)
		given := 0
		if err := x.Each(ctx, func(pool.Document) error { given++; return stop }); !errors.Is(err, stop) || given != 1 {
			t.Errorf("%d documents, %v", given, err)
		}
		within, cancel := context.WithCancel(ctx)
		if err := x.Each(within, func(pool.Document) error { cancel(); return nil }); runnertest.Code(err) != abi.Cancelled && shards == 1 {
			t.Errorf("a context that ends: %v", err)
		}
		killed := false
		if err := x.Each(ctx, func(pool.Document) error {
			if !killed {
				f.kill.Store(true)
				killed = true
			}
			return nil
		}); runnertest.Code(err) != abi.EngineFailed && shards == 1 {
			t.Errorf("an engine that fails: %v", err)
		}
		f.kill.Store(false)
		if _, ids := all(t, func(yield func(pool.Document) error) error { return x.Each(ctx, yield) }); len(ids) != 1500 {
			t.Errorf("afterwards: %d documents", len(ids))
		}
		if err := x.Close(ctx); err != nil {
			t.Fatal(err)
		}
		if err := x.Each(ctx, func(pool.Document) error { return nil }); runnertest.Code(err) != abi.HandleUnknown {
			t.Errorf("a closed index: %v", err)
		}
	}
}

// A lying runner's instances answer documents with one reply, always the same.
type lying struct {
	runner.Runner
	reply string
}

type liar struct {
	runner.Instance
	of *lying
}

func (l *lying) Instance(ctx context.Context) (runner.Instance, error) {
	i, err := l.Runner.Instance(ctx)
	return &liar{i, l}, err
}

func (l *liar) Call(ctx context.Context, e abi.Export, in ...[]byte) ([]byte, error) {
	if e == abi.Documents {
		return []byte(l.of.reply), nil
	}
	return l.Instance.Call(ctx, e, in...)
}

// An engine that does not keep the contract is an error, and never a list without an end.
func TestEachOfALiar(t *testing.T) {
	l := &lying{Runner: indexing(t)}
	settings := abi.DefaultSettings()
	x := openIndex(t, l, 1, settings, segments(t, l, settings, notes(3)))
	for _, tt := range []struct {
		name, reply string
		want        abi.Code
	}{
		{"more of nothing", `{"documents":[],"more":true}`, abi.ReplyInvalid},
		{"the same page again", `{"documents":[{"id":"a","text":""}],"more":true}`, abi.ReplyInvalid},
		{"out of order", `{"documents":[{"id":"b","text":""},{"id":"a","text":""}],"more":false}`, abi.ReplyInvalid},
		{"a document twice", `{"documents":[{"id":"a","text":""},{"id":"a","text":""}],"more":false}`, abi.ReplyInvalid},
		{"no document", `{"documents":[{"id":"a"}],"more":false}`, abi.CorpusInvalid},
		{"no JSON", `{"documents":[{]}`, abi.JSONInvalid},
		{"not UTF-8", "{\"documents\":[{\"id\":\"a\",\"text\":\"\xff\"}]}", abi.JSONInvalid},
	} {
		l.reply = tt.reply
		if err := x.Each(ctx, func(pool.Document) error { return nil }); runnertest.Code(err) != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}
