package retrieve

import (
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/decompose"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Scorer gives every document a score for a need, in nano-units: integers of
// 0 to [abi.MaxScore], one for each document in their order. For a replay to be
// possible it needs to be asked only once: the reply records its scores.
type Scorer func(need string, documents []abi.Document) ([]int64, error)

// Documents answers a request over documents in one call, for Go programs that
// need no module. A nil scorer leaves the scores to the request's profile. The
// bytes are those that every host gives for the same names, documents and
// request. It fails with an *[abi.Error], or with the scorer's own error.
func Documents(names abi.Names, documents []abi.Document, request abi.Request, scorer Scorer) ([]byte, error) {
	if err := wellFormed(documents, request); err != nil {
		return nil, err
	}
	if scorer != nil {
		scores, err := askAll(scorer, documents, request)
		if err != nil {
			return nil, err
		}
		request.Scores = scores
	}
	e := New(Config{})
	opened, err := e.Call(abi.Open, openRequest(names, documents))
	if err != nil {
		return nil, err
	}
	corpus, err := abi.ReadOpenReply(opened)
	if err != nil {
		return nil, err
	}
	in := json.AppendInt([]byte(`{"handle":`), corpus.Handle)
	in = append(in, `,"request":`...)
	return e.Call(abi.Retrieve, append(request.Append(in), '}'))
}

func openRequest(names abi.Names, documents []abi.Document) []byte {
	in := []byte(`{"documents":`)
	in = abi.AppendDocuments(in, documents)
	for _, m := range []struct{ name, value string }{{"engine", names.Engine}, {"model", names.Model}, {"vectors", names.Vectors}} {
		if m.value != "" {
			in = append(append(append(in, `,"`...), m.name...), `":`...)
			in = json.AppendString(in, m.value)
		}
	}
	return append(in, '}')
}

// askAll collects a scorer's scores for each need of a request.
func askAll(scorer Scorer, documents []abi.Document, request abi.Request) ([][]abi.Given, error) {
	if err := request.Check(); err != nil {
		return nil, err
	}
	s, err := share(request)
	if err != nil {
		return nil, err
	}
	all := make([][]abi.Given, len(s.needs))
	for i, need := range s.needs {
		if all[i], err = askNeed(scorer, i, need, documents); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func askNeed(scorer Scorer, i int, need decompose.Need, documents []abi.Document) ([]abi.Given, error) {
	scores, err := scorer(need.Text, documents)
	if err != nil {
		return nil, err
	}
	if len(scores) != len(documents) {
		return nil, abi.Errorf(abi.ScoresInvalid, "need %d: %d scores for %d documents", i, len(scores), len(documents))
	}
	given := []abi.Given{}
	for d, score := range scores {
		if score != 0 {
			given = append(given, abi.Given{ID: documents[d].ID, Score: score})
		}
	}
	json.SortMembers(given, func(g abi.Given) string { return g.ID })
	return given, nil
}

// wellFormed refuses strings that are no UTF-8, which no JSON could carry.
func wellFormed(documents []abi.Document, request abi.Request) error {
	for i := range documents {
		d := &documents[i]
		for _, s := range []string{d.ID, d.Text, d.Title, d.Path, d.Collection, d.Key} {
			if !utf8.ValidString(s) {
				return abi.Errorf(abi.CorpusInvalid, "document %d: a string is not UTF-8", i)
			}
		}
	}
	for _, s := range append([]string{request.Query, request.Seed, request.Profile, request.Representation, request.Text}, request.Needs...) {
		if !utf8.ValidString(s) {
			return abi.Errorf(abi.RequestInvalid, "a string of the request is not UTF-8")
		}
	}
	return nil
}
