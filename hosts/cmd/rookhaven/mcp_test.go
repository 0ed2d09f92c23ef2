package main

import (
	stdjson "encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

const (
	bare    = `{"jsonrpc":"2.0","id":1,"method":"initialize"}`
	request = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"retrieve","arguments":{"query":"crane faults and tide windows","recallBudget":2,"seed":"demo"}}}`
)

func call(id any, tool, arguments string) string {
	spelt, _ := stdjson.Marshal(id)
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, spelt, tool, arguments)
}

// R01, and the transcript of the README: two lines piped in, without anything in
// between.
func TestR01Quickstart(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	r := m.run(bare+"\n"+request+"\n", "mcp", "--corpus", "corpus.json")
	if r.code != 0 {
		t.Fatalf("exit %d\n%s", r.code, r.err)
	}
	got := answers(t, r.out)
	if at(got["1"], "result", "serverInfo", "name") != "rookhaven" {
		t.Errorf("initialize: %v", got["1"])
	}
	reply := at(got["2"], "result", "structuredContent")
	if at(reply, "hits", 0, "id") != "d2" || at(reply, "hits", 0, "score") != 1.0 || at(reply, "hits", 1, "id") != "d1" || at(reply, "hits", 1, "score") != 0.353553391 {
		t.Errorf("hits: %v", at(reply, "hits"))
	}
	logLines(t, r.err)
}

// R03, X54: both contents say the same, the text is the canonical reply, and the
// structure is what the schema says.
func TestR03BothContents(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.jsonl", string(example))
	s := m.serve("--corpus", "corpus.jsonl")
	schemas := map[string]*jsonschema.Resolved{}
	tools, _ := at(s.request("tools/list", object{}), "result", "tools").([]any)
	for _, tool := range tools {
		spelt, _ := stdjson.Marshal(at(tool, "outputSchema"))
		var schema jsonschema.Schema
		if err := stdjson.Unmarshal(spelt, &schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		schemas[at(tool, "name").(string)] = resolved
	}
	check := func(tool string, arguments object) string {
		answer := s.request("tools/call", object{"name": tool, "arguments": arguments})
		text, _ := at(answer, "result", "content", 0, "text").(string)
		structured := at(answer, "result", "structuredContent")
		if at(answer, "result", "isError") != nil {
			t.Fatalf("%s %v: %s", tool, arguments, text)
		}
		if a, b := fmt.Sprint(decode(t, text)), fmt.Sprint(structured); a != b {
			t.Errorf("%s: the text says %s, the structure %s", tool, a, b)
		}
		if err := schemas[tool].Validate(structured); err != nil {
			t.Errorf("%s %v: %v", tool, arguments, err)
		}
		return text
	}
	var text string
	for _, arguments := range []object{
		{"query": "crane faults and tide windows <&>"},
		{"query": "crane faults", "explain": true, "fill": true, "text": "full", "recallBudget": 40},
		{"query": "a", "needs": []string{"crane", "tide"}, "representation": "seed", "text": "none", "seed": ""},
		{"query": "zzz"}, {"query": "the"},
		{"query": "crane faults, zzz", "profile": "standard", "explain": true}, {"query": "tide", "profile": "journal", "explain": true, "text": "full"},
	} {
		text = check("retrieve", arguments)
		t.Logf("%v: %d bytes of text", arguments, len(text))
	}
	if verdict := check("replay", object{"reply": text}); !strings.Contains(verdict, `"MATCH"`) {
		t.Errorf("replay: %s", verdict)
	}
	check("replay", object{"reply": strings.Replace(text, `"rank":1`, `"rank":2`, 1)})
	check("replay", object{"reply": strings.Replace(text, `"seed":"`, `"seed":"x`, 1)})
	replayed := s.request("tools/call", object{"name": "replay", "arguments": object{"reply": decode(t, text)}})
	if at(replayed, "result", "structuredContent", "verdict") != "MATCH" {
		t.Errorf("replay of the object: %v", replayed)
	}
}

// R25: what each kind of message is answered with.
func TestR25Protocol(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	long := strings.Repeat("a", 9<<20)
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	tests := []struct {
		name, line string
		id         string // of the answer, "" for none
		code       int    // of a protocol error
		text       string // of a tool's error, or of the protocol's
	}{
		{"ping", `{"jsonrpc":"2.0","id":"p","method":"ping"}`, "p", 0, ""},
		{"no JSON", `hello`, "<nil>", -32700, ""},
		{"half a message", `{"jsonrpc":"2.0","id":"h",`, "<nil>", -32700, ""},
		{"NUL", "\x00", "<nil>", -32700, "found"},
		{"a number", `5`, "<nil>", -32600, ""},
		{"another version", `{"jsonrpc":"1.0","id":"v","method":"ping"}`, "v", -32600, ""},
		{"no method", `{"jsonrpc":"2.0","id":"m"}`, "m", -32600, ""},
		{"an unknown method", `{"jsonrpc":"2.0","id":"u","method":"tools/run"}`, "u", -32601, ""},
		{"an unknown method without id", `{"jsonrpc":"2.0","method":"tools/run"}`, "", 0, ""},
		{"a call without id", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"retrieve","arguments":{"query":"x"}}}`, "", 0, ""},
		{"an unknown tool", call("t", "retrieves", `{}`), "t", -32602, "retrieves"},
		{"no tool", `{"jsonrpc":"2.0","id":"n","method":"tools/call","params":{}}`, "n", -32602, ""},
		{"no params", `{"jsonrpc":"2.0","id":"np","method":"tools/call"}`, "np", -32602, ""},
		{"params in an array", `{"jsonrpc":"2.0","id":"pa","method":"tools/call","params":[]}`, "pa", -32602, ""},
		{"arguments in an array", call("aa", "retrieve", `[]`), "aa", -32602, ""},
		{"a batch", `[{"jsonrpc":"2.0","id":"b","method":"ping"}]`, "<nil>", -32600, "batch"},
		{"a second initialize", `{"jsonrpc":"2.0","id":"i2","method":"initialize"}`, "i2", -32600, ""},
		{"a line that is too long", `{"jsonrpc":"2.0","id":"l","method":"ping","params":{"x":"` + long + `"}}`, "<nil>", -32600, "8388608"},
		{"no query", call("q0", "retrieve", `{}`), "q0", 0, `ARGUMENT_INVALID: the argument "query" is missing`},
		{"no arguments", `{"jsonrpc":"2.0","id":"q1","method":"tools/call","params":{"name":"retrieve"}}`, "q1", 0, `ARGUMENT_INVALID: the argument "query" is missing`},
		{"an empty query", call("q2", "retrieve", `{"query":""}`), "q2", 0, "QUERY_EMPTY: "},
		{"a query of another type", call("q3", "retrieve", `{"query":5}`), "q3", 0, "ARGUMENT_INVALID: query: expected a string, found a number"},
		{"a query of null", call("q4", "retrieve", `{"query":null}`), "q4", 0, "ARGUMENT_INVALID: query: expected a string, found null"},
		{"a query over the limit", call("q5", "retrieve", `{"query":"`+strings.Repeat("😀", 2049)+`"}`), "q5", 0, "QUERY_TOO_LONG: the query has 4098 units, the limit is 4096"},
		{"a query of a megabyte", call("q6", "retrieve", `{"query":"`+strings.Repeat("a", 1<<20)+`"}`), "q6", 0, "QUERY_TOO_LONG: "},
		{"a budget of 0", call("b0", "retrieve", `{"query":"x","recallBudget":0}`), "b0", 0, "BUDGET_OUT_OF_RANGE: recallBudget is 0, it must be between 1 and 1000"},
		{"a budget over the limit", call("b1", "retrieve", `{"query":"x","recallBudget":1001}`), "b1", 0, "BUDGET_OUT_OF_RANGE: "},
		{"a broken budget", call("b2", "retrieve", `{"query":"x","recallBudget":1.5}`), "b2", 0, "ARGUMENT_INVALID: recallBudget: expected an integer, found 1.5"},
		{"a budget in quotes", call("b3", "retrieve", `{"query":"x","recallBudget":"5"}`), "b3", 0, "ARGUMENT_INVALID: recallBudget: "},
		{"a seed of another type", call("s0", "retrieve", `{"query":"x","seed":1}`), "s0", 0, "ARGUMENT_INVALID: seed: "},
		{"a misspelt argument", call("a0", "retrieve", `{"query":"x","recalBudget":5}`), "a0", 0, `ARGUMENT_UNKNOWN: unknown argument "recalBudget", did you mean "recallBudget"?`},
		{"an argument of another tool", call("a1", "retrieve", `{"query":"x","limit":5}`), "a1", 0, `ARGUMENT_UNKNOWN: unknown argument "limit", did you mean "recallBudget"?`},
		{"an argument of programs", call("a2", "retrieve", `{"query":"x","scores":[]}`), "a2", 0, `ARGUMENT_UNKNOWN: unknown argument "scores"`},
		{"an argument twice", call("a3", "retrieve", `{"query":"x","query":"y"}`), "a3", 0, "JSON_INVALID: "},
		{"a lone surrogate", call("a4", "retrieve", `{"query":"\ud800"}`), "a4", 0, "JSON_INVALID: "},
		{"nesting without end", call("a5", "retrieve", `{"query":`+deep+`}`), "a5", 0, "JSON_INVALID: "},
		{"an unknown text", call("a6", "retrieve", `{"query":"x","text":"all"}`), "a6", 0, "ARGUMENT_INVALID: "},
		{"an unknown profile", call("a7", "retrieve", `{"query":"x","profile":"nobody's"}`), "a7", 0, "PROFILE_UNKNOWN: "},
		{"no needs", call("a8", "retrieve", `{"query":"x","needs":[]}`), "a8", 0, "NEEDS_INVALID: "},
		{"a need of another type", call("a9", "retrieve", `{"query":"x","needs":["a",1]}`), "a9", 0, "ARGUMENT_INVALID: needs[1]: "},
		{"no reply", call("r0", "replay", `{}`), "r0", 0, "ARGUMENT_INVALID: "},
		{"a reply that is none", call("r1", "replay", `{"reply":"{}"}`), "r1", 0, "REPLY_INVALID: "},
		{"a reply that is no JSON", call("r2", "replay", `{"reply":"hits"}`), "r2", 0, "JSON_INVALID: "},
		{"a misspelt reply", call("r3", "replay", `{"replay":"{}"}`), "r3", 0, `did you mean "reply"?`},
	}
	s := m.serve("--corpus", "corpus.json")
	for _, tt := range tests {
		s.send(tt.line)
		s.send(`{"jsonrpc":"2.0","id":"end","method":"ping"}`)
		var got object
		for {
			a := s.receive()
			if a["id"] == "end" {
				break
			}
			got = a
			if tt.id == "" {
				t.Errorf("%s is answered: %v", tt.name, a)
			}
		}
		if got == nil && tt.id != "" { // the two were answered the other way round
			got = s.receive()
		}
		code, _ := at(got, "error", "code").(float64)
		text, _ := at(got, "result", "content", 0, "text").(string)
		if code != 0 {
			text, _ = at(got, "error", "message").(string)
		}
		failed := at(got, "result", "isError") == true
		switch {
		case tt.id == "":
		case fmt.Sprint(got["id"]) != tt.id:
			t.Errorf("%s: %v", tt.name, got)
		case int(code) != tt.code:
			t.Errorf("%s: code %v, want %d: %v", tt.name, code, tt.code, got)
		case tt.code == 0 && tt.text != "" && (!failed || !strings.HasPrefix(text, tt.text) && !strings.Contains(text, tt.text)):
			t.Errorf("%s: %v, want %s", tt.name, got, tt.text)
		case !strings.Contains(text, tt.text):
			t.Errorf("%s: %v, want %s", tt.name, got, tt.text)
		}
	}
	if reply := s.retrieve("tide windows"); at(reply, "hits", 0, "id") != "d2" {
		t.Errorf("after all that: %v", reply)
	}
	if code, _ := s.end(); code != 0 {
		t.Errorf("exit %d", code)
	}
	logLines(t, s.stderr.String())
}

// Ids come back as they were spelt, the widest and strangest too.
func TestIDsAreKept(t *testing.T) {
	m := newMachine(t)
	var lines []string
	ids := []string{`9007199254740993`, `-1`, `1.5`, `1e2`, `""`, `"\u00e9"`, `"` + strings.Repeat("x", 5000) + `"`}
	for _, id := range ids {
		lines = append(lines, `{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`)
	}
	r := m.run(strings.Join(lines, "\n"), "mcp")
	for _, id := range ids {
		if !strings.Contains(r.out, `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`) {
			t.Errorf("no answer to %.40s in %.400s", id, r.out)
		}
	}
}

// X51: each revision of the protocol, none, and one from the future.
func TestX51Revisions(t *testing.T) {
	m := newMachine(t)
	hello := func(version string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
	}
	for _, tt := range []struct{ name, line, want string }{
		{"2024-11-05", hello("2024-11-05"), "2024-11-05"},
		{"2025-03-26", hello("2025-03-26"), "2025-03-26"},
		{"2025-06-18", hello("2025-06-18"), "2025-06-18"},
		{"2025-11-25", hello("2025-11-25"), "2025-11-25"},
		{"2026-07-28 has no initialize", hello("2026-07-28"), "2025-11-25"},
		{"the future", hello("2099-01-01"), "2025-11-25"},
		{"no version", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, "2025-11-25"},
		{"no params", bare, "2025-11-25"},
	} {
		r := m.run(tt.line+"\n"+`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`+"\n", "mcp")
		got := answers(t, r.out)
		if version := at(got["1"], "result", "protocolVersion"); version != tt.want {
			t.Errorf("%s is answered %v, want %s", tt.name, version, tt.want)
		}
		if at(got["2"], "result", "tools", 0, "name") == nil {
			t.Errorf("%s: no tools: %v", tt.name, got["2"])
		}
	}
	r := m.run(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":5}}`+"\n", "mcp")
	if at(answers(t, r.out)["1"], "error", "code") != -32602.0 {
		t.Errorf("a version of another type: %s", r.out)
	}
	r = m.run(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n", "mcp")
	if at(answers(t, r.out)["1"], "result", "tools", 0, "name") == nil {
		t.Errorf("tools/list without initialize: %s", r.out)
	}
}

// The revision of 2026-07-28 has no handshake: each request says its version.
func TestX51WithoutHandshake(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	meta := func(version string) string {
		return `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}`
	}
	r := m.run(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta("2026-07-28") + `}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta("2026-07-28") + `}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"retrieve","arguments":{"query":"tide"},` + meta("2026-07-28") + `}}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{` + meta("2099-01-01") + `}}`,
	}, "\n"), "mcp", "--corpus", "corpus.json")
	got := answers(t, r.out)
	if at(got["1"], "result", "supportedVersions", 0) != "2026-07-28" {
		t.Errorf("server/discover: %v", got["1"])
	}
	if at(got["2"], "result", "resultType") != "complete" || at(got["2"], "result", "ttlMs") != 3600000.0 || at(got["2"], "result", "cacheScope") != "public" {
		t.Errorf("tools/list: %v", got["2"])
	}
	if at(got["3"], "result", "structuredContent", "hits", 0, "id") != "d2" {
		t.Errorf("tools/call: %v", got["3"])
	}
	if at(got["4"], "error", "code") != -32022.0 {
		t.Errorf("an unknown version: %v", got["4"])
	}
}

// Revisions before 2025-06-18 have batches.
func TestBatches(t *testing.T) {
	m := newMachine(t)
	r := m.run(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}, "\n")+"\n", "mcp")
	if len(answers(t, r.out)) != 1 {
		t.Errorf("the handshake: %s", r.out)
	}
	s := m.open()
	s.request("initialize", object{"protocolVersion": "2025-03-26"})
	s.send(`[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},5,{"jsonrpc":"2.0","id":"b","method":"nothing"}]`)
	line, err := s.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var list []object
	if err := stdjson.Unmarshal([]byte(line), &list); err != nil || len(list) != 3 {
		t.Errorf("a batch is answered %s", line)
	}
	s.send(`[]`)
	if code := at(s.receive(), "error", "code"); code != -32600.0 {
		t.Errorf("an empty batch: %v", code)
	}
	s.send(`[{"jsonrpc":"2.0","method":"notifications/initialized"}]`) // is not answered
	s.request("ping", object{})
}

// X50, R26: stdout holds the protocol only, when a tool panics and prints, too.
func TestR26StdoutIsProtocol(t *testing.T) {
	needEngine(t)
	m := newMachine(t, "ROOKHAVEN_LOG_LEVEL=debug")
	m.binary = provoked
	m.file("corpus.json", smallCorpus)
	lines := []string{bare, call("panic", "retrieve", `{"query":"provoke a panic"}`), call("again", "retrieve", `{"query":"tide windows"}`), `x`}
	r := m.run(strings.Join(lines, "\n"), "mcp", "--corpus", "corpus.json")
	got := answers(t, r.out)
	if len(got) != 4 || strings.Contains(r.out, "stray") {
		t.Errorf("stdout: %s", r.out)
	}
	if text, _ := at(got["panic"], "result", "content", 0, "text").(string); at(got["panic"], "result", "isError") != true || !strings.HasPrefix(text, "INTERNAL: ") {
		t.Errorf("the panic is answered %v", got["panic"])
	}
	if at(got["again"], "result", "structuredContent", "hits", 0, "id") != "d2" {
		t.Errorf("after the panic: %v", got["again"])
	}
	if !strings.Contains(r.err, "a stray line\n") || !strings.Contains(r.err, `"msg":"panic"`) {
		t.Errorf("stderr: %s", r.err)
	}
	if strings.Contains(binaryText(t), "provoke a panic") {
		t.Error("the binary that is shipped can be provoked")
	}
}

func binaryText(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// R27: the levels, as JSON lines. No line holds a query or a text at info.
func TestR27Log(t *testing.T) {
	needEngine(t)
	const secret = "heron"
	for _, tt := range []struct {
		level string
		want  []string
		none  []string
	}{
		{"debug", []string{"started", "retrieved", "ended"}, nil},
		{"info", []string{"started", "ended"}, []string{"retrieved"}},
		{"warn", nil, []string{"started", "retrieved", "ended"}},
		{"error", nil, []string{"started", "corpus_unset"}},
	} {
		m := newMachine(t, "ROOKHAVEN_LOG_LEVEL="+tt.level)
		m.file("corpus.json", `[{"id":"a","text":"a `+secret+` on the quay"}]`)
		r := m.run(bare+"\n"+call(2, "retrieve", `{"query":"`+secret+`"}`), "mcp", "--corpus", "corpus.json")
		log := logLines(t, r.err)
		for _, msg := range tt.want {
			if log[msg] == nil {
				t.Errorf("%s: no line %s in %s", tt.level, msg, r.err)
			}
		}
		for _, msg := range tt.none {
			if log[msg] != nil {
				t.Errorf("%s: %v", tt.level, log[msg])
			}
		}
		if strings.Contains(r.err, secret) {
			t.Errorf("%s: the log holds the query: %s", tt.level, r.err)
		}
	}
}

// X40: any text is a query. What is no JSON is refused as such; the rest is
// answered, or is over the documented limit.
func TestX40AnyTextIsAQuery(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	s := m.serve("--corpus", "corpus.json")
	queries := []string{
		`"`, `""`, `'`, `*`, `-`, `--`, `:`, `^`, `AND`, `OR NOT`, `NEAR(`, `(`, `a*`, `title:x`, "\x00", "a\x00b", "\n", " ", "\t\r\n", "\u2028",
		"\ufeff", "\ufffd", "\u202e", "😀", "e\u0301", "ﬃ", "İ", "ß", "主電源", strings.Repeat("and ", 500), strings.Repeat(",", 4096), strings.Repeat("é", 4096),
		strings.Repeat("(", 4000), strings.Repeat(`\`, 4000), "1,000", "3.5", "$x", "`rm -rf`", "<script>", "%s%n", "{{.}}", "a/../b", "C++",
	}
	for i := range 300 { // every byte as a character, and pairs of controls
		queries = append(queries, string(rune(i))+"tide"+string(rune(i*7%0x3000)))
	}
	for _, q := range queries {
		text, failed := s.call("retrieve", object{"query": q})
		if failed {
			t.Errorf("%.60q: %s", q, text)
			continue
		}
		if got := at(decode(t, text), "audit", "query"); got != q {
			t.Errorf("%.60q came back as %.60q", q, got)
		}
	}
	if code, _ := s.end(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// X55: initialize is answered before the engine is compiled. The bar is for a
// benchmark; here it is measured and shown.
func TestX55Handshake(t *testing.T) {
	needEngine(t)
	for _, state := range []string{"cold", "warm"} {
		m := newMachine(t)
		if state == "cold" {
			m.env = append(m.env, "ROOKHAVEN_CACHE_DIR="+filepath.Join(m.home, "cache"))
		}
		m.file("corpus.jsonl", string(example))
		start := time.Now()
		s := m.open("--corpus", "corpus.jsonl")
		s.request("initialize", object{})
		hello := time.Since(start)
		s.retrieve("tide windows")
		t.Logf("%s cache: initialize after %d ms, first answer after %d ms", state, hello.Milliseconds(), time.Since(start).Milliseconds())
	}
}

// X56: the end of the input ends the server at once, and what runs is answered.
func TestX56EndOfInput(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	// Three tries, since other programs run beside the tests.
	within := func(name string, begin func() *session) {
		t.Helper()
		best := time.Hour
		for range 3 {
			code, took := begin().end()
			if code != 0 {
				t.Errorf("%s: exit %d", name, code)
			}
			if best = min(best, took); best < time.Second {
				return
			}
		}
		t.Errorf("%s ends after %s", name, best)
	}
	within("an idle server", func() *session { return m.serve("--corpus", "corpus.json") })
	within("a server that answered", func() *session {
		s := m.serve("--corpus", "corpus.json")
		s.retrieve("tide")
		return s
	})
	within("a server whose client goes away without a word", func() *session {
		s := m.open("--corpus", "corpus.json")
		s.send(bare)
		return s
	})
	var lines []string
	for i := range 50 {
		lines = append(lines, call(i+10, "retrieve", `{"query":"tide windows"}`))
	}
	r := m.run(bare+"\n"+strings.Join(lines, "\n"), "mcp", "--corpus", "corpus.json")
	if got := answers(t, r.out); len(got) != 51 || r.code != 0 {
		t.Errorf("%d answers to 51 requests, exit %d", len(got), r.code)
	}
}

// A signal ends the server, and is its exit code.
func TestSignals(t *testing.T) {
	m := newMachine(t)
	s := m.serve()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = s.cmd.Wait()
	if code := s.cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit %d after an interrupt", code)
	}
}

// A cancelled call gets no answer, and others are not touched.
func TestCancel(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	s := m.serve("--corpus", "corpus.json")
	s.send(call("c", "retrieve", `{"query":"tide"}`))
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}`)
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never"}}`)
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`)
	if reply := s.retrieve("tide windows"); at(reply, "hits", 0, "id") != "d2" {
		t.Errorf("after a cancellation: %v", reply)
	}
}
