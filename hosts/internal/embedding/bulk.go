package embedding

import (
	"context"
	"crypto/sha256"
	"time"
)

// A Hash is the SHA-256 of a text.
type Hash = [sha256.Size]byte

// HashOf returns the hash of a text.
func HashOf(text string) Hash { return sha256.Sum256([]byte(text)) }

// A Task has texts to embed, each once.
type Task struct {
	texts  []string
	hashes []Hash
	known  map[Hash][]int8
}

// NewTask returns a Task of texts, equal ones once.
func NewTask() *Task { return &Task{known: map[Hash][]int8{}} }

// Add adds a text, and returns its hash.
func (t *Task) Add(text string) Hash {
	h := HashOf(text)
	if _, ok := t.known[h]; !ok {
		t.known[h] = nil
		t.texts, t.hashes = append(t.texts, text), append(t.hashes, h)
	}
	return h
}

// Know takes a vector that was made before, if it is one of a text of the task.
func (t *Task) Know(h Hash, vector []int8) {
	if v, ok := t.known[h]; ok && v == nil {
		t.known[h] = vector
	}
}

// Vector returns the vector of a text, nil where it is missing.
func (t *Task) Vector(h Hash) []int8 { return t.known[h] }

// Missing returns how many vectors are missing.
func (t *Task) Missing() int {
	n := 0
	for _, h := range t.hashes {
		if t.known[h] == nil {
			n++
		}
	}
	return n
}

// How long a batch takes about, and the bounds of its size. A spot check, a checkpoint and
// a word of progress come with each.
const (
	batchTime  = 2 * time.Second
	leastBatch = 16
	mostBatch  = 1024
)

// Run embeds what is missing. keep is given each batch of vectors when it was made; what a
// run that was ended kept, another one can know.
func (t *Task) Run(ctx context.Context, e Embedder, keep func(hashes []Hash, vectors [][]int8) error) error {
	var texts []string
	var hashes []Hash
	for i, h := range t.hashes {
		if t.known[h] == nil {
			texts, hashes = append(texts, t.texts[i]), append(hashes, h)
		}
	}
	for n := leastBatch; len(texts) > 0; {
		n = min(n, len(texts))
		start := time.Now()
		vectors, err := e.Embed(ctx, false, texts[:n]...)
		if err != nil {
			return err
		}
		for i, v := range vectors {
			t.known[hashes[i]] = v
		}
		if err := keep(hashes[:n], vectors); err != nil {
			return err
		}
		texts, hashes = texts[n:], hashes[n:]
		switch took := time.Since(start); {
		case took < batchTime/2:
			n = min(2*n, mostBatch)
		case took > batchTime:
			n = max(n/2, leastBatch)
		}
	}
	return nil
}
