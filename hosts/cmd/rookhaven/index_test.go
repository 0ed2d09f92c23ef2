package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/internal/library"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// needIndex skips a test on a tree whose engine is not built, or is one without an index.
func needIndex(t *testing.T) {
	t.Helper()
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	if r := m.run("", "search", "--corpus", "corpus.json", "tide"); strings.Contains(r.err, string(abi.ExportUnknown)) {
		t.Skip("the engine that is built in has no index: run make build")
	}
}

// tree writes files below the machine's folder, by their paths with /; an empty content
// removes one.
func (m *machine) tree(files map[string]string) {
	m.t.Helper()
	for name, content := range files {
		path := filepath.Join(m.dir, filepath.FromSlash(name))
		if content == "" {
			if err := os.Remove(path); err != nil {
				m.t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			m.t.Fatal(err)
		}
		m.file(name, content)
	}
}

// harbour is a folder of documents.
var harbour = map[string]string{
	"docs/ops/cranes.md": "# Cranes\n\nThe cranes of the port.\n\n## Faults\n\nThe crane of berth 7 has the fault INV-004 in its brake.\n",
	"docs/tides.md":      "# Tides\n\nTide windows of berth 7, for the harbour master.\n",
	"docs/fog.txt":       "Fog signals are given by the lighthouse.\n",
	"docs/code.go":       "package crane",
}

// must runs the command, which must end with a code.
func (m *machine) must(code int, args ...string) result {
	m.t.Helper()
	r := m.run("", args...)
	if r.code != code {
		m.t.Fatalf("%q: exit %d, want %d\n%s%s", args, r.code, code, r.out, r.err)
	}
	return r
}

func contains(t *testing.T, where, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", where, want, text)
		}
	}
}

// A folder is indexed, searched, changed, brought up to date, and searched as it was.
func TestIndexAndSearch(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	contains(t, "the first run", m.must(0, "index", "docs").out, "3 added, 0 changed, 0 removed, 0 unchanged", "generation 1: 3 documents", "index "+filepath.Join("docs", ".rookhaven"))
	contains(t, "a hit", m.must(0, "search", "--data", "docs", "brake", "faults").out, `"brake faults"`, "   1. ", "ops/cranes.md:5  Cranes > Faults", "INV-004", "answered", "generation 1")
	contains(t, "no hit", m.must(1, "search", "--data", "docs", "zeppelin").out, "no_answer: no passage matches · 0 hits")
	contains(t, "a typo", m.must(0, "search", "--data", "docs", "lightouse").out, `searched "lighthouse", since "lightouse" does not occur`, "fog.txt:1", "weak: the query was corrected")
	contains(t, "nothing to do", m.must(0, "index", "docs").out, "0 added, 0 changed, 0 removed, 3 unchanged", "generation 1, as it was")

	before := m.must(0, "search", "--data", "docs", "--json", "crane tide").out
	m.tree(map[string]string{"docs/tides.md": "# Tides\n\nThe tide table names a crane.\n", "docs/ops/cranes.md": "", "docs/new/pilots.md": "Pilots board at the buoy.\n"})
	report := decode(t, m.must(0, "index", "docs", "--json").out)
	for member, want := range map[string]any{"added": 1., "changed": 1., "removed": 1., "unchanged": 1., "documents": 3., "generation": 2., "published": true, "schema": 1.} {
		if report[member] != want {
			t.Errorf("%s is %v, want %v", member, report[member], want)
		}
	}
	contains(t, "what is gone", m.must(1, "search", "--data", "docs", "brake").out, "no passage matches")
	contains(t, "what is new", m.must(0, "search", "--data", "docs", "pilots").out, "new/pilots.md:1")

	// X70: as it was.
	for _, which := range []string{"1", decode(t, before)["corpus"].(string)} {
		if got := m.must(0, "search", "--data", "docs", "--json", "--as-of", which, "crane tide").out; got != before {
			t.Errorf("as of %s: %s, it was %s", which, got, before)
		}
	}
	contains(t, "a generation that is not kept", m.must(2, "search", "--data", "docs", "--as-of", "7", "tide").err, "GENERATION_UNKNOWN: no generation 7")
	if r := m.must(0, "search", "--data", "docs", "--as-of", time.Now().Add(time.Minute).UTC().Format(time.RFC3339), "--json", "pilots"); decode(t, r.out)["corpus"] != report["corpus"] {
		t.Errorf("as of the next minute: %s", r.out)
	}
}

// The same documents give the same bytes: from an index, of whatever history, from a
// corpus file, in any number of shards.
func TestSearchBytes(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	m.tree(map[string]string{"docs/tides.md": "other\n"})
	m.must(0, "index", "docs")
	m.tree(harbour)
	m.must(0, "index", "docs")
	m.must(0, "index", "--data", "fresh", "docs")
	var lines []string
	for _, id := range []string{"fog.txt", "ops/cranes.md", "tides.md"} {
		lines = append(lines, fmt.Sprintf(`{"id":%q,"path":%q,"text":%q}`, id, id, harbour["docs/"+id]))
	}
	m.file("corpus.jsonl", strings.Join(lines, "\n"))
	m.must(0, "index", "--data", "of-file", "corpus.jsonl")
	want := m.must(0, "search", "--data", "docs", "--json", "--explain", "crane tide").out
	for _, source := range [][]string{{"--data", "fresh"}, {"--data", "of-file"}, {"--corpus", "corpus.jsonl"}, {"--data", "docs", "--shards", "3"}, {"--data", filepath.Join("docs", ".rookhaven")}} {
		if got := m.must(0, append(append([]string{"search"}, source...), "--json", "--explain", "crane tide")...).out; got != want {
			t.Errorf("%q: %s, want %s", source, got, want)
		}
	}
	// From inside of the folder, nothing has to be named.
	m.dir = filepath.Join(m.dir, "docs", "ops")
	if got := m.must(0, "search", "--json", "--explain", "crane tide").out; got != want {
		t.Errorf("from below: %s", got)
	}
}

// X68: explaining changes nothing; X31: what --limit cuts comes with the cursor.
func TestSearchFlags(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.file("corpus.jsonl", `{"id":"a","text":"harbour master rules","metadata":{"year":2026,"lang":"en"},"collection":"port"}
{"id":"b","text":"harbour master notes","metadata":{"year":2020,"tags":["draft"]},"collection":"yard"}
{"id":"c","text":"harbour dues"}`)
	search := func(code int, args ...string) object {
		t.Helper()
		return decode(t, m.must(code, append([]string{"search", "--corpus", "corpus.jsonl", "--json"}, args...)...).out)
	}
	ids := func(reply object) string {
		s := ""
		for i := range reply["hits"].([]any) {
			s += at(reply, "hits", i, "id").(string)
		}
		return s
	}
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"all", []string{"harbour"}, "cab"},
		{"a filter", []string{"--filter", "year>=2026", "harbour"}, "a"},
		{"two filters", []string{"--filter", "year>=2000", "--filter", "lang!=en", "harbour"}, "b"},
		{"a field that is not there", []string{"--filter", "!year", "harbour"}, "c"},
		{"filters as JSON", []string{"--filters", `{"tags":"draft"}`, "harbour"}, "b"},
		{"a collection", []string{"-c", "port", "-c", "yard", "harbour"}, "ab"},
		{"a document", []string{"--document", "c", "harbour"}, "c"},
		{"an exclusion", []string{"--", "harbour", "-master"}, "c"},
		{"all words first", []string{"--match", "exactThenFallback", "harbour", "notes"}, "bca"},
		{"another profile", []string{"--profile", "journal", "rules"}, "a"},
		{"an offset", []string{"--offset", "1", "-n", "1", "harbour"}, "a"},
	} {
		if got := ids(search(0, tt.args...)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	first := search(0, "-n", "2", "--count", "harbour")
	if first["total"] != 3. || ids(first) != "ca" {
		t.Errorf("the first page: %v", first)
	}
	if second := search(0, "-n", "2", "--count", "--cursor", first["cursor"].(string), "harbour"); ids(second) != "b" || second["cursor"] != nil {
		t.Errorf("the second page: %v", second)
	}
	if r := search(1, "--filter", "year<1000", "harbour"); r["reason"] != abi.FilteredOut {
		t.Errorf("nothing passes the filter: %v", r)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"search", "--corpus", "corpus.jsonl"}, "ARGUMENT_INVALID: the query is missing"},
		{[]string{"search", "tide"}, "INDEX_ABSENT: there is no index in"},
		{[]string{"search", "--data", "absent", "tide"}, "INDEX_ABSENT"},
		{[]string{"search", "--corpus", "corpus.jsonl", "--as-of", "1", "tide"}, "ARGUMENT_INVALID: --corpus searches a file"},
		{[]string{"search", "--corpus", "corpus.jsonl", "--filter", "=1", "tide"}, "ARGUMENT_INVALID: the filter"},
		{[]string{"search", "--corpus", "corpus.jsonl", "--filters", "{", "tide"}, "FILTER_INVALID"},
		{[]string{"search", "--corpus", "corpus.jsonl", "--filters", `{"year":{"near":3}}`, "tide"}, "FILTER_INVALID"},
		{[]string{"search", "--corpus", "corpus.jsonl", "-n", "0", "tide"}, `ARGUMENT_INVALID: --limit is "0", it must be an integer between 1 and 1000`},
		{[]string{"search", "--corpus", "corpus.jsonl", "--limt", "3", "tide"}, `did you mean "--limit"?`},
		{[]string{"search", "--corpus", "corpus.jsonl", "--cursor", "x", "tide"}, "CURSOR_INVALID"},
		{[]string{"find", "tide"}, `did you mean "search"?`},
	} {
		contains(t, fmt.Sprint(tt.args), m.must(2, tt.args...).err, tt.want)
	}
}

// X74: a document cannot act on the terminal; what is marked is marked there only.
func TestX74HostileIndex(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(map[string]string{"docs/a.md": "# \x1b[2J\u202eTide\n\ntide \x1b]0;owned\a windows\n"})
	m.must(0, "index", "docs")
	for _, args := range [][]string{{"search", "--data", "docs", "tide"}, {"explain", "--data", "docs", "tide"}, {"search", "--data", "docs", "--expand", "document", "\x1b tide"}} {
		r := m.must(0, args...)
		if strings.ContainsAny(r.out+r.err, "\x1b\u202e\a") {
			t.Errorf("%q: %q %q", args, r.out, r.err)
		}
	}
}

func TestExplainVerb(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	out := m.must(0, "explain", "--data", "docs", "crane berth").out
	contains(t, "explain", out, "part                     form    count  length  passages         weight          score", "crane                    stem", "sum", "above the next by its score", "the last one shown", "answered")
	reply := decode(t, m.must(0, "search", "--data", "docs", "--explain", "--json", "crane berth").out)
	for i := range reply["hits"].([]any) {
		contains(t, "the sum of a hit", strings.Join(strings.Fields(out), " "), fmt.Sprintf("sum %.9f", at(reply, "hits", i, "score")))
	}
}

// retrieve ranks by an index, too, and adds up what it explains.
func TestRetrieveByIndex(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	out := m.must(0, "retrieve", "--corpus", "corpus.json", "--profile", "standard", "--explain", "tide windows").out
	contains(t, "retrieve", out, "profile standard", "d2", "= tide (stem) 0.", " + tide (exact) 0.", " + windows (exact) 0.")
	m.must(0, "retrieve", "--corpus", "corpus.json", "--profile", "standard", "--explain", "--out", "reply.json", "tide windows")
	contains(t, "its replay", m.must(0, "replay", "--corpus", "corpus.json", "reply.json").out, "MATCH sha256:")
}

// retrieve asks an index: by its own profile, in any of its generations, and its replies are
// replayed.
func TestRetrieveOverIndex(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	out := m.must(0, "retrieve", "--data", "docs", "--explain", "--out", "reply.json", "tide windows and crane brake, quantum chromodynamics").out
	contains(t, "retrieve", out, "profile standard", "tides.md:", "ops/cranes.md:", `"tide windows": weight 2`, ": answered", `"quantum chromodynamics"`, ": no_answer", "weak · ")
	contains(t, "its replay", m.must(0, "replay", "--data", "docs", "reply.json").out, "MATCH sha256:")
	same := m.must(0, "retrieve", "--data", "docs", "--as-of", "1", "--json", "--explain", "tide windows and crane brake, quantum chromodynamics").out
	if stored := m.must(0, "retrieve", "--data", "docs", "--out", "-", "--explain", "tide windows and crane brake, quantum chromodynamics").out; same != stored {
		t.Errorf("generation 1 says %s, the current one %s", same, stored)
	}
	contains(t, "no answer", m.must(1, "retrieve", "--data", "docs", "quantum chromodynamics").out, "no_answer")
	contains(t, "by words", m.must(0, "retrieve", "--data", "docs", "--mode", "lexical", "--json", "tide").out, `"mode":"lexical"`)
	contains(t, "whole documents", m.must(0, "retrieve", "--data", "docs", "--profile", "cosine", "tide").out, "profile cosine")
	contains(t, "modes of cosine", m.must(2, "retrieve", "--data", "docs", "--profile", "cosine", "--mode", "hybrid", "tide").err, "REQUEST_INVALID", "mode and fusion")
	contains(t, "strict", m.must(3, "retrieve", "--data", "docs", "--mode", "hybrid", "--strict", "tide").out, "vectors:absent")
	contains(t, "the budget", m.must(2, "retrieve", "--data", "docs", "-n", "100000", "tide").err, "BUDGET_OUT_OF_RANGE")
	contains(t, "two sources", m.must(2, "retrieve", "--data", "docs", "--corpus", "corpus.json", "tide").err, "ARGUMENT_INVALID")
	contains(t, "no index", m.must(2, "retrieve", "--data", "nowhere", "tide").err, "INDEX_ABSENT")
}

// A file that holds something else than what is written there is never replaced: it may be a
// document that was indexed.
func TestOutSparesDocuments(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	for _, args := range [][]string{
		{"search", "--data", "docs", "tide"}, {"explain", "--data", "docs", "tide"}, {"retrieve", "--data", "docs", "tide"}, {"export", "--data", "docs"},
	} {
		before, err := os.ReadFile(filepath.Join(m.dir, "docs", "tides.md"))
		if err != nil {
			t.Fatal(err)
		}
		r := m.must(2, append(slices.Clone(args), "--out", "docs/tides.md")...)
		after, err := os.ReadFile(filepath.Join(m.dir, "docs", "tides.md"))
		if err != nil || !bytes.Equal(before, after) || !strings.Contains(r.err, "ARGUMENT_INVALID: docs/tides.md is there and is not") {
			t.Errorf("%v: %v %s", args, err, r.err)
		}
		m.file("mine", "")
		for range 2 { // what it wrote itself is replaced
			m.must(0, append(slices.Clone(args), "--out", "mine")...)
		}
	}
}

// X69: what was measured over another corpus is not compared.
func TestEval(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	m.file("queries.jsonl", `{"id":"q1","text":"tide windows"}`+"\n"+`{"id":"q2","text":"crane brake"}`+"\n"+`{"id":"q3","text":"unjudged"}`)
	m.file("qrels.tsv", "q1\ttides.md\t1\nq2\tops/cranes.md\t2\nq2\tgone.md\t1\n")
	eval := func(code int, args ...string) result {
		t.Helper()
		return m.must(code, append([]string{"eval", "--data", "docs", "--queries", "queries.jsonl", "--qrels", "qrels.tsv"}, args...)...)
	}
	contains(t, "eval", eval(0, "--by-query", "--floor", "mrr@10=1", "--write-baseline", "baseline.json").out,
		"ndcg@10  recall@10  recall@100  mrr@10", "q1                        1.0000     1.0000      1.0000  1.0000", "mean of 2 ", "0.7500", "not in the corpus: gone.md")
	contains(t, "a floor", eval(5, "--floor", "recall@10=0.8").out, "missed: recall@10 is 0.750000, below the floor of 0.800000")
	contains(t, "an unknown measure", eval(2, "--floor", "ndcg@5=0.8").err, `ARGUMENT_UNKNOWN: there is no measure "ndcg@5"`)
	eval(0, "--baseline", "baseline.json")
	eval(5, "--floor", "recall@10=0.8", "--write-baseline", "missed.json")
	if _, err := os.Stat(filepath.Join(m.dir, "missed.json")); err == nil {
		t.Error("a run below its floor becomes a baseline")
	}

	// A baseline of better rankings.
	baseline, err := os.ReadFile(filepath.Join(m.dir, "baseline.json"))
	if err != nil {
		t.Fatal(err)
	}
	m.file("better.json", strings.ReplaceAll(string(baseline), `"recall@10":0.`, `"recall@10":0.9`))
	r := eval(5, "--baseline", "better.json", "--json")
	report := decode(t, r.out)
	if report["ok"] != false || at(report, "missed", 0, "measure") != "recall@10" || at(report, "missed", 0, "queries", 0, "id") != "q2" {
		t.Errorf("a lower figure: %s", r.out)
	}
	contains(t, "the query that fell", eval(5, "--baseline", "better.json").out, "missed: recall@10 is 0.750000, below the baseline of", `query "q2" fell from`)

	m.tree(map[string]string{"docs/fog.txt": "Fog is seldom.\n"})
	m.must(0, "index", "docs")
	contains(t, "another corpus", eval(2, "--baseline", "baseline.json").err, "BASELINE_REFUSED: baseline.json: it is of the corpus sha256:")
	eval(0, "--baseline", "baseline.json", "--as-of", "1")
	m.file("qrels.tsv", "q1 0 tides.md 1\n")
	contains(t, "other judgements", eval(2, "--baseline", "baseline.json", "--as-of", "1").err, "BASELINE_REFUSED: baseline.json: it is of the queries and judgements")
	m.file("qrels.tsv", "q9\ttides.md\t1\n")
	contains(t, "no judged query", eval(2).err, "none of the 3 queries")
}

func TestDiff(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	m.tree(map[string]string{"docs/tides.md": "# Tides\n\ncrane crane crane\n", "docs/new.md": "brake\n", "docs/fog.txt": ""})
	m.must(0, "index", "docs")
	out := m.must(0, "diff", "--data", "docs", "1", "2", "crane").out
	contains(t, "diff", out, "from generation 1", "to   generation 2", "documents: 1 added, 1 changed, 1 removed", "added    new.md", "changed  tides.md", "removed  fog.txt", "changed  tides.md")
	m.file("queries.jsonl", `{"id":"1","text":"crane"}`+"\n"+`{"id":"2","text":"windows"}`+"\n"+`{"id":"3","text":"harbour zeppelin"}`)
	report := decode(t, m.must(0, "diff", "--data", "docs", "--json", "--queries", "queries.jsonl", "1", "current").out)
	if at(report, "documents", "added", 0) != "new.md" || at(report, "from", "generation") != 1. || at(report, "rankings", 1, "moves", 0, "id") != "tides.md" || at(report, "rankings", 1, "moves", 0, "document") != "changed" {
		t.Errorf("%v", report)
	}
	contains(t, "no difference", m.must(0, "diff", "--data", "docs", "2", "2", "crane").out, "documents: 0 added, 0 changed, 0 removed", `"crane": the same documents in the same order`)
	contains(t, "no such generation", m.must(2, "diff", "--data", "docs", "1", "9").err, "GENERATION_UNKNOWN")
}

// A stored reply of search replays: over the generation that gave it, also when there are
// newer ones, and over the documents.
func TestReplaySearch(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	m.must(0, "search", "--data", "docs", "--out", "reply.json", "--explain", "--filter", "!year", "crane", "tide")
	contains(t, "over the index", m.must(0, "replay", "--data", "docs", "reply.json").out, "MATCH sha256:")
	m.tree(map[string]string{"docs/tides.md": "changed\n"})
	m.must(0, "index", "docs")
	contains(t, "over a newer index", m.must(0, "replay", "--data", "docs", "reply.json").out, "MATCH sha256:")
	m.must(0, "index", "--data", "other", "docs")
	contains(t, "over another index", m.must(4, "replay", "--data", "other", "reply.json").out, "UNVERIFIABLE: the corpus is missing or has changed", "tides.md")
	stored, err := os.ReadFile(filepath.Join(m.dir, "reply.json"))
	if err != nil {
		t.Fatal(err)
	}
	m.file("altered.json", strings.Replace(string(stored), "INV-004", "INV-005", 1))
	contains(t, "an altered one", m.must(4, "replay", "--data", "docs", "altered.json").out, "MISMATCH at hits[")
	m.must(0, "search", "--corpus", m.file("corpus.json", smallCorpus), "--out", "small.json", "tide")
	contains(t, "over a corpus file", m.must(0, "replay", "--corpus", "corpus.json", "small.json").out, "MATCH sha256:")
}

// A byte that changed on the disk is named by doctor, and nothing is answered from it.
func TestDamagedSegment(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	contains(t, "a whole index", m.must(0, "doctor", "--data", "docs").out, "ok    index")
	files, err := filepath.Glob(filepath.Join(m.dir, "docs", ".rookhaven", "segments", "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	segment, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, len(segment) / 2, len(segment) - 1} {
		damaged := append([]byte(nil), segment...)
		damaged[at] ^= 1
		if err := os.WriteFile(files[0], damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		r := m.must(2, "search", "--data", "docs", "tide")
		contains(t, "a search", r.err, "INDEX_DAMAGED: ", filepath.Base(files[0]), "rookhaven index --rebuild")
		if r.out != "" {
			t.Errorf("a damaged index answers: %s", r.out)
		}
	}
	contains(t, "doctor", m.must(2, "doctor", "--data", "docs").out, "fail  index", filepath.Base(files[0])+" is damaged", "rookhaven index --rebuild")
	contains(t, "index", m.must(2, "index", "docs").err, "INDEX_DAMAGED: ", filepath.Base(files[0]), "rookhaven index --rebuild")
	m.must(0, "index", "--rebuild", "docs")
	m.must(0, "search", "--data", "docs", "tide")
}

// What is asked for with flags is what the index has, or is refused.
func TestIndexSettings(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(map[string]string{"docs/a.md": "Die Häuser am Hafen.\n\nNoch ein Absatz.\n"})
	contains(t, "an unknown language", m.must(2, "index", "--language", "xx", "docs").err, "SETTINGS_INVALID")
	contains(t, "sizes that do not ascend", m.must(2, "index", "--min", "300", "docs").err, "SETTINGS_INVALID: min, target and max are 300, 180 and 220")
	m.must(0, "index", "--language", "de", "--chunks", "whole", "docs")
	contains(t, "a stem", m.must(0, "search", "--data", "docs", "Haus").out+m.must(0, "search", "--data", "docs", "Häusern").out, "a.md:1")
	m.must(0, "index", "docs")
	contains(t, "other settings", m.must(2, "index", "--language", "en", "docs").err, "SETTINGS_INVALID", "--rebuild")
	if got := at(decode(t, m.must(0, "index", "--language", "en", "--rebuild", "--json", "docs").out), "settings"); at(got, "language") != "en" || at(got, "chunks") != "whole" {
		t.Errorf("rebuilt with %v", got)
	}
}

// What is named and not there, or holds nothing, changes nothing.
func TestIndexRefuses(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	root := decode(t, m.must(0, "search", "--data", "docs", "--json", "tide").out)["corpus"]
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"index"}, "ARGUMENT_INVALID"},
		{[]string{"index", "absent"}, "FILE_UNREADABLE"},
		{[]string{"index", "--data", filepath.Join("docs", ".rookhaven"), m.t.TempDir()}, "ARGUMENT_INVALID: there is no document in"},
		{[]string{"index", "--data", filepath.Join("docs", ".rookhaven"), m.file("bad.json", "[")}, "CORPUS_INVALID"},
		{[]string{"index", "--data", m.file("a-file", "x"), "docs"}, "STORAGE_FAILED"},
	} {
		contains(t, fmt.Sprint(tt.args), m.must(2, tt.args...).err, tt.want)
	}
	if now := decode(t, m.must(0, "search", "--data", "docs", "--json", "tide").out)["corpus"]; now != root {
		t.Errorf("the corpus was %v, is %v", root, now)
	}
	m.must(0, "index", "--empty", "--data", filepath.Join("docs", ".rookhaven"), m.t.TempDir())
	contains(t, "an empty index", m.must(1, "search", "--data", "docs", "tide").out, "no_answer: the corpus is empty")
}

func TestIndexPassesOver(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	for i := range 12 {
		m.file(filepath.Join("docs", fmt.Sprintf("latin%02d.txt", i)), "na\xefve")
	}
	out := m.must(0, "index", "docs").out
	contains(t, "what is no text", out, "3 added", "12 files passed over:", "latin09.txt: byte 2 is not UTF-8", "and 2 more; --json lists all")
	if n := strings.Count(out, "\n"); n >= 20 { // X77
		t.Errorf("%d lines:\n%s", n, out)
	}
	m.must(3, "index", "--strict", "docs")
	if problems, _ := decode(t, m.must(0, "index", "--json", "docs").out)["problems"].([]any); len(problems) != 12 || at(problems, 0, "kind") != "no_text" || at(problems, 0, "id") != "latin00.txt" {
		t.Errorf("%v", problems)
	}
}

// X26: what cannot be read is not what was deleted.
func TestX26UnreadableIsNotDeleted(t *testing.T) {
	needIndex(t)
	if os.Getuid() <= 0 {
		t.Skip("everything can be read here")
	}
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	path := filepath.Join(m.dir, "docs", "tides.md")
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	r := m.run("", "index", "docs")
	contains(t, "index", r.out+r.err, "tides.md: permission denied")
	if r.code == 0 {
		t.Error("exit 0")
	}
	m.must(0, "search", "--data", "docs", "tide windows")
}

// X27: whenever the process is killed, there is the old generation or the new one, as a
// whole, and the next run makes the new one.
func TestX27Killed(t *testing.T) {
	needIndex(t)
	kills := 50
	if testing.Short() {
		kills = 6
	}
	m := newMachine(t)
	m.must(0, "index", m.edition(0))
	start := time.Now()
	m.must(0, "index", m.edition(1))
	took := time.Since(start)
	old, became := m.state("before"), map[string]int{}
	for seed := range kills {
		moment := time.Duration(rand.New(rand.NewPCG(uint64(seed), 27)).Int64N(int64(took * 5 / 4)))
		where := fmt.Sprintf("seed %d, killed after %v of %v", seed, moment, took)
		cmd := m.command("index", m.edition(seed+2))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(moment, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // either way is right
		kill.Stop()
		left := m.state(where, index.FileUnfinished, index.FileUnused, index.FileUntold)
		report := decode(t, m.must(0, "index", "--json", "docs").out)
		switch next := m.state(where + ", indexed again"); {
		case next.root != report["corpus"] || next.documents == old.documents:
			t.Fatalf("%s: then index made %+v of %+v", where, next, old)
		case left == old:
			became["old"]++
			old = next
		case left == next:
			became["new"]++
			old = next
		default:
			t.Fatalf("%s: there is neither the old state nor the new one:\n%+v\nold %+v\nnew %+v", where, left, old, next)
		}
		if seed%25 == 24 {
			contains(t, where, m.must(0, "doctor", "--data", "docs").out, "ok    index")
		}
	}
	t.Logf("%d kills within %v: %v", kills, took, became)
	if !testing.Short() && (became["old"] == 0 || became["new"] == 0) {
		t.Errorf("the kills left %v: they are not spread over the run", became)
	}
}

// edition puts edition n of the folder docs there, and names it: most documents are
// others in each, one came and one is gone.
func (m *machine) edition(n int) string {
	m.t.Helper()
	files := map[string]string{"docs/same.md": "# Fog\n\ntide signals\n", fmt.Sprintf("docs/new%d.md", n): fmt.Sprintf("tide pilots %d\n", n)}
	for i := range 4 {
		files[fmt.Sprintf("docs/tides%d.md", i)] = fmt.Sprintf("# Tides\n\ntide windows of edition %d\n", n)
	}
	if n > 0 {
		files[fmt.Sprintf("docs/new%d.md", n-1)] = ""
	}
	m.tree(files)
	return "docs"
}

// A state is what the index of docs holds, by all of its ways to say it.
type state struct{ root, documents, hits string }

// state opens the index of docs anew. It must have no problem but those named, and answer.
func (m *machine) state(where string, but ...index.Kind) state {
	m.t.Helper()
	l := library.Open(library.Options{Folder: filepath.Join(m.dir, "docs", ".rookhaven"), Disk: disk.OS(), Runner: inProcess(m.t), Clock: time.Now, Command: "a test"})
	defer func() { _ = l.Close(m.t.Context()) }()
	check, err := l.Check(m.t.Context())
	if err != nil || slices.ContainsFunc(check.Problems, func(p index.Problem) bool { return !slices.Contains(but, p.Kind) }) {
		m.t.Fatalf("%s: the index is not sound: %+v, %v", where, check, err)
	}
	x, err := l.Export(m.t.Context(), "")
	if err != nil {
		m.t.Fatalf("%s: %v", where, err)
	}
	defer func() { _ = x.Close(m.t.Context()) }()
	var documents []byte
	if err := x.Each(m.t.Context(), func(d []byte) error { documents = append(append(documents, d...), '\n'); return nil }); err != nil {
		m.t.Fatalf("%s: %v", where, err)
	}
	reply, _, err := l.Search(m.t.Context(), "", []byte(`{"query":"tide","limit":100,"text":"full","explain":true}`))
	if err != nil {
		m.t.Fatalf("%s: %v", where, err)
	}
	return state{x.Generation.Root, string(documents), string(reply)}
}

// X09: where the folder lies does not show in the index; X24: what was deleted is in no
// file once its generations are gone.
func TestX09NoPathsInside(t *testing.T) {
	needIndex(t)
	var names [2]string
	for i := range names {
		m := newMachine(t)
		m.tree(harbour)
		m.must(0, "index", filepath.Join(m.dir, "docs"))
		files, err := filepath.Glob(filepath.Join(m.dir, "docs", ".rookhaven", "segments", "*"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		names[i] = filepath.Base(files[0])
		content, err := os.ReadFile(files[0])
		if err != nil || strings.Contains(string(content), m.dir) {
			t.Errorf("%s names %s: %v", files[0], m.dir, err)
		}
	}
	if _, err := hex.DecodeString(names[0]); err != nil || names[0] != names[1] {
		t.Errorf("%s and %s", names[0], names[1])
	}
}

// The section of the README works as shown.
func TestReadmeSearch(t *testing.T) {
	needIndex(t)
	_, section, ok := strings.Cut(document(t, "README.md"), "## Search your files\n")
	_, block, fenced := strings.Cut(section, "```sh\n")
	script, _, ended := strings.Cut(block, "```")
	if !ok || !fenced || !ended {
		t.Fatal("the README has no such section")
	}
	m := newMachine(t)
	cmd := exec.Command("sh", "-e", "-c", strings.ReplaceAll(script, "bin/rookhaven", binary))
	cmd.Dir, cmd.Env = m.dir, m.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	contains(t, "the README", string(out), "2 added", "tides.md:1", "sum", "1 changed", "MATCH sha256:", "ndcg@10", "documents: 0 added, 1 changed, 0 removed")
}
