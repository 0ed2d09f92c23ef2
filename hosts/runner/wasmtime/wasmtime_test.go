//go:build wasmtime && cgo

package wasmtime_test

import (
	"context"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/runnertest"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wasmtime"
)

func Test(t *testing.T) { runnertest.Run(t, false, open) }

func Benchmark(b *testing.B) { runnertest.Bench(b, open) }

func open(t testing.TB, engine []byte, o runner.Options) runner.Runner {
	t.Helper()
	r, err := wasmtime.Open(context.Background(), engine, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(context.Background()) }) // one test leaves a stuck instance behind
	return r
}
