package cli

import (
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// between puts the passage of a hit in the middle of a context.
func between(before, own, after string, from, to, of int64, shown string) *abi.Found {
	h := &abi.Found{}
	h.Chunk, h.Context = 1, &abi.Context{Text: before + own + after, From: 0, To: 2}
	h.Text = &abi.Excerpt{Text: shown, From: from, To: to, Of: of}
	return h
}

func TestAround(t *testing.T) {
	whole := between("b ", "own", " a", 0, 3, 3, "own")
	none := between("b ", "own", " a", 0, 3, 3, "own")
	none.Text = nil
	alone := between("", "own", "", 0, 0, 0, "")
	alone.Text, alone.Context.From, alone.Context.To = nil, 1, 1
	last := between("own b ", "own", "", 0, 3, 3, "own")
	last.Chunk = 2
	for _, tt := range []struct {
		name               string
		hit                *abi.Found
		before, own, after string
	}{
		{"the whole passage", whole, "b ", "own", " a"},
		{"a snippet of it", between("b ", "one 😀 two 😀 three", " a", 7, 10, 19, "two"), "b ", "one 😀 two 😀 three", " a"},
		{"the same text twice, the last passage", last, "own b ", "own", ""},
		{"no text of the passage", none, "", "", "b own a"},
		{"nothing around", alone, "", "own", ""},
		{"another text", between("b ", "own", " a", 0, 5, 5, "other"), "", "", "b own a"},
		{"a range beyond the context", between("b", "own", "a", 99, 102, 999, "own"), "", "bowna", ""},
	} {
		if before, own, after := around(tt.hit); before != tt.before || own != tt.own || after != tt.after {
			t.Errorf("%s: %q, %q, %q", tt.name, before, own, after)
		}
	}
}

// Of what stands around a hit, the nearest is shown, and the hit in any case.
func TestFarFromTheHit(t *testing.T) {
	far := strings.Repeat("far ", 2000)
	got := body(between(far+"near ", "the hit", " near"+far, 0, 7, 7, "the hit"))
	if !strings.Contains(got, "far near\n    | the hit\n      near") || len(got) > 3*nearby || !strings.HasPrefix(got, "      …far ") || !strings.HasSuffix(got, "far…") {
		t.Errorf("%s", got)
	}
}
