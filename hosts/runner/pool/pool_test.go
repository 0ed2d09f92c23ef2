package pool_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/runnertest"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

var ctx = context.Background()

// shared is one compiled engine for all tests; it lives as long as they do.
var shared = sync.OnceValues(func() (runner.Runner, error) {
	engine, _, ok := artifact.Built()
	if !ok {
		return nil, nil
	}
	return wazero.Open(ctx, engine, wazero.Config{})
})

func open(t testing.TB) runner.Runner {
	t.Helper()
	r, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	if r == nil {
		t.Skip("no engine is built in: run make build")
	}
	return r
}

var names = abi.Names{Engine: "engine:case"}

func corpus(t testing.TB, r runner.Runner, shards int, documents [][]byte) *pool.Corpus {
	t.Helper()
	p, err := pool.Open(ctx, r, pool.Config{Shards: shards}, names, documents)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return p
}

var words = strings.Fields("berth crane tide harbour pilot mooring ledger manifest customs rope gale buoy lantern anchor dredge quay the of and a")

// documents makes n documents. Some texts and some keys occur twice.
func documents(n int) [][]byte {
	r := rand.New(rand.NewPCG(7, 7))
	var list [][]byte
	text := ""
	for i := range n {
		if i%5 != 1 {
			text = ""
			for range 3 + r.IntN(12) {
				text += words[r.IntN(len(words))] + " "
			}
		}
		list = append(list, fmt.Appendf(nil, `{"id":"d%d","text":%q,"path":"p/%d","title":"T%d"}`, i, text, i/2, i))
	}
	return list
}

func shuffled(list [][]byte, seed uint64) [][]byte {
	list = slices.Clone(list)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

var requests = []string{
	`{"query":"crane faults and tide windows"}`,
	`{"query":"crane","recallBudget":1}`,
	`{"query":"pilot; mooring; customs","recallBudget":7,"explain":true,"fill":true,"text":"snippet"}`,
	`{"query":"x","needs":["gale","gale","anchor rope"],"recallBudget":100,"seed":"","representation":"seed","text":"full"}`,
	`{"query":"the of and"}`,
	`{"query":"zeppelin"}`,
	`{"query":"scores","needs":["a"],"scores":[{"d1":5,"d2":5,"d30":7}]}`,
	// Refused, each in its own words.
	`{"query":"scores","needs":["a"],"scores":[{"nobody":5}]}`,
	`{"query":""}`, `{"query":1}`, `{"quer":"a"}`, `{`, `[]`, `{"query":"a"},"handle":2`, `{"query":"a"}}`, "\xff", ``,
	`{"query":"a","recallBudget":0}`, `{"query":"a","workLimit":1}`, `{"query":"a","needs":[]}`,
	`{"query":"a","profile":"none"}`, `{"query":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`,
}

type outcome struct{ reply, failure string }

func ask(p *pool.Corpus, request string) outcome {
	reply, _, err := p.Retrieve(ctx, []byte(request))
	return outcome{string(reply), fmt.Sprint(err)}
}

func TestShardsChangeNothing(t *testing.T) {
	r := open(t)
	for _, n := range []int{0, 1, 3, 60} {
		docs := documents(n)
		one := corpus(t, r, 1, docs)
		for _, shards := range []int{1, 2, 5} {
			for seed := range uint64(2) {
				p := corpus(t, r, shards, shuffled(docs, seed))
				where := fmt.Sprintf("%d documents, %d shards, seed %d", n, shards, seed)
				if p.Root() != one.Root() {
					t.Errorf("%s: root %s, want %s", where, p.Root(), one.Root())
				}
				if got, want := string(p.Leaves()), string(one.Leaves()); got != want {
					t.Errorf("%s: leaves %s, want %s", where, got, want)
				}
				for _, request := range requests {
					if got, want := ask(p, request), ask(one, request); got != want {
						t.Errorf("%s: %.80s\n got %+v\nwant %+v", where, request, got, want)
					}
				}
			}
		}
	}
}

func TestReplay(t *testing.T) {
	r := open(t)
	docs := documents(40)
	one := corpus(t, r, 1, docs)
	stored, _, err := one.Retrieve(ctx, []byte(requests[2]))
	if err != nil {
		t.Fatal(err)
	}
	altered := []byte(strings.Replace(string(stored), `"rank":1`, `"rank":2`, 1))
	for _, shards := range []int{1, 3} {
		same, other := corpus(t, r, shards, shuffled(docs, 3)), corpus(t, r, shards, docs[1:])
		for _, c := range []struct {
			name     string
			in       *pool.Corpus
			stored   []byte
			verdicts []string
		}{
			{"the same documents", same, stored, []string{`"verdict":"MATCH"`}},
			{"an altered reply", same, altered, []string{`"verdict":"MISMATCH"`, `"at":"`}},
			{"a document less", other, stored, []string{`"verdict":"UNVERIFIABLE"`, `"missing":"corpus"`, `"document":"d0"`}},
		} {
			out, err := c.in.Replay(ctx, c.stored, one.Leaves())
			for _, v := range c.verdicts {
				if err != nil || !strings.Contains(string(out), v) {
					t.Errorf("%d shards, %s: %s %v, want %s", shards, c.name, out, err, v)
				}
			}
		}
		if _, err := same.Replay(ctx, []byte(`{},"handle":1`), nil); runnertest.Code(err) != abi.JSONInvalid {
			t.Errorf("a reply that is not one value: %v", err)
		}
	}
}

// A failure to open is worded as if there were one instance.
func TestOpenFailures(t *testing.T) {
	r := open(t)
	docs := documents(12)
	for name, documents := range map[string][][]byte{
		"an empty id": append(slices.Clone(docs), []byte(`{"id":"","text":""}`)),
		"an id twice": append(slices.Clone(docs), docs[0]),
		"no JSON":     append(slices.Clone(docs), []byte(`{`)),
		"no text":     append(slices.Clone(docs), []byte(`{"id":"x"}`)),
		"no document": append(slices.Clone(docs), []byte(`[]`)),
		"two in one":  append(slices.Clone(docs), []byte(`{"id":"x","text":""},{"id":"y","text":""}`)),
	} {
		_, one := pool.Open(ctx, r, pool.Config{Shards: 1}, names, documents)
		_, many := pool.Open(ctx, r, pool.Config{Shards: 3}, names, documents)
		if one == nil || fmt.Sprint(one) != fmt.Sprint(many) {
			t.Errorf("%s: one shard %v, three %v", name, one, many)
		}
	}
	if _, err := pool.Open(ctx, r, pool.Config{}, abi.Names{}, docs); runnertest.Code(err) != abi.RequestInvalid {
		t.Errorf("without a name for the engine: %v", err)
	}
}

func TestConcurrent(t *testing.T) {
	r := open(t)
	p := corpus(t, r, 2, documents(60))
	want := make([]outcome, len(requests))
	for i, request := range requests {
		want[i] = ask(p, request)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i, request := range requests {
				if got := ask(p, request); got != want[i] {
					t.Errorf("%.80s\n got %+v\nwant %+v", request, got, want[i])
				}
			}
		})
	}
	wg.Wait()
}

// A frail runner's instances die on demand.
type frail struct {
	runner.Runner
	kill    atomic.Bool
	started atomic.Int64
}

func (f *frail) Instance(ctx context.Context) (runner.Instance, error) {
	f.started.Add(1)
	i, err := f.Runner.Instance(ctx)
	return &mortal{Instance: i, of: f}, err
}

type mortal struct {
	runner.Instance
	of   *frail
	dead bool
}

func (m *mortal) Call(ctx context.Context, e abi.Export, in ...[]byte) ([]byte, error) {
	m.dead = m.dead || e != abi.Open && m.of.kill.CompareAndSwap(true, false)
	if m.dead {
		return nil, &abi.Error{Code: abi.EngineFailed, Sentence: "killed"}
	}
	return m.Instance.Call(ctx, e, in...)
}

func TestDeadInstanceIsReplaced(t *testing.T) {
	f := &frail{Runner: open(t)}
	for _, shards := range []int{1, 3} {
		p := corpus(t, f, shards, documents(30))
		want := ask(p, requests[0])
		for range 3 {
			started := f.started.Load()
			f.kill.Store(true)
			if _, _, err := p.Retrieve(ctx, []byte(requests[0])); runnertest.Code(err) != abi.EngineFailed {
				t.Errorf("%d shards: a killed instance answers %v", shards, err)
			}
			if got := ask(p, requests[0]); got != want {
				t.Errorf("%d shards: afterwards %+v, want %+v", shards, got, want)
			}
			if n := f.started.Load() - started; n != 1 {
				t.Errorf("%d shards: %d instances were started for one", shards, n)
			}
		}
	}
}

func TestCancel(t *testing.T) {
	p := corpus(t, open(t), 2, documents(30))
	want := ask(p, requests[0])
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := p.Retrieve(gone, []byte(requests[0])); runnertest.Code(err) != abi.Cancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if got := ask(p, requests[0]); got != want {
		t.Errorf("afterwards %+v, want %+v", got, want)
	}
}

// A corpus that is being closed answers those who hold it, and nobody afterwards.
func TestCloseWaits(t *testing.T) {
	p := corpus(t, open(t), 2, documents(30))
	want := ask(p, requests[0])
	release, ok := p.Hold()
	if !ok {
		t.Fatal("an open corpus cannot be held")
	}
	soon, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
	defer cancel()
	if err := p.Close(soon); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Close while it is held: %v", err)
	}
	if _, ok := p.Hold(); ok {
		t.Error("a corpus that is being closed can be held")
	}
	for range 2 {
		if got := ask(p, requests[0]); got != want {
			t.Errorf("who holds it is answered %+v, want %+v", got, want)
		}
	}
	release()
	release()
	if err := p.Close(ctx); err != nil || p.Memory() != 0 {
		t.Errorf("Close afterwards: %v, %d bytes are held", err, p.Memory())
	}
	if _, _, err := p.Retrieve(ctx, []byte(requests[0])); runnertest.Code(err) != abi.HandleUnknown {
		t.Errorf("a request afterwards: %v", err)
	}
}

func TestTimings(t *testing.T) {
	p := corpus(t, open(t), 2, documents(30))
	_, timings, err := p.Retrieve(ctx, []byte(requests[0]))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range timings.Spans {
		seen[s.Export] = true
		if s.From > s.To || s.To > timings.Total || s.Shard < 0 || s.Shard > 1 {
			t.Errorf("span %+v of %v", s, timings.Total)
		}
	}
	if !seen["plan"] || !seen["partial"] || !seen["merge"] {
		t.Errorf("spans %+v", timings.Spans)
	}
}

func TestAsk(t *testing.T) {
	p := corpus(t, open(t), 2, documents(3))
	if out, err := p.Describe(ctx); err != nil || !strings.Contains(string(out), `"abi":1`) {
		t.Errorf("Describe: %s %v", out, err)
	}
	if out, err := p.Decompose(ctx, []byte(requests[0])); err != nil || !strings.Contains(string(out), `"subqueries"`) {
		t.Errorf("Decompose: %s %v", out, err)
	}
	if p.Documents() != 3 {
		t.Errorf("Documents() = %d", p.Documents())
	}
}

var splitTests = []struct {
	name, in string
	want     []string
	code     abi.Code
}{
	{"none", ` [ ] `, nil, ""},
	{"spaces stay outside", ` [ {"a":1} ,{"b":[2]}]`, []string{`{"a":1}`, `{"b":[2]}`}, ""},
	{"not an array", `{}`, nil, abi.RequestInvalid},
	{"cut short", `[{}`, nil, abi.JSONInvalid},
	{"something behind", `[{}]1`, nil, abi.JSONInvalid},
	{"empty", ``, nil, abi.JSONInvalid},
}

func TestSplit(t *testing.T) {
	for _, tt := range splitTests {
		list, err := pool.Split([]byte(tt.in))
		var got []string
		for _, d := range list {
			got = append(got, string(d))
		}
		if !slices.Equal(got, tt.want) || runnertest.Code(err) != tt.code {
			t.Errorf("%s: Split(%s) = %q, %v", tt.name, tt.in, got, err)
		}
	}
}

func BenchmarkRetrieve(b *testing.B) {
	r := open(b)
	for _, n := range []int{1000, 5000, 20000} {
		docs := documents(n)
		for _, shards := range []int{1, 2} {
			b.Run(fmt.Sprintf("documents=%d/shards=%d", n, shards), func(b *testing.B) {
				p := corpus(b, r, shards, docs)
				for b.Loop() {
					if _, _, err := p.Retrieve(ctx, []byte(requests[0])); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
