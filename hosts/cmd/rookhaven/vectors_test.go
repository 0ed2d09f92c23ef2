package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// tinyModel is a model of 32 dimensions, whose weights mean nothing.
func tinyModel(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile("../../../js/test/support/tiny.rkm")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// An index is made with vectors, searched by both legs, and its replies are replayed; a
// model that is another one, damaged or gone leaves the words.
func TestVectors(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	tiny := tinyModel(t)
	path := m.file("tiny.rkm", string(tiny))
	m.env = append(m.env, "ROOKHAVEN_MODEL="+path)
	report := decode(t, m.must(0, "index", "--json", "docs").out)
	if report["model"] != artifact.Digest(tiny) {
		t.Errorf("the model is %v", report["model"])
	}
	contains(t, "index again", m.must(0, "index", "docs").out, "as it was", "vectors by")

	reply := decode(t, m.must(0, "search", "--data", "docs", "--json", "--out", "reply.json", "tide windows").out)
	if at(reply["request"], "mode") != "hybrid" || reply["model"] != report["model"] || len(reply["degraded"].([]any)) != 0 {
		t.Errorf("%v", reply)
	}
	contains(t, "replay", m.must(0, "replay", "--data", "docs", "reply.json").out, "MATCH")
	stored, err := os.ReadFile(filepath.Join(m.dir, "reply.json"))
	if err != nil {
		t.Fatal(err)
	}
	m.file("altered.json", strings.Replace(string(stored), `"cosine":0.`, `"cosine":0.1`, 1))
	contains(t, "altered", m.must(4, "replay", "--data", "docs", "altered.json").out, "MISMATCH")
	contains(t, "explain", m.must(0, "explain", "--data", "docs", "-n", "1", "tide windows").out, "by words", "by meaning", "share")
	for mode, want := range map[string]string{"vector": "vector", "semantic": "vector", "lexical": "lexical", "auto": "hybrid"} {
		got := decode(t, m.must(0, "search", "--data", "docs", "--json", "--mode", mode, "tide").out)
		if at(got["request"], "mode") != want {
			t.Errorf("--mode %s is %v", mode, at(got["request"], "mode"))
		}
	}
	fused := decode(t, m.must(0, "search", "--data", "docs", "--json", "--fusion", "rrf", "tide").out)
	if at(fused["request"], "fusion") != "rrf" {
		t.Errorf("%v", fused["request"])
	}
	m.must(2, "search", "--data", "docs", "--mode", "lexical", "--fusion", "rrf", "tide")
	needs := decode(t, m.must(0, "retrieve", "--data", "docs", "--json", "--explain", "--out", "needs.json", "tide windows and crane brake").out)
	if at(needs["request"], "mode") != "hybrid" || needs["model"] != report["model"] || at(needs, "hits", 0, "needs", 0, "explain", "legs", 1, "leg") != "vector" {
		t.Errorf("%v", needs)
	}
	contains(t, "replay of needs", m.must(0, "replay", "--data", "docs", "needs.json").out, "MATCH")
	contains(t, "needs, for people", m.must(0, "retrieve", "--data", "docs", "--explain", "tide windows").out, "profile standard, hybrid", "by words", "by meaning", "gives 0.")

	m.file("queries.jsonl", `{"id":"q1","text":"tide windows"}`)
	m.file("qrels.tsv", "q1\ttides.md\t1\n")
	eval := []string{"eval", "--data", "docs", "--queries", "queries.jsonl", "--qrels", "qrels.tsv", "--strict"}
	m.must(0, eval...)
	m.must(0, append(eval, "--mode", "lexical")...)
	damagedModel := m.file("broken.rkm", "no model")
	contains(t, "eval without the model", m.must(3, append(eval, "--model", damagedModel)...).err, "what is measured was found by words alone")

	words := m.must(0, "search", "--data", "docs", "--model", "none", "--json", "tide windows").out
	if at(decode(t, words)["request"], "mode") != "lexical" {
		t.Errorf("--model none: %s", words)
	}
	damaged := []byte(strings.Clone(string(tiny)))
	damaged[len(damaged)/2] ^= 1
	other := m.file("damaged.rkm", string(damaged))
	r := m.must(3, "search", "--data", "docs", "--model", other, "--strict", "tide windows")
	contains(t, "a damaged model", r.out, "degraded: model:absent", "found by words alone")
	m.must(2, "search", "--data", "docs", "--model", "absent.rkm", "tide")
	r = m.must(4, "replay", "--data", "docs", "--model", "none", "reply.json")
	contains(t, "replay without the model", r.out, "UNVERIFIABLE", "model")

	m.file(filepath.Join("docs", "more.md"), "mooring and fog")
	contains(t, "index with a damaged model", m.run("", "index", "--model", other, "docs").err, "MODEL_CORRUPT")
	contains(t, "the words", m.must(0, "search", "--data", "docs", "--model", other, "mooring").out, "more.md", "vectors:building")
	contains(t, "mended", m.must(0, "index", "docs").out, "vectors by")

	blobs, err := filepath.Glob(filepath.Join(m.dir, "docs", ".rookhaven", "blobs", "*"))
	if err != nil || len(blobs) == 0 {
		t.Fatal(blobs, err)
	}
	for _, blob := range blobs {
		if err := os.Truncate(blob, 40); err != nil {
			t.Fatal(err)
		}
	}
	r = m.must(3, "search", "--data", "docs", "--strict", "mooring")
	contains(t, "damaged vectors", r.out, "more.md", "degraded: vectors:corrupt", "rookhaven index makes them again")
	r = m.must(2, "doctor", "--data", "docs")
	contains(t, "doctor", r.out, "is damaged", "it makes damaged vectors of the current generation again")
	contains(t, "mended", m.must(0, "index", "docs").out, "vectors by")
	m.must(0, "search", "--data", "docs", "--strict", "mooring")

	added := m.must(0, "model", "add", path).out
	contains(t, "model add", added, artifact.Digest(tiny), "tiny")
	contains(t, "model list", m.must(0, "model", "list").out, "minilm-l6-v2", artifact.Digest(tiny))
	contains(t, "by its digest", m.must(0, "search", "--data", "docs", "--model", artifact.Digest(tiny), "--json", "tide").out, `"mode":"hybrid"`)
	m.env = append(m.env, "ROOKHAVEN_MODEL=none")
	contains(t, "replay by a model that was added", m.must(0, "replay", "--data", "docs", "reply.json").out, "MATCH")
	m.env = append(m.env, "ROOKHAVEN_MODEL="+path)
	m.must(2, "model", "add", other)
	absent := "sha256:" + strings.Repeat("0", 64)
	m.must(2, "search", "--data", "docs", "--model", absent, "tide")
	m.must(0, "search", "--data", "docs", "--model", absent, "--mode", "lexical", "tide")
	contains(t, "doctor", m.must(0, "doctor", "--data", "docs").out, "ok    index")
}
