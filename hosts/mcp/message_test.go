package mcp

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

var parseTests = []struct {
	name, in   string
	id, method string // where it is passed on
	code       int    // else
	faultID    string
	tool       bool
}{
	{"a request", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "1", "ping", 0, "", false},
	{"an id keeps its spelling", `{"jsonrpc":"2.0","id":1.50e0,"method":"ping"}`, "1.50e0", "ping", 0, "", false},
	{"a wide id", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, "9007199254740993", "ping", 0, "", false},
	{"a string as id", `{"jsonrpc":"2.0","id":"\u0061","method":"ping"}`, `"\u0061"`, "ping", 0, "", false},
	{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", "notifications/initialized", 0, "", false},
	{"params are null", `{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, "1", "ping", 0, "", false},
	{"an answer to nothing", `{"jsonrpc":"2.0","id":1,"result":{}}`, "1", "", 0, "", false},
	{"unknown members are passed over", `{"jsonrpc":"2.0","id":1,"method":"ping","x":[]}`, "1", "ping", 0, "", false},
	{"no JSON", `hello`, "", "", parseError, "", false},
	{"half a line", `{"jsonrpc":"2.0","id":1,`, "", "", parseError, "", false},
	{"NUL", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\x00\"}", "", "", parseError, "", false},
	{"a number", `1`, "", "", invalidRequest, "", false},
	{"an id of another type", `{"jsonrpc":"2.0","id":[],"method":"ping"}`, "", "", invalidRequest, "", false},
	{"an id of null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "", "", invalidRequest, "", false},
	{"another version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "", "", invalidRequest, "1", false},
	{"no version", `{"id":1,"method":"ping"}`, "", "", invalidRequest, "1", false},
	{"no method", `{"jsonrpc":"2.0","id":1}`, "", "", invalidRequest, "1", false},
	{"a method of another type", `{"jsonrpc":"2.0","id":1,"method":2}`, "", "", invalidRequest, "1", false},
	{"params in an array", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`, "", "", invalidParams, "1", false},
	{"an id twice", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, "", "", parseError, "2", false},
	{"a lone surrogate in a call", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"retrieve","arguments":{"query":"\ud800"}}}`, "", "", parseError, "7", true},
	{"a member twice in a call", `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"retrieve","arguments":{"query":"a","query":"b"}}}`, "", "", parseError, `"x"`, true},
	{"nesting without end in a call", `{"jsonrpc":"2.0","method":"tools/call","params":{"arguments":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `},"id":8}`, "", "", parseError, "8", true},
	{"nesting without end, open", strings.Repeat(`{"a":`, 10_000), "", "", parseError, "", false},
	{"ill-formed UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"\xff\"}", "", "", parseError, "3", false},
}

func TestParse(t *testing.T) {
	for _, tt := range parseTests {
		m, f := parse([]byte(tt.in))
		switch {
		case tt.code == 0 && (f != nil || string(m.id) != tt.id || m.method != tt.method):
			t.Errorf("%s: %s %q, %+v", tt.name, m.id, m.method, f)
		case tt.code != 0 && (f == nil || f.code != tt.code || string(f.id) != tt.faultID || f.tool != tt.tool):
			t.Errorf("%s: %+v", tt.name, f)
		}
	}
}

func TestReadLine(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	r := bufio.NewReader(strings.NewReader("a\n" + long + "\n" + long + "x\nb"))
	for _, want := range []struct {
		size int
		long bool
	}{{2, false}, {maxLine + 1, false}, {0, true}, {1, false}} {
		l, _ := readLine(r)
		if len(l.text) != want.size || l.long != want.long {
			t.Errorf("a line of %d bytes, long %t; want %+v", len(l.text), l.long, want)
		}
	}
}

// No line crashes the reader, each is passed on or answered, and each answer is
// one line of JSON.
func FuzzLine(f *testing.F) {
	for _, tt := range parseTests {
		f.Add([]byte(tt.in))
	}
	f.Add([]byte(`[{"jsonrpc":"2.0","id":1,"method":"ping"},1]`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		m, fault := parse(in)
		if fault == nil {
			fault = m.prepare()
		}
		if fault == nil {
			if m.id != nil && m.method == "initialize" && m.params == nil {
				t.Error("initialize is not completed")
			}
			return
		}
		answer := fault.answer()
		if _, err := json.Parse(answer); err != nil && fault.id == nil || bytes.ContainsAny(answer, "\n\r") {
			t.Errorf("%q is answered %q: %v", in, answer, err)
		}
	})
}
