package library

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
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

// engine returns a runner whose engine has an index.
func engine(t testing.TB) runner.Runner {
	t.Helper()
	r, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	if r == nil {
		t.Skip("no engine is built in: run make build")
	}
	i, err := r.Instance(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = i.Close(ctx) }()
	if _, err := i.Call(ctx, abi.Build); code(err) == abi.ExportUnknown {
		t.Skip("the engine that is built in has no index: run make build")
	}
	return r
}

var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// clock returns a clock that goes on by a minute whenever it is asked.
func clock() func() time.Time {
	now := start
	return func() time.Time {
		now = now.Add(time.Minute)
		return now
	}
}

func options(t testing.TB, fsys disk.FS) Options {
	return Options{Folder: "/data", Disk: fsys, Runner: engine(t), Clock: clock(), Command: "rookhaven index"}
}

func open(t testing.TB, o Options) *Library {
	t.Helper()
	l := Open(o)
	t.Cleanup(func() {
		if err := l.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return l
}

func synced(t testing.TB, l *Library, documents [][]byte) Change {
	t.Helper()
	c, err := l.Sync(ctx, documents, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func want(t testing.TB, what string, err error, want abi.Code) {
	t.Helper()
	if code(err) != want || err != nil && want == "" {
		t.Errorf("%s: %v, want %q", what, err, want)
	}
}

var words = strings.Fields("berth crane tide harbour pilot mooring ledger manifest customs rope gale buoy lantern anchor dredge quay the of and a")

// note makes version v of document n. Texts repeat, so that there are ties.
func note(n, v int) []byte {
	r := rand.New(rand.NewPCG(uint64(n/2), uint64(v)))
	text := ""
	for range 3 + r.IntN(20) {
		text += words[r.IntN(len(words))] + " "
	}
	return fmt.Appendf(nil, `{"id":"n%03d","text":%q,"path":"notes/%d.md","title":%q,"metadata":{"year":%d}}`, n, text+"INV-00"+fmt.Sprint(n%7), n, words[n%len(words)], 2000+n%9)
}

func notes(n int) [][]byte {
	var list [][]byte
	for i := range n {
		list = append(list, note(i, 0))
	}
	return list
}

var requests = []string{
	`{"query":"crane","explain":true,"limit":50}`, `{"query":"crane tide -gale","count":true}`, `{"query":"\"harbour pilot\""}`, `{"query":"moor* qua*"}`,
	`{"query":"lanterm"}`, `{"query":"INV-004"}`, `{"query":"rope","filters":{"year":{"gte":2004}}}`, `{"query":"the of"}`, `{"query":"zeppelin"}`,
	`{"query":"buoy anchor","collapse":"document","expand":{"type":"section"}}`, `{"query":"ledger","profile":"journal","text":"full"}`,
}

// answers returns what a search of each of the requests says.
func answers(t testing.TB, search func(request []byte) ([]byte, error)) []string {
	t.Helper()
	var list []string
	for _, request := range requests {
		reply, err := search([]byte(request))
		if err != nil {
			t.Fatalf("%s: %v", request, err)
		}
		list = append(list, string(reply))
	}
	return list
}

func answersOf(t testing.TB, l *Library, asOf string) []string {
	t.Helper()
	return answers(t, func(request []byte) ([]byte, error) {
		reply, _, err := l.Search(ctx, asOf, request)
		return reply, err
	})
}

// built returns the answers of an index that is built at once from documents.
func built(t testing.TB, settings abi.Settings, documents [][]byte) []string {
	t.Helper()
	r := engine(t)
	var list []pool.Segment
	err := pool.Build(ctx, r, settings, documents, func(_ int, b pool.Built) error {
		list = append(list, pool.Kept(bytes.Clone(b.Bytes), nil))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	x, err := pool.OpenIndex(ctx, r, pool.Config{Shards: 1}, abi.Names{Engine: r.Engine()}, settings, list)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close(ctx) }()
	return answers(t, func(request []byte) ([]byte, error) {
		reply, _, err := x.Search(ctx, request)
		return reply, err
	})
}

func same(t testing.TB, where string, got, want []string) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: %s\n got %s\nwant %s", where, requests[i], got[i], want[i])
		}
	}
}

// Whatever was added, changed, removed, added again and merged before, the index
// answers as one that was built at once.
func TestSync(t *testing.T) {
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 9))
		m := disktest.NewMemory()
		o := options(t, m)
		o.Shards = int(seed)
		l := open(t, o)
		versions := map[int]int{}
		merged, published := 0, int64(0)
		for step := range 16 {
			before := maps.Clone(versions)
			for range 1 + r.IntN(12) {
				switch n := r.IntN(60); {
				case r.IntN(3) > 0:
					versions[n] = r.IntN(3)
				default:
					delete(versions, n)
				}
			}
			var list [][]byte
			for n, v := range versions {
				list = append(list, note(n, v))
			}
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			c := synced(t, l, list)
			where := fmt.Sprintf("seed %d, step %d, generation %d", seed, step, c.Generation.Number)
			if want := counted(before, versions); c.Added != want.Added || c.Changed != want.Changed || c.Removed != want.Removed || c.Kept != want.Kept {
				t.Errorf("%s: %+v, want %+v", where, c, want)
			}
			if c.Published {
				published++
			}
			if c.Generation.Number != published || c.Generation.Documents != int64(len(list)) {
				t.Errorf("%s: %d documents, want %d of %d", where, c.Generation.Documents, len(list), published)
			}
			merged += c.Merged
			want := built(t, abi.DefaultSettings(), list)
			same(t, where, answersOf(t, l, ""), want)
			if step%5 == 0 { // as the next process finds it
				same(t, where+", opened anew", answersOf(t, open(t, o), ""), want)
			}
		}
		if merged < 9 {
			t.Errorf("seed %d: %d segments were merged", seed, merged)
		}
		if r, err := l.Check(ctx); err != nil || !r.Sound() {
			t.Errorf("seed %d: %+v, %v", seed, r, err)
		}
	}
}

func counted(before, after map[int]int) (c Change) {
	for n, v := range after {
		switch old, known := before[n]; {
		case !known:
			c.Added++
		case bytes.Equal(note(n, old), note(n, v)):
			c.Kept++
		default:
			c.Changed++
		}
	}
	for n := range before {
		if _, stays := after[n]; !stays {
			c.Removed++
		}
	}
	return c
}

// A second time nothing is published, in whatever order and spelling the documents come.
func TestNothingChanged(t *testing.T) {
	l := open(t, options(t, disktest.NewMemory()))
	docs := notes(10)
	first := synced(t, l, docs)
	slices.Reverse(docs)
	docs[3] = []byte(strings.Replace(string(docs[3]), `"title":`, ` "title" : `, 1))
	if c := synced(t, l, docs); c.Published || c.Kept != 10 || c.Generation.Ref != first.Generation.Ref {
		t.Errorf("%+v", c)
	}
	if c := synced(t, l, nil); !c.Published || c.Removed != 10 || len(c.Generation.Segments) != 0 {
		t.Errorf("without documents: %+v", c)
	}
	if got := answersOf(t, l, "")[0]; !strings.Contains(got, `"reason":"empty_corpus"`) {
		t.Errorf("without documents: %s", got)
	}
}

// X02: what is built at once has the same segments in any order, and so it has after
// changes once it is rebuilt or, where it fits into one segment, compacted.
func TestSameBytes(t *testing.T) {
	docs := notes(40)
	names := func(c Change) (list []string) {
		for _, s := range c.Generation.Segments {
			list = append(list, s.Name+s.Tombstones)
		}
		return list
	}
	l := open(t, options(t, disktest.NewMemory()))
	first := synced(t, l, docs)
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 0))
		r.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
		other := open(t, options(t, disktest.NewMemory()))
		if c := synced(t, other, docs); !slices.Equal(names(c), names(first)) || c.Generation.Root != first.Generation.Root {
			t.Errorf("seed %d: segments %q, want %q", seed, names(c), names(first))
		}
		if seed > 1 {
			continue
		}
		synced(t, other, docs[5:])
		if c := synced(t, other, docs); slices.Equal(names(c), names(first)) {
			t.Errorf("seed %d: documents that came back left no trace, and there is nothing to test", seed)
		}
		remake := other.Compact
		if seed == 0 {
			remake = func(ctx context.Context) (Change, error) { return other.Rebuild(ctx, docs) }
		}
		c, err := remake(ctx)
		if err != nil || !slices.Equal(names(c), names(first)) {
			t.Errorf("seed %d: afterwards %q, want %q (%v)", seed, names(c), names(first), err)
		}
	}
}

// X70: a generation answers by its number, its root and its time what it answered
// when it was current.
func TestAsOf(t *testing.T) {
	m := disktest.NewMemory()
	l := open(t, options(t, m))
	docs := notes(30)
	var generations []index.Generation
	var then [][]string
	for _, list := range [][][]byte{docs[:20], docs[5:], append([][]byte{note(3, 1)}, docs[10:]...)} {
		generations = append(generations, synced(t, l, list).Generation)
		then = append(then, answersOf(t, l, ""))
	}
	fresh := open(t, options(t, m))
	for i, g := range generations {
		for _, asOf := range []string{fmt.Sprint(g.Number), g.Root, g.Created.Add(time.Second).Format(time.RFC3339)} {
			same(t, "as of "+asOf, answersOf(t, l, asOf), then[i])
			same(t, "as of "+asOf+", opened anew", answersOf(t, fresh, asOf), then[i])
		}
	}
	same(t, "afterwards", answersOf(t, l, ""), then[2])
	for asOf, code := range map[string]abi.Code{"4": index.Unknown, start.Format(time.RFC3339): index.Unknown, "yesterday": abi.ArgumentInvalid} {
		_, _, err := l.Search(ctx, asOf, []byte(requests[0]))
		want(t, "as of "+asOf, err, code)
	}
	kept, err := l.Generations()
	if err != nil || len(kept) != 3 || kept[0].Ref != generations[2].Ref {
		t.Errorf("Generations() = %+v, %v", kept, err)
	}
}

// Who holds a generation is answered from it, and every answer is one generation's,
// while others are published by this process and by another one.
func TestReaders(t *testing.T) {
	m := disktest.NewMemory()
	l, other := open(t, options(t, m)), open(t, options(t, m))
	docs := notes(40)
	synced(t, l, docs[:10])
	e, release, err := l.Edition(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	first, _, err := e.Index.Search(ctx, []byte(requests[0]))
	if err != nil {
		t.Fatal(err)
	}
	replies := make([][][]byte, 3)
	over := make(chan struct{})
	var wg sync.WaitGroup
	for i := range replies {
		wg.Go(func() {
			for done := false; !done; {
				select {
				case <-over:
					done = true
				default:
				}
				reply, _, err := l.Search(ctx, "", []byte(requests[0]))
				if err != nil {
					t.Error(err)
					return
				}
				replies[i] = append(replies[i], reply)
			}
		})
	}
	known := map[string]bool{string(first): true}
	for n := 15; n <= 40; n += 5 {
		writer := []*Library{l, other}[n/5%2]
		synced(t, writer, docs[:n])
		known[answersOf(t, writer, "")[0]] = true
	}
	last := answersOf(t, other, "")[0]
	close(over)
	wg.Wait()
	for i, list := range replies {
		for n, reply := range list {
			if !known[string(reply)] {
				t.Errorf("reader %d, reply %d is no generation's: %s", i, n, reply)
			}
		}
		if got := list[len(list)-1]; string(got) != last {
			t.Errorf("reader %d ends with %s\nwant %s", i, got, last)
		}
	}
	if again, _, err := e.Index.Search(ctx, []byte(requests[0])); err != nil || !bytes.Equal(again, first) {
		t.Errorf("the first generation answers %s, %v\nbefore %s", again, err, first)
	}
	release()
}

// Another engine answers nothing from segments that are not its own, and builds
// nothing on them.
func TestX20AnotherEngine(t *testing.T) {
	m := disktest.NewMemory()
	l := open(t, options(t, m))
	docs := notes(12)
	synced(t, l, docs)
	synced(t, l, docs[2:])
	now := answersOf(t, l, "")
	o := options(t, m)
	o.Runner = &renamed{o.Runner, "sha256:" + strings.Repeat("5", 64)}
	other := open(t, o)
	for _, asOf := range []string{"", "1"} {
		_, _, err := other.Search(ctx, asOf, []byte(requests[0]))
		want(t, "a search as of "+asOf, err, abi.SegmentVersion)
		if err == nil || !strings.Contains(err.Error(), o.Runner.Engine()) || !strings.Contains(err.Error(), l.Runner.Engine()) || !strings.Contains(err.Error(), "--rebuild") {
			t.Errorf("the sentence is %v", err)
		}
	}
	_, err := other.Sync(ctx, docs, nil)
	want(t, "Sync", err, abi.SegmentVersion)
	report, err := other.Check(ctx)
	if err != nil || code(report.Engine) != abi.SegmentVersion || report.Sound() || !report.Report.Sound() {
		t.Errorf("Check: %+v, %v", report, err)
	}
	same(t, "the first engine", answersOf(t, l, ""), now)
	c, err := other.Compact(ctx)
	if err != nil || c.Generation.Engine != o.Runner.Engine() || c.Generation.Documents != 10 {
		t.Fatalf("Compact: %+v, %v", c, err)
	}
	digests := func(list []string) (out []string) {
		for _, s := range list {
			_, hits, _ := strings.Cut(s, `"hits":`)
			out = append(out, hits)
		}
		return out
	}
	same(t, "compacted", digests(answersOf(t, other, "")), digests(now))
	_, _, err = l.Search(ctx, "", []byte(requests[0]))
	want(t, "the first engine afterwards", err, abi.SegmentVersion)
	same(t, "the first engine, as of 2", answersOf(t, l, "2"), now)
}

// renamed is an engine that is called otherwise.
type renamed struct {
	runner.Runner
	name string
}

func (r *renamed) Engine() string { return r.name }

// Other settings than those of the index are refused; a rebuild takes them.
func TestOtherSettings(t *testing.T) {
	m := disktest.NewMemory()
	o := options(t, m)
	l := open(t, o)
	docs := notes(12)
	synced(t, l, docs)
	synced(t, l, docs[2:])
	whole := abi.DefaultSettings()
	whole.Language = "none"
	o.Settings = &whole
	other := open(t, o)
	_, _, err := other.Search(ctx, "", []byte(requests[0]))
	want(t, "a search", err, abi.SettingsInvalid)
	if err == nil || !strings.Contains(err.Error(), `language is "en" in the index in /data, and "none" was asked for`) || !strings.Contains(err.Error(), "--rebuild") {
		t.Errorf("the sentence is %v", err)
	}
	_, err = other.Sync(ctx, docs, nil)
	want(t, "Sync", err, abi.SettingsInvalid)
	expected := built(t, whole, docs[2:])
	for name, remake := range map[string]func() (Change, error){
		"Rebuild": func() (Change, error) { return other.Rebuild(ctx, docs[2:]) },
		"Compact": func() (Change, error) { return other.Compact(ctx) },
	} {
		if _, err := open(t, Options{Folder: o.Folder, Disk: m, Runner: o.Runner, Clock: o.Clock, Settings: ptr(abi.DefaultSettings())}).Rebuild(ctx, docs[2:]); err != nil {
			t.Fatal(err)
		}
		c, err := remake()
		if err != nil || !strings.Contains(string(c.Generation.Settings), `"language":"none"`) {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
		same(t, name, answersOf(t, other, ""), expected)
		same(t, name+", with no settings asked for", answersOf(t, l, ""), expected)
	}
	if c := synced(t, l, docs); !strings.Contains(string(c.Generation.Settings), `"language":"none"`) {
		t.Errorf("with no settings asked for, Sync builds with %s", c.Generation.Settings)
	}
}

func ptr[T any](v T) *T { return &v }

// Who writes while another does is told who it is, and changes nothing.
func TestTwoWriters(t *testing.T) {
	m := disktest.NewMemory()
	l, other := open(t, options(t, m)), open(t, options(t, m))
	docs := notes(6)
	synced(t, l, docs)
	w, err := index.Open("/data", m).TryLock("rookhaven serve")
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func() error{
		"Sync":    func() error { _, err := other.Sync(ctx, docs[1:], nil); return err },
		"Rebuild": func() error { _, err := other.Rebuild(ctx, docs[1:]); return err },
		"Compact": func() error { _, err := other.Compact(ctx); return err },
		"Prune":   func() error { _, err := other.Prune(); return err },
	} {
		err := write()
		want(t, name, err, abi.DataLocked)
		if err == nil || !strings.Contains(err.Error(), "rookhaven serve") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if c := synced(t, other, docs[1:]); c.Generation.Number != 2 || c.Removed != 1 {
		t.Errorf("%+v", c)
	}
	if c := synced(t, l, docs); c.Generation.Number != 3 || c.Added != 1 { // though the other one published
		t.Errorf("%+v", c)
	}
}

func TestRefused(t *testing.T) {
	m := disktest.NewMemory()
	l := open(t, options(t, m))
	_, _, err := l.Search(ctx, "", []byte(requests[0]))
	want(t, "a search of nothing", err, index.Absent)
	_, err = l.Check(ctx)
	want(t, "a check of nothing", err, index.Absent)
	_, err = l.Compact(ctx)
	want(t, "nothing compacted", err, index.Absent)
	_, err = l.Prune()
	want(t, "nothing pruned", err, index.Absent)
	if len(m.Files()) > 0 {
		t.Errorf("this made %v", m.Files())
	}
	for _, tt := range []struct {
		name, in string
		want     string
	}{
		{"no JSON", `{`, "JSON_INVALID: document 1: "},
		{"no text", `{"id":"a"}`, "CORPUS_INVALID: document 1: "},
		{"two in one", `{"id":"a","text":""},{"id":"b","text":""}`, "CORPUS_INVALID: document 1: it is 2 documents"},
		{"an id twice", string(note(0, 1)), `CORPUS_INVALID: the id "n000" is that of two documents`},
	} {
		if _, err := l.Sync(ctx, [][]byte{note(0, 0), []byte(tt.in)}, nil); !strings.HasPrefix(fmt.Sprint(err), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	ended, end := context.WithCancel(ctx)
	end()
	_, err = l.Sync(ended, notes(3), nil)
	want(t, "after the context ended", err, abi.Cancelled)
	_, err = l.Generations()
	want(t, "afterwards", err, index.Absent)
	synced(t, l, notes(3))
	_, _, err = open(t, options(t, m)).Search(ended, "", []byte(requests[0]))
	want(t, "a search after the context ended", err, abi.Cancelled)
}

// Whichever call of the disk fails, or sees the power go, the index answers as before
// or as after, and the next Sync succeeds.
func TestFaults(t *testing.T) {
	docs := notes(9)
	first, second := docs[:8], append([][]byte{note(0, 1), note(1, 1), note(2, 1)}, docs[4:]...)
	before, after := built(t, abi.DefaultSettings(), first), built(t, abi.DefaultSettings(), second)
	step := 1
	if testing.Short() {
		step = 7
	}
	for at := 1; ; at += step {
		m := disktest.NewMemory()
		o := options(t, m)
		synced(t, open(t, o), first)
		var fsys disk.FS = m
		var hit func() (call string, hit bool)
		if at%3 == 0 {
			m.CrashAt(at, 1)
			hit = func() (string, bool) { return fmt.Sprintf("crash at call %d", at), m.Crashed() }
		} else {
			faulty := disktest.NewFaulty(m, disktest.Fault{At: at, Err: errors.New("input/output error"), Late: at%3 == 1})
			fsys, hit = faulty, faulty.Hit
		}
		o.Disk = fsys
		l := Open(o)
		_, err := l.Sync(ctx, second, nil)
		want(t, "Close", l.Close(ctx), "")
		call, is := hit()
		if !is {
			if want(t, "without a fault", err, ""); at < 30 {
				t.Errorf("Sync makes %d calls of the disk", at)
			}
			return
		}
		if err != nil && code(err) == "" {
			t.Errorf("%s fails with %v", call, err)
		}
		if at%3 == 0 {
			m = m.Restart(1)
		}
		o.Disk = m
		l = open(t, o)
		got, expected := answersOf(t, l, ""), before
		if got[0] == after[0] {
			expected = after
		} else if err == nil {
			t.Errorf("%s: Sync succeeded, and the index is the old one", call)
		}
		same(t, call, got, expected)
		synced(t, l, second)
		same(t, call+", and again", answersOf(t, l, ""), after)
		want(t, "Close", l.Close(ctx), "")
	}
}

// What is damaged on the disk is told and never served: the newest generation that is
// whole answers, or none. A sync mends what it can, whatever the documents are by then,
// and gives no number again; a rebuild mends the rest.
func TestDamaged(t *testing.T) {
	whole := disktest.NewMemory()
	l := open(t, options(t, whole))
	docs := notes(12)
	synced(t, l, docs)
	first := answersOf(t, l, "")
	synced(t, l, docs[2:])
	second := answersOf(t, l, "")
	_, err := l.Prune()
	want(t, "Prune", err, "")
	if r, err := l.Check(ctx); err != nil || !r.Sound() || r.Current.Number != 2 {
		t.Errorf("Check: %+v, %v", r, err)
	}
	for path, data := range whole.Files() {
		if strings.HasSuffix(path, "/lock") {
			continue
		}
		for name, spoil := range map[string]func(m *disktest.Memory){
			"missing":      func(m *disktest.Memory) { m.Delete(path) },
			"cut":          func(m *disktest.Memory) { m.Put(path, data[:len(data)/2]) },
			"another byte": func(m *disktest.Memory) { m.Put(path, flipped(data, len(data)/2)) },
		} {
			for _, now := range [][][]byte{docs, docs[2:]} {
				m := copied(t, whole)
				spoil(m)
				damagedOne(t, path+" "+name, m, path, first, second, now)
			}
		}
	}
}

func flipped(data string, at int) string {
	other := []byte(data)
	other[at] ^= 1
	return string(other)
}

func copied(t *testing.T, of *disktest.Memory) *disktest.Memory {
	m := disktest.NewMemory()
	for _, folder := range []string{"/data", "/data/segments", "/data/blobs", "/data/generations"} {
		want(t, folder, m.Mkdir(folder), "")
	}
	for path, data := range of.Files() {
		m.Put(path, data)
	}
	return m
}

func damagedOne(t *testing.T, name string, m *disktest.Memory, path string, first, second []string, now [][]byte) {
	t.Helper()
	l := open(t, options(t, m))
	inFirst := strings.HasSuffix(path, "/2.json") || strings.Contains(path, "/blobs/")
	inNone := strings.Contains(path, "/segments/")
	switch _, _, err := l.Search(ctx, "", []byte(requests[0])); {
	case inNone:
		want(t, name, err, index.Damaged)
	case inFirst:
		same(t, name, answersOf(t, l, ""), first)
		_, _, err = l.Search(ctx, "2", []byte(requests[0]))
		if c := code(err); c != index.Damaged && c != index.Unknown {
			t.Errorf("%s: of generation 2: %v", name, err)
		}
		_, err = l.Compact(ctx)
		want(t, name+": Compact", err, index.Damaged)
	default:
		same(t, name, answersOf(t, l, ""), second)
	}
	told := l.Recovered()
	if is := inFirst || strings.HasSuffix(path, "/CURRENT"); len(told) > 1 || (len(told) == 1) != is || is && !strings.HasPrefix(told[0], path+" is ") {
		t.Errorf("%s: told %q", name, told)
	}
	r, err := l.Check(ctx)
	if err != nil || r.Sound() != (name == "/data/OLDEST missing") || (r.Engine != nil) != inNone {
		t.Errorf("%s: Check: %+v, %v", name, r, err)
	}

	c, err := l.Sync(ctx, now, nil)
	if inNone {
		want(t, name+": Sync", err, index.Damaged)
		c, err = l.Rebuild(ctx, now)
	}
	if want(t, name, err, ""); c.Published && c.Generation.Number != 3 || !c.Published && inFirst {
		t.Errorf("%s: generation %d is current, published: %v", name, c.Generation.Number, c.Published)
	}
	want(t, name, l.Close(ctx), "")
	l = open(t, options(t, m))
	same(t, name+", mended", answersOf(t, l, ""), built(t, abi.DefaultSettings(), now))
	if told := l.Recovered(); len(told) > 0 {
		t.Errorf("%s: afterwards: %q", name, told)
	}
	if !inNone && !strings.HasSuffix(path, "/1.json") {
		same(t, name+", generation 1 afterwards", answersOf(t, l, "1"), first)
	}
}

func TestPrune(t *testing.T) {
	m := disktest.NewMemory()
	o := options(t, m)
	now := start
	o.Clock = func() time.Time { return now }
	l := open(t, o)
	for n := range index.KeepNewest + 3 {
		synced(t, l, notes(n+1))
		now = now.Add(24 * time.Hour)
	}
	now = now.Add(60 * 24 * time.Hour)
	done, err := l.Prune()
	if err != nil || !slices.Equal(done.Generations, []int64{1, 2, 3}) {
		t.Errorf("%+v, %v", done, err)
	}
	answersOf(t, l, "4")
	_, _, err = l.Search(ctx, "3", []byte(requests[0]))
	want(t, "one that was dropped", err, index.Unknown)
}

func TestDiff(t *testing.T) {
	l := open(t, options(t, disktest.NewMemory()))
	doc := func(id, text string) []byte { return fmt.Appendf(nil, `{"id":%q,"text":%q}`, id, text) }
	synced(t, l, [][]byte{doc("a", "crane crane crane crane"), doc("b", "crane crane tide"), doc("c", "crane tide tide tide"), doc("d", "gale"), doc("e", "rope")})
	synced(t, l, [][]byte{doc("a", "lantern"), doc("b", "crane crane tide"), doc("c", "crane tide tide tide"), doc("d", "gale"), doc("f", "crane crane crane")})
	d, err := l.Diff(ctx, "1", "", [][]byte{[]byte(`{"query":"crane"}`), []byte(`{"query":"gale"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(d.Documents), "map[added:[f] changed:[a] removed:[e]]"; got != want {
		t.Errorf("documents %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(d.Rankings[0].Moves), "[{f 0 0 1 added} {a 0 1 0 changed}]"; got != want {
		t.Errorf("moves %s, want %s", got, want)
	}
	if len(d.Rankings) != 2 || len(d.Rankings[1].Moves) > 0 || d.From.Number != 1 || d.To.Number != 2 {
		t.Errorf("%+v", d)
	}
	back, err := l.Diff(ctx, "2", "1", [][]byte{[]byte(`{"query":"crane","limit":2}`)})
	if err != nil || fmt.Sprint(back.Rankings[0].Moves) != "[{a 0 0 1 changed} {f 0 1 0 removed}]" {
		t.Errorf("%+v, %v", back.Rankings, err)
	}
	_, err = l.Diff(ctx, "1", "9", nil)
	want(t, "a generation that there is not", err, index.Unknown)
	_, err = l.Diff(ctx, "1", "2", [][]byte{[]byte(`{"query":""}`)})
	want(t, "an empty query", err, abi.QueryEmpty)
}

// A document that could not be looked at stays as it is, beside others that change.
func TestSyncKeeps(t *testing.T) {
	l := open(t, options(t, disktest.NewMemory()))
	synced(t, l, [][]byte{note(0, 0), note(1, 0), note(2, 0)})
	unread := func(id string) bool { return id == idOf(t, note(1, 0)) }
	c, err := l.Sync(ctx, [][]byte{note(0, 1)}, unread)
	if err != nil {
		t.Fatal(err)
	}
	if c.Changed != 1 || c.Removed != 1 || c.Kept != 1 || c.Generation.Documents != 2 || !slices.Equal(c.Held, []string{idOf(t, note(1, 0))}) {
		t.Errorf("%d changed, %d removed, %d kept, %d documents, held %q", c.Changed, c.Removed, c.Kept, c.Generation.Documents, c.Held)
	}
	if c, err = l.Sync(ctx, [][]byte{note(0, 1), note(1, 0)}, unread); err != nil || len(c.Held) > 0 {
		t.Errorf("what is given is not held: %q, %v", c.Held, err)
	}
}

// What is compact already is not made again.
func TestCompactTwice(t *testing.T) {
	l := open(t, options(t, disktest.NewMemory()))
	synced(t, l, notes(12))
	synced(t, l, notes(10))
	for i, publishes := range []bool{true, false} {
		c, err := l.Compact(ctx)
		if err != nil || c.Published != publishes || c.Generation.Number != 3 || c.Generation.Documents != 10 || c.Kept != 10 {
			t.Errorf("Compact, time %d: %+v, %v", i+1, c, err)
		}
	}
	o := l.Options
	settings := abi.DefaultSettings()
	settings.Chunks = "whole"
	o.Settings = &settings
	if c, err := open(t, o).Compact(ctx); err != nil || !c.Published || c.Generation.Number != 4 {
		t.Errorf("Compact with other settings: %+v, %v", c, err)
	}
}

// Why an older generation answers is told, once for all that is asked; and not where the
// answer does not depend on it.
func TestTellsOnce(t *testing.T) {
	m := disktest.NewMemory()
	l := open(t, options(t, m))
	for i := range 3 {
		synced(t, l, [][]byte{note(i, 0)})
	}
	m.Delete("/data/CURRENT")
	m.Delete("/data/generations/3.json")
	const sentence = "/data/CURRENT is missing; generation 2 is the newest that is whole"
	ask := func(asOf ...string) (told []string) {
		o := options(t, m)
		o.Tell = func(s string) { told = append(told, s) }
		l := open(t, o)
		for _, which := range asOf {
			if _, _, err := l.Search(ctx, which, []byte(requests[0])); err != nil {
				t.Error(err)
			}
		}
		if !slices.Equal(told, l.Recovered()) {
			t.Errorf("told %q, and recovered %q", told, l.Recovered())
		}
		return told
	}
	for _, asOf := range [][]string{{""}, {"current"}, {"", "current", "1", ""}, {"2030-01-01"}} {
		if told := ask(asOf...); !slices.Equal(told, []string{sentence}) {
			t.Errorf("as of %q: told %q", asOf, told)
		}
	}
	if told := ask("1", "2"); len(told) > 0 {
		t.Errorf("of generations that were named: told %q", told)
	}
	var told []string
	o := options(t, m)
	o.Tell = func(s string) { told = append(told, s) }
	l = open(t, o)
	synced(t, l, [][]byte{note(7, 0)})
	synced(t, l, [][]byte{note(8, 0)})
	if !slices.Equal(told, []string{sentence}) {
		t.Errorf("a writer tells %q", told)
	}
}

func idOf(t *testing.T, in []byte) string {
	t.Helper()
	list, err := survey([][]byte{in})
	if err != nil {
		t.Fatal(err)
	}
	return list[0].id
}
