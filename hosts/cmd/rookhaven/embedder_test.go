package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ollama is a server that embeds a text as the counts of some letters.
func ollama(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Model string
			Input []string
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q.Model != "letters" || r.URL.Path != "/api/embed" {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		list := [][]float64{}
		for _, text := range q.Input {
			v := make([]float64, 8)
			for i := range v {
				v[i] = float64(strings.Count(text, string(rune('a'+i)))) + 0.25
			}
			list = append(list, v)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": list})
	}))
	t.Cleanup(s.Close)
	return s
}

// An index whose vectors a server makes records that of the query, and is replayed
// without the server; while it is away, words answer.
func TestExternalEmbedder(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	server := ollama(t)
	m.env = append(m.env, "ROOKHAVEN_MODEL=ollama:letters", "ROOKHAVEN_EMBEDDER_ADDRESS="+server.URL, "ROOKHAVEN_EMBEDDER_DIMENSIONS=8")
	report := decode(t, m.must(0, "index", "--json", "docs").out)
	if report["model"] == nil {
		t.Fatalf("%v", report)
	}
	reply := decode(t, m.must(0, "search", "--data", "docs", "--json", "--out", "reply.json", "tide windows").out)
	if reply["model"] != report["model"] || reply["queryVector"] == nil || at(reply["request"], "mode") != "hybrid" {
		t.Errorf("%v", reply)
	}
	server.Close()
	contains(t, "replay without the server", m.must(0, "replay", "--data", "docs", "reply.json").out, "MATCH")
	stored, err := os.ReadFile(filepath.Join(m.dir, "reply.json"))
	if err != nil {
		t.Fatal(err)
	}
	m.file("altered.json", strings.Replace(string(stored), `"queryVector":"`, `"queryVector":"AAAA`, 1))
	contains(t, "altered", m.must(4, "replay", "--data", "docs", "altered.json").out, "MISMATCH")
	contains(t, "without the server", m.must(0, "search", "--data", "docs", "tide windows").out, "model:absent", "found by words alone")
	m.must(3, "search", "--data", "docs", "--strict", "tide windows")
	m.file(filepath.Join("docs", "more.md"), "mooring")
	contains(t, "index without the server", m.must(2, "index", "docs").err, "EMBEDDER_FAILED")
	contains(t, "what was indexed", m.must(0, "search", "--data", "docs", "mooring").out, "more.md")
	m.env = append(m.env, "ROOKHAVEN_EMBEDDER_ADDRESS=ftp://x")
	contains(t, "a wrong address", m.must(2, "search", "--data", "docs", "tide").err, "CONFIG_INVALID")
}
