package cli

import (
	"bytes"
	stdjson "encoding/json"
	"runtime"

	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

type versionVerb struct {
	JSON bool `help:"As JSON."`
}

func (v *versionVerb) Run(r *run) error {
	_, digest, ok := artifact.Built()
	if !ok {
		digest = "none: this binary was built without an engine"
	}
	if v.JSON {
		info := struct {
			Version string `json:"version"`
			Engine  string `json:"engine,omitempty"`
			ABI     int    `json:"abi"`
			Go      string `json:"go"`
		}{r.Version, digest, abi.Version, runtime.Version()}
		if !ok {
			info.Engine = ""
		}
		return r.json(info)
	}
	r.printf("rookhaven %s", r.Version)
	r.printf("engine    %s", digest)
	r.printf("abi       %d", abi.Version)
	r.printf("built by  %s for %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// json writes a value for programs.
func (r *run) json(value any) error {
	var b bytes.Buffer
	e := stdjson.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return unwritable(err)
	}
	if _, err := r.Stdout.Write(r.shown(b.Bytes())); err != nil {
		return unwritable(err)
	}
	return nil
}

// printJSON writes JSON for programs: its exact bytes and a line end.
func (r *run) printJSON(bytes []byte) { r.printf("%s", r.shown(bytes)) }

// shown returns JSON as stdout is to get it: as it is, and where people see it, its value
// in a spelling that does not act on the terminal.
func (r *run) shown(bytes []byte) []byte {
	if isTerminal(r.Stdout) {
		return terminal.JSON(bytes)
	}
	return bytes
}
