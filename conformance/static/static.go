// Package static reads the code of a module that Go compiled, and finds in some of
// its functions what could make their results differ between machines, versions or
// runs: instructions of floating point, calls of packages whose results change, and
// what the compiler makes of a range over a map, a goroutine, a channel or a select.
//
// It looks at what the compiler made, after inlining, so that nothing hides behind
// a name for a type, a generic function or a function of another package: see
// TestPlanted. What it cannot see is a function that is only passed as a value,
// such as unicode.IsLetter to strings.FieldsFunc. The rule about imports is for
// that: see conformance/repo.
//
// The linker writes the names of functions into the name section of a module that
// is not stripped, with "_" for every character but letters, digits, "_" and ".".
// The method Do of *T in example.com/a-b/c is "example.com_a_b_c.__T_.Do", an instance
// of slices.Max is "slices.Max_go.shape.__int_go.shape.int_", a comparison that the
// compiler made is "type_.eq." and a code for the memory that it compares. Of a
// function in the standard library, the part before the first "." is the package.
package static

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmcode"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

// Core is the folder whose functions must be free of findings.
const Core = "github.com/rookhaven-project/rookhaven/core/"

// A Finding is an instruction, a value or a call that a function must not have.
type Finding struct{ Function, What string }

func (f Finding) String() string { return f.Function + " has " + f.What }

// A Report says what an inspection read and found. Functions are the names of all
// that were inspected; Calls counts the direct calls in them by the package called.
type Report struct {
	Functions    []string
	Instructions int
	Calls        map[string]int
	Findings     []Finding
}

// Inspect reads the functions of a module that belong to the packages in a folder,
// given by its import path with a "/" at the end. These are the functions and
// methods of those packages, their closures and wrappers, generic functions of
// others that were made for their types, and the generic functions and comparisons
// that all these call.
func Inspect(wasm []byte, folder string) (Report, error) {
	f, err := wasmfile.Parse(wasm)
	if err != nil {
		return Report{}, err
	}
	if len(f.Names) == 0 {
		return Report{}, fmt.Errorf("the module has no names: it was stripped")
	}
	x := &inspection{file: f, seen: map[uint32]bool{}, report: Report{Calls: map[string]int{}}}
	for _, im := range f.Imports {
		if im.Kind == wasmfile.Func {
			x.imports++
		}
	}
	prefix := Symbol(folder)
	for i := range f.Bodies {
		if index := x.imports + uint32(i); strings.Contains(f.Names[index], prefix) {
			x.add(index)
		}
	}
	for len(x.work) > 0 && err == nil {
		index := x.work[0]
		x.work = x.work[1:]
		err = x.function(index)
	}
	slices.SortFunc(x.report.Findings, func(a, b Finding) int { return strings.Compare(a.String(), b.String()) })
	x.report.Findings = slices.Compact(x.report.Findings)
	slices.Sort(x.report.Functions)
	return x.report, err
}

var notInName = regexp.MustCompile(`[^\w.]`)

// Symbol returns how the linker writes a name.
func Symbol(name string) string { return notInName.ReplaceAllString(name, "_") }

// An inspection is what Inspect knows so far.
type inspection struct {
	file    *wasmfile.File
	imports uint32 // functions that are imported: they come first
	seen    map[uint32]bool
	work    []uint32
	report  Report
}

func (x *inspection) add(index uint32) {
	if !x.seen[index] {
		x.seen[index] = true
		x.work = append(x.work, index)
	}
}

func (x *inspection) function(index uint32) error {
	name := x.file.Names[index]
	x.report.Functions = append(x.report.Functions, name)
	find := func(what string) { x.report.Findings = append(x.report.Findings, Finding{name, what}) }
	err := wasmcode.Decode(x.file.Bodies[index-x.imports], func(t wasmfile.Type) {
		if t == wasmfile.F32 || t == wasmfile.F64 {
			find("a value of type " + t.String())
		}
	}, func(i wasmcode.Instruction) {
		x.report.Instructions++
		if i.Op.Float() {
			find("the instruction " + i.Op.String())
		}
		if i.HasCallee {
			x.call(i.Callee, find)
		}
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (x *inspection) call(callee uint32, find func(string)) {
	if callee < x.imports {
		find("a call of an import of the module")
		return
	}
	name := x.file.Names[callee]
	pkg, _, _ := strings.Cut(name, ".")
	x.report.Calls[pkg]++
	if Refused(name) {
		find("a call of " + name)
	}
	if strings.Contains(name, "go.shape.") || strings.HasPrefix(name, "type_.") {
		x.add(callee)
	}
}

// refusedPackages are those whose results change with the version of Go, the
// processor, the time, the scheduler or chance, and those behind them: the compiler
// inlines strconv.Itoa into a call of internal/strconv.
var refusedPackages = symbols("strconv", "internal/strconv", "fmt", "internal/fmtsort", "math", "math/big", "math/cmplx",
	"math/rand", "math/rand/v2", "encoding/json", "encoding/json/v2", "encoding/json/jsontext", "unicode", "time", "os",
	"syscall", "io", "reflect", "regexp", "maps", "sync", "context", "log", "hash/maphash", "crypto/rand", "runtime/debug")

// refusedFunctions are those of packages that are otherwise welcome: the ones that
// read Go's own Unicode tables, and what a range over a map, a goroutine, a channel
// and a select are compiled to. Not runtime.rand: a map on the stack calls it, and
// looking up in one is fine.
var refusedFunctions = slices.Concat(
	in("strings", "EqualFold Fields Title ToLower ToTitle ToUpper ToLowerSpecial ToTitleSpecial ToUpperSpecial TrimSpace"),
	in("bytes", "EqualFold Fields Title ToLower ToTitle ToUpper ToLowerSpecial ToTitleSpecial ToUpperSpecial TrimSpace"),
	in("runtime", `mapIterStart mapIterNext newproc selectgo selectnbsend selectnbrecv block makechan closechan
		chansend1 chanrecv1 chanrecv2 nanotime walltime`),
)

func symbols(packages ...string) []string {
	for i, p := range packages {
		packages[i] = Symbol(p)
	}
	return packages
}

func in(pkg, functions string) (names []string) {
	for _, f := range strings.Fields(functions) {
		names = append(names, pkg+"."+f)
	}
	return names
}

// Refused reports whether core may not call the function with a name of the linker.
func Refused(symbol string) bool {
	pkg, _, _ := strings.Cut(symbol, ".")
	return slices.Contains(refusedPackages, pkg) || slices.Contains(refusedFunctions, symbol)
}
