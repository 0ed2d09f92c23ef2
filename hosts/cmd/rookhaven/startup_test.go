package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// R22: what keeps a server from starting is one JSON line on stderr, an exit code
// other than 0, and nothing on stdout.
func TestR22Startup(t *testing.T) {
	many := "[" + strings.Repeat(`{"id":"x","text":""},`, 0) + `{"id":"a","text":""},{"id":"b","text":""},{"id":"c","text":""}]`
	for _, tt := range []struct {
		name, corpus, env, code, sentence string
		args                              []string
	}{
		{"no file", "", "ROOKHAVEN_CORPUS_PATH=absent.json", "CORPUS_UNREADABLE", "absent.json", nil},
		{"a folder", "", "ROOKHAVEN_CORPUS_PATH=.", "CORPUS_UNREADABLE", "", nil},
		{"no JSON", `{`, "", "CORPUS_INVALID", "corpus.json", nil},
		{"an empty file", ``, "", "CORPUS_INVALID", "[]", nil},
		{"no array", `{"documents":[]}`, "", "CORPUS_INVALID", "", nil},
		{"a wrong type", `[{"id":"a","text":5}]`, "", "CORPUS_INVALID", "[0].text", nil},
		{"a duplicate id", `[{"id":"a","text":""},{"id":"a","text":""}]`, "", "CORPUS_INVALID", `"a"`, nil},
		{"an empty id", `[{"id":"","text":""}]`, "", "CORPUS_INVALID", "empty", nil},
		{"too many documents", many, "ROOKHAVEN_MAX_CORPUS_DOCS=2", "CORPUS_TOO_LARGE", "3 documents, the limit is 2", nil},
		{"a bad recall", "[]", "ROOKHAVEN_DEFAULT_RECALL=0", "CONFIG_INVALID", "ROOKHAVEN_DEFAULT_RECALL", nil},
		{"a recall above the maximum", "[]", "ROOKHAVEN_DEFAULT_RECALL=1001", "CONFIG_INVALID", "at most", nil},
		{"a bad maximum", "[]", "ROOKHAVEN_MAX_RECALL=many", "CONFIG_INVALID", "ROOKHAVEN_MAX_RECALL", nil},
		{"a bad length", "[]", "ROOKHAVEN_MAX_QUERY_LEN=65537", "CONFIG_INVALID", "ROOKHAVEN_MAX_QUERY_LEN", nil},
		{"a bad count", "[]", "ROOKHAVEN_MAX_CORPUS_DOCS=-1", "CONFIG_INVALID", "ROOKHAVEN_MAX_CORPUS_DOCS", nil},
		{"a bad seed", "[]", "ROOKHAVEN_DEFAULT_SEED=\xff", "CONFIG_INVALID", "ROOKHAVEN_DEFAULT_SEED", nil},
		{"a bad level", "[]", "ROOKHAVEN_LOG_LEVEL=loud", "CONFIG_INVALID", "ROOKHAVEN_LOG_LEVEL", nil},
		{"a bad flag value", "[]", "", "CONFIG_INVALID", "--max-recall", []string{"--max-recall", "0"}},
		{"an unknown flag", "[]", "", "ARGUMENT_UNKNOWN", "--corpus", []string{"--corpsu", "x"}},
	} {
		env := []string{tt.env}
		if tt.env == "" {
			env = []string{"ROOKHAVEN_CORPUS_PATH=corpus.json"}
		} else if tt.corpus != "" {
			env = append(env, "ROOKHAVEN_CORPUS_PATH=corpus.json")
		}
		m := newMachine(t, env...)
		m.file("corpus.json", tt.corpus)
		r := m.run(bare, append([]string{"mcp"}, tt.args...)...)
		line, ok := logLines(t, r.err)["not_started"]
		if r.out != "" || r.code != 2 || !ok || line["level"] != "error" || line["code"] != tt.code || !strings.Contains(fmt.Sprint(line["sentence"]), tt.sentence) {
			t.Errorf("%s: exit %d, stdout %q, stderr %s", tt.name, r.code, r.out, r.err)
		}
		if n := strings.Count(r.err, "\n"); n != 1 {
			t.Errorf("%s: %d lines: %s", tt.name, n, r.err)
		}
	}
}

// R21: without a corpus the server starts, warns, and answers no hits.
func TestR21EmptyCorpus(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	r := m.run(bare+"\n"+request, "mcp")
	reply := at(answers(t, r.out)["2"], "result", "structuredContent")
	if at(reply, "verdict") != "no_answer" || at(reply, "reason") != "empty_corpus" || len(at(reply, "hits").([]any)) != 0 {
		t.Errorf("reply: %v", reply)
	}
	if log := logLines(t, r.err); log["corpus_unset"]["level"] != "warn" {
		t.Errorf("stderr: %s", r.err)
	}
}

// R24: the limits on the query, on the budget and on the corpus are the
// configured ones, at their bounds.
func TestR24Limits(t *testing.T) {
	needEngine(t)
	m := newMachine(t, "ROOKHAVEN_MAX_QUERY_LEN=4", "ROOKHAVEN_MAX_RECALL=2", "ROOKHAVEN_MAX_CORPUS_DOCS=2")
	m.file("corpus.json", smallCorpus)
	s := m.serve("--corpus", "corpus.json")
	for _, tt := range []struct {
		name      string
		arguments object
		want      string
	}{
		{"a query at the limit", object{"query": "tide"}, ""},
		{"two units each", object{"query": "😀😀"}, ""},
		{"a query over the limit", object{"query": "tides"}, "QUERY_TOO_LONG: the query has 5 units, the limit is 4"},
		{"a need over the limit", object{"query": "tide", "needs": []string{"tides"}}, "NEEDS_INVALID: "},
		{"a budget at the limit", object{"query": "tide", "recallBudget": 2}, ""},
		{"a budget over the limit", object{"query": "tide", "recallBudget": 3}, "BUDGET_OUT_OF_RANGE: recallBudget is 3, it must be between 1 and 2"},
	} {
		text, failed := s.call("retrieve", tt.arguments)
		if failed != (tt.want != "") || !strings.HasPrefix(text, tt.want) {
			t.Errorf("%s: %.200s", tt.name, text)
		}
		if !failed && at(decode(t, text), "request", "recallBudget") != 2.0 {
			t.Errorf("%s: the default budget is above the maximum: %s", tt.name, text)
		}
	}
}

// R23: the defaults that a request takes from the environment are in its reply.
func TestR23Defaults(t *testing.T) {
	needEngine(t)
	m := newMachine(t, "ROOKHAVEN_DEFAULT_RECALL=3", "ROOKHAVEN_DEFAULT_SEED=tuesday", "ROOKHAVEN_CORPUS_PATH=corpus.json")
	m.file("corpus.json", smallCorpus)
	for _, reply := range []object{m.serve().retrieve("tide windows"), decode(t, m.run("", "retrieve", "--json", "tide windows").out)} {
		if at(reply, "request", "recallBudget") != 3.0 || at(reply, "audit", "seed") != "tuesday" {
			t.Errorf("request: %v", at(reply, "request"))
		}
	}
}

// A data folder or a cache that cannot be written fails no answer.
func TestFoldersMayFail(t *testing.T) {
	needEngine(t)
	m := newMachine(t, "ROOKHAVEN_LOG_LEVEL=info")
	file := m.file("file", "")
	m.env = append(m.env, "ROOKHAVEN_DATA_DIR="+filepath.Join(file, "data"), "ROOKHAVEN_CACHE_DIR="+filepath.Join(file, "cache"))
	m.file("corpus.json", smallCorpus)
	s := m.serve("--corpus", "corpus.json")
	s.retrieve("tide")
	s.retrieve("crane")
	s.end()
	if n := strings.Count(s.stderr.String(), "cache_unusable"); n != 1 {
		t.Errorf("%d warnings about the cache: %s", n, s.stderr)
	}
	if n := strings.Count(s.stderr.String(), "not_kept"); n != 1 {
		t.Errorf("%d warnings about the data folder: %s", n, s.stderr)
	}
}

// A cache that others may write is not executed.
func TestOpenCacheIsNotUsed(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	dir := filepath.Join(m.dir, "cache")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	m.file("corpus.json", smallCorpus)
	r := m.run("", "retrieve", "--corpus", "corpus.json", "--cache-dir", dir, "tide")
	if entries, _ := os.ReadDir(dir); r.code != 0 || !strings.Contains(r.err, "cache_unusable") || len(entries) > 1 {
		t.Errorf("exit %d, %d entries, %s", r.code, len(entries), r.err)
	}
}
