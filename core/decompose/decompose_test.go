package decompose

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var queryTests = []struct {
	name, query string
	want        []string
}{
	{"no connector, one need", "options for reducing quayside idle time", []string{"options for reducing quayside idle time"}},
	{"and", "crane faults and tide windows", []string{"crane faults", "tide windows"}},
	{"words in any case", "cranes AND tides Then fog OR storms", []string{"cranes", "tides", "fog", "storms"}},
	{"plus, also, as well as", "cranes plus tides also fog as well as storms", []string{"cranes", "tides", "fog", "storms"}},
	{"as well alone is no connector", "tides well as fog", []string{"tides well as fog"}},
	{"a connector word may carry punctuation", "cranes, and, tides", []string{"cranes", "tides"}},
	{"a connector word inside a word is none", "sandy bands thenar android", []string{"sandy bands thenar android"}},
	{"commas and semicolons", "cranes, tides; fog", []string{"cranes", "tides", "fog"}},
	{"commas without a space", "cranes,tides;fog", []string{"cranes", "tides", "fog"}},
	{"sentences", "What is a neap tide? Which crane failed. Fog", []string{"What is a neap tide", "Which crane failed", "Fog"}},
	{"lines and bullets", "- crane faults\n* tide windows\r\n2. fog signals\n3) storms", []string{"crane faults", "tide windows", "fog signals", "storms"}},
	{"bullets in a line", "• cranes • tides", []string{"cranes", "tides"}},
	{"a minus is no bullet inside a line", "berth - crane", []string{"berth - crane"}},
	{"an ampersand alone", "cranes & tides", []string{"cranes", "tides"}},
	{"R&D stays", "R&D budget", []string{"R&D budget"}},
	{"numbers stay", "1,000 tonnes at 3.5 knots", []string{"1,000 tonnes at 3.5 knots"}},
	{"a comma after a number splits", "berth 7, berth 8", []string{"berth 7", "berth 8"}},
	{"identifiers stay", "berth_planner.max_wait f(a,b) https://a.b/c?d=1,2 and v1.2", []string{"berth_planner.max_wait f(a,b) https://a.b/c?d=1,2", "v1.2"}},
	{"words joined by hyphens or slashes stay", "and-gate if/then", []string{"and-gate if/then"}},
	{"quoted text stays", `"salt and pepper, please" and fog`, []string{`"salt and pepper, please"`, "fog"}},
	{"typographic and code quotes stay", "“salt and pepper” or `a; b` or «fog, rain»", []string{"“salt and pepper”", "`a; b`", "«fog, rain»"}},
	{"a quotation mark without partner is none", `crane "three and tides`, []string{`crane "three`, "tides"}},
	{"inches are no quotation marks", `5" pipe and 6" pipe`, []string{`5" pipe`, `6" pipe`}},
	{"quotes end with their line", "\"salt and\npepper\"", []string{`"salt`, `pepper"`}},
	{"a stop after a quote", `the "slewing brake", then fog`, []string{`the "slewing brake"`, "fog"}},
	{"initials", "e.g. cranes of J. Reed in the U.S. fleet", []string{"e.g. cranes of J. Reed in the U.S. fleet"}},
	{"a stop in brackets", "cranes (all of them.) Fog", []string{"cranes (all of them", ") Fog"}},
	{"parts of stop words are dropped", "what is it, and crane faults", []string{"crane faults"}},
	{"only stop words: the whole query", "what is it and how", []string{"what is it and how"}},
	{"only connectors: the whole query", "and, then; or", []string{"and, then; or"}},
	{"no words at all", "…!?", []string{"…!?"}},
	{"wide punctuation", "新幹線の時刻、台風。霧", []string{"新幹線の時刻", "台風", "霧"}},
	{"Arabic punctuation", "رافعة، مد؟ ضباب", []string{"رافعة", "مد", "ضباب"}},
	{"an ellipsis", "cranes... tides", []string{"cranes", "tides"}},
}

func TestQuery(t *testing.T) {
	for _, tt := range queryTests {
		if got := texts(Query(tt.query)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Query(%q) = %q, want %q", tt.name, tt.query, got, tt.want)
		}
	}
}

func TestWeightCountsDistinctContentTerms(t *testing.T) {
	for query, want := range map[string]int64{
		"crane faults":                   2,
		"crane, of the crane":            1,
		"Crane CRANE crane the":          1,
		"what is it":                     0,
		"新幹線":                            2,
		"the slewing brake of crane 3":   4,
		"crane\u0301s crane\u0301s cafe": 2,
	} {
		if got := Of(query).Weight(); got != want {
			t.Errorf("Of(%q).Weight() = %d, want %d", query, got, want)
		}
	}
}

func TestNeedsAreBounded(t *testing.T) {
	query := strings.Repeat("crane, ", 1500)
	needs := Query(query)
	if len(needs) != MaxNeeds {
		t.Fatalf("%d needs, want %d", len(needs), MaxNeeds)
	}
	if last := needs[MaxNeeds-1].Text; last != strings.TrimSuffix(strings.Repeat("crane, ", 501), ", ") {
		t.Errorf("the last need holds %d bytes, not the rest", len(last))
	}
}

// Needs are parts of the query, in its order, never empty.
func TestNeedsAreParts(t *testing.T) {
	pieces := []string{"crane", "and", ",", " ", "\n", `"`, "。", "1,000", "a.b", "- ", "“", "”", "as well as", "😀", "e.g.", "&", "`"}
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 0))
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		checkParts(t, b.String())
	}
}

func FuzzQuery(f *testing.F) {
	for _, tt := range queryTests {
		f.Add(tt.query)
	}
	f.Fuzz(func(t *testing.T, query string) { checkParts(t, query) })
}

func checkParts(t *testing.T, query string) {
	t.Helper()
	needs, at := Query(query), 0
	if len(needs) == 0 || len(needs) > MaxNeeds {
		t.Fatalf("%q has %d needs", query, len(needs))
	}
	for _, n := range needs {
		i := strings.Index(query[at:], n.Text)
		if i < 0 || n.Text == "" && query != "" {
			t.Fatalf("need %q of %q is no part of it, or out of order", n.Text, query)
		}
		at += i + len(n.Text)
	}
}

func texts(needs []Need) []string {
	list := make([]string, len(needs))
	for i, n := range needs {
		list[i] = n.Text
	}
	return list
}
