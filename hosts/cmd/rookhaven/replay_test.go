package main

import (
	"context"
	stdjson "encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/internal/corpusfile"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// verdict replays a stored reply and returns what is found.
func (m *machine) verdict(reply string, args ...string) (object, int) {
	m.t.Helper()
	r := m.run(reply, append([]string{"replay", "--json", "-"}, args...)...)
	if r.code != 0 && r.code != 4 {
		m.t.Fatalf("exit %d\n%s", r.code, r.err)
	}
	v := decode(m.t, r.out)
	if (v["verdict"] == "MATCH") != (r.code == 0) {
		m.t.Errorf("exit %d with %v", r.code, v)
	}
	return v, r.code
}

// R05: a stored reply replays as MATCH, in any spelling.
func TestR05Replay(t *testing.T) {
	needEngine(t)
	m := newMachine(t, "ROOKHAVEN_CORPUS_PATH=corpus.jsonl")
	m.file("corpus.jsonl", string(example))
	stored := m.run("", "retrieve", "--json", "--explain", "crane faults and tide windows").out
	if v, _ := m.verdict(stored); v["verdict"] != "MATCH" || v["digest"] != decode(t, stored)["digest"] {
		t.Errorf("as it is: %v", v)
	}
	var spelt strings.Builder
	e := stdjson.NewEncoder(&spelt)
	e.SetIndent("", "\t")
	var value any
	d := stdjson.NewDecoder(strings.NewReader(stored))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	if err := e.Encode(value); err != nil {
		t.Fatal(err)
	}
	if v, _ := m.verdict(spelt.String()); v["verdict"] != "MATCH" {
		t.Errorf("spelt differently: %v", v)
	}
	// The limits of a host act before a reply, never in its replay.
	if v, _ := m.verdict(stored, "--shards", "2"); v["verdict"] != "MATCH" {
		t.Errorf("with two shards: %v", v)
	}
	m.env = append(m.env, "ROOKHAVEN_MAX_RECALL=1", "ROOKHAVEN_MAX_QUERY_LEN=1", "ROOKHAVEN_DEFAULT_SEED=other")
	if v, _ := m.verdict(stored); v["verdict"] != "MATCH" {
		t.Errorf("under other limits: %v", v)
	}
}

// X65: many receipts, each gives the identical bytes.
func TestX65Receipts(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.jsonl", string(example))
	s := m.serve("--corpus", "corpus.jsonl")
	words := strings.Fields("crane tide berth fog ferry lobster oil rope light pilot salt ship quay storm")
	for i := range 200 {
		a, b := words[i%len(words)], words[(i/len(words)+i+1)%len(words)]
		text, failed := s.call("retrieve", object{
			"query": fmt.Sprintf("%s and %s %d", a, b, i), "seed": fmt.Sprint("run-", i), "recallBudget": i%20 + 1,
			"explain": i%3 == 0, "fill": i%2 == 0, "text": []string{"none", "snippet", "full"}[i%3],
		})
		if failed {
			t.Fatal(text)
		}
		if verdict, failed := s.call("replay", object{"reply": text}); failed || !strings.Contains(verdict, `"MATCH"`) {
			t.Fatalf("receipt %d: %s", i, verdict)
		}
	}
}

// Each member that is changed gives MISMATCH, and its name.
func TestReplayNamesWhatWasAltered(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.jsonl", string(example))
	s := m.serve("--corpus", "corpus.jsonl")
	text, _ := s.call("retrieve", object{"query": "crane faults and tide windows", "recallBudget": 3, "explain": true})
	stored := decode(t, text)
	changed := 0
	for _, path := range leafPaths(nil, stored) {
		var copied object
		if err := stdjson.Unmarshal([]byte(text), &copied); err != nil {
			t.Fatal(err)
		}
		alter(copied, path)
		verdict, failed := s.call("replay", object{"reply": copied})
		name := spell(path)
		if failed {
			// A request out of bounds, or a schema of another version, is no reply.
			if !strings.HasPrefix(verdict, "REPLY_INVALID") {
				t.Errorf("%s: %s", name, verdict)
			}
			continue
		}
		v := decode(t, verdict)
		if v["verdict"] != "MISMATCH" || v["at"] != name {
			t.Errorf("%s is changed: %s", name, verdict)
		}
		changed++
	}
	t.Logf("%d members changed", changed)
}

// leafPaths lists the paths to all values of a document that hold no others.
func leafPaths(path []any, v any) [][]any {
	here := append([]any(nil), path...)
	var list [][]any
	switch v := v.(type) {
	case object:
		for name, child := range v {
			list = append(list, leafPaths(append(here, name), child)...)
		}
	case []any:
		for i, child := range v {
			list = append(list, leafPaths(append(here, i), child)...)
		}
	default:
		return [][]any{here}
	}
	return list
}

func spell(path []any) string {
	var b strings.Builder
	for _, step := range path {
		if name, ok := step.(string); ok {
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(name)
		} else {
			fmt.Fprintf(&b, "[%d]", step)
		}
	}
	return b.String()
}

// alter changes one value into another of its type that is still well-formed.
func alter(v any, path []any) {
	parent, last := at(v, path[:len(path)-1]...), path[len(path)-1]
	var changed any
	switch old := at(parent, last).(type) {
	case bool:
		changed = !old
	case float64:
		changed = old + 1
	case string:
		changed = old + "x"
		if strings.HasPrefix(old, "sha256:") {
			changed = old[:len(old)-1] + map[bool]string{true: "1", false: "0"}[old[len(old)-1] == '0']
		}
		switch old {
		case "each":
			changed = "seed"
		case "snippet":
			changed = "full"
		}
	}
	switch last := last.(type) {
	case string:
		parent.(object)[last] = changed
	case int:
		parent.([]any)[last] = changed
	}
}

// A changed corpus is UNVERIFIABLE, and the first differing document is named
// where the leaves were kept; without them, the first hit that changed is.
func TestReplayOverAChangedCorpus(t *testing.T) {
	needEngine(t)
	m := newMachine(t, "ROOKHAVEN_CORPUS_PATH=corpus.json")
	m.file("corpus.json", `[{"id":"a","text":"tide one"},{"id":"b","text":"tide two"},{"id":"c","text":"fog"}]`)
	stored := m.run("", "retrieve", "--json", "tide").out
	m.file("corpus.json", `[{"id":"a","text":"tide one"},{"id":"b","text":"tide two"},{"id":"c","text":"mist"}]`)
	if v, _ := m.verdict(stored); v["verdict"] != "UNVERIFIABLE" || v["missing"] != "corpus" || v["document"] != "c" || v["stored"] != decode(t, stored)["corpus"] {
		t.Errorf("a document that is no hit: %v", v)
	}
	r := m.run(stored, "replay", "-")
	if !strings.Contains(r.out, "UNVERIFIABLE: the corpus") || !strings.Contains(r.out, "first document that differs: c") {
		t.Errorf("for people: %s", r.out)
	}
	data := filepath.Join(m.home, ".local", "share", "rookhaven")
	if err := os.RemoveAll(filepath.Join(data, "corpora")); err != nil {
		t.Fatal(err)
	}
	m.file("corpus.json", `[{"id":"a","text":"tide one"},{"id":"b","text":"tide 2"},{"id":"c","text":"mist"}]`)
	if v, _ := m.verdict(stored); v["missing"] != "corpus" || v["document"] != "b" {
		t.Errorf("without leaves: %v", v)
	}
	// Leaves that are damaged help nobody, and harm nobody.
	root := strings.TrimPrefix(fmt.Sprint(decode(t, stored)["corpus"]), "sha256:")
	if err := os.MkdirAll(filepath.Join(data, "corpora"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, damaged := range []string{"[", `[["x","sha256:` + root + `"],["x","sha256:` + root + `"]]`} {
		if err := os.WriteFile(filepath.Join(data, "corpora", root+".rkt"), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if v, _ := m.verdict(stored); v["missing"] != "corpus" {
			t.Errorf("with damaged leaves: %v", v)
		}
	}
	os.Remove(filepath.Join(m.dir, "corpus.json"))
	if v, _ := m.verdict(stored); v["verdict"] != "UNVERIFIABLE" || v["missing"] != "corpus" {
		t.Errorf("without the file: %v", v)
	}
}

// older returns an engine with another digest that ranks alike, and a reply that
// it gave over a corpus: what an archive holds after an upgrade.
func older(t *testing.T, corpus string) (wasm []byte, stored string) {
	t.Helper()
	built, _, _ := artifact.Built()
	wasm = append(append([]byte(nil), built...), 0, 4, 3, 'o', 'l', 'd') // a custom section
	if err := artifact.Check(wasm, ""); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	r, err := wazero.Open(ctx, wasm, wazero.Config{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close(ctx) }()
	documents, err := corpusfile.Parse([]byte(corpus))
	if err != nil {
		t.Fatal(err)
	}
	c, err := pool.Open(ctx, r, pool.Config{}, abi.Names{Engine: r.Engine()}, documents)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(ctx) }()
	reply, _, err := c.Retrieve(ctx, []byte(`{"query":"tide windows","text":"snippet"}`))
	if err != nil {
		t.Fatal(err)
	}
	return wasm, string(reply)
}

// A reply of an engine that was replaced replays with its archived engine, or
// with one that is given; without either, the engine is what is missing.
func TestReplayWithAnArchivedEngine(t *testing.T) {
	needEngine(t)
	m := newMachine(t, "ROOKHAVEN_CORPUS_PATH=corpus.json")
	m.file("corpus.json", smallCorpus)
	wasm, stored := older(t, smallCorpus)
	digest := artifact.Digest(wasm)
	file := m.file("old.wasm", string(wasm))

	if v, _ := m.verdict(stored); v["verdict"] != "UNVERIFIABLE" || v["missing"] != "engine" || v["stored"] != digest {
		t.Errorf("without the engine: %v", v)
	}
	if r := m.run(stored, "replay", "-"); !strings.Contains(r.out, "UNVERIFIABLE: the engine is missing") || !strings.Contains(r.out, "--engine FILE") {
		t.Errorf("for people: %s", r.out)
	}
	altered := strings.Replace(stored, `"query":"tide windows"`, `"query":"tide window"`, 1)
	if v, _ := m.verdict(altered); v["verdict"] != "MISMATCH" {
		t.Errorf("altered, without the engine: %v", v)
	}
	if v, _ := m.verdict(stored, "--engine", file); v["verdict"] != "MATCH" {
		t.Errorf("with the engine given: %v", v)
	}
	if r := m.run("", "engine", "add", "old.wasm"); r.code != 0 || r.out != digest+"\n" {
		t.Errorf("engine add: exit %d, %s%s", r.code, r.out, r.err)
	}
	if v, _ := m.verdict(stored); v["verdict"] != "MATCH" {
		t.Errorf("with the engine kept: %v", v)
	}
	if v, _ := m.verdict(altered); v["verdict"] != "MISMATCH" {
		t.Errorf("altered: %v", v)
	}
	s := m.serve()
	if verdict, failed := s.call("replay", object{"reply": stored}); failed || !strings.Contains(verdict, `"MATCH"`) {
		t.Errorf("over MCP: %s", verdict)
	}

	// What is given but is not the engine that is named is not run.
	for name, content := range map[string]string{"no engine": "tide", "a damaged one": string(wasm[:len(wasm)/2])} {
		if r := m.run(stored, "replay", "--engine", m.file("bad.wasm", content), "-"); r.code != 2 || !strings.Contains(r.err, "ENGINE_REFUSED") {
			t.Errorf("%s: exit %d, %s", name, r.code, r.err)
		}
	}
	own := m.run("", "retrieve", "--json", "tide").out
	if r := m.run(own, "replay", "--engine", file, "-"); r.code != 2 || !strings.Contains(r.err, "ENGINE_REFUSED") {
		t.Errorf("another engine: exit %d, %s", r.code, r.err)
	}
	// A kept file that is not what its name says is not run, either.
	kept := filepath.Join(m.home, ".local", "share", "rookhaven", "engines", strings.TrimPrefix(digest, "sha256:")+".wasm")
	if err := os.WriteFile(kept, wasm[:len(wasm)-6], 0o600); err != nil {
		t.Fatal(err)
	}
	if r := m.run(stored, "replay", "-"); r.code != 4 || !strings.Contains(r.out, "UNVERIFIABLE: the engine is missing") || !strings.Contains(r.err, "engine_unusable") || !strings.Contains(r.err, kept) {
		t.Errorf("a damaged archive: exit %d, %s%s", r.code, r.out, r.err)
	}
	for _, args := range [][]string{{"engine", "list"}, {"doctor"}} {
		if r := m.run("", args...); !strings.Contains(r.out, "damaged") {
			t.Errorf("%v does not show the damaged engine: %s", args, r.out)
		}
	}
	if r := m.run("", "engine", "export", digest, "x.wasm"); r.code != 2 || !strings.Contains(r.err, kept) {
		t.Errorf("an export of a damaged engine: exit %d, %s", r.code, r.err)
	}
	m.file("right.wasm", string(wasm))
	if r := m.run("", "engine", "add", "right.wasm"); r.code != 0 {
		t.Errorf("the right file again: exit %d, %s", r.code, r.err)
	}
	if r := m.run(stored, "replay", "-"); r.code != 0 {
		t.Errorf("the mended archive: exit %d, %s%s", r.code, r.out, r.err)
	}
	if r := m.run("", "engine", "list"); strings.Contains(r.out, "damaged") {
		t.Errorf("after that: %s", r.out)
	}
}

// The first answer in a data folder keeps its engine and its corpus root there,
// at either door.
func TestAnswersAreKept(t *testing.T) {
	needEngine(t)
	_, digest, _ := artifact.Built()
	for _, door := range []string{"cli", "mcp"} {
		m := newMachine(t, "ROOKHAVEN_CORPUS_PATH=corpus.json")
		m.file("corpus.json", smallCorpus)
		var reply object
		if door == "cli" {
			reply = decode(t, m.run("", "retrieve", "--json", "tide").out)
		} else {
			s := m.serve()
			reply = s.retrieve("tide")
			s.end()
		}
		data := filepath.Join(m.home, ".local", "share", "rookhaven")
		for _, file := range []string{"engines/" + strings.TrimPrefix(digest, "sha256:") + ".wasm", "corpora/" + strings.TrimPrefix(fmt.Sprint(reply["corpus"]), "sha256:") + ".rkt"} {
			if _, err := os.Stat(filepath.Join(data, file)); err != nil {
				t.Errorf("%s: %v", door, err)
			}
		}
	}
}

func TestEngineVerbs(t *testing.T) {
	needEngine(t)
	_, digest, _ := artifact.Built()
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	m.run("", "retrieve", "--corpus", "corpus.json", "tide")
	list := decode(t, m.run("", "engine", "list", "--json").out)["engines"]
	if at(list, 0, "engine") != digest || at(list, 0, "where") != "built-in" || at(list, 1, "where") != "kept" {
		t.Errorf("engine list: %v", list)
	}
	if r := m.run("", "engine", "export", digest[:20], "out.wasm"); r.code != 0 {
		t.Errorf("engine export: %s", r.err)
	}
	if wasm, err := os.ReadFile(filepath.Join(m.dir, "out.wasm")); err != nil || artifact.Digest(wasm) != digest {
		t.Errorf("what was exported: %v", err)
	}
	if r := m.run("", "engine", "export", "built-in", "out.wasm"); r.code != 2 || !strings.Contains(r.err, "FILE_UNWRITABLE") {
		t.Errorf("an export over a file: exit %d, %s", r.code, r.err)
	}
	if r := m.run("", "engine", "export", "ffff", "x.wasm"); r.code != 2 || !strings.Contains(r.err, "ENGINE_UNKNOWN") {
		t.Errorf("an export of nothing: exit %d, %s", r.code, r.err)
	}
	if r := m.run("", "engine", "add", "corpus.json"); r.code != 2 || !strings.Contains(r.err, "ENGINE_REFUSED") {
		t.Errorf("an engine that is none: exit %d, %s", r.code, r.err)
	}
	if r := m.run("", "engine", "prune"); r.code != 0 || r.out != "" {
		t.Errorf("a prune of what is new: %s", r.out)
	}
	if r := m.run("", "engine", "prune", "--keep", "0", "--days", "0", "--dry-run"); strings.Count(r.out, "\n") != 2 {
		t.Errorf("a prune of all, not in earnest: %s", r.out)
	}
	if r := m.run("", "engine", "prune", "--keep", "0", "--days", "0"); strings.Count(r.out, "\n") != 2 {
		t.Errorf("a prune of all: %s%s", r.out, r.err)
	}
	if list := decode(t, m.run("", "engine", "list", "--json").out)["engines"].([]any); len(list) != 1 {
		t.Errorf("after the prune: %v", list)
	}
}
