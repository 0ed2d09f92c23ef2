package hazards_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rookhaven-project/rookhaven/conformance/adapters"
	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/conformance/hazards"
	"github.com/rookhaven-project/rookhaven/conformance/hazards/planted"
	"github.com/rookhaven-project/rookhaven/conformance/hostile"
	"github.com/rookhaven-project/rookhaven/conformance/lint"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

// by says for each hazard what must catch it; others may, too. Where one of these
// needs a runtime that is absent, another one of them will do.
var by = map[string][]string{
	"map order":       {"D3", "D7"},
	"select":          {"D3", "D7"},
	"the clock":       {"D3", "D7"},
	"goroutines":      {"D7"}, // dynamically it is a matter of luck
	"unstable sort":   {"D4", "D7"},
	"storage order":   {"D4"},
	"float to int":    {"D1", "D7"},
	"bits of NaN":     {"D1c arm64", "D7"},
	"math.Exp":        {"D1", "D7"},
	"fused product":   {"D1c arm64", "D7"},
	"int of 32 bits":  {"D1c 386"},
	"recursion":       {"D1b"},
	"processor":       {"D1", "D7"},
	"environment":     {"D3", "D7"},
	"arguments":       {"D3", "D7"},
	"random numbers":  {"D3", "D7"},
	"hash seed":       {"D3", "D7"},
	"address":         {"D1", "D7"},
	"kept state":      {"D3", "D7"},
	"collections":     {"D1", "D7"},
	"pooled memory":   {"D3", "D7"},
	"std case tables": {"D7"},
	"std JSON":        {"D7"},
}

// words are asked about, here and in another order.
var words = []string{"crane", "tides", "berth", "fogs", "buoys", "seal", "wreck", "quay", "brake", "lamp", "pilot", "rope", "hulls"}

// Each planted hazard is caught, and by the means that are there for it.
func TestPlantedHazardsAreCaught(t *testing.T) {
	env := plantedEnv(t)
	caught := map[string][]string{}
	absent := map[string]bool{}
	for _, d := range detectors {
		found, err := d.run(env)
		switch {
		case adapters.IsAbsent(err) && !adapters.Required():
			absent[d.name] = true
			t.Logf("%s: %v", d.name, err)
		case err != nil:
			t.Fatalf("%s: %v", d.name, err)
		}
		for _, name := range found {
			caught[name] = append(caught[name], d.name)
		}
	}
	for _, h := range planted.All() {
		got := caught[h.Name]
		t.Logf("%-16s caught by %s", h.Name, strings.Join(got, ", "))
		if len(got) == 0 && !slices.ContainsFunc(by[h.Name], func(d string) bool { return absent[d] }) {
			t.Errorf("%s: nothing caught it", h.Name)
		}
		if len(by[h.Name]) == 0 {
			t.Errorf("%s: it is not said what must catch it", h.Name)
		}
		for _, d := range by[h.Name] {
			if !slices.Contains(got, d) && !absent[d] {
				t.Errorf("%s: %s did not catch it", h.Name, d)
			}
		}
	}
}

// A detector is a means of the suite; run returns the hazards that it catches.
type detector struct {
	name string
	run  func(*adapters.Env) ([]string, error)
}

var detectors = []detector{
	{"D1", against("wazero compiler", "Node")},
	{"D1b", against("wazero interpreter")},
	{"D1c 386", against("native 386")},
	{"D1c arm64", against("native arm64")},
	{"D3", worlds},
	{"D4", order},
	{"D7", source},
}

// against compares runtimes with native Go. Node is optional.
func against(names ...string) func(*adapters.Env) ([]string, error) {
	return func(env *adapters.Env) ([]string, error) {
		var found []string
		for i, name := range names {
			results, err := ask(env, name, 1)
			if i > 0 && adapters.IsAbsent(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			for k, h := range planted.All() {
				c := hazards.Ask(h.Name, words...)
				want, _ := call.Run(hazards.Native(), c)
				if call.Sum(c, want) != results[k] {
					found = append(found, h.Name)
				}
			}
		}
		slices.Sort(found)
		return slices.Compact(found), nil
	}
}

// ask runs each hazard so many times in a runtime and returns the digests.
func ask(env *adapters.Env, name string, times int) ([]call.Digest, error) {
	a, err := adapters.Find(name)
	if err != nil {
		return nil, err
	}
	s, err := a.Start(context.Background(), env)
	if err != nil {
		return nil, err
	}
	var cases []call.Case
	for _, h := range planted.All() {
		for range times {
			cases = append(cases, hazards.Ask(h.Name, slices.Clone(words)...))
		}
	}
	var sums []call.Digest
	err = s.Run(cases, func(i int, results []call.Result) error {
		sums = append(sums, call.Sum(cases[i], results))
		return nil
	})
	if e := s.Close(); err == nil {
		err = e
	}
	return sums, err
}

// worlds asks each hazard in every profile of the hostile host and in one more
// round, so that each instance is also used a second time.
func worlds(env *adapters.Env) ([]string, error) {
	n := len(hostile.Profiles())
	sums, err := ask(env, "wazero compiler hostile", 2*n)
	if err != nil {
		return nil, err
	}
	var found []string
	for k, h := range planted.All() {
		for _, sum := range sums[2*n*k : 2*n*(k+1)] {
			if sum != sums[2*n*k] {
				found = append(found, h.Name)
				break
			}
		}
	}
	return found, nil
}

// order asks natively about the same words in another order.
func order(*adapters.Env) ([]string, error) {
	var found []string
	for _, h := range planted.All() {
		turned := slices.Clone(words)
		slices.Reverse(turned)
		a, _ := call.Run(hazards.Native(), hazards.Ask(h.Name, words...))
		b, _ := call.Run(hazards.Native(), hazards.Ask(h.Name, turned...))
		if string(a[0].Output) != string(b[0].Output) {
			found = append(found, h.Name)
		}
	}
	return found, nil
}

// source reads the planted files with the lint of core. Every package of them must
// be one that it would refuse or accept by itself, so imports for printing do not
// count.
func source(env *adapters.Env) ([]string, error) {
	list, err := lint.Load(env.Root, nil, "./conformance/hazards/planted")
	if err != nil {
		return nil, err
	}
	files := map[string]bool{}
	for _, f := range list[0].Check() {
		if f.Rule == "import" && f.What == "strconv" {
			continue
		}
		files[filepath.Base(f.Position.Filename)] = true
	}
	var found []string
	for _, h := range planted.All() {
		if files[h.File] {
			found = append(found, h.Name)
		}
	}
	return found, nil
}

var builtModule = sync.OnceValues(func() ([]byte, error) {
	root, err := adapters.Root()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "hazards-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "hazards.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-ldflags=-s -w", "-o", path, "./conformance/hazards/module")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, &buildError{err, out}
	}
	wasm, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return wasmfile.WithMemory(wasm, wasmfile.Limits{Min: artifact.MemoryMin, Max: artifact.MemoryMax, Bounded: true})
})

type buildError struct {
	err error
	out []byte
}

func (b *buildError) Error() string { return b.err.Error() + "\n" + string(b.out) }

// plantedEnv is where adapters find the planted module instead of the engine.
func plantedEnv(t *testing.T) *adapters.Env {
	t.Helper()
	wasm, err := builtModule()
	if err != nil {
		t.Fatal(err)
	}
	root, err := adapters.Root()
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	if err := os.Chmod(cache, 0o700); err != nil {
		t.Fatal(err)
	}
	env := &adapters.Env{Root: root, Cache: cache, Wasm: wasm, Engine: filepath.Join(cache, "hazards.wasm"), Native: "./conformance/hazards/native"}
	if err := os.WriteFile(env.Engine, wasm, 0o644); err != nil {
		t.Fatal(err)
	}
	return env
}
