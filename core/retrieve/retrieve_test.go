package retrieve

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf16"

	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/internal/seed"
	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// call answers an export, or fails the test.
func call(t testing.TB, e *Engine, export abi.Export, in string) string {
	t.Helper()
	out, err := e.Call(export, []byte(in))
	if err != nil {
		t.Fatalf("%s %.200s: %v", export, in, err)
	}
	return string(out)
}

// failure returns the error of a call that must fail.
func failure(t testing.TB, e *Engine, export abi.Export, in string) *abi.Error {
	t.Helper()
	out, err := e.Call(export, []byte(in))
	if err == nil {
		t.Fatalf("%s %.200s answered %.200s", export, in, out)
	}
	return err.(*abi.Error)
}

const names = `"engine":"engine:case","model":"model:case"`

func openCorpus(t testing.TB, e *Engine, documents string) abi.OpenReply {
	t.Helper()
	reply, err := abi.ReadOpenReply([]byte(call(t, e, abi.Open, `{`+names+`,"list":true,"documents":`+documents+`}`)))
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

// ask opens documents in an Engine of their own and asks one request.
func ask(t testing.TB, documents, request string) string {
	t.Helper()
	e := New(Config{})
	handle := openCorpus(t, e, documents).Handle
	return call(t, e, abi.Retrieve, fmt.Sprintf(`{"handle":%d,"request":%s}`, handle, request))
}

func reply(t testing.TB, documents, request string) *abi.Reply {
	t.Helper()
	p, err := abi.ReadReply([]byte(ask(t, documents, request)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const harbour = `[
{"id":"d1","text":"crane maintenance for berth 7"},
{"id":"d2","text":"tide windows"},
{"id":"d3","text":"tide tables and crane faults"},
{"id":"d4","text":"the canteen"}]`

func hitIDs(p *abi.Reply) string {
	var list []string
	for _, h := range p.Hits {
		list = append(list, h.ID)
	}
	return strings.Join(list, " ")
}

var retrieveTests = []struct {
	name, request, want string
}{
	{"each need is represented", `{"query":"crane faults and tide windows","recallBudget":2,"seed":"demo"}`, "d2 d3"},
	{"a document that two needs pick stands once", `{"query":"crane and tide","recallBudget":4,"seed":"demo"}`, "d2 d3 d1"},
	{"a document without a content term of the query never appears", `{"query":"canteen, lighthouse","recallBudget":10}`, "d4"},
	{"the budget caps", `{"query":"crane tide","recallBudget":1}`, "d3"},
	{"the caller's needs replace the decomposition", `{"query":"everything","needs":["canteen","windows"]}`, "d4 d2"},
	{"given scores replace the scorer", `{"query":"crane","scores":[{"d4":900000000,"d1":5}]}`, "d4 d1"},
}

func TestRetrieve(t *testing.T) {
	for _, tt := range retrieveTests {
		if got := hitIDs(reply(t, harbour, tt.request)); got != tt.want {
			t.Errorf("%s: %s found %q, want %q", tt.name, tt.request, got, tt.want)
		}
	}
}

func TestVerdict(t *testing.T) {
	for _, tt := range []struct{ documents, query, want string }{
		{harbour, "crane", "answered "},
		{`[]`, "crane", "no_answer empty_corpus"},
		{harbour, "what is the", "no_answer only_stop_words"},
		{harbour, "lighthouse", "no_answer no_match"},
		{harbour, "?!", "no_answer only_stop_words"},
	} {
		p := reply(t, tt.documents, `{"query":"`+tt.query+`"}`)
		if got := p.Verdict + " " + p.Reason; got != tt.want {
			t.Errorf("%q: verdict %q, want %q", tt.query, got, tt.want)
		}
	}
}

// Fill gives the slots that duplicates left empty to the next best.
func TestFill(t *testing.T) {
	request := `{"query":"crane faults and tide tables","recallBudget":2,"seed":"demo","fill":%s}`
	without, with := reply(t, harbour, fmt.Sprintf(request, "false")), reply(t, harbour, fmt.Sprintf(request, "true"))
	if got := hitIDs(without); got != "d3" || without.Omitted != (abi.Omitted{Documents: 2, Slots: 1}) {
		t.Errorf("without fill: %q, omitted %+v", got, without.Omitted)
	}
	if got := hitIDs(with); got != "d3 d2" || with.Omitted != (abi.Omitted{Documents: 1, Slots: 0}) {
		t.Errorf("with fill: %q, omitted %+v", got, with.Omitted)
	}
	if !with.Hits[1].Fill || with.Hits[0].Fill {
		t.Error("fill does not say which hit filled a slot")
	}
}

// A hit keeps all needs that picked it, and its strongest score.
func TestMergeKeepsTheStrongest(t *testing.T) {
	p := reply(t, harbour, `{"query":"tide tables crane faults, and tide","recallBudget":10}`)
	top := p.Hits[0]
	if top.ID != "d3" || top.Score != 1_000_000_000 || len(top.Needs) != 2 || top.Needs[1].Score != 500_000_000 || top.Needs[1].Rank != 2 {
		t.Errorf("the first hit is %+v", top)
	}
}

func TestExplain(t *testing.T) {
	p := reply(t, harbour, `{"query":"crane crane faults","explain":true}`)
	pick := p.Hits[0].Needs[0]
	e := pick.Explain
	if e == nil || e.Dot != 3 || e.QueryNorm != 5 || e.DocumentNorm != 4 || len(e.Terms) != 2 || e.Terms[0] != (abi.TermProduct{Term: "crane", Query: 2, Document: 1, Product: 2}) {
		t.Fatalf("explain is %+v", e)
	}
	if p.Hits[0].Explain.Rule != "score" || p.Hits[len(p.Hits)-1].Explain.Rule != "last" {
		t.Errorf("rules %q … %q", p.Hits[0].Explain.Rule, p.Hits[len(p.Hits)-1].Explain.Rule)
	}
	given := reply(t, harbour, `{"query":"crane","explain":true,"scores":[{"d4":7}]}`)
	if g := given.Hits[0].Needs[0].Explain.Given; g == nil || *g != 7 {
		t.Errorf("a given score is explained by %v", g)
	}
}

// Explaining, and showing texts, change no ranking.
func TestExplainAndTextChangeNoRanking(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 0))
		documents, query := randomCorpus(r), randomWords(r, 6)
		want := hitIDs(reply(t, documents, fmt.Sprintf(`{"query":%q}`, query)))
		for _, options := range []string{`"explain":true`, `"text":"full"`, `"text":"snippet","explain":true`} {
			if got := hitIDs(reply(t, documents, fmt.Sprintf(`{"query":%q,%s}`, query, options))); got != want {
				t.Fatalf("seed %d: with %s %q, without %q", seed, options, got, want)
			}
		}
	}
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("filler words here. ", 60) + "the slewing 👩‍👩‍👧‍👦 brake " + strings.Repeat("more of it. ", 60)
	p := reply(t, fmt.Sprintf(`[{"id":"a","text":%q},{"id":"b","text":"brake"}]`, long), `{"query":"slewing brake","text":"snippet"}`)
	for _, h := range p.Hits {
		x := h.Text
		if h.ID == "b" {
			if x.Text != "brake" || x.From != 0 || x.To != 5 || x.Of != 5 {
				t.Errorf("a short text is cut: %+v", x)
			}
			continue
		}
		if !strings.Contains(x.Text, "slewing") || x.To-x.From > 480 || x.To-x.From < 470 || int(x.Of) != abi.Units(long) || int(x.To-x.From) != abi.Units(x.Text) {
			t.Errorf("snippet %+v", x)
		}
	}
}

// The bytes do not depend on the order of the documents, on their distribution
// over instances, on documents that came and went, or on earlier calls.
func TestLayoutFree(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 0))
		list := randomDocuments(r)
		request := randomRequest(r, list)
		want := ask(t, join(list), request)
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if got := ask(t, join(list), request); got != want {
			t.Fatalf("seed %d: shuffled\n%s\nwant\n%s", seed, got, want)
		}
		for _, instances := range []int{1, 2, 5} {
			if got := askInRounds(t, list, instances, request); got != want {
				t.Fatalf("seed %d: over %d instances\n%s\nwant\n%s", seed, instances, got, want)
			}
		}
	}
}

// askInRounds spreads documents over instances and asks by plan, partial, merge.
func askInRounds(t *testing.T, list []string, instances int, request string) string {
	t.Helper()
	parts := make([][]string, instances)
	for i, d := range list {
		parts[i%instances] = append(parts[i%instances], d)
	}
	var engines []*Engine
	var leaves []abi.Leaf
	var plans, partials []string
	for _, part := range parts {
		e := New(Config{})
		leaves = append(leaves, openCorpus(t, e, join(part)).Leaves...)
		plans = append(plans, call(t, e, abi.Plan, `{"handle":1,"request":`+request+`}`))
		engines = append(engines, e)
	}
	for _, e := range engines {
		partials = append(partials, call(t, e, abi.Partial, `{"handle":1,"request":`+request+`,"plans":[`+strings.Join(plans, ",")+`]}`))
	}
	whole, err := abi.ReadOpenReply([]byte(call(t, engines[0], abi.Open, `{"engine":"x","leaves":`+string(abi.AppendLeaves(nil, leaves))+`}`)))
	if err != nil {
		t.Fatal(err)
	}
	return call(t, engines[instances-1], abi.Merge, fmt.Sprintf(`{%s,"corpus":%q,"request":%s,"plans":[%s],"partials":[%s]}`,
		names, whole.Corpus, request, strings.Join(plans, ","), strings.Join(partials, ",")))
}

// The hits of one need for a budget are a prefix of those for a larger one.
func TestPrefix(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 0))
		documents, query := randomCorpus(r), randomWords(r, 4)
		long := hitIDs(reply(t, documents, fmt.Sprintf(`{"query":%q,"needs":[%q],"recallBudget":1000}`, query, query)))
		for _, k := range []int{1, 5, 10} {
			short := hitIDs(reply(t, documents, fmt.Sprintf(`{"query":%q,"needs":[%q],"recallBudget":%d}`, query, query, k)))
			if !strings.HasPrefix(long+" ", strings.TrimSpace(short+" ")+" ") && short != "" {
				t.Fatalf("seed %d: %q is no prefix of %q", seed, short, long)
			}
		}
	}
}

func TestReplyIsCanonicalAndSealed(t *testing.T) {
	out := ask(t, harbour, `{"query":"crane faults and tide windows","text":"full","explain":true}`)
	if canonical, err := json.Canonicalize([]byte(out)); err != nil || string(canonical) != out {
		t.Fatalf("the reply is not canonical: %v", err)
	}
	p, err := abi.ReadReply([]byte(out))
	if err != nil {
		t.Fatal(err)
	}
	if again := audit.Seal(p); !bytes.Equal(again, []byte(out)) {
		t.Errorf("what was read is written as\n%s\nnot\n%s", again, out)
	}
}

var failureTests = []struct {
	name, request string
	want          abi.Code
	says          string
}{
	{"no query", `{}`, abi.RequestInvalid, `member "query" is missing`},
	{"an empty query", `{"query":""}`, abi.QueryEmpty, "empty"},
	{"a query over the limit", `{"query":"` + strings.Repeat("a", 65537) + `"}`, abi.QueryTooLong, "65537 units, the limit is 65536"},
	{"a misspelt member", `{"query":"a","recalBudget":1}`, abi.RequestInvalid, `did you mean "recallBudget"?`},
	{"a repeated member", `{"query":"a","query":"b"}`, abi.JSONInvalid, "duplicate"},
	{"another type", `{"query":7}`, abi.RequestInvalid, "expected a string"},
	{"null", `{"query":null}`, abi.RequestInvalid, "expected a string"},
	{"a budget of nothing", `{"query":"a","recallBudget":0}`, abi.BudgetOutOfRange, "between 1 and 100000"},
	{"a fraction", `{"query":"a","recallBudget":1.0}`, abi.RequestInvalid, "integer"},
	{"an unknown profile", `{"query":"a","profile":"neural"}`, abi.ProfileUnknown, "neural"},
	{"no needs", `{"query":"a","needs":[]}`, abi.NeedsInvalid, "0 texts"},
	{"an empty need", `{"query":"a","needs":["b",""]}`, abi.NeedsInvalid, "needs[1]"},
	{"scores for other needs", `{"query":"a","scores":[{},{}]}`, abi.ScoresInvalid, "2 objects"},
	{"scores below zero", `{"query":"a","scores":[{"d1":-1}]}`, abi.ScoresInvalid, "d1"},
	{"scores of strangers", `{"query":"a","scores":[{"d9":1}]}`, abi.ScoresInvalid, `no document "d9"`},
	{"more work than allowed", `{"query":"a","workLimit":3}`, abi.WorkLimit, "4 units"},
	{"a lone surrogate", `{"query":"\ud800"}`, abi.JSONInvalid, "surrogate"},
	{"deep nesting", `{"query":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000) + `}`, abi.RequestInvalid, "expected a string"},
}

func TestFailures(t *testing.T) {
	e := New(Config{})
	handle := openCorpus(t, e, harbour).Handle
	for _, tt := range failureTests {
		err := failure(t, e, abi.Retrieve, fmt.Sprintf(`{"handle":%d,"request":%s}`, handle, tt.request))
		if err.Code != tt.want || !strings.Contains(err.Sentence, tt.says) {
			t.Errorf("%s: %v, want %s with %q", tt.name, err, tt.want, tt.says)
		}
	}
	if err := failure(t, e, abi.Export(99), `{}`); err.Error() != "EXPORT_UNKNOWN: there is no export 99" {
		t.Error(err)
	}
	if err := failure(t, e, abi.Retrieve, `{"handle":99,"request":{"query":"a"}}`); err.Code != abi.HandleUnknown {
		t.Error(err)
	}
}

func TestOpenFailures(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want abi.Code
		says string
	}{
		{`{"documents":[{"id":"","text":"a"}],"engine":"e"}`, abi.CorpusInvalid, "documents[0].id"},
		{`{"documents":[{"id":"a","text":"a"},{"id":"a","text":"b"}],"engine":"e"}`, abi.CorpusInvalid, `"a" is taken by document 0`},
		{`{"documents":[{"id":"a"}],"engine":"e"}`, abi.CorpusInvalid, `documents[0]: member "text" is missing`},
		{`{"documents":[{"id":"a","text":1}],"engine":"e"}`, abi.CorpusInvalid, "documents[0].text: expected a string"},
		{`{"documents":{},"engine":"e"}`, abi.CorpusInvalid, "expected an array"},
		{`{"documents":[]}`, abi.RequestInvalid, `"engine" is missing`},
		{`{"engine":"e"}`, abi.RequestInvalid, "exactly one"},
		{`{"engine":"e","leaves":[["a"]]}`, abi.RequestInvalid, "an id and a digest"},
		{"\xef\xbb\xbf{}", abi.JSONInvalid, "byte order mark"},
	} {
		if err := failure(t, New(Config{}), abi.Open, tt.in); err.Code != tt.want || !strings.Contains(err.Sentence, tt.says) {
			t.Errorf("%s: %v, want %s with %q", tt.in, err, tt.want, tt.says)
		}
	}
}

func TestMemoryIsAccountedFor(t *testing.T) {
	e := New(Config{Memory: 6000})
	big := fmt.Sprintf(`{%s,"documents":[{"id":"a","text":%q}]}`, names, strings.Repeat("x y z ", 1000))
	if err := failure(t, e, abi.Open, big); err.Code != abi.OverBudget {
		t.Fatal(err)
	}
	many := "[" + strings.Repeat(`{"id":"a","text":""},`, 100) + "]" // refused while it is read, not at its end
	if err := failure(t, e, abi.Open, `{"engine":"e","documents":`+strings.Replace(many, `"a"`, `"b"`, 1)+`}`); err.Code != abi.CorpusInvalid {
		t.Fatal(err)
	}
	openCorpus(t, e, harbour)
	before := e.account.Used()
	if err := failure(t, e, abi.Open, big); err.Code != abi.OverBudget || e.account.Used() != before {
		t.Fatalf("%v; %d bytes in use, were %d", err, e.account.Used(), before)
	}
	call(t, e, abi.Close, `{"handle":1}`)
	if e.account.Used() != 0 {
		t.Errorf("%d bytes in use with nothing open", e.account.Used())
	}
}

func TestStopWord(t *testing.T) {
	var stop atomic.Uint32
	e := New(Config{Stop: &stop})
	openCorpus(t, e, harbour)
	stop.Store(1)
	if err := failure(t, e, abi.Retrieve, `{"handle":1,"request":{"query":"crane"}}`); err.Code != abi.Cancelled {
		t.Fatal(err)
	}
	stop.Store(0)
	call(t, e, abi.Retrieve, `{"handle":1,"request":{"query":"crane"}}`)
}

func TestReplay(t *testing.T) {
	e := New(Config{})
	openCorpus(t, e, harbour)
	request := `{"query":"crane faults and tide windows","recallBudget":3,"seed":"demo","text":"snippet","explain":true}`
	stored := call(t, e, abi.Retrieve, `{"handle":1,"request":`+request+`}`)
	replay := func(stored string) abi.ReplayReply {
		v, err := abi.ReadReplayReply([]byte(call(t, e, abi.Replay, `{"handle":1,"reply":`+stored+`}`)))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if v := replay(stored); v.Verdict != abi.Match {
		t.Fatalf("replay: %+v", v)
	}
	for _, tt := range []struct{ at, old, new string }{
		{"hits[0].score", `"rank":1,"score":1,`, `"rank":1,"score":0.9,`},
		{"hits[1].id", `"id":"d3"`, `"id":"d9"`},
		{"engine", `"engine:case"`, `"engine:other"`},
		{"digest", digestOf(stored), "sha256:" + strings.Repeat("0", 64)},
		{"request.query", `"query":"crane faults and tide windows","recallBudget":3,"rep`, `"query":"crane","recallBudget":3,"rep`},
		{"request.seed", `"seed":"demo","text"`, `"seed":"demos","text"`},
		{"request.text", `"text":"snippet"`, `"text":"full"`},
		{"request.fill", `"fill":false`, `"fill":true`},
		{"request.workLimit", `"workLimit":9007199254740991`, `"workLimit":1`},
		{"request.profile", `"profile":"cosine"`, `"profile":"standard"`},
		{"request.representation", `"representation":"each"`, `"representation":"none"`},
		{"request.recallBudget", `"recallBudget":3,"rep`, `"recallBudget":0,"rep`},
		{"request.x", `"workLimit":9007199254740991`, `"workLimit":9007199254740991,"x":1`},
		{"schema", `"schema":1`, `"schema":2`},
		{"audit.seed", `"seed":"demo","subqueries"`, `"seed":"other","subqueries"`},
		{"work.chunks", `"chunks":4`, `"chunks":5`},
		{"verdict", `"verdict":"answered"`, `"verdict":"no_answer"`},
	} {
		changed := strings.Replace(stored, tt.old, tt.new, 1)
		if changed == stored {
			t.Fatalf("%s: nothing to change in %s", tt.at, stored)
		}
		if v := replay(changed); v.Verdict != abi.Mismatch || v.At != tt.at {
			t.Errorf("%s changed: %+v", tt.at, v)
		}
	}
	openCorpus(t, e, strings.Replace(harbour, "tide windows", "tide window", 1))
	leaves := string(abi.AppendLeaves(nil, e.corpora[1].trie.Leaves()))
	for _, kept := range []string{"", `,"leaves":` + leaves} {
		v, err := abi.ReadReplayReply([]byte(call(t, e, abi.Replay, `{"handle":2,"reply":`+stored+kept+`}`)))
		if err != nil || v.Verdict != abi.Unverifiable || v.Missing != "corpus" || v.Document != "d2" {
			t.Errorf("another corpus: %+v, %v", v, err)
		}
	}
}

func digestOf(stored string) string {
	p, err := abi.ReadReply([]byte(stored))
	if err != nil {
		panic(err)
	}
	return p.Digest
}

// A reply that was altered is never blamed on an innocent member: over another
// corpus it cannot be told which was, unless putting one back restores the digest.
func TestReplayOfAnAlteredReplyOverAnotherCorpus(t *testing.T) {
	e := New(Config{})
	openCorpus(t, e, harbour)
	stored := call(t, e, abi.Retrieve, `{"handle":1,"request":{"query":"crane and tide","seed":"demo"}}`)
	openCorpus(t, e, strings.Replace(harbour, "tide tables", "tide table", 1))
	for _, tt := range []struct{ at, old, new string }{
		{"digest", `"rank":1,"score":`, `"rank":7,"score":`},
		{"digest", `"id":"d2"`, `"id":"d9"`},
		{"engine", `"engine:case"`, `"engine:other"`},
		{"schema", `"schema":1`, `"schema":2`},
		{"request.seed", `"seed":"demo","text"`, `"seed":"x","text"`},
	} {
		v, err := abi.ReadReplayReply([]byte(call(t, e, abi.Replay, `{"handle":2,"reply":`+strings.Replace(stored, tt.old, tt.new, 1)+`}`)))
		if err != nil || v.Verdict != abi.Mismatch || v.At != tt.at {
			t.Errorf("%s: %+v, %v", tt.new, v, err)
		}
	}
	changed := strings.Replace(stored, e.corpora[1].root, e.corpora[2].root, 1)
	v, err := abi.ReadReplayReply([]byte(call(t, e, abi.Replay, `{"handle":1,"reply":`+changed+`}`)))
	if err != nil || v.Verdict != abi.Mismatch || v.At != "corpus" {
		t.Errorf("the corpus changed: %+v, %v", v, err)
	}
}

var vocabulary = strings.Fields("crane faults tide windows berth the of fog canteen Straße 新幹線 kubectl é")

func randomWords(r *rand.Rand, most int) string {
	list := make([]string, 1+r.IntN(most))
	for i := range list {
		list[i] = vocabulary[r.IntN(len(vocabulary))]
	}
	return strings.Join(list, " ")
}

func randomDocuments(r *rand.Rand) []string {
	list := make([]string, r.IntN(25))
	for i := range list {
		key := ""
		if r.IntN(3) == 0 {
			key = fmt.Sprintf(`,"key":"k%d"`, r.IntN(3))
		}
		list[i] = fmt.Sprintf(`{"id":"d%d","text":%q,"title":"t"%s}`, i, randomWords(r, 3), key)
	}
	return list
}

func randomCorpus(r *rand.Rand) string { return join(randomDocuments(r)) }

func join(list []string) string { return "[" + strings.Join(list, ",") + "]" }

func randomRequest(r *rand.Rand, list []string) string {
	needs := make([]string, 1+r.IntN(3))
	for i := range needs {
		needs[i] = randomWords(r, 4)
	}
	options := []string{`"explain":true`, `"fill":true`, `"text":"snippet"`, `"representation":"seed"`}
	chosen := slices.DeleteFunc(options, func(string) bool { return r.IntN(2) == 0 })
	chosen = append(chosen, fmt.Sprintf(`"query":%q,"recallBudget":%d,"seed":"s%d"`, strings.Join(needs, ", then "), 1+r.IntN(9), r.IntN(5)))
	return "{" + strings.Join(chosen, ",") + "}"
}

func ExampleEngine() {
	e := New(Config{})
	_, err := e.Call(abi.Open, []byte(`{"engine":"engine:example","documents":[{"id":"d1","text":"crane maintenance for berth 7"},{"id":"d2","text":"tide windows"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := e.Call(abi.Retrieve, []byte(`{"handle":1,"request":{"query":"crane faults and tide windows","recallBudget":2,"seed":"demo"}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := abi.ReadReply(out)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, h := range reply.Hits {
		fmt.Println(h.Rank, h.ID, h.Score)
	}
	// Output:
	// 1 d2 1000000000
	// 2 d1 353553391
}

// The borders of a snippet are those that a walk over all graphemes finds.
func TestSnippetBorders(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	pieces := []string{"a", "word ", "\r\n", "\r", "\n", "é", "e\u0301", "👩‍👩‍👧", "新", "\U00010348", strings.Repeat("plain ", 40), "\u0301"}
	for range 200 {
		var s string
		for range 40 + r.IntN(200) {
			s += pieces[r.IntN(len(pieces))]
		}
		units := seed.Units(s)
		if want := len(utf16.Encode([]rune(s))); units != want {
			t.Fatalf("%q: %d units, want %d", s, units, want)
		}
		if units <= snippetUnits {
			continue
		}
		match := ucd.GraphemeStart(s, r.IntN(len(s)))
		var borders []int // in bytes
		for i := 0; i < len(s); i += ucd.NextGrapheme(s[i:]) {
			borders = append(borders, i)
		}
		borders = append(borders, len(s))
		want := min(seed.Units(s[:match])-snippetLead, units-snippetUnits)
		start := borders[slices.IndexFunc(borders, func(i int) bool { return i == len(s) || seed.Units(s[:i]) >= want })]
		if got := snippetStart(s, match, units); got != start {
			t.Fatalf("%q, match %d: starts at %d, want %d", s, match, got, start)
		}
		end := start
		for _, i := range borders {
			if i >= start && seed.Units(s[start:i]) <= snippetUnits {
				end = i
			}
		}
		if got := snippetEnd(s, start); got != end {
			t.Fatalf("%q, from %d: ends at %d, want %d", s, start, got, end)
		}
	}
}
