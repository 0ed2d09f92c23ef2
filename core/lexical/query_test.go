package lexical

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// spell writes units in a short form.
func spell(n *Need) string {
	var list []string
	for _, u := range n.Units {
		s := u.Text
		switch u.Kind {
		case Phrase:
			s = fmt.Sprintf("%q%v", strings.Join(u.Terms, " "), u.Offsets)
		case Prefix:
			s += "*"
		case Identifier:
			s = "<" + s + ">"
		}
		if u.Field != FieldAny {
			s = []string{"title:", "heading:", "body:"}[u.Field-1] + s
		}
		if u.Exclude {
			s = "-" + s
		}
		if u.Count > 1 {
			s += fmt.Sprintf("^%d", u.Count)
		}
		list = append(list, s)
	}
	if n.Sole {
		list = append(list, "sole")
	}
	return strings.Join(list, " ")
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, query, want string }{
		{"words", "Crane maintenance crane", "crane^2 maintenance"},
		{"a phrase", `berth "tide windows" 7`, `berth "tide windows"[0 1] 7`},
		{"a phrase in typographic quotes", `“tide windows”`, `"tide windows"[0 1]`},
		{"a quote without partner", `12" pipe`, "12 pipe"},
		{"an empty phrase", `"" "..." crane`, "crane"},
		{"a prefix", "ferr*", "ferr*"},
		{"a prefix of one letter is text", "f*", "f"},
		{"a star alone", "* a *b", "a b"},
		{"an exclusion", `crane -fog -"tide window" -ferr*`, `crane -fog -"tide window"[0 1] -ferr*`},
		{"a flag is text", "git --force - x", "git force x"},
		{"a field", `title:crane heading:"tide window" body:ferr* text:x`, `title:crane heading:"tide window"[0 1] body:ferr* <text:x> text x`},
		{"operators are words", "crane AND (fog OR NEAR(tide))^2", "crane and fog or near tide 2"},
		{"only an identifier", "parseHTTPHeader", "<parsehttpheader> parse http header sole"},
		{"an identifier among words", "call parseHTTPHeader", "call <parsehttpheader> parse http header"},
		{"an excluded identifier", "-INV-0042 x", "-<inv-0042> x"},
	} {
		if got := spell(Parse(tt.query)); got != tt.want {
			t.Errorf("%s: %q is %s, want %s", tt.name, tt.query, got, tt.want)
		}
	}
}

var asked1 = []struct {
	name, query string
	want        string // ids, best first
}{
	{"any word matches", "fog nowhere", "a c"},
	{"a phrase is needed where it occurs", `"tide windows"`, "b"},
	{"a phrase with a stop word", `"bread and butter"`, "d"},
	{"a phrase of stop words", `"to be or not to be"`, "f"},
	{"a phrase that occurs nowhere is words", `"windows tide"`, "b c"},
	{"a prefix", "fer*", "e"},
	{"an exclusion", "fog -windows", "a"},
	{"an excluded phrase", `tide -"tide windows"`, "c"},
	{"a field", "title:fog", "c"},
	{"a field without it", "heading:fog", ""},
	{"a stem", "ferry", "e"},
	{"an identifier comes before its parts", "parseHTTPHeader", "g h i"},
	{"stop words alone", "to be", "f"},
}

func TestQueries(t *testing.T) {
	x := open(t, []abi.Document{
		{ID: "a", Text: "fog over the quay"},
		{ID: "b", Text: "tide windows of berth seven"},
		{ID: "c", Title: "Fog", Text: "windows and the tide; a tide"},
		{ID: "d", Text: "bread and butter"},
		{ID: "d2", Text: "bread of butter"},
		{ID: "e", Text: "ferries leave"},
		{ID: "f", Text: "to be or not to be"},
		{ID: "g", Text: "the function parseHTTPHeader"},
		{ID: "h", Text: "parse the http header, parse it"},
		{ID: "i", Text: "the header of http: parse it, then parse the header of http"},
	}, 4)
	for _, tt := range asked1 {
		hits, _ := ask(t, x, Parse(tt.query), Query{Limit: 10})
		var got []string
		for _, h := range hits {
			got = append(got, h.id)
		}
		slices.Sort(got)
		if want := strings.Fields(tt.want); !slices.Equal(got, want) && !(len(got) == 0 && len(want) == 0) {
			t.Errorf("%s: %s finds %v, want %v", tt.name, tt.query, got, want)
		}
	}
	hits, _ := ask(t, x, Parse("where is parseHTTPHeader used"), Query{Limit: 10})
	if hits[0].id != "g" {
		t.Errorf("a whole identifier among words does not come before its parts: %v", hits)
	}
	hits, _ = ask(t, x, Parse("parseHTTPHeader"), Query{Limit: 10})
	if hits[0].id != "g" || hits[0].score.Tier() != 1 || hits[1].score.Tier() != 0 {
		t.Errorf("a whole identifier does not come first: %v", hits)
	}
}

// The parts of a score add up to it, for every hit and any query.
func TestPartsAddUp(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		x := open(t, documents(r, 1+r.IntN(400)), 150)
		for range 20 {
			need := Parse(randomQuery(r))
			s, hits := search(t, x, need, Query{Limit: 20})
			for _, h := range hits {
				sum, tiers := int64(0), int64(0)
				for _, p := range s.Explain(h) {
					sum += p.Score
					tiers += p.Tiers
				}
				if sum != h.Score.Nano() || tiers != h.Score.Tier() {
					t.Fatalf("seed %d, %s: parts add up to %d, tier %d; the score is %d, tier %d", seed, spell(need), sum, tiers, h.Score.Nano(), h.Score.Tier())
				}
			}
		}
	}
}

func randomQuery(r *rand.Rand) string {
	switch q := sentence(r, 1+r.IntN(4)); r.IntN(6) {
	case 0:
		return `"` + sentence(r, 2) + `" ` + q
	case 1:
		return q + " -" + sentence(r, 1)
	case 2:
		return q + " fo*"
	case 3:
		return "title:" + q
	default:
		return q
	}
}

// X04: a list for k is a prefix of the list for more, with the same scores.
func TestX04Prefix(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 2))
		x := open(t, documents(r, 2000), 700)
		for range 10 {
			need := Parse(randomQuery(r))
			all, _ := ask(t, x, need, Query{Limit: 1000})
			for _, k := range []int{1, 5, 10, 100} {
				got, _ := ask(t, x, need, Query{Limit: int64(k)})
				if want := all[:min(k, len(all))]; !slices.Equal(got, want) {
					t.Fatalf("seed %d, %s, %d: %v, want %v", seed, spell(need), k, got, want)
				}
			}
		}
	}
}

// X40: any bytes are a query.
func FuzzParse(f *testing.F) {
	for _, tt := range asked1 {
		f.Add(tt.query)
	}
	f.Add(strings.Repeat(`"a* -b `, 200) + "\x00")
	x := open(f, []abi.Document{{ID: "a", Text: "crane fog"}}, 1)
	f.Fuzz(func(t *testing.T, q string) {
		if !utf8.ValidString(q) {
			return
		}
		ask(t, x, Parse(q), Query{Limit: 3})
		ask(t, x, ParseExact(q), Query{Limit: 3})
	})
}

var exactlyTests = []struct{ name, query, want string }{
	{"every word, then two of three", "crane fog quay", "a b"},
	{"one of two in the second pass", "crane pilot", "a b c"},
	{"one word has no second pass", "pilot", "c"},
	{"an identifier is a phrase", "INV-0042", "d"},
	{"a star is a prefix", "cra*", "a b"},
}

// The rule of SPEC §3.7 as an option.
func TestExactThenFallback(t *testing.T) {
	x := open(t, []abi.Document{
		{ID: "a", Text: "crane fog quay"}, {ID: "b", Text: "crane fog"}, {ID: "c", Text: "pilot"},
		{ID: "d", Text: "invoice INV-0042"}, {ID: "e", Text: "0042 INV"},
	}, 2)
	for _, tt := range exactlyTests {
		hits, _ := ask(t, x, ParseExact(tt.query), Query{Limit: 10})
		got := ""
		for i, h := range hits {
			if i > 0 && h.score > hits[i-1].score {
				t.Errorf("%s: out of order", tt.name)
			}
			got += h.id + " "
		}
		ids := strings.Fields(got)
		slices.Sort(ids)
		if strings.Join(ids, " ") != tt.want {
			t.Errorf("%s: %s finds %v, want %s", tt.name, tt.query, ids, tt.want)
		}
	}
	hits, _ := ask(t, x, ParseExact("crane fog quay"), Query{Limit: 10})
	if hits[0].id != "a" || hits[0].score.Tier() != 1 || hits[1].score.Tier() != 0 {
		t.Errorf("exact does not come before fallback: %v", hits)
	}
}

// A word that a stem finds, as that of cranes, is no typo to be put right.
var typoTests = []struct {
	word, want string
}{
	{"crene", "crane"}, {"carne", "crane"}, {"cran", "crane"}, {"cranee", ""}, {"zrane", ""}, {"cr", ""}, {"cranes", ""}, {"mantenence", "maintenance"}, {"cr4ne", ""},
	{"title:crene", ""}, {"title:quey", "quay"}, {"title:crane", ""}, {"body:quay", ""}, {"body:crank", ""}, {"title:cranes", ""}, {"thjs", ""},
}

func TestCandidates(t *testing.T) {
	x := open(t, []abi.Document{{ID: "a", Text: "crane crank crane maintenance"}, {ID: "b", Title: "Quay", Text: "crane this"}, {ID: "c", Title: "craves"}}, 1)
	for _, tt := range typoTests {
		need := Parse(tt.word)
		s, err := Prepare(x, need, Standard, tablesOf(x), newMeter())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, unit := range s.Unknown() {
			list, err := Candidates(x, &need.Units[unit], newMeter())
			if err != nil {
				t.Fatal(err)
			}
			if term, ok := Choose(list); ok {
				got = term
			}
		}
		if got != tt.want {
			t.Errorf("%q is taken for %q, want %q", tt.word, got, tt.want)
		}
	}
}

func search(t testing.TB, x *index.Index, need *Need, q Query) (*Search, []Hit) {
	t.Helper()
	s, err := Prepare(x, need, Standard, tablesOf(x), newMeter())
	if err != nil {
		t.Fatal(err)
	}
	s.Resolve(Standard.Statistics(x.Statistics()), s.Counts())
	q.Key = keyOf(x)
	hits, _, err := s.Rank(q)
	if err != nil {
		t.Fatal(err)
	}
	return s, hits
}

// A phrase with a stop word is compared with the text of a long document in one
// reading of it, not in one for each of its chunks.
func TestLongDocumentIsReadOnce(t *testing.T) {
	steps := func(paragraphs int) int64 {
		var b strings.Builder
		for i := range paragraphs {
			fmt.Fprintf(&b, "paragraph %d: filler words go here, and some more of them that make a chunk of their own %s\n\n", i, strings.Repeat("filler words ", 60))
		}
		settings := abi.DefaultSettings()
		x := openWith(t, settings, []abi.Document{{ID: "a", Text: b.String()}}, 1)
		m := newMeter()
		s, err := Prepare(x, Parse(`"words go here"`), Standard, &Tables{}, m)
		if err != nil || s.Counts()[0] == 0 {
			t.Fatal(s.Counts(), err)
		}
		return m.Steps()
	}
	if few, many := steps(100), steps(400); many > 6*few {
		t.Errorf("%d steps for 100 paragraphs, %d for 400", few, many)
	}
}

// Under exact-then-fallback a stop word costs what its postings do, once: no text is
// compared for a phrase of one word.
func TestExactStopWords(t *testing.T) {
	docs := make([]abi.Document, 200)
	for i := range docs {
		docs[i] = abi.Document{ID: fmt.Sprint(i), Text: fmt.Sprintf("number %d of the cranes of the quay %s", i, strings.Repeat("filler ", 200))}
	}
	x := open(t, docs, len(docs))
	steps := func(query string) int64 {
		m := newMeter()
		s, err := Prepare(x, ParseExact(query), Standard, &Tables{}, m)
		if err != nil || s.Counts()[0] != 200 {
			t.Fatal(s.Counts(), err)
		}
		return m.Steps()
	}
	if word, stops := steps("cranes"), steps("of of the of the of"); stops > 3*word {
		t.Errorf("%d steps for a word, %d for two stop words", word, stops)
	}
}
