package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/runner/runnertest"
	"github.com/rookhaven-project/rookhaven/hosts/runner/store"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

func want(t *testing.T, what string, err error, code abi.Code) {
	t.Helper()
	if runnertest.Code(err) != code {
		t.Errorf("%s: %v, want %q", what, err, code)
	}
}

// variant returns an engine that differs from others by a custom section.
func variant(n int) []byte {
	return append(runnertest.Unruly(), 0, 3, 1, 'v', byte(n))
}

func TestEngines(t *testing.T) {
	data := t.TempDir()
	s := store.Open(data)
	list, err := s.Engines()
	if want(t, "Engines of nothing", err, ""); len(list) != 0 {
		t.Errorf("Engines() = %v", list)
	}
	engine := variant(0)
	digest, err := s.AddEngine(engine)
	want(t, "AddEngine", err, "")
	if digest != artifact.Digest(engine) {
		t.Errorf("AddEngine = %s", digest)
	}
	got, err := s.Engine(digest)
	if want(t, "Engine", err, ""); !bytes.Equal(got, engine) {
		t.Error("the engine came back changed")
	}
	path := filepath.Join(data, "engines", strings.TrimPrefix(digest, "sha256:")+".wasm")
	for _, p := range []string{path, filepath.Dir(path)} {
		if info, err := os.Stat(p); err != nil || info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
			t.Errorf("%s: %v %v, want it closed to others", p, info.Mode(), err)
		}
	}
	_, err = s.Engine("sha256:" + strings.Repeat("0", 64))
	want(t, "an engine that nobody has", err, abi.EngineUnknown)
	for _, name := range []string{"", "sha256:", digest + "0", "../" + digest, strings.ToUpper(digest)} {
		_, err = s.Engine(name)
		want(t, name, err, abi.ArgumentInvalid)
	}
	_, err = s.AddEngine([]byte("no engine"))
	want(t, "AddEngine of something else", err, abi.EngineRefused)
}

// The engine that the binary carries needs no archive.
func TestBuiltEngine(t *testing.T) {
	engine, digest, ok := artifact.Built()
	if !ok {
		t.Skip("no engine is built in: run make build")
	}
	got, err := store.Open(t.TempDir()).Engine(digest)
	if want(t, "Engine", err, ""); !bytes.Equal(got, engine) {
		t.Error("another engine came back")
	}
}

// A file whose content is not what its name says is refused by its path, and
// replaced when the engine comes again.
func TestAlteredEngine(t *testing.T) {
	data := t.TempDir()
	s := store.Open(data)
	engine := variant(0)
	digest, err := s.AddEngine(engine)
	want(t, "AddEngine", err, "")
	path := filepath.Join(data, "engines", strings.TrimPrefix(digest, "sha256:")+".wasm")
	for name, content := range map[string][]byte{
		"another engine":   variant(1),
		"half of a file":   engine[:len(engine)/2],
		"nothing":          {},
		"one bit changed":  append([]byte{engine[0] ^ 1}, engine[1:]...),
		"something behind": append(bytes.Clone(engine), 0, 1, 0),
	} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err = s.Engine(digest)
		want(t, name, err, abi.EngineRefused)
		if !strings.Contains(err.Error(), path) || s.Intact(digest) {
			t.Errorf("%s: %v, intact %v", name, err, s.Intact(digest))
		}
		_, err = s.AddEngine(engine)
		want(t, "AddEngine over "+name, err, "")
		if got, _ := os.ReadFile(path); !bytes.Equal(got, engine) || !s.Intact(digest) {
			t.Errorf("%s stays damaged", name)
		}
	}
}

// What a crash left behind is not listed, and is swept up once it is old.
func TestHalfWritten(t *testing.T) {
	data := t.TempDir()
	s := store.Open(data)
	digest, err := s.AddEngine(variant(0))
	want(t, "AddEngine", err, "")
	old, young := filepath.Join(data, "engines", ".new-1"), filepath.Join(data, "engines", ".new-2")
	for _, p := range []string{old, young, filepath.Join(data, "engines", "notes.txt")} {
		if err := os.WriteFile(p, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	list, err := s.Engines()
	if want(t, "Engines", err, ""); len(list) != 1 || list[0].Name != digest {
		t.Errorf("Engines() = %v", list)
	}
	_, err = s.PruneEngines(9, nil)
	want(t, "PruneEngines", err, "")
	if _, err := os.Stat(old); err == nil {
		t.Error("an old leftover was not swept up")
	}
	if _, err := os.Stat(young); err != nil {
		t.Error("what another process may be writing was swept up")
	}
}

func TestPrune(t *testing.T) {
	data := t.TempDir()
	s := store.Open(data)
	var digests []string
	for n := range 5 {
		d, err := s.AddEngine(variant(n))
		want(t, "AddEngine", err, "")
		at := time.Unix(int64(1_000_000+n), 0)
		if err := os.Chtimes(filepath.Join(data, "engines", strings.TrimPrefix(d, "sha256:")+".wasm"), at, at); err != nil {
			t.Fatal(err)
		}
		digests = append(digests, d)
	}
	removed, err := s.PruneEngines(2, func(d string) bool { return d == digests[1] })
	want(t, "PruneEngines", err, "")
	if got, want := names(removed), []string{digests[2], digests[0]}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("removed %v, want %v", got, want)
	}
	left, err := s.Engines()
	want(t, "Engines", err, "")
	if got, want := names(left), []string{digests[4], digests[3], digests[1]}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("left %v, want %v", got, want)
	}
}

func names(entries []store.Entry) (list []string) {
	for _, e := range entries {
		list = append(list, e.Name)
	}
	return list
}

func TestLeaves(t *testing.T) {
	s := store.Open(t.TempDir())
	root := "sha256:" + strings.Repeat("a", 64)
	leaves := []byte(`[["d1","sha256:` + strings.Repeat("1", 64) + `"]]`)
	got, err := s.Leaves(root)
	if want(t, "Leaves that nobody kept", err, ""); got != nil {
		t.Errorf("Leaves = %s", got)
	}
	want(t, "AddLeaves", s.AddLeaves(root, leaves), "")
	for _, damaged := range []string{"", "[", `[["d1","sha256:` + strings.Repeat("2", 64) + `"]]`} {
		if err := os.WriteFile(s.LeavesPath(root), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		want(t, "AddLeaves again", s.AddLeaves(root, leaves), "")
		got, err = s.Leaves(root)
		if want(t, "Leaves", err, ""); !bytes.Equal(got, leaves) {
			t.Errorf("over %q: Leaves = %s", damaged, got)
		}
	}
	want(t, "AddLeaves of something else", s.AddLeaves(root, []byte(`{}`)), abi.RequestInvalid)
	want(t, "AddLeaves under another name", s.AddLeaves("x", leaves), abi.ArgumentInvalid)
	list, err := s.Corpora()
	if want(t, "Corpora", err, ""); len(list) != 1 || list[0].Name != root || list[0].Size != int64(len(leaves)) {
		t.Errorf("Corpora = %v", list)
	}
	removed, err := s.PruneLeaves(0, nil)
	if want(t, "PruneLeaves", err, ""); len(removed) != 1 {
		t.Errorf("removed %v", removed)
	}
}

// Faults of the disk are STORAGE_FAILED with the path, not silence.
func TestFaults(t *testing.T) {
	data := t.TempDir()
	if err := os.WriteFile(filepath.Join(data, "engines"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := store.Open(data)
	_, err := s.Engines()
	want(t, "Engines where a file stands", err, abi.StorageFailed)
	if !strings.Contains(err.Error(), filepath.Join(data, "engines")) {
		t.Errorf("%v does not name the path", err)
	}
	_, err = s.AddEngine(variant(0))
	want(t, "AddEngine where a file stands", err, abi.StorageFailed)
	_, err = s.Engine(artifact.Digest(variant(0)))
	want(t, "Engine where a file stands", err, abi.StorageFailed)

	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("rights do not bind this user")
	}
	data = t.TempDir()
	s = store.Open(data)
	if _, err := s.AddEngine(variant(0)); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(data, "engines")
	if err := os.Chmod(folder, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(folder, 0o700) })
	_, err = s.Engines()
	want(t, "Engines of a closed folder", err, abi.StorageFailed)
	_, err = s.AddEngine(variant(1))
	want(t, "AddEngine to a closed folder", err, abi.StorageFailed)
}
