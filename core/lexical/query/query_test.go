package query

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rookhaven-project/rookhaven/core/text"
)

// spell writes clauses as in the table: -, field:, quotes for Quoted, the terms, *
// for a prefix, and ^count. Terms in brackets belong together; the position stands
// before a term where it is not one more than that before.
func spell(q Query) string {
	var all []string
	for _, c := range q.Clauses {
		s := ""
		if c.Exclude {
			s = "-"
		}
		s += [...]string{"", "title:", "heading:", "body:"}[c.Field]
		terms := spellTerms(c.Terms)
		switch c.Kind {
		case Compound:
			terms = "~(" + terms + ")"
		case Identifier:
			terms = "=(" + terms + ")"
		case Sequence:
			terms = "(" + terms + ")"
		case Prefix:
			terms += "*"
		}
		if c.Quoted {
			terms = `"` + terms + `"`
		}
		if s += terms; c.Count > 1 {
			s += fmt.Sprintf("^%d", c.Count)
		}
		all = append(all, s)
	}
	if q.Sole {
		all = append(all, "sole")
	}
	if q.OnlyExcludes {
		all = append(all, "excludes")
	}
	return strings.Join(all, " ")
}

func spellTerms(terms []Term) string {
	var all []string
	next := int32(0)
	for _, t := range terms {
		s := t.Text
		if t.Position != next {
			s = fmt.Sprintf("%d!%s", t.Position, s)
			next = t.Position
		}
		if !t.Kind.IsWhole() {
			next++
		}
		if t.Kind == text.Tail {
			s += "."
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

var parseTests = []struct {
	name  string
	query string
	want  string
}{
	{"nothing", "", ""},
	{"white space", " \t\u3000\n", ""},
	{"signs alone", `- -- * ** : "" “” ? ! ( ) ^`, ""},
	{"words", "Crane maintenance", "crane maintenance"},
	{"a word twice", "crane fog Crane", "crane^2 fog"},
	{"stop words", "what is the tide?", "what is the tide"},
	{"endings are dropped", "what's the crane's", "what the crane"},
	{"words without a blank", "crane,fog(tide)", "crane fog tide"},

	{"a phrase", `berth "tide windows" 7`, `berth "tide windows" 7`},
	{"typographic quotes", `“tide windows” "fog”`, `"tide windows" "fog"`},
	{"a phrase of one word", `"crane"`, `"crane"`},
	{"a phrase twice", `"tide windows" "Tide  Windows"`, `"tide windows"^2`},
	{"stop words in a phrase", `"to be or not to be"`, `"to be or not to be"`},
	{"an identifier in a phrase", `"call parseHTTPHeader now"`, `"call parse http header now"`},
	{"dropped endings in a phrase", `"the crane's hook"`, `"the crane hook"`},
	{"nothing in a phrase", `"" "..." crane`, "crane"},
	{"a quote without a partner", `12" pipe "crane`, "12 pipe crane"},
	{"inches", `5" and 7" pipes`, "5 and 7 pipes"},
	{"a quote inside", `"say "tide" now" fog`, `"say tide" now fog`},
	{"a quote in a word", `cr"ane fo"g`, "cr ane fo g"},
	{"quotes in brackets", `print("tide windows")`, `print "tide windows"`},
	{"quotes on two lines", "\"tide\nwindows\"", "tide windows"},
	{"signs after a phrase", `"tide windows"-fog, "a b"title:x`, `"tide windows" fog a b =(title:x title x)`},

	{"a prefix", "ferr*", "ferr*"},
	{"two letters are enough", "fe* é\u0301e*", "fe* é\u0301e*"},
	{"one letter is text", "f* e\u0301*", "f é"},
	{"a star elsewhere", "* *a fo*o foo** (foo*)", "a fo o foo^2"},
	{"a prefix of an identifier", "DEC-00* parseHTTP* docs/a.m*", "dec-00* parsehttp* docs/a.m*"},
	{"a prefix that ends with what joins", `DEC-* docs\* foo_* __* a.b.*`, "dec-* docs/* foo_* __* a.b.*"},
	{"not after other signs", "foo,* foo)* .* ./* [a-z]*", "foo^2 ~(a-z a z)"},
	{"a prefix at the end of words", "crane,fo*", "crane fo*"},
	{"an ending before the star", "crane's*", "crane"},

	{"exclusions", `crane -fog -"tide windows" -ferr*`, `crane -fog -"tide windows" -ferr*`},
	{"of an identifier", "x -INV-0042", "x -=(inv-0042 inv 0042)"},
	{"of words without a blank", "x -fog,tide", "x -fog -tide"},
	{"of what begins with a sign", "x -.NET -__init__ -_", "x -=(.net net) -=(__init__ init)"},
	{"only at the start", "a-fog tide- - fog", "~(a-fog a fog) tide fog"},
	{"a flag is text", "git --force -", "git force"},
	{"a quote without partner is text", `x -"fog`, "x fog"},
	{"only exclusions", "-fog -tide", "-fog -tide excludes"},
	{"excluded and asked for", "fog -fog", "fog -fog"},

	{"fields", `title:crane heading:"tide windows" body:ferr*`, `title:crane heading:"tide windows" body:ferr*`},
	{"excluded in a field", "x -title:fog", "x -title:fog"},
	{"an identifier in a field", "title:a_b", "title:=(a_b a b)"},
	{"a field of nothing", "title: fog title:-x title:", "title^2 fog =(title:-x title x)"},
	{"other names", "Title:x text:x 12:30", "=(title:x title x) =(text:x text x) =(12:30 12 30)"},
	{"a field of a field", "title:body:x", "title:=(body:x body x)"},
	{"the same word elsewhere", "fog title:fog fog", "fog^2 title:fog"},

	{"operators are text", "crane AND (fog OR NOT NEAR(tide, 5))^2", "crane and fog or not near tide 5 2"},
	{"plus is text", "+crane", "crane"},

	{"an identifier", "parseHTTPHeader", "=(parsehttpheader parse http header) sole"},
	{"with signs around", " (parseHTTPHeader()) ", "=(parsehttpheader parse http header) sole"},
	{"with levels", "obj.max_len", "=(obj.max_len obj max_len max len) sole"},
	{"a compound", "max-retries", "~(max-retries max retries) sole"},
	{"two", ".NET .NET", "=(.net net)^2"},
	{"a letter with its signs is a word", "C++ C", "c++ c"},
	{"in a query", "call parseHTTPHeader", "call =(parsehttpheader parse http header)"},
	{"excluded", "-INV-0042", "-=(inv-0042 inv 0042) excludes"},
	{"a word is none", "crane", "crane"},
	{"X35", "DEC-0054 2026.4.10 .NET a/b", "=(dec-0054 dec 0054) =(2026.4.10 2026 4 10) =(.net net) =(a/b a b)"},

	{"Han", "新幹線", "(新幹 幹線)"},
	{"in quotes", `"新幹線 時刻"`, `"新幹 幹線 3!時刻"`},
	{"a lone character", "新 線*", "新.* 線.*"},
	{"a lone character in quotes", `"新"`, `"新.*"`},
	{"a lone character in a phrase", `"T恤 crane"`, `"t 恤. crane"`},
	{"a star after several", "新幹線*", "(新幹 幹線)"},
	{"glued scripts", "使用kubectl部署", "(使用) kubectl (部署)"},
	{"glued scripts in quotes", `"使用kubectl部署"`, `"使用 2!kubectl 部署"`},
	{"two sequences", "新幹線、時刻表", "(新幹 幹線) (時刻 刻表)"},

	{"X34", norm.NFD.String("Überprüfung überprüfung"), "überprüfung^2"},
	{"X40", "\x00 \xFF\xED\xA0\x80 a\x00b \"\xFF\" -\xFF ' OR 1=1;--", "a b or =(1=1 1 1)"},
}

func TestParse(t *testing.T) {
	for _, tt := range parseTests {
		if got := spell(Parse(tt.query)); got != tt.want {
			t.Errorf("%s: %+q is %s, want %s", tt.name, tt.query, got, tt.want)
		}
	}
}

// A row lists the source of each clause and of its terms.
var sourceTests = []struct {
	query string
	want  string
}{
	{`crane "tide windows", -fog`, `[crane: crane] ["tide windows": tide windows] [fog: fog]`},
	{`-title:“Tide” x`, `[“Tide”: Tide] [x: x]`},
	{"ferr* docs/*", "[ferr*: ferr] [docs/*: docs/]"},
	{"(parseHTTP) crane's", "[parseHTTP: parseHTTP parse HTTP] [crane: crane]"},
	{"x 新幹線 線", "[x: x] [新幹線: 新幹 幹線] [線: 線]"},
}

func TestSources(t *testing.T) {
	for _, tt := range sourceTests {
		var all []string
		for _, c := range Parse(tt.query).Clauses {
			s := "[" + tt.query[c.Start:c.End] + ":"
			for _, term := range c.Terms {
				s += " " + tt.query[term.Start:term.End]
			}
			all = append(all, s+"]")
		}
		if got := strings.Join(all, " "); got != tt.want {
			t.Errorf("sources of %q: %s, want %s", tt.query, got, tt.want)
		}
	}
}

func TestBounds(t *testing.T) {
	words := ""
	for i := range 3000 {
		words += string([]byte{'w', 'a' + byte(i%26), 'a' + byte(i/26%26), 'a' + byte(i/26/26), ' '})
	}
	for _, tt := range []struct {
		name                    string
		query                   string
		clauses, terms, omitted int
	}{
		{"as many as fit", strings.Repeat("a b c d ", 5000), 4, 4, 0},
		{"words", words, 1024, 1024, 1976},
		{"words again", words + words, 1024, 1024, 1976 + 1976},
		{"a phrase", `"` + words + `" more`, 1, 1024, 1977},
		{"a phrase that ends early", strings.Repeat("a b ", 10) + `"` + words + `"`, 3, 1024, 1978},
		{"a path", strings.Repeat("ab/", 1000) + "ab", 1, 1, 0},
		{"a sequence", strings.Repeat("新幹線", 1000), 1, 1024, 2999 - 1024},
	} {
		q := Parse(tt.query)
		terms := 0
		for _, c := range q.Clauses {
			terms += len(c.Terms)
		}
		if len(q.Clauses) != tt.clauses || terms != tt.terms || q.Omitted != tt.omitted {
			t.Errorf("%s: %d clauses, %d terms, %d omitted, want %d, %d, %d", tt.name, len(q.Clauses), terms, q.Omitted, tt.clauses, tt.terms, tt.omitted)
		}
	}
}

// Twice the text takes about twice the time, whatever it repeats.
func TestLongQueries(t *testing.T) {
	for _, part := range []string{
		"a ", `"`, `" `, `a"`, `"a" `, `"a `, "“a", `-"`, `-"a`, "title:", `title:"`, "-title:", "-", "*", "a*", "a_", "_ ", "-_", "新", "\"\n", "\xFF", "\x00", "a-*",
	} {
		s := strings.Repeat(part, (1<<18)/len(part))
		start := time.Now()
		Parse(s)
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("a quarter of a megabyte of %q takes %v", part, d)
		}
	}
}

// check checks what is promised of any query.
func check(t *testing.T, s string) {
	t.Helper()
	q := Parse(s)
	terms, last, only := 0, 0, len(q.Clauses) > 0
	seen := map[string]bool{}
	for _, c := range q.Clauses {
		terms += len(c.Terms)
		only = only && c.Exclude
		switch {
		case c.Start < last || c.Start >= c.End || c.End > len(s) || c.Count < 1 || len(c.Terms) == 0:
			t.Fatalf("clause %+v of %+q, after byte %d", c, s, last)
		case c.Kind == Word && len(c.Terms) != 1, c.Kind == Prefix && len(c.Terms) != 1,
			c.Kind == Phrase && !c.Quoted,
			(c.Kind == Compound || c.Kind == Identifier) != c.Terms[0].Kind.IsWhole() && c.Kind != Prefix:
			t.Fatalf("clause %+v of %+q", c, s)
		}
		last = c.Start
		c.Start, c.End, c.Count = 0, 0, 0
		c.Terms = slices.Clone(c.Terms)
		for i := range c.Terms {
			term := &c.Terms[i]
			if term.Text == "" || !utf8.ValidString(term.Text) || term.Start >= term.End || term.End > len(s) || i > 0 && term.Position < c.Terms[i-1].Position {
				t.Fatalf("term %+v of %+q", term, s)
			}
			term.Start, term.End = 0, 0
		}
		if key := fmt.Sprint(c); seen[key] {
			t.Fatalf("clause %s of %+q occurs twice", key, s)
		} else {
			seen[key] = true
		}
	}
	if terms > MaxTerms || q.OnlyExcludes != only || q.Sole && len(q.Clauses) != 1 {
		t.Fatalf("%+q has %d terms: %+v", s, terms, q)
	}
}

func TestRandomQueries(t *testing.T) {
	parts := []string{"a", "foo", "B", "7", "新", "線", "é", "e\u0301", `"`, `"`, "“", "”", "-", "-", "*", " ", " ", "\n", ".", "_", "/", "title:", "body:", "heading", ":", "'s", "n't", "\xFF", "\u00AD"}
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 0))
		var b strings.Builder
		for range r.IntN(16) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		s := b.String()
		check(t, s)
		if got, want := spell(Parse(norm.NFD.String(s))), spell(Parse(norm.NFC.String(s))); got != want {
			t.Fatalf("seed %d: %+q is %s in NFD, %s in NFC", seed, s, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, tt := range parseTests {
		f.Add(tt.query)
	}
	f.Fuzz(func(t *testing.T, s string) { check(t, s) })
}

func BenchmarkParse(b *testing.B) {
	for _, bb := range []struct{ name, query string }{
		{"question", "How do I deploy the crane controller with kubectl?"},
		{"operators", `title:crane "tide windows" parseHTTPHeader -fog ferr*`},
		{"paragraph", strings.Repeat("Crane maintenance for berth 7 isn't due before Monday. ", 100)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(bb.query)
			}
		})
	}
}
