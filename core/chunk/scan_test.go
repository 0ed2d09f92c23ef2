package chunk

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/internal/meter"
)

// A compared text has the blocks that another parser finds in it; testdata/README.md
// tells which.
type compared struct {
	Seed         int
	Text, Blocks string
}

func readCompared(t *testing.T, file string) []compared {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []compared
	for in := bufio.NewScanner(f); in.Scan(); {
		var c compared
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

var kindNames = [...]string{
	paragraph: "paragraph", heading: "heading", underlined: "heading", rule: "rule", fence: "code", indented: "code",
	markup: "html", table: "table", quote: "quote", list: "list", item: "item",
}

// blocksOf writes the blocks of a text as testdata does.
func blocksOf(t *testing.T, source string, headings bool) string {
	t.Helper()
	nodes, err := scan(source, 0, meter.New(nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	l, line := linesFrom(source, 0), 0
	for i := range nodes {
		n := &nodes[i]
		for line == 0 || l.start < int(n.start) {
			l.step()
			line++
		}
		fmt.Fprintf(&b, "%d %s %d", n.depth, kindNames[n.kind], line)
		if n.isHeading() && n.depth == 0 && headings {
			from, to, _ := headingAt(source, n, endOf(source, nodes, n))
			fmt.Fprintf(&b, " %d %s", n.n, oneLine(source[from:to]))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestBlocksAreCommonMark(t *testing.T) {
	for _, c := range readCompared(t, "testdata/commonmark.jsonl") {
		if got := blocksOf(t, c.Text, true); got != c.Blocks {
			t.Errorf("seed %d: %q has the blocks\n%s, want\n%s", c.Seed, c.Text, got, c.Blocks)
		}
	}
}

func TestTablesAreGitHubs(t *testing.T) {
	for _, c := range readCompared(t, "testdata/tables.jsonl") {
		if got := blocksOf(t, c.Text, false); got != c.Blocks {
			t.Errorf("seed %d: %q has the blocks\n%s, want\n%s", c.Seed, c.Text, got, c.Blocks)
		}
	}
}

// Where nothing is joined or cut, a chunk begins at each heading that CommonMark
// knows outside of quotes and lists, and nowhere else.
func TestChunksAreCommonMarkSections(t *testing.T) {
	for _, c := range readCompared(t, "testdata/commonmark.jsonl") {
		if strings.Contains(c.Text, "\r") {
			continue // its lines are not those of grep
		}
		want := ""
		for _, block := range strings.Split(c.Blocks, "\n") {
			f := strings.SplitN(block, " ", 5)
			if f[0] == "0" && f[1] == "heading" {
				want += f[2] + " " + f[3] + "\n"
			}
		}
		got := ""
		for _, k := range markdown(t, c.Text, Options{Levels: AllLevels}).Chunks {
			if k.Level > 0 {
				got += fmt.Sprintln(k.FirstLine, k.Level)
			}
		}
		if got != want {
			t.Errorf("seed %d: %q has chunks at\n%s, want\n%s", c.Seed, c.Text, got, want)
		}
	}
}

// The structures that issue trackers of such tools are full of.
func TestHeadings(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"levels 1 to 6", "# a\n## b\n### c\n#### d\n##### e\n###### f\n####### g", "1 a|2 b|3 c|4 d|5 e|6 f"},
		{"closing signs", "# a #\n## b ##   \n### c # d\n#### e \\#", "1 a|2 b|3 c # d|4 e \\#"},
		{"no space", "#a\n\n#\tb\n\n#", "1 b|1 "},
		{"indentation", "   # a\n\n    # b", "1 a"},
		{"underlined", "a\n=\n\nb\n---\n\nc\n   ===   ", "1 a|2 b|1 c"},
		{"underlined on two lines", "a\nb\n===", "1 a b"},
		{"a rule is no underline", "a\n\n---\n\nb\n***", ""},
		{"an underline needs a paragraph", "- a\n---\n> b\n===\n\n    c\n===", ""},
		{"a fence", "```\n# a\n```\n# b\n~~~ go\n# c\n```\n# d\n~~~\n", "1 b"},
		{"a fence in a longer one", "````md\n```\n# a\n```\n# b\n````\n# c", "1 c"},
		{"a fence that is not closed", "# a\n```\n# b", "1 a"},
		{"a fence in an item", "- a\n\n  ```\n  # b\n  ```\n\n# c", "1 c"},
		{"a fence in an item ends with it", "- a\n  ```\n# b", "1 b"},
		{"a fence in a quote ends with it", "> ```\n# a", "1 a"},
		{"backticks in the info are no fence", "``` a`b\n# c", "1 c"},
		{"code by indentation", "a\n\n    # b\n\n# c", "1 c"},
		{"headings in quotes and items begin no section", "> # a\n\n- # b\n\n# c", "1 c"},
		{"an item needs its indentation", "- a\n# b\n\n  # c", "1 b|1 c"},
		{"a comment", "<!-- a\n\n# b\n\n--> c\n# d", "1 d"},
		{"script", "<script>\n\n# a\n\n</script>\n# b", "1 b"},
		{"an element ends at a blank line", "<div>\n# a\n\n# b\n</div>", "1 b"},
		{"CDATA, a declaration and an instruction", "<![CDATA[\n# a\n\n]]>\n<!X\n# b\n>\n<?php\n\n# c\n?>\n# d", "1 d"},
		{"any tag alone", "<x-y a='b'>\n# c\n\n# d", "1 d"},
		{"a tag goes on a paragraph", "a\n<x-y>\n# b", "1 b"},
		{"a definition is no heading", "[a]: /b\n===\n\n[c]: /d 'e\nf'\ng\n---", "2 g"},
		{"a table row is none", "a | b\n--- | ---\nc\n# d", "1 d"},
		{"CR LF and CR", "# a\r\n\r\nb\r---\rc", "1 a|2 b"},
		{"other separators end no line", "a\u2028# b\n\f# c\n# d", "1 d"},
		{"too deep is text", strings.Repeat("> ", 65) + "# a\n\n# b", "1 b"},
	} {
		var got []string
		for _, c := range markdown(t, tt.text, Options{Levels: AllLevels}).Chunks {
			if c.Level > 0 {
				path := append([]string{""}, c.Headings...)
				got = append(got, fmt.Sprint(c.Level, " ", path[len(path)-1]))
			}
		}
		if got := strings.Join(got, "|"); got != tt.want {
			t.Errorf("%s: %q has headings %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}
