//go:build !nonative

package native_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/core/embed/model/modeltest"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/native"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/runnertest"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// The suite of hosts/runner/runnertest is about engines in files: it opens corpora, and
// engines that trap on purpose. What it asks of instances besides is asked here.

var (
	ctx  = context.Background()
	tiny = model.Encode(modeltest.Random(modeltest.Config(), modeltest.Ordinary(1)))
)

// open starts an instance that has a model open.
func open(t testing.TB, file []byte) runner.Instance {
	t.Helper()
	i := runnertest.Instance(t, native.Open())
	if _, err := pool.OpenModel(ctx, i, file); err != nil {
		t.Fatal(err)
	}
	return i
}

func embed(ctx context.Context, i runner.Instance, texts ...string) (*abi.EmbedReply, error) {
	q := abi.EmbedRequest{Texts: texts}
	out, err := i.Call(ctx, abi.Embed, q.Append(nil))
	if err != nil {
		return nil, err
	}
	reply, err := abi.ReadEmbedReply(out)
	return &reply, err
}

// Nothing is answered but texts, by the codes of the engine.
func TestExports(t *testing.T) {
	if got := native.Open().Engine(); abi.IsDigest(got) {
		t.Errorf("its digest is %s, and it is no file", got)
	}
	i := runnertest.Instance(t, native.Open())
	for _, tt := range []struct {
		export abi.Export
		in     string
		want   abi.Code
	}{
		{abi.Abi, "{}", abi.ExportUnknown},
		{abi.Open, `{"engine":"e","documents":[]}`, abi.ExportUnknown},
		{abi.Retrieve, `{"handle":1,"request":{"query":"a"}}`, abi.ExportUnknown},
		{abi.Search, `{"handle":1,"request":{"query":"a"}}`, abi.ExportUnknown},
		{abi.PackVectors, "{}", abi.ExportUnknown},
		{abi.Export(99), "{}", abi.ExportUnknown},
		{abi.Embed, `{"texts":["a"]}`, abi.ModelAbsent},
		{abi.Embed, `{"texts":["a"]`, abi.JSONInvalid},
		{abi.Embed, `{"text":"a"}`, abi.RequestInvalid},
		{abi.OpenModel, `{"model":{"address":7,"size":8}}`, abi.RequestInvalid},
		{abi.CloseModel, `{}`, ""},
	} {
		if _, err := i.Call(ctx, tt.export, []byte(tt.in)); runnertest.Code(err) != tt.want {
			t.Errorf("%s(%s): %v, want %s", tt.export, tt.in, err, tt.want)
		}
	}
	if err := i.View(ctx, 1, 1, func([]byte) error { return nil }); runnertest.Code(err) != abi.ExportUnknown {
		t.Errorf("View: %v", err)
	}
}

// A model is opened of what is held, in whole and at its address alone; what is given back
// is not held any more, and the model goes on without it.
func TestHold(t *testing.T) {
	i := runnertest.Instance(t, native.Open())
	if at, err := i.Hold(ctx); err != nil || at == 0 {
		t.Errorf("nothing is held at %d: %v", at, err)
	}
	at, err := i.Hold(ctx, tiny[:100], tiny[100:])
	if err != nil {
		t.Fatal(err)
	}
	opened := func(address, size int) abi.Code {
		q := abi.OpenModelRequest{Model: abi.SegmentRef{Address: int64(address), Size: int64(size)}}
		_, err := i.Call(ctx, abi.OpenModel, q.Append(nil))
		return runnertest.Code(err)
	}
	for _, tt := range []struct {
		name          string
		address, size int
		want          abi.Code
	}{
		{"elsewhere", int(at) + 1, len(tiny), abi.RequestInvalid},
		{"a part", int(at), len(tiny) - 8, abi.RequestInvalid},
		{"all", int(at), len(tiny), ""},
	} {
		if got := opened(tt.address, tt.size); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if err := i.Release(ctx, at, at+7); err != nil {
		t.Error(err)
	}
	if got := opened(int(at), len(tiny)); got != abi.RequestInvalid {
		t.Errorf("given back: %s", got)
	}
	if _, err := embed(ctx, i, "crane"); err != nil {
		t.Errorf("after the bytes were given back: %v", err)
	}
}

// Instances share the bytes of a model and nothing else, and calls of one wait for each other.
func TestConcurrent(t *testing.T) {
	texts := []string{"crane", "", "tide fog", strings.Repeat("fog tide ", 50)}
	one := open(t, tiny)
	want, err := embed(ctx, one, texts...)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		own := open(t, tiny)
		wg.Go(func() {
			for _, i := range []runner.Instance{one, own, one, own} {
				got, err := embed(ctx, i, texts...)
				if err != nil || !slices.EqualFunc(got.Vectors, want.Vectors, slices.Equal) {
					t.Errorf("other vectors: %v", err)
				}
			}
		})
	}
	wg.Wait()
}

// endless are texts that take minutes.
func endless() []string {
	return slices.Repeat([]string{strings.Repeat("crane fog tide ", 2000)}, 1000)
}

// A call whose context ends is CANCELLED with its cause, and the instance goes on.
func TestCancel(t *testing.T) {
	i := open(t, tiny)
	want, err := embed(ctx, i, "fog")
	if err != nil {
		t.Fatal(err)
	}
	for _, after := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond} {
		ending, end := context.WithTimeout(ctx, after)
		if _, err := embed(ending, i, endless()...); runnertest.Code(err) != abi.Cancelled || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ended after %v: %v", after, err)
		}
		end()
		if got, err := embed(ctx, i, "fog"); err != nil || !slices.Equal(got.Vectors[0], want.Vectors[0]) {
			t.Errorf("afterwards: %v", err)
		}
	}
}

// A call that waits for its turn can be cancelled, and does not stop the one that has it.
func TestCancelWaiting(t *testing.T) {
	i := open(t, tiny)
	free := native.Occupy(i)
	ending, end := context.WithTimeout(ctx, time.Millisecond)
	defer end()
	_, embedded := embed(ending, i, "fog")
	_, held := i.Hold(ending, tiny)
	for name, err := range map[string]error{"Call": embedded, "Hold": held, "Release": i.Release(ending, 1), "Close": i.Close(ending)} {
		if runnertest.Code(err) != abi.Cancelled || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	free()
	if _, err := embed(ctx, i, "fog"); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// A context that ends as its call does stops none that comes after.
func TestCancelTooLate(t *testing.T) {
	i := open(t, tiny)
	for n := range 300 {
		first, end := context.WithCancel(ctx)
		var wg sync.WaitGroup
		var over atomic.Bool
		wg.Go(func() {
			end()
			for !over.Load() { // so that what end began has to wait
			}
		})
		_, _ = i.Call(first, abi.Embed, []byte(`{"texts":["a"]}`))
		_, err := embed(ctx, i, "a", "b")
		over.Store(true)
		if wg.Wait(); err != nil {
			t.Fatalf("call %d: %v", n, err)
		}
	}
}

// An instance that is closed takes no calls, and says so as others do.
func TestClosed(t *testing.T) {
	i := open(t, tiny)
	for range 2 {
		if err := i.Close(ctx); err != nil {
			t.Error(err)
		}
	}
	_, embedded := embed(ctx, i, "a")
	_, held := i.Hold(ctx, tiny)
	for name, err := range map[string]error{"Call": embedded, "Hold": held, "Release": i.Release(ctx, 1)} {
		if !runner.Dead(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A fault of the engine ends its instance, as a trap does, and not the process.
func TestFault(t *testing.T) {
	i := open(t, tiny)
	native.Provoke(i)
	for range 2 {
		if _, err := pool.OpenModel(ctx, i, tiny); !runner.Dead(err) || !strings.HasSuffix(err.Error(), "BUG: provoked") {
			t.Errorf("%v", err)
		}
	}
}
