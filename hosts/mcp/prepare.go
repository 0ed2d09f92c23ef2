package mcp

import "github.com/rookhaven-project/rookhaven/wasm/abi/json"

// methods are those that this server announces, or that every server has.
var methods = []string{"initialize", "ping", "tools/list", "tools/call", "server/discover", "subscriptions/listen"}

// prepare checks and completes the parameters that the SDK is strict about, or
// has only Go's words for. A method that was not announced is not found, whatever
// the SDK has behind it.
func (m *message) prepare() *fault {
	if m.id == nil || m.method == "" {
		return nil
	}
	switch m.method {
	case "initialize":
		return m.prepareInitialize()
	case "tools/call":
		return m.prepareCall()
	}
	if !contains(methods, m.method) {
		return &fault{id: m.id, code: methodNotFound, text: "unknown method " + suggest(m.method, methods)}
	}
	if m.params == nil {
		m.params = []byte("{}")
	}
	return nil
}

// suggest quotes a name and the nearest of those that are known.
func suggest(name string, known []string) string {
	if near := json.Nearest(name, known); near != "" {
		return json.Quote(name) + ", did you mean " + json.Quote(near) + "?"
	}
	return json.Quote(name)
}

// prepareInitialize gives the SDK a complete initialize for any that names no
// wrong version: people type {"method":"initialize"} to see whether a server
// answers. Of the client nothing is needed but the version it asks for.
func (m *message) prepareInitialize() *fault {
	version := ""
	if m.params != nil {
		v, err := json.Parse(m.params)
		if err != nil {
			return &fault{id: m.id, code: invalidParams, text: err.Error()}
		}
		switch asked := v.Member("protocolVersion"); asked.Kind() {
		case json.String:
			version = asked.Text()
		case json.Invalid:
		default:
			return &fault{id: m.id, code: invalidParams, text: "protocolVersion is a string, found " + asked.Kind().String()}
		}
	}
	m.version = version
	m.params = initializeParams(version)
	return nil
}

func initializeParams(version string) []byte {
	dst := json.AppendString([]byte(`{"capabilities":{},"clientInfo":{"name":"client","version":"0"},"protocolVersion":`), version)
	return append(dst, '}')
}

// early reports whether a request comes without a handshake: neither after
// initialize nor with the version of its own that 2026-07-28 asks for.
func (m *message) early() bool {
	if m.id == nil || m.method != "tools/list" && m.method != "tools/call" {
		return false
	}
	v, err := json.Parse(m.params)
	return err == nil && v.Member("_meta").Member("io.modelcontextprotocol/protocolVersion").Kind() == json.Invalid
}

// callMembers are the params of a call that some revision of the protocol has.
// Those of tasks and of requests that ask back concern nothing here.
var callMembers = []string{"name", "arguments", "_meta", "task", "inputResponses", "requestState"}

// toolNames are the tools that there are.
var toolNames = []string{"retrieve", "replay"}

// prepareCall checks the shape of a call. What the arguments hold is the tool's
// business.
func (m *message) prepareCall() *fault {
	malformed := func(text string) *fault { return &fault{id: m.id, code: invalidParams, text: text} }
	named, tool := false, ""
	r := json.NewReader(m.params)
	if m.params == nil {
		return malformed("params are missing")
	}
	for name := range r.Object() {
		k := r.Kind()
		switch {
		case name == "name" && k != json.String:
			return malformed("the name of a tool is a string, found " + k.String())
		case name == "arguments" && k != json.Object:
			return malformed("arguments are an object, found " + k.String())
		case name == "_meta" && k != json.Object:
			return malformed("_meta is an object, found " + k.String())
		case !contains(callMembers, name):
			return malformed("unknown member of params " + suggest(name, callMembers))
		case name == "name":
			named, tool = true, r.String()
			continue
		}
		r.Skip()
	}
	switch {
	case !named:
		return malformed("the name of a tool is missing")
	case !contains(toolNames, tool):
		return malformed("unknown tool " + suggest(tool, toolNames))
	}
	return nil
}
