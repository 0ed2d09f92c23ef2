package cosine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/decompose"
	"github.com/rookhaven-project/rookhaven/core/internal/fixed"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func build(t testing.TB, texts ...string) *Index {
	t.Helper()
	b := NewBuilder(1, 0, meter.NewAccount(0), meter.New(nil, nil))
	for _, s := range texts {
		if err := b.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	x, err := b.Index()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func score(t testing.TB, x *Index, query string) map[int]fixed.Score {
	t.Helper()
	scores := map[int]fixed.Score{}
	err := NewScan(x).Need(decompose.Of(query), meter.New(nil, nil), func(m Match) { scores[m.Doc] = m.Score() })
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

var scoreTests = []struct {
	name, query, text string
	want              fixed.Score
}{
	{"the same words in any order", "crane faults", "Faults, crane!", fixed.One},
	{"the same proportions", "crane faults", "crane crane faults faults", fixed.One},
	{"one of two words in a document of four", "crane faults", "crane maintenance for berth 7", 353553391},
	{"nothing shared", "crane", "tide windows", 0},
	{"stop words count for nothing", "the crane", "crane of the", fixed.One},
	{"an empty document", "crane", "", 0},
	{"an empty need", "the", "the crane", 0},
	{"folded words", "CRANE straße", "crane STRASSE", fixed.One},
	{"repeated words weigh more", "crane crane tide", "crane tide", 948683298},
}

func TestScore(t *testing.T) {
	for _, tt := range scoreTests {
		if got := score(t, build(t, "something else", tt.text), tt.query)[1]; got != tt.want {
			t.Errorf("%s: score(%q, %q) = %d, want %d", tt.name, tt.query, tt.text, got, tt.want)
		}
	}
}

var vocabulary = strings.Fields("crane berth tide fog brake rope pilot quay ferry the of and lamp buoy seal wreck dredge")

func words(r *rand.Rand, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = vocabulary[r.IntN(len(vocabulary))]
	}
	return strings.Join(list, " ")
}

// An index finds each document that a plain comparison of counts finds, with
// the same score, and no other; its explanation completes the score.
func TestIndexEqualsScan(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		texts := make([]string, r.IntN(30))
		for i := range texts {
			texts[i] = words(r, r.IntN(12))
		}
		x, need := build(t, texts...), decompose.Of(words(r, 1+r.IntN(6)))
		got := score(t, x, need.Text)
		for i, s := range texts {
			want := plain(need, decompose.Of(s))
			if got[i] != want {
				t.Fatalf("seed %d: %q in %q has %d, want %d", seed, need.Text, s, got[i], want)
			}
			if _, found := got[i]; found != (want > 0) {
				t.Fatalf("seed %d: document %d of score %d: found is %v", seed, i, want, found)
			}
			explained(t, x, need, i, want)
		}
	}
}

func plain(need, doc decompose.Need) fixed.Score {
	var dot uint64
	for _, q := range need.Terms {
		for _, d := range doc.Terms {
			if q.Text == d.Text {
				dot += uint64(q.Count * d.Count)
			}
		}
	}
	return fixed.Cosine(dot, Norm(need), Norm(doc))
}

func explained(t *testing.T, x *Index, need decompose.Need, doc int, want fixed.Score) {
	t.Helper()
	products, norm := x.Explain(need, doc)
	var dot uint64
	for _, p := range products {
		dot += uint64(p.Query * p.Document)
	}
	if got := fixed.Cosine(dot, Norm(need), norm); got != want {
		t.Fatalf("the explanation gives %d, the score is %d", got, want)
	}
}

func TestExplainIsScore(t *testing.T) {
	x := build(t, "crane crane brake of crane 3", "tide")
	need := decompose.Of("brake of the crane")
	products, norm := x.Explain(need, 0)
	want := []Product{{"brake", 1, 1}, {"crane", 1, 3}}
	if fmt.Sprint(products) != fmt.Sprint(want) || norm != 11 {
		t.Errorf("Explain = %v and %d, want %v and 11", products, norm, want)
	}
}

func TestBuilderKeepsWithinItsAccount(t *testing.T) {
	a := meter.NewAccount(1000)
	b := NewBuilder(1, 0, a, meter.New(nil, nil))
	var err error
	for i := 0; err == nil; i++ {
		err = b.Add(fmt.Sprint("word", i))
	}
	if e, ok := err.(*abi.Error); !ok || e.Code != abi.OverBudget || a.Used() != b.Taken() || a.Used() > 1000 {
		t.Errorf("error %v with %d of 1000 bytes in use, %d taken", err, a.Used(), b.Taken())
	}
}

func TestStopWordEndsBuildAndScan(t *testing.T) {
	var stop atomic.Uint32
	b := NewBuilder(1, 0, meter.NewAccount(0), meter.New(&stop, nil))
	if err := b.Add(strings.Repeat("crane tide ", 50000)); err != nil {
		t.Fatal(err)
	}
	stop.Store(1)
	if err := b.Add(strings.Repeat("crane tide ", 50000)); err == nil {
		t.Error("building went on")
	}
}

func BenchmarkBuild(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	s := words(r, 100)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		builder := NewBuilder(1, 0, meter.NewAccount(0), meter.New(nil, nil))
		for range 100 {
			_ = builder.Add(s)
		}
	}
}
