package cli

import (
	"slices"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

const (
	saysStar  = " is read as text: a star goes behind two characters at least"
	saysField = " is no field; title:, heading: and body: are"
	saysAlone = "a quote without its partner is read as text"
)

var misreadTests = []struct {
	name  string
	query string
	want  []string
}{
	{"words", "tide windows", nil},
	{"a prefix", "ti* title:wi* -cr* docs/*", nil},
	{"a star behind one letter", "tide q*", []string{`"q*"` + saysStar}},
	{"behind an excluded one", "tide -q*", []string{`"q*"` + saysStar}},
	{"in a field", "title:q*", []string{`"q*"` + saysStar}},
	{"behind a letter with a mark", "a\u0308*", []string{"\"a\u0308*\"" + saysStar}},
	{"behind nothing", "*", []string{`"*"` + saysStar}},
	{"within a word", "a*b", nil},
	{"fields", `title:tide heading:"tide windows" -body:tide`, nil},
	{"no field", "foo:crane", []string{`"foo:"` + saysField}},
	{"in capitals", "Title:crane", []string{`"Title:"` + saysField}},
	{"before a phrase", `foo:"tide windows"`, []string{`"foo:"` + saysField}},
	{"excluded", "tide -foo:crane", []string{`"foo:"` + saysField}},
	{"a space behind a field", "title: crane", []string{"title: goes before its word without a space"}},
	{"other colons", `https://example.org 12:30 std::vector C:\x note: :x`, nil},
	{"a word that was found", "known:word", nil},
	{"a phrase", `"foo:crane q*" “tide windows” "two" "three"`, nil},
	{"one quote", `title:"crane`, []string{saysAlone}},
	{"three quotes", `"tide windows" "crane`, []string{saysAlone}},
	{"a quote in a word", `don"t`, []string{saysAlone}},
	{"a phrase over two lines", "\"tide\nwindows\"", []string{saysAlone}},
	{"all at once", `q* foo:x "y`, []string{`"q*"` + saysStar, `"foo:"` + saysField, saysAlone}},
	{"each once", `q* r* foo:x bar:y`, []string{`"q*"` + saysStar, `"foo:"` + saysField}},
}

func TestMisread(t *testing.T) {
	for _, tt := range misreadTests {
		p := &abi.SearchReply{Verdict: abi.NoAnswer, Hits: []abi.Found{{Words: []string{"known:word"}}}}
		p.Request = abi.DefaultSearch()
		p.Request.Query = tt.query
		if got := newAnswer(p, 0, "").remarks(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q: %q, want %q", tt.name, tt.query, got, tt.want)
		}
		if p.Verdict = abi.Answered; len(newAnswer(p, 0, "").remarks()) > 0 {
			t.Errorf("%s: an answer has remarks", tt.name)
		}
	}
}

// Where something that was asked for is not what was done, it is said.
func TestRemarksOfAReply(t *testing.T) {
	for _, tt := range []struct {
		name    string
		query   string
		missing []string
		budget  int64
		hits    int
		size    int
		want    []string
	}{
		{"a phrase that is nowhere", `crane "fog zeppelin" INV-9`, []string{`"fog zeppelin"`, "INV-9"}, 0, 1, 900, []string{`the phrase "fog zeppelin" occurs nowhere; its words were searched`}},
		{"in a field", `title:“high water”`, []string{`“high water”`}, 0, 1, 900, []string{`the phrase “high water” occurs in no title; its words were searched`}},
		{"a budget that one hit exceeds", "crane", nil, 100, 1, 301, []string{"the reply takes 101 tokens, more than the budget of 100: the first hit is given in any case"}},
		{"one that it fills", "crane", nil, 100, 1, 300, nil},
		{"one that a reply without hits exceeds", "crane", nil, 100, 0, 900, nil},
	} {
		p := &abi.SearchReply{Verdict: abi.Weak, Hits: make([]abi.Found, tt.hits), Evidence: abi.Evidence{Missing: tt.missing}}
		p.Request = abi.DefaultSearch()
		p.Request.Query = tt.query
		if tt.budget > 0 {
			p.Request.Budget = &tt.budget
		}
		if got := newAnswer(p, tt.size, "").remarks(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// What has quotes in it is put in other ones.
func TestQuote(t *testing.T) {
	for s, want := range map[string]string{`tide`: `"tide"`, `"tide windows"`: `'"tide windows"'`, `it's`: `"it's"`, "“tide”": "\"“tide”\""} {
		if got := quote(s, 40); got != want {
			t.Errorf("%s is shown as %s, want %s", s, got, want)
		}
	}
}

// A reply without an answer says why, in words.
func TestVerdictOf(t *testing.T) {
	for _, tt := range []struct {
		name  string
		reply abi.SearchReply
		want  string
	}{
		{"a filter", abi.SearchReply{Verdict: abi.NoAnswer, Reason: abi.FilteredOut}, "no_answer: no document passes the filter"},
		{"a reason of a newer engine", abi.SearchReply{Verdict: abi.NoAnswer, Reason: "new_\x1breason"}, "no_answer: new_\ufffdreason"},
		{"an identifier and a phrase", abi.SearchReply{Verdict: abi.Weak, Evidence: abi.Evidence{Missing: []string{"INV-9", `"a b"`}}}, "weak: nowhere as a whole: INV-9"},
		{"nothing else to say", abi.SearchReply{Verdict: abi.Weak, Hits: make([]abi.Found, 1), Evidence: abi.Evidence{Asked: 900, Together: 900}}, "weak: no passage holds all of what was asked"},
		{"an answer", abi.SearchReply{Verdict: abi.Answered}, "answered"},
	} {
		if got := verdictOf(&tt.reply); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestUnmet(t *testing.T) {
	u := abi.Unmet{Fields: []string{"absent"}, Documents: []string{"a.md", "b\x1b.md"}}
	want := []string{"no document has the field, or such a value in it: absent", "the index has no document: a.md, b\ufffd.md"}
	if got := unmet(&u); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSyntaxIn(t *testing.T) {
	for query, want := range map[string]bool{
		"crane fog": false, "--force x": false, "a-b": false, "x: y": false, "12\" pipe": false,
		"crane -fog": true, `"tide windows"`: true, "title:tides": true, "-title:x": true,
	} {
		if got := syntaxIn(query); got != want {
			t.Errorf("%q: %v", query, got)
		}
	}
}
