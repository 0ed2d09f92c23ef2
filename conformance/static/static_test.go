package static

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmcode"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

// How the module ships, and the flags of its linker that take its names away.
const (
	mode     = "-buildmode=c-shared -trimpath -buildvcs=false"
	strip    = "-s -w "
	settings = "-buildid= -X=runtime.godebugDefault=gcstoptheworld=1"
)

// named is the module as it ships, but with its names; shipped is stripped.
var (
	named   = sync.OnceValues(func() ([]byte, error) { return build("../..", "./wasm/module", settings) })
	shipped = sync.OnceValues(func() ([]byte, error) { return build("../..", "./wasm/module", strip+settings) })
)

func build(folder, program, linker string) ([]byte, error) {
	temp, err := os.MkdirTemp("", "static")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	out := filepath.Join(temp, "module.wasm")
	c := exec.Command("go", slices.Concat([]string{"build"}, strings.Fields(mode), []string{"-ldflags=" + linker, "-o", out, program})...)
	c.Dir = folder
	c.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOEXPERIMENT=simd", "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	if said, err := c.CombinedOutput(); err != nil {
		return nil, &buildError{err, string(said)}
	}
	return os.ReadFile(out)
}

type buildError struct {
	err  error
	said string
}

func (e *buildError) Error() string { return "go build: " + e.err.Error() + "\n" + e.said }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a module")
	}
}

// TestCore holds the promise Integer: no function of core handles floating point,
// and none calls a package whose results change.
func TestCore(t *testing.T) {
	slow(t)
	wasm, err := named()
	must(t, err)
	r, err := Inspect(wasm, Core)
	must(t, err)
	for _, f := range r.Findings {
		t.Error(f)
	}
	// Fewer would mean that the names are no longer read as they are written.
	if len(r.Functions) <= 200 {
		t.Errorf("only %d functions of core were found", len(r.Functions))
	}
	for _, pkg := range strings.Fields("audit budget cosine decompose internal/ucd rank retrieve text") {
		prefix := Symbol(Core + pkg + ".")
		if !slices.ContainsFunc(r.Functions, func(name string) bool { return strings.HasPrefix(name, prefix) }) {
			t.Errorf("no function of core/%s was found", pkg)
		}
	}
	t.Logf("%d functions with %d instructions; calls by package: %v", len(r.Functions), r.Instructions, r.Calls)
}

// What is inspected is what ships: it is built by the command of the Makefile, but
// for the flags that take the names away, and these change no code.
func TestInspectedCodeShips(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	must(t, err)
	for _, want := range []string{"GOOS=wasip1 GOARCH=wasm GOEXPERIMENT=simd CGO_ENABLED=0 go build " + mode + " ", "-ldflags='" + strip + settings + "'"} {
		if !bytes.Contains(makefile, []byte(want)) {
			t.Errorf("the Makefile builds the module in another way than %s", want)
		}
	}
	slow(t)
	inspected, err := named()
	must(t, err)
	stripped, err := shipped()
	must(t, err)
	if !bytes.Equal(code(t, inspected), code(t, stripped)) {
		t.Error("stripping changes the code")
	}
	if _, err := Inspect(stripped, Core); err == nil {
		t.Error("a module without names was inspected instead of refused")
	}
}

// code returns the code section.
func code(t *testing.T, wasm []byte) []byte {
	t.Helper()
	const section = 10
	f, err := wasmfile.Parse(wasm)
	must(t, err)
	i := slices.IndexFunc(f.Sections, func(s wasmfile.Section) bool { return s.ID == section })
	return wasm[f.Sections[i].From:f.Sections[i].To]
}

// Every function of the module decodes to its last byte, Go's own with their
// floating point too, and no instruction is relaxed or of threads, exceptions or
// tail calls, whose results or presence differ between engines.
func TestWholeModule(t *testing.T) {
	slow(t)
	wasm, err := named()
	must(t, err)
	f, err := wasmfile.Parse(wasm)
	must(t, err)
	floats := 0
	for i, body := range f.Bodies {
		err := wasmcode.Decode(body, func(wasmfile.Type) {}, func(in wasmcode.Instruction) {
			if in.Op.Float() {
				floats++
			}
			if !in.Op.Portable() {
				t.Errorf("function %d has the instruction %s", i, in.Op)
			}
		})
		if err != nil {
			t.Errorf("function %d: %v", i, err)
		}
	}
	if floats == 0 {
		t.Error("Go's own runtime has floating point, and none was found")
	}
	t.Logf("%d functions, %d instructions of floating point outside core", len(f.Bodies), floats)
}

// plantedTests are the functions of testdata/planted, which stand in a core of their
// own, with what must be found in each; nothing where that is "".
var plantedTests = []struct{ name, function, want string }{
	{"a product", "product", "the instruction f64.mul"},
	{"a narrow sum", "narrow", "the instruction f32.add"},
	{"a value that is only passed on", "passed", "the instruction f64."},
	{"a conversion", "converted", "the instruction i64.trunc_sat_f64_s"},
	{"the bits of a number", "bitsOf", "the instruction f64.mul"},
	{"a square root", "root", "the instruction f64.sqrt"},
	{"a vector", "lanes", "the instruction f32x4.mul"},
	{"a named type", "weighed", "the instruction f64."},
	{"a closure", "closure.func1", "the instruction f64."},
	{"a method", "__scale_.By", "the instruction f64."},
	{"a function of another package, inlined", "inlined", "the instruction f64."},
	{"a generic function of its own", "twice_go.shape.float64_", "the instruction f64.add"},
	{"what compares its types", "sorted.func1", "the instruction f64."},
	{"a call of strconv", "itoa", "a call of internal_strconv."},
	{"a call of fmt", "print", "a call of fmt."},
	{"a call of math", "exp", "a call of math."},
	{"a call of encoding/json", "marshal", "a call of encoding_json"},
	{"a call of unicode", "letter", "a call of unicode."},
	{"a call of strings.ToLower", "lower", "a call of strings.ToLower"},
	{"a call of time", "clock", "a call of time."},
	{"a call of math/rand", "dice", "a call of math_rand_v2."},
	{"a range over a map", "ranged", "a call of runtime.mapIterStart"},
	{"a goroutine", "parallel", "a call of runtime.newproc"},
	{"a select", "selected", "a call of runtime.selectgo"},

	{"math/bits is allowed", "leading", ""},
	{"unicode/utf8 is allowed", "decode", ""},
	{"looking up in a map is allowed", "lookup", ""},
	{"constants are exact", "constant", ""},
	{"sorting integers is allowed", "ordered", ""},
	{"SHA-256 is allowed", "hash", ""},
}

// TestPlanted shows that the check of TestCore finds what is planted and nothing else.
func TestPlanted(t *testing.T) {
	slow(t)
	wasm, err := build("testdata/planted", "./program", settings)
	must(t, err)
	r, err := Inspect(wasm, Core)
	must(t, err)
	found := func(function, want string) bool {
		return slices.ContainsFunc(r.Findings, func(f Finding) bool {
			return f.Function == Symbol(Core+"planted.")+function && strings.HasPrefix(f.What, want)
		})
	}
	for _, tt := range plantedTests {
		if !slices.ContainsFunc(r.Functions, func(f string) bool { return f == Symbol(Core+"planted.")+tt.function }) {
			t.Errorf("%s: there is no function %s", tt.name, tt.function)
		}
		if got := found(tt.function, tt.want); got != (tt.want != "") {
			t.Errorf("%s: found %v: %q", tt.name, got, tt.want)
		}
	}
	// Generic functions of other packages that core calls, or that were made for its types.
	for _, want := range []string{
		"slices.pdqsortOrdered_go.shape.float64_ has the instruction f64.",
		"type_.eq.",
	} {
		if !slices.ContainsFunc(r.Findings, func(f Finding) bool { return strings.HasPrefix(f.String(), want) }) {
			t.Errorf("nothing found of %s", want)
		}
	}
	// Nothing of the package beside core, whose floating point is its own business.
	for _, f := range r.Findings {
		if strings.Contains(f.Function, "rookhaven_beside") {
			t.Errorf("found outside core: %s", f)
		}
	}
	t.Logf("%d findings in %d functions", len(r.Findings), len(r.Functions))
}
