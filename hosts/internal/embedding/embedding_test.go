package embedding

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

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
