package mcp

import "github.com/rookhaven-project/rookhaven/wasm/abi/json"

// prepare checks and completes the parameters that the SDK is strict about, or
// has only Go's words for.
func (m *message) prepare() *fault {
	if m.id == nil {
		return nil
	}
	switch m.method {
	case "initialize":
		return m.prepareInitialize()
	case "tools/call":
		return m.prepareCall()
	}
	if m.params == nil {
		m.params = []byte("{}")
	}
	return nil
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
	dst := json.AppendString([]byte(`{"capabilities":{},"clientInfo":{"name":"client","version":"0"},"protocolVersion":`), version)
	m.params = append(dst, '}')
	return nil
}

// prepareCall checks the shape of a call. What the arguments hold is the tool's
// business.
func (m *message) prepareCall() *fault {
	malformed := func(text string) *fault { return &fault{id: m.id, code: invalidParams, text: text} }
	named := false
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
		}
		named = named || name == "name"
		r.Skip()
	}
	if !named {
		return malformed("the name of a tool is missing")
	}
	return nil
}
