package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// golden compares text with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%s differs: %v\n%s", path, err, got)
	}
}

func TestExitCodes(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	m.file("bad.json", `{`)
	m.run("", "retrieve", "--corpus", "corpus.json", "--out", "reply.json", "tide")
	for _, tt := range []struct {
		name, stdin string
		args        []string
		code        int
		out, err    string
	}{
		{"hits", "", []string{"retrieve", "--corpus", "corpus.json", "tide windows"}, 0, "d2", ""},
		{"words without quotes", "", []string{"query", "--corpus", "corpus.json", "tide", "windows"}, 0, `"tide windows"`, ""},
		{"no hits", "", []string{"retrieve", "--corpus", "corpus.json", "zeppelin"}, 1, "no document holds a word", ""},
		{"only stop words", "", []string{"retrieve", "--corpus", "corpus.json", "the of"}, 1, "only stop words", ""},
		{"no corpus", "", []string{"retrieve", "tide"}, 1, "the corpus is empty", "corpus_unset"},
		{"a query from stdin", "tide windows\n", []string{"retrieve", "--corpus", "corpus.json", "-"}, 0, `"tide windows"`, ""},
		{"-- ends the flags", "", []string{"retrieve", "--corpus", "corpus.json", "--", "--tide"}, 0, `"--tide"`, ""},
		{"no query", "", []string{"retrieve", "--corpus", "corpus.json"}, 2, "", "ARGUMENT_INVALID: the query is missing"},
		{"an empty query", "", []string{"retrieve", "--corpus", "corpus.json", ""}, 2, "", "QUERY_EMPTY"},
		{"an ill-formed query from stdin", "\xff", []string{"retrieve", "-"}, 2, "", "ARGUMENT_INVALID"},
		{"an ill-formed query", "", []string{"retrieve", "--corpus", "corpus.json", "\xff"}, 2, "", "ARGUMENT_INVALID"},
		{"a budget of 0", "", []string{"retrieve", "-n", "0", "tide"}, 2, "", "BUDGET_OUT_OF_RANGE"},
		{"a budget of another type", "", []string{"retrieve", "-n", "ten", "tide"}, 2, "", "ARGUMENT_INVALID"},
		{"no such file", "", []string{"retrieve", "--corpus", "absent.json", "tide"}, 2, "", "CORPUS_UNREADABLE"},
		{"a bad file", "", []string{"retrieve", "--corpus", "bad.json", "tide"}, 2, "", "CORPUS_INVALID: bad.json: "},
		{"a misspelt flag", "", []string{"retrieve", "--budgt", "5", "tide"}, 2, "", `did you mean "--budget"?`},
		{"a flag of another tool", "", []string{"retrieve", "--top-k", "5", "tide"}, 2, "", `did you mean "--budget"?`},
		{"a misspelt verb", "", []string{"retrieves", "tide"}, 2, "", `did you mean "retrieve"?`},
		{"a verb of another tool", "", []string{"verify", "reply.json"}, 2, "", `did you mean "replay"?`},
		{"a misspelt choice", "", []string{"retrieve", "--text", "snipet", "tide"}, 2, "", "--text must be one of"},
		{"no verb", "", nil, 2, "", "a verb is missing"},
		{"help", "", []string{"--help"}, 0, "rookhaven retrieve --corpus", ""},
		{"help of a verb", "", []string{"retrieve", "--help"}, 0, "--explain", ""},
		{"version", "", []string{"version"}, 0, "sha256:", ""},
		{"version as a flag", "", []string{"--version"}, 0, "sha256:", ""},
		{"help as a verb", "", []string{"help"}, 0, "rookhaven retrieve --corpus", ""},
		{"help of a verb as a verb", "", []string{"help", "retrieve"}, 0, "--explain", ""},
		{"a budget with an exponent", "", []string{"retrieve", "-n", "1e3", "tide"}, 2, "", `ARGUMENT_INVALID: --budget is "1e3", it must be an integer`},
		{"a number that is none", "", []string{"engine", "prune", "--keep", "x"}, 2, "", `ARGUMENT_INVALID: --keep is "x", it must be an integer`},
		{"two formats", "", []string{"retrieve", "--corpus", "corpus.json", "--json", "--format", "text", "tide"}, 2, "", "--json and --format text contradict each other"},
		{"a format twice", "", []string{"retrieve", "--corpus", "corpus.json", "--json", "--format", "json", "tide"}, 0, `"digest"`, ""},
		{"a format for people", "", []string{"retrieve", "--corpus", "corpus.json", "--format", "text", "tide"}, 0, "needs", ""},
		{"a replay without a corpus", "", []string{"replay", "reply.json"}, 4, "UNVERIFIABLE: the corpus is missing\n", ""},
		{"a replay", "", []string{"replay", "--corpus", "corpus.json", "reply.json"}, 0, "MATCH sha256:", ""},
		{"a replay of nothing", "", []string{"replay", "--corpus", "corpus.json", "absent.json"}, 2, "", "FILE_UNREADABLE"},
		{"a replay of something else", "", []string{"replay", "--corpus", "corpus.json", "corpus.json"}, 2, "", "REPLY_INVALID"},
		{"a client that nobody knows", "", []string{"install", "--client", "cursr"}, 2, "", `did you mean "cursor"?`},
		{"an unknown setting's value", "", []string{"config", "show", "--max-recall", "0"}, 2, "", "CONFIG_INVALID"},
	} {
		r := m.run(tt.stdin, tt.args...)
		if r.code != tt.code || !strings.Contains(r.out, tt.out) || !strings.Contains(r.err, tt.err) || tt.err == "" && r.err != "" {
			t.Errorf("%s: exit %d, want %d\n%s\n%s", tt.name, r.code, tt.code, r.out, r.err)
		}
	}
}

// What retrieve, its explanation and a bad replay look like.
func TestGoldenText(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.jsonl", string(example))
	out := m.run("", "retrieve", "--corpus", "corpus.jsonl", "-n", "3", "--explain", "--seed", "demo", "crane faults and tide windows").out
	_, digest, _ := artifact.Built()
	lines := strings.Split(strings.ReplaceAll(out, digest[7:19], "ENGINE"), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "engine ENGINE") { // and the digest that depends on it
			lines[i] = line[:strings.Index(line, "reply ")] + "reply REPLY"
		}
	}
	golden(t, "retrieve.txt", strings.Join(lines, "\n"))
}

// --json gives the bytes that --out stores, and those that MCP gives.
func TestR05Bytes(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	a := m.run("", "retrieve", "--corpus", "corpus.json", "--json", "--out", "reply.json", "-n", "10", "tide windows")
	stored, err := os.ReadFile(filepath.Join(m.dir, "reply.json"))
	if err != nil || string(stored) != a.out {
		t.Errorf("stored %s, shown %s, %v", stored, a.out, err)
	}
	if b := m.run("", "retrieve", "--corpus", "corpus.json", "--format", "json", "-n", "10", "tide windows"); b.out != a.out {
		t.Errorf("twice: %s and %s", a.out, b.out)
	}
	text, _ := m.serve("--corpus", "corpus.json").call("retrieve", object{"query": "tide windows"})
	if text+"\n" != a.out {
		t.Errorf("MCP gives %s, the command line %s", text, a.out)
	}
	if c := m.run("", "retrieve", "--corpus", "corpus.json", "--json", "--shards", "3", "-n", "10", "tide windows"); c.out != a.out {
		t.Errorf("three shards: %s", c.out)
	}
}

// X68: explaining changes nothing that is explained.
func TestX68ExplainIsTheSame(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.jsonl", string(example))
	s := m.serve("--corpus", "corpus.jsonl")
	for _, query := range []string{"crane faults and tide windows", "lobster", "fog, ferry, oil; berth 7?", "1,000 tonnes"} {
		var hits [2]any
		for i, explain := range []bool{false, true} {
			text, failed := s.call("retrieve", object{"query": query, "explain": explain})
			if failed {
				t.Fatal(text)
			}
			list, _ := at(decode(t, text), "hits").([]any)
			for _, hit := range list {
				delete(hit.(object), "explain")
				for _, need := range hit.(object)["needs"].([]any) {
					delete(need.(object), "explain")
				}
			}
			hits[i] = list
		}
		if a, b := fmt.Sprint(hits[0]), fmt.Sprint(hits[1]); a != b {
			t.Errorf("%s: %s\n%s", query, a, b)
		}
	}
}

// X74: a document cannot act on the terminal.
func TestX74HostileText(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.json", `[{"id":"\u001b[2Jid","title":"\u009b31m\u202e","text":"tide \u001b]0;owned\u0007 windows"}]`)
	for _, args := range [][]string{{"retrieve", "--corpus", "corpus.json", "--explain", "tide"}, {"retrieve", "--corpus", "corpus.json", "\x1b[31mtide"}} {
		r := m.run("", args...)
		if strings.ContainsAny(r.out+r.err, "\x1b\u009b\u202e\a") || r.code > 1 {
			t.Errorf("exit %d: %q %q", r.code, r.out, r.err)
		}
	}
}

func TestConfigShow(t *testing.T) {
	m := newMachine(t, "ROOKHAVEN_MAX_RECALL=300")
	if err := os.MkdirAll(filepath.Join(m.home, ".config", "rookhaven"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(m.home, ".config", "rookhaven", "config.json")
	if err := os.WriteFile(path, []byte(`{"maxRecall": 200, "defaultSeed": "file"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	r := m.run("", "config", "show", "--origin", "--default-recall", "7")
	for _, want := range []string{
		"defaultRecall  7  (flag, --default-recall)",
		"maxRecall      300  (environment, ROOKHAVEN_MAX_RECALL)",
		"defaultSeed    file  (user file, " + path + ")",
		"maxQueryLen    4096  (default)",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no line %q in\n%s", want, r.out)
		}
	}
	list, _ := decode(t, m.run("", "config", "show", "--json").out)["settings"].([]any)
	if len(list) != 18 || at(list, 2, "origin") != "environment" {
		t.Errorf("settings: %v", list)
	}
}

// Each client's file, as install writes it anew; twice is once, undo undoes, and
// a file that is no JSON stays as it is.
func TestGoldenInstall(t *testing.T) {
	for client, path := range map[string]string{
		"claude-desktop": "~/.config/Claude/claude_desktop_config.json",
		"claude-code":    ".mcp.json",
		"cursor":         "~/.cursor/mcp.json",
		"vscode":         ".vscode/mcp.json",
		"codex":          "~/.codex/config.toml",
		"opencode":       "opencode.json",
		"windsurf":       "~/.codeium/windsurf/mcp_config.json",
		"jetbrains":      "~/.junie/mcp/mcp.json",
		"copilot":        "~/.copilot/mcp-config.json",
	} {
		m := newMachine(t)
		corpus := m.file("docs.jsonl", smallCorpus)
		file := filepath.Join(m.dir, path)
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			file = filepath.Join(m.home, rest)
		}
		printed := m.run("", "install", "--client", client, "--corpus", "docs.jsonl", "--print")
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s: --print writes", client)
		}
		r := m.run("", "install", "--client", client, "--corpus", "docs.jsonl")
		written, err := os.ReadFile(file)
		if err != nil || r.code != 0 || string(written) != printed.out {
			t.Errorf("%s: %v, exit %d, %s%s\n%s", client, err, r.code, r.err, written, printed.out)
			continue
		}
		golden(t, "install-"+client+".txt", strings.NewReplacer(binary, "/opt/rookhaven", corpus, "/data/docs.jsonl").Replace(string(written)))
		if r := m.run("", "install", "--client", client, "--corpus", "docs.jsonl"); r.code != 0 || !strings.Contains(r.out, "nothing to do") {
			t.Errorf("%s, twice: exit %d, %s", client, r.code, r.out)
		}
		if r := m.run("", "install", "--client", client, "--undo"); r.code != 0 {
			t.Errorf("%s, undo: exit %d, %s", client, r.code, r.err)
		}
		if undone, err := os.ReadFile(file); err != nil || strings.Contains(string(undone), binary) {
			t.Errorf("%s, undone: %s, %v", client, undone, err)
		}
		if backup, err := os.ReadFile(file + ".bak"); err != nil || string(backup) != string(written) {
			t.Errorf("%s, backup: %s, %v", client, backup, err)
		}
		if err := os.WriteFile(file, []byte("{ what"), 0o600); err != nil {
			t.Fatal(err)
		}
		r = m.run("", "install", "--client", client)
		if kept, _ := os.ReadFile(file); r.code != 2 || !strings.Contains(r.err, "not touched") || string(kept) != "{ what" {
			t.Errorf("%s, a file that is none: exit %d, %s", client, r.code, r.err)
		}
	}
}

func TestDoctor(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	good := m.run("", "doctor", "--corpus", "corpus.json", "--json")
	report := decode(t, good.out)
	checks, _ := report["checks"].([]any)
	if good.code != 0 || report["ok"] != true || len(checks) != 6 {
		t.Errorf("exit %d\n%s", good.code, good.out)
	}
	for _, check := range checks {
		if at(check, "status") != "ok" {
			t.Errorf("%v", check)
		}
	}
	m.file("corpus.json", "[")
	if r := m.run("", "doctor", "--corpus", "corpus.json"); r.code != 2 || !strings.Contains(r.out, "fail  corpus") {
		t.Errorf("a bad corpus: exit %d\n%s", r.code, r.out)
	}
	if r := m.run("", "doctor", "--max-recall", "0"); r.code != 2 || !strings.Contains(r.out, "fail  settings") {
		t.Errorf("a bad setting: exit %d\n%s", r.code, r.out)
	}
}

func TestDemo(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	r := m.run("", "demo", "--dir", "demo")
	for _, want := range []string{`1. "crane faults": weight 2, 3 slots`, `2. "tide windows": weight 2, 3 slots`, "picked by need 1", "picked by need 2", "answered", "rookhaven replay --corpus demo/corpus.jsonl demo/reply.json"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in\n%s", want, r.out)
		}
	}
	if r := m.run("", "replay", "--corpus", "demo/corpus.jsonl", "demo/reply.json"); r.code != 0 || !strings.HasPrefix(r.out, "MATCH ") {
		t.Errorf("the replay: exit %d, %s%s", r.code, r.out, r.err)
	}
}

// A write to a reader that went away is no crash with a stack.
func TestBrokenPipe(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	cmd := m.command("retrieve", "--corpus", "corpus.json", "tide")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	var stderr buffer
	cmd.Stdout, cmd.Stderr = w, &stderr
	_ = cmd.Run() // the signal is an error
	w.Close()
	if strings.Contains(stderr.String(), "goroutine") || strings.Contains(stderr.String(), "INTERNAL") {
		t.Errorf("stderr: %s", &stderr)
	}
}
