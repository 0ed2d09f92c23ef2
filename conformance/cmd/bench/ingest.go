package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// published is what another document service says of 1,000 such files, sent to it one by
// one, on a machine of its maker: no figure of this run.
const published = 350.9

// ingest prints how long a folder of small documents takes, from files to answerable:
// by their words, and by their vectors.
func ingest(b *bench) error {
	n := b.choose(1000, 100)
	fmt.Printf("\nfrom files to answerable: %d markdown documents of 80 to 120 words, rookhaven index, one process; seconds\n", n)
	folder, err := os.MkdirTemp("", "rookhaven-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	docs := filepath.Join(folder, "docs")
	if err := writeDocuments(docs, n); err != nil {
		return err
	}
	fmt.Printf("%36s %12s %12s %14s\n", "", "by words", "by vectors", "documents/s")
	for _, what := range []string{"all documents are new", "one of them has changed", "nothing has changed"} {
		words, all, err := indexOnce(folder, docs)
		if err != nil {
			return err
		}
		fmt.Printf("%36s %12.2f %12.2f %14.1f\n", what, words.Seconds(), all.Seconds(), float64(n)/all.Seconds())
		if what == "all documents are new" {
			if err := os.WriteFile(filepath.Join(docs, "d0.md"), []byte("# Berth 7\n\nThe crane is out of order.\n"), 0o644); err != nil {
				return err
			}
		}
	}
	if !b.quick {
		fmt.Printf("%36s %12s %12.2f %14.1f\n", "another service, as published", "", published, 1000/published)
	}
	return nil
}

// writeDocuments writes small documents of the example's sentences, the same ones each time.
func writeDocuments(folder string, n int) error {
	text, err := os.ReadFile(example)
	if err != nil {
		return err
	}
	var words []string
	for line := range strings.Lines(string(text)) {
		_, after, _ := strings.Cut(line, `"text"`)
		words = append(words, strings.Fields(strings.Trim(after, `:"{}`+"\n "))...)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(5, 5))
	for i := range n {
		at, size := r.IntN(len(words)-120), 80+r.IntN(41)
		body := fmt.Sprintf("# Note %d\n\n%s\n", i, strings.Join(words[at:at+size], " "))
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("d%d.md", i)), []byte(body), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// indexOnce indexes a folder as a user does. words is when a new generation was there, all
// when the command ended, which it does once every passage has its vector.
func indexOnce(home, docs string) (words, all time.Duration, err error) {
	cmd := exec.CommandContext(context.Background(), "bin/rookhaven", "index", docs)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "XDG_DATA_HOME="+filepath.Join(home, "data"), "ROOKHAVEN_LOG_LEVEL=error", "ROOKHAVEN_MODEL=")
	cmd.Stderr = os.Stderr
	current := filepath.Join(docs, ".rookhaven", "CURRENT")
	before, _ := os.ReadFile(current)
	from := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		if now, _ := os.ReadFile(current); words == 0 && string(now) != string(before) {
			words = time.Since(from)
		}
		select {
		case err := <-ended:
			all = time.Since(from)
			if words == 0 {
				words = all
			}
			return words, all, err
		case <-time.After(5 * time.Millisecond):
		}
	}
}
