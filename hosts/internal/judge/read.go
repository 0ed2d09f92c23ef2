package judge

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Query is asked of an index.
type Query struct{ ID, Text string }

// ReadQueries reads one query a line, {"id":…,"text":…}; other members are passed over.
// Ids are distinct and not empty, and so are texts.
func ReadQueries(in []byte) ([]Query, error) {
	var list []Query
	lines := map[string]int{}
	for n, line := range numbered(in) {
		q, err := readQuery([]byte(line))
		switch first, twice := lines[q.ID]; {
		case err != nil:
			return nil, invalid(n, err.Error())
		case q.ID == "" || q.Text == "":
			return nil, invalid(n, `a query has the members id and text, and neither is empty`)
		case twice:
			return nil, invalid(n, "the query "+json.Quote(q.ID)+" is that of line "+strconv.Itoa(first)+", too")
		}
		lines[q.ID] = n
		list = append(list, q)
	}
	if len(list) == 0 {
		return nil, abi.Errorf(abi.ArgumentInvalid, "there is no query")
	}
	return list, nil
}

func readQuery(line []byte) (q Query, err error) {
	r := json.NewReader(line)
	for name := range r.Object() {
		switch name {
		case "id", "_id":
			q.ID = r.String()
		case "text":
			q.Text = r.String()
		default:
			r.Skip()
		}
	}
	return q, r.End()
}

// numbered returns the lines that are not blank, with their numbers, without a byte order
// mark.
func numbered(in []byte) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		n := 0
		for line := range strings.Lines(string(bytes.TrimPrefix(in, []byte("\ufeff")))) {
			n++
			line = strings.TrimRight(line, "\r\n")
			if strings.TrimSpace(line) != "" && !yield(n, line) {
				return
			}
		}
	}
}

func invalid(line int, what string) error {
	return abi.Errorf(abi.ArgumentInvalid, "line %d: %s", line, what)
}

// Judgements are grades by query and document.
type Judgements map[string]map[string]int

// ReadJudgements reads one judgement a line: query, document and grade, separated by tabs
// or, where no id has a space, by spaces; with a column between query and document that is
// passed over, it is TREC's form. A first line is a heading where its first column is named
// as queries are and its last as grades are (see isHeading); every other line is a judgement.
func ReadJudgements(in []byte) (Judgements, error) {
	list := Judgements{}
	for n, line := range numbered(in) {
		columns := strings.Split(line, "\t")
		if len(columns) < 3 {
			columns = strings.Fields(line)
		}
		if len(columns) == 4 {
			columns = slices.Delete(columns, 1, 2)
		}
		if len(columns) != 3 {
			return nil, invalid(n, "expected query, document and grade, or TREC's four columns")
		}
		query, document := columns[0], columns[1]
		grade, err := strconv.Atoi(strings.TrimSpace(columns[2]))
		_, twice := list[query][document]
		switch {
		case n == 1 && isHeading(query, columns[2]):
			continue
		case err != nil && n == 1:
			return nil, invalid(n, "the grade is "+json.Quote(columns[2])+", it must be an integer; a heading is as query-id, corpus-id, score")
		case err != nil:
			return nil, invalid(n, "the grade is "+json.Quote(columns[2])+", it must be an integer")
		case query == "" || document == "" || !utf8.ValidString(line):
			return nil, invalid(n, "an id is empty or not UTF-8")
		case twice:
			return nil, invalid(n, "the document "+json.Quote(document)+" is judged twice for the query "+json.Quote(query))
		}
		if list[query] == nil {
			list[query] = map[string]int{}
		}
		list[query][document] = grade
	}
	if len(list) == 0 {
		return nil, abi.Errorf(abi.ArgumentInvalid, "there is no judgement")
	}
	return list, nil
}

// isHeading reports whether a line names columns. Both names must be known ones, in any
// case, with "-", "_", a space or nothing between their words: a line with a bad grade must
// not be lost as a heading.
func isHeading(query, grade string) bool {
	plain := func(name string) string { return between.Replace(strings.ToLower(name)) }
	return slices.Contains(queryColumns, plain(query)) && slices.Contains(gradeColumns, plain(grade))
}

// The columns' names in the files of BEIR, TREC, MS MARCO and the tools that read them.
var (
	queryColumns = []string{"query", "queryid", "qid", "topic", "topicid"}
	gradeColumns = []string{"grade", "score", "relevance", "relevancy", "rel", "label"}
	between      = strings.NewReplacer("-", "", "_", "", " ", "")
)

// Of returns the queries that have a relevant document, in their order.
func (j Judgements) Of(queries []Query) []Query {
	return slices.DeleteFunc(slices.Clone(queries), func(q Query) bool { return !j.judges(q.ID) })
}

// Unjudged returns the ids of the others, sorted: those with no judgement, or none of a
// relevant document.
func (j Judgements) Unjudged(queries []Query) []string {
	list := []string{}
	for _, q := range queries {
		if !j.judges(q.ID) {
			list = append(list, q.ID)
		}
	}
	slices.Sort(list)
	return list
}

// judges reports whether a query has a relevant document.
func (j Judgements) judges(query string) bool {
	_, ok := Measure(nil, j[query])
	return ok
}

// Without returns the ids of judged queries that are not among those asked, sorted.
func (j Judgements) Without(queries []Query) []string {
	asked := map[string]bool{}
	for _, q := range queries {
		asked[q.ID] = true
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(j)), func(id string) bool { return asked[id] })
}

// Documents returns the documents that are relevant to some query, in order.
func (j Judgements) Documents() []string {
	set := map[string]bool{}
	for _, grades := range j {
		for id, grade := range grades {
			if grade > 0 {
				set[id] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// Digest names queries with their judgements, whatever file they came from and in what
// order.
func (j Judgements) Digest(queries []Query) string {
	w := json.NewWriter(nil)
	w.BeginArray()
	for _, q := range slices.SortedFunc(slices.Values(queries), func(a, b Query) int { return strings.Compare(a.ID, b.ID) }) {
		w.BeginArray()
		w.String(q.ID)
		w.String(q.Text)
		for _, id := range slices.Sorted(maps.Keys(j[q.ID])) {
			w.String(id)
			w.Int(int64(j[q.ID][id]))
		}
		w.EndArray()
	}
	w.EndArray()
	sum := sha256.Sum256(w.Bytes())
	return "sha256:" + hex.EncodeToString(sum[:])
}
