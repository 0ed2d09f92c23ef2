package mcp

import (
	stdjson "encoding/json"
	"errors"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// The error codes of JSON-RPC 2.0.
const (
	parseError     = -32700
	invalidRequest = -32600
	methodNotFound = -32601
	invalidParams  = -32602
	internalError  = -32603
)

// A message is a request or a notification as it came.
type message struct {
	id     []byte // as it was spelt, since it is echoed; nil for a notification
	method string // "" for an answer to a request of ours
	params []byte // an object, or nil where there is none

	version string // of initialize: the revision that is asked for
	hello   bool   // it was an initialize, see [conn.greet]
}

// A fault is why a message is not passed on, and what is answered.
type fault struct {
	id   []byte // nil answers null
	code int
	text string
	tool bool // it was a call of a tool, and the text is the tool's own error
}

// parse reads one message. A request that JSON readers take apart differently
// (members twice, lone surrogates, nesting without end) is refused under its own
// id, so that its sender is not left waiting.
func parse(in []byte) (message, *fault) {
	r := json.NewReader(in)
	if k := r.Kind(); k != json.Object && k != json.Invalid {
		r.Skip()
		if err := r.End(); err != nil {
			return message{}, refuse(in, err)
		}
		return message{}, &fault{code: invalidRequest, text: "a message is an object, found " + k.String()}
	}
	e := readEnvelope(r)
	if err := r.End(); err != nil {
		return message{}, refuse(in, err)
	}
	return e.message()
}

// refuse is the fault of a line that is not JSON as we demand it.
func refuse(in []byte, err error) *fault {
	f := &fault{code: parseError, text: err.Error()}
	var e *json.Error
	if errors.As(err, &e) && e.Reason != json.BadSyntax {
		var method string
		f.id, method = glance(in)
		if f.id != nil && method == "tools/call" {
			f.tool = true
			f.text = (&abi.Error{Code: abi.JSONInvalid, Sentence: err.Error()}).Error()
		}
	}
	return f
}

// An envelope is the members of a message before they are judged.
type envelope struct {
	version, method *string
	id              []byte
	idKind          json.Kind
	params          []byte
	paramsKind      json.Kind
	answer          bool // there is a result or an error
}

func readEnvelope(r *json.Reader) envelope {
	var e envelope
	for name := range r.Object() {
		switch name {
		case "jsonrpc":
			e.version = text(r)
		case "method":
			e.method = text(r)
		case "id":
			e.idKind = r.Kind()
			e.id = r.Raw()
		case "params":
			e.paramsKind = r.Kind()
			e.params = r.Raw()
		default:
			e.answer = e.answer || name == "result" || name == "error"
			r.Skip()
		}
	}
	return e
}

// text reads a string; nil where something else stands.
func text(r *json.Reader) *string {
	if r.Kind() != json.String {
		r.Skip()
		return nil
	}
	s := r.String()
	return &s
}

func (e *envelope) message() (message, *fault) {
	m := message{id: e.id}
	switch e.idKind {
	case json.Invalid, json.String, json.Number:
	default:
		return m, &fault{code: invalidRequest, text: "an id is a string or a number, found " + e.idKind.String()}
	}
	switch {
	case e.version == nil || *e.version != "2.0":
		return m, &fault{id: e.id, code: invalidRequest, text: `the member jsonrpc is not "2.0"`}
	case e.method == nil && e.id != nil && e.answer:
		return m, nil
	case e.method == nil || *e.method == "":
		return m, &fault{id: e.id, code: invalidRequest, text: "the member method is missing, empty or no string"}
	}
	m.method = *e.method
	switch e.paramsKind {
	case json.Object:
		m.params = e.params
	case json.Invalid, json.Null: // some clients send null for nothing
	default:
		if e.id != nil {
			return m, &fault{id: e.id, code: invalidParams, text: "params are an object, found " + e.paramsKind.String()}
		}
	}
	return m, nil
}

// glance finds the id and the method of a message that the strict reader refused,
// without judging anything else. A message that is not even balanced has none.
func glance(in []byte) (id []byte, method string) {
	g := glancer{in: in}
	for depth := 0; g.next(); {
		switch g.token[0] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return nil, ""
			}
			if depth == 0 {
				return g.id, g.method
			}
		default:
			if depth == 1 {
				g.member()
			}
		}
	}
	return nil, ""
}

// A glancer goes from token to token: a string, a bracket, or what stands between
// separators.
type glancer struct {
	in, token []byte
	id        []byte
	method    string
}

func (g *glancer) next() bool {
	i := 0
	for i < len(g.in) && (g.in[i] <= ' ' || g.in[i] == ',' || g.in[i] == ':') {
		i++
	}
	g.in = g.in[i:]
	if len(g.in) == 0 {
		return false
	}
	n := 1
	switch g.in[0] {
	case '{', '}', '[', ']':
	case '"':
		for n < len(g.in) && g.in[n] != '"' {
			if g.in[n] == '\\' {
				n++
			}
			n++
		}
		if n++; n > len(g.in) {
			return false
		}
	default:
		for n < len(g.in) && g.in[n] > ' ' && g.in[n] != ',' && g.in[n] != ':' && g.in[n] != '}' && g.in[n] != ']' {
			n++
		}
	}
	g.token, g.in = g.in[:n], g.in[n:]
	return true
}

// member takes the token as the name of a member of the message.
func (g *glancer) member() {
	name := string(g.token)
	if name != `"id"` && name != `"method"` || !g.next() {
		return
	}
	value := g.token
	if name == `"id"` {
		g.id = nil // of two, the last counts
	}
	if value[0] == '{' || value[0] == '[' {
		g.in = append(value[:len(value):len(value)], g.in...) // not ours: let glance count it
		return
	}
	if name == `"id"` && isID(value) {
		g.id = value
	}
	if name == `"method"` {
		_ = stdjson.Unmarshal(value, &g.method) // what is no string is no method
	}
}

// isID reports whether a value can stand in an answer as its id: a string or a
// number that our own reader takes.
func isID(value []byte) bool {
	r := json.NewReader(value)
	k := r.Kind()
	r.Skip()
	return (k == json.String || k == json.Number) && r.End() == nil
}
