package chunk

import (
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/internal/meter"
)

// What makes parsers of Markdown slow, or deep.
var adversaries = []struct {
	name string
	text func(n int) string // of about n bytes
}{
	{"nested quotes", func(n int) string { return strings.Repeat(">", n) }},
	{"nested quotes, a line each", func(n int) string { return strings.Repeat(strings.Repeat("> ", 60)+"a\n", n/122) }},
	{"nested items", func(n int) string { return strings.Repeat("- ", n/2) }},
	{"deeper and deeper items", func(n int) string {
		var b strings.Builder
		for b.Len() < n {
			for d := 0; d < 90; d++ {
				b.WriteString(strings.Repeat(" ", 2*d) + "- a\n")
			}
		}
		return b.String()
	}},
	{"blank lines in nested items", func(n int) string {
		return strings.Repeat("- ", 62) + "a" + strings.Repeat("\n", n)
	}},
	{"wide indents in nested items", func(n int) string {
		return strings.Repeat("- ", 62) + "a\n" + strings.Repeat(strings.Repeat(" ", 1000)+"a\n", n/1000)
	}},
	{"lazy lines", func(n int) string { return strings.Repeat("> ", 60) + "a\n" + strings.Repeat("a\n", n/2) }},
	{"open brackets", func(n int) string { return strings.Repeat("[", n) }},
	{"open brackets in a heading", func(n int) string { return "# " + strings.Repeat("[](", n/3) }},
	{"open fence", func(n int) string { return "```\n" + strings.Repeat("a b\n", n/4) }},
	{"pairs of fences", func(n int) string { return strings.Repeat("```\n", n/4) }},
	{"fences in a line", func(n int) string { return strings.Repeat("```a", n/4) }},
	{"a long word", func(n int) string { return strings.Repeat("a", n) }},
	{"a long line", func(n int) string { return strings.Repeat("ab ", n/3) }},
	{"a long line of Han", func(n int) string { return strings.Repeat("新", n/3) }},
	{"a long line of dots", func(n int) string { return strings.Repeat(".", n) }},
	{"a long line of dotted letters", func(n int) string { return strings.Repeat("a. ", n/3) }},
	{"marks", func(n int) string { return "a" + strings.Repeat("\u0301", n/2) }},
	{"flags", func(n int) string { return strings.Repeat("🇩", n/4) }},
	{"flags between words", func(n int) string { return strings.Repeat("🇩 a", n/6) }},
	{"link reference definitions", func(n int) string { return strings.Repeat("[a]: b\n", n/7) + "===\n" }},
	{"definitions and underlines", func(n int) string { return strings.Repeat("[a]: b\n===\n", n/11) }},
	{"a definition with a long title", func(n int) string { return "[a]: b\n'" + strings.Repeat("c\n", n/2) + "===\n" }},
	{"comments", func(n int) string { return strings.Repeat("<!--", n/4) }},
	{"tags", func(n int) string { return strings.Repeat("<a\n", n/3) }},
	{"an attribute after another", func(n int) string { return "<a" + strings.Repeat(" b=c", n/4) + "\n" }},
	{"tables", func(n int) string { return strings.Repeat("a|b\n-|-\n\n", n/9) }},
	{"a wide table", func(n int) string { return strings.Repeat("a|", n/4) + "\n" + strings.Repeat("-|", n/4) + "\n" }},
	{"a table with long rows", func(n int) string { return "a|b\n-|-\n" + strings.Repeat("a b c d e f g h|", n/16) }},
	{"heads that are no table", func(n int) string { return strings.Repeat("a|b\n-|-|-\n", n/10) }},
	{"headings", func(n int) string { return strings.Repeat("#\n", n/2) }},
	{"headings down and up", func(n int) string { return strings.Repeat("# a\n## b\n### c\n#### d\n##### e\n", n/29) }},
	{"a long heading", func(n int) string { return "# " + strings.Repeat("a ", n/2) }},
	{"a long underlined heading", func(n int) string { return strings.Repeat("a\n", n/2) + "===" }},
	{"rules", func(n int) string { return strings.Repeat("* ", n/2) }},
	{"lone CR", func(n int) string { return strings.Repeat("\r", n) }},
	{"CR and text", func(n int) string { return strings.Repeat("a\r", n/2) }},
	{"front matter that does not end", func(n int) string { return "---\na: b\n" + strings.Repeat("c: d\n", n/5) }},
	{"backslashes", func(n int) string { return strings.Repeat("\\", n) }},
	{"NUL", func(n int) string { return strings.Repeat("\x00", n) }},
	{"no UTF-8", func(n int) string { return strings.Repeat("\xe4", n) }},
	{"paragraphs", func(n int) string { return strings.Repeat("a\n\n", n/3) }},
}

// A text of a megabyte takes at most so many steps for each of its bytes,
// whatever it is, and however small the chunks.
func TestLinear(t *testing.T) {
	const most = 48
	size := 1 << 20
	if testing.Short() {
		size = 1 << 14
	}
	smallest := Options{Sizes: Sizes{Target: 2, Min: 1, Max: 3, Overlap: 1}, Levels: AllLevels}
	for _, tt := range adversaries {
		for _, c := range []struct {
			size int
			o    Options
		}{{size, standard}, {min(size, 1<<14), standard}, {min(size, 1<<14), smallest}} {
			text, m := tt.text(c.size), meter.New(nil, nil)
			c.o.Meter = m
			d := markdown(t, text, c.o)
			if per := float64(m.Steps()) / float64(len(text)); per > most {
				t.Errorf("%s, %d bytes: %.1f steps a byte, want at most %d", tt.name, len(text), per, most)
			}
			if c.size <= 1<<14 {
				if err := check(d); err != nil {
					t.Errorf("%s: %v", tt.name, err)
				}
			}
		}
	}
}
