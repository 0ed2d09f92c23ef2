package main

import (
	stdjson "encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// judgedHarbour is an index with queries of each kind: q1 and q2 have relevant documents,
// q3 has no judgement, and q4 none above 0.
func judgedHarbour(t *testing.T) (m *machine, eval func(code int, args ...string) result) {
	t.Helper()
	needIndex(t)
	m = newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	m.file("queries.jsonl", `{"id":"q4","text":"crane"}`+"\n"+`{"id":"q1","text":"tide windows"}`+"\n"+`{"id":"q2","text":"crane brake"}`+"\n"+`{"id":"q3","text":"unjudged"}`)
	m.file("qrels.tsv", "q1\ttides.md\t1\nq2\tops/cranes.md\t2\nq2\tgone.md\t1\nq4\ttides.md\t0\n")
	return m, func(code int, args ...string) result {
		t.Helper()
		return m.must(code, append([]string{"eval", "--data", "docs", "--queries", "queries.jsonl", "--qrels", "qrels.tsv"}, args...)...)
	}
}

func compact(t *testing.T, v any) string {
	t.Helper()
	out, err := stdjson.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// A first judgement with a bad grade is no heading.
func TestEvalFirstLine(t *testing.T) {
	m, eval := judgedHarbour(t)
	m.file("qrels.tsv", "q1\ttides.md\thigh\nq2\tops/cranes.md\t2\n")
	contains(t, "a bad grade", eval(2).err, `ARGUMENT_INVALID: qrels.tsv: line 1: the grade is "high"`)
	m.file("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\ttides.md\t1\nq2\tops/cranes.md\t2\n")
	contains(t, "a heading", eval(0).out, "mean of 2 ")
}

// Queries that the mean leaves out are named.
func TestEvalUnjudged(t *testing.T) {
	m, eval := judgedHarbour(t)
	contains(t, "for people", eval(0).out, "mean of 2 ", "asked, and no document is relevant (2): q3, q4")
	if got := compact(t, decode(t, eval(0, "--json").out)["unjudged"]); got != `["q3","q4"]` {
		t.Errorf("unjudged: %s", got)
	}
	m.file("queries.jsonl", `{"id":"q1","text":"tide windows"}`)
	if out := eval(0).out; strings.Contains(out, "no document is relevant") {
		t.Errorf("each query is judged:\n%s", out)
	}
	if got, there := decode(t, eval(0, "--json").out)["unjudged"]; there {
		t.Errorf("unjudged: %v", got)
	}
}

// What was reached is said, as what was missed is.
func TestEvalGates(t *testing.T) {
	m, eval := judgedHarbour(t)
	const reached = "reached: recall@10 is 0.750000, the floor is 0.700000"
	if out := eval(0, "--write-baseline", "baseline.json").out; strings.Contains(out, "reached") {
		t.Errorf("there is no gate:\n%s", out)
	}
	baseline, err := os.ReadFile(filepath.Join(m.dir, "baseline.json"))
	if err != nil {
		t.Fatal(err)
	}
	m.file("better.json", strings.ReplaceAll(string(baseline), `"recall@10":0.75`, `"recall@10":0.95`))

	contains(t, "both", eval(0, "--floor", "recall@10=0.7", "--baseline", "baseline.json").out, reached, "reached: the baseline of baseline.json")
	out := eval(5, "--floor", "recall@10=0.7", "--floor", "recall@10=0.8", "--baseline", "better.json").out
	contains(t, "one of two floors", out, reached, "missed: recall@10 is 0.750000, below the floor of 0.800000", "missed: recall@10 is 0.750000, below the baseline of 0.950000")
	if strings.Contains(out, "reached: the baseline") {
		t.Errorf("the baseline is missed in one measure:\n%s", out)
	}

	for _, tt := range []struct {
		name          string
		code          int
		args          []string
		gates, missed string
	}{
		{"none", 0, nil, `[]`, `[]`},
		{"a floor is reached", 0, []string{"--floor", "recall@10=0.7"}, `[{"gate":"floor","is":0.75,"least":0.7,"measure":"recall@10","ok":true}]`, `[]`},
		{"a floor is missed", 5, []string{"--floor", "recall@10=0.8", "--floor", "mrr@10=1"},
			`[{"gate":"floor","is":0.75,"least":0.8,"measure":"recall@10","ok":false},{"gate":"floor","is":1,"least":1,"measure":"mrr@10","ok":true}]`,
			`[{"gate":"floor","is":0.75,"least":0.8,"measure":"recall@10"}]`},
	} {
		report := decode(t, eval(tt.code, append(tt.args, "--json")...).out)
		if gates, missed := compact(t, report["gates"]), compact(t, report["missed"]); gates != tt.gates || missed != tt.missed {
			t.Errorf("%s: gates %s, missed %s", tt.name, gates, missed)
		}
	}
	report := decode(t, eval(5, "--baseline", "better.json", "--json").out)
	if gates, _ := report["gates"].([]any); len(gates) != 4 || at(report, "gates", 0, "ok") != true || at(report, "gates", 1, "gate") != "baseline" || at(report, "gates", 1, "ok") != false {
		t.Errorf("the measures of a baseline: %s", compact(t, report["gates"]))
	}
}

// A baseline that a miss keeps from being written is said, and is not.
func TestEvalWritesNoBaseline(t *testing.T) {
	m, eval := judgedHarbour(t)
	for _, args := range [][]string{{"--floor", "recall@10=0.8"}, {"--floor", "recall@10=0.8", "--json"}} {
		r := eval(5, append(args, "--write-baseline", "baseline.json")...)
		contains(t, strings.Join(args, " "), r.err, "rookhaven: no baseline was written to baseline.json: the run misses a floor or its own baseline\n")
		if _, err := os.Lstat(filepath.Join(m.dir, "baseline.json")); !os.IsNotExist(err) {
			t.Errorf("%v: there is a baseline: %v", args, err)
		}
	}
	if r := eval(0, "--floor", "recall@10=0.7", "--write-baseline", "baseline.json"); r.err != "" {
		t.Errorf("the floor is reached: %s", r.err)
	}
}

// A baseline that was ranked in another way is compared with, and that is said.
func TestEvalBaselineOfAnotherWay(t *testing.T) {
	m, eval := judgedHarbour(t)
	eval(0, "--profile", "journal", "--match", "exactThenFallback", "--write-baseline", "baseline.json")
	baseline, err := os.ReadFile(filepath.Join(m.dir, "baseline.json"))
	if err != nil {
		t.Fatal(err)
	}
	m.file("old.json", strings.Replace(string(baseline), `"match":"exactThenFallback",`, "", 1)) // of a version that had no match
	const (
		profile = "the baseline ranks by profile journal, this run by standard"
		match   = "the baseline ranks by match exactThenFallback, this run by any"
	)
	for _, tt := range []struct {
		name    string
		args    []string
		said    []string
		differs string
	}{
		{"the same way", []string{"--baseline", "baseline.json", "--profile", "journal", "--match", "exactThenFallback"}, nil, `null`},
		{"another profile", []string{"--baseline", "baseline.json", "--match", "exactThenFallback"}, []string{profile}, `[{"is":"standard","option":"profile","was":"journal"}]`},
		{"both differ", []string{"--baseline", "baseline.json"}, []string{profile, match},
			`[{"is":"standard","option":"profile","was":"journal"},{"is":"any","option":"match","was":"exactThenFallback"}]`},
		{"an older baseline is of any", []string{"--baseline", "old.json", "--profile", "journal"}, nil, `null`},
		{"an older baseline and another match", []string{"--baseline", "old.json", "--profile", "journal", "--match", "exactThenFallback"},
			[]string{"the baseline ranks by match any, this run by exactThenFallback"}, `[{"is":"exactThenFallback","option":"match","was":"any"}]`},
		{"no baseline", []string{"--match", "exactThenFallback"}, nil, `null`},
	} {
		out := eval(0, tt.args...).out
		contains(t, tt.name, out, tt.said...)
		if n := strings.Count(out, "the baseline ranks by"); n != len(tt.said) {
			t.Errorf("%s: %d lines say so:\n%s", tt.name, n, out)
		}
		report := decode(t, eval(0, append(tt.args, "--json")...).out)
		if got := compact(t, report["differs"]); got != tt.differs {
			t.Errorf("%s: differs: %s, want %s", tt.name, got, tt.differs)
		}
		if match := tt.args[len(tt.args)-1]; match == "exactThenFallback" && report["match"] != match {
			t.Errorf("%s: match is %v", tt.name, report["match"])
		}
	}
}
