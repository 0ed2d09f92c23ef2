package pool_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/runnertest"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// indexing returns a runner whose engine has an index.
func indexing(t testing.TB) runner.Runner {
	t.Helper()
	r := open(t)
	if _, err := segmentOf(r, abi.DefaultSettings(), nil); runnertest.Code(err) == abi.ExportUnknown {
		t.Skip("the engine that is built in has no index: run make build")
	}
	return r
}

// segmentOf builds one segment, also of no documents.
func segmentOf(r runner.Runner, settings abi.Settings, documents [][]byte) (pool.Built, error) {
	if len(documents) == 0 {
		return compacted(r, settings, nil)
	}
	var b pool.Built
	err := pool.Build(ctx, r, settings, documents, func(_ int, built pool.Built) error {
		built.Bytes = bytes.Clone(built.Bytes)
		b = built
		return nil
	})
	return b, err
}

func compacted(r runner.Runner, settings abi.Settings, list []pool.Segment) (b pool.Built, err error) {
	err = pool.Compact(ctx, r, settings, [][]pool.Segment{list}, func(_ int, built pool.Built) error {
		built.Bytes = bytes.Clone(built.Bytes)
		b = built
		return nil
	})
	return b, err
}

// segments builds a segment of each run of documents that ends at one of ends.
func segments(t testing.TB, r runner.Runner, settings abi.Settings, documents [][]byte, ends ...int) []pool.Segment {
	t.Helper()
	var list []pool.Segment
	from := 0
	for _, to := range append(ends, len(documents)) {
		b, err := segmentOf(r, settings, documents[from:to])
		if err != nil {
			t.Fatal(err)
		}
		if b.Documents != int64(to-from) {
			t.Errorf("a segment of %d documents says %d", to-from, b.Documents)
		}
		list, from = append(list, pool.Kept(b.Bytes, nil)), to
	}
	return list
}

func openIndex(t testing.TB, r runner.Runner, shards int, settings abi.Settings, list []pool.Segment) *pool.Index {
	t.Helper()
	x, err := pool.OpenIndex(ctx, r, pool.Config{Shards: shards}, names, settings, list)
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

// notes makes n documents with what a search can ask about. Texts, keys and titles
// repeat, so that there are ties.
func notes(n int) [][]byte {
	r := rand.New(rand.NewPCG(11, 3))
	phrases := []string{"the tide table of berth 7", "INV-004", "parseHTTPHeader", "harbour master", "Straße", "船が港に入る"}
	var list [][]byte
	text := ""
	for i := range n {
		if i%7 != 3 {
			text = ""
			for range 4 + r.IntN(30) {
				text += words[r.IntN(len(words))] + " "
			}
			text += phrases[r.IntN(len(phrases))] + "."
		}
		list = append(list, fmt.Appendf(nil, `{"id":"n%03d","text":%q,"path":"notes/%d.md","title":%q,"collection":%q,"metadata":{"year":%d,"tags":[%q,%q],"draft":%t}}`,
			i, text, i/2, words[i%len(words)]+" log", []string{"port", "sea", "yard"}[i%3], 2000+i%30, words[i%5], words[i%11], i%4 == 0))
	}
	return list
}

// searches are requests of every kind, and some that are refused.
var searches = []string{
	`{"query":"crane"}`, `{"query":"crane tide pilot","limit":50}`, `{"query":"mooring","text":"full","explain":true}`,
	`{"query":"\"tide table\""}`, `{"query":"\"harbour master\" -customs","explain":true}`, `{"query":"\"gale pilot rope tide\""}`,
	`{"query":"moor*"}`, `{"query":"h* l* -crane","limit":30}`, `{"query":"title:crane body:tide"}`, `{"query":"heading:crane"}`,
	`{"query":"crane -tide -\"harbour master\" -ga*","count":true}`, `{"query":"-crane"}`,
	`{"query":"cranne"}`, `{"query":"lanterm anchr","explain":true}`, `{"query":"manifestt","typos":false}`, `{"query":"zeppelin dirigible"}`,
	`{"query":"INV-004"}`, `{"query":"parseHTTPHeader","explain":true}`, `{"query":"http header"}`, `{"query":"straße"}`, `{"query":"港"}`,
	`{"query":"the of and"}`, `{"query":"  "}`, `{"query":"…"}`,
	`{"query":"crane","filters":{"year":{"gte":2010,"lt":2020}},"count":true}`, `{"query":"crane","filters":{"tags":"tide","draft":true}}`,
	`{"query":"crane","filters":{"year":1900}}`, `{"query":"rope","filters":{"draft":{"neq":true},"year":{"in":[2001,2004.0,2013]}}}`,
	`{"query":"crane","collections":["port","sea"],"limit":5,"offset":3}`, `{"query":"crane","documents":["n004","n010","nobody"],"count":true}`,
	`{"query":"tide buoy","collapse":"document","count":true}`, `{"query":"dredge","collapse":"document","explain":true}`,
	`{"query":"quay","expand":{"type":"neighbors"}}`, `{"query":"quay","expand":{"type":"section"}}`, `{"query":"quay","expand":{"type":"document"},"limit":3}`,
	`{"query":"crane tide","profile":"journal","limit":40}`, `{"query":"crane tide","seed":"demo","limit":40,"explain":true}`,
	`{"query":"crane ledger","match":"exactThenFallback"}`, `{"query":"zeppelin crane","abstain":true}`, `{"query":"gale","count":true,"limit":1}`,
	`{"query":"crane","limit":1000,"text":"none"}`, `{"query":"buoy lantern anchor","offset":10000}`,
	// Refused.
	`{"query":""}`, `{"query":1}`, `{"quer":"a"}`, `{`, `[]`, ``, `{"query":"a"},"handle":2`, `{"query":"a"}}`, "\xff",
	`{"query":"crane","limit":0}`, `{"query":"crane","workLimit":1}`, `{"query":"crane","filters":{"year":{"near":3}}}`, `{"query":"crane","cursor":"10.x"}`,
	`{"query":"crane","profile":"none"}`, `{"query":"crane","corpus":"x"}`,
}

func search(x *pool.Index, request string) outcome {
	reply, _, err := x.Search(ctx, []byte(request))
	return outcome{string(reply), fmt.Sprint(err)}
}

func same(t *testing.T, where string, got, want *pool.Index) {
	t.Helper()
	if got.Root() != want.Root() || !bytes.Equal(got.Leaves(), want.Leaves()) || got.Documents() != want.Documents() {
		t.Errorf("%s: %d documents, root %s, want %d, %s", where, got.Documents(), got.Root(), want.Documents(), want.Root())
	}
	for _, request := range searches {
		if got, want := search(got, request), search(want, request); got != want {
			t.Errorf("%s: %.80s\n got %+v\nwant %+v", where, request, got, want)
		}
	}
}

// How documents are cut into segments and segments dealt to shards changes no
// byte of a reply, and no word of a failure; nor do documents that were removed.
func TestLayoutChangesNothing(t *testing.T) {
	r := indexing(t)
	docs, settings := notes(90), abi.DefaultSettings()
	one := openIndex(t, r, 1, settings, segments(t, r, settings, docs))
	if one.Documents() != 90 {
		t.Fatalf("%d documents", one.Documents())
	}
	answered := 0
	for _, request := range searches {
		if strings.Contains(search(one, request).reply, `"rank":1,`) {
			answered++
		}
	}
	if answered < 30 {
		t.Errorf("%d requests have hits", answered)
	}
	for _, ends := range [][]int{{}, {1, 2, 40}, {10, 20, 30, 40, 50, 60, 70, 80}, {0, 45}} {
		list := segments(t, r, settings, shuffled(docs, uint64(len(ends))), ends...)
		for _, shards := range []int{1, 2, 5} {
			x := openIndex(t, r, shards, settings, list)
			same(t, fmt.Sprintf("segments end at %v, %d shards", ends, shards), x, one)
		}
	}
}

// What is removed leaves no trace in what is found, in any layout; nor does what is
// compacted.
func TestRemove(t *testing.T) {
	r := indexing(t)
	docs, settings := notes(80), abi.DefaultSettings()
	gone := []string{"n003", "n079", "nobody", "n004", "n033", "n050", "n051", "n052"}
	var rest [][]byte
	for i, d := range docs {
		if !slices.Contains(gone, fmt.Sprintf("n%03d", i)) {
			rest = append(rest, d)
		}
	}
	want := openIndex(t, r, 1, settings, segments(t, r, settings, rest))
	for _, shards := range []int{1, 3} {
		list := segments(t, r, settings, docs, 5, 50, 51, 70)
		for _, ids := range [][]string{gone[:4], gone[4:]} { // in two steps
			x := openIndex(t, r, shards, settings, list)
			removed, unknown, err := x.Remove(ctx, ids)
			if err != nil || len(removed) != len(list) {
				t.Fatalf("%v, %v", removed, err)
			}
			if want := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id != "nobody" }); !slices.Equal(unknown, want) {
				t.Errorf("unknown are %q, want %q", unknown, want)
			}
			for i := range list {
				list[i].Removed = removed[i]
			}
		}
		where := fmt.Sprintf("%d shards", shards)
		same(t, where+", removed", openIndex(t, r, shards, settings, list), want)
		b, err := compacted(r, settings, list)
		if err != nil || b.Documents != int64(len(rest)) {
			t.Fatalf("%+v, %v", b.Documents, err)
		}
		same(t, where+", compacted", openIndex(t, r, shards, settings, []pool.Segment{pool.Kept(b.Bytes, nil)}), want)
		if again, err := segmentOf(r, settings, rest); err != nil || !bytes.Equal(again.Bytes, b.Bytes) {
			t.Errorf("%s: a compacted segment has other bytes than one that was built (%v)", where, err)
		}
	}
}

// The pages that cursors lead through are the one long page.
func TestCursors(t *testing.T) {
	r := indexing(t)
	settings := abi.DefaultSettings()
	x := openIndex(t, r, 3, settings, segments(t, r, settings, notes(60), 10, 30))
	ids := func(reply string) (list []string) {
		for _, part := range strings.Split(reply, `,"id":"`)[1:] {
			list = append(list, part[:4])
		}
		return list
	}
	var paged []string
	request := `{"query":"crane tide pilot","limit":7}`
	for request != "" {
		got := search(x, request)
		if got.failure != "<nil>" {
			t.Fatal(got.failure)
		}
		paged = append(paged, ids(got.reply)...)
		_, rest, more := strings.Cut(got.reply, `"cursor":"`)
		request = ""
		if cursor, _, _ := strings.Cut(rest, `"`); more {
			request = `{"query":"crane tide pilot","limit":7,"cursor":"` + cursor + `"}`
		}
	}
	want := ids(search(x, `{"query":"crane tide pilot","limit":1000}`).reply)
	if len(want) < 20 || !slices.Equal(paged, want) {
		t.Errorf("pages %v\nwant  %v", paged, want)
	}
}

// An index of nothing says so, however it came to be.
func TestEmptyIndex(t *testing.T) {
	r := indexing(t)
	settings := abi.DefaultSettings()
	want := openIndex(t, r, 1, settings, nil)
	if got := search(want, searches[0]); !strings.Contains(got.reply, `"reason":"empty_corpus"`) {
		t.Errorf("%+v", got)
	}
	list := segments(t, r, settings, notes(2), 0, 1)
	x := openIndex(t, r, 2, settings, list)
	removed, _, err := x.Remove(ctx, []string{"n000", "n001"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		list[i].Removed = removed[i]
	}
	for _, shards := range []int{1, 3} {
		same(t, fmt.Sprintf("%d shards", shards), openIndex(t, r, shards, settings, list), want)
	}
}

// An index answers what a corpus does, with the same bytes.
func TestIndexRetrieves(t *testing.T) {
	r := indexing(t)
	docs, settings := documents(40), abi.DefaultSettings()
	want := corpus(t, r, 1, docs)
	for _, shards := range []int{1, 3} {
		x := openIndex(t, r, shards, settings, segments(t, r, settings, docs, 10, 20))
		for _, request := range requests {
			reply, _, err := x.Retrieve(ctx, []byte(request))
			if got, want := (outcome{string(reply), fmt.Sprint(err)}), ask(want, request); got != want {
				t.Errorf("%d shards: %.80s\n got %+v\nwant %+v", shards, request, got, want)
			}
		}
		stored, _, err := want.Retrieve(ctx, []byte(requests[0]))
		if err != nil {
			t.Fatal(err)
		}
		if out, err := x.Replay(ctx, stored, nil); err != nil || !strings.Contains(string(out), `"verdict":"MATCH"`) {
			t.Errorf("%d shards: replay says %s %v", shards, out, err)
		}
	}
}

func TestOpenIndexFailures(t *testing.T) {
	r := indexing(t)
	settings := abi.DefaultSettings()
	list := segments(t, r, settings, notes(30), 10, 20)
	broken, err := list[1].Read()
	if err != nil {
		t.Fatal(err)
	}
	broken = bytes.Clone(broken)
	broken[len(broken)/2] ^= 4
	lost := errors.New("it is gone")
	unknown := settings
	unknown.Language = "xx"
	for _, tt := range []struct {
		name     string
		segments []pool.Segment
		settings abi.Settings
		want     string
	}{
		{"a flipped bit", []pool.Segment{list[0], pool.Kept(broken, nil), list[2]}, settings, "SEGMENT_CORRUPT: "},
		{"a document twice", []pool.Segment{list[0], list[1], list[0]}, settings, `CORPUS_INVALID: two segments have the document "n000"`},
		{"a segment that cannot be read", []pool.Segment{list[0], {Size: 1, Read: func() ([]byte, error) { return nil, lost }}}, settings, "it is gone"},
		{"a number that no document has", []pool.Segment{list[0], {Size: list[1].Size, Read: list[1].Read, Removed: []uint32{10}}}, settings, "REQUEST_INVALID: the segment has no document 10 to remove"},
		{"another language", list, unknown, "SETTINGS_INVALID: "},
	} {
		said := ""
		for _, shards := range []int{1, 2, 3} {
			_, err := pool.OpenIndex(ctx, r, pool.Config{Shards: shards}, names, tt.settings, tt.segments)
			if got := fmt.Sprint(err); !strings.HasPrefix(got, tt.want) || said != "" && got != said {
				t.Errorf("%s: %d shards say %q, before %q, want %q", tt.name, shards, got, said, tt.want)
			} else {
				said = got
			}
		}
	}
	ended, end := context.WithCancel(ctx)
	end()
	if _, err := pool.OpenIndex(ended, r, pool.Config{Shards: 2}, names, settings, list); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended: %v", err)
	}
}

func TestBuildFailures(t *testing.T) {
	r := indexing(t)
	settings := abi.DefaultSettings()
	none := func(int, pool.Built) error { return nil }
	full := errors.New("no room")
	if err := pool.Build(ctx, r, settings, notes(3), func(int, pool.Built) error { return full }); !errors.Is(err, full) {
		t.Errorf("where a segment cannot be kept: %v", err)
	}
	if err := pool.Build(ctx, r, settings, [][]byte{[]byte(`{"id":"","text":""}`)}, none); runnertest.Code(err) != abi.CorpusInvalid {
		t.Errorf("a document without an id: %v", err)
	}
	if err := pool.Build(ctx, r, settings, nil, func(int, pool.Built) error { return full }); err != nil {
		t.Errorf("of nothing: %v", err)
	}
	ended, end := context.WithCancel(ctx)
	end()
	if err := pool.Build(ended, r, settings, notes(3), none); runnertest.Code(err) != abi.Cancelled {
		t.Errorf("after the context ended: %v", err)
	}
}

// The batches of documents are all of them, in order, and of about the same size.
func TestBatches(t *testing.T) {
	big := make([]byte, 20<<20)
	for _, tt := range []struct {
		name  string
		sizes []int // of documents, in MiB
		want  []int // documents in each batch
	}{
		{"nothing", nil, nil},
		{"little", []int{1, 2, 3}, []int{3}},
		{"just one", []int{4, 4, 2}, []int{3}},
		{"cut in two", []int{4, 4, 4}, []int{2, 1}},
		{"even", []int{4, 4, 4, 4, 4, 4}, []int{2, 2, 2}},
		{"a document is never cut", []int{20, 1}, []int{1, 1}},
		{"and never left out", []int{1, 20}, []int{2}},
	} {
		var docs [][]byte
		for _, n := range tt.sizes {
			docs = append(docs, big[:n<<20])
		}
		var got []int
		for _, b := range pool.Batches(docs) {
			got = append(got, len(b))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: batches of %v documents, want %v", tt.name, got, tt.want)
		}
	}
}

func TestDeadInstanceOpensSegmentsAgain(t *testing.T) {
	f := &frail{Runner: indexing(t)}
	settings := abi.DefaultSettings()
	list := segments(t, f, settings, notes(30), 10, 20)
	for _, shards := range []int{1, 3} {
		x := openIndex(t, f, shards, settings, list)
		want := search(x, searches[1])
		for range 3 {
			started := f.started.Load()
			f.kill.Store(true)
			if got := search(x, searches[1]); got.failure != "ENGINE_FAILED: killed" {
				t.Errorf("%d shards: a killed instance answers %v", shards, got)
			}
			if got := search(x, searches[1]); got != want {
				t.Errorf("%d shards: afterwards %+v, want %+v", shards, got, want)
			}
			if n := f.started.Load() - started; n != 1 {
				t.Errorf("%d shards: %d instances were started for one", shards, n)
			}
		}
	}
}

// An index that is being closed answers those who hold it, and nobody else.
func TestCloseIndex(t *testing.T) {
	r := indexing(t)
	settings := abi.DefaultSettings()
	x := openIndex(t, r, 2, settings, segments(t, r, settings, notes(10), 5))
	if err := x.Close(ctx); err != nil || x.Memory() != 0 {
		t.Errorf("%v, %d bytes are held", err, x.Memory())
	}
	if _, _, err := x.Search(ctx, []byte(searches[0])); runnertest.Code(err) != abi.HandleUnknown {
		t.Errorf("a search: %v", err)
	}
	if _, _, err := x.Remove(ctx, nil); runnertest.Code(err) != abi.HandleUnknown {
		t.Errorf("a removal: %v", err)
	}
}

func BenchmarkSearch(b *testing.B) {
	r, settings := indexing(b), abi.DefaultSettings()
	for _, n := range []int{1000, 10000} {
		list := segments(b, r, settings, notes(n), n/4, n/2, 3*n/4)
		for _, shards := range []int{1, 2} {
			b.Run(fmt.Sprintf("documents=%d/shards=%d", n, shards), func(b *testing.B) {
				x := openIndex(b, r, shards, settings, list)
				for b.Loop() {
					if got := search(x, searches[1]); got.failure != "<nil>" {
						b.Fatal(got.failure)
					}
				}
			})
		}
	}
}
