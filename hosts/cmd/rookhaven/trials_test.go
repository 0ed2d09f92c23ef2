package main

import (
	"bytes"
	"context"
	stdjson "encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// inProcess returns the built-in engine, compiled once for all tests.
func inProcess(t *testing.T) runner.Runner {
	t.Helper()
	r, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var compiled = sync.OnceValues(func() (runner.Runner, error) {
	engine, _, _ := artifact.Built()
	return wazero.Open(context.Background(), engine, wazero.Config{Cache: cache})
})

// port is a corpus with ties, several passages to a document, and what filters ask.
func port(n int) [][]byte {
	words := strings.Fields("crane berth tide pilot mooring rope gale buoy lantern INV-004 dredge quay")
	var docs [][]byte
	for i := range n {
		var text strings.Builder
		for k := range 1 + i%3 {
			fmt.Fprintf(&text, "# %s\n\n%s of the harbour master, %s and %s.\n\n%s\n\n", words[(i+k)%12], words[i%5], words[(i+k)%7], words[(i*k)%11], strings.Repeat("fog ", 150))
		}
		docs = append(docs, fmt.Appendf(nil, `{"id":"n%02d","path":"n%02d.md","text":%q,"collection":%q,"metadata":{"year":%d}}`, i, i, text.String(), words[i%2], 2000+i%7))
	}
	return docs
}

func lines(docs [][]byte) string { return string(bytes.Join(docs, []byte("\n"))) + "\n" }

// shards opens documents in several instances of the engine, a segment in each.
func shards(t *testing.T, docs [][]byte, n int) *pool.Index {
	t.Helper()
	r, settings := inProcess(t), abi.DefaultSettings()
	var segments []pool.Segment
	for part := range slices.Chunk(docs, (len(docs)+n-1)/n) {
		err := pool.Build(t.Context(), r, settings, part, func(_ int, b pool.Built) error {
			segments = append(segments, pool.Kept(bytes.Clone(b.Bytes), nil))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	x, err := pool.OpenIndex(t.Context(), r, pool.Config{Shards: n}, abi.Names{Engine: r.Engine()}, settings, segments)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close(context.Background()) })
	return x
}

// unexplained returns a reply without what an explanation adds, and without the digest
// and the cursor, which are of the whole request.
func unexplained(t *testing.T, reply string) object {
	t.Helper()
	v := decode(t, reply)
	delete(v, "digest")
	delete(v, "cursor")
	delete(v["request"].(object), "explain")
	for _, hit := range v["hits"].([]any) {
		delete(hit.(object), "explain")
	}
	return v
}

// X16: the same request gives the same bytes by every door that searches; explaining adds
// members and changes none.
func TestX16OneThreshold(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	docs := port(36)
	for _, n := range []int{12, 24, 36} { // three segments
		m.file("corpus.jsonl", lines(docs[:n]))
		m.must(0, "index", "--data", "data", "corpus.jsonl")
	}
	one, three := shards(t, docs, 1), shards(t, docs, 3)
	for _, args := range [][]string{
		{"--abstain", "crane", "tide"},
		{"-n", "50", "--count", "--seed", "demo", `"harbour master" ropes -gale`},
		{"--profile", "journal", "--filter", "year>=2003", "-c", "berth", "--collapse", "--text", "full", "crane", "quay"},
		{"--match", "exactThenFallback", "--expand", "section", "--offset", "2", "tide", "buoy"},
		{"--document", "n04", "--document", "n05", "INV-004", "lanterm", "moor*"},
	} {
		reply := func(verb string, source ...string) string {
			t.Helper()
			r := m.run("", slices.Concat([]string{verb, "--json"}, source, args)...)
			if r.code > 1 {
				t.Fatalf("%s %q: %s", verb, args, r.err)
			}
			return strings.TrimSuffix(r.out, "\n")
		}
		want := reply("search", "--data", "data")
		if len(decode(t, want)["hits"].([]any)) < 2 {
			t.Errorf("%q: fewer than two hits: %s", args, want)
		}
		request, err := stdjson.Marshal(decode(t, want)["request"])
		if err != nil {
			t.Fatal(err)
		}
		inPool := func(x *pool.Index) string {
			t.Helper()
			reply, _, err := x.Search(t.Context(), request)
			if err != nil {
				t.Fatal(err)
			}
			return string(reply)
		}
		for door, got := range map[string]string{
			"search --shards 3": reply("search", "--data", "data", "--shards", "3"), "search --corpus": reply("search", "--corpus", "corpus.jsonl"),
			"a pool of one shard": inPool(one), "a pool of three shards": inPool(three),
		} {
			if got != want {
				t.Errorf("%q by %s:\n%s\nwant\n%s", args, door, got, want)
			}
		}
		explained := reply("explain", "--data", "data")
		if got, want := unexplained(t, explained), unexplained(t, want); !reflect.DeepEqual(got, want) {
			t.Errorf("%q by explain:\n%v\nwant\n%v", args, got, want)
		}
		if at(decode(t, explained), "hits", 0, "explain", "parts", 0, "score") == nil {
			t.Errorf("%q: explain explains nothing", args)
		}
	}
}

// X16: a flag that is left out is the engine's default, and retrieve takes the same at
// every door.
func TestX16Defaults(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	docs := port(6)
	m.file("corpus.jsonl", lines(docs))
	corpus, err := pool.Open(t.Context(), inProcess(t), pool.Config{}, abi.Names{Engine: "e"}, docs)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = corpus.Close(context.Background()) }()
	described, err := corpus.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	engine := decode(t, string(described))
	equal := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	asked := func(reply string) object {
		t.Helper()
		request := decode(t, reply)["request"].(object)
		equal("the query", request["query"], "crane tide")
		delete(request, "query")
		if mode, ok := request["mode"]; ok {
			equal("the mode, which follows from the index", mode, "lexical")
			delete(request, "mode")
		}
		return request
	}
	report := decode(t, m.must(0, "index", "--json", "--data", "data", "corpus.jsonl").out)
	equal("the settings of index", report["settings"], engine["settings"])
	plain := m.must(0, "search", "--json", "--data", "data", "crane tide").out
	equal("search", asked(plain), engine["searchDefaults"])
	equal("the settings of a reply", decode(t, plain)["settings"], engine["settings"])
	explained := asked(m.must(0, "explain", "--json", "--corpus", "corpus.jsonl", "crane tide").out)
	equal("explain", explained["explain"], true)
	explained["explain"] = engine["searchDefaults"].(object)["explain"]
	equal("explain but for that", explained, engine["searchDefaults"])
	spelt := m.must(0, "search", "--json", "--data", "data", "-n", "10", "--profile", "standard", "--match", "any", "--expand", "none", "--text", "snippet", "--offset", "0", "crane tide").out
	equal("search with its defaults spelt out", spelt, plain)

	// The doors show a snippet of each hit, which the engine does not do unasked.
	want := engine["defaults"].(object)
	equal("the engine's text", want["text"], abi.TextNone)
	want["text"] = abi.TextSnippet
	s := m.serve("--corpus", "corpus.jsonl")
	for _, tt := range []struct {
		arguments object
		flags     []string
	}{
		{object{"query": "crane tide"}, nil},
		{object{"query": "crane tide", "recallBudget": 3, "seed": "demo", "explain": true, "text": "full", "representation": "seed", "fill": true}, []string{"-n", "3", "--seed", "demo", "--explain", "--text", "full", "--representation", "seed", "--fill"}},
		{object{"query": "crane tide", "profile": "standard", "needs": []string{"crane", "tide", "crane tide"}}, []string{"--profile", "standard", "--need", "crane", "--need", "tide", "--need", "crane tide"}},
	} {
		byMCP, failed := s.call("retrieve", tt.arguments)
		byVerb := m.must(0, append([]string{"retrieve", "--json", "--corpus", "corpus.jsonl", "crane tide"}, tt.flags...)...).out
		if failed || byMCP+"\n" != byVerb {
			t.Errorf("%v: by MCP\n%s\nby the verb\n%s", tt.arguments, byMCP, byVerb)
		}
		if tt.flags == nil {
			equal("retrieve", asked(byVerb), want)
		}
	}
}

// X49: a passage that several parts of a query find is one hit, and pages have no hit
// twice.
func TestX49DuplicateInList(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.file("corpus.jsonl", lines(port(24)))
	m.must(0, "index", "--data", "data", "corpus.jsonl")
	for _, args := range [][]string{
		{`crane crane "harbour master" harbour cran* title:crane heading:crane body:crane INV-004 inv 004 -buoy`},
		{"--collapse", `crane Crane CRANES "crane" cran* cr*`},
		{"--match", "exactThenFallback", `crane crane harbour`},
		{"--collapse", "--profile", "journal", "--seed", "demo", "--expand", "document", `crane tide crane tide`},
	} {
		page := func(more ...string) object {
			t.Helper()
			return decode(t, m.must(0, slices.Concat([]string{"search", "--json", "--data", "data", "--text", "none"}, more, args)...).out)
		}
		whole := places(page("-n", "1000", "--count"))
		if twice := repeated(whole); twice != "" || len(whole) < 8 {
			t.Errorf("%q: %s twice among %d hits", args, twice, len(whole))
		}
		if total := page("-n", "1", "--count")["total"]; total != float64(len(whole)) && !slices.Contains(args, "exactThenFallback") {
			t.Errorf("%q: %v in total, and %d hits", args, total, len(whole))
		}
		var pages []string
		next := page("-n", "7")
		for {
			pages = append(pages, places(next)...)
			cursor, more := next["cursor"].(string)
			if !more {
				break
			}
			next = page("-n", "7", "--cursor", cursor)
		}
		if !slices.Equal(pages, whole) {
			t.Errorf("%q: the pages are\n%q\nthe whole\n%q", args, pages, whole)
		}
	}
	for _, profile := range []string{"cosine", "standard"} {
		reply := decode(t, m.must(0, "retrieve", "--json", "--corpus", "corpus.jsonl", "--profile", profile, "-n", "30", "--fill", "--need", "crane", "--need", "crane", "--need", "crane harbour", "--need", "harbour master", "crane").out)
		var ids []string
		several := 0
		for _, hit := range reply["hits"].([]any) {
			ids = append(ids, at(hit, "id").(string))
			if len(at(hit, "needs").([]any)) > 1 {
				several++
			}
		}
		if twice := repeated(ids); twice != "" || several == 0 {
			t.Errorf("retrieve by %s: %q twice, %d of %d hits are of several needs", profile, twice, several, len(ids))
		}
	}
}

// places says where the hits of a reply are: document and chunk, or the document alone
// where there is one hit to each.
func places(reply object) []string {
	list := []string{}
	for _, hit := range reply["hits"].([]any) {
		place := at(hit, "id").(string)
		if at(reply, "request", "collapse") != abi.CollapseDoc {
			place += fmt.Sprint(" ", at(hit, "chunk"))
		}
		list = append(list, place)
	}
	return list
}

// repeated returns what a list has twice, "" for nothing.
func repeated(list []string) string {
	seen := map[string]bool{}
	for _, s := range list {
		if seen[s] {
			return s
		}
		seen[s] = true
	}
	return ""
}

// X43: however a folder is named, its documents have the same ids, with /.
func TestX43WindowsPaths(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	names := []string{"docs", "./docs", "docs/", filepath.Join(m.dir, "docs"), "docs/ops/.."}
	if runtime.GOOS == "windows" {
		names = append(names, `docs\`, `.\docs`, `docs\ops\..`, filepath.ToSlash(filepath.Join(m.dir, "docs")), strings.ToLower(filepath.VolumeName(m.dir))+filepath.Join(m.dir, "docs")[2:])
	}
	want := ""
	for i, name := range names {
		data := fmt.Sprint("data", i)
		m.must(0, "index", "--data", data, name)
		got := m.must(0, "export", "--data", data).out
		contains(t, name, got, `"id":"ops/cranes.md"`, `"path":"ops/cranes.md"`)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	file := filepath.Join("docs", "ops", "cranes.md")
	m.must(0, "index", "--data", "one", file)
	contains(t, "a file that is named", m.must(0, "export", "--data", "one").out, `"id":"cranes.md"`)
	contains(t, "a document of the folder", m.must(0, "search", "--data", "data0", "--document", "ops/cranes.md", "crane").out, "ops/cranes.md:")
}

// The only pattern that a user may give is a star at the end of a word: there is nothing
// to backtrack over. What a search reads does not grow with the stars of its query.
func TestStarsAreLinear(t *testing.T) {
	needIndex(t)
	var docs [][]byte
	for i := range 40 {
		docs = append(docs, fmt.Appendf(nil, `{"id":"%d","text":"%s %s%d"}`, i, strings.Repeat("a", 300), strings.Repeat("aab", 80), i))
	}
	x := shards(t, docs, 1)
	units := func(query string) float64 {
		t.Helper()
		request, err := stdjson.Marshal(object{"query": query, "text": "none"})
		if err != nil {
			t.Fatal(err)
		}
		reply, _, err := x.Search(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		return at(decode(t, string(reply)), "work", "units").(float64)
	}
	for _, pattern := range []string{"aa*", "a*", "aa*b", "aab*", "**", "aa* "} {
		few, many := units(strings.Repeat(pattern, 20)), units(strings.Repeat(pattern, 320))
		t.Logf("%q: %.0f units for 20, %.0f for 320", pattern, few, many)
		if many > few {
			t.Errorf("%q: %.0f units for 20 of them, %.0f for 320", pattern, few, many)
		}
	}
}
