package peer

import (
	"os"
	"os/exec"
	"path/filepath"
)

// A Peer is an engine that can be started, or the reason why it is absent.
type Peer struct {
	Name    string
	Command []string
	Absent  string
	Most    int // documents that it is given in tables of speed; 0 is any number
}

// Named picks peers by name, in the order of the names.
func Named(list []Peer, names ...string) []Peer {
	var picked []Peer
	for _, name := range names {
		found := Peer{Name: name, Absent: "no peer has this name"}
		for _, p := range list {
			if p.Name == name {
				found = p
			}
		}
		picked = append(picked, found)
	}
	return picked
}

// List returns the peers that conformance/peers/setup.sh installs, seen from
// the root of the repository.
func List(root string) []Peer {
	built := filepath.Join(root, ".cache/peers")
	source := filepath.Join(root, "conformance/peers")
	inGo := filepath.Join(built, "peers")
	python := filepath.Join(built, "venv/bin/python")
	lucene := filepath.Join(built, "lucene")
	var list []Peer
	for _, name := range []string{"bleve-bm25", "bleve-tfidf", "bleve-default", "fts5", "fts5-stop"} {
		list = append(list, installed(name, inGo, inGo, name))
	}
	for _, js := range []struct {
		name string
		most int // from there on they take minutes, or gigabytes
	}{{"minisearch", 100_000}, {"minisearch-en", 100_000}, {"orama", 10_000}} {
		p := installed(js.name, filepath.Join(source, "js/node_modules/minisearch"), "node", "--max-old-space-size=8192", filepath.Join(source, "js/serve.mjs"), js.name)
		p.Most = js.most
		list = append(list, p)
	}
	list = append(list, installed("lucene", filepath.Join(lucene, "Lucene.class"), "java", "-XX:+UseSerialGC", "-Xmx2g", "--add-modules", "jdk.incubator.vector", "-cp", lucene+string(os.PathListSeparator)+filepath.Join(lucene, "*"), "Lucene"))
	return append(list, installed("tantivy", python, python, filepath.Join(source, "tantivy/serve.py")))
}

// installed returns a peer that is absent if a file or its program is missing.
func installed(name, file string, command ...string) Peer {
	p := Peer{Name: name, Command: command}
	if _, err := exec.LookPath(command[0]); err != nil {
		p.Absent = "no " + filepath.Base(command[0]) + " is installed"
	}
	if _, err := os.Stat(file); err != nil {
		p.Absent = "conformance/peers/setup.sh has not installed it"
	}
	return p
}
