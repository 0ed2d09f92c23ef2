package retrieve

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A searched is what tests read of a SearchReply.
type searched struct {
	Hits []struct {
		ID, Text string
		Chunk    int
		Score    json.Number
		Headings []string
		Lines    struct{ From, To int }
		Words    []string
		Context  struct {
			From, To int
			Text     string
		}
		Chunks  int
		Explain struct{ Rule string }
	}
	Total     *int
	Verdict   string
	Reason    string
	Cursor    string
	Corrected []struct{ From, To string }
	Omitted   struct{ Hits int }
	Degraded  []string
	Unmet     struct{ Fields, Collections, Documents []string }
}

func (s searched) ids() string {
	var list []string
	for _, h := range s.Hits {
		list = append(list, h.ID)
	}
	return strings.Join(list, " ")
}

// searcher opens documents, given as a JSON array, and returns how to search them.
func searcher(t testing.TB, documents, settings string) func(search string) searched {
	t.Helper()
	e := New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","settings":`+settings+`,"documents":`+documents+`}`)
	return func(search string) searched {
		t.Helper()
		var s searched
		if err := json.Unmarshal([]byte(mustCall(t, e, abi.Search, `{"handle":1,"search":`+search+`}`)), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// X46 and the limit: one match among 10,000 decoys is found, since filters act
// before the ranking is cut.
func TestX46OneAmongDecoys(t *testing.T) {
	var list []string
	for i := range 10_000 {
		list = append(list, fmt.Sprintf(`{"id":"d%d","text":"crane crane crane","collection":"big","metadata":{"n":%d}}`, i, i%5))
	}
	list = append(list, `{"id":"one","text":"a crane among other words and things","collection":"small","metadata":{"n":7}}`)
	search := searcher(t, "["+strings.Join(list, ",")+"]", `{}`)
	for _, q := range []string{
		`{"query":"crane","limit":1,"filters":{"n":7}}`,
		`{"query":"crane","limit":1,"collections":["small"]}`,
		`{"query":"crane","limit":1,"documents":["one"]}`,
		`{"query":"crane","limit":1,"filters":{"n":{"gt":4}}}`,
	} {
		if got := search(q).ids(); got != "one" {
			t.Errorf("%s finds %q", q, got)
		}
	}
}

var filterTests = []struct{ filters, want string }{
	{`{"year":2026}`, "a"},
	{`{"year":{"gte":2025}}`, "a b"},
	{`{"year":2026.0}`, "a"},
	{`{"tag":{"in":["x","y"]}}`, "a b"},
	{`{"tag":{"neq":"x"}}`, "b c d"},
	{`{"tag":{"exists":false}}`, "c d"},
	{`{"tag":null}`, "d"},
	{`{"year":{"gte":2025},"tag":"y"}`, "b"},
	{`{"nested.deep":true}`, "c"},
	{`{"none":1}`, ""},
}

func TestFilters(t *testing.T) {
	search := searcher(t, `[{"id":"a","text":"crane","metadata":{"year":2026,"tag":"x"}},{"id":"b","text":"crane","metadata":{"year":2025,"tag":["y","z"]}},
		{"id":"c","text":"crane","metadata":{"nested":{"deep":true}}},{"id":"d","text":"crane","metadata":{"tag":null}}]`, `{}`)
	for _, tt := range filterTests {
		if got := search(`{"query":"crane","filters":` + tt.filters + `}`).ids(); got != tt.want {
			t.Errorf("%s finds %q, want %q", tt.filters, got, tt.want)
		}
	}
}

var unmetTests = []struct{ request, fields, collections, documents string }{
	{`"filters":{"year":2026}`, "", "", ""},
	{`"filters":{"absent":2026,"n":{"gt":5},"tag":"x"}`, "absent n", "", ""},
	{`"filters":{"year":"2026"}`, "year", "", ""},
	{`"filters":{"absent":{"exists":false}}`, "", "", ""},
	{`"filters":{"year":2026,"n":1}`, "", "", ""},
	{`"filters":{"year":{"gte":2020,"neq":2026}}`, "year", "", ""},
	{`"filters":{"n":{"gte":0,"neq":2}}`, "", "", ""},
	{`"collections":["small","big","none"]`, "", "none small", ""},
	{`"documents":["b","x","a"],"filters":{"year":2026}`, "", "", "x"},
	{`"collections":[]`, "", "", ""},
}

// A reply names what it was restricted to and no document meets, alone or with others.
func TestUnmet(t *testing.T) {
	search := searcher(t, `[{"id":"a","text":"crane","collection":"big","metadata":{"year":2026,"tag":"x"}},{"id":"b","text":"crane","metadata":{"n":1}}]`, `{}`)
	for _, tt := range unmetTests {
		u := search(`{"query":"crane",` + tt.request + `}`).Unmet
		for _, is := range []struct {
			got  []string
			want string
		}{{u.Fields, tt.fields}, {u.Collections, tt.collections}, {u.Documents, tt.documents}} {
			if got := strings.Join(is.got, " "); got != is.want {
				t.Errorf("%s: %q is unmet, want %q", tt.request, got, is.want)
			}
		}
	}
}

// Front matter is metadata of its document, where the document itself says nothing.
func TestFrontMatterIsMetadata(t *testing.T) {
	search := searcher(t, `[{"id":"a","path":"a.md","text":"---\ntags: [harbour, crane]\nyear: 2026\n---\n# Berth\n\ncrane"},{"id":"b","path":"b.md","text":"---\nyear: 2026\n---\ncrane","metadata":{"year":1999}}]`, `{}`)
	for filters, want := range map[string]string{`{"tags":"harbour"}`: "a", `{"year":2026}`: "a", `{"year":1999}`: "b"} {
		if got := search(`{"query":"crane","filters":` + filters + `}`).ids(); got != want {
			t.Errorf("%s finds %q, want %q", filters, got, want)
		}
	}
	if got := search(`{"query":"harbour"}`).ids(); got != "a" {
		t.Errorf("the words of front matter find %q", got)
	}
}

// X14: what is empty says why, each in its own words.
func TestX14Reasons(t *testing.T) {
	full := searcher(t, `[{"id":"a","text":"crane maintenance of berth seven"},{"id":"b","text":"tide windows"}]`, `{}`)
	empty := searcher(t, `[]`, `{}`)
	for _, tt := range []struct {
		search        func(string) searched
		query, reason string
	}{
		{empty, `{"query":"crane"}`, abi.EmptyCorpus},
		{full, `{"query":"crane","filters":{"x":1}}`, abi.FilteredOut},
		{full, `{"query":"the of and"}`, abi.OnlyStopWords},
		{full, `{"query":"zeppelin"}`, abi.NoMatch},
		{full, `{"query":"tide zeppelin airship hydrogen gondola mooring mast"}`, abi.BelowEvidence},
	} {
		if got := tt.search(tt.query); got.Verdict != abi.NoAnswer || got.Reason != tt.reason {
			t.Errorf("%s: %s, %q, want %q", tt.query, got.Verdict, got.Reason, tt.reason)
		}
	}
}

// Hits come with a verdict, and with abstain they stay away at no_answer.
func TestAbstain(t *testing.T) {
	search := searcher(t, `[{"id":"a","text":"tide windows"},{"id":"b","text":"crane"}]`, `{}`)
	weak := `{"query":"tide zeppelin airship hydrogen gondola mooring mast"`
	if got := search(weak + `}`); got.ids() != "a" || got.Omitted.Hits != 0 {
		t.Errorf("without abstain: %q, %d omitted", got.ids(), got.Omitted.Hits)
	}
	if got := search(weak + `,"abstain":true}`); len(got.Hits) != 0 || got.Omitted.Hits != 1 || got.Verdict != abi.NoAnswer {
		t.Errorf("with abstain: %q, %d omitted, %s", got.ids(), got.Omitted.Hits, got.Verdict)
	}
	if got := search(`{"query":"tide windows","abstain":true}`); got.Verdict != abi.Answered || got.ids() != "a" {
		t.Errorf("an answer: %s, %q", got.Verdict, got.ids())
	}
}

// One passage that holds every word of the query answers it, however long it is.
func TestAllInALongPassage(t *testing.T) {
	long := "moorings" + strings.Repeat(" quay crane berth tide", 3000)
	search := searcher(t, fmt.Sprintf(`[{"id":"long","text":%q},{"id":"b","text":"crane"},{"id":"c","text":"crane tide"}]`, long), `{"chunks":"whole"}`)
	if got := search(`{"query":"moorings","abstain":true}`); got.ids() != "long" || got.Verdict != abi.Answered {
		t.Errorf("%s, %q, want an answer", got.Verdict, got.ids())
	}
}

// Two phrases that no passage has together find those that have one of them, also
// where a filter is what keeps them apart, in one instance and in two.
func TestPhrasesApart(t *testing.T) {
	documents := `[{"id":"a","text":"a bug report"},{"id":"b","text":"the security fix"},{"id":"c","text":"fix and report","metadata":{"n":1}},{"id":"d","text":"bug report with a security fix","metadata":{"old":true}}]`
	search := searcher(t, documents, `{}`)
	for _, tt := range []struct{ request, ids, degraded string }{
		{`{"query":"\"bug report\" \"security fix\""}`, "d", ""},
		{`{"query":"\"bug report\" \"security fix\"","filters":{"old":{"exists":false}},"count":true}`, "a b", abi.PhrasesApart},
		{`{"query":"\"bug report\" -security"}`, "a", ""},
		{`{"query":"\"bug report\" \"security fix\"","filters":{"n":1}}`, "", ""},
	} {
		got := search(tt.request)
		if got.ids() != tt.ids || strings.Join(got.Degraded, " ") != tt.degraded || tt.degraded != "" && (got.Verdict != abi.Weak || *got.Total != 2) {
			t.Errorf("%s: %q, %v, %s", tt.request, got.ids(), got.Degraded, got.Verdict)
		}
	}
}

// Of a document with several passages only those that may be hits are counted.
func TestCollapsedCountsHits(t *testing.T) {
	text := "# H1\n\ngamma alpha beta\n\n# H2\n\ngamma delta beta\n\n# H3\n\nalpha only\n"
	search := searcher(t, fmt.Sprintf(`[{"id":"a","path":"a.md","text":%q}]`, text), `{"min":1,"target":20,"max":40,"overlap":0}`)
	for _, tt := range []struct {
		request string
		chunks  int
	}{
		{`{"query":"gamma"}`, 2},
		{`{"query":"gamma -delta"}`, 1},
		{`{"query":"\"alpha beta\" gamma"}`, 1},
		{`{"query":"gamma delta beta","match":"exactThenFallback"}`, 2},
		{`{"query":"delta nothing","match":"exactThenFallback"}`, 1},
	} {
		got := search(strings.Replace(tt.request, "}", `,"collapse":"document"}`, 1))
		if len(got.Hits) != 1 || got.Hits[0].Chunks != tt.chunks {
			t.Errorf("%s: %+v, want %d chunks", tt.request, got.Hits, tt.chunks)
		}
	}
}

// X15: pages by cursor add up to the big page, the total is the same on all.
func TestX15Pages(t *testing.T) {
	var list []string
	for i := range 57 {
		list = append(list, fmt.Sprintf(`{"id":"d%02d","text":"crane %s"}`, i, strings.Repeat("word ", i%7)))
	}
	search := searcher(t, "["+strings.Join(list, ",")+"]", `{}`)
	whole := search(`{"query":"crane","limit":1000,"count":true}`)
	if whole.Total == nil || *whole.Total != 57 || whole.Cursor != "" {
		t.Fatalf("the big page: %v, cursor %q", whole.Total, whole.Cursor)
	}
	var pages []string
	for cursor := ""; ; {
		q := `{"query":"crane","limit":10,"count":true}`
		if cursor != "" {
			q = `{"query":"crane","limit":10,"count":true,"cursor":"` + cursor + `"}`
		}
		page := search(q)
		if *page.Total != 57 {
			t.Fatalf("total %d", *page.Total)
		}
		pages = append(pages, strings.Fields(page.ids())...)
		if cursor = page.Cursor; cursor == "" {
			break
		}
	}
	if strings.Join(pages, " ") != whole.ids() {
		t.Errorf("pages %v, want %s", pages, whole.ids())
	}
}

func TestCursorFailures(t *testing.T) {
	e := New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","documents":[{"id":"a","text":"crane"},{"id":"b","text":"crane"}]}`)
	var first searched
	_ = json.Unmarshal([]byte(mustCall(t, e, abi.Search, `{"handle":1,"search":{"query":"crane","limit":1}}`)), &first)
	for search, want := range map[string]abi.Code{
		`{"query":"crane","cursor":"x"}`:                                 abi.CursorInvalid,
		`{"query":"crane","cursor":"1.` + strings.Repeat("0", 32) + `"}`: abi.CursorStale,
		`{"query":"fog","cursor":"` + first.Cursor + `"}`:                abi.CursorStale,
		`{"query":"crane","offset":1,"cursor":"` + first.Cursor + `"}`:   abi.CursorInvalid,
		`{"query":"crane","filters":{"a":{"b":1}}}`:                      abi.FilterInvalid,
		`{"query":"crane","mode":"dense"}`:                               abi.RequestInvalid,
		`{"query":"crane","mode":"vector","fusion":"rrf"}`:               abi.RequestInvalid,
		`{"query":"crane","fusion":"max"}`:                               abi.RequestInvalid,
		`{"query":"crane","profile":"neural"}`:                           abi.ProfileUnknown,
		`{"query":"crane","limit":0}`:                                    abi.RequestInvalid,
		`{"query":"crane","workLimit":1}`:                                abi.WorkLimit,
	} {
		_, err := e.Call(abi.Search, []byte(`{"handle":1,"search":`+search+`}`))
		var failed *abi.Error
		if !errors.As(err, &failed) || failed.Code != want {
			t.Errorf("%s: %v, want %s", search, err, want)
		}
	}
}

// X05, X06: twins are ordered by the stable key, and the tie is named; renaming
// changes their order and no score.
func TestX05Twins(t *testing.T) {
	search := searcher(t, `[{"id":"2","path":"b.txt","text":"crane"},{"id":"1","path":"c.txt","text":"crane"},{"id":"3","path":"a.txt","text":"crane"}]`, `{}`)
	got := search(`{"query":"crane","explain":true}`)
	if got.ids() != "3 2 1" || got.Hits[0].Explain.Rule != "stableKey" || got.Hits[2].Explain.Rule != "last" {
		t.Errorf("twins: %q by %q", got.ids(), got.Hits[0].Explain.Rule)
	}
	seeded := search(`{"query":"crane","explain":true,"seed":"s"}`)
	if seeded.Hits[0].Explain.Rule != "key" || seeded.Hits[0].Score != got.Hits[0].Score {
		t.Errorf("seeded twins: by %q, %s", seeded.Hits[0].Explain.Rule, seeded.Hits[0].Score)
	}
}

const journey = `[{"id":"m","path":"m.md","text":"# Harbour\n\nintro words about the harbour\n\n## Cranes\n\nthe crane lifts\n\n### Brakes\n\nbrake of the crane\n\n## Tides\n\ntide windows\n"},
	{"id":"n","path":"n.md","text":"# Other\n\ncrane"}]`

func TestChunksAndExpansion(t *testing.T) {
	search := searcher(t, journey, `{"min":0,"target":5,"max":10,"overlap":0}`)
	hit := search(`{"query":"brake"}`).Hits[0]
	if want := []string{"Harbour", "Cranes", "Brakes"}; !slices.Equal(hit.Headings, want) || hit.Lines.From != 9 || hit.Chunk != 2 {
		t.Errorf("chunk %d, headings %q, line %d", hit.Chunk, hit.Headings, hit.Lines.From)
	}
	for _, tt := range []struct {
		expand   string
		from, to int
	}{
		{`{"type":"neighbors","before":1,"after":0}`, 0, 1},
		{`{"type":"section"}`, 1, 2},
		{`{"type":"document"}`, 0, 3},
	} {
		c := search(`{"query":"lifts","expand":` + tt.expand + `}`).Hits[0].Context
		if c.From != tt.from || c.To != tt.to || !strings.Contains(c.Text, "the crane lifts") {
			t.Errorf("%s: chunks %d to %d, want %d to %d", tt.expand, c.From, c.To, tt.from, tt.to)
		}
	}
	collapsed := search(`{"query":"crane","collapse":"document","count":true}`)
	if len(collapsed.Hits) != 2 || *collapsed.Total != 2 {
		t.Fatalf("collapsed: %q", collapsed.ids())
	}
	for _, h := range collapsed.Hits {
		if want := map[string]int{"m": 2, "n": 1}[h.ID]; h.Chunks != want {
			t.Errorf("%d chunks of %s match, want %d", h.Chunks, h.ID, want)
		}
	}
}

func TestTypos(t *testing.T) {
	search := searcher(t, `[{"id":"a","text":"crane maintenance"},{"id":"b","text":"INV-0042"}]`, `{}`)
	got := search(`{"query":"crene"}`)
	if got.ids() != "a" || len(got.Corrected) != 1 || got.Corrected[0].To != "crane" || got.Verdict != abi.Weak {
		t.Errorf("a typo: %q, %v, %s", got.ids(), got.Corrected, got.Verdict)
	}
	for _, q := range []string{`{"query":"crene","typos":false}`, `{"query":"\"crene\""}`, `{"query":"INV-0043"}`} {
		if got := search(q); len(got.Corrected) != 0 {
			t.Errorf("%s is corrected: %v", q, got.Corrected)
		}
	}
}

// X32 to X35, through the whole engine.
func TestX32Scripts(t *testing.T) {
	search := searcher(t, `[{"id":"rail","text":"新幹線は速い"},{"id":"news","text":"新聞を読む"},{"id":"glued","text":"使用kubectl部署"},
		{"id":"cafe","text":"caf\u00e9"},{"id":"code","text":"call parseHTTPHeader in C++ code"},{"id":"parts","text":"parse the http header"}]`, `{}`)
	for query, want := range map[string]string{
		"新幹線": "rail", "新聞": "news", "kubectl": "glued", "cafe\u0301": "cafe", `\"新幹線\"`: "rail", "parseHTTPHeader": "code parts",
	} {
		if got := search(`{"query":"` + query + `"}`).ids(); got != want {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
	}
}

// X68: to explain and to show text changes nothing else.
func TestX68ExplainChangesNothing(t *testing.T) {
	search := searcher(t, journey, `{}`)
	plain, explained := search(`{"query":"crane brake"}`), search(`{"query":"crane brake","explain":true,"text":"full"}`)
	if plain.ids() != explained.ids() || plain.Hits[0].Score != explained.Hits[0].Score || plain.Verdict != explained.Verdict {
		t.Errorf("%q and %q", plain.ids(), explained.ids())
	}
}

// A stored reply of search, and one of retrieve by an index, replay over documents
// that were opened without one; an altered one is named.
func TestReplaySearch(t *testing.T) {
	e := New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","settings":{"max":300,"language":"de"},"documents":`+journey+`}`)
	mustCall(t, e, abi.Open, `{"engine":"e","documents":`+journey+`}`)
	for _, reply := range []string{
		mustCall(t, e, abi.Search, `{"handle":1,"search":{"query":"crane brake","explain":true,"filters":{"x":{"exists":false}}}}`),
		mustCall(t, e, abi.Retrieve, `{"handle":1,"request":{"query":"crane brake and tide","profile":"standard","explain":true,"fill":true}}`),
		mustCall(t, e, abi.Retrieve, `{"handle":1,"request":{"query":"crane brake and tide"}}`),
	} {
		for handle := 1; handle <= 2; handle++ {
			if got := mustCall(t, e, abi.Replay, fmt.Sprintf(`{"handle":%d,"reply":%s}`, handle, reply)); !strings.Contains(got, `"MATCH"`) {
				t.Errorf("handle %d: %s", handle, got)
			}
		}
		altered := strings.Replace(reply, `"id":"m"`, `"id":"n"`, 1)
		if got := mustCall(t, e, abi.Replay, `{"handle":1,"reply":`+altered+`}`); !strings.Contains(got, `"MISMATCH"`) {
			t.Errorf("altered: %s", got)
		}
	}
}

// retrieve by an index gives the same bytes from one instance and from several.
func TestRetrieveByIndexLayoutFree(t *testing.T) {
	var documents []string
	for i := range 40 {
		documents = append(documents, fmt.Sprintf(`{"id":"d%d","text":"%s crane %d tide"}`, i, strings.Repeat("fog ", i%5), i%3))
		documents = append(documents, fmt.Sprintf(`{"id":"e%d","text":"%s crane %s tides"}`, i, strings.Repeat("rope ", i%7), strings.Repeat("rope ", 100+i)))
	}
	one := New(Config{})
	var opened struct{ Corpus string }
	_ = json.Unmarshal([]byte(mustCall(t, one, abi.Open, `{"engine":"e","documents":[`+strings.Join(documents, ",")+`]}`)), &opened)
	var engines []*Engine
	for part := range slices.Chunk(documents, 15) {
		e := New(Config{})
		mustCall(t, e, abi.Open, `{"engine":"e","documents":[`+strings.Join(part, ",")+`]}`)
		engines = append(engines, e)
	}
	for _, request := range []string{
		`{"query":"crane and fog, tide 2","profile":"standard","explain":true,"fill":true}`,
		`{"query":"crane and \"fog fog\"","profile":"standard","text":"full","recallBudget":3}`,
		`{"query":"the crane and tide","profile":"journal"}`,
		`{"query":"crane, tides","profile":"standard","text":"snippet","recallBudget":4}`,
		`{"query":"tides, crane, rope fog","profile":"standard","text":"snippet","recallBudget":9}`,
	} {
		want := mustCall(t, one, abi.Retrieve, `{"handle":1,"request":`+request+`}`)
		got := needsRounds(t, engines, opened.Corpus, request)
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", request, got, want)
		}
	}
}
