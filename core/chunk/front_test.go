package chunk

import (
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

func TestYAML(t *testing.T) {
	for _, tt := range []struct {
		name, yaml, want string
		kept             int
	}{
		{"scalars", "a: b c\nd: 7\ne: -0.50\nf: true\ng: False\nh: null\ni: ~\nj:\n", `{"a":"b c","d":7,"e":-0.5,"f":true,"g":false,"h":null,"i":null,"j":null}`, 0},
		{"what only looks like a number", "a: 1e5\nb: 007\nc: 0x1f\nd: 1_000\ne: .5\nf: 1.2.3\ng: 1234567890123456\nh: +1", `{"a":"1e5","b":"007","c":"0x1f","d":"1_000","e":".5","f":"1.2.3","g":"1234567890123456","h":"+1"}`, 0},
		{"dates, yes and no are strings", "a: 2026-03-01\nb: 2026-03-01T10:00:00Z\nc: yes\nd: No", `{"a":"2026-03-01","b":"2026-03-01T10:00:00Z","c":"yes","d":"No"}`, 0},
		{"quotes", `a: "b: \"c\" \u00e9\n" # d` + "\nb: 'it''s # no'\n\"c d\": e\n'f': g", `{"a":"b: \"c\" é\n","b":"it's # no","c d":"e","f":"g"}`, 0},
		{"comments", "# a\na: b # c\n\nd: e#f\n  # g\nh: i", `{"a":"b","d":"e#f","h":"i"}`, 0},
		{"links and times", "a: https://example.org:80/b#c\nd: 10:30", `{"a":"https://example.org:80/b#c","d":"10:30"}`, 0},
		{"lists on a line", "a: [b, 'c, d', 7, true, ~]\ne: []\nf: [ g , ]", `{"a":["b","c, d",7,true,null],"e":[],"f":["g"]}`, 0},
		{"a list on several lines", "a: [b,\n  c\n  ]\nd: e", `{"a":["b","c"],"d":"e"}`, 0},
		{"lists of lines", "a:\n  - b\n  - 'c'\n  -\n  - 7\nd:\n- e\n- f: g\nh: i", `{"a":["b","c",null,7],"d":"- e\n- f: g","h":"i"}`, 1},
		{"mappings", "a:\n  b: c\n  d: [e, 7]\nf: {g: h, i: 7}", `{"a":{"b":"c","d":["e",7]},"f":{"g":"h","i":7}}`, 0},
		{"deeper mappings stay text", "a:\n  b:\n    c: d\n  e: f\ng: h", `{"a":"b:\n  c: d\ne: f","g":"h"}`, 1},
		{"deeper lists stay text", "a: [[b], c]\nd: {e: {f: g}}", `{"a":"[[b], c]","d":"{e: {f: g}}"}`, 2},
		{"blocks of text", "a: |\n  b\n    c\n\n  d\ne: >-\n  f\n  g\n\n  h\n", `{"a":"b\n  c\n\nd","e":"f g\nh"}`, 0},
		{"text that goes on", "a: b\n  c\n  d\ne: f", `{"a":"b c d","e":"f"}`, 0},
		{"anchors, aliases and tags stay text", "a: &x [1]\nb: *x\nc: !!str 7\nd: @e", `{"a":"&x [1]","b":"*x","c":"!!str 7","d":"@e"}`, 4},
		{"quotes that do not close", "a: \"b\nc: 'd", `{"a":"\"b","c":"'d"}`, 2},
		{"no member", "a: b\nc\n: : :\n- d\n  e", `{"":"c\n: : :\n- d\n  e","a":"b"}`, 1},
		{"a member twice", "a: b\na: c\n  d", `{"":"a: c\n  d","a":"b"}`, 1},
		{"a member without a name", "a: b\n\"\": c\nd", `{"":"c","_":"d","a":"b"}`, 1},
		{"no UTF-8", "a: \xff\n\xfe: b", `{"a":"` + "\ufffd" + `","` + "\ufffd" + `":"b"}`, 0},
	} {
		f := readMeta("---", strings.Split(tt.yaml, "\n"))
		if got := f.Meta.String(); got != tt.want || f.Kept != tt.kept {
			t.Errorf("%s: %s with %d kept, want %s with %d", tt.name, got, f.Kept, tt.want, tt.kept)
		}
	}
}

func TestTOML(t *testing.T) {
	for _, tt := range []struct {
		name, toml, want string
		kept             int
	}{
		{"scalars", "a = \"b\\tc\"\nd = 'e'\nf = 7\ng = -0.5\nh = true # i\nj = 2026-03-01", `{"a":"b\tc","d":"e","f":7,"g":-0.5,"h":true,"j":"2026-03-01"}`, 0},
		{"lists", "a = [\"b\", 7]\nc = [\n  \"d\",\n  \"e\",\n]\nf = 1", `{"a":["b",7],"c":["d","e"],"f":1}`, 0},
		{"tables", "a = 1\n[b]\nc = 2\n[d.e] # f\ng = 3", `{"a":1,"b":{"c":2},"d.e":{"g":3}}`, 0},
		{"strings of several lines stay text", "a = \"\"\"\nb = c\n\"\"\"\nd = 1", `{"a":"\"\"\"\nb = c\n\"\"\"","d":1}`, 1},
		{"inline tables stay text", "a = { b = 1 }", `{"a":"{ b = 1 }"}`, 1},
		{"no member", "a = 1\nb\n[[c]]\nd =", `{"":"b\n[[c]]\nd =","a":1}`, 1},
	} {
		f := readMeta("+++", strings.Split(tt.toml, "\n"))
		if got := f.Meta.String(); got != tt.want || f.Kept != tt.kept {
			t.Errorf("%s: %s with %d kept, want %s with %d", tt.name, got, f.Kept, tt.want, tt.kept)
		}
	}
}

func TestFrontMatter(t *testing.T) {
	long := "---\na: " + strings.Repeat("b", maxFront) + "\n---\nc"
	for _, tt := range []struct{ name, text, front, meta string }{
		{"YAML", "---\na: b\n---\nc", "---\na: b\n---\n", `{"a":"b"}`},
		{"the end of the text", "---\na: b\n---", "---\na: b\n---", `{"a":"b"}`},
		{"an end of dots", "---\na: b\n...\n---\n", "---\na: b\n...\n", `{"a":"b"}`},
		{"TOML", "+++\na = 'b'\n+++\nc", "+++\na = 'b'\n+++\n", `{"a":"b"}`},
		{"CR LF and blanks", "--- \r\na: b\r\n---\t\r\nc", "--- \r\na: b\r\n---\t\r\n", `{"a":"b"}`},
		{"nothing in it", "---\n---\nc", "---\n---\n", `{}`},
		{"a comment first", "---\n# a\nb: c\n---\n", "---\n# a\nb: c\n---\n", `{"b":"c"}`},
		{"a rule and text", "---\n\na: b\n\n---\n", "", ""},
		{"a rule and a sentence", "---\nNot a member.\n---\n", "", ""},
		{"a rule and a heading", "---\n# a\n\nb\n\n---\n", "", ""},
		{"a rule and a heading alone", "---\n# a\n---\n", "", ""},
		{"no end", "---\na: b\n", "", ""},
		{"not at the beginning", "\n---\na: b\n---\n", "", ""},
		{"four hyphens", "----\na: b\n----\n", "", ""},
		{"indented", " ---\na: b\n ---\n", "", ""},
		{"too long", long, "", ""},
	} {
		for _, mark := range []string{"", "\ufeff"} {
			d := markdown(t, mark+tt.text, standard)
			if got := d.Text[d.Front.Start:d.Front.End]; got != tt.front || d.Front.Meta.String() != tt.meta {
				t.Errorf("%s: front matter %q, %s, want %q, %s", tt.name, got, d.Front.Meta, tt.front, tt.meta)
			}
			if err := check(d); err != nil || d.Chunks[0].Start != d.Front.End || d.Front.Start != len(mark) {
				t.Errorf("%s: the chunks begin at %d: %v", tt.name, d.Chunks[0].Start, err)
			}
		}
	}
}

// Whatever front matter says is an object, and its canonical spelling is stable.
func FuzzFront(f *testing.F) {
	for _, s := range []string{"a: b", "a: [b, {c: d}]\n  e", "a: |\n b\n\n c", "a: \"\\U0010ffff\\xzz\"", "a = [\n1\n]\n[b]\nc = '''d\n'''", "? a\n: b", "a:\n - b\n - c: d", "a = \f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, mark := range []string{"---", "+++"} {
			front := readMeta(mark, strings.Split(s, "\n"))
			again, err := json.Parse([]byte(front.Meta.String()))
			if err != nil || front.Meta.Kind() != json.Object || again.String() != front.Meta.String() {
				t.Errorf("%s %q gives %s: %v", mark, s, front.Meta, err)
			}
		}
	})
}
