package judge

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func TestMeasure(t *testing.T) {
	var long []string
	for i := range 150 {
		long = append(long, fmt.Sprint("x", i))
	}
	long[10], long[99], long[100] = "a", "b", "c"
	for _, tt := range []struct {
		name    string
		ranking []string
		grades  map[string]int
		want    string // ndcg@10 recall@10 recall@100 mrr@10
	}{
		{"the best ranking", []string{"a", "b"}, map[string]int{"a": 1, "b": 1}, "[1.000000 1.000000 1.000000 1.000000]"},
		{"nothing is found", nil, map[string]int{"a": 1}, "[0.000000 0.000000 0.000000 0.000000]"},
		{"the second is relevant: 1 / log2(3)", []string{"x", "a"}, map[string]int{"a": 1}, "[0.630930 1.000000 1.000000 0.500000]"},
		{"the gain is the grade: (1 + 3/log2(3)) / (3 + 1/log2(3))", []string{"a", "b"}, map[string]int{"a": 1, "b": 3}, "[0.796708 1.000000 1.000000 1.000000]"},
		{"half is found", []string{"a"}, map[string]int{"a": 2, "b": 2}, "[0.613147 0.500000 0.500000 1.000000]"},
		{"a grade of 0 or below is not relevant", []string{"n", "z", "a"}, map[string]int{"a": 1, "z": 0, "n": -1}, "[0.500000 1.000000 1.000000 0.333333]"},
		{"a document counts once, and holds its second rank", []string{"a", "a", "b"}, map[string]int{"a": 1, "b": 1}, "[0.919721 1.000000 1.000000 1.000000]"},
		{"at ranks 11, 100 and 101", long, map[string]int{"a": 1, "b": 1, "c": 1}, "[0.000000 0.000000 0.666667 0.000000]"},
	} {
		got, ok := Measure(tt.ranking, tt.grades)
		if fmt.Sprint(got) != tt.want || !ok {
			t.Errorf("%s: %v, %t, want %s", tt.name, got, ok, tt.want)
		}
	}
	for _, grades := range []map[string]int{nil, {"a": 0}, {"a": -2}} {
		if got, ok := Measure([]string{"a"}, grades); ok {
			t.Errorf("%v measures as %v", grades, got)
		}
	}
}

// A ranking that lists a relevant document earlier is never worse, and no figure is out
// of bounds.
func TestEarlierIsBetter(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		grades, ranking := map[string]int{}, []string{}
		for i := range 2 + r.IntN(30) {
			id := fmt.Sprint(i)
			ranking = append(ranking, id)
			grades[id] = r.IntN(3) - 1
		}
		grades["0"] = 1
		r.Shuffle(len(ranking), func(i, j int) { ranking[i], ranking[j] = ranking[j], ranking[i] })
		before, _ := Measure(ranking, grades)
		i := r.IntN(len(ranking) - 1)
		if grades[ranking[i+1]] > max(grades[ranking[i]], 0) {
			ranking[i], ranking[i+1] = ranking[i+1], ranking[i]
		}
		after, _ := Measure(ranking, grades)
		for k := range Names {
			if after[k].Below(before[k]) || after[k] < 0 || after[k] > one {
				t.Fatalf("seed %d: %s was %s, is %s", seed, Names[k], before[k], after[k])
			}
		}
	}
}

func TestFigure(t *testing.T) {
	for _, tt := range []struct {
		f           Figure
		long, short string
	}{{0, "0.000000", "0.0000"}, {1, "0.000001", "0.0000"}, {50, "0.000050", "0.0001"}, {630930, "0.630930", "0.6309"}, {999950, "0.999950", "1.0000"}, {1_000_000, "1.000000", "1.0000"}} {
		if tt.f.String() != tt.long || tt.f.Short() != tt.short {
			t.Errorf("%d is %s and %s", tt.f, tt.f, tt.f.Short())
		}
	}
	if Figure(499_999).Below(500_000) || !Figure(499_998).Below(500_000) || Figure(5).Below(5) {
		t.Error("one millionth is no difference, two are")
	}
	if got := Mean([]Figures{{1, 0, 2, one}, {2, 1, 2, one}}); got != (Figures{2, 1, 2, one}) {
		t.Errorf("the mean is %d", got)
	}
}

func TestParseFloor(t *testing.T) {
	for text, want := range map[string]string{
		"ndcg@10=0.7": "{0 0.700000}", "MRR@10=1": "{3 1.000000}", "recall@100 = .5": "{2 0.500000}", "recall@10=0": "{1 0.000000}",
		"ndcg@1=0.7": `ARGUMENT_UNKNOWN: there is no measure "ndcg@1", did you mean "ndcg@10"?`,
		"map=0.7":    `ARGUMENT_UNKNOWN: there is no measure "map", there are ndcg@10, recall@10, recall@100, mrr@10`,
		"ndcg@10":    `ARGUMENT_INVALID: the floor of ndcg@10 is "", it must be between 0 and 1, as in ndcg@10=0.7`, "ndcg@10=70": "", "ndcg@10=NaN": "", "ndcg@10=-1": "", "": "",
	} {
		got, err := ParseFloor(text)
		said := fmt.Sprint(got)
		if err != nil {
			said = err.Error()
		}
		if want == "" && err != nil {
			continue
		}
		if said != want {
			t.Errorf("%q: %s, want %s", text, said, want)
		}
	}
}

func TestReadQueries(t *testing.T) {
	got, err := ReadQueries([]byte("\ufeff{\"id\":\"1\",\"text\":\"tide windows\"}\r\n\n{\"_id\":\"2\",\"text\":\"crane\",\"kind\":\"x\"}"))
	if want := []Query{{"1", "tide windows"}, {"2", "crane"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for in, want := range map[string]string{
		"": "there is no query", "\n": "there is no query", `{"id":"1"}`: "line 1: ", `{"id":1,"text":"a"}`: "line 1: ",
		"{\"id\":\"1\",\"text\":\"a\"}\n\n{\"id\":\"1\",\"text\":\"b\"}": `line 3: the query "1" is that of line 1, too`, "[]": "line 1: ",
	} {
		if _, err := ReadQueries([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

func TestReadJudgements(t *testing.T) {
	want := Judgements{"q1": {"d1": 2, "d 2.md": 0}, "q2": {"d1": -1}}
	for name, in := range map[string]string{
		"tabs":              "q1\td1\t2\nq1\td 2.md\t0\nq2\td1\t-1\n",
		"a heading":         "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td 2.md\t0\nq2\td1\t-1",
		"TREC with tabs":    "q1\t0\td1\t2\nq1\t0\td 2.md\t0\r\n\nq2\tQ0\td1\t-1\n",
		"tabs and spaces":   "q1 0 d1 2\nq1\td 2.md\t0\nq2 d1 -1",
		"a byte order mark": "\ufeffq1 d1 2\nq1\td 2.md\t0\nq2 d1 -1",
	} {
		if got, err := ReadJudgements([]byte(in)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for _, heading := range []string{"query-id\tcorpus-id\tscore", "Query_ID doc_id relevance", "qid\t0\tdocno\tlabel", "TOPIC ITERATION DOCUMENT# RELEVANCY", "query id\tdocument id\tgrade"} {
		if got, err := ReadJudgements([]byte(heading + "\nq1\td1\t2\nq1\td 2.md\t0\nq2\td1\t-1")); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("the heading %q: %v, %v", heading, got, err)
		}
	}
	for in, want := range map[string]string{
		"q1\tdoc.md\thigh\nq2 d 1": `line 1: the grade is "high", it must be an integer`, "query\td\thigh\nq2 d 1": "line 1: the grade", "q1 d score\nq2 d 1": "line 1: the grade",
		"doc-id query-id score\nq d 1": "line 1: the grade", "q d 1\nqid docno rel": "line 2: the grade", "qid docno rel": "there is no judgement",
		"": "there is no judgement", "q d": "line 1: expected", "a b c d e": "line 1: expected", "q d 1\nq d x": "line 2: the grade",
		"q d 1\nq d 2": `line 2: the document "d" is judged twice`, "q\t\t1": "line 1: an id is empty", "q\t\xff\t1": "line 1: an id",
	} {
		if _, err := ReadJudgements([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

func TestOf(t *testing.T) {
	j := Judgements{"a": {"d": 1}, "b": {"d": 0, "e": 0}, "x": {"f": 2}}
	if got := j.Of([]Query{{"c", "c"}, {"b", "b"}, {"a", "a"}}); !slices.Equal(got, []Query{{"a", "a"}}) {
		t.Errorf("%v", got)
	}
	if got := j.Unjudged([]Query{{"c", "c"}, {"b", "b"}, {"a", "a"}}); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("%v", got)
	}
	if got := j.Documents(); !slices.Equal(got, []string{"d", "f"}) {
		t.Errorf("%v", got)
	}
	a, b := j.Digest([]Query{{"a", "a"}, {"c", "c"}}), j.Digest([]Query{{"c", "c"}, {"a", "a"}})
	if a != b || a == j.Digest([]Query{{"a", "a"}}) || a == (Judgements{"a": {"d": 2}}).Digest([]Query{{"a", "a"}, {"c", "c"}}) {
		t.Error("the digest is that of queries and grades, in any order")
	}
}

func someRun() *Run {
	return &Run{
		Corpus: "sha256:" + strings.Repeat("a", 64), Engine: "sha256:" + strings.Repeat("b", 64), Settings: []byte(`{"language":"en"}`), Profile: "standard", Match: "any",
		Judgements: "sha256:" + strings.Repeat("c", 64), Figures: Figures{500_000, 600_000, 700_000, 800_001},
		Queries: []Result{{"1", Figures{1, 2, 3, 4}}, {"2", Figures{one, one, one, one}}},
	}
}

func TestBaseline(t *testing.T) {
	run := someRun()
	file := run.Append(nil)
	back, err := ReadRun(file)
	if err != nil || !reflect.DeepEqual(back, run) {
		t.Errorf("%v\n%+v\n%+v", err, back, run)
	}
	older := strings.Replace(string(file), `"match":"any",`, "", 1)
	if back, err := ReadRun([]byte(older)); older == string(file) || err != nil || !reflect.DeepEqual(back, run) {
		t.Errorf("one without match is of any: %v\n%+v\n%+v", err, back, run)
	}
	for _, in := range []string{"", "{}", "[]", strings.Replace(string(file), `"any"`, "1", 1), strings.Replace(string(file), `"schema":1`, `"schema":2`, 1), strings.Replace(string(file), "0.5", "5", 1), string(file[:len(file)-2])} {
		if _, err := ReadRun([]byte(in)); !refused(err) {
			t.Errorf("%.40s: %v", in, err)
		}
	}
}

func refused(err error) bool {
	var e *abi.Error
	return errors.As(err, &e) && e.Code == BaselineRefused
}

// X69: what was measured over another corpus, or by other judgements, is not compared.
func TestX69Against(t *testing.T) {
	run, other := someRun(), someRun()
	other.Engine, other.Settings, other.Profile = "sha256:"+strings.Repeat("d", 64), []byte(`{}`), "journal"
	if err := run.Against(other); err != nil {
		t.Errorf("another engine and settings are what one compares: %v", err)
	}
	other.Corpus = other.Engine
	if err := run.Against(other); !refused(err) {
		t.Errorf("another corpus: %v", err)
	}
	other = someRun()
	other.Judgements = other.Corpus
	if err := run.Against(other); !refused(err) {
		t.Errorf("other judgements: %v", err)
	}
}

func TestUnlike(t *testing.T) {
	run, was := someRun(), someRun()
	if got := run.Unlike(was); len(got) != 0 {
		t.Errorf("the same: %v", got)
	}
	was.Profile, was.Match = "journal", "exactThenFallback"
	if got := run.Unlike(was); !slices.Equal(got, []Difference{{"profile", "journal", "standard"}, {"match", "exactThenFallback", "any"}}) {
		t.Errorf("%v", got)
	}
}

func TestFallen(t *testing.T) {
	was, is := someRun(), someRun()
	is.Figures = Figures{400_000, 600_000, 900_000, 800_000} // down, equal, up, down by nothing
	is.Queries = []Result{{"1", Figures{0, 0, 0, 0}}, {"2", Figures{900_000, 1, one, 0}}, {"3", Figures{}}}
	measures, queries := is.Fallen(was)
	if want := []Fall{{"2", 0, one, 900_000}}; !slices.Equal(measures, []int{0}) || !slices.Equal(queries, want) {
		t.Errorf("%v, %v", measures, queries)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("q d 1"))
	f.Add([]byte(`{"id":"1","text":"a"}`))
	f.Add(someRun().Append(nil))
	f.Fuzz(func(t *testing.T, in []byte) {
		if queries, err := ReadQueries(in); err == nil && len(queries) == 0 {
			t.Error("no queries and no error")
		}
		if j, err := ReadJudgements(in); err == nil && len(j) == 0 {
			t.Error("no judgements and no error")
		}
		run, err := ReadRun(in)
		if err != nil {
			return
		}
		out := run.Append(nil)
		again, err := ReadRun(out)
		if err != nil || !reflect.DeepEqual(run, again) {
			t.Errorf("%s is read as %+v, and written as %s: %v", in, run, out, err)
		}
	})
}
