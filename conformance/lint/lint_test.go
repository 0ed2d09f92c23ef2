package lint_test

import (
	"testing"

	"github.com/rookhaven-project/rookhaven/conformance/adapters"
	"github.com/rookhaven-project/rookhaven/conformance/lint"
)

// Core holds no construct through which chance could reach an answer, natively and
// as it is compiled for the module.
func TestCore(t *testing.T) {
	root, err := adapters.Root()
	if err != nil {
		t.Fatal(err)
	}
	for _, env := range [][]string{nil, {"GOOS=wasip1", "GOARCH=wasm", "GOEXPERIMENT=simd"}} {
		list, err := lint.Load(root, env, "./core/...")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			if p.Path == lint.Module+"/core/internal/ucd/gen" {
				continue // writes the tables, once; no part of the engine
			}
			for _, f := range p.Check() {
				t.Error(f)
			}
		}
	}
}
