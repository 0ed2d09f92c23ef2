package json

import (
	"strings"
	"testing"
	"unicode/utf8"
)

var quoteTests = []struct {
	name, in, want string
}{
	{"nothing", "", `""`},
	{"plain text", "recall budget", `"recall budget"`},
	{"quotes and backslashes", `a"b\c`, `"a\"b\\c"`},
	{"line breaks", "a\nb\r\tc", `"a\nb\r\tc"`},
	{"controls", "\x00\x1b[31m\x7f\u0085", `"\u0000\u001b[31m\u007f\u0085"`},
	{"bidirectional marks", "\u200e\u202e\u2066\u061c", `"\u200e\u202e\u2066\u061c"`},
	{"zero width", "\u200b\u200d\ufeff\u00ad", `"\u200b\u200d\ufeff\u00ad"`},
	{"spaces that look like one", "\u00a0\u2003\u3000", `"\u00a0\u2003\u3000"`},
	{"line separators", "\u2028\u2029", `"\u2028\u2029"`},
	{"tags", "\U000e0041", `"\U000e0041"`},
	{"noncharacters", "\ufdd0\uffff\U0010ffff", `"\ufdd0\uffff\U0010ffff"`},
	{"letters of all scripts", "éЖ字😀", `"éЖ字😀"`},
	{"ill-formed bytes", "a\xffb\xc3", `"a\xffb\xc3"`},
	{"a replacement character", "\ufffd", `"` + "\ufffd" + `"`},
	{"forty characters", strings.Repeat("é", 40), `"` + strings.Repeat("é", 40) + `"`},
	{"forty-one characters", strings.Repeat("é", 41), `"` + strings.Repeat("é", 40) + `"…`},
	{"forty ill-formed bytes", strings.Repeat("\xff", 50), `"` + strings.Repeat(`\xff`, 40) + `"…`},
}

func TestQuote(t *testing.T) {
	for _, tt := range quoteTests {
		if got := Quote(tt.in); got != tt.want || !utf8.ValidString(got) {
			t.Errorf("%s: Quote(%q) = %s, want %s", tt.name, tt.in, got, tt.want)
		}
	}
}

var nearestTests = []struct {
	name, in string
	of       []string
	want     string
}{
	{"one letter missing", "recalBudget", []string{"query", "recallBudget"}, "recallBudget"},
	{"one letter too many", "seeed", []string{"seed"}, "seed"},
	{"another letter", "qwery", []string{"query"}, "query"},
	{"two letters swapped are one mistake", "qurey", []string{"qxyy", "query"}, "query"},
	{"another case", "recallbudget", []string{"recallBudget"}, "recallBudget"},
	{"two mistakes", "qxxry", []string{"query"}, "query"},
	{"three are too many for a short one", "qxxxy", []string{"query"}, ""},
	{"a third of a long one", "recallBxxxet", []string{"recallBudget"}, "recallBudget"},
	{"more than a third", "recaxxBxxxet", []string{"recallBudget"}, ""},
	{"the nearest wins", "needz", []string{"seeds", "needs"}, "needs"},
	{"the first of equals wins", "ned", []string{"need", "bed", "ne"}, "need"},
	{"nothing in common", "k", []string{"q", "xy"}, ""},
	{"nothing at all", "", []string{"k", "ab"}, ""},
	{"the name itself", "seed", []string{"seat", "seed"}, "seed"},
	{"characters, not bytes", "größe", []string{"grösse", "grosse"}, "grösse"},
	{"no list", "seed", nil, ""},
	{"a name too long to be meant", strings.Repeat("a", 101), []string{strings.Repeat("a", 100)}, ""},
	{"a megabyte", strings.Repeat("a", 1<<20), []string{"a"}, ""},
	{"a listed one too long", "a", []string{strings.Repeat("a", 1000), strings.Repeat("é", 101)}, ""},
	{"the longest", strings.Repeat("a", 100), []string{strings.Repeat("a", 99) + "b"}, strings.Repeat("a", 99) + "b"},
}

func TestNearest(t *testing.T) {
	for _, tt := range nearestTests {
		if got := Nearest(tt.in, tt.of); got != tt.want {
			t.Errorf("%s: Nearest(%q, %q) = %q, want %q", tt.name, tt.in, tt.of, got, tt.want)
		}
	}
}
