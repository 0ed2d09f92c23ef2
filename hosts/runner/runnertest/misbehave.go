package runnertest

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/sealed"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// unruly: what the runner does when the engine does what it must not.
func unruly(t *testing.T, open Open) {
	engine := Unruly()
	t.Run("Echo", func(t *testing.T) {
		i := Instance(t, open(t, engine, runner.Options{}))
		if got := call(t, i, echo, "a", "", "bc"); got != "abc" {
			t.Errorf("got %q", got)
		}
		if _, err := i.Call(context.Background(), refuse); Code(err) != abi.QueryEmpty || err.Error() != refusal {
			t.Errorf("got %v", err)
		}
	})
	t.Run("Traps", func(t *testing.T) {
		for export, word := range map[abi.Export]string{
			trap:     "unreachable",
			panicked: "panic: rank: BUG: equal hits in a total order",
			outside:  "outside the memory",
		} {
			i := Instance(t, open(t, engine, runner.Options{}))
			_, err := i.Call(context.Background(), export)
			if Code(err) != abi.EngineFailed || !strings.Contains(err.Error(), word) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%d: %q, want ENGINE_FAILED with %q", export, err, word)
			}
			if !runner.Dead(err) {
				t.Errorf("%d: not dead after %v", export, err)
			}
			if _, again := i.Call(context.Background(), echo, []byte("a")); Code(again) != abi.EngineFailed {
				t.Errorf("%d: a dead instance answers %v", export, again)
			}
		}
	})
	t.Run("Outside", func(t *testing.T) {
		for name, f := range map[string]func(i runner.Instance) error{
			"a reservation": func(i runner.Instance) error {
				_, err := i.Hold(context.Background(), make([]byte, 2<<20))
				return err
			},
			"what a reply names": func(i runner.Instance) error {
				return i.View(context.Background(), 1<<20-1, 2, func([]byte) error { return nil })
			},
		} {
			i := Instance(t, open(t, engine, runner.Options{}))
			if err := f(i); Code(err) != abi.EngineFailed || !strings.Contains(err.Error(), "outside the memory") || !runner.Dead(err) {
				t.Errorf("%s outside the memory: %v", name, err)
			}
			if _, err := i.Hold(context.Background()); Code(err) != abi.EngineFailed {
				t.Errorf("a dead instance holds, and says %v", err)
			}
		}
	})
	t.Run("Stopped", func(t *testing.T) {
		quiet(t)
		i := Instance(t, open(t, engine, runner.Options{Guard: runner.GuardNone}))
		ctx, end := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer end()
		if _, err := i.Call(ctx, obey); Code(err) != abi.Cancelled || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if got := call(t, i, echo, "a"); got != "a" {
			t.Errorf("after the stop, got %q", got)
		}
	})
	t.Run("Waiting", func(t *testing.T) { waiting(t, open(t, engine, runner.Options{Guard: runner.GuardNone})) })
	t.Run("Stuck", func(t *testing.T) { stuck(t, open, engine) })
	t.Run("Ended", func(t *testing.T) {
		i := Instance(t, open(t, engine, runner.Options{Guard: runner.GuardAll, Grace: 20 * time.Millisecond}))
		ctx, end := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer end()
		if _, err := i.Call(ctx, spin); Code(err) != abi.EngineStuck || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("Closed", func(t *testing.T) {
		i := Instance(t, open(t, engine, runner.Options{}))
		for range 2 {
			if err := i.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}
		if _, err := i.Call(context.Background(), echo); Code(err) != abi.EngineFailed {
			t.Errorf("got %v", err)
		}
	})
}

// quiet keeps Go's collector away until the test is over. The unruly engine never
// gives way in its loop, as the real one does; a collection that began there would
// wait for it, and hold up who is to stop it.
func quiet(t *testing.T) {
	runtime.GC()
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
}

// waiting: a call that waits for its turn can be cancelled, and does not stop the
// one that has it.
func waiting(t *testing.T, r runner.Runner) {
	quiet(t)
	i := Instance(t, r)
	first, endFirst := context.WithCancel(context.Background())
	defer endFirst()
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := i.Call(first, obey); Code(err) != abi.Cancelled {
			t.Errorf("the first call: %v", err)
		}
	})
	second, endSecond := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer endSecond()
	if _, err := i.Call(second, obey); Code(err) != abi.Cancelled {
		t.Errorf("the second call: %v", err)
	}
	endFirst()
	wg.Wait()
}

// stuck: an engine that ignores the stop word is left behind. This one asks for
// the clock in its loop; a real one might not return to Go at all, and then stops
// the collector of the whole process: a host that sees ENGINE_STUCK ends soon.
func stuck(t *testing.T, open Open, engine []byte) {
	var over atomic.Bool
	clock := func() int64 {
		if over.Load() {
			return 0
		}
		return 1
	}
	r := open(t, engine, runner.Options{Guard: runner.GuardNone, Grace: 20 * time.Millisecond, Host: sealed.Host{Clock: clock}})
	i, err := r.Instance(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer over.Store(true)
	ctx, end := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer end()
	if _, err := i.Call(ctx, deaf); Code(err) != abi.EngineStuck || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if _, err := i.Call(context.Background(), echo); Code(err) != abi.EngineStuck {
		t.Errorf("a stuck instance answers %v", err)
	}
	if err := i.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if err := r.Close(context.Background()); err == nil {
		t.Error("the runner closed under a running instance")
	}
	if got := call(t, Instance(t, r), echo, "a"); got != "a" {
		t.Errorf("another instance answers %q", got)
	}
}
