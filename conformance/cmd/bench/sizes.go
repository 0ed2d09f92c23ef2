package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/models"
)

const modelFile = "wasm/artifact/models/minilm-l6-v2.rkm"

// sizes prints what is shipped, and what the vector leg takes.
func sizes(b *bench) error {
	fmt.Println("\nwhat is shipped; bytes")
	for _, f := range []struct{ what, name string }{
		{"the module", "bin/rookhaven.wasm"},
		{"the model", modelFile},
		{"the command, with both", "bin/rookhaven"},
	} {
		info, err := os.Stat(f.name)
		if err != nil {
			return err
		}
		fmt.Printf("%44s %14d\n", f.what, info.Size())
	}
	if err := packageSizes(); err != nil {
		return err
	}
	return legMemory(b.choose(100_000, 30_000)) // few fit into what an instance has at its start
}

// packageSizes prints the sizes of the npm package, and of what it would be without the
// model, a file of its own that nobody loads who does not ask for it.
func packageSizes() error {
	if _, err := exec.LookPath("npm"); err != nil {
		fmt.Printf("%44s absent: npm is not installed\n", "the npm package")
		return nil
	}
	whole, err := pack("js")
	if err != nil {
		fmt.Printf("%44s absent: %s\n", "the npm package", lastLine(err.Error()))
		return nil
	}
	folder, err := os.MkdirTemp("", "rookhaven-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for _, f := range whole.Files {
		if filepath.Ext(f.Path) == filepath.Ext(modelFile) {
			continue
		}
		if err := copyFile(filepath.Join(folder, f.Path), filepath.Join("js", f.Path)); err != nil {
			return err
		}
	}
	lean, err := pack(folder, "--ignore-scripts") // which made its files already
	if err != nil {
		return err
	}
	if len(lean.Files) != len(whole.Files)-1 {
		return fmt.Errorf("the npm package has %d files, without the model %d", len(whole.Files), len(lean.Files))
	}
	for _, p := range []struct {
		what string
		npmPackage
	}{{"the npm package", whole}, {"the npm package without the model", lean}} {
		fmt.Printf("%44s %14d packed, %d unpacked\n", p.what, p.Size, p.UnpackedSize)
	}
	return nil
}

// An npmPackage is what npm says of it.
type npmPackage struct {
	Size, UnpackedSize int64
	Files              []struct{ Path string }
}

// pack asks npm what it would publish.
func pack(folder string, args ...string) (npmPackage, error) {
	cmd := exec.Command("npm", append([]string{"pack", "--dry-run", "--json"}, args...)...)
	cmd.Dir = folder
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return npmPackage{}, fmt.Errorf("%w: %s", err, said.String())
	}
	_, list, _ := strings.Cut(string(out), "[\n") // what its scripts print comes before
	var packages []npmPackage
	if err := json.Unmarshal([]byte("["+list), &packages); err != nil || len(packages) != 1 {
		return npmPackage{}, fmt.Errorf("npm pack says %.200q, not what one package has", out)
	}
	return packages[0], nil
}

func copyFile(to, from string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o644)
}

// legMemory prints what vectors and the model take, on disk and of the memory of an instance.
func legMemory(n int) error {
	ctx := context.Background()
	engine, err := builtEngine()
	if err != nil {
		return err
	}
	r, err := wazero.Open(ctx, engine, wazero.Config{Options: runner.Options{Guard: runner.GuardNone}, Cache: cacheFolder()})
	if err != nil {
		return err
	}
	defer func() { _ = r.Close(ctx) }()
	bare, model, err := modelMemory(ctx, r)
	if err != nil {
		return err
	}
	segments, file, err := drawnIndex(ctx, r, n)
	if err != nil {
		return err
	}
	both, err := indexMemory(ctx, r, segments)
	if err != nil {
		return err
	}
	for i := range segments {
		segments[i].Vectors = nil
	}
	words, err := indexMemory(ctx, r, segments)
	if err != nil {
		return err
	}
	fmt.Printf("\nwhat the vector leg takes: %d passages of about 100 words, %d dimensions\n", n, dimensions)
	fmt.Printf("%44s %14s %14s\n", "", "bytes", "a passage")
	for _, line := range []struct {
		what       string
		bytes      int64
		ofPassages bool
	}{
		{"vectors, on disk", file, true},
		{"vectors, in memory", both - words, true},
		{"memory of an instance, bare", bare, false},
		{"with the index by words", words, false},
		{"with the index and its vectors", both, false},
		{"with the model", model, false},
	} {
		fmt.Printf("%44s %14d", line.what, line.bytes)
		if line.ofPassages {
			fmt.Printf(" %14.1f", float64(line.bytes)/float64(n))
		}
		fmt.Println()
	}
	fmt.Println("the model is in an instance of its own, which embeds; those that search have the index and its vectors")
	return nil
}

const dimensions = 384

// modelMemory returns the memory of an instance, before a model is open in it and after.
func modelMemory(ctx context.Context, r runner.Runner) (bare, model int64, err error) {
	i, err := r.Instance(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = i.Close(ctx) }()
	if _, err := i.Call(ctx, abi.Describe); err != nil {
		return 0, 0, err
	}
	bare = i.Memory()
	_, err = pool.OpenModel(ctx, i, models.MiniLM)
	return bare, i.Memory(), err
}

// indexMemory returns the memory of an instance that has an index open.
func indexMemory(ctx context.Context, r runner.Runner, segments []pool.Segment) (int64, error) {
	x, err := pool.OpenIndex(ctx, r, pool.Config{Shards: 1}, abi.Names{Engine: r.Engine()}, wholeDocuments(), segments)
	if err != nil {
		return 0, err
	}
	if want := segments[0].Vectors != nil; (x.Model() != "") != want {
		return 0, fmt.Errorf("the index has vectors of the model %q, want any: %t", x.Model(), want)
	}
	size := x.Memory()
	return size, x.Close(ctx)
}

// drawnIndex builds an index of n passages whose vectors are drawn, and returns the bytes
// of their files.
func drawnIndex(ctx context.Context, r runner.Runner, n int) (segments []pool.Segment, size int64, err error) {
	l, err := newLanguage()
	if err != nil {
		return nil, 0, err
	}
	list, err := pool.Split(l.corpus(n))
	if err != nil {
		return nil, 0, err
	}
	batches := pool.Batches(list)
	segments = make([]pool.Segment, len(batches))
	err = pool.Build(ctx, r, wholeDocuments(), list, func(i int, b pool.Built) error {
		segments[i] = pool.Kept(bytes.Clone(b.Bytes), nil)
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	q := abi.PackRequest{Model: models.MiniLMDigest, Dimensions: dimensions}
	for i := range segments {
		err := pool.Pack(ctx, r, wholeDocuments(), segments[i], q, drawnVectors(len(batches[i])), func(file []byte) error {
			kept := bytes.Clone(file)
			size += int64(len(kept))
			segments[i].Vectors = func() ([]byte, error) { return kept, nil }
			return nil
		})
		if err != nil {
			return nil, 0, err
		}
	}
	return segments, size, nil
}

// wholeDocuments are settings by which a document is one passage.
func wholeDocuments() abi.Settings {
	s := abi.DefaultSettings()
	s.Chunks = abi.ChunksWhole
	return s
}

// drawnVectors returns n vectors that are of no text, the same ones each time.
func drawnVectors(n int) []byte {
	b := make([]byte, n*dimensions)
	_, _ = rand.NewChaCha8([32]byte{7}).Read(b)
	for i := range b {
		b[i] |= 1 // -128 is no component
	}
	return b
}
