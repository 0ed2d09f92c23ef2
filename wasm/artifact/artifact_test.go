package artifact

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

func engineOrSkip(t *testing.T) []byte {
	t.Helper()
	wasm, digest, ok := Built()
	if !ok {
		var e *abi.Error
		if err := Absent(); !errors.As(err, &e) || e.Code != abi.EngineAbsent {
			t.Errorf("Absent() = %v", err)
		}
		t.Skip("no engine is built in: run make build")
	}
	if digest != Digest(wasm) || len(digest) != len("sha256:")+64 {
		t.Errorf("digest %s", digest)
	}
	return wasm
}

// A change of surface.txt is a change of contract: make golden rewrites it, the
// diff is the review.
func TestSurface(t *testing.T) {
	f, err := wasmfile.Parse(engineOrSkip(t))
	if err != nil {
		t.Fatal(err)
	}
	if diff := Differences(f); len(diff) > 0 {
		t.Errorf("the module and surface.txt differ:\n%s", strings.Join(diff, "\n"))
	}
	if got := Surface(f); got != surface {
		t.Errorf("surface.txt is not as link writes it:\n%s", got)
	}
}

// The exports of surface.txt are those of ABI.md, and its imports are ones that
// hosts give.
func TestSurfaceIsTheContract(t *testing.T) {
	var want []string
	for _, name := range abi.Exports() {
		want = append(want, "export "+name+" func () -> (i32)")
	}
	want = append(want, required...)
	slices.Sort(want)
	var got []string
	for _, line := range lines(surface) {
		switch {
		case strings.HasPrefix(line, "export "):
			got = append(got, line)
		case strings.HasPrefix(line, "import ") && !slices.Contains(lines(importable), line):
			t.Errorf("no host gives the %s", line)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("exports\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !strings.HasSuffix(surface, "\nmemory 256 16384\n") {
		t.Error("surface.txt does not end with the memory")
	}
}

func TestReleased(t *testing.T) {
	for _, digest := range Released() {
		wasm, ok := Release(digest)
		if !ok {
			t.Fatalf("%s is listed and cannot be read", digest)
		}
		if err := Check(wasm, digest); err != nil {
			t.Errorf("%s: %v", digest, err)
		}
	}
	if wasm, digest, ok := Built(); ok {
		again, found := Release(digest)
		if !found || !bytes.Equal(wasm, again) || !Known(digest) {
			t.Error("the built engine is not known by its digest")
		}
	}
	for _, digest := range []string{"", "sha256:", "sha256:../built/rookhaven", "sha256:" + strings.Repeat("0", 64)} {
		if Known(digest) {
			t.Errorf("%q is known", digest)
		}
	}
}

func TestCheck(t *testing.T) {
	engine := engineOrSkip(t)
	digest := Digest(engine)
	if err := Check(engine, digest); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct {
		name   string
		wasm   []byte
		digest string
		want   string
	}{
		{"another name", engine, "sha256:" + strings.Repeat("0", 64), "its digest is"},
		{"one byte changed", flip(engine, len(engine)/2), digest, "its digest is"},
		{"cut short", engine[:len(engine)/2], "", "cut short"},
		{"nothing", nil, "", "not a WebAssembly module"},
		{"text", []byte("rookhaven"), "", "not a WebAssembly module"},
		{"no bound of memory", memoryOf(t, engine, wasmfile.Limits{Min: 256}), "", "memory 256 unbounded"},
		{"too much memory", memoryOf(t, engine, wasmfile.Limits{Min: 256, Max: 16385, Bounded: true}), "", "memory 256 16385"},
		{"another import", replace(engine, "random_get", "rAndom_get"), "", "rAndom_get"},
		{"an import of a file", replace(engine, "sched_yield", "path_unlink"), "", "path_unlink"},
		{"an import from elsewhere", replace(engine, "extism:host/env", "extism:host/eNv"), "", "extism:host/eNv"},
		{"an export less", replace(engine, "stop_word", "stop_wOrd"), "", "stop_word"},
		{"a start function", withStart(t, engine), "", "start function"},
	} {
		err := Check(tt.wasm, tt.digest)
		var e *abi.Error
		if !errors.As(err, &e) || e.Code != abi.EngineRefused || !strings.Contains(e.Sentence, tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func flip(wasm []byte, at int) []byte {
	wasm = bytes.Clone(wasm)
	wasm[at] ^= 1
	return wasm
}

func memoryOf(t *testing.T, wasm []byte, l wasmfile.Limits) []byte {
	t.Helper()
	out, err := wasmfile.WithMemory(wasm, l)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// replace changes a name of an import or export to another one of its length.
func replace(wasm []byte, old, new string) []byte {
	name := append([]byte{byte(len(old))}, old...)
	return bytes.Replace(wasm, name, append([]byte{byte(len(new))}, new...), 1)
}

// withStart puts a start section behind the exports.
func withStart(t *testing.T, wasm []byte) []byte {
	t.Helper()
	f, err := wasmfile.Parse(wasm)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(f.Sections, func(s wasmfile.Section) bool { return s.ID == 7 })
	return slices.Insert(bytes.Clone(wasm), f.Sections[i].To, 8, 1, 0)
}

func TestDifferences(t *testing.T) {
	got := differences("a\nb\nd\n", "a\nc\nd\n")
	if want := []string{"+ b", "- c"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The folder that is embedded exists on a fresh clone.
func TestKept(t *testing.T) {
	for _, folder := range []string{"built", "released"} {
		if _, err := os.Stat(folder + "/.keep"); err != nil {
			t.Error(err)
		}
	}
}
