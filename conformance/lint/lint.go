// Package lint reads Go source for constructs through which chance could reach an
// answer: see below. It judges the packages of core, and the planted hazards
// in conformance/hazards, which it must catch.
//
// The rules:
//
//   - imports: only what core may import ([Allowed]);
//   - range over a map: its order is chance. Looking up is fine;
//   - goroutines, channels, select: their order is the scheduler's;
//   - floating point and complex numbers, as types, constants or conversions;
//   - variables of packages that a function changes: what one call leaves reaches
//     the next;
//   - addresses as numbers: unsafe.Pointer converted to uintptr;
//   - int in a shift or a constant beyond 32 bits: it has 32 bits on some machines.
package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Finding is a construct that breaks a rule.
type Finding struct {
	Position token.Position
	Rule     string
	What     string
}

func (f Finding) String() string { return fmt.Sprintf("%s: %s: %s", f.Position, f.Rule, f.What) }

// Module is the path of the product.
const Module = "github.com/rookhaven-project/rookhaven"

// Allowed are the packages of the standard library that core may import.
var Allowed = strings.Fields(`bytes cmp crypto/sha256 encoding/binary errors hash iter math/bits slices sort strings
	sync/atomic unicode/utf8 unicode/utf16`)

// inKernels are those that only a SIMD kernel may import, or a reader that shares memory.
var inKernels = []string{"unsafe", "simd/archsimd"}

// banned are functions of allowed packages whose result changes with the version
// of Unicode that Go has.
var banned = map[string]string{
	"strings.ToLower": "", "strings.ToUpper": "", "strings.ToTitle": "", "strings.EqualFold": "", "strings.Fields": "", "strings.Title": "", "strings.TrimSpace": "",
	"bytes.ToLower": "", "bytes.ToUpper": "", "bytes.ToTitle": "", "bytes.EqualFold": "", "bytes.Fields": "", "bytes.Title": "", "bytes.TrimSpace": "",
	"strings.ToValidUTF8": "", "sort.Slice": "sorts what compares equal in no order", "sort.Sort": "sorts what compares equal in no order",
}

// A Package is a type-checked package without its tests.
type Package struct {
	Path, Dir string
	Files     []*ast.File
	Fset      *token.FileSet
	Info      *types.Info
	Imports   []string
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Imports                 []string
	DepOnly                 bool
}

// Load type-checks packages as go list names them, for an environment such as
// GOARCH=wasm.
func Load(dir string, env []string, patterns ...string) ([]*Package, error) {
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Imports,DepOnly"}, patterns...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.String())
	}
	exports := map[string]string{}
	var roots []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		exports[l.ImportPath] = l.Export
		if !l.DepOnly {
			roots = append(roots, l)
		}
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, errors.New("no export data of " + path)
		}
		return os.Open(exports[path])
	})
	var list []*Package
	for _, l := range roots {
		p, err := check(fset, imports, l)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

func check(fset *token.FileSet, imports types.Importer, l listed) (*Package, error) {
	p := &Package{Path: l.ImportPath, Dir: l.Dir, Fset: fset, Imports: l.Imports, Info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
	}}
	for _, name := range l.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(l.Dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		p.Files = append(p.Files, f)
	}
	sizes := types.SizesFor("gc", "amd64")
	_, err := (&types.Config{Importer: imports, Sizes: sizes}).Check(l.ImportPath, fset, p.Files, p.Info)
	return p, err
}

// Check returns what breaks the rules in a package.
func (p *Package) Check() []Finding {
	var list []Finding
	for _, f := range p.Files {
		c := checker{p: p}
		ast.Inspect(f, c.node)
		list = append(list, c.found...)
	}
	return list
}

type checker struct {
	p     *Package
	found []Finding
}

func (c *checker) report(n ast.Node, rule, what string) {
	c.found = append(c.found, Finding{c.p.Fset.Position(n.Pos()), rule, what})
}

func (c *checker) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		c.imports(n)
	case *ast.RangeStmt:
		switch c.under(n.X).(type) {
		case *types.Map:
			c.report(n, "map order", "range over a map")
		case *types.Chan:
			c.report(n, "scheduling", "range over a channel")
		}
	case *ast.GoStmt:
		c.report(n, "scheduling", "a goroutine")
	case *ast.SelectStmt:
		c.report(n, "scheduling", "select")
	case *ast.SendStmt:
		c.report(n, "scheduling", "a channel")
	case *ast.SelectorExpr:
		c.selector(n)
	case *ast.AssignStmt:
		for _, lhs := range n.Lhs {
			c.assigned(lhs)
		}
	case *ast.IncDecStmt:
		c.assigned(n.X)
	case *ast.CallExpr:
		c.address(n)
	}
	if e, ok := n.(ast.Expr); ok {
		c.value(e)
	}
	return true
}

func (c *checker) under(e ast.Expr) types.Type {
	if t := c.p.Info.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return nil
}

func (c *checker) imports(n *ast.ImportSpec) {
	path := strings.Trim(n.Path.Value, `"`)
	switch {
	case slices.Contains(Allowed, path), slices.Contains(inKernels, path):
	case strings.HasPrefix(path, Module+"/core"), path == Module+"/wasm/abi", strings.HasPrefix(path, Module+"/wasm/abi/"):
	default:
		c.report(n, "import", path)
	}
}

func (c *checker) selector(n *ast.SelectorExpr) {
	x, ok := n.X.(*ast.Ident)
	if !ok {
		return
	}
	if pkg, ok := c.p.Info.Uses[x].(*types.PkgName); ok {
		name := pkg.Imported().Path() + "." + n.Sel.Name
		if why, ok := banned[name]; ok {
			if why == "" {
				why = "its tables change with Go's version"
			}
			c.report(n, "function", name+": "+why)
		}
	}
}

// assigned reports a change of a package's variable.
func (c *checker) assigned(lhs ast.Expr) {
	for {
		switch e := lhs.(type) {
		case *ast.SelectorExpr:
			lhs = e.X
		case *ast.IndexExpr:
			lhs = e.X
		case *ast.StarExpr:
			lhs = e.X
		case *ast.ParenExpr:
			lhs = e.X
		case *ast.Ident:
			v, ok := c.p.Info.Uses[e].(*types.Var)
			if ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
				c.report(e, "state", "the package's variable "+e.Name+" is changed")
			}
			return
		default:
			return
		}
	}
}

// address reports a pointer that becomes a number.
func (c *checker) address(n *ast.CallExpr) {
	if len(n.Args) != 1 {
		return
	}
	to, ok := c.p.Info.TypeOf(n.Fun).(*types.Basic)
	if from, is := c.under(n.Args[0]).(*types.Basic); ok && is && to.Kind() == types.Uintptr && from.Kind() == types.UnsafePointer {
		c.report(n, "address", "a pointer becomes a number")
	}
}

// value reports floating point, and ints that need more than 32 bits.
func (c *checker) value(e ast.Expr) {
	tv, ok := c.p.Info.Types[e]
	if !ok {
		return
	}
	b, ok := tv.Type.Underlying().(*types.Basic)
	if !ok {
		return
	}
	switch {
	case b.Info()&(types.IsFloat|types.IsComplex) != 0:
		c.report(e, "floating point", tv.Type.String())
	case b.Kind() == types.Int && tv.Value != nil:
		if n, exact := constant.Int64Val(constant.ToInt(tv.Value)); !exact || n != int64(int32(n)) {
			c.report(e, "int", "the constant "+tv.Value.String()+" does not fit an int of 32 bits")
		}
	}
}
