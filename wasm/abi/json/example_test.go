package json_test

import (
	"fmt"

	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

type request struct {
	Query        string
	RecallBudget int64
	Needs        []string
}

var requestNames = []string{"needs", "query", "recallBudget"}

// A decoder lists its members and looks at the error once.
func readRequest(in []byte) (q request, err error) {
	r := json.NewReader(in)
	for name := range r.Object() {
		switch name {
		case "needs":
			for range r.Array() {
				q.Needs = append(q.Needs, r.String())
			}
		case "query":
			q.Query = r.String()
		case "recallBudget":
			if q.RecallBudget = r.Int(); q.RecallBudget < 1 {
				r.Fail("expected a positive integer")
			}
		default:
			r.Unknown(requestNames)
		}
	}
	return q, r.End()
}

func ExampleReader() {
	fmt.Println(readRequest([]byte(`{"query": "crane faults", "recallBudget": 5, "needs": ["crane"]}`)))
	for _, in := range []string{
		`{"query": 10}`,
		`{"recalBudget": 5}`,
		`{"recallBudget": 0}`,
		`{"needs": ["crane", "\ud800"]}`,
		`{"query": "a", "query": "b"}`,
	} {
		_, err := readRequest([]byte(in))
		fmt.Println(err)
	}
	// Output:
	// {crane faults 5 [crane]} <nil>
	// query: expected a string, found a number at byte 10
	// unknown member "recalBudget" at byte 1, did you mean "recallBudget"?
	// recallBudget: expected a positive integer at byte 17
	// needs[1]: escape of a lone surrogate \ud800 at byte 21
	// duplicate member "query" at byte 15
}

func ExampleWriter() {
	w := json.NewWriter(nil)
	w.BeginObject()
	w.Name("hits")
	w.BeginArray()
	w.BeginObject()
	w.Name("id")
	w.String("d2")
	w.Name("score")
	w.Nano(353_553_391)
	w.EndObject()
	w.EndArray()
	w.Name("needs")
	w.Int(2)
	w.EndObject()
	fmt.Println(string(w.Bytes()))
	// Output: {"hits":[{"id":"d2","score":0.353553391}],"needs":2}
}

func ExampleSortMembers() {
	type tag struct{ name, value string }
	tags := []tag{{"owner", "ops"}, {"berth", "7"}}
	json.SortMembers(tags, func(t tag) string { return t.name })
	w := json.NewWriter(nil)
	w.BeginObject()
	for _, t := range tags {
		w.Name(t.name)
		w.String(t.value)
	}
	w.EndObject()
	fmt.Println(string(w.Bytes()))
	// Output: {"berth":"7","owner":"ops"}
}

func ExampleCanonicalize() {
	out, err := json.Canonicalize([]byte(`{ "score": 0.00000012300, "id": "caf\u00e9" }`))
	fmt.Println(string(out), err)
	// Output: {"id":"café","score":1.23e-7} <nil>
}

func ExampleDiff() {
	a, _ := json.Parse([]byte(`{"hits":[{"id":"d1","score":1}]}`))
	b, _ := json.Parse([]byte(`{"hits":[{"id":"d1","score":0.5}]}`))
	path, av, bv, equal := json.Diff(a, b)
	fmt.Println(path, av, bv, equal)
	// Output: hits[0].score 1 0.5 false
}

func ExampleNearest() {
	fmt.Println(json.Nearest("recalBudget", []string{"query", "recallBudget"}))
	// Output: recallBudget
}

func ExampleQuote() {
	fmt.Println(json.Quote("a\u202eb\n"))
	// Output: "a\u202eb\n"
}
