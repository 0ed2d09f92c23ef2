package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/artifact"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

// unlinked returns the engine as go build left it, but for the size of memory.
func unlinked(t *testing.T) []byte {
	t.Helper()
	engine, _, ok := artifact.Built()
	if !ok {
		t.Skip("no engine is built in: run make build")
	}
	wasm, err := wasmfile.WithMemory(engine, wasmfile.Limits{Min: 60})
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

func TestLink(t *testing.T) {
	folder := t.TempDir()
	in, out := filepath.Join(folder, "in.wasm"), filepath.Join(folder, "out.wasm")
	if err := os.WriteFile(in, unlinked(t), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := run([]string{in}, out, ""); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if want, _, _ := artifact.Built(); !bytes.Equal(got, want) {
			t.Error("linking gives another engine than the built one")
		}
	}
	golden := filepath.Join(folder, "surface.txt")
	if err := run([]string{in}, out, golden); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(golden)
	want, _ := os.ReadFile("../surface.txt")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("-golden writes\n%s(%v)", got, err)
	}
	left, _ := filepath.Glob(filepath.Join(folder, ".link-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestLinkRefuses(t *testing.T) {
	wasm := unlinked(t)
	large, err := wasmfile.WithMemory(wasm, wasmfile.Limits{Min: artifact.MemoryMin + 1})
	if err != nil {
		t.Fatal(err)
	}
	dot, difference := []byte{0xfd, 0xba, 1}, []byte{0xfd, 0xb1, 1}
	for _, tt := range []struct {
		name string
		wasm []byte
		want string
	}{
		{"an export that surface.txt does not list", bytes.Replace(wasm, []byte("\x04plan"), []byte("\x04pLan"), 1), "+ export pLan func () -> (i32)\n- export plan func () -> (i32)"},
		{"an import that it does not list", bytes.Replace(wasm, []byte("sched_yield"), []byte("sched_yiEld"), 1), "+ import wasi_snapshot_preview1 sched_yiEld"},
		{"more memory to start with", large, "raise MemoryMin"},
		{"a concurrent collector", bytes.Replace(wasm, []byte(collector), []byte("gcstoptheworld=0"), 1), "built without"},
		{"a dot product that is not found", bytes.Replace(wasm, dot, difference, 1), "only 39 of 40 dot products"},
		{"half a file", wasm[:len(wasm)/2], "cut short"},
	} {
		folder := t.TempDir()
		in, out := filepath.Join(folder, "in.wasm"), filepath.Join(folder, "out.wasm")
		if err := os.WriteFile(in, tt.wasm, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := run([]string{in}, out, ""); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: an engine was written", tt.name)
		}
	}
	if err := run(nil, "", ""); err == nil {
		t.Error("no argument is accepted")
	}
	if err := run([]string{"missing.wasm"}, "", ""); err == nil {
		t.Error("a missing file is accepted")
	}
}
