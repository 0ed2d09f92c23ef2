package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func corpusOf(ids ...string) *Corpus {
	var leaves []Leaf
	for _, id := range ids {
		leaves = append(leaves, NewLeaf(id, Document(&abi.Document{ID: id, Text: "text of " + id})))
	}
	return NewCorpus(leaves)
}

func ids(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("d%d", i)
	}
	return list
}

// The definition of ABI.md §8 written out for two documents whose paths part at
// the first bit and for two that share one.
func TestRootIsTheDefinition(t *testing.T) {
	leaf := func(id string, doc Digest) Digest {
		b := append([]byte("rh/doc/v1\x00"), binary.BigEndian.AppendUint64(nil, uint64(len(id)))...)
		b = append(append(b, id...), doc[:]...)
		return sha256.Sum256(b)
	}
	inner := func(l, r Digest) Digest {
		return sha256.Sum256(append(append([]byte("rh/node/v1\x00"), l[:]...), r[:]...))
	}
	doc := Digest{7}
	for _, tt := range []struct {
		name string
		want Digest
		ids  []string
	}{
		{"nothing is 32 zero bytes", Digest{}, nil},
		{"a lone document is its leaf", leaf("a", doc), []string{"a"}},
		// SHA-256 of a, b and c begins with the bits 1100, 0011 and 0010: c and b part at the fourth.
		{"paths that part at once", inner(leaf("b", doc), leaf("a", doc)), []string{"a", "b"}},
		{"a shared path has empty sides", inner(inner(inner(Digest{}, inner(leaf("c", doc), leaf("b", doc))), Digest{}), Digest{}), []string{"b", "c"}},
	} {
		var leaves []Leaf
		for _, id := range tt.ids {
			leaves = append(leaves, NewLeaf(id, doc))
		}
		if got := NewCorpus(leaves).Root(); got != tt.want {
			t.Errorf("%s: root = %x, want %x", tt.name, got, tt.want)
		}
	}
}

func TestRootIsLayoutFree(t *testing.T) {
	want := corpusOf(ids(300)...).Root()
	for seed := range uint64(20) {
		list := ids(300)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		c := corpusOf(list...)
		again, err := ReadCorpus(c.Leaves())
		if err != nil || c.Root() != want || again.Root() != want {
			t.Fatalf("seed %d: root = %x and %x (%v), want %x", seed, c.Root(), again.Root(), err, want)
		}
	}
}

// Leaves are ordered by all of their paths, however many bits these share.
func TestOrder(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		leaves := make([]Leaf, r.IntN(50))
		for i := range leaves {
			p := &leaves[i].path
			p[0], p[3], p[4], p[31] = byte(r.IntN(2)), byte(r.IntN(3)), byte(r.IntN(2)), byte(i)
			leaves[i].ID = fmt.Sprint(i)
		}
		want := slices.Clone(leaves)
		slices.SortFunc(want, func(a, b Leaf) int { return bytes.Compare(a.path[:], b.path[:]) })
		if order(leaves); !slices.Equal(leaves, want) {
			t.Fatalf("seed %d: order = %v, want %v", seed, leaves, want)
		}
	}
}

// Ids and texts longer than the buffers that most fit in.
func TestLongIDs(t *testing.T) {
	for _, n := range []int{0, 109, 110, 111, 127, 128, 129, 1000} {
		id := strings.Repeat("i", n)
		if got, want := NewLeaf(id, Digest{}).path, sha256.Sum256([]byte(id)); got != want {
			t.Errorf("%d bytes: path = %x, want %x", n, got, want)
		}
		b := append([]byte("rh/doc/v1\x00"), binary.BigEndian.AppendUint64(nil, uint64(n))...)
		if got, want := NewLeaf(id, Digest{7}).hash(), sha256.Sum256(append(append(b, id...), append([]byte{7}, make([]byte, 31)...)...)); got != want {
			t.Errorf("%d bytes: hash = %x, want %x", n, got, want)
		}
	}
}

func TestEveryChangeMovesTheRoot(t *testing.T) {
	base := abi.Document{ID: "i", Text: "t", Title: "T", Path: "p", Collection: "c", Key: "k"}
	seen := map[Digest]string{Document(&base): "nothing"}
	for _, change := range []struct {
		name string
		do   func(*abi.Document)
	}{
		{"text", func(d *abi.Document) { d.Text = "u" }},
		{"title", func(d *abi.Document) { d.Title = "" }},
		{"path", func(d *abi.Document) { d.Path = "q" }},
		{"collection", func(d *abi.Document) { d.Collection = "" }},
		{"key", func(d *abi.Document) { d.Key = "" }},
	} {
		d := base
		change.do(&d)
		sum := Document(&d)
		if other, ok := seen[sum]; ok {
			t.Errorf("changing the %s gives the digest of changing %s", change.name, other)
		}
		seen[sum] = change.name
	}
	if NewCorpus([]Leaf{NewLeaf("a", Digest{})}).Root() == NewCorpus([]Leaf{NewLeaf("b", Digest{})}).Root() {
		t.Error("the id is no part of the root")
	}
}

func TestProof(t *testing.T) {
	for _, n := range []int{1, 2, 3, 50} {
		c := corpusOf(ids(n)...)
		for _, id := range ids(n) {
			doc, _ := c.Find(id)
			proof, ok := c.Prove(id)
			if !ok || !Verify(c.Root(), id, doc, proof) {
				t.Fatalf("%d documents: no proof for %s", n, id)
			}
			if Verify(c.Root(), id, Digest{1}, proof) || Verify(c.Root(), id+"x", doc, proof) {
				t.Fatalf("%d documents: the proof for %s holds for another", n, id)
			}
			for i := range proof {
				forged := slices.Clone(proof)
				forged[i][0] ^= 1
				if Verify(c.Root(), id, doc, forged) {
					t.Fatalf("%d documents: a forged proof for %s holds", n, id)
				}
			}
		}
		if _, ok := c.Prove("stranger"); ok {
			t.Errorf("%d documents: a proof for a stranger", n)
		}
	}
	if Verify(Digest{}, "a", Digest{}, make([]Digest, 257)) {
		t.Error("a proof longer than a path holds")
	}
}

func TestFirstDifference(t *testing.T) {
	a := corpusOf(ids(40)...)
	if _, differ := FirstDifference(a, corpusOf(ids(40)...)); differ {
		t.Error("equal corpora differ")
	}
	for i, want := range ids(40) {
		less := slices.Delete(ids(40), i, i+1)
		if got, _ := FirstDifference(a, corpusOf(less...)); got != want {
			t.Errorf("without %s: first difference %q", want, got)
		}
		if got, _ := FirstDifference(corpusOf(less...), a); got != want {
			t.Errorf("with %s added: first difference %q", want, got)
		}
	}
}

func TestReadCorpusRefusesTwins(t *testing.T) {
	doc := Name(Digest{})
	if _, err := ReadCorpus([]abi.Leaf{{ID: "a", Doc: doc}, {ID: "a", Doc: doc}}); err == nil {
		t.Error("an id stands twice")
	}
}
