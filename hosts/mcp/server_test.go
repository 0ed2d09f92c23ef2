package mcp

import (
	"bytes"
	"context"
	stdjson "encoding/json"
	"io"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/corpusfile"
	"github.com/rookhaven-project/rookhaven/hosts/internal/service"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// serve answers lines, and returns the answers by their ids as they are spelt.
// Nothing here needs an engine.
func serve(t *testing.T, env map[string]string, lines ...string) map[string]string {
	t.Helper()
	c, err := config.Load(config.Sources{
		Env: func(name string) string { return env[name] }, GOOS: "linux",
		Read:   func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		Absent: func(error) bool { return true },
	})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	s := &Server{Service: service.New(c, log, corpusfile.Empty()), Log: log, Version: "test"}
	var out bytes.Buffer
	if err := s.Serve(context.Background(), strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var m struct{ ID stdjson.RawMessage }
		if err := stdjson.Unmarshal([]byte(line), &m); err != nil {
			t.Errorf("a line that is not JSON: %q: %v", line, err)
		}
		answers[string(m.ID)] = strings.TrimSuffix(line, "\n")
	}
	return answers
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize"}`

// tools returns the tools as a client sees them.
func tools(t *testing.T, env map[string]string) []map[string]any {
	t.Helper()
	answer := serve(t, env, initialize, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)["1"]
	var m struct {
		Result struct{ Tools []map[string]any }
	}
	if err := stdjson.Unmarshal([]byte(answer), &m); err != nil || len(m.Result.Tools) == 0 {
		t.Fatalf("tools/list: %v\n%s", err, answer)
	}
	return m.Result.Tools
}

func TestX52SchemaLint(t *testing.T) {
	list := tools(t, nil)
	if len(list) > 10 {
		t.Errorf("%d tools", len(list))
	}
	var names []string
	for _, tool := range list {
		name := tool["name"].(string)
		names = append(names, name)
		if len(name) > 24 {
			t.Errorf("the name %s is long", name)
		}
		for _, schema := range []string{"inputSchema", "outputSchema"} {
			lint(t, name+"."+schema, tool[schema])
		}
		hints, _ := tool["annotations"].(map[string]any)
		if hints["readOnlyHint"] != true || hints["idempotentHint"] != true || hints["destructiveHint"] != false || hints["openWorldHint"] != false {
			t.Errorf("%s: annotations %v", name, hints)
		}
	}
	if again := tools(t, nil); len(again) != len(list) || again[0]["name"] != names[0] {
		t.Error("the order of the tools is not stable")
	}
}

// lint checks a node of a schema.
func lint(t *testing.T, path string, node any) {
	t.Helper()
	m, ok := node.(map[string]any)
	if !ok {
		t.Errorf("%s is no object", path)
		return
	}
	kind, ok := m["type"].(string)
	if !ok {
		t.Errorf("%s: type is %v", path, m["type"])
	}
	for _, word := range []string{"oneOf", "anyOf", "allOf", "not", "$ref", "if", "$defs", "definitions", "const", "nullable", "patternProperties"} {
		if _, there := m[word]; there {
			t.Errorf("%s has %s", path, word)
		}
	}
	properties, _ := m["properties"].(map[string]any)
	if required, there := m["required"]; there {
		list, ok := required.([]any)
		if !ok || len(list) == 0 {
			t.Errorf("%s: required is %v", path, required)
		}
		for _, name := range list {
			if properties[name.(string)] == nil {
				t.Errorf("%s requires %s, which it does not have", path, name)
			}
		}
	}
	if kind == "object" && (m["additionalProperties"] != false || len(properties) == 0) {
		t.Errorf("%s takes other members", path)
	}
	if kind == "array" {
		lint(t, path+"[]", m["items"])
	}
	for name, child := range properties {
		lint(t, path+"."+name, child)
	}
}

// Every optional argument says its default, as this host is set.
func TestDefaultsAreStated(t *testing.T) {
	list := tools(t, map[string]string{"ROOKHAVEN_DEFAULT_RECALL": "7", "ROOKHAVEN_MAX_RECALL": "77", "ROOKHAVEN_MAX_QUERY_LEN": "777", "ROOKHAVEN_DEFAULT_SEED": `a"b`})
	schema := list[slices.IndexFunc(list, func(m map[string]any) bool { return m["name"] == "retrieve" })]["inputSchema"].(map[string]any)
	properties := schema["properties"].(map[string]any)
	for name, node := range properties {
		if text := node.(map[string]any)["description"].(string); name != "query" && !strings.Contains(text, "Default") {
			t.Errorf("%s does not say its default", name)
		}
	}
	budget := properties["recallBudget"].(map[string]any)
	if !strings.Contains(budget["description"].(string), "Default 7.") || budget["maximum"] != 77.0 {
		t.Errorf("recallBudget: %v", budget)
	}
	if text := properties["seed"].(map[string]any)["description"].(string); !strings.Contains(text, `Default "a\"b".`) {
		t.Errorf("seed: %s", text)
	}
	var names []string
	for name := range properties {
		names = append(names, name)
	}
	slices.Sort(names)
	known := slices.Sorted(slices.Values(retrieveArguments))
	if !slices.Equal(names, known) {
		t.Errorf("the schema has %v, the reader %v", names, known)
	}
	for _, name := range known {
		if !slices.Contains(abi.RequestMembers(), name) {
			t.Errorf("%s is no member of a request", name)
		}
	}
}

func TestCapabilities(t *testing.T) {
	answer := serve(t, nil, initialize)["0"]
	if !strings.Contains(answer, `"capabilities":{"tools":{}}`) {
		t.Errorf("initialize: %s", answer)
	}
}

// A stream that ends while nothing runs ends the server; so does one that is
// never written to.
func TestServeEndsWithItsInput(t *testing.T) {
	if answers := serve(t, nil); len(answers) != 0 {
		t.Errorf("answers to nothing: %v", answers)
	}
	r, w := io.Pipe()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	s := &Server{Service: service.New(&config.Config{}, log, corpusfile.Empty()), Log: log}
	if err := s.Serve(context.Background(), r, io.Discard); err != nil {
		t.Error(err)
	}
}

// The list stands in the context of every conversation: it stays small, and says
// what a reader of a result needs to know.
func TestToolsListIsSmallAndSaysWhatTextIs(t *testing.T) {
	answer := serve(t, nil, initialize, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)["1"]
	if len(answer) > 9900 {
		t.Errorf("tools/list has %d bytes", len(answer))
	}
	if strings.Contains(answer, "unanswered") {
		t.Error("the description promises what no retrieval can")
	}
	for _, want := range []string{`"text":{"type":"string","description":"The passage`, `"title":{"type":"string","description":"Of the document`} {
		if !strings.Contains(answer, want) {
			t.Errorf("no %s in %s", want, answer)
		}
	}
}

// What is no id of JSON is answered under null, and nothing of it comes back.
func TestIllFormedIDsAreNotEchoed(t *testing.T) {
	for _, id := range []string{"\"\xff\"", `"\ud800"`, `"\x"`, "01", "1.", "-", `"a` + "\n"} {
		for _, line := range []string{
			`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"retrieve","arguments":{"query":"\ud800"}}}`,
			`{"jsonrpc":"2.0","id":1,"id":` + id + `,"method":"ping"}`,
		} {
			answers := serve(t, nil, line)
			if got := answers["null"]; !strings.Contains(got, `"error":{"code":-32700`) {
				t.Errorf("%q: %q", line, answers)
			}
		}
	}
}

func TestNamesThatAreMisspelt(t *testing.T) {
	call := func(params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`
	}
	for _, tt := range []struct{ name, line, want string }{
		{"a member of params", call(`{"name":"retrieve","argumnts":{"query":"a"},"arguments":{}}`), `{"code":-32602,"message":"unknown member of params \"argumnts\", did you mean \"arguments\"?"}`},
		{"a tool", call(`{"name":"retrieev","arguments":{"query":"a"}}`), `{"code":-32602,"message":"unknown tool \"retrieev\", did you mean \"retrieve\"?"}`},
		{"a tool like none", call(`{"name":"x"}`), `{"code":-32602,"message":"unknown tool \"x\""}`},
		{"a method", `{"jsonrpc":"2.0","id":1,"method":"tool/call"}`, `{"code":-32601,"message":"unknown method \"tool/call\", did you mean \"tools/call\"?"}`},
		{"what is not announced", `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, `{"code":-32601,`},
		{"nor this", `{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`, `{"code":-32601,`},
		{"nor that", `{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}`, `{"code":-32601,`},
		{"nor logging", `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}}`, `{"code":-32601,`},
		{"nor completion", `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{}}`, `{"code":-32601,`},
	} {
		for _, lines := range [][]string{{initialize, tt.line}, {tt.line}} {
			if got := serve(t, nil, lines...)["1"]; !strings.Contains(got, tt.want) {
				t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
			}
		}
	}
	// Members of other revisions concern nothing here, and are no slips.
	for _, params := range []string{`{"name":"retrieve","task":{"ttl":1}}`, `{"name":"retrieve","_meta":{},"requestState":"x"}`} {
		if got := serve(t, nil, initialize, call(params))["1"]; !strings.Contains(got, `ARGUMENT_INVALID`) {
			t.Errorf("%s: %s", params, got)
		}
	}
}

// JSON Schema's integers are numbers without a fraction, however they are spelt.
func TestIntegralNumbers(t *testing.T) {
	for spelt, want := range map[string]int64{
		"3": 3, "3.0": 3, "3e0": 3, "30e-1": 3, "0.3e1": 3, "3.000e+0": 3, "-0": 0, "-0.0": 0, "0e99": 0, "-5": -5, "1e3": 1000,
		"9007199254740991": 9007199254740991, "9007199254740991.0": 9007199254740991, "900719925474099.1e1": 9007199254740991,
	} {
		if n, ok := integral(spelt); !ok || n != want {
			t.Errorf("%s is %d, %v; want %d", spelt, n, ok, want)
		}
	}
	for _, spelt := range []string{"3.5", "3e-1", "9007199254740992", "9007199254740992.0", "1e300", "1e99999999999999999999", "9007199254740991.5", "99999999999999999999"} {
		if n, ok := integral(spelt); ok {
			t.Errorf("%s is taken as %d", spelt, n)
		}
	}
	q := abi.Default()
	if err := readArguments([]byte(`{"query":"a","recallBudget":3.0}`), &q); err != nil || q.RecallBudget != 3 {
		t.Errorf("3.0: %d, %v", q.RecallBudget, err)
	}
	if err := readArguments([]byte(`{"query":"a","recallBudget":1.5}`), &q); err == nil || err.Error() != "ARGUMENT_INVALID: recallBudget: expected an integer, found 1.5" {
		t.Errorf("1.5: %v", err)
	}
}

// A client that asks before it greets is answered; a greeting that comes later is
// answered for the revision that it asks for, once.
func TestEarlyRequestsAreAnswered(t *testing.T) {
	got := serve(t, nil,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"retrieve","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":4,"method":"initialize"}`,
		`{"jsonrpc":"2.0","id":5,"method":"ping"}`,
	)
	for id, want := range map[string]string{
		"1": `"name":"retrieve"`, "2": `ARGUMENT_INVALID: the argument \"query\" is missing`, "3": `"protocolVersion":"2025-03-26"`, "4": `-32600`, "5": `"result":{}`,
	} {
		if !strings.Contains(got[id], want) {
			t.Errorf("%s: %s, want %s", id, got[id], want)
		}
	}
	if len(got) != 5 {
		t.Errorf("%d answers: %q", len(got), got)
	}
}
