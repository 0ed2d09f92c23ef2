package embed

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/core/embed/model/modeltest"
	"github.com/rookhaven-project/rookhaven/core/embed/wordpiece"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
)

func newMeter() *meter.Meter { return meter.New(nil, nil) }

func newEncoder(t testing.TB, c model.Config, of func(int64) int64) *Encoder {
	t.Helper()
	m := modeltest.Random(c, of)
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	e, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func vector(t testing.TB, e *Encoder, text string) []int8 {
	t.Helper()
	v, _, err := e.Vector(text, false, newMeter())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var texts = []string{
	"", "crane", "crane tide", "the crane's fog", strings.Repeat("crane fog tide abc ", 40), strings.Repeat("abcabcabc", 10), "新 é … ###", "\x00\xff",
	strings.Repeat("x ", 29), strings.Repeat("x ", 30), strings.Repeat("x ", 31),
}

// A vector depends on its text alone: not on what was embedded before, nor on the
// encoder that did it.
func TestAlone(t *testing.T) {
	e := newEncoder(t, modeltest.Config(), modeltest.Ordinary(1))
	var first [][]int8
	for _, text := range texts {
		first = append(first, vector(t, newEncoder(t, modeltest.Config(), modeltest.Ordinary(1)), text))
	}
	r := rand.New(rand.NewPCG(3, 3))
	for range 100 {
		i := r.IntN(len(texts))
		if got := vector(t, e, texts[i]); !slices.Equal(got, first[i]) {
			t.Fatalf("text %d: another vector than before", i)
		}
	}
}

// The windows of a text are consecutive, of whole words where a word fits, and hold
// all of it.
func TestWindows(t *testing.T) {
	e := newEncoder(t, modeltest.Config(), modeltest.Ordinary(1))
	room := e.model.Window - 2
	for _, text := range texts {
		tokens := e.vocabulary.Append(nil, text)
		for rest := tokens; len(rest) > 0; {
			n := e.fit(rest)
			if n == 0 || n > room || n < len(rest) && !rest[n].First && slices.ContainsFunc(rest[1:n], func(t wordpiece.Token) bool { return t.First }) {
				t.Errorf("%.20q: a window of %d of %d tokens", text, n, len(rest))
				break
			}
			rest = rest[n:]
		}
	}
	long := strings.Repeat("crane fog tide ", 60)
	if slices.Equal(vector(t, e, long), vector(t, e, long+" abc")) {
		t.Error("what stands behind the first windows has no part in the vector")
	}
}

// The kinds of numbers that bounds are proved for: nothing overflows into another
// vector where all are as large as they can be, of one sign or of both, and nothing
// is divided by nothing where they are 0.
func TestExtremes(t *testing.T) {
	for name, of := range map[string]func(int64) int64{
		"largest":  func(most int64) int64 { return most },
		"smallest": func(most int64) int64 { return -most },
		"nothing":  func(int64) int64 { return 0 },
		"one":      func(int64) int64 { return 1 },
	} {
		for _, size := range []struct{ heads, hidden, inner int }{{2, 64, 96}, {32, 1024, 4096}, {2, 128, 2048}} {
			if testing.Short() && size.hidden == 1024 {
				continue
			}
			c := modeltest.Config()
			c.Heads, c.Hidden, c.Inner = size.heads, size.hidden, size.inner
			v := vector(t, newEncoder(t, c, of), "crane tide fog")
			if len(v) != size.hidden {
				t.Errorf("%s: %d components", name, len(v))
			}
		}
	}
}

// Products and scores stay in 31 bits, whatever a model's sizes are.
func TestLimits(t *testing.T) {
	for columns := 32; columns <= model.MaxInner; columns += 32 {
		if n := int64(limitOf(columns)) * 128 * int64(columns); n >= 1<<31 || limitOf(columns) < 2048 {
			t.Errorf("%d columns: a sum of %d", columns, n)
		}
	}
	for _, size := range []int{32, 64} {
		if n := int64(limitOfHeads(size)); n*n*int64(size) >= 1<<31 || n < 4096 {
			t.Errorf("heads of %d: %d", size, n)
		}
	}
}

func TestQuantize(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 0))
		x := make([]int32, 1+r.IntN(40))
		for i := range x {
			x[i] = (1 - 2*int32(r.IntN(2))) * int32(r.IntN(2<<r.IntN(26)))
			x[i] = clamp(int64(x[i]))
		}
		limit := int32(2048 + r.IntN(6144))
		out := make([]int16, len(x))
		f := quantize(out, x, limit)
		greatest := int64(1)
		for _, n := range x {
			greatest = max(greatest, int64(max(n, -n)))
		}
		back, one := make([]int32, 1), model.Linear{Matrix: model.Matrix{Scales: []uint32{1 << 24}}, Bias: make([]int32, 1)}
		for i, n := range out {
			if int32(n) > limit || int32(n) < -limit {
				t.Fatalf("seed %d: %d, the limit is %d", seed, n, limit)
			}
			f.scale(back, []int32{int32(n) * 128}, &one) // as by weights of 128 that stand for ½
			if d := 2*int64(back[0]) - int64(x[i]); d > greatest/int64(limit)+4 || d < -greatest/int64(limit)-4 {
				t.Fatalf("seed %d: %d became %d, the greatest is %d", seed, x[i], 2*back[0], greatest)
			}
		}
	}
}

func TestVectorOf(t *testing.T) {
	for _, tt := range []struct {
		totals []int64
		want   []int8
	}{
		{[]int64{0, 0}, []int8{0, 0}},
		{[]int64{10, -10, 0, 5, -5}, []int8{127, -127, 0, 64, -63}},
		{[]int64{-1 << 40, 1 << 39, 1}, []int8{-127, 64, 0}},
		{[]int64{-3, 1}, []int8{-127, 42}},
	} {
		if got := vectorOf(tt.totals); !slices.Equal(got, tt.want) {
			t.Errorf("%v is %v, want %v", tt.totals, got, tt.want)
		}
	}
}

// A stop word ends a text.
func TestStopWord(t *testing.T) {
	e := newEncoder(t, modeltest.Config(), modeltest.Ordinary(1))
	var stop atomic.Uint32
	stop.Store(1)
	if _, _, err := e.Vector(strings.Repeat("crane fog ", 500), false, meter.New(&stop, nil)); err == nil {
		t.Error("it goes on")
	}
	vector(t, e, "crane")
}
