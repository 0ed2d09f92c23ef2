package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/vectorfile"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/models"
)

// sizes prints what is shipped, and what the vector leg takes.
func sizes(b *bench) error {
	fmt.Println("\nwhat is shipped; bytes")
	for _, name := range []string{"bin/rookhaven.wasm", "wasm/artifact/models/minilm-l6-v2.rkm", "bin/rookhaven"} {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		fmt.Printf("%44s %14d\n", name, info.Size())
	}
	if err := packageSizes(); err != nil {
		return err
	}
	return legMemory(b.choose(20_000, 2_000))
}

// packageSizes prints the sizes of the npm package and of the model in it, which is a file
// of its own that only who opens it loads.
func packageSizes() error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		fmt.Printf("%44s %14s\n", "npm package", "no npm here")
		return nil
	}
	cmd := exec.Command(npm, "pack", "--dry-run", "--json")
	cmd.Dir = "js"
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	var list []struct {
		Size, UnpackedSize int64
		Files              []struct {
			Path string
			Size int64
		}
	}
	if err := json.Unmarshal(out[bytes.IndexByte(out, '['):], &list); err != nil || len(list) != 1 {
		return fmt.Errorf("npm pack says %.200s: %w", out, err)
	}
	fmt.Printf("%44s %14d\n%44s %14d\n", "npm package, packed", list[0].Size, "npm package, unpacked", list[0].UnpackedSize)
	for _, f := range list[0].Files {
		if strings.HasSuffix(f.Path, ".rkm") || strings.HasSuffix(f.Path, ".wasm") {
			fmt.Printf("%44s %14d\n", "of which "+f.Path, f.Size)
		}
	}
	return nil
}

// legMemory prints what vectors take, on disk and in an instance, and what a model does.
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
	l, err := newLanguage()
	if err != nil {
		return err
	}
	i, err := r.Instance(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = i.Close(ctx) }()
	opened, err := i.Call(ctx, abi.Open, []byte(`{"engine":"e","settings":{"chunks":"whole"},"documents":`), l.corpus(n), []byte("}"))
	if err != nil {
		return err
	}
	index, err := abi.ReadOpenReply(opened)
	if err != nil {
		return err
	}
	file := drawnVectors(n)
	at, err := i.Hold(ctx, file)
	if err != nil {
		return err
	}
	q := abi.PackRequest{Handle: index.Handle, Model: models.MiniLMDigest, Dimensions: dimensions, Components: abi.SegmentRef{Address: int64(at), Size: int64(len(file))}, Inline: true}
	packed, err := i.Call(ctx, abi.PackVectors, q.Append(nil))
	if err != nil {
		return err
	}
	vectors, err := abi.ReadPackReply(packed)
	if err != nil {
		return err
	}
	attach := abi.AttachRequest{Handle: index.Handle, Vectors: []abi.SegmentRef{vectors.Vectors}}
	out, err := i.Call(ctx, abi.AttachVectors, attach.Append(nil))
	if err != nil {
		return err
	}
	attached, err := abi.ReadAttachReply(out)
	if err != nil {
		return err
	}
	model, err := modelBytes(ctx, r)
	if err != nil {
		return err
	}
	fmt.Printf("\nwhat the vector leg takes: %d passages of about 100 words, %d dimensions\n", n, dimensions)
	for _, line := range []struct {
		what  string
		bytes float64
	}{
		{"bytes a passage, words, in an instance", float64(index.Bytes) / float64(n)},
		{"bytes a passage, vectors, on disk", float64(vectorfile.Size(n, dimensions)) / float64(n)},
		{"bytes a passage, vectors, in an instance", float64(attached.Bytes) / float64(n)},
		{"bytes, an instance with the model", float64(model)},
	} {
		fmt.Printf("%44s %14.0f\n", line.what, line.bytes)
	}
	fmt.Println("an instance that searches has no model: that of the queries is one of its own")
	return nil
}

const dimensions = 384

// drawnVectors returns components that are no vectors of any text.
func drawnVectors(n int) []byte {
	b, state := make([]byte, n*dimensions), uint64(1)
	for i := range b {
		state = state*6364136223846793005 + 1442695040888963407
		b[i] = byte(state>>56) | 1
	}
	return b
}

// modelBytes returns what an instance accounts for once the model is open.
func modelBytes(ctx context.Context, r runner.Runner) (int64, error) {
	i, err := r.Instance(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = i.Close(ctx) }()
	reply, err := pool.OpenModel(ctx, i, models.MiniLM)
	return reply.Bytes, err
}
