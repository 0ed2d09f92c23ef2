package embedding

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/native"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/models"
)

var ctx = context.Background()

func codeOf(err error) abi.Code {
	var e *abi.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// The engine and the native code give the same vectors, in the order of the texts, whatever
// lies beside one.
func TestEngineAndNative(t *testing.T) {
	if !native.Available {
		t.Skip("this build has no native embedding")
	}
	engine, _, ok := artifact.Built()
	if !ok {
		t.Skip("no engine is built in: run make build")
	}
	r, err := wazero.Open(ctx, engine, wazero.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close(ctx) }()
	sure, err := Open(ctx, r, models.MiniLM, 1)
	if err != nil {
		t.Fatal(err)
	}
	fast, err := Open(ctx, native.Open(), models.MiniLM, 3)
	if err != nil {
		t.Fatal(err)
	}
	both := Checked(fast, sure, func(sentence string) { t.Error(sentence) })
	defer func() { _ = both.Close(ctx) }()
	if both.Model() != models.MiniLMDigest || both.Dimensions() != 384 || both.External() {
		t.Errorf("%s, %d, %v", both.Model(), both.Dimensions(), both.External())
	}
	texts, n := []string{"tide windows", "", "the crane of the north quay", "潮汐", "fog"}, 12
	if testing.Short() {
		texts, n = texts[:2], 3
	}
	all, err := both.Embed(ctx, false, texts...)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts[:min(3, len(texts))] {
		alone, err := sure.Embed(ctx, false, text)
		if err != nil || !slices.Equal(alone[0], all[i]) {
			t.Errorf("%q is another vector in the engine: %v", text, err)
		}
	}
	many := make([]string, n)
	for i := range many {
		many[i] = texts[i%len(texts)]
	}
	list, err := fast.Embed(ctx, false, many...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range many {
		if !slices.Equal(list[i], all[i%len(texts)]) {
			t.Fatalf("text %d has the vector of another", i)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := fast.Embed(ended, false, many...); codeOf(err) != abi.Cancelled {
		t.Errorf("after the caller went: %v", err)
	}
}

func TestDamagedModel(t *testing.T) {
	if !native.Available {
		t.Skip("this build has no native embedding")
	}
	damaged := slices.Clone(models.MiniLM)
	damaged[len(damaged)/2] ^= 1
	for name, tt := range map[string]struct {
		file []byte
		want abi.Code
	}{
		"damaged": {damaged, abi.ModelCorrupt}, "cut": {models.MiniLM[:1000], abi.ModelCorrupt}, "empty": {[]byte("{}"), abi.ModelCorrupt},
	} {
		if _, err := Open(ctx, native.Open(), tt.file, 2); codeOf(err) != tt.want {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}

// A rig is a runner whose instances embed a text as its length, or fail.
type rig struct {
	model  string
	opens  int   // after so many models it opens none
	fails  error // of a text that is empty
	live   atomic.Int64
	opened atomic.Int64
}

func (r *rig) Engine() string              { return "rig" }
func (r *rig) Close(context.Context) error { return nil }

func (r *rig) Instance(context.Context) (runner.Instance, error) {
	r.live.Add(1)
	return &rigged{rig: r}, nil
}

type rigged struct {
	runner.Instance
	rig  *rig
	busy atomic.Bool
}

func (i *rigged) Hold(context.Context, ...[]byte) (uint32, error) { return 1, nil }
func (i *rigged) Release(context.Context, ...uint32) error        { return nil }
func (i *rigged) Close(context.Context) error                     { i.rig.live.Add(-1); return nil }

func (i *rigged) Call(_ context.Context, export abi.Export, in ...[]byte) ([]byte, error) {
	if i.busy.Swap(true) {
		panic("two calls at once")
	}
	defer i.busy.Store(false)
	if export == abi.OpenModel {
		if int(i.rig.opened.Add(1)) > i.rig.opens {
			return nil, abi.Errorf(abi.OverBudget, "no room")
		}
		reply := abi.OpenModelReply{Digest: i.rig.model, Dimensions: 2, Window: 8}
		return reply.Append(nil), nil
	}
	q, err := abi.ReadEmbedRequest(in[0])
	if err != nil {
		return nil, err
	}
	var reply abi.EmbedReply
	for _, text := range q.Texts {
		if text == "" && i.rig.fails != nil {
			return nil, i.rig.fails
		}
		reply.Vectors, reply.Tokens = append(reply.Vectors, []int8{int8(len(text)), int8(len(text) >> 7)}), append(reply.Tokens, 1)
	}
	return reply.Append(nil), nil
}

// Vectors are in the order of the texts, however many instances make them and however many
// texts there are; a failure is that of the instance.
func TestInstances(t *testing.T) {
	var texts []string
	var want [][]int8
	for n := range 300 {
		texts, want = append(texts, strings.Repeat("x", n+1)), append(want, []int8{int8(n + 1), int8((n + 1) >> 7)})
	}
	file := []byte("a model")
	for _, n := range []int{1, 2, 5} {
		r := &rig{model: ModelOf(file), opens: n, fails: abi.Errorf(abi.EngineFailed, "it trapped")}
		e, err := Open(ctx, r, file, n)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for _, to := range []int{0, 1, 3, 300} {
			wg.Go(func() {
				got, err := e.Embed(ctx, false, texts[:to]...)
				if err != nil || !slices.EqualFunc(got, want[:to], slices.Equal) {
					t.Errorf("%d texts in %d instances: %v", to, n, err)
				}
			})
		}
		wg.Wait()
		if _, err := e.Embed(ctx, false, append(texts[:50:50], "", "y")...); codeOf(err) != abi.EngineFailed {
			t.Errorf("%d instances: %v", n, err)
		}
		if err := e.Close(ctx); err != nil || r.live.Load() != 0 {
			t.Errorf("%d instances are left: %v", r.live.Load(), err)
		}
	}
}

// Where a model cannot be opened in all instances, none is left.
func TestOpenFails(t *testing.T) {
	file := []byte("a model")
	for name, tt := range map[string]struct {
		rig  *rig
		want abi.Code
	}{
		"no room for the second": {&rig{model: ModelOf(file), opens: 1}, abi.OverBudget},
		"another name":           {&rig{model: ModelOf([]byte("another")), opens: 3}, abi.Internal},
	} {
		if _, err := Open(ctx, tt.rig, file, 3); codeOf(err) != tt.want || tt.rig.live.Load() != 0 {
			t.Errorf("%s: %v, %d instances are left", name, err, tt.rig.live.Load())
		}
	}
}

// A lister embeds a text as its length and a number.
type lister struct {
	number int8
	asked  []string
	closed bool
	err    error
}

func (l *lister) Model() string               { return "sha256:" + strings.Repeat("0", 64) }
func (l *lister) External() bool              { return false }
func (l *lister) Dimensions() int             { return 2 }
func (l *lister) Background() int             { return 0 }
func (l *lister) Close(context.Context) error { l.closed = true; return nil }

func (l *lister) Embed(_ context.Context, _ bool, texts ...string) ([][]int8, error) {
	l.asked = append(l.asked, texts...)
	var list [][]int8
	for _, text := range texts {
		list = append(list, []int8{int8(len(text)), l.number})
	}
	return list, l.err
}

// One text of each call is looked at; where it differs, what is sure makes all, that call
// among it, and says so once.
func TestChecked(t *testing.T) {
	fast, sure, told := &lister{}, &lister{}, 0
	c := Checked(fast, sure, func(string) { told++ })
	for range 2 {
		if _, err := c.Embed(ctx, false, "a", "bb", "ccc"); err != nil {
			t.Fatal(err)
		}
	}
	if len(fast.asked) != 6 || len(sure.asked) != 2 || told != 0 || sure.asked[0] != sure.asked[1] {
		t.Errorf("asked %v and %v, told %d", fast.asked, sure.asked, told)
	}
	if _, err := c.Embed(ctx, true, "a query"); err != nil || sure.asked[2] != "a query" {
		t.Errorf("a query goes to %v: %v", sure.asked, err)
	}
	fast.number = 7
	for range 3 {
		list, err := c.Embed(ctx, false, "a", "bb")
		if err != nil || !slices.Equal(list[1], []int8{2, 0}) {
			t.Errorf("%v, %v", list, err)
		}
	}
	if told != 1 || len(fast.asked) != 8 {
		t.Errorf("told %d times, asked %v", told, fast.asked)
	}
	sure.err = abi.Errorf(abi.EngineFailed, "it trapped")
	if _, err := c.Embed(ctx, false, "a"); codeOf(err) != abi.EngineFailed {
		t.Error(err)
	}
	if err := c.Close(ctx); err != nil || !fast.closed || !sure.closed {
		t.Error("not closed", err)
	}
}

// What fails natively for good, the engine makes; what is wrong with the texts, or a caller
// that went, is a failure.
func TestCheckedFails(t *testing.T) {
	for _, tt := range []struct {
		fast abi.Code
		want abi.Code
		told int
	}{
		{abi.EngineFailed, "", 1},
		{abi.RequestInvalid, abi.RequestInvalid, 0},
		{abi.Cancelled, abi.Cancelled, 0},
	} {
		fast, sure, told := &lister{number: 7, err: abi.Errorf(tt.fast, "it failed")}, &lister{}, 0
		c := Checked(fast, sure, func(string) { told++ })
		for range 2 {
			list, err := c.Embed(ctx, false, "a", "bb")
			if codeOf(err) != tt.want || err == nil && !slices.Equal(list[1], []int8{2, 0}) {
				t.Errorf("%s: %v, %v", tt.fast, list, err)
			}
		}
		if told != tt.told {
			t.Errorf("%s: told %d times", tt.fast, told)
		}
	}
}

// A task embeds each text once, and none that is known; what is kept is what was made.
func TestTask(t *testing.T) {
	task := NewTask()
	var hashes []Hash
	for i := range 100 {
		hashes = append(hashes, task.Add(strings.Repeat("x", i%50)))
	}
	task.Know(HashOf("xxx"), []int8{9, 9})
	task.Know(HashOf("another"), []int8{8, 8})
	if n := task.Missing(); n != 49 {
		t.Errorf("%d are missing", n)
	}
	e, kept := &lister{}, 0
	if err := task.Run(ctx, e, func(hashes []Hash, vectors [][]int8) error { kept += len(hashes); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(e.asked) != 49 || kept != 49 || task.Missing() != 0 {
		t.Errorf("%d were embedded, %d kept, %d are missing", len(e.asked), kept, task.Missing())
	}
	for i, h := range hashes {
		want := []int8{int8(i % 50), 0}
		if i%50 == 3 {
			want = []int8{9, 9}
		}
		if !slices.Equal(task.Vector(h), want) {
			t.Fatalf("text %d has the vector %v", i, task.Vector(h))
		}
	}
	full := errors.New("full")
	again := NewTask()
	again.Add("y")
	if err := again.Run(ctx, e, func([]Hash, [][]int8) error { return full }); !errors.Is(err, full) {
		t.Error(err)
	}
}
