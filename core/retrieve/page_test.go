package retrieve

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A page is what tests of pages read of a SearchReply: hits as they are written.
type page struct {
	Hits     []json.RawMessage
	Total    *int
	Verdict  string
	Reason   string
	Cursor   string
	Evidence json.RawMessage
	Omitted  struct{ Hits, Pool int }
	Request  json.RawMessage
	bytes    int
}

// spreader opens documents in one instance and, dealt out, in three, and returns how
// to search them: both ways have to give the same bytes.
func spreader(t *testing.T, documents []string) func(search string) page {
	t.Helper()
	one := New(Config{})
	var opened struct{ Corpus string }
	_ = json.Unmarshal([]byte(mustCall(t, one, abi.Open, `{"engine":"e","settings":{},"documents":[`+strings.Join(documents, ",")+`]}`)), &opened)
	var shards []*Engine
	for i := range 3 {
		var part []string
		for j := i; j < len(documents); j += 3 {
			part = append(part, documents[j])
		}
		e := New(Config{})
		mustCall(t, e, abi.Open, `{"engine":"e","settings":{},"documents":[`+strings.Join(part, ",")+`]}`)
		shards = append(shards, e)
	}
	return func(search string) page {
		t.Helper()
		out := mustCall(t, one, abi.Search, `{"handle":1,"search":`+search+`}`)
		if spread := searchRounds(t, shards, opened.Corpus, search); spread != out {
			t.Fatalf("%s:\n in rounds %s\n as a whole %s", search, spread, out)
		}
		p := page{bytes: len(out)}
		if err := json.Unmarshal([]byte(out), &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
}

// drawn returns random documents as JSON.
func drawn(r *rand.Rand, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = randomDocument(r, i)
	}
	return list
}

// with returns a search with further members in place of its own; null leaves one
// out.
func with(search, more string) string {
	m := map[string]json.RawMessage{}
	_ = json.Unmarshal([]byte(search), &m)
	_ = json.Unmarshal([]byte(more), &m)
	for name, value := range m {
		if string(value) == "null" {
			delete(m, name)
		}
	}
	out, _ := json.Marshal(m)
	return string(out)
}

func spell(hits []json.RawMessage) string {
	var b strings.Builder
	for _, h := range hits {
		b.Write(h)
		b.WriteByte('\n')
	}
	return b.String()
}

// evidences returns the evidence of hits in nano-units.
func evidences(t *testing.T, hits []json.RawMessage) []int64 {
	t.Helper()
	list := make([]int64, len(hits))
	for i, h := range hits {
		list[i] = nano(t, h, "evidence")
	}
	return list
}

// nano returns a member of an object in nano-units.
func nano(t *testing.T, object json.RawMessage, name string) int64 {
	t.Helper()
	var m map[string]json.RawMessage
	_ = json.Unmarshal(object, &m)
	var f float64
	if err := json.Unmarshal(m[name], &f); err != nil {
		t.Fatalf("%s of %s: %v", name, object, err)
	}
	return int64(f*1e9 + 0.5)
}

// X12: a threshold keeps a prefix of the list without it, byte for byte; what it
// counts is how long that is.
func TestX12Threshold(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 12))
		ask := spreader(t, drawn(r, 1+r.IntN(50)))
		for range 8 {
			search := with(randomSearch(r), `{"limit":1000,"offset":0,"count":true,"budget":null,"abstain":false,"minEvidence":null}`)
			all := ask(search)
			sweep := []int64{0, 1, 250_000_000, 500_000_000, 1_000_000_000}
			found := evidences(t, all.Hits)
			for i := 0; i < len(found); i += 1 + len(found)/6 {
				sweep = append(sweep, found[i], min(found[i]+1, abi.MaxEvidence))
			}
			slices.Sort(sweep)
			last := len(all.Hits)
			for _, least := range slices.Compact(sweep) {
				got := ask(with(search, fmt.Sprintf(`{"minEvidence":%d}`, least)))
				want := len(all.Hits)
				for want > 0 && found[want-1] < least {
					want--
				}
				if spell(got.Hits) != spell(all.Hits[:want]) || want > last || *got.Total != want {
					t.Fatalf("seed %d, %s, at least %d: %d hits and a total of %d, want %d", seed, search, least, len(got.Hits), *got.Total, want)
				}
				verdict, reason := all.Verdict, all.Reason
				if want == 0 && len(all.Hits) > 0 && verdict != abi.NoAnswer {
					verdict, reason = abi.NoAnswer, abi.BelowEvidence
				}
				if got.Verdict != verdict || got.Reason != reason || string(got.Evidence) != string(all.Evidence) {
					t.Fatalf("seed %d, %s, at least %d: %s %q by %s, want %s %q by %s", seed, search, least, got.Verdict, got.Reason, got.Evidence, verdict, reason, all.Evidence)
				}
				last = want
			}
		}
	}
}

// A threshold ends the pages: none is empty, and none leads to an empty one.
func TestThresholdEndsThePages(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 12))
	ask := spreader(t, drawn(r, 40))
	search := `{"query":"crane berth","text":"none","limit":1000}`
	all := ask(search).Hits
	for i, least := range evidences(t, all) {
		search := with(search, fmt.Sprintf(`{"minEvidence":%d,"limit":%d}`, least, 1+i%7))
		if got := spell(pages(t, ask, search)); got != spell(ask(with(search, `{"limit":1000}`)).Hits) {
			t.Fatalf("%s: the pages are\n%s", search, got)
		}
	}
}

// pages follows the cursors from the first page on. No page but an only one is empty.
func pages(t *testing.T, ask func(search string) page, search string) []json.RawMessage {
	t.Helper()
	var hits []json.RawMessage
	p := ask(search)
	for {
		hits = append(hits, p.Hits...)
		if p.Cursor == "" {
			return hits
		}
		if p = ask(with(search, `{"cursor":"`+p.Cursor+`","offset":null}`)); len(p.Hits) == 0 {
			t.Fatalf("%s: a page is empty", search)
		}
	}
}

// X19: what a reply says of scores stays in its bounds, on any corpus.
func TestX19BoundedScores(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 19))
		search := searcherOf(t, drawn(r, 1+r.IntN(120)))
		for range 30 {
			q := with(randomSearch(r), `{"explain":true,"minEvidence":null,"budget":null}`)
			p := search(q)
			e := p.Evidence
			if score, most := nano(t, e, "score"), nano(t, e, "most"); score > most {
				t.Fatalf("seed %d, %s: the best score is %d, the most %d", seed, q, score, most)
			}
			if passage, together, asked := nano(t, e, "passage"), nano(t, e, "together"), nano(t, e, "asked"); passage > together || together > asked {
				t.Fatalf("seed %d, %s: %s", seed, q, e)
			}
			checkFound(t, q, p.Hits)
		}
	}
}

// searcherOf opens documents and returns how to search them.
func searcherOf(t *testing.T, documents []string) func(search string) page {
	t.Helper()
	e := New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","settings":{},"documents":[`+strings.Join(documents, ",")+`]}`)
	return func(search string) page {
		t.Helper()
		var p page
		if err := json.Unmarshal([]byte(mustCall(t, e, abi.Search, `{"handle":1,"search":`+search+`}`)), &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
}

// checkFound checks that ranks count on, that evidence lies between 0 and 1 and does
// not rise, and that no part of a score is below 0 and all are the score.
func checkFound(t *testing.T, search string, hits []json.RawMessage) {
	t.Helper()
	last := int64(1_000_000_000)
	for i, hit := range hits {
		var h struct {
			Rank, Tier int
			Explain    struct{ Parts []json.RawMessage }
		}
		_ = json.Unmarshal(hit, &h)
		var from struct{ Offset int }
		_ = json.Unmarshal([]byte(search), &from)
		if h.Rank != from.Offset+i+1 {
			t.Fatalf("%s: hit %d has the rank %d", search, i, h.Rank)
		}
		evidence := nano(t, hit, "evidence")
		if evidence < 0 || evidence > last || h.Tier > 0 && evidence != 1_000_000_000 {
			t.Fatalf("%s: the evidence of hit %d is %d after %d", search, i, evidence, last)
		}
		last = evidence
		rest := nano(t, hit, "score")
		for _, part := range h.Explain.Parts {
			score := nano(t, part, "score")
			if rest -= score; score < 0 {
				t.Fatalf("%s: a part of hit %d is %d", search, i, score)
			}
		}
		if rest != 0 {
			t.Fatalf("%s: the parts of hit %d miss %d", search, i, rest)
		}
	}
}

// X31: a reply stays within its budget, says how much of the page it left out, and
// its cursor leads on: every hit comes once, as in the big list.
func TestX31ReplyCap(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 31))
	documents := make([]string, 1300)
	for i := range documents {
		documents[i] = fmt.Sprintf(`{"id":"d%04d","text":"crane %s"}`, i, prose(r, 1+r.IntN(120)))
	}
	ask := spreader(t, documents)
	search := `{"query":"crane","limit":1000,"text":"full"}`
	all := pages(t, ask, search)
	if len(all) != len(documents) {
		t.Fatalf("%d hits, want %d", len(all), len(documents))
	}
	var hits []json.RawMessage
	for cursor := `null`; ; {
		p := ask(with(search, `{"budget":25000,"cursor":`+cursor+`}`))
		if p.bytes > 75_000 {
			t.Fatalf("a reply of %d bytes", p.bytes)
		}
		hits = append(hits, p.Hits...)
		left := len(all) - len(hits)
		if want := min(1000-len(p.Hits), left); p.Omitted.Hits != want {
			t.Fatalf("after %d hits %d are omitted, want %d", len(hits), p.Omitted.Hits, want)
		}
		if left > 0 && p.bytes+len(all[len(hits)])+2 <= 75_000 {
			t.Fatalf("a reply of %d bytes has room for one of %d", p.bytes, len(all[len(hits)]))
		}
		if p.Cursor == "" {
			break
		}
		cursor = `"` + p.Cursor + `"`
	}
	if spell(hits) != spell(all) {
		t.Errorf("%d hits by budget are not the %d of the big list", len(hits), len(all))
	}
}

// The first hit of a page stays however small the budget; what abstain left out is
// left out still.
func TestSmallBudget(t *testing.T) {
	ask := spreader(t, []string{`{"id":"a","text":"crane"}`, `{"id":"b","text":"crane fog"}`, `{"id":"c","text":"fog"}`})
	search := `{"query":"crane","budget":1}`
	first := ask(search)
	if len(first.Hits) != 1 || first.Omitted.Hits != 1 || first.Cursor == "" {
		t.Errorf("budget 1: %d hits, %d omitted, cursor %q", len(first.Hits), first.Omitted.Hits, first.Cursor)
	}
	if got, want := pages(t, ask, search), ask(`{"query":"crane"}`).Hits; spell(got) != spell(want) {
		t.Errorf("budget 1: the pages are\n%s", spell(got))
	}
	weak := `{"query":"crane zeppelin airship hydrogen gondola mooring mast","abstain":true,"budget":1}`
	if got := ask(weak); len(got.Hits) != 0 || got.Omitted.Hits != 2 || got.Cursor != "" {
		t.Errorf("with abstain: %d hits, %d omitted", len(got.Hits), got.Omitted.Hits)
	}
	if got := ask(`{"query":"zeppelin","typos":false,"budget":1}`); len(got.Hits) != 0 || got.Omitted.Hits != 0 {
		t.Errorf("nothing found: %d hits, %d omitted", len(got.Hits), got.Omitted.Hits)
	}
}

// A budget is kept for any search, and the pages by it add up to the big page.
func TestBudgetPages(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 31))
		ask := spreader(t, drawn(r, 1+r.IntN(40)))
		for range 6 {
			search := with(randomSearch(r), `{"offset":0,"limit":1000,"minEvidence":0,"abstain":false,"budget":null}`)
			budget := 300 + r.IntN(3000)
			small := with(search, fmt.Sprintf(`{"budget":%d}`, budget))
			if p := ask(small); p.bytes > 3*budget && len(p.Hits) > 1 {
				t.Fatalf("seed %d, %s: %d bytes", seed, small, p.bytes)
			}
			if got, want := pages(t, ask, small), ask(search).Hits; spell(got) != spell(want) {
				t.Fatalf("seed %d, %s: the pages are\n%s\nwant\n%s", seed, small, spell(got), spell(want))
			}
		}
	}
}

var continueTests = []struct {
	more string
	ok   bool
}{
	{`{"explain":true}`, true},
	{`{"text":"full"}`, true},
	{`{"expand":{"type":"document"}}`, true},
	{`{"budget":1000}`, true},
	{`{"count":true}`, true},
	{`{"abstain":true}`, true},
	{`{"limit":7}`, true},
	{`{"workLimit":1000}`, true},
	{`{"minEvidence":1}`, false},
	{`{"query":"crane berth"}`, false},
	{`{"profile":"journal"}`, false},
	{`{"match":"exactThenFallback"}`, false},
	{`{"mode":"vector"}`, false},
	{`{"mode":"semantic"}`, false},
	{`{"mode":"hybrid"}`, false},
	{`{"mode":"lexical"}`, true},
	{`{"mode":"hybrid","fusion":"rrf"}`, false},
	{`{"seed":""}`, false},
	{`{"filters":{}}`, false},
	{`{"collections":["a"]}`, false},
	{`{"documents":["d001"]}`, false},
	{`{"collapse":"document"}`, false},
	{`{"typos":false}`, false},
}

// A cursor names what changes which hits there are and their order, and nothing
// else.
func TestCursorNamesTheRanking(t *testing.T) {
	e := New(Config{})
	r := rand.New(rand.NewPCG(1, 1))
	mustCall(t, e, abi.Open, `{"engine":"e","documents":[`+strings.Join(drawn(r, 30), ",")+`]}`)
	search := `{"query":"crane","limit":3}`
	var first page
	_ = json.Unmarshal([]byte(mustCall(t, e, abi.Search, `{"handle":1,"search":`+search+`}`)), &first)
	named := map[string]bool{"query": true, "cursor": true, "offset": true}
	for _, tt := range continueTests {
		var more map[string]any
		_ = json.Unmarshal([]byte(tt.more), &more)
		for name := range more {
			named[name] = true
		}
		_, err := e.Call(abi.Search, []byte(`{"handle":1,"search":`+with(with(search, `{"cursor":"`+first.Cursor+`"}`), tt.more)+`}`))
		if stale := err != nil && strings.HasPrefix(err.Error(), string(abi.CursorStale)); stale == tt.ok || err != nil && !stale {
			t.Errorf("with %s: %v", tt.more, err)
		}
	}
	for _, name := range abi.SearchMembers() {
		if !named[name] {
			t.Errorf("no test says whether a cursor names %s", name)
		}
	}
}

// X49: a chunk is one hit however many ways the query finds it, and of however many
// needs.
func TestX49CountedOnce(t *testing.T) {
	const documents = `[{"id":"a","text":"the crane lifts cranes"},{"id":"b","text":"fog"}]`
	e := New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","documents":`+documents+`}`)
	for _, tt := range []struct {
		export   abi.Export
		question string
	}{
		{abi.Search, `"search":{"query":"crane cranes crane craned \"crane lifts\" cra* cran* lifts lift","count":true}`},
		{abi.Search, `"search":{"query":"crane cranes crane craned \"crane lifts\" cra* cran*","count":true,"collapse":"document"}`},
		{abi.Search, `"search":{"query":"crane crane lifts cra* cran*","count":true,"match":"exactThenFallback"}`},
		{abi.Search, `"search":{"query":"crane crane cranes","count":true,"profile":"journal"}`},
		{abi.Retrieve, `"request":{"query":"q","needs":["crane","crane cranes","\"crane lifts\"","cra*","lifts"],"profile":"standard","fill":true}`},
		{abi.Retrieve, `"request":{"query":"q","needs":["crane","crane","crane cranes","lifts"],"profile":"journal"}`},
		{abi.Retrieve, `"request":{"query":"q","needs":["crane","crane","crane cranes","lifts"]}`},
	} {
		var p page
		_ = json.Unmarshal([]byte(mustCall(t, e, tt.export, `{"handle":1,`+tt.question+`}`)), &p)
		if len(p.Hits) != 1 || p.Total != nil && *p.Total != 1 {
			t.Errorf("%s: %d hits\n%s", tt.question, len(p.Hits), spell(p.Hits))
		}
	}
}
