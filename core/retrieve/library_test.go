package retrieve

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func library(t testing.TB) []abi.Document {
	t.Helper()
	documents, err := abi.ReadDocuments([]byte(harbour))
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

func question(query string) abi.Request {
	q := abi.Default()
	q.Query = query
	return q
}

var caseNames = abi.Names{Engine: "engine:case", Model: "model:case"}

// A library call gives the bytes of the exports.
func TestDocumentsIsRetrieve(t *testing.T) {
	got, err := Documents(caseNames, library(t), question("crane faults and tide windows"), nil)
	if want := ask(t, harbour, `{"query":"crane faults and tide windows"}`); err != nil || string(got) != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
}

// A scorer replaces the profile's; budgets, ties, merge and audit stay, and the
// reply records the scores, so that a replay needs no scorer.
func TestScorer(t *testing.T) {
	byLength := func(need string, documents []abi.Document) ([]int64, error) {
		scores := make([]int64, len(documents))
		for i, d := range documents {
			if need == "crane faults" {
				scores[i] = int64(len(d.Text))
			}
		}
		return scores, nil
	}
	out, err := Documents(caseNames, library(t), question("crane faults and tide windows"), byLength)
	if err != nil {
		t.Fatal(err)
	}
	p, err := abi.ReadReply(out)
	if err != nil || hitIDs(p) != "d1 d3 d2 d4" {
		t.Fatalf("hits %q, %v", hitIDs(p), err)
	}
	e := New(Config{})
	openCorpus(t, e, harbour)
	if v := call(t, e, abi.Replay, `{"handle":1,"reply":`+string(out)+`}`); !strings.Contains(v, `"verdict":"MATCH"`) {
		t.Errorf("replay: %s", v)
	}
}

func TestScorerIsHeldToItsWord(t *testing.T) {
	own := errors.New("out of service")
	for _, tt := range []struct {
		name   string
		scores []int64
		err    error
		want   string
	}{
		{"too few", []int64{1}, nil, "SCORES_INVALID: need 0: 1 scores for 4 documents"},
		{"below zero", []int64{0, -1, 0, 0}, nil, `SCORES_INVALID: need 0, document "d2": the score -1 is not between 0 and 999999999999999 nano-units`},
		{"too large", []int64{abi.MaxScore + 1, 0, 0, 0}, nil, "SCORES_INVALID: need 0"},
		{"its own error", nil, own, "out of service"},
	} {
		_, err := Documents(caseNames, library(t), question("crane"), func(string, []abi.Document) ([]int64, error) { return tt.scores, tt.err })
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	bad := library(t)
	bad[1].Text = "\xff"
	if _, err := Documents(caseNames, bad, question("crane"), nil); err == nil || !strings.Contains(err.Error(), "document 1") {
		t.Error(err)
	}
}

func ExampleDocuments() {
	documents := []abi.Document{{ID: "d1", Text: "crane maintenance for berth 7"}, {ID: "d2", Text: "tide windows"}}
	request := abi.Default()
	request.Query, request.Seed = "crane faults and tide windows", "demo"
	out, err := Documents(abi.Names{Engine: "engine:example"}, documents, request, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := abi.ReadReply(out)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range reply.Audit.Subqueries {
		fmt.Printf("%q has %d of %d slots\n", s.Text, s.Budget, reply.Audit.RecallBudget)
	}
	// Output:
	// "crane faults" has 5 of 10 slots
	// "tide windows" has 5 of 10 slots
}
