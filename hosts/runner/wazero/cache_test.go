package wazero_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/runnertest"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// files returns what lies in the cache of the unruly engine.
func files(t *testing.T, cache string) []string {
	t.Helper()
	folder := filepath.Join(cache, strings.TrimPrefix(artifact.Digest(runnertest.Unruly()), "sha256:"))
	info, err := os.Stat(folder)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o700 && runtime.GOOS != "windows" {
		t.Errorf("%s has the rights %#o", folder, info.Mode().Perm())
	}
	var list []string
	err = filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			list = append(list, path)
		}
		return err
	})
	if err != nil || len(list) == 0 {
		t.Fatalf("the cache holds %v (%v)", list, err)
	}
	return list
}

func echoes(t *testing.T, r runner.Runner) {
	t.Helper()
	out, err := runnertest.Instance(t, r).Call(context.Background(), 0, []byte("hello"))
	if string(out) != "hello" || err != nil {
		t.Errorf("%s %v", out, err)
	}
}

// flip returns what changes the byte at a place; below 0 from the end.
func flip(at int) func(path string) error {
	return func(path string) error {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		b[(at+len(b))%len(b)] ^= 0x40
		return os.WriteFile(path, b, 0o600)
	}
}

// A cache that was cut short, altered or emptied costs time, nothing else.
func TestDamagedCache(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"cut short":              func(p string) error { return os.Truncate(p, 20) },
		"emptied":                func(p string) error { return os.Truncate(p, 0) },
		"another's":              func(p string) error { return os.WriteFile(p, []byte("WAZEVO but of another version"), 0o600) },
		"removed":                os.Remove,
		"the count of functions": flip(30),
		"an entry":               flip(50),
		"the code":               flip(1000),
		"the end":                flip(-1),
	} {
		t.Run(name, func(t *testing.T) {
			cache := t.TempDir()
			echoes(t, open(t, runnertest.Unruly(), wazero.Config{Cache: cache}))
			for _, path := range files(t, cache) {
				if err := damage(path); err != nil {
					t.Fatal(err)
				}
			}
			echoes(t, open(t, runnertest.Unruly(), wazero.Config{Cache: cache}))
			echoes(t, open(t, runnertest.Unruly(), wazero.Config{Cache: cache}))
		})
	}
}

// What lies in the cache is executed: a folder that others can write to, or that
// is somebody else's, is not used.
func TestForeignCache(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are inherited there")
	}
	refused := func(name, cache string) {
		t.Helper()
		_, err := wazero.Open(context.Background(), runnertest.Unruly(), wazero.Config{Cache: cache})
		if runnertest.Code(err) != abi.StorageFailed {
			t.Errorf("%s: %v", name, err)
		}
	}
	open(t, runnertest.Unruly(), wazero.Config{Cache: filepath.Join(t.TempDir(), "made", "when", "missing")})

	loose := t.TempDir()
	must(t, os.Chmod(loose, 0o777))
	refused("a folder that everybody can write to", loose)

	inner := t.TempDir()
	open(t, runnertest.Unruly(), wazero.Config{Cache: inner})
	folder := filepath.Dir(files(t, inner)[0])
	for filepath.Dir(folder) != inner {
		folder = filepath.Dir(folder)
	}
	must(t, os.Chmod(folder, 0o755))
	refused("an engine's folder that everybody can read", inner)
	must(t, os.Chmod(folder, 0o700))

	linked := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(inner, linked))
	refused("a link", linked)

	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	refused("a file", file)

	if os.Geteuid() == 0 {
		must(t, os.Chown(inner, 65534, 65534))
		refused("somebody else's folder", inner)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A file that is no engine is refused before anything of it is compiled.
func TestRefused(t *testing.T) {
	for _, engine := range [][]byte{nil, []byte("\x00asm\x01\x00\x00\x00"), runnertest.Unruly()[:200]} {
		if _, err := wazero.Open(context.Background(), engine, wazero.Config{}); runnertest.Code(err) != abi.EngineRefused {
			t.Errorf("%d bytes: %v", len(engine), err)
		}
	}
	// It is well-formed and has the right surface, but its code is not valid.
	broken := strings.Replace(string(runnertest.Unruly()), "\x20\x01\xad", "\x20\x09\xad", 1)
	if _, err := wazero.Open(context.Background(), []byte(broken), wazero.Config{Cache: t.TempDir()}); runnertest.Code(err) != abi.EngineRefused {
		t.Errorf("invalid code: %v", err)
	}
}
