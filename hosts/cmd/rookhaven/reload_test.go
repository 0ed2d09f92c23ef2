package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A changed corpus file answers the next request; a broken one changes nothing.
func TestReload(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	path := m.file("corpus.json", smallCorpus)
	s := m.serve("--corpus", "corpus.json")
	first := s.retrieve("tide windows")

	m.replace(path, `[{"id":"new","text":"tide windows"}]`)
	second := s.retrieve("tide windows")
	if at(second, "hits", 0, "id") != "new" || second["corpus"] == first["corpus"] {
		t.Errorf("after a change: %v", second)
	}

	m.replace(path, `[{"id":"new","text":`)
	if broken := s.retrieve("tide windows"); broken["digest"] != second["digest"] {
		t.Errorf("after a file that is no JSON: %v", broken)
	}
	eventually(t, "the broken file is not logged", func() bool {
		return strings.Contains(s.stderr.String(), `"msg":"corpus_reload_failed"`)
	})

	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if gone := s.retrieve("tide windows"); gone["digest"] != second["digest"] {
		t.Errorf("after the file is gone: %v", gone)
	}

	// Written in place, in two steps: nothing in between is served.
	m.file("corpus.json", `[{"id":"slow","text":"tide windows"}`)
	s.retrieve("tide windows")
	m.file("corpus.json", `[{"id":"slow","text":"tide windows"}]`)
	eventually(t, "a file written in place is not taken up", func() bool {
		return at(s.retrieve("tide windows"), "hits", 0, "id") == "slow"
	})

	m.replace(path, smallCorpus)
	if last := s.retrieve("tide windows"); last["digest"] != first["digest"] {
		t.Errorf("with the first corpus again: %v", last)
	}
	logLines(t, s.stderr.String())
}

// Without a request, the file is taken up as soon as it is left alone.
func TestReloadIsWatched(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	path := m.file("corpus.json", smallCorpus)
	s := m.serve("--corpus", path)
	s.retrieve("tide")
	m.replace(path, `[{"id":"new","text":"tide windows"}]`)
	eventually(t, "no request, no reload", func() bool {
		return strings.Contains(s.stderr.String(), `"msg":"corpus_reloaded"`)
	})
}

// Requests that run while the file changes are answered, each from one corpus:
// its root and its hit belong together.
func TestReloadWhileRequestsRun(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	version := func(n int) string {
		var docs []string
		for i := range 200 {
			docs = append(docs, fmt.Sprintf(`{"id":"v%d-%d","text":"tide windows number %d"}`, n, i, i))
		}
		return "[" + strings.Join(docs, ",") + "]"
	}
	path := m.file("corpus.json", version(0))
	s := m.serve("--corpus", path)
	const requests, versions = 300, 10
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range requests {
			s.send(call(1000+i, "retrieve", `{"query":"tide windows","recallBudget":3}`))
		}
	})
	wg.Go(func() {
		for n := range versions {
			m.replace(path, version(n+1))
		}
	})
	roots := map[any]string{}
	for range requests {
		reply := at(s.receive(), "result", "structuredContent")
		for i := range 3 {
			id, _ := at(reply, "hits", i, "id").(string)
			version, _, _ := strings.Cut(id, "-")
			root := at(reply, "corpus")
			if roots[root] == "" {
				roots[root] = version
			}
			if version == "" || roots[root] != version {
				t.Fatalf("a reply of %v holds %q, others hold %s", root, id, roots[root])
			}
		}
	}
	wg.Wait()
	if last := s.retrieve("tide windows"); !strings.HasPrefix(fmt.Sprint(at(last, "hits", 0, "id")), fmt.Sprintf("v%d-", versions)) {
		t.Errorf("after all changes: %v", at(last, "hits", 0))
	}
	t.Logf("%d requests over %d corpora", requests, len(roots))
}

// A corpus behind a link that is bent to another file is taken up.
func TestReloadThroughALink(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("a.json", smallCorpus)
	m.file("b.json", `[{"id":"b","text":"tide windows"}]`)
	link := filepath.Join(m.dir, "corpus.json")
	if err := os.Symlink("a.json", link); err != nil {
		t.Skip("no links here:", err)
	}
	s := m.serve("--corpus", link)
	s.retrieve("tide")
	if err := os.Symlink("b.json", link+".new"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(link+".new", link); err != nil {
		t.Fatal(err)
	}
	if reply := s.retrieve("tide windows"); at(reply, "hits", 0, "id") != "b" {
		t.Errorf("after the link was bent: %v", reply)
	}
}
