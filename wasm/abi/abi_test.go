package abi

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestErrorf(t *testing.T) {
	err := Errorf(QueryTooLong, "%s has %d of %q", "the query", int64(-3), "a\x1bb")
	if got, want := err.Error(), `QUERY_TOO_LONG: the query has -3 of "a\u001bb"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := Errorf(ExportUnknown, "no %s, no %s", Open, Export(77)).Sentence; got != "no open, no export 77" {
		t.Error(got)
	}
	if back := ParseError(err.Error()); *back != *err {
		t.Errorf("ParseError gives %+v, want %+v", back, err)
	}
	for _, text := range []string{"", "no code", "lower: case", ": nothing"} {
		if got := ParseError(text); got.Code != EngineFailed || got.Sentence != text {
			t.Errorf("ParseError(%q) = %+v", text, got)
		}
	}
}

// Every code has one row with a remedy, and ABI.md §7 lists those of the exports.
func TestCodes(t *testing.T) {
	contract, err := os.ReadFile("../ABI.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[Code]bool{}
	for _, info := range Codes() {
		if seen[info.Code] || info.Remedy == "" || info.Exit == 0 || info.HTTP < 400 || Info(info.Code) != info {
			t.Errorf("the row of %s is repeated or not whole", info.Code)
		}
		seen[info.Code] = true
		if listed := bytes.Contains(contract, []byte("| `"+string(info.Code)+"` |")); listed != info.Export {
			t.Errorf("%s: an export answers it: %v; ABI.md lists it: %v", info.Code, info.Export, listed)
		}
	}
	if got := Info("NEWER_CODE"); got.Code != "NEWER_CODE" || got.Exit != Info(Internal).Exit {
		t.Errorf("an unknown code is %+v", got)
	}
}

func TestExports(t *testing.T) {
	for i, name := range Exports() {
		if e := Export(i); !e.Valid() || e.String() != name {
			t.Errorf("export %d is %s, want %s", i, e, name)
		}
	}
	if Export(-1).Valid() || Export(len(Exports())).Valid() {
		t.Error("a number beyond the exports is valid")
	}
}

func TestUnits(t *testing.T) {
	for _, s := range []string{"", "abc", "é", "日本語", "😀", "a😀é日"} {
		if got, want := Units(s), len(utf16.Encode([]rune(s))); got != want {
			t.Errorf("Units(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestReadDocumentLines(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"two documents", "{\"id\":\"a\",\"text\":\"\"}\n\n {\"id\":\"b\",\"text\":\"x\"}\r\n", `[{"id":"a","text":""},{"id":"b","text":"x"}]`},
		{"nothing", "\n", "[]"},
		{"an id twice", "{\"id\":\"a\",\"text\":\"\"}\n{\"id\":\"a\",\"text\":\"\"}", `CORPUS_INVALID: line 2: the id "a" is taken by line 1`},
		{"no JSON", "{\"id\":\"a\",\"text\":\"\"}\n{", `JSON_INVALID: line 2: `},
		{"no text", "{\"id\":\"a\"}", `CORPUS_INVALID: line 1: member "text" is missing`},
	} {
		list, err := ReadDocumentLines([]byte(tt.in))
		got := string(AppendDocuments(nil, list))
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tt.want) || err == nil && got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// An empty optional member is an absent one; the stable key is what the source
// calls the document.
func TestDocument(t *testing.T) {
	list, err := ReadDocuments([]byte(`[{"id":"a","text":"x","title":"","path":"p","key":"k","collection":"c"},{"id":"b","text":"","path":"q"},{"id":"c","text":""}]`))
	if err != nil {
		t.Fatal(err)
	}
	if got := list[0].Stable() + list[1].Stable() + list[2].Stable(); got != "kqc" {
		t.Errorf("stable keys %q, want k, q, c", got)
	}
	if out := string(AppendDocuments(nil, list[:1])); out != `[{"collection":"c","id":"a","key":"k","path":"p","text":"x"}]` {
		t.Errorf("written as %s", out)
	}
}

// A sentence says where, once, and what.
func TestSentences(t *testing.T) {
	_, noText := ReadDocuments([]byte(`[{"id":"a"}]`))
	_, noQuery := ReadRequest([]byte(`{}`))
	_, inside := ReadPlanRequest([]byte(`{"handle":1,"request":{}}`))
	_, wrong := ReadPlanRequest([]byte(`{"handle":1,"request":{"seed":1}}`))
	_, misspelt := ReadRequest([]byte(`{"query":"a","recalBudget":1}`))
	for i, tt := range []struct {
		got  error
		want string
	}{
		{noText, `CORPUS_INVALID: [0]: member "text" is missing at byte 1`},
		{noQuery, `REQUEST_INVALID: member "query" is missing at byte 0`},
		{inside, `REQUEST_INVALID: request: member "query" is missing at byte 22`},
		{wrong, `REQUEST_INVALID: request.seed: expected a string, found a number at byte 30`},
		{misspelt, `REQUEST_INVALID: unknown member "recalBudget" at byte 13, did you mean "recallBudget"?`},
	} {
		if tt.got == nil || tt.got.Error() != tt.want {
			t.Errorf("%d: %v, want %s", i, tt.got, tt.want)
		}
	}
}

var fullRequest = `{"explain":true,"fill":true,"needs":["a","b"],"profile":"cosine","query":"q","recallBudget":3,"representation":"seed","scores":[{"d1":1},{}],"seed":"s","text":"full","workLimit":9}`

// What the reader accepts, the writer writes back to the same message.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(fullRequest))
	f.Add([]byte(`{"query":"a"}`))
	f.Add([]byte(`{"query":"\ud83d\ude00","scores":[{"\uffff":1,"😀":2}]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		q, err := ReadRequest(slices.Clone(in))
		if err != nil {
			checkError(t, err)
			return
		}
		out := q.Append(nil)
		again, err := ReadRequest(out)
		if err != nil {
			t.Fatalf("%q is written as %q, which is refused: %v", in, out, err)
		}
		if twice := again.Append(nil); !bytes.Equal(twice, out) {
			t.Errorf("%q is written as %q, then as %q", in, out, twice)
		}
	})
}

// The readers of all other requests: they may refuse, they may not crash, and
// their errors have a code of the table.
func FuzzRequests(f *testing.F) {
	f.Add([]byte(`{"handle":1,"request":{"query":"a"},"plans":[{"chunks":1}]}`))
	f.Add([]byte(`{"engine":"e","corpus":"sha256:` + strings.Repeat("0", 64) + `","request":{"query":"a"},"plans":[],"partials":[{"candidates":0,"documents":[],"needs":[{"index":0,"matched":0,"hits":[{"at":0,"score":1}]}]}]}`))
	f.Add([]byte(`{"engine":"e","documents":[{"id":"a","text":"b"}],"list":true}`))
	f.Add([]byte(`{"engine":"e","leaves":[["a","sha256:` + strings.Repeat("0", 64) + `"]]}`))
	f.Add([]byte(`{"handle":1,"reply":{}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		_, err := ReadPlanRequest(slices.Clone(in))
		checkError(t, err)
		_, err = ReadPartialRequest(slices.Clone(in))
		checkError(t, err)
		_, err = ReadMergeRequest(slices.Clone(in))
		checkError(t, err)
		_, err = ReadOpenRequest(slices.Clone(in), unbounded, unbounded)
		checkError(t, err)
		_, err = ReadReplayRequest(slices.Clone(in), unbounded)
		checkError(t, err)
		_, err = ReadCloseRequest(slices.Clone(in))
		checkError(t, err)
	})
}

func FuzzDocuments(f *testing.F) {
	f.Add([]byte(`[{"id":"a","text":"b","title":"t","path":"p","collection":"c","key":"k"}]`))
	f.Add([]byte(`{"id":"a","text":"b"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, read := range []func([]byte) ([]Document, error){ReadDocuments, ReadDocumentLines} {
			list, err := read(slices.Clone(in))
			if err != nil {
				checkError(t, err)
				continue
			}
			out := AppendDocuments(nil, list)
			again, err := ReadDocuments(slices.Clone(out))
			if err != nil || !slices.Equal(list, again) {
				t.Errorf("%q is written as %q, which is read otherwise: %v", in, out, err)
			}
		}
	})
}

// A reply that was read is written back to one that is read the same.
func FuzzReply(f *testing.F) {
	f.Add([]byte(`{"audit":{"query":"q","recallBudget":1,"seed":"s","subqueries":[{"budget":1,"contributed":["a"],"index":0,"matched":1,"text":"q","weight":1}]},"corpus":"c","degraded":[],"digest":"d","engine":"e","hits":[{"chunk":0,"doc":"d","explain":{"key":1,"rule":"last"},"id":"a","needs":[{"explain":{"documentNorm":1,"dot":1,"queryNorm":1,"terms":[{"document":1,"product":1,"query":1,"term":"q"}]},"index":0,"rank":1,"score":1}],"range":{"from":0,"of":1,"to":1},"rank":1,"score":1,"text":"q"}],"omitted":{"documents":0,"slots":0},"request":` + fullRequest + `,"schema":1,"verdict":"answered","work":{"chunks":1,"needs":1,"units":1}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		p, err := ReadReply(slices.Clone(in))
		checkError(t, err)
		if err != nil || !writable(p) {
			return
		}
		digest := func([]byte) string { return p.Digest }
		out := p.Append(nil, digest)
		again, err := ReadReply(slices.Clone(out))
		if err != nil {
			t.Fatalf("%q is written as %q, which is refused: %v", in, out, err)
		}
		if twice := again.Append(nil, digest); !bytes.Equal(out, twice) {
			t.Errorf("%q is written as %q, then as %q", in, out, twice)
		}
	})
}

// writable reports whether a reply has the parts that an engine always writes;
// a reader lets them be absent.
func writable(p *Reply) bool { return p.Request.Check() == nil }

// A reply of search is as long as it says, and its hits add what they say.
func TestSearchReplySize(t *testing.T) {
	digest := func([]byte) string { return "sha256:" + strings.Repeat("0", 64) }
	p := SearchReply{Names: Names{Engine: "e"}, Corpus: digest(nil), Request: DefaultSearch(), Degraded: []string{}, Verdict: Answered, Cursor: "1.2", Omitted: 10}
	bare := p.Size()
	for i := range 3 {
		f := Found{Passage: Passage{ID: strings.Repeat("é\n", i), Doc: digest(nil), Text: &Excerpt{Text: "x"}}, Rank: int64(i + 1), Score: 7, Evidence: 3}
		p.Hits = append(p.Hits, f)
		if bare += f.Size(); i > 0 {
			bare++ // the comma
		}
		if got := int64(len(p.Append(nil, digest))); got != p.Size() || got != bare {
			t.Errorf("%d hits: %d bytes, said to be %d, and by the hits %d", i+1, got, p.Size(), bare)
		}
	}
}

var searchTests = []struct{ name, in, want string }{
	{"without a budget none is written", `{"query":"q"}`, `"minEvidence":0,"offset"`},
	{"a budget", `{"query":"q","budget":1}`, `{"abstain":false,"budget":1,"collapse"`},
	{"the greatest", `{"query":"q","budget":9007199254740991,"minEvidence":1000000000}`, `"budget":9007199254740991`},
	{"no budget of 0", `{"query":"q","budget":0}`, `REQUEST_INVALID: budget is 0, it must be between 1 and 9007199254740991`},
	{"no budget that is null", `{"query":"q","budget":null}`, `REQUEST_INVALID: budget: expected an integer`},
	{"evidence below 0", `{"query":"q","minEvidence":-1}`, `REQUEST_INVALID: minEvidence is -1, it must be between 0 and 1000000000`},
	{"evidence above 1", `{"query":"q","minEvidence":1000000001}`, `REQUEST_INVALID: minEvidence is 1000000001`},
	{"evidence in nano-units", `{"query":"q","minEvidence":0.5}`, `REQUEST_INVALID: minEvidence: expected an integer`},
}

// What a search says is written back the same; what breaks a bound is named.
func TestReadSearch(t *testing.T) {
	for _, tt := range searchTests {
		q, err := ReadSearch([]byte(tt.in))
		if err != nil {
			if !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
			}
			continue
		}
		out := q.Append(nil)
		if !bytes.Contains(out, []byte(tt.want)) {
			t.Errorf("%s: %s, want %s in it", tt.name, out, tt.want)
		}
		if again, err := ReadSearch(out); err != nil || !bytes.Equal(again.Append(nil), out) {
			t.Errorf("%s: %s is read as %+v: %v", tt.name, out, again, err)
		}
	}
}

func checkError(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	e, ok := err.(*Error)
	if !ok || e.Sentence == "" || !Info(e.Code).Export {
		t.Errorf("an error without a code of the exports: %v", err)
	}
}
