package cli

import (
	stdjson "encoding/json"
	"runtime"

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
	e := stdjson.NewEncoder(r.Stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return unwritable(err)
	}
	return nil
}
