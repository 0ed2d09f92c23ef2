package retrieve

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

const testModel = "sha256:5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"

// testDimensions are few, so that many vectors differ from a query in as many signs.
const testDimensions = 24

// vectorOfWords returns a vector that is the sum of one for each word of a text.
func vectorOfWords(text string) []byte {
	sums := make([]int, testDimensions)
	for _, word := range strings.Fields(text) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(word))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		for i := range sums {
			sums[i] += r.IntN(9) - 4
		}
	}
	v := make([]byte, testDimensions)
	for i, n := range sums {
		v[i] = byte(int8(max(min(n, 127), -127)))
	}
	return v
}

// attach gives the index of an engine a vector for each chunk.
func attach(t testing.TB, e *Engine) {
	t.Helper()
	mustCall(t, e, abi.AttachVectors, `{"handle":1,"vectors":[`+strings.Join(filesOf(t, e), ",")+`]}`)
}

// lowerPools sets the pools for a test, since its corpus is small.
func lowerPools(t testing.TB, leg, all int64) {
	t.Helper()
	before := [2]int64{legPool, candidates}
	t.Cleanup(func() { legPool, candidates = before[0], before[1] })
	legPool, candidates = leg, all
}

// filesOf returns the files of the vectors of an index, as attach_vectors takes them.
func filesOf(t testing.TB, e *Engine) []string {
	t.Helper()
	var files []string
	for part := 0; ; part++ {
		var components []byte
		var p struct {
			Parts, Chunks int
			Texts         []string
		}
		for from := 0; from == 0 || from < p.Chunks; from += len(p.Texts) {
			out := mustCall(t, e, abi.ChunkTexts, fmt.Sprintf(`{"handle":1,"part":%d,"from":%d}`, part, from))
			if err := json.Unmarshal([]byte(out), &p); err != nil {
				t.Fatal(err)
			}
			for _, text := range p.Texts {
				components = append(components, vectorOfWords(text)...)
			}
			if p.Chunks == 0 {
				break
			}
		}
		in := fmt.Sprintf(`{"handle":1,"part":%d,"model":"%s","dimensions":%d,"components":{"base64":"%s"}}`, part, testModel, testDimensions, base64.StdEncoding.EncodeToString(components))
		var packed struct{ Vectors json.RawMessage }
		if err := json.Unmarshal([]byte(mustCall(t, e, abi.PackVectors, in)), &packed); err != nil {
			t.Fatal(err)
		}
		files = append(files, string(packed.Vectors))
		if part+1 == p.Parts {
			return files
		}
	}
}

// withVector returns a search with the vector of its query behind it, as a call has them.
func withVector(search string) string {
	var q struct{ Query string }
	_ = json.Unmarshal([]byte(search), &q)
	return search + `,"queryVector":"` + base64.StdEncoding.EncodeToString(vectorOfWords(q.Query)) + `"`
}

// inMode returns a search in a mode drawn at random, with a vector of the query most of
// the time.
func inMode(r *rand.Rand, search string) string {
	search = with(search, []string{
		`{}`, `{"mode":"lexical"}`, `{"mode":"vector"}`, `{"mode":"hybrid"}`, `{"mode":"hybrid","fusion":"rrf"}`, `{"fusion":"rrf"}`,
	}[r.IntN(6)])
	if r.IntN(6) == 0 {
		return search
	}
	return withVector(search)
}

// A legged is a hit with what each leg adds to it.
type legged struct {
	ID       string
	Chunk    int
	Score    json.Number
	Evidence json.Number
	Tier     int
	Words    []string
	Explain  struct {
		Legs []struct {
			Leg          string
			Rank         int
			Score, Share json.Number
		}
	}
}

// The shares of the legs add up to the score, ranks in a leg are those of the leg alone, and
// what stands in neither leg is no hit.
func TestSharesAddUp(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 5))
		e := New(Config{})
		mustCall(t, e, abi.Open, `{"engine":"e","settings":{},"documents":[`+strings.Join(drawn(r, 40), ",")+`]}`)
		attach(t, e)
		lowerPools(t, int64(1+r.IntN(30)), 1000)
		search := with(randomSearch(r), `{"limit":1000,"offset":0,"explain":true,"budget":null,"abstain":false,"minEvidence":null,"collapse":"none"}`)
		fusion := []string{abi.FusionSum, abi.FusionRRF}[r.IntN(2)]
		ask := func(more string) (hits []legged) {
			var p struct{ Hits []legged }
			out := mustCall(t, e, abi.Search, `{"handle":1,"search":`+withVector(with(search, more))+`}`)
			if err := json.Unmarshal([]byte(out), &p); err != nil {
				t.Fatal(err)
			}
			return p.Hits
		}
		rank := map[string]map[string]int{abi.LegLexical: {}, abi.LegVector: {}}
		for i, h := range ask(`{"mode":"lexical"}`) {
			if int64(i) < legPool {
				rank[abi.LegLexical][fmt.Sprint(h.ID, h.Chunk)] = i + 1
			}
		}
		for i, h := range ask(`{"mode":"vector"}`) {
			rank[abi.LegVector][fmt.Sprint(h.ID, h.Chunk)] = i + 1
		}
		hits := ask(`{"mode":"hybrid","fusion":"` + fusion + `"}`)
		union := map[string]bool{}
		for _, leg := range rank {
			for place := range leg {
				union[place] = true
			}
		}
		if len(hits) != len(union) {
			t.Fatalf("seed %d: %d hits, the legs bring up %d", seed, len(hits), len(union))
		}
		for _, h := range hits {
			sum := int64(0)
			for _, leg := range h.Explain.Legs {
				sum += nanoOf(t, leg.Share)
				if want := rank[leg.Leg][fmt.Sprint(h.ID, h.Chunk)]; leg.Rank != want {
					t.Fatalf("seed %d: %s %d is %d in %s, alone it is %d", seed, h.ID, h.Chunk, leg.Rank, leg.Leg, want)
				}
			}
			if sum != nanoOf(t, h.Score) || len(h.Explain.Legs) != 2 {
				t.Fatalf("seed %d: the shares of %+v add up to %d", seed, h, sum)
			}
		}
	}
}

// nanoOf returns a score in nano-units.
func nanoOf(t *testing.T, n json.Number) int64 {
	t.Helper()
	f, err := n.Float64()
	if err != nil {
		t.Fatal(err)
	}
	return int64(math.Round(f * 1e9))
}

// The list for k is the beginning of the list for k + 1, in every mode.
func TestX04PrefixOfLegs(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	e := New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","settings":{},"documents":[`+strings.Join(drawn(r, 60), ",")+`]}`)
	attach(t, e)
	lowerPools(t, 12, 30)
	for range 60 {
		search := inMode(r, with(randomSearch(r), `{"explain":false,"budget":null,"abstain":false,"offset":0}`))
		var before []json.RawMessage
		for limit := 1; limit < 30; limit++ {
			var p page
			query, vector, _ := strings.Cut(search, `,"queryVector"`)
			if vector != "" {
				vector = `,"queryVector"` + vector
			}
			out := mustCall(t, e, abi.Search, `{"handle":1,"search":`+with(query, fmt.Sprintf(`{"limit":%d}`, limit))+vector+`}`)
			if err := json.Unmarshal([]byte(out), &p); err != nil {
				t.Fatal(err)
			}
			if len(p.Hits) < len(before) || spell(p.Hits[:len(before)]) != spell(before) {
				t.Fatalf("%s: the list for %d is not the beginning of that for %d", search, limit-1, limit)
			}
			before = p.Hits
		}
	}
}

// A passage without a word of the query is found by its vector, and one whose words
// are asked for stays in hybrid; without the leg, the lexical one answers and says so.
func TestLegsThatAreMissing(t *testing.T) {
	const documents = `{"engine":"e","settings":{},"documents":[{"id":"a","text":"crane brake"},{"id":"b","text":"fog lamp"}]}`
	with, without, building := New(Config{}), New(Config{}), New(Config{})
	for _, e := range []*Engine{with, without, building} {
		mustCall(t, e, abi.Open, documents)
	}
	attach(t, with)
	mustCall(t, building, abi.AttachVectors, `{"handle":1,"vectors":[],"absent":"vectors:building"}`)
	for _, tt := range []struct {
		name   string
		e      *Engine
		search string
		want   string
	}{
		{"auto", with, withVector(`{"query":"crane"}`), `hybrid sum [] a b`},
		{"auto, journal", with, withVector(`{"query":"crane","profile":"journal"}`), `hybrid rrf [] a b`},
		{"vector", with, withVector(`{"query":"fog lamp","mode":"vector"}`), `vector  [] b a`},
		{"semantic is vector", with, withVector(`{"query":"fog lamp","mode":"semantic"}`), `vector  [] b a`},
		{"lexical", with, withVector(`{"query":"crane","mode":"lexical"}`), `lexical  [] a`},
		{"no vector of the query", with, `{"query":"crane"}`, `hybrid sum [model:absent] a`},
		{"auto without vectors", without, withVector(`{"query":"crane"}`), `lexical  [] a`},
		{"hybrid without vectors", without, withVector(`{"query":"crane","mode":"hybrid"}`), `hybrid sum [vectors:absent] a`},
		{"vector without vectors", without, `{"query":"crane","mode":"vector"}`, `vector  [vectors:absent] a`},
		{"auto while they are made", building, `{"query":"crane"}`, `hybrid sum [vectors:building] a`},
		{"vector while they are made", building, `{"query":"crane","mode":"vector"}`, `vector  [vectors:building] a`},
	} {
		var p struct {
			Request  struct{ Mode, Fusion string }
			Degraded []string
			Model    string
			Hits     []legged
		}
		out := mustCall(t, tt.e, abi.Search, `{"handle":1,"search":`+tt.search+`}`)
		if err := json.Unmarshal([]byte(out), &p); err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(p.Request.Mode, " ", p.Request.Fusion, " ", p.Degraded)
		for _, h := range p.Hits {
			got += " " + h.ID
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if ran := p.Request.Mode != abi.ModeLexical && len(p.Degraded) == 0; (p.Model == testModel) != ran {
			t.Errorf("%s: the reply names the model %q", tt.name, p.Model)
		}
		replayed := mustCall(t, tt.e, abi.Replay, `{"handle":1,"reply":`+out+`}`)
		want := abi.Match
		if p.Model != "" {
			want = `"missing":"model"` // no model is open that makes the query's vector
		}
		if !strings.Contains(replayed, want) {
			t.Errorf("%s: replay says %s, want %s", tt.name, replayed, want)
		}
	}
}

// What is counted are chunks, or documents where hits are collapsed.
func TestTotalOfLegs(t *testing.T) {
	e := New(Config{})
	long := strings.Repeat("crane brake fog lamp and more words of it\n\n", 80)
	mustCall(t, e, abi.Open, `{"engine":"e","settings":{},"documents":[{"id":"a","text":"`+strings.ReplaceAll(long, "\n", `\n`)+`"},{"id":"b","text":"fog"},{"id":"c","text":"other"}]}`)
	attach(t, e)
	total := func(search string) (n int) {
		var p struct{ Total int }
		out := mustCall(t, e, abi.Search, `{"handle":1,"search":`+withVector(with(search, `{"query":"crane fog","count":true,"limit":1}`))+`}`)
		if err := json.Unmarshal([]byte(out), &p); err != nil {
			t.Fatal(err)
		}
		return p.Total
	}
	chunks := total(`{"mode":"lexical"}`)
	if chunks < 4 {
		t.Fatalf("%d chunks match", chunks)
	}
	for search, want := range map[string]int{
		`{"mode":"hybrid"}`:                        chunks,
		`{"mode":"vector"}`:                        chunks + 1,
		`{"mode":"lexical","collapse":"document"}`: 2,
		`{"mode":"hybrid","collapse":"document"}`:  2,
		`{"mode":"vector","collapse":"document"}`:  3,
	} {
		if got := total(search); got != want {
			t.Errorf("%s: %d, want %d", search, got, want)
		}
	}
}

// A cursor is of another list once vectors came, and the last page says where a leg may
// have had more.
func TestCursorOfLegs(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	e := New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","settings":{},"documents":[`+strings.Join(drawn(r, 60), ",")+`]}`)
	mustCall(t, e, abi.AttachVectors, `{"handle":1,"vectors":[],"absent":"vectors:building"}`)
	lowerPools(t, 9, 100)
	var p page
	ask := func(search string) error {
		out, err := e.Call(abi.Search, []byte(`{"handle":1,"search":`+withVector(search)+`}`))
		if err == nil {
			p = page{}
			err = json.Unmarshal(out, &p)
		}
		return err
	}
	if err := ask(`{"query":"crane","limit":2}`); err != nil || p.Cursor == "" {
		t.Fatal(p.Cursor, err)
	}
	byWords := p.Cursor
	attach(t, e)
	if err := ask(`{"query":"crane","limit":2,"cursor":"` + byWords + `"}`); codeOf(err) != abi.CursorStale {
		t.Errorf("a cursor of words alone: %v", err)
	}
	hits := 0
	for search := `{"query":"crane","limit":2}`; ; search = `{"query":"crane","limit":2,"cursor":"` + p.Cursor + `"}` {
		if err := ask(search); err != nil {
			t.Fatal(err)
		}
		hits += len(p.Hits)
		if (p.Omitted.Pool == 9) != (p.Cursor == "") {
			t.Errorf("after %d hits the cursor is %q and the pool %d", hits, p.Cursor, p.Omitted.Pool)
		}
		if p.Cursor == "" {
			break
		}
	}
	if hits < 9 || hits > 18 {
		t.Errorf("%d hits of two legs that bring up 9", hits)
	}
	attach(t, e)
	lowerPools(t, 1000, 1000)
	if err := ask(`{"query":"crane","limit":1000}`); err != nil || p.Omitted.Pool != 0 {
		t.Errorf("nothing is left out, and the pool is %d: %v", p.Omitted.Pool, err)
	}
}

// By a model of which unrelated texts have a cosine of 0.5, what a cosine says is how far it
// stands above that, of how far it can: in scores, evidence and verdicts.
func TestBackground(t *testing.T) {
	e := New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","settings":{},"documents":[{"id":"a","text":"crane"},{"id":"b","text":"fog"}]}`)
	vector := func(cosine float64) []byte { // with that of (1, 0)
		return []byte{byte(int8(math.Round(cosine * 100))), byte(int8(math.Round(math.Sqrt(1-cosine*cosine) * 100)))}
	}
	components := base64.StdEncoding.EncodeToString(append(vector(0.8), vector(0.6)...))
	pack := func(background int) string {
		return fmt.Sprintf(`{"handle":1,"model":"%s","external":true,"background":%d,"dimensions":2,"components":{"base64":"%s"}}`, testModel, background, components)
	}
	query := `,"queryVector":"` + base64.StdEncoding.EncodeToString([]byte{100, 0}) + `"`
	for _, tt := range []struct {
		background int
		mode       string
		want       string // evidence of the first hit, and the verdict
	}{
		{0, "vector", "0.8 answered"},
		{500, "vector", "0.6 answered"},
		{700, "vector", "0.333333333 no_answer"},
		{0, "hybrid", "0.4 answered"},
		{650, "hybrid", "0.214285714 weak"}, // by meaning alone it is an answer
		{500, "hybrid", "0.3 weak"},
		{900, "hybrid", "0 no_answer"},
	} {
		out := mustCall(t, e, abi.PackVectors, pack(tt.background))
		mustCall(t, e, abi.AttachVectors, `{"handle":1,"vectors":[`+out[len(`{"vectors":`):len(out)-1]+`]}`)
		reply := mustCall(t, e, abi.Search, `{"handle":1,"search":{"query":"zzyzx","explain":true,"mode":"`+tt.mode+`"}`+query+`}`)
		var p struct {
			Hits     []legged
			Verdict  string
			Evidence struct{ Cosine json.Number }
		}
		if err := json.Unmarshal([]byte(reply), &p); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(p.Hits[0].Evidence, " ", p.Verdict); got != tt.want || p.Evidence.Cosine != "0.8" {
			t.Errorf("%d, %s: %s by a cosine of %s, want %s", tt.background, tt.mode, got, p.Evidence.Cosine, tt.want)
		}
		if verdict := mustCall(t, e, abi.Replay, `{"handle":1,"reply":`+reply+`}`); !strings.Contains(verdict, abi.Match) {
			t.Errorf("%d, %s: %s", tt.background, tt.mode, verdict)
		}
	}
	if _, err := e.Call(abi.PackVectors, []byte(pack(901))); codeOf(err) != abi.RequestInvalid {
		t.Error(err)
	}
}

// Vectors of an external model cannot be made again: the reply has that of the query, and
// is replayed with it.
func TestExternalVectors(t *testing.T) {
	e := New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","settings":{},"documents":[{"id":"a","text":"crane brake"},{"id":"b","text":"fog lamp"}]}`)
	components := base64.StdEncoding.EncodeToString(append(vectorOfWords("crane"), vectorOfWords("fog")...))
	out := mustCall(t, e, abi.PackVectors, fmt.Sprintf(`{"handle":1,"model":"%s","external":true,"dimensions":%d,"components":{"base64":"%s"}}`, testModel, testDimensions, components))
	mustCall(t, e, abi.AttachVectors, `{"handle":1,"vectors":[`+out[len(`{"vectors":`):len(out)-1]+`]}`)
	reply := mustCall(t, e, abi.Search, `{"handle":1,"search":`+withVector(`{"query":"fog"}`)+`}`)
	if want := `"queryVector":"` + base64.StdEncoding.EncodeToString(vectorOfWords("fog")) + `"`; !strings.Contains(reply, want) {
		t.Errorf("%s, want %s in it", reply, want)
	}
	if got := mustCall(t, e, abi.Replay, `{"handle":1,"reply":`+reply+`}`); !strings.Contains(got, abi.Match) {
		t.Error(got)
	}
	words := New(Config{})
	mustCall(t, words, abi.Open, `{"engine":"e","settings":{},"documents":[{"id":"a","text":"crane brake"},{"id":"b","text":"fog lamp"}]}`)
	if got := mustCall(t, words, abi.Replay, `{"handle":1,"reply":`+reply+`}`); !strings.Contains(got, `"missing":"vectors"`) || !strings.Contains(got, testModel) {
		t.Errorf("over the same documents without vectors: %s", got)
	}
	other := strings.Replace(reply, `"queryVector":"`, `"queryVector":"AAAA`, 1)
	if got := mustCall(t, e, abi.Replay, `{"handle":1,"reply":`+other+`}`); !strings.Contains(got, abi.Mismatch) {
		t.Error(got)
	}
}

// What cannot be attached is refused, and what was attached before stays.
func TestAttachFailures(t *testing.T) {
	e, other := New(Config{Memory: 1 << 22}), New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","settings":{},"documents":[{"id":"a","text":"crane"}]}`)
	mustCall(t, other, abi.Open, `{"engine":"e","settings":{},"documents":[{"id":"a","text":"cranes"}]}`)
	mustCall(t, e, abi.Open, `{"engine":"e","leaves":[]}`)
	attach(t, e)
	before := e.account.Used()
	foreign := filesOf(t, other)[0]
	own := filesOf(t, e)[0]
	damaged := strings.Replace(own, `"base64":"cm`, `"base64":"cn`, 1)
	for _, tt := range []struct {
		in   string
		want abi.Code
	}{
		{`{"handle":1,"vectors":[` + foreign + `]}`, abi.VectorsCorrupt},
		{`{"handle":1,"vectors":[` + damaged + `]}`, abi.VectorsCorrupt},
		{`{"handle":1,"vectors":[` + own + `,` + own + `]}`, abi.RequestInvalid},
		{`{"handle":1,"vectors":[` + own + `],"absent":"vectors:building"}`, abi.RequestInvalid},
		{`{"handle":1,"vectors":[{"address":1,"size":8}]}`, abi.RequestInvalid},
		{`{"handle":1}`, abi.RequestInvalid},
		{`{"handle":2,"vectors":[]}`, abi.IndexAbsent},
		{`{"handle":9,"vectors":[]}`, abi.HandleUnknown},
	} {
		if _, err := e.Call(abi.AttachVectors, []byte(tt.in)); codeOf(err) != tt.want {
			t.Errorf("%.80s: %v, want %s", tt.in, err, tt.want)
		}
	}
	if out := mustCall(t, e, abi.Search, `{"handle":1,"search":`+withVector(`{"query":"crane"}`)+`}`); !strings.Contains(out, testModel) {
		t.Error("the vectors are gone")
	}
	if _, err := e.Call(abi.Search, []byte(`{"handle":1,"search":{"query":"crane"},"queryVector":"AAAA"}`)); codeOf(err) != abi.RequestInvalid {
		t.Errorf("a vector of three components: %v", err)
	}
	if after := e.account.Used(); after != before {
		t.Errorf("%d bytes are accounted for, before it were %d", after, before)
	}
	mustCall(t, e, abi.AttachVectors, `{"handle":1,"vectors":[]}`)
	if out := mustCall(t, e, abi.Search, `{"handle":1,"search":`+withVector(`{"query":"crane"}`)+`}`); strings.Contains(out, testModel) {
		t.Error("the vectors are still there")
	}
}

// codeOf returns the code of a failure, "" for none.
func codeOf(err error) abi.Code {
	var e *abi.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
