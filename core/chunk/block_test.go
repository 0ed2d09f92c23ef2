package chunk

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func blocks(t testing.TB, list []abi.Block, o Options) Document {
	t.Helper()
	d, err := Blocks(list, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func par(text string, l *abi.Location) abi.Block {
	return abi.Block{Type: abi.BlockParagraph, Text: text, Location: l}
}

func head(level int64, text string, l *abi.Location) abi.Block {
	return abi.Block{Type: abi.BlockHeading, Level: level, Text: text, Location: l}
}

func page(n int64) *abi.Location { return &abi.Location{PageStart: n, PageEnd: n} }

func TestTextOfBlocks(t *testing.T) {
	list := []abi.Block{
		head(2, " Start\n up ", nil),
		par("\none\ntwo\n", nil),
		{Type: abi.BlockPageBreak},
		{Type: abi.BlockTable, Headers: []string{"a\tb", "c"}, Rows: [][]string{{"1", "2\n3"}, {}, {"4"}}},
		{Type: abi.BlockCode, Text: "x := `a`\n\n```\n", Language: "go `"},
		{Type: abi.BlockList, Ordered: true, Items: []string{"one", " ", "two\nlines"}},
		{Type: abi.BlockQuote, Text: "quoted"},
		{Type: abi.BlockImage, Alt: "a pump"},
		{Type: abi.BlockImage},
		{Type: abi.BlockNote, Text: "noted"},
		{Type: abi.BlockMeta, Text: "From: a"},
		{Type: abi.BlockCode},
		head(9, "", nil),
	}
	want := "## Start up\n\none\ntwo\n\na b\tc\n1\t2 3\n\n4\n\n````go \nx := `a`\n\n```\n````\n\n- one\n- two\nlines\n\nquoted\n\na pump\n\nnoted\n\nFrom: a\n\n"
	d := blocks(t, list, standard)
	if d.Text != want || d.Title != "Start up" {
		t.Errorf("title %q, text %q, want %q", d.Title, d.Text, want)
	}
	if err := check(d); err != nil {
		t.Error(err)
	}
}

func TestBlocks(t *testing.T) {
	slide := func(n int64) *abi.Location { return &abi.Location{Slide: n} }
	row := func(from, to int) (rows [][]string) {
		for i := from; i <= to; i++ {
			rows = append(rows, []string{fmt.Sprint("n", i), "x"})
		}
		return rows
	}
	for _, tt := range []struct {
		name string
		list []abi.Block
		want []string
	}{
		{"headings begin chunks", []abi.Block{head(1, "a", nil), par("1 2 3 4", nil), head(2, "b", nil), par("5 6 7 8", nil)}, []string{"a: 1 2 3 4", "a>b: 5 6 7 8"}},
		{"pages do not", []abi.Block{par("1 2", page(1)), {Type: abi.BlockPageBreak}, par("3 4", page(2))}, []string{"1 2\n\n3 4"}},
		{"slides do, however small", []abi.Block{par("1", slide(1)), par("2", nil), par("3", slide(2)), head(1, "a", slide(3)), par("4", slide(3)), par("5", slide(4))},
			[]string{"1\n\n2", "3", "a: 4", "a: 5"}},
		{"sheets do", []abi.Block{par("1", &abi.Location{Sheet: "A"}), par("2", &abi.Location{Sheet: "B"})}, []string{"1", "2"}},
		{"a slide of a heading alone", []abi.Block{head(1, "a", slide(1)), head(2, "b", slide(2)), par("1", slide(2))}, []string{"a: ", "a>b: 1"}},
		{"a long table at rows, with its headers again", []abi.Block{{Type: abi.BlockTable, Headers: []string{"k", "v"}, Rows: row(1, 6)}},
			[]string{"k\tv\nn1\tx\nn2\tx\nn3\tx", "(k\tv\n)n4\tx\nn5\tx\nn6\tx"}},
		{"a long table without headers", []abi.Block{{Type: abi.BlockTable, Rows: row(1, 6)}}, []string{"n1\tx\nn2\tx\nn3\tx", "n4\tx\nn5\tx\nn6\tx"}},
		{"long code at lines, with its language again", []abi.Block{{Type: abi.BlockCode, Language: "sh", Text: "1 2 3 4\n5 6 7 8\n9 1 2 3\n"}},
			[]string{"```sh\n1 2 3 4\n5 6 7 8", "(```sh\n)9 1 2 3\n```"}},
		{"a long list at items", []abi.Block{{Type: abi.BlockList, Items: []string{"1 2 3", "4 5 6", "7 8 9", "1 2 3"}}}, []string{"- 1 2 3\n- 4 5 6", "- 7 8 9\n- 1 2 3"}},
		{"a long paragraph at sentences", []abi.Block{par("1 2 3 4. 5 6 7? 8 9 1 2 3. 4 5 6 7 8.", nil)}, []string{"1 2 3 4. 5 6 7? ", "5 6 7? /8 9 1 2 3. ", "4 5 6 7 8."}},
		{"nothing", nil, []string{""}},
		{"nothing but breaks", []abi.Block{{Type: abi.BlockPageBreak}, {Type: "unknown"}}, []string{""}},
	} {
		d := blocks(t, tt.list, tiny)
		if err := check(d); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := show(d); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestLocations(t *testing.T) {
	rows := func(n int) (rows [][]string) {
		for i := range n {
			rows = append(rows, []string{fmt.Sprint("n", i), "x"})
		}
		return rows
	}
	box := func(l, t, r, b int64) *abi.Box { return &abi.Box{Left: l, Top: t, Right: r, Bottom: b} }
	for _, tt := range []struct {
		name string
		list []abi.Block
		want []abi.Location
	}{
		{"pages, section and characters unite",
			[]abi.Block{
				par("1 2", &abi.Location{PageStart: 2, PageEnd: 3, Section: "1", CharStart: 0, CharEnd: 9}),
				par("3 4", &abi.Location{PageStart: 3, PageEnd: 4, Section: "2", CharStart: 9, CharEnd: 12}),
			},
			[]abi.Location{{PageStart: 2, PageEnd: 4, Section: "1", CharEnd: 12}}},
		{"each chunk has its own",
			[]abi.Block{head(1, "a", page(1)), par("1 2 3 4 5 6", page(1)), par("7 8 9 1 2 3", page(2))},
			[]abi.Location{{PageStart: 1, PageEnd: 1}, {PageStart: 2, PageEnd: 2}}},
		{"lines of code are exact",
			[]abi.Block{{Type: abi.BlockCode, Text: "1 2 3 4\n5 6 7 8\n9 1 2 3\n", Location: &abi.Location{LineStart: 11, LineEnd: 13}}},
			[]abi.Location{{LineStart: 11, LineEnd: 12}, {LineStart: 13, LineEnd: 13}}},
		{"lines of something else are not",
			[]abi.Block{par("1 2 3 4. 5 6 7 8. 9 1 2 3.", &abi.Location{LineStart: 11, LineEnd: 13})},
			[]abi.Location{{LineStart: 11, LineEnd: 13}, {LineStart: 11, LineEnd: 13}}},
		{"rows of a range are exact, the headers being its first",
			[]abi.Block{{Type: abi.BlockTable, Headers: []string{"k", "v"}, Rows: rows(6), Location: &abi.Location{Sheet: "S", CellRange: "AA10:AB16"}}},
			[]abi.Location{{Sheet: "S", CellRange: "AA10:AB13"}, {Sheet: "S", CellRange: "AA14:AB16"}}},
		{"rows of another range are not",
			[]abi.Block{{Type: abi.BlockTable, Rows: rows(6), Location: &abi.Location{CellRange: "A1:B9"}}},
			[]abi.Location{{CellRange: "A1:B9"}, {CellRange: "A1:B9"}}},
		{"ranges unite",
			[]abi.Block{par("1", &abi.Location{CellRange: "B2"}), par("2", &abi.Location{CellRange: "A3:A9"}), par("3", &abi.Location{CellRange: "Z1"})},
			[]abi.Location{{CellRange: "A1:Z9"}}},
		{"what is no range stays alone",
			[]abi.Block{par("1", &abi.Location{CellRange: "named"})},
			[]abi.Location{{CellRange: "named"}}},
		{"or is nothing",
			[]abi.Block{par("1", &abi.Location{CellRange: "named", Section: "s"}), par("2", &abi.Location{CellRange: "A1"})},
			[]abi.Location{{Section: "s"}}},
		{"boxes of a page unite",
			[]abi.Block{
				par("1", &abi.Location{PageStart: 1, PageEnd: 1, BoundingBox: box(1, 2, 3, 4)}),
				par("2", &abi.Location{PageStart: 1, PageEnd: 1, BoundingBox: box(0, 3, 2, 9)}),
			},
			[]abi.Location{{PageStart: 1, PageEnd: 1, BoundingBox: box(0, 2, 3, 9)}}},
		{"those of two do not",
			[]abi.Block{
				par("1", &abi.Location{PageStart: 1, PageEnd: 1, BoundingBox: box(1, 2, 3, 4)}),
				par("2", &abi.Location{PageStart: 2, PageEnd: 2, BoundingBox: box(0, 3, 2, 9)}),
			},
			[]abi.Location{{PageStart: 1, PageEnd: 2}}},
		{"nothing known", []abi.Block{par("1", nil)}, []abi.Location{{}}},
	} {
		d := blocks(t, tt.list, tiny)
		var got []abi.Location
		for _, c := range d.Chunks {
			l := abi.Location{}
			if c.Location != nil {
				l = *c.Location
			}
			if got = append(got, l); c.FirstLine != l.LineStart || c.LastLine != l.LineEnd {
				t.Errorf("%s: lines %d to %d and %+v", tt.name, c.FirstLine, c.LastLine, l)
			}
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestCells(t *testing.T) {
	for _, s := range []string{"A1:A1", "Z1:AA2", "AZ9:BA10", "ZZ1:AAA1048576"} {
		if c, ok := parseCells(s); !ok || c.String() != s {
			t.Errorf("%s is read as %v, %v", s, c, ok)
		}
	}
	for _, s := range []string{"", "A", "1", "A0", "A1:", "B1:A1", "A2:A1", "a1", "A1:B2:C3", "AAAAA1", "A1234567890", "$A$1"} {
		if c, ok := parseCells(s); ok {
			t.Errorf("%q is read as %v", s, c)
		}
	}
}

// Chunks of blocks cover their text, and every cell and every line of a block is
// in one that knows where it comes from.
func TestBlocksLoseNothing(t *testing.T) {
	for seed := range seeds(30) {
		r := rand.New(rand.NewPCG(seed, 4))
		var list []abi.Block
		for i := range 1 + r.IntN(20) {
			text := strings.TrimSpace(compose(r))
			switch l := page(int64(i + 1)); r.IntN(5) {
			case 0:
				list = append(list, head(1+r.Int64N(6), text[:min(len(text), 9)], l))
			case 1:
				list = append(list, abi.Block{Type: abi.BlockCode, Text: text, Location: l})
			case 2:
				list = append(list, abi.Block{Type: abi.BlockList, Items: strings.Split(text, "\n"), Location: l})
			case 3:
				var rows [][]string
				for _, line := range strings.Split(text, "\n") {
					rows = append(rows, strings.Split(line, " "))
				}
				list = append(list, abi.Block{Type: abi.BlockTable, Headers: []string{"h"}, Rows: rows, Location: l})
			default:
				list = append(list, par(text, l))
			}
		}
		for i, o := range optionsTests {
			d := blocks(t, list, o)
			if err := check(d); err != nil {
				t.Fatalf("seed %d, options %d: %v", seed, i, err)
			}
			last := int64(0)
			for j, c := range d.Chunks {
				if c.Location == nil || c.Location.PageStart < last || c.Location.PageEnd < c.Location.PageStart {
					t.Fatalf("seed %d, options %d: chunk %d has the location %+v", seed, i, j, c.Location)
				}
				last = c.Location.PageStart
			}
		}
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add([]byte(`[{"type":"heading","level":1,"text":"a"},{"type":"table","headers":["b"],"rows":[["c","d"],[]]},{"type":"code","text":"e"}]`))
	f.Add([]byte(`[{"type":"list","ordered":true,"items":["a","b\nc"],"location":{"slide":1}},{"type":"paragraph","text":"d","location":{"slide":2,"lineStart":1,"lineEnd":2,"cellRange":"A1:B2"}}]`))
	f.Fuzz(func(t *testing.T, in []byte) {
		list, err := abi.ReadBlocks(in)
		if err != nil {
			return
		}
		for i, o := range optionsTests {
			if err := check(blocks(t, list, o)); err != nil {
				t.Errorf("options %d: %s: %v", i, in, err)
			}
		}
	})
}
