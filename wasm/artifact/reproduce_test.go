package artifact

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestReproducible builds the module twice, as two people would: in folders of
// different names and depths, as different users where the test may (it needs
// root), with different homes, time zones, languages and empty caches, with git
// and without. Both give the same bytes. The module cache is shared: what is in it
// is pinned by go.sum.
func TestReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("two builds with cold caches take minutes")
	}
	first := build(t, builder{folder: "a", environment: []string{"TZ=UTC", "LANG=C"}})
	second := build(t, builder{
		folder:      filepath.Join("another place", "much", "deeper"),
		environment: []string{"TZ=Asia/Kolkata", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8", "GOFLAGS=-p=1"},
		nobody:      os.Geteuid() == 0,
		git:         true,
	})
	if first != second {
		t.Errorf("two builds of one tree differ:\n%s\n%s", first, second)
	}
}

// A builder is who builds, and where.
type builder struct {
	folder      string
	environment []string
	nobody      bool
	git         bool
}

// build copies what the module is made of, builds it and returns the digest.
func build(t *testing.T, b builder) string {
	t.Helper()
	// Not t.TempDir: its parents are closed to other users.
	root, err := os.MkdirTemp("", "reproduce")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(root) })
	must(t, os.Chmod(root, 0o755))
	tree, home := filepath.Join(root, b.folder), filepath.Join(root, "home of "+filepath.Base(b.folder))
	for _, dir := range []string{tree, home, filepath.Join(home, "cache")} {
		must(t, os.MkdirAll(dir, 0o755))
	}
	copyTree(t, tree)
	if b.git {
		output(t, tree, os.Environ(), "git", "init", "--quiet")
	}
	out := filepath.Join(home, "module.wasm")
	command := []string{filepath.Join(goEnv(t, "GOROOT"), "bin", "go"), "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -buildid= -X=runtime.godebugDefault=gcstoptheworld=1", "-o", out, "./wasm/module"}
	if b.nobody {
		must(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			return cmp.Or(err, os.Lchown(path, 65534, 65534))
		}))
		// Another user who may still read this one's toolchain and module cache.
		change := []string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
			"--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"}
		if try := append(slices.Clone(change), command[0], "version"); exec.Command(try[0], try[1:]...).Run() != nil {
			t.Log("setpriv cannot change the user here: both builds have the same one")
		} else {
			command = append(change, command...)
		}
	}
	environment := append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GOCACHE=" + filepath.Join(home, "cache"), "GOTOOLCHAIN=local",
		"GOMODCACHE=" + goEnv(t, "GOMODCACHE"), "GOPROXY=off", "GOSUMDB=off",
		"GOOS=wasip1", "GOARCH=wasm", "GOEXPERIMENT=simd", "CGO_ENABLED=0",
	}, b.environment...)
	output(t, tree, environment, command...)
	wasm, err := os.ReadFile(out)
	must(t, err)
	return fmt.Sprintf("%x (%d bytes, %s)", sha256.Sum256(wasm), len(wasm), runtime.Version())
}

// copyTree copies the Go files of core and wasm, and what the go command needs.
func copyTree(t *testing.T, to string) {
	t.Helper()
	const from = "../.."
	for _, name := range []string{"go.mod", "go.sum"} {
		copyFile(t, filepath.Join(from, name), filepath.Join(to, name))
	}
	for _, top := range []string{"core", "wasm"} {
		must(t, filepath.WalkDir(filepath.Join(from, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "node_modules" {
				return cmp.Or(err, fs.SkipDir)
			}
			name, err := filepath.Rel(from, path)
			if err == nil && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
				copyFile(t, path, filepath.Join(to, name))
			}
			return err
		}))
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	must(t, err)
	must(t, os.MkdirAll(filepath.Dir(to), 0o755))
	must(t, os.WriteFile(to, data, 0o644))
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	return strings.TrimSpace(output(t, ".", os.Environ(), "go", "env", name))
}

func output(t *testing.T, folder string, environment []string, command ...string) string {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Dir, c.Env = folder, environment
	var failure strings.Builder
	c.Stderr = &failure
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, failure.String())
	}
	return string(out)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
