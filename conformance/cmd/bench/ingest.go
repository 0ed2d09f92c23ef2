package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/wasm/artifact/models"
)

// published is in how many seconds the earlier document service takes in 1,000 small text
// files, as its makers published it: they sent one after the other to its container on an
// Apple M4 Pro. It is no figure of this run, and not of this machine.
const published = 350.9

// ingest prints how long a folder of small documents takes, from files to answerable.
func ingest(b *bench) error {
	n := b.choose(1000, 100)
	home, err := os.MkdirTemp("", "rookhaven-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	docs := filepath.Join(home, "docs")
	if err := writeDocuments(docs, n); err != nil {
		return err
	}
	fmt.Printf("\nfrom files to answerable: %d markdown documents of %d to %d words, rookhaven index from exec, without any cache at first; seconds\n", n, leastWords, mostWords)
	fmt.Printf("%40s %12s %12s %14s\n", "", "by words", "and meaning", "documents/s")
	for _, step := range []struct {
		what    string
		prepare func() error
		changed int
	}{
		{"all documents are new", func() error { return nil }, n},
		{"a second run, nothing has changed", func() error { return nil }, 0},
		{"a third run, one document has changed", func() error { return writeDocument(docs, 0, "The crane is out of order.") }, 1},
	} {
		if err := step.prepare(); err != nil {
			return err
		}
		r, err := index(home, docs)
		if err != nil {
			return err
		}
		if want := step.changed > 0; r.published != want {
			return fmt.Errorf("%s: a generation was published: %t, want %t", step.what, r.published, want)
		}
		words, rate := "-", "-"
		if r.published {
			words = fmt.Sprintf("%.2f", r.words.Seconds())
		}
		if step.changed == n {
			rate = fmt.Sprintf("%.1f", float64(n)/r.all.Seconds())
		}
		fmt.Printf("%40s %12s %12.2f %14s\n", step.what, words, r.all.Seconds(), rate)
	}
	if n == 1000 {
		fmt.Printf("%40s %12s %12.2f %14.1f\n", "the earlier service, as published", "-", published, 1000/published)
		fmt.Println("the last row is no measurement of this run: 1,000 small text files, sent one by one to the earlier service's container on an Apple M4 Pro")
	}
	return nil
}

// Of a document, in words.
const leastWords, mostWords = 80, 120

// writeDocuments writes small documents, each a stretch of the example's texts: the same
// ones each time.
func writeDocuments(folder string, n int) error {
	words, err := exampleWords()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(5, 5))
	for i := range n {
		from, size := r.IntN(len(words)-mostWords), leastWords+r.IntN(mostWords-leastWords+1)
		if err := writeDocument(folder, i, strings.Join(words[from:from+size], " ")); err != nil {
			return err
		}
	}
	return nil
}

func writeDocument(folder string, i int, text string) error {
	return os.WriteFile(filepath.Join(folder, fmt.Sprintf("d%d.md", i)), fmt.Appendf(nil, "# Note %d\n\n%s\n", i, text), 0o644)
}

// An indexing is a run of rookhaven index.
type indexing struct {
	words     time.Duration // until a search answers from the new generation, by words at least
	all       time.Duration // until the command ended, which it does once every passage has its vector
	published bool          // a generation
}

// index runs the command as a user does whose home this is: with the settings that are
// the defaults, whatever this process was given.
func index(home, docs string) (r indexing, err error) {
	cmd := exec.Command("bin/rookhaven", "index", "--json", docs)
	var said, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &failed
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "ROOKHAVEN_LOG_LEVEL=error"}
	current := filepath.Join(docs, ".rookhaven", "CURRENT")
	before, err := generation(current)
	if err != nil {
		return r, err
	}
	ended := make(chan error, 1)
	from := time.Now()
	go func() { ended <- cmd.Run() }()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for over := false; !over; {
		select {
		case err = <-ended:
			r.all, over = time.Since(from), true
		case <-poll.C:
		}
		if now, failure := generation(current); failure == nil && now != before && !r.published {
			r.words, r.published = time.Since(from), true
		}
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w: %s", cmd, err, lastLine(failed.String()))
	}
	var reply struct{ Model string }
	if err := json.Unmarshal(said.Bytes(), &reply); err != nil {
		return r, err
	}
	if reply.Model != models.MiniLMDigest {
		return r, fmt.Errorf("%s: the passages have vectors by %q, not by the built-in model", cmd, reply.Model)
	}
	return r, nil
}

// generation returns what names the current generation, "" where there is none.
func generation(current string) (string, error) {
	b, err := os.ReadFile(current)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	return string(b), err
}
