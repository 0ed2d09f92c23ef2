package passages

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
)

var readTests = []struct {
	name, page string
	want       []block
}{
	{"paragraphs and headings", "<h2>1.2 The  Rook¶</h2><p>A bird.<p>A\ntower.", []block{{true, "The Rook"}, {false, "A bird."}, {false, "A tower."}}},
	{"inline tags join, block tags part", "<p>a<b>b</b> <i>c</i><div>d</div>e", []block{{false, "ab c"}, {false, "d"}, {false, "e"}}},
	{"entities", "a &lt; b &amp;&eacute;", []block{{false, "a < b &é"}}},
	{"lines of pre are blocks", "<pre>x = 1\n  y  = 2\n</pre>z", []block{{false, "x = 1"}, {false, "y = 2"}, {false, "z"}}},
	{"what navigates is left out", `<head><title>t</title></head><nav>a<nav>b</nav>c</nav><div class="sphinxsidebar"><div>x</div>y</div>z`, []block{{false, "z"}}},
	{"scripts, also in the text", "a<script>if (a<b) {}</script>b<style>p>q{}</style>c", []block{{false, "a"}, {false, "b"}, {false, "c"}}},
	{"comments", "a<!-- <p> b -->c", []block{{false, "ac"}}},
	{"a heading with tags", "<h1><a href='x'>One</a><br>two</h1>x", []block{{true, "One two"}, {false, "x"}}},
	{"an empty heading", "<h1></h1>x", []block{{false, "x"}}},
	{"what never ends", "a<p", []block{{false, "a"}}},
	{"a script that never ends", "a<script>b", []block{{false, "a"}}},
	{"bytes that are no text", "a\xffb", []block{{false, "a b"}}},
}

func TestRead(t *testing.T) {
	for _, tt := range readTests {
		if got := read([]byte(tt.page)); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: read(%q) = %v, want %v", tt.name, tt.page, got, tt.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, tt := range readTests {
		f.Add([]byte(tt.page))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		for _, b := range read(page) {
			if b.text == "" || b.text != strings.Join(strings.Fields(b.text), " ") && !b.heading {
				t.Errorf("read(%q) holds %q", page, b.text)
			}
		}
	})
}

func TestSentences(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("w ", 150))
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"full stop and capital", "One. Two? Three! Four", []string{"One.", "Two?", "Three!", "Four"}},
		{"not inside a name", "Use e.g. v1.2 of it.", []string{"Use e.g. v1.2 of it."}},
		{"lines", "a\n\nb c", []string{"a", "b c"}},
		{"without end", long, []string{long[:199], long[200:]}},
		{"nothing", "", nil},
	} {
		if got := sentences(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%s: sentences = %q, want %q", tt.name, got, tt.want)
		}
	}
}

// words returns n words that differ from all others with another name.
func words(name string, n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprint(name, i))
	}
	return strings.Join(list, " ")
}

func TestCut(t *testing.T) {
	page := []block{{true, "One"}, {false, words("a", 60)}, {true, "Two"}, {false, words("b", 40)}, {false, words("c", 59)}}
	want := []ir.Document{{Title: "One", Text: words("a", 60) + "\nTwo\n" + words("b", 40)}}
	c := newCutter()
	if got := c.cut(page); !reflect.DeepEqual(got, want) {
		t.Errorf("cut = %q, want %q", got, want)
	}
	for range repeats - 1 {
		c.cut(page)
	}
	if got := c.cut(page); got != nil {
		t.Errorf("sentences seen %d times give %q", repeats+1, got)
	}
}

func TestCutLengths(t *testing.T) {
	var page []block
	for i := range 400 {
		page = append(page, block{i%9 == 0, words(fmt.Sprint("w", i, "x"), 1+i*37%70)})
	}
	for _, d := range newCutter().cut(page) {
		if n := len(strings.Fields(d.Text)); n < shortest || n > longest {
			t.Errorf("a passage of %d words: %q", n, d.Text)
		}
	}
}

func TestEveryNth(t *testing.T) {
	var list []ir.Document
	for i := range 10 {
		list = append(list, ir.Document{ID: fmt.Sprint(i)})
	}
	for n := range 12 {
		taken, left := everyNth(list, n)
		if len(taken) != min(n, 10) || len(taken)+len(left) != 10 {
			t.Errorf("everyNth(10, %d) takes %d and leaves %d", n, len(taken), len(left))
		}
	}
	if taken, _ := everyNth(list, 2); taken[0].ID != "4" || taken[1].ID != "9" {
		t.Errorf("everyNth(10, 2) takes %v", taken)
	}
}

func documents() []ir.Document {
	var list []ir.Document
	for i := range 300 {
		list = append(list, ir.Document{
			ID:    fmt.Sprint(i),
			Title: fmt.Sprintf("The title %d", i),
			Text:  fmt.Sprintf("Here the %s. Other sentences%d tell something%d.", words(fmt.Sprint("w", i, "x"), 8+i%9), i, i),
		})
	}
	for i := range list {
		list[i].Text += "\nwinter summer autumn" + strings.Repeat("x", i)
	}
	return list
}

func TestQueries(t *testing.T) {
	list := Queries(documents(), 3)
	if again := Queries(documents(), 3); !slices.Equal(list, again) {
		t.Error("the same seed draws other queries")
	}
	kinds, texts := map[string]int{}, map[string]bool{}
	for _, q := range list {
		kinds[q.Kind]++
		texts[q.Text] = true
		if n := len(strings.Fields(q.Text)); q.Kind == Words && n != 3 || q.Kind == Heading && n > 8 || q.Kind == Sentence && n < 8 {
			t.Errorf("%s %q has %d words", q.Kind, q.Text, n)
		}
	}
	if want := map[string]int{Heading: 100, Sentence: 100, Words: 100}; !reflect.DeepEqual(kinds, want) || len(texts) != 300 {
		t.Errorf("%v of %d texts, want %v of 300", kinds, len(texts), want)
	}
}

func TestExtend(t *testing.T) {
	first := slices.Collect(Extend(documents(), 50, 9))
	if again := slices.Collect(Extend(documents(), 60, 9)); !slices.Equal(first, again[:50]) {
		t.Error("more passages begin with others")
	}
	known := map[string]bool{}
	for _, d := range documents() {
		for w := range strings.FieldsSeq(d.Text) {
			known[w] = true
		}
	}
	for _, d := range first {
		if n := len(strings.Fields(d.Text)); n < enough {
			t.Errorf("%s has %d words", d.ID, n)
		}
		for w := range strings.FieldsSeq(d.Text) {
			if !known[w] {
				t.Errorf("%s has the new word %q", d.ID, w)
			}
		}
	}
}

func TestWriteExtended(t *testing.T) {
	name := filepath.Join(t.TempDir(), "more.jsonl")
	digest, err := WriteExtended(name, documents(), 310)
	if err != nil {
		t.Fatal(err)
	}
	list, err := ir.ReadDocuments(name)
	if err != nil || len(list) != 310 || !slices.Equal(list[:300], documents()) {
		t.Errorf("%d documents, %v", len(list), err)
	}
	if again, err := WriteExtended(name, documents(), 310); again != digest {
		t.Errorf("SHA-256 %s, then %s, %v", digest, again, err)
	}
}

func TestIsPage(t *testing.T) {
	for _, tt := range []struct {
		name, under string
		want        bool
	}{
		{"./usr/share/doc/x/html/page.html", "", true},
		{"./usr/share/doc/x/html/page.htm", "", true},
		{"./usr/share/doc/x/html/page.txt", "", false},
		{"./usr/share/doc/x/html/de/page.html", "html/en", false},
		{"./usr/share/doc/x/html/en/page.html", "html/en", true},
		{"./usr/share/doc/x/html/src/page.html", "", false},
		{"./usr/share/doc/x/html/genindex.html", "", false},
		{"./usr/share/doc/x/html/all.html", "", false},
	} {
		if got := isPage(tt.name, tt.under); got != tt.want {
			t.Errorf("isPage(%q, %q) = %v", tt.name, tt.under, got)
		}
	}
}
