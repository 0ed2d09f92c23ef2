package chunk

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

var standard = Options{Sizes: Default(), Levels: AllLevels}

func markdown(t testing.TB, source string, o Options) Document {
	t.Helper()
	d, err := Markdown(source, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// check reports what does not hold of every document: that its chunks cover the
// text, in order, cut at borders of characters, and that no token is lost.
func check(d Document) error {
	at := d.Front.End
	if len(d.Chunks) == 0 {
		return fmt.Errorf("no chunks")
	}
	for i, c := range d.Chunks {
		switch {
		case c.Start+c.Overlap != at || c.Overlap < 0 || c.Start < d.Front.End:
			return fmt.Errorf("chunk %d begins at %d and repeats %d, the one before ends at %d", i, c.Start, c.Overlap, at)
		case c.End <= at && len(d.Text) > at:
			return fmt.Errorf("chunk %d has nothing of its own", i)
		case c.Body < c.Start || c.Body > c.End:
			return fmt.Errorf("chunk %d has its body at %d, outside of %d to %d", i, c.Body, c.Start, c.End)
		case c.FirstLine > c.LastLine:
			return fmt.Errorf("chunk %d has lines %d to %d", i, c.FirstLine, c.LastLine)
		}
		for _, border := range []int{c.Start, c.Body, c.End} {
			if ucd.GraphemeStart(d.Text, border) != border {
				return fmt.Errorf("chunk %d is cut inside a character at byte %d", i, border)
			}
		}
		at = c.End
	}
	if at != len(d.Text) {
		return fmt.Errorf("the last chunk ends at %d of %d", at, len(d.Text))
	}
	return lost(d)
}

// lost reports tokens that are in no chunk: each one begins as often in the text
// as in what chunks have of their own, or in what they repeat.
func lost(d Document) error {
	have := map[string]int{}
	for _, c := range d.Chunks {
		for tok := range tokens(d.Text[c.Start:c.End]) {
			have[tok.Text]++
		}
		for tok := range tokens(strings.Join(c.Headings, "\n")) {
			have["heading "+tok.Text]++
		}
		for tok := range tokens(d.Text[c.Start:c.Body]) {
			if c.Overlap == 0 && have["heading "+tok.Text] == 0 {
				return fmt.Errorf("%q stands before the body at %d and not in the path", tok.Text, c.Body)
			}
		}
	}
	for tok := range tokens(d.Text[d.Front.End:]) {
		if have[tok.Text]--; have[tok.Text] < 0 {
			return fmt.Errorf("%q is in no chunk", tok.Text)
		}
	}
	return nil
}

// small sizes cut more often than the product's.
var optionsTests = []Options{
	standard,
	{},
	{Levels: JournalLevels},
	{Sizes: Sizes{Target: 12, Min: 4, Max: 16, Overlap: 6}, Levels: AllLevels},
	{Sizes: Sizes{Target: 3, Min: 2, Max: 4, Overlap: 2}, Levels: LevelsOf(1, 3)},
	{Sizes: Sizes{Target: 1, Min: 1, Max: 1, Overlap: 9}, Levels: AllLevels},
	{Sizes: Sizes{Target: -1, Min: 99, Max: 9, Overlap: -1}},
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		for i, o := range optionsTests {
			d := markdown(t, source, o)
			if err := check(d); err != nil {
				t.Errorf("options %d: %q: %v", i, source, err)
			}
			if again := markdown(t, source, o); !reflect.DeepEqual(again, d) {
				t.Errorf("options %d: %q gives other chunks the second time", i, source)
			}
		}
	})
}

func FuzzPlain(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		for i, o := range optionsTests {
			d, err := Plain(source, o)
			if err != nil {
				t.Fatal(err)
			}
			if err := check(d); err != nil {
				t.Errorf("options %d: %q: %v", i, source, err)
			}
		}
	})
}

var fuzzSeeds = []string{
	"", "\ufeff", "a", "\n\n", "# a\n\nb\n", "a\n===\n\n- b\n  - c\n\n      d\n", "---\na: b\n---\n# c\n",
	"+++\na = 'b'\n+++\nc", "```go\na\n```\n~~~\n# b", "> # a\n> b\nc", "| a | b |\n|---|---|\n| c | d |\n", "<!-- a\n\n-->\nb",
	"[a]: b\n===\nc\n===", strings.Repeat("新幹線の話。", 40), strings.Repeat("word. Word! ", 90), "a\u0301\u0301 \u0301b\r\nc\rd",
	strings.Repeat("- item of a list\n  with a line\n", 30), strings.Repeat("x", 500), "e.g. this. J. Doe. " + strings.Repeat("(a) ", 40),
	"# " + strings.Repeat("long heading ", 60) + "\n\ntext", "# [a](b) c\n\n## <b>d</b>\n\ne", "\xff\xfe# a\x80\n\n\xe4\xb8b",
}
