package generate_test

import (
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/conformance/adapters"
	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/conformance/generate"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A case that was found once can be made again from its name.
func TestSameSeedSameCase(t *testing.T) {
	for i := range 200 {
		a := (&generate.Generator{Seed: 7, Reference: adapters.Native}).Case(i)
		b := (&generate.Generator{Seed: 7, Reference: adapters.Native}).Case(i)
		if sha256.Sum256(call.AppendCase(nil, a)) != sha256.Sum256(call.AppendCase(nil, b)) {
			t.Fatalf("%s is another the second time", a.Name)
		}
	}
}

// The knobs are turned: 3,000 cases hold all that the package comment promises.
func TestKnobs(t *testing.T) {
	seen := map[string]int{}
	g := &generate.Generator{Seed: 1, Reference: adapters.Native}
	bytes, docs := 0, 0
	for i := range 3000 {
		q, c := g.Question(i), g.Case(i)
		docs += len(q.Documents)
		results, alive := call.Run(adapters.Native(), c)
		if !alive {
			t.Fatalf("%s: %s", c.Name, results[len(results)-1].Output)
		}
		for k, r := range results {
			bytes += len(c.Steps[k].Input)
			code, _, _ := strings.Cut(string(r.Output), ":")
			if r.Status == call.Failure {
				seen[code]++
				continue
			}
			seen[c.Steps[k].Export.String()]++
			for _, word := range []string{`"verdict":"answered"`, `"empty_corpus"`, `"only_stop_words"`, `"no_match"`, `"fill":true`, `"rule":"key"`, `"rule":"id"`, `"rule":"score"`, `"given":`, `"MATCH"`, `"MISMATCH"`, `"UNVERIFIABLE"`, `"range":`,
				`"verdict":"weak"`, `"filtered_out"`, `"below_evidence"`, `"corrected":[{`, `"tier":1`, `"context":`, `"matchedHeadings":["`, `"rule":"chunk"`, `"form":"stem"`, `"form":"prefix"`, `"form":"phrase"`, `"cursor":"`, `"totalReason"`, `"minEvidence":1`, `"abstain":false,"budget":`, `"query:phrases_apart"`,
				`"mode":"hybrid"`, `"mode":"vector"`, `"fusion":"rrf"`, `"legs":[`, `"vectors:building"`, `"vectors:corrupt"`, `"vectors:absent"`, `"verdict":"no_answer","weight"`, `"verdict":"weak","weight"`, `"legs":[{"leg":"lexical"`, `"model:absent"`, `"queryVector":"`, `"frontMatter":[`} {
				if strings.Contains(string(r.Output), word) {
					seen[word]++
				}
			}
		}
		switch n := len(q.Documents); {
		case n == 0:
			seen["no document"]++
		case n > 250:
			seen["many documents"]++
		}
		if q.Request.RecallBudget == abi.MaxBudget {
			seen["largest budget"]++
		}
	}
	for _, want := range []string{
		"JSON_INVALID", "REQUEST_INVALID", "QUERY_EMPTY", "QUERY_TOO_LONG", "BUDGET_OUT_OF_RANGE", "NEEDS_INVALID", "SCORES_INVALID", "PROFILE_UNKNOWN", "CORPUS_INVALID", "HANDLE_UNKNOWN", "REPLY_INVALID", "WORK_LIMIT",
		"SETTINGS_INVALID", "FILTER_INVALID", "CURSOR_INVALID", "CURSOR_STALE", "SEGMENT_CORRUPT", "MODEL_CORRUPT", "MODEL_ABSENT",
		"search", "search_plan", "search_statistics", "search_partial", "search_merge", "build", "compact", "remove", "documents", "open_model", "close_model", "embed", "chunk_texts", "pack_vectors", "attach_vectors", "statistics", `"query:phrases_apart"`,
		`"mode":"hybrid"`, `"mode":"vector"`, `"fusion":"rrf"`, `"legs":[`, `"vectors:building"`, `"vectors:corrupt"`, `"vectors:absent"`, `"verdict":"no_answer","weight"`, `"verdict":"weak","weight"`, `"legs":[{"leg":"lexical"`, `"model:absent"`, `"queryVector":"`, `"frontMatter":[`, "VECTORS_CORRUPT",
		`"verdict":"weak"`, `"filtered_out"`, `"below_evidence"`, `"corrected":[{`, `"tier":1`, `"context":`, `"matchedHeadings":["`, `"rule":"chunk"`, `"form":"stem"`, `"form":"prefix"`, `"form":"phrase"`, `"cursor":"`, `"totalReason"`, `"minEvidence":1`, `"abstain":false,"budget":`,
		"open", "retrieve", "replay", "plan", "partial", "merge", "decompose", "no document", "many documents", "largest budget",
		`"verdict":"answered"`, `"empty_corpus"`, `"only_stop_words"`, `"no_match"`, `"fill":true`, `"rule":"key"`, `"rule":"id"`, `"rule":"score"`, `"given":`, `"MATCH"`, `"MISMATCH"`, `"UNVERIFIABLE"`, `"range":`,
	} {
		if seen[want] < 3 {
			t.Errorf("%s: %d times in 3000 cases", want, seen[want])
		}
	}
	t.Logf("%d documents, %d bytes of input, %v", docs, bytes, seen)
}
