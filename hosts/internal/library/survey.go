package library

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A document is one as it was given, with what it is compared by.
type document struct {
	id, digest string
	json       []byte
}

// survey reads documents, and returns them by ascending id: an index is built in that
// order, so that the order in which they come changes no byte of it.
func survey(documents [][]byte) ([]document, error) {
	list := make([]document, len(documents))
	var buffer, content []byte // used again for each: else they would be most of what is held
	for i, in := range documents {
		buffer = append(append(append(buffer[:0], '['), in...), ']')
		read, err := abi.ReadDocuments(buffer)
		if err == nil && len(read) != 1 {
			err = abi.Errorf(abi.CorpusInvalid, "it is %d documents", len(read))
		}
		if err != nil {
			return nil, numbered(i, err)
		}
		content = appendContent(content[:0], &read[0])
		list[i] = document{strings.Clone(read[0].ID), digest(content), in}
	}
	slices.SortStableFunc(list, func(a, b document) int { return cmp.Compare(a.id, b.id) })
	for i := 1; i < len(list); i++ {
		if list[i-1].id == list[i].id {
			return nil, abi.Errorf(abi.CorpusInvalid, "the id %q is that of two documents", list[i].id)
		}
	}
	return list, nil
}

// numbered says which document breaks a rule.
func numbered(i int, err error) error {
	var e *abi.Error
	if !errors.As(err, &e) {
		return err
	}
	return &abi.Error{Code: e.Code, Sentence: fmt.Sprintf("document %d: %s", i, e.Sentence)}
}

// appendContent appends what the document digest of wasm/ABI.md §3.1 is made of: see
// TestDigest.
func appendContent(dst []byte, d *abi.Document) []byte {
	return abi.AppendContent(append(dst, "rh/content/v1\x00"...), d)
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// withKept adds to documents those of the leaves that are to be kept as they are.
func withKept(documents []document, leaves []abi.Leaf, keep func(id string) bool) []document {
	given := make(map[string]bool, len(documents))
	for _, d := range documents {
		given[d.id] = true
	}
	list := slices.Clone(documents)
	for _, leaf := range leaves {
		if !given[leaf.ID] && keep(leaf.ID) {
			list = append(list, document{id: leaf.ID, digest: leaf.Doc})
		}
	}
	return list
}

// A comparison says what makes one set of documents into another.
type comparison struct {
	fresh   []document // that come, by ascending id
	gone    []string   // ids that go, by the order of the trie
	changed int        // ids that go and come
	kept    int
}

// compare compares the leaves of an index with documents.
func compare(leaves []abi.Leaf, documents []document) comparison {
	here := make(map[string]string, len(leaves))
	for _, leaf := range leaves {
		here[leaf.ID] = leaf.Doc
	}
	var c comparison
	stays := make(map[string]bool, len(documents))
	for _, d := range documents {
		old, known := here[d.id]
		switch {
		case old == d.digest:
			c.kept++
			stays[d.id] = true
			continue
		case known:
			c.changed++
		}
		c.fresh = append(c.fresh, d)
	}
	for _, leaf := range leaves {
		if !stays[leaf.ID] {
			c.gone = append(c.gone, leaf.ID)
		}
	}
	return c
}
