package retrieve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

var words = strings.Fields(`crane cranes maintain maintenance berth tide tides fog foggy brake rope pilot quay ferry ferries lamp buoy the of and
	parseHTTPHeader INV-0042 snake_case 新幹線 使用kubectl部署 café connection connected connecting`)

func prose(r *rand.Rand, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = words[min(r.IntN(len(words)), r.IntN(len(words)))]
	}
	return strings.Join(list, " ")
}

// randomDocument returns a document as JSON.
func randomDocument(r *rand.Rand, id int) string {
	d := map[string]any{"id": fmt.Sprintf("d%03d", id), "text": prose(r, 1+r.IntN(40))}
	if r.IntN(2) == 0 {
		d["path"] = fmt.Sprintf("p/%d.md", id%17)
		d["text"] = fmt.Sprintf("# %s\n\n%s\n\n## %s\n\n%s\n", prose(r, 2), prose(r, 90), prose(r, 3), prose(r, 120))
		if r.IntN(3) == 0 {
			d["text"] = fmt.Sprintf("---\ntags: [%s]\nberth: %s\n---\n%s", strings.Join(strings.Fields(prose(r, 3)), ", "), prose(r, 2), d["text"])
		}
	}
	if r.IntN(2) == 0 {
		d["title"] = prose(r, 3)
	}
	if r.IntN(2) == 0 {
		d["collection"] = []string{"a", "b"}[r.IntN(2)]
	}
	if r.IntN(2) == 0 {
		d["metadata"] = map[string]any{"n": r.IntN(4), "tag": []string{"x", "y", "z"}[r.IntN(3)]}
	}
	if r.IntN(6) == 0 {
		delete(d, "text")
		d["blocks"] = []any{
			map[string]any{"type": "heading", "level": 1, "text": prose(r, 2)},
			map[string]any{"type": "paragraph", "text": prose(r, 60)},
			map[string]any{"type": "table", "headers": []string{"a", "b"}, "rows": [][]string{{prose(r, 2), prose(r, 2)}}},
		}
	}
	out, _ := json.Marshal(d)
	return string(out)
}

// randomSearch returns a SearchRequest as JSON.
func randomSearch(r *rand.Rand) string {
	query := prose(r, 1+r.IntN(5))
	switch r.IntN(8) {
	case 0:
		query = `"` + prose(r, 2) + `" ` + query
		if r.IntN(2) == 0 {
			query += ` "` + prose(r, 1+r.IntN(2)) + `"`
		}
	case 1:
		query = "fo* " + query
	case 2:
		query += " -" + words[r.IntN(8)]
	case 3:
		query = "title:" + query
	case 4:
		query = []string{"crene ", "connectjon ", "title:connectjon "}[r.IntN(3)] + query
	case 5:
		query = words[19+r.IntN(3)]
	}
	q := map[string]any{
		"query": query, "limit": 1 + r.IntN(30), "explain": r.IntN(2) == 0, "count": r.IntN(2) == 0,
		"text": []string{"none", "snippet", "full"}[r.IntN(3)],
	}
	switch r.IntN(6) {
	case 0:
		q["filters"] = map[string]any{"n": map[string]any{"gte": r.IntN(7), "neq": r.IntN(4)}, "tag": []string{"x", "none"}[r.IntN(2)]}
	case 1:
		q["collections"] = [][]string{{"a"}, {"b", "none"}}[r.IntN(2)]
		q["documents"] = [][]string{nil, {"d001", "d003", "none"}}[r.IntN(2)]
		if q["documents"].([]string) == nil {
			delete(q, "documents")
		}
	case 2:
		q["collapse"] = "document"
		q["expand"] = map[string]any{"type": []string{"neighbors", "section", "document"}[r.IntN(3)]}
	case 3:
		q["seed"] = "s"
	case 4:
		q["profile"] = "journal"
	case 5:
		q["offset"] = r.IntN(5)
	}
	switch r.IntN(4) {
	case 0:
		q["minEvidence"] = r.IntN(600_000_000)
	case 1:
		q["budget"] = 1 + r.IntN(4000)
	case 2:
		q["minEvidence"], q["budget"], q["abstain"] = r.IntN(300_000_000), 1+r.IntN(2000), true
	}
	out, _ := json.Marshal(q)
	return string(out)
}

func mustCall(t testing.TB, e *Engine, export abi.Export, in string) string {
	t.Helper()
	out, err := e.Call(export, []byte(in))
	if err != nil {
		t.Fatalf("%s %.300s: %v", export, in, err)
	}
	return string(out)
}

// segmentOf builds a segment and returns the reference that open takes.
func segmentOf(t testing.TB, documents []string) string {
	t.Helper()
	var p struct{ Segment json.RawMessage }
	out := mustCall(t, New(Config{}), abi.Build, `{"documents":[`+strings.Join(documents, ",")+`]}`)
	if err := json.Unmarshal([]byte(out), &p); err != nil {
		t.Fatal(err)
	}
	return string(p.Segment)
}

// A layout is an index that was built in steps: segments with what was removed.
type layout struct {
	segments []string
	removed  [][]uint32
}

// randomLayout brings documents into segments in several steps, most of them after
// others that were replaced or taken away.
func randomLayout(t testing.TB, r *rand.Rand, documents []string) layout {
	t.Helper()
	var l layout
	order := slices.Clone(documents)
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for len(order) > 0 {
		n := 1 + r.IntN(len(order))
		batch := order[:n]
		order = order[n:]
		var all []string
		var gone []uint32
		for i, d := range batch {
			if r.IntN(3) == 0 { // an older text, or one that went
				gone = append(gone, uint32(len(all)))
				all = append(all, randomDocument(r, 1000+i))
			}
			all = append(all, d)
		}
		l.segments = append(l.segments, segmentOf(t, all))
		l.removed = append(l.removed, gone)
	}
	return l
}

func (l layout) open() string {
	removed, _ := json.Marshal(l.removed)
	if l.removed == nil {
		removed = []byte("[]")
	}
	return `{"engine":"e","settings":{},"segments":[` + strings.Join(l.segments, ",") + `],"removed":` + strings.ReplaceAll(string(removed), "null", "[]") + `}`
}

// searchRounds answers a search, with what stands behind it, over several engines.
func searchRounds(t testing.TB, engines []*Engine, root, search string) string {
	t.Helper()
	round := func(export abi.Export, more string) string {
		var list []string
		for _, e := range engines {
			list = append(list, mustCall(t, e, export, `{"handle":1,"corpus":"`+root+`","search":`+search+more+`}`))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	plans := round(abi.SearchPlans, "")
	statistics := round(abi.SearchStats, `,"plans":`+plans)
	more := `,"plans":` + plans + `,"statistics":` + statistics
	partials := round(abi.SearchPartials, more)
	return mustCall(t, engines[0], abi.SearchMerge, `{"engine":"e","settings":{},"corpus":"`+root+`","search":`+search+more+`,"partials":`+partials+`}`)
}

// Layout-free: how an index came about, how it is cut into segments and how these
// lie in instances changes no byte of a reply.
func TestIndexLayoutFree(t *testing.T) {
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 0))
		var documents []string
		for i := range 1 + r.IntN(60) {
			documents = append(documents, randomDocument(r, i))
		}
		one := New(Config{})
		var opened struct{ Corpus string }
		_ = json.Unmarshal([]byte(mustCall(t, one, abi.Open, `{"engine":"e","settings":{},"documents":[`+strings.Join(documents, ",")+`]}`)), &opened)
		l := randomLayout(t, r, documents)
		pieces := New(Config{})
		mustCall(t, pieces, abi.Open, l.open())
		var compacted struct{ Segment json.RawMessage }
		_ = json.Unmarshal([]byte(mustCall(t, pieces, abi.Compact, `{"handle":1}`)), &compacted)
		compact := New(Config{})
		mustCall(t, compact, abi.Open, layout{segments: []string{string(compacted.Segment)}}.open())
		var shards []*Engine
		for i, s := range l.segments {
			e := New(Config{})
			mustCall(t, e, abi.Open, layout{[]string{s}, l.removed[i : i+1]}.open())
			shards = append(shards, e)
		}
		hasVectors := seed%3 > 0
		lowerPools(t, int64(1+r.IntN(40)), int64(1+r.IntN(100)))
		for _, e := range append([]*Engine{one, pieces, compact}, shards...) {
			if hasVectors {
				attach(t, e)
			}
		}
		for range 25 {
			search := randomSearch(r)
			if hasVectors {
				search = inMode(r, search)
			}
			in := `{"handle":1,"search":` + search + `}`
			want := mustCall(t, one, abi.Search, in)
			for name, got := range map[string]string{
				"pieces":  mustCall(t, pieces, abi.Search, in),
				"compact": mustCall(t, compact, abi.Search, in),
				"shards":  searchRounds(t, shards, opened.Corpus, search),
			} {
				if got != want {
					t.Fatalf("seed %d, %s, %s:\n got %s\nwant %s", seed, name, search, got, want)
				}
			}
		}
		for range 15 {
			request := randomNeeds(r)
			if hasVectors && r.IntN(5) > 0 {
				request = withVectors(t, with(request, []string{`{}`, `{"mode":"lexical"}`, `{"mode":"vector"}`, `{"mode":"hybrid","fusion":"rrf"}`}[r.IntN(4)]))
			}
			in := `{"handle":1,"request":` + request + `}`
			want := mustCall(t, one, abi.Retrieve, in)
			for name, got := range map[string]string{
				"pieces":  mustCall(t, pieces, abi.Retrieve, in),
				"compact": mustCall(t, compact, abi.Retrieve, in),
				"shards":  needsRounds(t, shards, opened.Corpus, request),
			} {
				if got != want {
					t.Fatalf("seed %d, %s, %s:\n got %s\nwant %s", seed, name, request, got, want)
				}
			}
		}
	}
}

// The same index has the same bytes in whatever order its documents came once it
// is compacted.
func TestX02CompactedBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var documents []string
	for i := range 40 {
		documents = append(documents, randomDocument(r, i))
	}
	var first []byte
	for range 4 {
		l := randomLayout(t, r, documents)
		e := New(Config{})
		mustCall(t, e, abi.Open, l.open())
		out := []byte(mustCall(t, e, abi.Compact, `{"handle":1}`))
		if first == nil {
			first = out
		}
		if !bytes.Equal(out, first) {
			t.Fatal("two compacted indexes of the same documents differ")
		}
	}
}
