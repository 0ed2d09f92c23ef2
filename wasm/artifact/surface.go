package artifact

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

// The memory of an engine in pages. The maximum is 1 GiB: enough for a shard, and
// little enough that several fit into a machine and one into a browser's tab. The
// minimum is more than Go's linker asks for, so that surface.txt does not change
// with every table.
const (
	MemoryMin = 256
	MemoryMax = 16384
)

//go:embed surface.txt
var surface string

//go:embed imports.txt
var importable string

// Surface describes what a module imports and exports, and its memory: one per
// line, sorted, each once.
func Surface(f *wasmfile.File) string {
	lines := append(imports(f), exports(f)...)
	lines = append(lines, memory(f))
	return strings.Join(lines, "\n") + "\n"
}

func imports(f *wasmfile.File) []string {
	var lines []string
	for _, im := range f.Imports {
		line := fmt.Sprintf("import %s %s %s", im.Module, im.Name, im.Kind)
		if im.Kind == wasmfile.Func {
			line += " " + im.Signature.String()
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func exports(f *wasmfile.File) []string {
	var lines []string
	for _, e := range f.Exports {
		line := fmt.Sprintf("export %s %s", e.Name, e.Kind)
		if e.Kind == wasmfile.Func {
			line += " " + e.Signature.String()
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

func memory(f *wasmfile.File) string {
	if !f.Memory.Bounded {
		return fmt.Sprintf("memory %d unbounded", f.Memory.Min)
	}
	return fmt.Sprintf("memory %d %d", f.Memory.Min, f.Memory.Max)
}

// Differences compares the surface of a module with the committed one. It
// returns one line for each difference: "+" for what only the module has, "-" for
// what only surface.txt has.
func Differences(f *wasmfile.File) []string { return differences(Surface(f), surface) }

func differences(got, want string) []string {
	have, wanted := lines(got), lines(want)
	var diff []string
	for _, line := range have {
		if !slices.Contains(wanted, line) {
			diff = append(diff, "+ "+line)
		}
	}
	for _, line := range wanted {
		if !slices.Contains(have, line) {
			diff = append(diff, "- "+line)
		}
	}
	return diff
}

func lines(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(s string) bool { return s == "" })
}

// required are the exports without which a host cannot call an engine.
var required = []string{
	"export _initialize func () -> ()",
	"export bulk_alloc func (i32) -> (i32)",
	"export bulk_call func (i32 i32 i32) -> (i64)",
	"export bulk_release func (i32) -> ()",
	"export memory memory",
	"export stop_word func () -> (i32)",
}

// Check tells whether a file is fit to be run as an engine, before anything of it
// is compiled: its digest is the given one ("" where it has no name yet), it
// imports only what a sealed host gives (imports.txt), offers the bulk plane, has
// a memory of at most 1 GiB and starts nothing by itself. The error is
// ENGINE_REFUSED.
func Check(wasm []byte, digest string) error {
	if got := Digest(wasm); digest != "" && got != digest {
		return refuse("its digest is %s, not %s", got, digest)
	}
	f, err := wasmfile.Parse(wasm)
	if err != nil {
		return refuse("%s", err.Error())
	}
	if f.Starts {
		return refuse("it has a start function")
	}
	allowed := lines(importable)
	for _, line := range imports(f) {
		if !slices.Contains(allowed, line) {
			return refuse("it has the %s, which no host gives", line)
		}
	}
	offered := exports(f)
	for _, line := range required {
		if !slices.Contains(offered, line) {
			return refuse("it lacks the %s", line)
		}
	}
	if !f.Memory.Bounded || f.Memory.Max > MemoryMax {
		return refuse("its %s is not bounded by %d pages", memory(f), MemoryMax)
	}
	return nil
}

func refuse(format string, args ...any) error {
	return &abi.Error{Code: abi.EngineRefused, Sentence: "the engine is refused: " + fmt.Sprintf(format, args...)}
}
