package cli

import "testing"

var spellingTests = []struct {
	name  string
	names []string
	want  []string
}{
	{"no two are alike", []string{"a\u0308.md", "o\u0308.md", "ö\u0308.md"}, []string{"a\u0308.md", "o\u0308.md", "ö\u0308.md"}},
	{"composed and decomposed", []string{"\u00e4.md", "a\u0308.md"}, []string{"\u00e4.md", `a\u0308.md`}},
	{"the other order", []string{"a\u0308.md", "\u00e4.md"}, []string{`a\u0308.md`, "\u00e4.md"}},
	{"only what is not composed is escaped", []string{"ö/\u00e4.md", "ö/a\u0308.md"}, []string{"ö/\u00e4.md", `ö/a\u0308.md`}},
	{"two orders of marks", []string{"q\u0323\u0307", "q\u0307\u0323"}, []string{"q\u0323\u0307", `q\u0307\u0323`}},
	{"neither is composed", []string{"s\u0307\u0323", "\u1e61\u0323"}, []string{`s\u0307\u0323`, "\u1e61" + `\u0323`}},
	{"a character that is another", []string{"K", "\u212a"}, []string{"K", `\u212a`}},
	{"syllables", []string{"\uac01", "\u1100\u1161\u11a8"}, []string{"\uac01", "\u1100" + `\u1161\u11a8`}},
	{"beyond 16 bits", []string{"\U0001d15e", "\U0001d157\U0001d165"}, []string{`\ud834\udd5e`, "\U0001d157\U0001d165"}},
	{"one name twice", []string{"a\u0308", "a\u0308"}, []string{"a\u0308", "a\u0308"}},
	{"what acts on a terminal", []string{"a\x1b[2J"}, []string{"a\ufffd[2J"}},
}

func TestSpelling(t *testing.T) {
	for _, tt := range spellingTests {
		name := spelling(tt.names)
		for i, s := range tt.names {
			if got := name(s); got != tt.want[i] {
				t.Errorf("%s: %+q is shown as %+q, want %+q", tt.name, s, got, tt.want[i])
			}
		}
	}
}
