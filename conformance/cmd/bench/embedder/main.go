// Command embedder is our engine in one runtime, on one thread, for the table of
// embedding: it reads lines of JSON and answers each with one.
//
//	embedder native|wazero|wasmtime PRODUCTS.wasm
//
//	{"text": …}     → {"ns": …, "vector": […]}   from the text on
//	{"products": n} → {"ns": …}                  the products alone of a window of n tokens
//
// native is core itself: with vectors of the processor where it is built with
// GOEXPERIMENT=simd. wasmtime needs the tag wasmtime and cgo.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	wasi "github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/rookhaven-project/rookhaven/conformance/cmd/bench/products"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/native"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/models"
)

func main() {
	if err := serve(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "embedder:", err)
		os.Exit(1)
	}
}

// An embedder has the model open.
type embedder struct {
	instance runner.Instance
	multiply func(n int) error
}

func serve(ctx context.Context, name, module string) error {
	e, err := open(ctx, name, module)
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Buffer(nil, 1<<24); lines.Scan(); {
		var q struct {
			Text     string
			Products int
		}
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return err
		}
		a, err := e.answer(ctx, q.Text, q.Products)
		if err != nil {
			return err
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
	return lines.Err()
}

type answer struct {
	Ns     int64   `json:"ns"`
	Vector []int16 `json:"vector,omitempty"` // int8 would be written as text
}

func (e *embedder) answer(ctx context.Context, text string, n int) (a answer, err error) {
	from := time.Now()
	if n > 0 {
		err = e.multiply(n)
		a.Ns = time.Since(from).Nanoseconds()
		return a, err
	}
	q := abi.EmbedRequest{Texts: []string{text}}
	out, err := e.instance.Call(ctx, abi.Embed, q.Append(nil))
	a.Ns = time.Since(from).Nanoseconds()
	if err != nil {
		return a, err
	}
	reply, err := abi.ReadEmbedReply(out)
	if err != nil {
		return a, err
	}
	for _, v := range reply.Vectors[0] {
		a.Vector = append(a.Vector, int16(v))
	}
	return a, nil
}

func open(ctx context.Context, name, module string) (*embedder, error) {
	r, multiply, err := runtime(ctx, name, module)
	if err != nil {
		return nil, err
	}
	i, err := r.Instance(ctx)
	if err != nil {
		return nil, err
	}
	at, err := i.Hold(ctx, models.MiniLM)
	if err != nil {
		return nil, err
	}
	q := abi.OpenModelRequest{Model: abi.SegmentRef{Address: int64(at), Size: int64(len(models.MiniLM))}}
	_, err = i.Call(ctx, abi.OpenModel, q.Append(nil))
	return &embedder{i, multiply}, err
}

// runtime returns our engine in a runtime, and the products alone.
func runtime(ctx context.Context, name, module string) (runner.Runner, func(n int) error, error) {
	if name == "native" {
		m := products.New()
		return native.Open(), func(n int) error { m.Multiply(n); return nil }, nil
	}
	engine, _, ok := artifact.Built()
	if !ok {
		return nil, nil, abi.Errorf(abi.EngineAbsent, "run make build first")
	}
	wasm, err := os.ReadFile(module)
	if err != nil {
		return nil, nil, err
	}
	if name == "wasmtime" {
		return inWasmtime(ctx, engine, wasm)
	}
	r, err := wazero.Open(ctx, engine, wazero.Config{Options: runner.Options{Guard: runner.GuardNone}, Cache: filepath.Dir(module)})
	if err != nil {
		return nil, nil, err
	}
	multiply, err := productsInWazero(ctx, wasm)
	return r, multiply, err
}

func productsInWazero(ctx context.Context, wasm []byte) (func(n int) error, error) {
	r := wasi.NewRuntimeWithConfig(ctx, wasi.NewRuntimeConfigCompiler())
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	m, err := r.InstantiateWithConfig(ctx, wasm, wasi.NewModuleConfig().WithStartFunctions("_initialize").WithSysNanotime().WithSysWalltime())
	if err != nil {
		return nil, err
	}
	f := m.ExportedFunction("multiply")
	return func(n int) error {
		_, err := f.Call(ctx, uint64(n))
		return err
	}, nil
}
