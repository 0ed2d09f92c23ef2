package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func BenchmarkDocument(b *testing.B) {
	d := &abi.Document{ID: "d1", Text: strings.Repeat("The crane at berth 7 was inspected after the storm.\n", 25), Title: "Crane inspection"}
	b.SetBytes(int64(len(d.Text)))
	b.ReportAllocs()
	for b.Loop() {
		Document(d)
	}
}

// The root of n documents from their ids and digests: leaves, order, hashes.
func BenchmarkRoot(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		list := ids(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				leaves := make([]Leaf, n)
				for i, id := range list {
					leaves[i] = NewLeaf(id, Digest{byte(i)})
				}
				NewCorpus(leaves).Root()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/document")
		})
	}
}

// The order of n leaves alone.
func BenchmarkNewCorpus(b *testing.B) {
	leaves := corpusOf(ids(10_000)...).leaves
	slices.SortFunc(leaves, func(a, b Leaf) int { return strings.Compare(a.ID, b.ID) })
	for b.Loop() {
		NewCorpus(slices.Clone(leaves))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(leaves)), "ns/document")
}
