package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/rookhaven-project/rookhaven/wasm/artifact/dots"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/jumps"
)

// An embedder is a row of the table of embedding: a process, or why there is none.
type embedder struct {
	name            string
	ours            bool
	absent          error
	peer            *peer
	times, products map[string]sample    // by text
	vectors         map[string][]float64 // likewise
}

// ask asks for the vector of a text, and for its products alone.
func (r *embedder) ask(t text, counts bool) {
	r.call(t, t.Text, r.times, counts)
	if r.ours {
		r.call(map[string]int{"products": len(t.IDs)}, t.Text, r.products, counts)
	}
}

func (r *embedder) call(message any, text string, into map[string]sample, counts bool) {
	if r.absent != nil {
		return
	}
	var got struct {
		Ns     int64
		Vector []float64
	}
	if r.absent = r.peer.call(message, &got); r.absent != nil {
		return
	}
	if got.Vector != nil {
		r.vectors[text] = got.Vector
	}
	if counts {
		s := into[text]
		s.add(time.Duration(got.Ns))
		into[text] = s
	}
}

func (r *embedder) end() {
	if r.absent == nil {
		r.peer.end()
	}
}

// embedders builds and starts what there is.
func embedders() ([]*embedder, error) {
	module := filepath.Join(cacheFolder(), "products.wasm")
	if err := buildProducts(module); err != nil {
		return nil, err
	}
	simd, wasmtime := filepath.Join(cacheFolder(), "embedder"), filepath.Join(cacheFolder(), "embedder-wasmtime")
	if err := buildEmbedder(simd, "", "CGO_ENABLED=0", "GOEXPERIMENT=simd"); err != nil {
		return nil, err
	}
	noWasmtime := buildEmbedder(wasmtime, "wasmtime", "CGO_ENABLED=1")
	float := ".cache/peers/onnx/minilm.onnx"
	return []*embedder{
		startEmbedder("native", true, nil, simd, "native", module),
		startEmbedder("wazero", true, nil, simd, "wazero", module),
		startEmbedder("wasmtime", true, noWasmtime, wasmtime, "wasmtime", module),
		startEmbedder("Node", true, nil, "node", "--no-warnings", "conformance/cmd/bench/embedder/embedder.mjs", "wasm/artifact/built/rookhaven.wasm", "wasm/artifact/models/minilm-l6-v2.rkm", module),
		startEmbedder("onnxruntime, Node", false, there(float, "conformance/peers/onnx/node_modules/onnxruntime-node"), "node", "conformance/peers/onnx/serve.mjs", float),
		startEmbedder("onnxruntime, Python", false, there(float), ".cache/peers/onnx/bin/python", "conformance/peers/onnx/serve.py", float),
	}, nil
}

func startEmbedder(name string, ours bool, lacks error, program string, args ...string) *embedder {
	r := &embedder{name: name, ours: ours, absent: lacks, times: map[string]sample{}, products: map[string]sample{}, vectors: map[string][]float64{}}
	if r.absent == nil {
		r.peer, r.absent = startPeer(program, args...)
	}
	return r
}

func there(names ...string) error {
	for _, name := range names {
		if _, err := os.Stat(name); err != nil {
			return fmt.Errorf("%w (conformance/peers/setup.sh onnx)", err)
		}
	}
	return nil
}

func buildEmbedder(out, tags string, env ...string) error {
	cmd := exec.Command("go", "build", "-tags", tags, "-o", out, "./conformance/cmd/bench/embedder")
	cmd.Env = append(os.Environ(), env...)
	return run(cmd)
}

// buildProducts builds the products as a module, and finishes it as the engine is.
func buildProducts(name string) error {
	if err := buildModule(name, "./conformance/cmd/bench/products/module"); err != nil {
		return err
	}
	wasm, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if wasm, err = jumps.Shorten(wasm); err != nil {
		return err
	}
	wasm, count, err := dots.Fuse(wasm)
	if err == nil && count < dots.Expected {
		err = fmt.Errorf("only %d of %d dot products were found in the products alone", count, dots.Expected)
	}
	return errors.Join(err, os.WriteFile(name, wasm, 0o600))
}
