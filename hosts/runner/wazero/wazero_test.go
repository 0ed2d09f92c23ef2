package wazero_test

import (
	"context"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/runnertest"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
)

func TestCompiler(t *testing.T) {
	cache := t.TempDir()
	runnertest.Run(t, false, func(t testing.TB, engine []byte, o runner.Options) runner.Runner {
		return open(t, engine, wazero.Config{Options: o, Cache: cache})
	})
}

func TestInterpreter(t *testing.T) {
	if testing.Short() {
		t.Skip("the interpreter takes its time")
	}
	runnertest.Run(t, true, func(t testing.TB, engine []byte, o runner.Options) runner.Runner {
		return open(t, engine, wazero.Config{Options: o, Interpreter: true})
	})
}

func open(t testing.TB, engine []byte, c wazero.Config) runner.Runner {
	t.Helper()
	r, err := wazero.Open(context.Background(), engine, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(context.Background()) }) // one test leaves a stuck instance behind
	return r
}
