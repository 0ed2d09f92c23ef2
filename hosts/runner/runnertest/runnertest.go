// Package runnertest is the suite that every runner passes. It runs the engine
// that was built into the binary, and an unruly one that does what an engine must
// never do.
package runnertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/sealed"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

// An Open opens a runner for an engine. It closes what it opens at the end of the
// test; the suite closes the instances.
type Open func(t testing.TB, engine []byte, o runner.Options) runner.Runner

// Run runs the suite. slow leaves out what takes minutes in an interpreter, and
// -short what takes one elsewhere.
func Run(t *testing.T, slow bool, open Open) {
	t.Run("Unruly", func(t *testing.T) { unruly(t, open) })
	engine, digest, ok := artifact.Built()
	if !ok {
		t.Skip("no engine is built in: run make build; only the unruly one was tested")
	}
	r := open(t, engine, runner.Options{})
	if r.Engine() != digest {
		t.Errorf("Engine() = %s, want %s", r.Engine(), digest)
	}
	t.Run("Planes", func(t *testing.T) { planes(t, r) })
	t.Run("Failures", func(t *testing.T) { failures(t, r) })
	t.Run("Reuse", func(t *testing.T) { reuse(t, r, slow) })
	t.Run("Stages", func(t *testing.T) { stages(t, r) })
	t.Run("Segments", func(t *testing.T) { segments(t, r) })
	t.Run("Concurrent", func(t *testing.T) { concurrent(t, r) })
	t.Run("Cancel", func(t *testing.T) { cancel(t, r, slow) })
	t.Run("Hosts", func(t *testing.T) { hosts(t, r, open, engine) })
	if !slow && !testing.Short() {
		t.Run("Large", func(t *testing.T) { large(t, r) })
		t.Run("Memory", func(t *testing.T) { memory(t, r) })
	}
}

// Instance starts an instance that is closed at the end of the test.
func Instance(t testing.TB, r runner.Runner) runner.Instance {
	t.Helper()
	i, err := r.Instance(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := i.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return i
}

// Code returns the code of a failure, "" for none.
func Code(err error) abi.Code {
	var e *abi.Error
	if errors.As(err, &e) {
		return e.Code
	}
	if err != nil {
		return abi.Code(fmt.Sprintf("%T %v", err, err))
	}
	return ""
}

func call(t testing.TB, i runner.Instance, export abi.Export, in ...string) string {
	t.Helper()
	parts := make([][]byte, len(in))
	for n, s := range in {
		parts[n] = []byte(s)
	}
	out, err := i.Call(context.Background(), export, parts...)
	if err != nil {
		t.Fatalf("%s: %v", export, err)
	}
	return string(out)
}

const (
	corpus = `{"engine":"engine:case","documents":[` +
		`{"id":"d1","text":"crane maintenance for berth 7"},{"id":"d2","text":"tide windows"},` +
		`{"id":"d3","text":"the harbour master keeps the tide tables","title":"Tides"}]}`
	request  = `{"query":"crane faults and tide windows","recallBudget":2,"seed":"demo","explain":true}`
	retrieve = `{"handle":1,"request":` + request + `}`
)

// planes: both planes give the same bytes, replies and failures.
func planes(t *testing.T, r runner.Runner) {
	bulk, other := Instance(t, r), Instance(t, r).(runner.ExtismPlane)
	for _, c := range []struct {
		export abi.Export
		in     string
	}{
		{abi.Abi, ""}, {abi.Abi, "{}"}, {abi.Describe, "{}"}, {abi.Open, corpus}, {abi.Decompose, request},
		{abi.Plan, retrieve}, {abi.Retrieve, retrieve}, {abi.Retrieve, `{"handle":9,"request":{"query":"a"}}`},
		{abi.Retrieve, `{"handle":1,"request":{"query":""}}`}, {abi.Abi, "\xff"}, {abi.Close, `{"handle":1}`},
		{abi.Export(99), "{}"},
	} {
		want, wantErr := bulk.Call(context.Background(), c.export, []byte(c.in))
		got, err := other.CallExtism(context.Background(), c.export, []byte(c.in))
		if !bytes.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%s(%s)\n  Extism plane %s %v\n  bulk plane   %s %v", c.export, c.in, got, err, want, wantErr)
		}
		if len(want) == 0 && wantErr == nil {
			t.Errorf("%s(%s) is empty", c.export, c.in)
		}
	}
}

// failures: the engine's failures arrive with their codes, and end nothing.
func failures(t *testing.T, r runner.Runner) {
	i := Instance(t, r)
	for _, c := range []struct {
		export abi.Export
		in     string
		want   abi.Code
	}{
		{abi.Abi, `{}]`, abi.JSONInvalid},
		{abi.Abi, `{"a":1}`, abi.RequestInvalid},
		{abi.Retrieve, retrieve, abi.HandleUnknown},
		{abi.Decompose, `{"query":""}`, abi.QueryEmpty},
		{abi.Decompose, `{"query":"a","recallBudget":0}`, abi.BudgetOutOfRange},
		{abi.Open, `{"engine":"e","documents":[{"id":"","text":""}]}`, abi.CorpusInvalid},
		{abi.Replay, `{"handle":1,"reply":{}}`, abi.HandleUnknown},
		{abi.Export(99), "{}", abi.ExportUnknown},
		{abi.Replay, `{"reply":` + strings.Repeat("[", 100_000), abi.JSONInvalid},
	} {
		if _, err := i.Call(context.Background(), c.export, []byte(c.in)); Code(err) != c.want {
			t.Errorf("%s(%.60s): %v, want %s", c.export, c.in, err, c.want)
		}
	}
	if got := call(t, i, abi.Abi); got != `{"abi":1}` {
		t.Errorf("after failures, abi replies %s", got)
	}
}

// reuse: an instance that has served a thousand calls answers as a fresh one, and
// its memory does not grow with them.
func reuse(t *testing.T, r runner.Runner, slow bool) {
	calls := 1000
	if slow {
		calls = 50
	}
	used, fresh := Instance(t, r), Instance(t, r)
	call(t, used, abi.Open, corpus)
	size := int64(0)
	for n := range calls {
		call(t, used, abi.Retrieve, fmt.Sprintf(`{"handle":1,"request":{"query":"tide %d"}}`, n))
		if n == calls/2 {
			size = used.Memory()
		}
	}
	if got := used.Memory(); got != size {
		t.Errorf("memory grew from %d to %d bytes in the second half of %d calls", size, got, calls)
	}
	call(t, fresh, abi.Open, corpus)
	if got, want := call(t, used, abi.Retrieve, retrieve), call(t, fresh, abi.Retrieve, retrieve); got != want {
		t.Errorf("after %d calls\n  %s\nfresh\n  %s", calls, got, want)
	}
}

// stages: they are announced in the order of the work, and each call to its own context.
func stages(t *testing.T, r runner.Runner) {
	i := Instance(t, r)
	call(t, i, abi.Open, corpus)
	var seen []string
	ctx := runner.WithStages(context.Background(), func(name string) { seen = append(seen, name) })
	if _, err := i.Call(ctx, abi.Retrieve, []byte(retrieve)); err != nil {
		t.Fatal(err)
	}
	if len(seen) == 0 {
		t.Error("no stage was announced")
	}
	n := len(seen)
	call(t, i, abi.Retrieve, retrieve)
	if len(seen) != n {
		t.Errorf("a call without a listener announced %v", seen[n:])
	}
}

// concurrent: instances do not share anything, and calls of one instance wait for
// each other.
func concurrent(t *testing.T, r runner.Runner) {
	one := Instance(t, r)
	call(t, one, abi.Open, corpus)
	want := call(t, one, abi.Retrieve, retrieve)
	var wg sync.WaitGroup
	for range 4 {
		own := Instance(t, r)
		wg.Go(func() {
			if _, err := own.Call(context.Background(), abi.Open, []byte(corpus)); err != nil {
				t.Error(err)
				return
			}
			for _, i := range []runner.Instance{one, own, one} {
				out, err := i.Call(context.Background(), abi.Retrieve, []byte(retrieve))
				if string(out) != want || err != nil {
					t.Errorf("%s %v, want %s", out, err, want)
				}
			}
		})
	}
	wg.Wait()
}

// cancel: a call whose context ends is CANCELLED, soon and with its cause, and
// the instance goes on to answer in full.
func cancel(t *testing.T, r runner.Runner, slow bool) {
	documents := 60_000
	if slow {
		documents = 2000
	}
	i := Instance(t, r)
	big := manyDocuments(documents)
	for _, after := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond} {
		ctx, end := context.WithTimeout(context.Background(), after)
		begun := time.Now()
		_, err := i.Call(ctx, abi.Open, []byte(`{"engine":"e","documents":`), big, []byte("}"))
		end()
		if took := time.Since(begun); took > after+runner.Grace {
			t.Errorf("cancelled after %v, it took %v", after, took)
		}
		if err == nil {
			t.Logf("%d documents were open within %v", documents, after)
			continue
		}
		if Code(err) != abi.Cancelled || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %v: %v", after, err)
		}
	}
	opened := call(t, i, abi.Open, corpus)
	handle, _, _ := strings.Cut(opened[strings.Index(opened, `"handle":`)+9:], ",")
	handle = strings.TrimSuffix(handle, "}")
	got := call(t, i, abi.Retrieve, `{"handle":`+handle+`,"request":`+request+`}`)
	fresh := Instance(t, r)
	call(t, fresh, abi.Open, corpus)
	if want := call(t, fresh, abi.Retrieve, retrieve); got != want {
		t.Errorf("after cancelled calls\n  %s\nfresh\n  %s", got, want)
	}
}

func manyDocuments(n int) []byte {
	b := []byte("[")
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"id":"d%d","text":"berth %d has crane %d and the tide table of month %d"}`, i, i%977, i%31, i%12)
	}
	return append(b, ']')
}

// hosts: what a host answers to the imports changes no byte.
func hosts(t *testing.T, r runner.Runner, open Open, engine []byte) {
	calm := Instance(t, r)
	call(t, calm, abi.Open, corpus)
	want := call(t, calm, abi.Retrieve, retrieve)
	var ticks atomic.Int64
	wild := sealed.Host{
		Clock: func() int64 { return 1 + ticks.Add(7)*997%5_000_000 },
		Random: func(p []byte) {
			for i := range p {
				p[i] = byte(ticks.Add(1))
			}
		},
		Args: []string{"", "-x", "…"},
		Env:  []string{"GOGC=1", "GODEBUG=gctrace=1", "TZ=Asia/Kolkata", "LANG=tr_TR.UTF-8", "GOMEMLIMIT=64MiB"},
	}
	other := Instance(t, open(t, engine, runner.Options{Host: wild}))
	call(t, other, abi.Open, corpus)
	if got := call(t, other, abi.Retrieve, retrieve); got != want {
		t.Errorf("with a wild host\n  %s\nsealed\n  %s", got, want)
	}
}

// large: an input of 64 MB.
func large(t *testing.T, r runner.Runner) {
	i := Instance(t, r)
	text := "tide" + strings.Repeat(" ", 16<<20-8) // the limit is 16 MiB
	var parts []string
	for n := range 4 {
		parts = append(parts, fmt.Sprintf(`{"id":"%d","text":"`, n), text, `"}`, ",")
	}
	parts[len(parts)-1] = "]}"
	opened := call(t, i, abi.Open, append([]string{`{"engine":"e","documents":[`}, parts...)...)
	if !strings.Contains(opened, `"documents":4,`) {
		t.Errorf("open replies %s", opened)
	}
	if out := call(t, i, abi.Retrieve, `{"handle":1,"request":{"query":"tide"}}`); !strings.Contains(out, `"verdict":"answered"`) {
		t.Errorf("retrieve replies %s", out)
	}
}

// memory: what does not fit is OVER_BUDGET, and the instance lives on. Documents
// with little text cost the most memory for a byte of input.
func memory(t *testing.T, r runner.Runner) {
	i := Instance(t, r)
	part := manyEmpty(200_000)
	refusedAt := -1
	for n := range 100 {
		_, err := i.Call(context.Background(), abi.Open, []byte(`{"engine":"e","documents":`), part, []byte("}"))
		if err != nil {
			refusedAt = n
			if Code(err) != abi.OverBudget {
				t.Fatalf("corpus %d: %v", n, err)
			}
			break
		}
	}
	if refusedAt < 2 {
		t.Errorf("corpus %d of 200,000 empty documents was refused", refusedAt)
	}
	if i.Memory() > artifact.MemoryMax*wasmfile.PageSize {
		t.Errorf("memory has %d bytes", i.Memory())
	}
	huge := make([]byte, 600<<20)
	if _, err := i.Call(context.Background(), abi.Open, huge); Code(err) != abi.OverBudget {
		t.Errorf("an input above the budget: %v", err)
	}
	if got := call(t, i, abi.Plan, `{"handle":1,"request":{"query":"tide"}}`); got != `{"chunks":200000}` {
		t.Errorf("after refusals: %s", got)
	}
	for n := range refusedAt {
		call(t, i, abi.Close, fmt.Sprintf(`{"handle":%d}`, n+1))
	}
	if got := call(t, i, abi.Open, corpus); !strings.Contains(got, `"documents":3`) {
		t.Errorf("after closing: %s", got)
	}
	if _, err := i.Call(context.Background(), abi.Open, []byte(`{"engine":"e","documents":`), manyEmpty(6_000_000), []byte("}")); Code(err) != abi.OverBudget {
		t.Errorf("six million empty documents: %v", err)
	}
}

func manyEmpty(n int) []byte {
	b := []byte("[")
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"id":"%d","text":""}`, i)
	}
	return append(b, ']')
}
