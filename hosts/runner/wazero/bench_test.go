package wazero_test

import (
	"context"
	"os"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/runnertest"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

func built(b *testing.B) []byte {
	b.Helper()
	engine, _, ok := artifact.Built()
	if !ok {
		b.Skip("no engine is built in: run make build")
	}
	return engine
}

func BenchmarkCompileCold(b *testing.B) {
	engine := built(b)
	for b.Loop() {
		r, err := wazero.Open(context.Background(), engine, wazero.Config{})
		if err != nil {
			b.Fatal(err)
		}
		if err := r.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompileCached(b *testing.B) {
	engine, cache := built(b), private(b)
	open(b, engine, wazero.Config{Cache: cache})
	for b.Loop() {
		r, err := wazero.Open(context.Background(), engine, wazero.Config{Cache: cache})
		if err != nil {
			b.Fatal(err)
		}
		if err := r.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

func Benchmark(b *testing.B) {
	built(b)
	runnertest.Bench(b, func(t testing.TB, engine []byte, o runner.Options) runner.Runner {
		return open(t, engine, wazero.Config{Options: o})
	})
}

func private(t testing.TB) string {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}
