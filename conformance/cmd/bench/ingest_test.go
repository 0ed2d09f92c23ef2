package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The figures of two runs compare only where both index the same bytes, and with those
// published only where the documents are as many words.
func TestDocuments(t *testing.T) {
	t.Chdir("../../..")
	const n = 50
	var sums [2]string
	for run := range sums {
		folder := t.TempDir()
		if err := writeDocuments(folder, n); err != nil {
			t.Fatal(err)
		}
		sum, seen := sha256.New(), map[string]bool{}
		for i := range n {
			text, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("d%d.md", i)))
			if err != nil {
				t.Fatal(err)
			}
			_, body, _ := strings.Cut(string(text), "\n\n")
			if words := len(strings.Fields(body)); words < leastWords || words > mostWords {
				t.Errorf("document %d has %d words, want %d to %d", i, words, leastWords, mostWords)
			}
			if strings.ContainsAny(body, "{}\\") {
				t.Errorf("document %d has JSON in it: %s", i, body)
			}
			if seen[body] {
				t.Errorf("document %d is another's text", i)
			}
			seen[body] = true
			sum.Write(text)
		}
		sums[run] = fmt.Sprintf("%x", sum.Sum(nil))
	}
	if sums[0] != sums[1] {
		t.Errorf("two runs write %s and %s", sums[0], sums[1])
	}
}
