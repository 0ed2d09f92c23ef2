package retrieve

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// randomNeeds returns a Request that an index ranks, as JSON.
func randomNeeds(r *rand.Rand) string {
	q := map[string]any{
		"query": prose(r, 1+r.IntN(3)) + " and " + prose(r, 1+r.IntN(3)), "profile": []string{"standard", "standard", "journal"}[r.IntN(3)],
		"recallBudget": 1 + r.IntN(20), "fill": r.IntN(3) == 0, "explain": r.IntN(2) == 0, "text": []string{"none", "snippet", "full"}[r.IntN(3)],
	}
	switch r.IntN(4) {
	case 0:
		q["needs"] = []string{prose(r, 2), `"` + prose(r, 2) + `" "` + prose(r, 1) + `"`, prose(r, 1) + " -" + prose(r, 1), "the of"}
	case 1:
		q["seed"], q["representation"] = fmt.Sprint(r.IntN(9)), "seed"
	}
	out, _ := json.Marshal(q)
	return string(out)
}

// withVectors returns a request with the vectors of its needs behind it, as a call has them.
func withVectors(t testing.TB, request string) string {
	t.Helper()
	var d struct {
		Subqueries []struct {
			Text   string
			Budget int
		}
	}
	if err := json.Unmarshal([]byte(mustCall(t, New(Config{}), abi.Decompose, request)), &d); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, s := range d.Subqueries {
		if s.Budget > 0 {
			list = append(list, `"`+base64.StdEncoding.EncodeToString(vectorOfWords(s.Text))+`"`)
		}
	}
	return request + `,"queryVectors":[` + strings.Join(list, ",") + `]`
}

// needsRounds answers a request, with what stands behind it, over several engines.
func needsRounds(t testing.TB, engines []*Engine, root, request string) string {
	t.Helper()
	round := func(export abi.Export, more string) string {
		var list []string
		for _, e := range engines {
			list = append(list, mustCall(t, e, export, `{"handle":1,"request":`+request+more+`}`))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	plans := `,"plans":` + round(abi.Plan, "")
	more := plans + `,"statistics":` + round(abi.Statistics, plans)
	partials := round(abi.Partial, more)
	return mustCall(t, engines[0], abi.Merge, `{"engine":"e","settings":{},"corpus":"`+root+`","request":`+request+more+`,"partials":`+partials+`}`)
}

// A needs is a reply of retrieve.
type needs struct {
	Request struct{ Mode, Fusion string }
	Model   string
	Hits    []struct {
		ID    string
		Score json.Number
		Needs []struct {
			Score   json.Number
			Explain legged
		}
	}
	Audit struct {
		Subqueries []struct {
			Verdict, QueryVector string
			Matched              int
			Contributed          []string
		}
	}
	Verdict, Reason string
	Degraded        []string
	Omitted         struct{ Documents, Slots, Pool int }
	Work            struct{ Chunks, Needs, Vectors, Units int }
}

func retrieved(t testing.TB, e *Engine, request string) (p needs) {
	t.Helper()
	if err := json.Unmarshal([]byte(mustCall(t, e, abi.Retrieve, `{"handle":1,"request":`+request+`}`)), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// Needs are ranked as searches are: of one need, retrieve has the documents that a
// collapsed search has, with the same scores.
func TestNeedsAreSearches(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	e := New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","settings":{},"documents":[`+strings.Join(drawn(r, 60), ",")+`]}`)
	attach(t, e)
	for range 60 {
		query, _ := json.Marshal(prose(r, 1+r.IntN(4)))
		legs := []string{`{}`, `{"mode":"lexical"}`, `{"mode":"vector"}`, `{"mode":"hybrid","fusion":"rrf"}`, `{"profile":"journal"}`}[r.IntN(5)]
		search := withVector(with(`{"query":`+string(query)+`,"collapse":"document","typos":false,"limit":7,"seed":"s"}`, legs))
		var want struct{ Hits []legged }
		if err := json.Unmarshal([]byte(mustCall(t, e, abi.Search, `{"handle":1,"search":`+search+`}`)), &want); err != nil {
			t.Fatal(err)
		}
		request := with(`{"query":`+string(query)+`,"needs":[`+string(query)+`],"profile":"standard","recallBudget":7,"seed":"s"}`, legs)
		p := retrieved(t, e, withVectors(t, request))
		if len(p.Hits) != len(want.Hits) {
			t.Fatalf("%s: %d hits, search has %d", request, len(p.Hits), len(want.Hits))
		}
		for i, h := range p.Hits {
			if w := want.Hits[i]; h.ID != w.ID || h.Score != w.Score {
				t.Fatalf("%s: hit %d is %s %s, that of search %s %s", request, i, h.ID, h.Score, w.ID, w.Score)
			}
		}
	}
}

// What is said of the legs: which took part, what they add, and how well each need is
// answered.
func TestNeedsByLegs(t *testing.T) {
	const documents = `{"engine":"e","settings":{},"documents":[{"id":"a","text":"crane brake"},{"id":"b","text":"fog lamp"},{"id":"c","text":"other things"}]}`
	with, without, damaged := New(Config{}), New(Config{}), New(Config{})
	for _, e := range []*Engine{with, without, damaged} {
		mustCall(t, e, abi.Open, documents)
	}
	attach(t, with)
	mustCall(t, damaged, abi.AttachVectors, `{"handle":1,"vectors":[],"absent":"vectors:corrupt"}`)
	vectors := func(request string) string { return withVectors(t, request) }
	for _, tt := range []struct {
		name, request string
		e             *Engine
		want          string
	}{
		{"both legs", vectors(`{"query":"crane brake and fog lamp","profile":"standard","recallBudget":2}`), with, `hybrid sum [] answered [answered answered] a b`},
		{"one need has no answer", vectors(`{"query":"x","needs":["crane brake","zzyzx"],"profile":"standard","recallBudget":2}`), with, `hybrid sum [] weak [answered no_answer] a c`},
		{"no need has one", vectors(`{"query":"zzyzx","profile":"standard","recallBudget":1}`), with, `hybrid sum [] no_answer below_evidence [no_answer] c`},
		{"by words", vectors(`{"query":"crane brake and fog lamp","profile":"standard","mode":"lexical"}`), with, `lexical  [] answered [answered answered] a b`},
		{"by words, a need without an answer", `{"query":"x","needs":["crane brake","zzyzx"],"profile":"standard","mode":"lexical"}`, with, `lexical  [] weak [answered no_answer] a`},
		{"by words, no answer", `{"query":"zzyzx","profile":"journal","mode":"lexical"}`, with, `lexical  [] no_answer no_match [no_answer]`},
		{"by meaning", vectors(`{"query":"fog lamp","profile":"standard","mode":"semantic","recallBudget":1}`), with, `vector  [] answered [answered] b`},
		{"journal fuses ranks", vectors(`{"query":"fog","profile":"journal","recallBudget":1}`), with, `hybrid rrf [] answered [answered] b`},
		{"no vectors of the needs", `{"query":"fog lamp","profile":"standard"}`, with, `hybrid sum [model:absent] answered [answered] b`},
		{"an index without vectors", `{"query":"fog lamp","profile":"standard"}`, without, `lexical  [] answered [answered] b`},
		{"asked of an index without vectors", `{"query":"fog lamp","profile":"standard","mode":"hybrid"}`, without, `hybrid sum [vectors:absent] answered [answered] b`},
		{"damaged vectors", `{"query":"fog lamp","profile":"standard"}`, damaged, `hybrid sum [vectors:corrupt] answered [answered] b`},
		{"cosine of term counts", `{"query":"fog lamp and zzyzx"}`, with, `  [] answered [ ] b`},
	} {
		p := retrieved(t, tt.e, tt.request)
		got := fmt.Sprint(p.Request.Mode, " ", p.Request.Fusion, " ", p.Degraded, " ", p.Verdict)
		if p.Reason != "" {
			got += " " + p.Reason
		}
		var verdicts []string
		for _, s := range p.Audit.Subqueries {
			verdicts = append(verdicts, s.Verdict)
		}
		got += fmt.Sprint(" ", verdicts)
		for _, h := range p.Hits {
			got += " " + h.ID
		}
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
		ran := p.Request.Mode != "" && p.Request.Mode != abi.ModeLexical && len(p.Degraded) == 0
		if (p.Model == testModel) != ran || (p.Work.Vectors == p.Work.Chunks*p.Work.Needs) != ran || p.Work.Units != p.Work.Chunks*p.Work.Needs+p.Work.Vectors {
			t.Errorf("%s: the model is %q, the work %+v", tt.name, p.Model, p.Work)
		}
	}
	explained := retrieved(t, with, vectors(`{"query":"crane and fog","profile":"standard","explain":true}`))
	for _, h := range explained.Hits {
		for _, n := range h.Needs {
			if s := fmt.Sprint(n.Explain); len(n.Explain.Explain.Legs) != 0 || s == "" {
				t.Error(s)
			}
		}
	}
	p := retrieved(t, with, vectors(`{"query":"crane and fog","profile":"standard","recallBudget":30}`))
	if p.Omitted.Slots != 27 || p.Omitted.Pool != 0 || p.Audit.Subqueries[0].Matched != 3 {
		t.Errorf("%+v", p)
	}
	lowerPools(t, 1, 1)
	if p := retrieved(t, with, vectors(`{"query":"crane and fog","profile":"standard","recallBudget":30}`)); p.Omitted.Pool != 1 {
		t.Errorf("of pools of one hit: %+v", p.Omitted)
	}
	for request, want := range map[string]string{
		`{"query":"fog","mode":"hybrid"}`:                                                                                     "mode and fusion are for",
		`{"query":"fog","profile":"standard","mode":"both"}`:                                                                  "mode is",
		`{"query":"fog","profile":"standard","mode":"vector","fusion":"rrf"}`:                                                 "fusion is for",
		`{"query":"fog","profile":"standard"},"queryVectors":[]`:                                                              "has none for need 0",
		`{"query":"fog","profile":"standard"},"queryVectors":[""]`:                                                            "has none for need 0",
		`{"query":"fog","profile":"standard"},"queryVectors":["AAAA"]`:                                                        "3 components",
		vectors(`{"query":"fog","profile":"standard"}`)[:len(vectors(`{"query":"fog","profile":"standard"}`))-1] + `,"AAAA"]`: "2 queryVectors",
	} {
		if _, err := with.Call(abi.Retrieve, []byte(`{"handle":1,"request":`+request+`}`)); codeOf(err) != abi.RequestInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", request, err, want)
		}
	}
}

// The shares of the legs add up to the score of each need that picked a hit.
func TestNeedsShares(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	e := New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","settings":{},"documents":[`+strings.Join(drawn(r, 40), ",")+`]}`)
	attach(t, e)
	shares := 0
	for range 40 {
		var p struct {
			Hits []struct {
				Needs []struct {
					Score   json.Number
					Explain struct {
						Parts []any
						Legs  []struct{ Share json.Number }
					}
				}
			}
		}
		out := mustCall(t, e, abi.Retrieve, `{"handle":1,"request":`+withVectors(t, with(randomNeeds(r), `{"explain":true}`))+`}`)
		if err := json.Unmarshal([]byte(out), &p); err != nil {
			t.Fatal(err)
		}
		for _, h := range p.Hits {
			for _, n := range h.Needs {
				sum := int64(0)
				for _, l := range n.Explain.Legs {
					sum += nanoOf(t, l.Share)
				}
				if shares++; sum != nanoOf(t, n.Score) || len(n.Explain.Legs) != 2 || n.Explain.Parts == nil {
					t.Fatalf("%+v: the shares add up to %d", n, sum)
				}
			}
		}
	}
	if shares < 100 {
		t.Errorf("%d explanations", shares)
	}
}

// What was retrieved is replayed: by the vectors that the reply records of an external
// model, or by the model that made them.
func TestReplayOfNeeds(t *testing.T) {
	e := New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","settings":{},"documents":[{"id":"a","text":"crane brake"},{"id":"b","text":"fog lamp"}]}`)
	verdict := func(reply string) string { return mustCall(t, e, abi.Replay, `{"handle":1,"reply":`+reply+`}`) }
	request := withVectors(t, `{"query":"fog and crane","profile":"standard","explain":true}`)
	for _, external := range []bool{true, false} {
		components := base64.StdEncoding.EncodeToString(append(vectorOfWords("crane"), vectorOfWords("fog")...))
		out := mustCall(t, e, abi.PackVectors, fmt.Sprintf(`{"handle":1,"model":"%s","external":%v,"dimensions":%d,"components":{"base64":"%s"}}`, testModel, external, testDimensions, components))
		mustCall(t, e, abi.AttachVectors, `{"handle":1,"vectors":[`+out[len(`{"vectors":`):len(out)-1]+`]}`)
		reply := mustCall(t, e, abi.Retrieve, `{"handle":1,"request":`+request+`}`)
		if want := map[bool]string{true: abi.Match, false: `"missing":"model"`}[external]; !strings.Contains(verdict(reply), want) {
			t.Errorf("external %v: %s, want %s", external, verdict(reply), want)
		}
		if strings.Count(reply, `"queryVector":`) != map[bool]int{true: 2}[external] {
			t.Errorf("external %v: the vectors of the needs are in it, or are not: %s", external, reply)
		}
		for _, change := range [][2]string{
			{`"queryVector":"`, `"queryVector":"AAAA`},
			{`"mode":"hybrid"`, `"mode":"lexical"`},
			{`"fusion":"sum"`, `"fusion":"rrf"`},
			{`"verdict":"answered"`, `"verdict":"weak"`},
		} {
			if altered := strings.Replace(reply, change[0], change[1], 1); altered != reply && !strings.Contains(verdict(altered), abi.Mismatch) {
				t.Errorf("external %v, %s: %s", external, change[1], verdict(altered))
			}
		}
	}
	byWords := mustCall(t, e, abi.Retrieve, `{"handle":1,"request":{"query":"fog","profile":"standard"}}`)
	if !strings.Contains(byWords, abi.QueryAbsent) || !strings.Contains(verdict(byWords), abi.Match) {
		t.Errorf("%s: %s", byWords, verdict(byWords))
	}
}
