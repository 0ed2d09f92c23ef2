package chunk

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// tiny sizes make the examples short: chunks of about 8 tokens.
var tiny = Options{Sizes: Sizes{Target: 8, Min: 4, Max: 10, Overlap: 3}, Levels: AllLevels}

// show writes chunks for tables: the path, what is put before, the text, in which
// / marks the end of what is repeated and blank lines at the end are left out.
func show(d Document) []string {
	var list []string
	for _, c := range d.Chunks {
		s := ""
		if len(c.Headings) > 0 {
			s = strings.Join(c.Headings, ">") + ": "
		}
		if len(c.Merged) > 0 {
			s = s[:len(s)-2] + "+" + strings.Join(c.Merged, "+") + ": "
		}
		if c.Prefix != "" {
			s += "(" + c.Prefix + ")"
		}
		if c.Overlap > 0 {
			s += d.Text[c.Start:c.Start+c.Overlap] + "/"
		}
		list = append(list, s+strings.TrimRight(d.Text[max(c.Body, c.Start+c.Overlap):c.End], "\n"))
	}
	return list
}

var sectionTests = []struct {
	name, text string
	o          Options
	want       []string
}{
	{"each heading begins a chunk", "# a\n\n1 2 3 4\n\n## b\n\n5 6 7 8\n\n### c\n\n1 2 3 4\n\n# d\n\n5 6 7 8", tiny,
		[]string{"a: 1 2 3 4", "a>b: 5 6 7 8", "a>b>c: 1 2 3 4", "d: 5 6 7 8"}},
	{"what stands before the first heading", "1 2\n\n# a\n3 4", tiny, []string{"1 2", "a: 3 4"}},
	{"a level that is left out", "# a\n1 2 3 4\n\n### c\n5 6 7 8\n\n## b\n1 2 3 4", tiny,
		[]string{"a: 1 2 3 4", "a>c: 5 6 7 8", "a>b: 1 2 3 4"}},
	{"a heading without text has no name", "# a\n##\n### c\n1 2 3 4", tiny, []string{"a>c: 1 2 3 4"}},
	{"headings alone go with the first section under them", "# a\n\n## b\n\n### c\n\n1 2 3 4", tiny, []string{"a>b>c: 1 2 3 4"}},
	{"small siblings are joined", "# a\n1 2 3 4\n## b\n1 2\n## c\n3\n## d\n4 5 6\n## e\n7", tiny,
		[]string{"a: 1 2 3 4", "a>b+c: 1 2\n## c\n3", "a>d+e: 4 5 6\n## e\n7"}},
	{"only while the first is small", "# a\n1 2 3 4\n# b\n5", tiny, []string{"a: 1 2 3 4", "b: 5"}},
	{"only if there is room", "# a\n1 2 3\n# b\n1 2 3 4 5 6 7", tiny, []string{"a: 1 2 3", "b: 1 2 3 4 5 6 7"}},
	{"never across a parent", "# a\n1 2 3 4\n## b\n1\n# c\n2 3 4 5\n## d\n6", tiny,
		[]string{"a: 1 2 3 4", "a>b: 1", "c: 2 3 4 5", "c>d: 6"}},
	{"a parent is no sibling", "# a\n1\n## b\n2", tiny, []string{"a: 1", "a>b: 2"}},
	{"a sibling that leads others stays with them", "# a\n1\n# b\n## c\n2 3 4 5", tiny, []string{"a: 1", "b>c: 2 3 4 5"}},
	{"a sibling without a body", "# a\n1 2\n# b\n# c\n3 4", tiny, []string{"a+b+c: 1 2\n# b\n# c\n3 4"}},
	{"a small last section stays", "# a\n1 2 3 4 5\n# b\n6", tiny, []string{"a: 1 2 3 4 5", "b: 6"}},
	{"the journal splits at ## and ###", "# t\n\n1\n\n## a\n\n2\n\n### b\n\n3\n\n#### c\n\n4\n\n## d", Options{Levels: JournalLevels},
		[]string{"t: 1", "t>a: 2", "t>a>b: 3\n\n#### c\n\n4", "t>d: "}},
	{"a blank beginning is no chunk of the journal", "\n\n## a\n1", Options{Levels: JournalLevels}, []string{"a: 1"}},
	{"### without ## leaves no hole", "### b\n3", Options{Levels: JournalLevels}, []string{"b: 3"}},
	{"a ## in a fence is no heading of the journal", "## a\n```\n## b\n```\n", Options{Levels: JournalLevels}, []string{"a: ```\n## b\n```"}},
	{"a later # ends the path, and no chunk", "# t\n## a\n1\n# u\n2\n## b\n3", Options{Levels: JournalLevels}, []string{"t: ", "t>a: 1\n# u\n2", "u>b: 3"}},
	{"no text", "", tiny, []string{""}},
	{"no text but white space", " \n\n", tiny, []string{" "}},
	{"links in headings", "## [1.2](/x) of ![i](j) <b>May</b>\n\n1", tiny,
		[]string{"1.2 of i May: ## [1.2](/x) of ![i](j) <b>May</b>\n\n1"}},
}

func TestSections(t *testing.T) {
	for _, tt := range sectionTests {
		d := markdown(t, tt.text, tt.o)
		if err := check(d); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := show(d); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

var cutTests = []struct {
	name, text string
	want       []string
}{
	{"paragraphs fill a chunk", "1 2 3\n\n4 5 6\n\n7 8 9\n\n1 2 3\n\n4 5 6\n\n7 8 9", []string{"1 2 3\n\n4 5 6\n\n7 8 9", "1 2 3\n\n4 5 6\n\n7 8 9"}},
	{"the last two share what is left", "1 2 3\n\n4 5 6\n\n7 8 9\n\n1 2 3", []string{"1 2 3\n\n4 5 6", "7 8 9\n\n1 2 3"}},
	{"a small end goes with what is before", "1 2 3 4 5 6 7 8\n\n1 2 3 4 5 6\n\n9 9", []string{"1 2 3 4 5 6 7 8", "1 2 3 4 5 6\n\n9 9"}},
	{"a long paragraph is cut behind a sentence, which is repeated",
		"1 2 3 4. 5 6 7? 8 9 1 2 3. 4 5 6 7 8.", []string{"1 2 3 4. 5 6 7? ", "5 6 7? /8 9 1 2 3. ", "4 5 6 7 8."}},
	{"a long sentence at a line", "1 2 3 4\n5 6 7 8\n9 1 2 3", []string{"1 2 3 4\n5 6 7 8", "9 1 2 3"}},
	{"a long line at a word", "1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 1 2", []string{"1 2 3 4 5 6 7 8 ", "9 1 2 3 4 5 ", "6 7 8 9 1 2"}},
	{"Chinese at the end of sentences", "一二三。四五。六七八九。一二三四五。六七。", []string{"一二三。四五。六七八九。", "六七八九。/一二三四五。六七。"}},
	{"Han without sentences between characters, no bigram lost", "一二三四五六七八九十百千万", []string{"一二三四五六", "六/七八九十百千万"}},
	{"a fence stays whole if it fits", "1 2 3 4\n\n```go\n5 6 7\n\n8 9 1\n```\n\n2 3", []string{"1 2 3 4", "```go\n5 6 7\n\n8 9 1\n```\n\n2 3"}},
	{"a long fence at lines, with its opening line again", "```go\n1 2 3 4\n5 6 7 8\n9 1 2 3\n4 5 6 7\n```",
		[]string{"```go\n1 2 3 4\n5 6 7 8", "(```go\n)9 1 2 3\n4 5 6 7\n```"}},
	{"a short lead stays with a long fence", "1 2:\n\n```go\n1 2 3 4\n5 6 7 8\n9 1 2 3\n```", []string{"1 2:\n\n```go\n1 2 3 4", "(```go\n)5 6 7 8\n9 1 2 3\n```"}},
	{"a long one does not", "1 2 3 4\n\n```go\n1 2 3 4\n5 6 7 8\n9 1 2 3\n```", []string{"1 2 3 4", "```go\n1 2 3 4\n5 6 7 8", "(```go\n)9 1 2 3\n```"}},
	{"a table at rows, with its head again", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n| 7 | 8 |\n| 9 | 1 |\n",
		[]string{"| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "(| a | b |\n|---|---|\n)| 5 | 6 |\n| 7 | 8 |\n| 9 | 1 |"}},
	{"a head of more than half a chunk is not repeated", "a b c|d e f\n-|-\n1 2|3\n4 5|6\n7 8|9\n1 2|3\n",
		[]string{"a b c|d e f\n-|-\n1 2|3", "4 5|6\n7 8|9\n1 2|3"}},
	{"a list at items", "- 1 2 3\n- 4 5 6\n- 7 8 9\n- 1 2 3", []string{"- 1 2 3\n- 4 5 6", "- 7 8 9\n- 1 2 3"}},
	{"an inner list, with its item again", "- a\n  - 1 2 3\n  - 4 5 6\n  - 7 8 9\n  - 1 2 3", []string{"- a\n  - 1 2 3\n  - 4 5 6", "(- a\n)  - 7 8 9\n  - 1 2 3"}},
	{"a fence in an item, with both again", "- a:\n\n  ```sh\n  1 2 3 4\n  5 6 7 8\n  9 1 2 3\n  ```\n", []string{"- a:\n\n  ```sh\n  1 2 3 4", "(- a:\n  ```sh\n)  5 6 7 8\n  9 1 2 3\n  ```"}},
	{"an item's own text is not put before itself", "- 1 2 3 4\n  5 6 7 8\n  9 1 2 3", []string{"- 1 2 3 4\n  5 6 7 8", "  9 1 2 3"}},
	{"a quote at paragraphs", "> 1 2 3 4\n>\n> 5 6 7 8\n>\n> 9 1 2 3", []string{"> 1 2 3 4\n>\n> 5 6 7 8\n>", "> 9 1 2 3"}},
	{"HTML at lines", "<div>\n1 2 3 4<br>\n5 6 7 8<br>\n</div>", []string{"<div>\n1 2 3 4<br>", "5 6 7 8<br>\n</div>"}},
	{"a heading is not counted", "# a b c d e f g h i j k l\n\n1 2 3 4 5 6 7 8 9 1", []string{"a b c d e f g h i j k l: 1 2 3 4 5 6 7 8 9 1"}},
	{"the path goes on", "# a\n\n1 2 3 4 5 6\n\n7 8 9 1 2 3", []string{"a: 1 2 3 4 5 6", "a: 7 8 9 1 2 3"}},
	{"graphemes stay whole", strings.Repeat("가\u0301", 14), []string{strings.Repeat("가\u0301", 7), "가\u0301/" + strings.Repeat("가\u0301", 7)}},
}

func TestCut(t *testing.T) {
	for _, tt := range cutTests {
		d := markdown(t, tt.text, tiny)
		if err := check(d); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := show(d); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%q, want\n%q", tt.name, got, tt.want)
		}
	}
}

// No text of a long paragraph is beyond reach.
func TestEveryWordOfALongParagraph(t *testing.T) {
	var words []string
	for i := range 10_000 {
		words = append(words, fmt.Sprint("word", i))
	}
	for _, between := range []string{" ", ". ", "\n", "。"} {
		d := markdown(t, strings.Join(words, between), standard)
		found := map[string]bool{}
		for i, c := range d.Chunks {
			n := 0
			for tok := range tokens(d.Text[c.Start:c.End]) {
				found[tok.Text] = true
				n++
			}
			if n > 220 || n < 64 {
				t.Errorf("chunk %d has %d words", i, n)
			}
		}
		for _, w := range words {
			if !found[w] {
				t.Fatalf("%q is in no chunk", w)
			}
		}
		if err := check(d); err != nil {
			t.Error(err)
		}
	}
}

// seeds returns n, or fewer in a short run.
func seeds(n uint64) uint64 {
	if testing.Short() {
		return n / 10
	}
	return n
}

// compose returns a document of everything that a chunker has to keep together.
func compose(r *rand.Rand) string {
	text := func(n int) string {
		var b strings.Builder
		for range 1 + r.IntN(n) {
			b.WriteString([]string{"alpha", "beta", "gamma", "新幹線", "x_y", "3.5", "é", "🇩🇪", "**b**", "`c d`"}[r.IntN(10)])
			b.WriteString([]string{" ", " ", " ", " ", ". ", "? ", "。", "\n"}[r.IntN(8)])
		}
		return b.String()
	}
	line := func(n int) string { return strings.ReplaceAll(text(n), "\n", " ") }
	var b strings.Builder
	for range 1 + r.IntN(12) {
		switch r.IntN(8) {
		case 0, 1:
			b.WriteString(strings.Repeat("#", 1+r.IntN(6)) + " " + line(6) + "\n\n")
		case 2:
			b.WriteString(text(400) + "\n\n")
		case 3:
			for range r.IntN(40) {
				b.WriteString(strings.Repeat("  ", r.IntN(4)) + "- " + line(20) + "\n")
			}
			b.WriteByte('\n')
		case 4:
			b.WriteString("| a | b |\n|---|---|\n")
			for range r.IntN(60) {
				b.WriteString("| " + line(4) + " | " + line(9) + " |\n")
			}
			b.WriteByte('\n')
		case 5:
			b.WriteString("```go\n" + strings.Repeat(line(8)+"\n", r.IntN(60)) + "```\n\n")
		case 6:
			b.WriteString("> " + strings.ReplaceAll(text(300), "\n", "\n> ") + "\n\n")
		default:
			b.WriteString(text(30) + "\n\n")
		}
	}
	return b.String()
}

// Chunks cover the text whatever the sizes; they hold at most Max tokens, and one
// more where Han is cut between two; only one that cannot be joined is under Min.
func TestSizes(t *testing.T) {
	for seed := range seeds(60) {
		r := rand.New(rand.NewPCG(seed, 0))
		text := compose(r)
		for i, o := range optionsTests {
			d := markdown(t, text, o)
			if err := check(d); err != nil {
				t.Fatalf("seed %d, options %d: %v", seed, i, err)
			}
			sizes := o.Sizes.within()
			for j, c := range d.Chunks {
				if n := count(d.Text[c.Body:c.End]); n > sizes.Max+1 && sizes.Max > 1 {
					t.Errorf("seed %d, options %d: chunk %d has %d tokens: %q", seed, i, j, n, d.Text[c.Body:c.End])
				}
				if n := count(c.Prefix); 2*n > sizes.Max || len(c.Prefix) > maxPrefix {
					t.Errorf("seed %d, options %d: chunk %d has %d tokens before it", seed, i, j, n)
				}
				if n := count(d.Text[c.Start : c.Start+c.Overlap]); n > max(1, sizes.Overlap) {
					t.Errorf("seed %d, options %d: chunk %d repeats %d tokens", seed, i, j, n)
				}
			}
		}
	}
}

func count(s string) (n int64) {
	for range tokens(s) {
		n++
	}
	return n
}

// An edit changes the chunks around it, not all that come after it.
func TestAnEditStaysLocal(t *testing.T) {
	texts := func(d Document) map[string]bool {
		set := map[string]bool{}
		for _, c := range d.Chunks {
			set[c.Prefix+d.Text[c.Start:c.End]] = true
		}
		return set
	}
	for seed := range seeds(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		before := ""
		for i := range 6 {
			before += fmt.Sprintf("# Part %d\n\n", i) + strings.ReplaceAll(compose(r), "#", "") + "\n"
		}
		after := strings.Replace(before, "# Part 3\n\n", "# Part 3\n\nNew words that were not there.\n\n", 1)
		old, changed := texts(markdown(t, before, standard)), 0
		d := markdown(t, after, standard)
		from, to := strings.Index(after, "# Part 2"), strings.Index(after, "# Part 5")
		for _, c := range d.Chunks {
			if !old[c.Prefix+d.Text[c.Start:c.End]] {
				changed++
				if c.Start < from || c.Start >= to {
					t.Errorf("seed %d: the chunk at byte %d changed", seed, c.Start)
				}
			}
		}
		if changed == 0 {
			t.Errorf("seed %d: nothing changed", seed)
		}
	}
	long := strings.Repeat("Some words of a sentence that is neither long nor short.\n\n", 500)
	old, changed := texts(markdown(t, long, standard)), 0
	d := markdown(t, long+"A line more.\n", standard)
	for _, c := range d.Chunks {
		if !old[c.Prefix+d.Text[c.Start:c.End]] {
			changed++
		}
	}
	if changed > 2 {
		t.Errorf("a line at the end of a long section changed %d of %d chunks", changed, len(d.Chunks))
	}
}

// X36: a byte order mark changes nothing but where bytes are.
func TestByteOrderMark(t *testing.T) {
	for seed := range seeds(50) {
		r := rand.New(rand.NewPCG(seed, 2))
		text := "---\ntitle: Pumps\n---\n# Head\n\n" + compose(r)
		if seed%2 == 0 {
			text = text[len("---\ntitle: Pumps\n---\n"):]
		}
		want, got := markdown(t, text, standard), markdown(t, "\ufeff"+text, standard)
		for i := range got.Chunks {
			c := &got.Chunks[i]
			c.Start, c.Body, c.End = c.Start-3, c.Body-3, c.End-3
		}
		if fmt.Sprint(want.Chunks) != fmt.Sprint(got.Chunks) || want.Title != got.Title || want.Front.Meta.String() != got.Front.Meta.String() {
			t.Errorf("seed %d: chunks %v, want %v", seed, got.Chunks, want.Chunks)
		}
	}
}

// X39: line n of a chunk is line n of grep -n, whatever a line holds.
func TestLines(t *testing.T) {
	text := "---\ntitle: a\n---\n\n# One\r\n\r\nalpha \f beta\r\n\r\n# Two\n\ngamma\u2028delta\u0085epsilon\n\n# Three\n\nzeta\reta\n\n\n"
	d := markdown(t, text, Options{Levels: AllLevels})
	if err := check(d); err != nil {
		t.Error(err)
	}
	grep := strings.Split(text, "\n")
	for i, want := range []struct{ first, last string }{
		{"# One\r", "alpha \f beta\r"}, {"# Two", "gamma\u2028delta\u0085epsilon"}, {"# Three", "zeta\reta"},
	} {
		c := d.Chunks[i]
		if first, last := grep[c.FirstLine-1], grep[c.LastLine-1]; first != want.first || last != want.last {
			t.Errorf("chunk %d has lines %d to %d, %q to %q, want %q to %q", i, c.FirstLine, c.LastLine, first, last, want.first, want.last)
		}
	}
	for seed := range seeds(50) {
		text := compose(rand.New(rand.NewPCG(seed, 3)))
		for i, c := range markdown(t, text, tiny).Chunks {
			from, to := trimBlanks(text, c.Start, c.End)
			if from == to {
				continue
			}
			first, last := strings.Count(text[:from], "\n")+1, strings.Count(text[:to], "\n")+1
			if c.FirstLine != int64(first) || c.LastLine != int64(last) {
				t.Errorf("seed %d: chunk %d has lines %d to %d, want %d to %d", seed, i, c.FirstLine, c.LastLine, first, last)
			}
		}
	}
}

func TestWhole(t *testing.T) {
	d := Whole("\n# a\nb\n")
	if c := d.Chunks[0]; len(d.Chunks) != 1 || c.Start != 0 || c.End != 7 || c.FirstLine != 2 || c.LastLine != 3 {
		t.Errorf("%+v", d.Chunks)
	}
	if got := show(markdown(t, "# a\n\nb\n\n# c", Options{})); !slices.Equal(got, []string{"a: b\n\n# c"}) {
		t.Errorf("without options: %q", got)
	}
}

func TestPlain(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"paragraphs fill a chunk", "1 2 3\n4\n\n5 6 7\n \t\n8 9\f\n\f\n1 2 3 4 5", []string{"1 2 3\n4\n\n5 6 7\n \t", "8 9\f\n\f\n1 2 3 4 5"}},
		{"marks mean nothing", "# a\n---\n```\n| 1\n- 2", []string{"# a\n---\n```\n| 1\n- 2"}},
		{"a long paragraph is cut", "1 2 3 4. 5 6 7. 8 9 1 2 3 4.", []string{"1 2 3 4. 5 6 7. ", "5 6 7. /8 9 1 2 3 4."}},
		{"a byte order mark", "\ufeff1 2", []string{"1 2"}},
		{"lone CR", "1 2 3 4 5 6\r\r7 8 9 1 2 3", []string{"1 2 3 4 5 6\r\r", "7 8 9 1 2 3"}},
	} {
		d, err := Plain(tt.text, tiny)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(d); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := show(d); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestTitle(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"---\ntitle: A \"b\"\n---\n# c", `A "b"`},
		{"---\ntitle: 'It''s'\n---\n# c", "It's"},
		{"---\ntitle: [a\n---\n# c", "c"},
		{"---\ntitle: 7\n---\n# c", "c"},
		{"## a\n\n# b", "b"},
		{"a\n\n## b\n\n### c", "b"},
		{"a", ""},
		{"# [a](b)", "a"},
		{"> # a", ""},
	} {
		if got := markdown(t, tt.text, standard).Title; got != tt.want {
			t.Errorf("%q has the title %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestHeadingText(t *testing.T) {
	long := strings.Repeat("é", 300)
	for _, tt := range []struct {
		text, want string
		whole      bool
	}{
		{"a  b\n c\t", "a b c", true},
		{"snake_case and `a<b>c` *d*", "snake_case and `a<b>c` *d*", true},
		{"[a](b)", "a", false},
		{"[a [b](c)](d (e) \"f\")!", "a b!", false},
		{"![a](b) c", "a c", false},
		{"[a] (b) [c][d]", "[a] (b) [c][d]", true},
		{"a](b) [c](", "a](b) [c](", true},
		{"\\[a](b)", "\\[a](b)", true},
		{"`[a](b)`", "`[a](b)`", true},
		{"<a id=\"x\"></a> b <!-- c --> 1 < 2", "b 1 < 2", false},
		{"<https://example.org/> and <b", "<https://example.org/> and <b", true},
		{long, strings.Repeat("é", 256) + "…", false},
	} {
		if got, whole := headingText(tt.text); got != tt.want || whole != tt.whole {
			t.Errorf("headingText(%q) = %q, %v, want %q, %v", tt.text, got, whole, tt.want, tt.whole)
		}
	}
}

func TestSentences(t *testing.T) {
	for _, want := range [][]string{
		{"One. ", "Two! ", "Three? ", "Four"},
		{"Version 1.5 of e.g. this and J. Doe is out. ", "New."},
		{"He said \"no.\" ", "(So.) ", "Ok."},
		{"Wait... ", "What?! ", "Go"},
		{"etc. and so on. ", "End"},
		{"今日は。", "「はい。」", "元気？！", "うん"},
		{"中文。", "English. ", "混合！ ", "完"},
		{"क। ", "ख॥ ", "ग"},
		{"هل؟ ", "نعم"},
		{"a。\u3099 ", "b"},
		{"no end at all,\nnot here"},
	} {
		var got []string
		text := strings.Join(want, "")
		for i := 0; i < len(text); {
			end := sentenceEnd(text, i, len(text))
			got = append(got, text[i:end])
			i = end
		}
		if !slices.Equal(got, want) {
			t.Errorf("sentences %q, want %q", got, want)
		}
	}
}

func TestLevels(t *testing.T) {
	if got := LevelsOf(2, 3); got != JournalLevels {
		t.Errorf("LevelsOf(2, 3) = %b", got)
	}
	if got := LevelsOf(1, 2, 3, 4, 5, 6, 0, 7, -1); got != AllLevels {
		t.Errorf("LevelsOf(1 to 6) = %b", got)
	}
}

// A call ends when it is told to.
func TestStop(t *testing.T) {
	stop := new(atomic.Uint32)
	stop.Store(1)
	text := strings.Repeat("word ", 1<<20)
	for name, cut := range map[string]func(string, Options) (Document, error){"Markdown": Markdown, "Plain": Plain} {
		_, err := cut(text, Options{Sizes: Default(), Levels: AllLevels, Meter: meter.New(stop, nil)})
		if e, ok := err.(*abi.Error); !ok || e.Code != abi.Cancelled {
			t.Errorf("%s ends with %v", name, err)
		}
	}
}

// The markdown of this repository, as an example of real texts.
func TestOwnDocuments(t *testing.T) {
	for _, file := range []string{"../README.md", "../../README.md", "../../wasm/ABI.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(markdown(t, string(text), standard)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
