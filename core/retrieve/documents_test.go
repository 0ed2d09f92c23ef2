package retrieve

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	canonical "github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// namedDocuments returns random documents by their ids, among them some that only the order of
// bytes puts where they belong, and some with keys that say nothing.
func namedDocuments(t testing.TB, r *rand.Rand, n int) map[string]string {
	t.Helper()
	ids := []string{"\uffff", "😀", "é", "e\u0301", "\x00", "D1", "d", "d0", "a/b", "a", `"\`}
	named := map[string]string{}
	for i := range n {
		var d map[string]any
		if err := json.Unmarshal([]byte(randomDocument(r, i)), &d); err != nil {
			t.Fatal(err)
		}
		if i < len(ids) {
			d["id"] = ids[i]
		}
		switch r.IntN(4) {
		case 0:
			d["key"] = d["id"]
		case 1:
			d["key"] = d["path"]
		case 2:
			d["key"] = "k"
		}
		if d["key"] == nil {
			delete(d, "key")
		}
		in, _ := json.Marshal(d)
		named[d["id"].(string)] = string(in)
	}
	return named
}

// spelt returns the one spelling of a document, by other code than the engine's.
func spelt(t testing.TB, document string) string {
	t.Helper()
	var d map[string]json.RawMessage
	if err := json.Unmarshal([]byte(document), &d); err != nil {
		t.Fatal(err)
	}
	plain := d["path"]
	if plain == nil {
		plain = d["id"]
	}
	if string(d["key"]) == string(plain) {
		delete(d, "key")
	}
	in, _ := json.Marshal(d)
	out, err := canonical.Canonicalize(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// documentsPage is the reply of documents.
type documentsPage struct {
	Documents []json.RawMessage
	More      bool
}

func pageOf(t testing.TB, e *Engine, members string) (p documentsPage, ids []string) {
	t.Helper()
	if err := json.Unmarshal([]byte(mustCall(t, e, abi.Documents, `{"handle":1`+members+`}`)), &p); err != nil {
		t.Fatal(err)
	}
	for _, d := range p.Documents {
		var read struct{ ID string }
		if err := json.Unmarshal(d, &read); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, read.ID)
	}
	return p, ids
}

func quoted(v any) string {
	out, _ := json.Marshal(v)
	return string(out)
}

// holders are engines that hold the same documents, each opened in another way.
func holders(t testing.TB, r *rand.Rand, documents []string) map[string]*Engine {
	t.Helper()
	all := "[" + strings.Join(documents, ",") + "]"
	list := map[string]*Engine{}
	for name, in := range map[string]string{
		"documents":                     `{"engine":"e","documents":` + all + `}`,
		"documents, searched":           `{"engine":"e","documents":` + all + `}`,
		"documents with settings":       `{"engine":"e","settings":{},"documents":` + all + `}`,
		"segments":                      randomLayout(t, r, documents).open(),
		"segments, asked by the cosine": randomLayout(t, r, documents).open(),
	} {
		e := New(Config{})
		mustCall(t, e, abi.Open, in)
		list[name] = e
	}
	// What a corpus makes when it is first asked changes nothing, before the list of documents is made or after it.
	if r.IntN(2) == 0 {
		mustCall(t, list["documents, searched"], abi.Documents, `{"handle":1}`)
	}
	mustCall(t, list["documents, searched"], abi.Search, `{"handle":1,"search":{"query":"crane"}}`)
	mustCall(t, list["segments, asked by the cosine"], abi.Retrieve, `{"handle":1,"request":{"query":"crane"}}`)
	return list
}

// However a corpus was opened and came about, its pages add up to its documents, each in
// its one spelling and in the order of the ids' bytes, and these have the same root.
func TestDocuments(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 64))
		named := namedDocuments(t, r, 1+r.IntN(40))
		ids := slices.Sorted(maps.Keys(named))
		var given, want []string
		for _, id := range ids {
			given, want = append(given, named[id]), append(want, spelt(t, named[id]))
		}
		r.Shuffle(len(given), func(i, j int) { given[i], given[j] = given[j], given[i] })
		for name, e := range holders(t, r, given) {
			var got []string
			for after, more := "", true; more; {
				limit := 1 + r.IntN(len(ids)+3)
				p, there := pageOf(t, e, fmt.Sprintf(`,"limit":%d,"after":%s`, limit, quoted(after)))
				for _, d := range p.Documents {
					got = append(got, string(d))
				}
				if len(there) > limit || p.More != (len(got) < len(want)) || len(there) == 0 || len(got) > len(want) {
					t.Fatalf("seed %d, %s: %d of at most %d documents after %q, more is %t", seed, name, len(there), limit, after, p.More)
				}
				after, more = there[len(there)-1], p.More
			}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, %s:\n got %q\nwant %q", seed, name, got, want)
			}
			checkByID(t, r, fmt.Sprintf("seed %d, %s", seed, name), e, named)
		}
		if got, was := rootOf(t, want), rootOf(t, given); got != was {
			t.Errorf("seed %d: the root of what was given back is %s, it was %s", seed, got, was)
		}
	}
}

// checkByID asks for some documents by their ids.
func checkByID(t *testing.T, r *rand.Rand, name string, e *Engine, named map[string]string) {
	t.Helper()
	asked, want := []string{"stranger", ""}, []string{}
	for _, id := range slices.Sorted(maps.Keys(named)) {
		if r.IntN(2) == 0 {
			asked, want = append(asked, id, id), append(want, spelt(t, named[id]))
		}
	}
	r.Shuffle(len(asked), func(i, j int) { asked[i], asked[j] = asked[j], asked[i] })
	p, _ := pageOf(t, e, `,"ids":`+quoted(asked))
	got := []string{}
	for _, d := range p.Documents {
		got = append(got, string(d))
	}
	if !slices.Equal(got, want) || p.More {
		t.Fatalf("%s, %q:\n got %q, more is %t\nwant %q", name, asked, got, p.More, want)
	}
}

func rootOf(t testing.TB, documents []string) string {
	t.Helper()
	var p struct{ Corpus string }
	if err := json.Unmarshal([]byte(mustCall(t, New(Config{}), abi.Open, `{"engine":"e","documents":[`+strings.Join(documents, ",")+`]}`)), &p); err != nil {
		t.Fatal(err)
	}
	return p.Corpus
}

// A page holds 4 MiB of documents as they are written, or one that is larger.
func TestDocumentsPageBytes(t *testing.T) {
	overhead := len(`{"id":"a","text":""}`)
	of := func(id string, size int) string {
		return fmt.Sprintf(`{"id":%q,"text":%q}`, id, strings.Repeat("x", size-overhead))
	}
	const most = abi.MaxPageBytes
	for _, tt := range []struct {
		name  string
		sizes []int // of the documents a, b, …
		want  string
	}{
		{"exactly as much", []int{most / 2, most / 2, 100}, "ab c"},
		{"a byte more", []int{most / 2, most/2 + 1, 100}, "a bc"},
		{"one that is larger alone", []int{100, 3 * most, 100}, "a b c"},
		{"the largest first", []int{2 * most, most}, "a b"},
	} {
		var docs []string
		for i, size := range tt.sizes {
			docs = append(docs, of(string(rune('a'+i)), size))
		}
		e := New(Config{})
		mustCall(t, e, abi.Open, `{"engine":"e","documents":[`+strings.Join(docs, ",")+`]}`)
		var pages, byIDs []string
		for after, more := "", true; more; {
			p, ids := pageOf(t, e, `,"after":`+quoted(after))
			pages, after, more = append(pages, strings.Join(ids, "")), ids[len(ids)-1], p.More
		}
		for rest := []string{"a", "b", "c", "x"}; ; {
			p, ids := pageOf(t, e, `,"ids":`+quoted(rest))
			byIDs = append(byIDs, strings.Join(ids, ""))
			if !p.More {
				break
			}
			rest = rest[slices.Index(rest, ids[len(ids)-1])+1:]
		}
		if got, also := strings.Join(pages, " "), strings.Join(byIDs, " "); got != tt.want || also != tt.want {
			t.Errorf("%s: pages are %q, by ids %q, want %q", tt.name, got, also, tt.want)
		}
	}
}

var documentsTests = []struct {
	name, members string
	want          abi.Code // "": it is answered
	says          string
}{
	{"no page of nothing", `,"limit":0`, abi.RequestInvalid, "limit is 0, it must be between 1 and 10000"},
	{"the longest page", `,"limit":10000`, "", ""},
	{"no longer page", `,"limit":10001`, abi.RequestInvalid, "limit is 10001"},
	{"no ids", `,"ids":[]`, "", ""},
	{"as many ids as there may be", `,"ids":[` + strings.Repeat(`"x",`, 9999) + `"x"]`, "", ""},
	{"one more", `,"ids":[` + strings.Repeat(`"x",`, 10000) + `"x"]`, abi.RequestInvalid, "there are 10001 ids, the limit is 10000"},
	{"ids after an id", `,"ids":["a"],"after":"a"`, abi.RequestInvalid, "ids stand alone"},
	{"ids with a limit", `,"limit":100,"ids":["a"]`, abi.RequestInvalid, "ids stand alone"},
	{"the longest id to come after", `,"after":"` + strings.Repeat("x", abi.MaxID) + `"`, "", ""},
	{"a longer one", `,"after":"` + strings.Repeat("x", abi.MaxID+1) + `"`, abi.RequestInvalid, "after has 65537 units, the limit is 65536"},
	{"an id that is none", `,"ids":[1]`, abi.RequestInvalid, "ids[0]: expected a string"},
	{"null", `,"after":null`, abi.RequestInvalid, "after: expected a string"},
	{"another member", `,"offset":1`, abi.RequestInvalid, `unknown member "offset"`},
	{"a lone surrogate", `,"after":"\ud800"`, abi.JSONInvalid, "surrogate"},
}

func TestDocumentsRequests(t *testing.T) {
	e := New(Config{})
	openCorpus(t, e, harbour)
	for _, tt := range documentsTests {
		out, err := e.Call(abi.Documents, []byte(`{"handle":1`+tt.members+`}`))
		if tt.want == "" {
			if err != nil || !strings.HasPrefix(string(out), `{"documents":[`) {
				t.Errorf("%s: %.100s, %v", tt.name, out, err)
			}
			continue
		}
		if e, ok := err.(*abi.Error); !ok || e.Code != tt.want || !strings.Contains(e.Sentence, tt.says) {
			t.Errorf("%s: %v, want %s with %q", tt.name, err, tt.want, tt.says)
		}
	}
	if err := failure(t, e, abi.Documents, `{"handle":9}`); err.Code != abi.HandleUnknown {
		t.Error(err)
	}
}

// A corpus of leaves has no documents, also once it was searched.
func TestDocumentsOfLeaves(t *testing.T) {
	e := New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","leaves":[]}`)
	for range 2 {
		if err := failure(t, e, abi.Documents, `{"handle":1}`); err.Code != abi.IndexAbsent {
			t.Error(err)
		}
		mustCall(t, e, abi.Search, `{"handle":1,"search":{"query":"crane"}}`)
	}
	mustCall(t, e, abi.Open, `{"engine":"e","documents":[]}`)
	if got := mustCall(t, e, abi.Documents, `{"handle":2}`); got != `{"documents":[],"more":false}` {
		t.Errorf("an empty corpus: %s", got)
	}
}

// What the list of documents takes is accounted for, and given back.
func TestDocumentsAreAccountedFor(t *testing.T) {
	e := New(Config{})
	reply := openCorpus(t, e, harbour)
	before := e.account.Used()
	for range 2 {
		mustCall(t, e, abi.Documents, `{"handle":1}`)
		if got := e.account.Used() - before; got != listedBytes*reply.Documents {
			t.Errorf("%d bytes for %d documents", got, reply.Documents)
		}
	}
	mustCall(t, e, abi.Close, `{"handle":1}`)
	if e.account.Used() != 0 {
		t.Errorf("%d bytes in use with nothing open", e.account.Used())
	}
	small := New(Config{Memory: before + listedBytes*reply.Documents - 1})
	openCorpus(t, small, harbour)
	if err := failure(t, small, abi.Documents, `{"handle":1}`); err.Code != abi.OverBudget || small.account.Used() != before {
		t.Errorf("%v; %d bytes in use, were %d", err, small.account.Used(), before)
	}
}

// The stop word ends the call while documents are listed, and nothing of it stays.
func TestDocumentsAreStopped(t *testing.T) {
	var stop atomic.Uint32
	e := New(Config{Stop: &stop})
	r := rand.New(rand.NewPCG(1, 2))
	mustCall(t, e, abi.Open, layout{segments: []string{segmentOf(t, []string{randomDocument(r, 2), randomDocument(r, 1)})}}.open())
	before := e.account.Used()
	stop.Store(1)
	if err := failure(t, e, abi.Documents, `{"handle":1}`); err.Code != abi.Cancelled || e.account.Used() != before {
		t.Errorf("%v; %d bytes in use, were %d", err, e.account.Used(), before)
	}
	stop.Store(0)
	if _, ids := pageOf(t, e, ""); !slices.Equal(ids, []string{"d001", "d002"}) {
		t.Errorf("afterwards: %q", ids)
	}
}

// A segment that no engine wrote, of documents that no JSON can carry, is an error.
func TestDocumentsThatAreNoText(t *testing.T) {
	for _, d := range []abi.Document{{ID: "\xff"}, {ID: "a", Text: "\xed\xa0\x80"}, {ID: "a", Metadata: "\x80"}, {ID: "a", Blocks: "\xc0"}} {
		b := segment.NewBuilder(1, 0, func(string) bool { return false }, meter.NewAccount(0), meter.New(nil, nil))
		if err := b.Document(&d, d.Title, d.Text, [32]byte{1}, nil); err != nil {
			t.Fatal(err)
		}
		encoded, err := b.Encode(func(string) (string, bool) { return "", false })
		if err != nil {
			t.Fatal(err)
		}
		e := New(Config{})
		mustCall(t, e, abi.Open, `{"engine":"e","settings":{},"segments":[{"base64":`+quoted(encoded)+`}]}`)
		if err := failure(t, e, abi.Documents, `{"handle":1}`); err.Code != abi.SegmentCorrupt {
			t.Errorf("%q: %v", d, err)
		}
	}
}
