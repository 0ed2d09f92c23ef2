package ir

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Grades of one query: a and b are good, c is better, d was judged and is bad.
var grades = map[string]int{"a": 1, "b": 1, "c": 2, "d": 0, "e": -1}

// The best ranking is c, a, b: 2/1 + 1/1.584963 + 1/2 = 3.130930.
var measureTests = []struct {
	name   string
	ranked string
	want   Measures
}{
	{"the best ranking", "c a b", Measures{1, 1, 1, 1}},
	{"nothing found", "", Measures{}},
	{"only what is bad or not judged", "d e x", Measures{}},
	// 1/log2(3) = 0.630930; 0.630930/3.130930
	{"one good document at rank 2", "x a", Measures{0.201515, 1. / 3, 1. / 3, .5}},
	// 1 + 2/1.584963 = 2.261860; /3.130930
	{"linear gain: a better document one rank late", "a c", Measures{0.722424, 2. / 3, 2. / 3, 1}},
	// 2/log2(11) = 0.578130; /3.130930
	{"rank 10 still counts", "1 2 3 4 5 6 7 8 9 c", Measures{0.184651, 1. / 3, 1. / 3, .1}},
	{"rank 11 counts for R@100 alone", "1 2 3 4 5 6 7 8 9 10 c", Measures{0, 0, 1. / 3, 0}},
	{"rank 100 is the last", strings.Repeat("x ", 99) + "a b", Measures{0, 0, 1. / 3, 0}},
}

func TestMeasures(t *testing.T) {
	for _, tt := range measureTests {
		got := evaluate(strings.Fields(tt.ranked)).Mean
		for i, pair := range [][2]float64{{got.NDCG10, tt.want.NDCG10}, {got.R10, tt.want.R10}, {got.R100, tt.want.R100}, {got.MRR10, tt.want.MRR10}} {
			if math.Abs(pair[0]-pair[1]) > 1e-6 {
				t.Errorf("%s: measure %d is %.6f, want %.6f", tt.name, i, pair[0], pair[1])
			}
		}
	}
}

func TestTwice(t *testing.T) {
	if got, want := evaluate([]string{"a", "a", "c"}), evaluate([]string{"a", "x", "c"}); !reflect.DeepEqual(got, want) {
		t.Errorf("a document listed twice gives %v, want %v", got, want)
	}
}

func evaluate(ranked []string) Evaluation {
	c := Collection{Queries: []Query{{ID: "q"}}, Qrels: map[string]map[string]int{"q": grades}}
	return c.Evaluate(Run{"q": ranked})
}

func TestMoreThanTenRelevant(t *testing.T) {
	c := Collection{Queries: []Query{{ID: "q"}}, Qrels: map[string]map[string]int{"q": {}}}
	ranked := strings.Fields("a b c d e f g h i j k l m n o p q r s t")
	for _, id := range ranked {
		c.Qrels["q"][id] = 1
	}
	if got, want := c.Evaluate(Run{"q": ranked}).Mean, (Measures{1, .5, 1, 1}); got != want {
		t.Errorf("twenty good documents in front: %v, want %v", got, want)
	}
}

func TestMeanIsOverQueriesWithRelevantDocuments(t *testing.T) {
	c := Collection{
		Queries: []Query{{ID: "found"}, {ID: "missed"}, {ID: "bad only"}, {ID: "not judged"}},
		Qrels:   map[string]map[string]int{"found": {"a": 1}, "missed": {"b": 1}, "bad only": {"c": 0}},
	}
	got := c.Evaluate(Run{"found": {"a"}, "not judged": {"a"}})
	if want := (Measures{.5, .5, .5, .5}); got.Mean != want || len(got.Each) != 2 || got.Queries[1] != "missed" {
		t.Errorf("Evaluate = %v, want a mean of %v over found and missed", got, want)
	}
}

func TestEvaluateIsDeterministic(t *testing.T) {
	c, run := Collection{Qrels: map[string]map[string]int{}}, Run{}
	for _, q := range strings.Fields("p q r s t u v w") {
		c.Queries = append(c.Queries, Query{ID: q})
		c.Qrels[q], run[q] = grades, []string{q, "a", "c"}
	}
	want := c.Evaluate(run)
	for range 20 {
		if got := c.Evaluate(run); !reflect.DeepEqual(got, want) {
			t.Fatalf("Evaluate = %v, want %v", got, want)
		}
	}
}

// With n differences of 1, all 2^n signs are alike likely and 2 of them are as
// extreme as the one seen.
func TestRandomise(t *testing.T) {
	for _, tt := range []struct {
		name string
		a, b []float64
		want float64
	}{
		{"no difference", []float64{1, .5, 0}, []float64{1, .5, 0}, 1},
		{"two queries", []float64{1, 1}, []float64{0, 0}, .5},
		{"four queries", []float64{1, 1, 1, 1}, []float64{0, 0, 0, 0}, .125},
		{"the worse one first", []float64{0, 0, 0, 0}, []float64{1, 1, 1, 1}, .125},
		{"a query that is equal says nothing", []float64{1, 1, 1, 1, 1}, []float64{0, 0, 0, 0, 1}, .125},
		{"differences that cancel", []float64{1, 0}, []float64{0, 1}, 1},
	} {
		if got := Randomise(tt.a, tt.b, 20000, 1); math.Abs(got-tt.want) > .01 {
			t.Errorf("%s: p = %.4f, want %.4f", tt.name, got, tt.want)
		}
	}
	a, b := []float64{.3, .9, .1, .6, .7}, []float64{.2, .5, .4, .3, .1}
	if first, second := Randomise(a, b, 1000, 7), Randomise(a, b, 1000, 7); first != second {
		t.Errorf("the same seed gives %v, then %v", first, second)
	}
}

func TestRead(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "birds")
	write(t, folder, "corpus.jsonl", `{"id":"d1","title":"Rook","text":"a bird"}`+"\n"+`{"id":"d2","title":"","text":"a tower"}`+"\n")
	write(t, folder, "queries.jsonl", `{"id":"q1","text":"bird"}`+"\n\n")
	write(t, folder, "qrels.tsv", "q1\td1\t2\nq1\td2\t0\n")
	got, err := Read(folder)
	want := &Collection{
		Name:      "birds",
		Documents: []Document{{"d1", "Rook", "a bird"}, {"d2", "", "a tower"}},
		Queries:   []Query{{ID: "q1", Text: "bird"}},
		Qrels:     map[string]map[string]int{"q1": {"d1": 2, "d2": 0}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Read = %v, %v; want %v", got, err, want)
	}
	if a, b := got.Documents[0].Whole(), got.Documents[1].Whole(); a != "Rook\na bird" || b != "a tower" {
		t.Errorf("Whole = %q and %q", a, b)
	}
}

func TestReadSaysWhere(t *testing.T) {
	for _, tt := range []struct{ file, content, want string }{
		{"qrels.tsv", "q1\td1\t1\nq1\td1\n", "qrels.tsv: line 2: 2 fields"},
		{"qrels.tsv", "q1\td1\tgood\n", "qrels.tsv: line 1: strconv.Atoi"},
		{"corpus.jsonl", "{}\n{\n", "corpus.jsonl: line 2: unexpected end"},
	} {
		folder := t.TempDir()
		for _, name := range []string{"corpus.jsonl", "queries.jsonl", "qrels.tsv"} {
			write(t, folder, name, "")
		}
		write(t, folder, tt.file, tt.content)
		if _, err := Read(folder); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Read of %q: %v, want %q", tt.content, err, tt.want)
		}
	}
}

func write(t *testing.T, folder, name, content string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
