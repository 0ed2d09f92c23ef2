package main

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
)

func TestSpread(t *testing.T) {
	for _, tt := range []struct {
		n    int
		want []int
	}{{0, []int{}}, {1, []int{0}}, {3, []int{0, 2, 4}}, {6, []int{0, 1, 2, 3, 4, 5}}, {9, []int{0, 1, 2, 3, 4, 5}}} {
		if got := spread([]int{0, 1, 2, 3, 4, 5}, tt.n); !slices.Equal(got, tt.want) {
			t.Errorf("%d: %v, want %v", tt.n, got, tt.want)
		}
	}
}

// The nearest come first, and of equals the first.
func TestRank(t *testing.T) {
	c := &ir.Collection{Documents: []ir.Document{{ID: "far"}, {ID: "same"}, {ID: "twin"}, {ID: "near"}}, Queries: []ir.Query{{ID: "q"}}}
	run := rank(c, [][]float64{{-1, 0}, {0, 1}, {0, 1}, {1, 0}}, [][]float64{{1, 0.5}})
	if want := []string{"near", "same", "twin", "far"}; !slices.Equal(run["q"], want) {
		t.Errorf("%v, want %v", run["q"], want)
	}
}

// A counter counts the texts that it makes vectors of.
type counter struct {
	made *atomic.Int64
	by   int
}

func (counter) name() (string, error) { return "counter", nil }
func (counter) what() string          { return "counts" }
func (c counter) vectors(_ context.Context, texts []string) ([][]int, error) {
	c.made.Add(int64(len(texts)))
	var list [][]int
	for _, text := range texts {
		list = append(list, []int{3 * c.by, 4 * c.by * len(text)})
	}
	return list, nil
}

// What lies in the cache is not made again, unless its maker gives something else by now.
func TestKept(t *testing.T) {
	cache, texts := t.TempDir(), []string{"a", "b", "c", "dd", "e", "f"}
	for _, tt := range []struct {
		name string
		by   int
		made int64
	}{{"new", 1, 3 + 6}, {"kept", 1, 3}, {"another maker", -1, 3 + 6}, {"kept again", -1, 3}} {
		var made atomic.Int64
		list, err := kept(context.Background(), cache, counter{&made, tt.by}, tt.name, texts)
		if err != nil || made.Load() != tt.made {
			t.Fatalf("%s: %d were made, want %d (%v)", tt.name, made.Load(), tt.made, err)
		}
		if want := unit([]int{3 * tt.by, 4 * tt.by}); !slices.Equal(list[0], want) {
			t.Errorf("%s: %v, want %v", tt.name, list[0], want)
		}
	}
}
