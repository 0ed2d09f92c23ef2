// Package repo tests what must hold of this repository as a whole: which way
// imports point, what its documents say of its code, and what no file may hold.
package repo

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

const (
	root   = "../.."
	module = "github.com/rookhaven-project/rookhaven/"
)

// A pkg is a package as go list tells it.
type pkg struct {
	ImportPath, Dir           string
	Imports                   []string
	TestImports, XTestImports []string
}

// packages lists the packages of the module for a target.
func packages(t *testing.T, env ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json", "./...")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

// What core may import of the standard library, and why not more: see core/README.md.
var coreStandard = strings.Fields("bytes cmp crypto/sha256 encoding/binary errors hash iter math/bits slices sort strings sync/atomic unicode/utf8 unicode/utf16 unsafe simd/archsimd")

func TestImportsPointOneWay(t *testing.T) {
	for _, env := range [][]string{nil, {"GOOS=wasip1", "GOARCH=wasm", "GOEXPERIMENT=simd"}} {
		for _, p := range packages(t, env...) {
			from := strings.TrimPrefix(p.ImportPath, module)
			for _, to := range p.Imports {
				if why := refused(from, to); why != "" {
					t.Errorf("%s imports %s: %s", from, to, why)
				}
			}
			for _, to := range slices.Concat(p.TestImports, p.XTestImports) {
				if strings.HasPrefix(to, module+"conformance") && !strings.HasPrefix(from, "conformance") {
					t.Errorf("a test of %s imports %s: nobody imports conformance", from, to)
				}
			}
		}
	}
}

// refused says why a package may not import another, or nothing.
func refused(from, to string) string {
	own, inside := strings.CutPrefix(to, module)
	top := func(s string) string { first, _, _ := strings.Cut(s, "/"); return first }
	switch {
	case inside && top(own) == "conformance" && top(from) != "conformance":
		return "nobody imports conformance"
	case top(from) == "core" && inside && top(own) != "core" && own != "wasm/abi" && !strings.HasPrefix(own, "wasm/abi/"):
		return "core imports core and wasm/abi only"
	case top(from) == "core" && !inside && !slices.Contains(coreStandard, to) && !strings.HasPrefix(from, "core/internal/ucd/gen"):
		return "core imports a small part of the standard library only"
	case strings.HasPrefix(from, "wasm/abi") && inside && !strings.HasPrefix(own, "wasm/abi"):
		return "wasm/abi imports nothing of the project"
	case strings.HasPrefix(from, "wasm/abi") && !inside && (strings.Contains(to, ".") || to == "encoding/json"):
		return "wasm/abi imports the standard library only, and never encoding/json"
	case from == "wasm/module" && inside && top(own) == "core" && own != "core/retrieve":
		return "the module imports core/retrieve only"
	case top(from) == "hosts" && inside && top(own) == "core" && from != "hosts/runner/native":
		return "hosts run the module and never import core"
	}
	return ""
}

// tracked returns the files of the repository that git knows, with their content.
func tracked(t *testing.T) map[string][]byte {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skip("no git work tree: what is tracked cannot be told")
	}
	files := map[string][]byte{}
	for _, name := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		content, err := os.ReadFile(filepath.Join(root, name))
		if err == nil {
			files[name] = content
		}
	}
	return files
}

// No file holds a path of somebody's machine or the address of a registry.
func TestFilesSpeakOfTheProjectAlone(t *testing.T) {
	forbidden := regexp.MustCompile(`/work/|/root/|/home/user/|proxy\.golang\.org|registry\.npmjs\.org|files\.pythonhosted\.org|deb\.debian\.org`)
	for name, content := range tracked(t) {
		if strings.HasPrefix(name, "conformance/repo/") || bytes.IndexByte(content, 0) >= 0 {
			continue
		}
		if found := forbidden.Find(content); found != nil {
			t.Errorf("%s holds %q", name, found)
		}
	}
}

func TestTopLevelStaysAsItIs(t *testing.T) {
	want := strings.Fields("LICENSE Makefile README.md conformance core go.mod go.sum hosts js wasm")
	seen := map[string]bool{}
	for name := range tracked(t) {
		first, _, _ := strings.Cut(name, "/")
		if !strings.HasPrefix(first, ".") {
			seen[first] = true
		}
	}
	for name := range seen {
		if !slices.Contains(want, name) {
			t.Errorf("%s stands at the top", name)
		}
	}
	for _, name := range want {
		if !seen[name] {
			t.Errorf("%s is missing at the top", name)
		}
	}
}

// Every top folder says what it is, and notes what users can see change.
func TestFoldersHaveTheirDocuments(t *testing.T) {
	files := tracked(t)
	for _, top := range strings.Fields("core wasm hosts js conformance") {
		if len(files[top+"/README.md"]) == 0 {
			t.Errorf("%s has no README.md", top)
		}
		changes := 0
		for name := range files {
			if strings.HasPrefix(name, top+"/changes/") {
				changes++
			}
		}
		if changes == 0 {
			t.Errorf("%s has nothing in changes/", top)
		}
	}
}

// Links between documents lead somewhere.
func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	for name, content := range tracked(t) {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		for _, m := range link.FindAllSubmatch(content, -1) {
			target := filepath.Join(root, filepath.Dir(name), string(m[1]))
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s", name, m[1])
			}
		}
	}
}

// The tables of requirements name tests that exist.
func TestNamedTestsExist(t *testing.T) {
	files := tracked(t)
	var tests bytes.Buffer
	for name, content := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "runnertest.go") {
			tests.Write(content)
		}
	}
	named := regexp.MustCompile(`\b(Test|Fuzz|Example)[A-Z]\w+`)
	for _, name := range strings.Fields("core/README.md wasm/README.md hosts/README.md conformance/README.md") {
		for _, test := range named.FindAll(files[name], -1) {
			if !bytes.Contains(tests.Bytes(), append([]byte("func "), append(test, '(')...)) {
				t.Errorf("%s names %s, which is no test", name, test)
			}
		}
	}
}

// Whoever calls exports by their numbers has all of their names, in one order.
func TestExportNames(t *testing.T) {
	files := tracked(t)
	name := regexp.MustCompile(`['"]([a-z_]+)['"]`)
	for _, list := range []struct{ file, after, end string }{
		{"js/src/instance.js", "exportNames =", "]"},
		{"js/src/abi.ts", "ExportNames = readonly", "]"},
		{"conformance/adapters/js/stream.mjs", "exportNames = ", "]"},
		{"conformance/adapters/python/serve.py", "EXPORTS = ", "]"},
	} {
		_, rest, _ := strings.Cut(string(files[list.file]), list.after)
		text, _, ok := strings.Cut(rest, list.end)
		var names []string
		for _, m := range name.FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
		if !ok || !slices.Equal(names, abi.Exports()) {
			t.Errorf("%s has the exports %v", list.file, names)
		}
	}
}

// ABI.md, the Go messages and the TypeScript messages speak of the same members.
func TestContractAndMessagesAgree(t *testing.T) {
	files := tracked(t)
	contract, types := files["wasm/ABI.md"], files["js/src/abi.ts"]
	member := regexp.MustCompile(`w\.Name\("([A-Za-z]+)"\)|optional\(w, "([A-Za-z]+)"`)
	for name, content := range files {
		if !strings.HasPrefix(name, "wasm/abi/") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "wasm/abi/json/") {
			continue
		}
		for _, m := range member.FindAllSubmatch(content, -1) {
			word := regexp.MustCompile(`\b` + string(append(m[1], m[2]...)) + `\b`)
			if !word.Match(contract) {
				t.Errorf("%s writes %s, which ABI.md does not mention", name, word)
			}
			if !word.Match(types) {
				t.Errorf("%s writes %s, which js/src/abi.ts does not mention", name, word)
			}
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\| (\\d+) \\| `(\\w+)` \\|").FindAllSubmatch(contract, -1) {
		if !bytes.Contains(files["wasm/artifact/surface.txt"], append([]byte("export "), m[2]...)) {
			t.Errorf("surface.txt has no export %s", m[2])
		}
	}
}

// A change of the engine's tables is a change of every score: they are what they
// were when they were made.
func TestGeneratedFilesSayWhoMadeThem(t *testing.T) {
	for name, content := range tracked(t) {
		if strings.HasPrefix(name, "core/internal/ucd/tables_") && !bytes.HasPrefix(content, []byte("// Code generated")) {
			t.Errorf("%s does not say that it is generated", name)
		}
	}
}
