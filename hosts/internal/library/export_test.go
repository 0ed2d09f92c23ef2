package library

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// linesOf returns what a generation holds, one document a line, as far as it is given.
func linesOf(t testing.TB, l *Library, asOf string) ([][]byte, error) {
	t.Helper()
	x, err := l.Export(ctx, asOf)
	if err != nil {
		return nil, err
	}
	return given(t, x)
}

// given returns what an export gives, and closes it.
func given(t testing.TB, x *Export) (lines [][]byte, err error) {
	t.Helper()
	err = x.Each(ctx, func(d []byte) error {
		lines = append(lines, bytes.Clone(d))
		return nil
	})
	if failure := x.Close(ctx); failure != nil {
		t.Error(failure)
	}
	return lines, err
}

// exported returns what a generation holds, one document a line.
func exported(t testing.TB, l *Library, asOf string) string {
	t.Helper()
	lines, err := linesOf(t, l, asOf)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(lines, func(a, b []byte) int { return cmp.Compare(idIn(t, a), idIn(t, b)) }) {
		t.Error("the documents are not in the order of their ids")
	}
	return string(bytes.Join(lines, []byte("\n")))
}

func idIn(t testing.TB, document []byte) string {
	t.Helper()
	list, err := survey([][]byte{document})
	if err != nil {
		t.Fatal(err)
	}
	return list[0].id
}

// canonical returns documents as an export spells them, one a line.
func canonical(t testing.TB, documents [][]byte) string {
	t.Helper()
	list, err := abi.ReadDocuments(slices.Concat([]byte("["), bytes.Join(documents, []byte(",")), []byte("]")))
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(list, func(a, b abi.Document) int { return cmp.Compare(a.ID, b.ID) })
	var lines [][]byte
	for _, d := range list {
		lines = append(lines, abi.AppendDocument(nil, d))
	}
	return string(bytes.Join(lines, []byte("\n")))
}

// Whatever an index went through, its export is the documents that it holds, and an
// index that is made of it has the same root, the same answers and the same export.
func TestExport(t *testing.T) {
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 64))
		l := open(t, options(t, disktest.NewMemory()))
		var texts, roots []string
		docs := append(notes(40), spellings...)
		for range 6 { // each changes few, so that there are tombstones and several segments
			for range 1 + r.IntN(3) {
				i := r.IntN(len(docs))
				docs = slices.Delete(docs, i, i+1)
			}
			docs = append(docs, note(100+r.IntN(1000), 0))
			r.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
			c := synced(t, l, docs)
			text := exported(t, l, "")
			if want := canonical(t, docs); text != want {
				t.Fatalf("seed %d, generation %d:\n%s\nwant\n%s", seed, c.Generation.Number, text, want)
			}
			texts, roots = append(texts, text), append(roots, c.Generation.Root)
		}
		for i, text := range texts {
			if got := exported(t, l, fmt.Sprint(i+1)); got != text {
				t.Errorf("seed %d, as of %d:\n%s\nit was\n%s", seed, i+1, got, text)
			}
		}
		again := open(t, options(t, disktest.NewMemory()))
		last := texts[len(texts)-1]
		if c := synced(t, again, bytes.Split([]byte(last), []byte("\n"))); c.Generation.Root != roots[len(roots)-1] {
			t.Errorf("seed %d: the root is %s, it was %s", seed, c.Generation.Root, roots[len(roots)-1])
		}
		if got := exported(t, again, ""); got != last {
			t.Errorf("seed %d: exported again:\n%s\nwant\n%s", seed, got, last)
		}
		same(t, fmt.Sprintf("seed %d", seed), answersOf(t, again, ""), answersOf(t, l, ""))
	}
}

// Documents with one digest have one spelling.
func TestExportSpelling(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"members by name", `{"title":"t","text":"x","id":"a"}`, `{"id":"a","text":"x","title":"t"}`},
		{"what is absent is left out", `{"id":"a","text":"","title":"","path":"","collection":"","key":"","metadata":{}}`, `{"id":"a","text":""}`},
		{"a key that is the path", `{"id":"a","text":"x","path":"p","key":"p"}`, `{"id":"a","path":"p","text":"x"}`},
		{"a key that is the id", `{"id":"a","text":"x","key":"a"}`, `{"id":"a","text":"x"}`},
		{"a key that is the id and hides the path", `{"id":"a","text":"x","path":"p","key":"a"}`, `{"id":"a","key":"a","path":"p","text":"x"}`},
		{"numbers are kept exactly", `{"id":"a","text":"x","metadata":{"n":123456789012345678901234567890.50,"e":1e0}}`, `{"id":"a","metadata":{"e":1,"n":1.234567890123456789012345678905e+29},"text":"x"}`},
		{"blocks", `{"id":"a","blocks":[{"type":"heading","text":"H","level":2}]}`, `{"blocks":[{"level":2,"text":"H","type":"heading"}],"id":"a"}`},
		{"no blocks", `{"id":"a","blocks":[]}`, `{"blocks":[],"id":"a"}`},
		{"lines stay in one line", "{\"id\":\"é\u2028\",\"text\":\"a\\nb\\r\\n\\u0000\"}", "{\"id\":\"é\u2028\",\"text\":\"a\\nb\\r\\n\\u0000\"}"},
	} {
		l := open(t, options(t, disktest.NewMemory()))
		synced(t, l, [][]byte{[]byte(tt.in)})
		if got := exported(t, l, ""); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// An index without documents has an export without documents; one that is not there has
// none.
func TestExportEmpty(t *testing.T) {
	l := open(t, options(t, disktest.NewMemory()))
	_, err := l.Export(ctx, "")
	want(t, "no index", err, index.Absent)
	synced(t, l, notes(3))
	synced(t, l, nil)
	x, err := l.Export(ctx, "")
	if err != nil || x.Generation.Number != 2 {
		t.Fatalf("%+v, %v", x, err)
	}
	if lines, err := given(t, x); err != nil || len(lines) != 0 {
		t.Errorf("%q, %v", lines, err)
	}
	_, err = l.Export(ctx, "7")
	want(t, "a generation that is not kept", err, index.Unknown)
}

// unclosed is a runner that who asked for it closes.
type unclosed struct {
	runner.Runner
	closed int
}

func (u *unclosed) Close(context.Context) error { u.closed++; return nil }

// A generation of another engine is exported with that one.
func TestExportOfAnotherEngine(t *testing.T) {
	m := disktest.NewMemory()
	o := options(t, m)
	l := open(t, o)
	synced(t, l, notes(12))
	want := exported(t, l, "")
	own := &unclosed{Runner: o.Runner}
	other := options(t, m)
	other.Runner = &renamed{o.Runner, "sha256:" + strings.Repeat("5", 64)}
	other.Engines = func(_ context.Context, digest string) (runner.Runner, error) {
		if digest != own.Engine() {
			return nil, abi.Errorf(abi.EngineUnknown, "the engine %s is not in the archive", digest)
		}
		return own, nil
	}
	if got := exported(t, open(t, other), ""); got != want || own.closed != 1 {
		t.Errorf("closed %d times:\n%s\nwant\n%s", own.closed, got, want)
	}
	if got := exported(t, open(t, other), "1"); got != want || own.closed != 2 {
		t.Errorf("as of 1, closed %d times:\n%s\nwant\n%s", own.closed, got, want)
	}
}

// Where the engine of a generation is not to be had, or cannot give documents, that is told with
// its name; so is what it is that fails to start.
func TestExportLacksTheEngine(t *testing.T) {
	m := disktest.NewMemory()
	o := options(t, m)
	synced(t, open(t, o), notes(2))
	broken := errors.New("broken")
	for _, tt := range []struct {
		name    string
		engines func(context.Context, string) (runner.Runner, error)
		want    abi.Code
	}{
		{"there are no others", nil, abi.EngineUnknown},
		{"it is not among them", func(context.Context, string) (runner.Runner, error) {
			return nil, abi.Errorf(abi.EngineUnknown, "none")
		}, abi.EngineUnknown},
		{"its file is damaged", func(context.Context, string) (runner.Runner, error) {
			return nil, abi.Errorf(abi.EngineRefused, "damaged")
		}, abi.EngineRefused},
		{"it is too old", func(context.Context, string) (runner.Runner, error) { return &old{&unclosed{Runner: o.Runner}}, nil }, abi.SegmentVersion},
	} {
		other := options(t, m)
		other.Runner, other.Engines = &renamed{o.Runner, "sha256:" + strings.Repeat("5", 64)}, tt.engines
		lines, err := linesOf(t, open(t, other), "")
		want(t, tt.name, err, tt.want)
		if err == nil || !strings.Contains(err.Error(), o.Runner.Engine()) || len(lines) > 0 {
			t.Errorf("%s: %q, %v", tt.name, lines, err)
		}
	}
	other := options(t, m)
	other.Runner = &renamed{o.Runner, "sha256:" + strings.Repeat("5", 64)}
	other.Engines = func(context.Context, string) (runner.Runner, error) { return nil, broken }
	if _, err := linesOf(t, open(t, other), ""); !errors.Is(err, broken) {
		t.Errorf("a failure without a code: %v", err)
	}
}

// An old engine does not know the export documents.
type old struct{ runner.Runner }

func (o *old) Instance(ctx context.Context) (runner.Instance, error) {
	i, err := o.Runner.Instance(ctx)
	return &altering{i, func(e abi.Export, out []byte) ([]byte, error) {
		if e == abi.Documents {
			return nil, abi.Errorf(abi.ExportUnknown, "there is no export %d", int64(e))
		}
		return out, nil
	}}, err
}

// An altering instance changes what the engine answers.
type altering struct {
	runner.Instance
	alter func(e abi.Export, out []byte) ([]byte, error)
}

func (a *altering) Call(ctx context.Context, e abi.Export, in ...[]byte) ([]byte, error) {
	out, err := a.Instance.Call(ctx, e, in...)
	if err != nil {
		return nil, err
	}
	return a.alter(e, out)
}

// A changed runner's engine gives other documents than it should.
type changed struct {
	runner.Runner
	from, to string
}

func (c *changed) Instance(ctx context.Context) (runner.Instance, error) {
	i, err := c.Runner.Instance(ctx)
	return &altering{i, func(e abi.Export, out []byte) ([]byte, error) {
		if e == abi.Documents {
			out = bytes.ReplaceAll(out, []byte(c.from), []byte(c.to))
		}
		return out, nil
	}}, err
}

// No document is given that the root of the generation is not over, whatever a segment or
// an engine says.
func TestExportComparesDocuments(t *testing.T) {
	for _, tt := range []struct{ name, from, to string }{
		{"another text", `"text":"b"`, `"text":"B"`},
		{"another key", `"id":"b",`, `"id":"b","key":"k",`},
		{"another id", `"id":"b"`, `"id":"bb"`},
		{"another spelling", `"text":"b"`, `"text":"\u0062"`},
		{"a key that says nothing", `"id":"b",`, `"id":"b","key":"b",`},
		{"one less", `,{"id":"b","text":"b"}`, ``},
		{"the last one less", `,{"id":"c","text":"c"}`, ``},
		{"one more", `,{"id":"c"`, `,{"id":"bb","text":""},{"id":"c"`},
		{"one twice", `,{"id":"c"`, `,{"id":"b","text":"b"},{"id":"c"`},
		{"no document", `"text":"b"`, `"texts":"b"`},
		{"no JSON", `"text":"b"`, `"text":"b`},
	} {
		o := options(t, disktest.NewMemory())
		o.Runner = &changed{o.Runner, tt.from, tt.to}
		l := open(t, o)
		synced(t, l, [][]byte{[]byte(`{"id":"a","text":"a"}`), []byte(`{"id":"b","text":"b"}`), []byte(`{"id":"c","text":"c"}`)})
		lines, err := linesOf(t, l, "")
		want(t, tt.name, err, index.Damaged)
		for _, line := range lines {
			if id := idIn(t, line); string(line) != fmt.Sprintf(`{"id":%q,"text":%q}`, id, id) {
				t.Errorf("%s: %s was given", tt.name, line)
			}
		}
	}
}

// A failure of who takes the documents is handed on as it is.
func TestExportEnds(t *testing.T) {
	l := open(t, options(t, disktest.NewMemory()))
	synced(t, l, notes(3))
	x, err := l.Export(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	enough := abi.Errorf(abi.CorpusInvalid, "enough")
	if err := x.Each(ctx, func([]byte) error { return enough }); err != enough {
		t.Errorf("%v", err)
	}
	if lines, err := given(t, x); err != nil || len(lines) != 3 {
		t.Errorf("afterwards: %q, %v", lines, err)
	}
}

// What is damaged is no export: an older generation is, in the place of the newest, and that is told.
func TestExportDamaged(t *testing.T) {
	m := disktest.NewMemory()
	l := open(t, options(t, m))
	synced(t, l, append(notes(5), spellings...))
	first, err := linesOf(t, l, "")
	want(t, "an export", err, "")
	synced(t, l, append(notes(4), spellings...)) // with tombstones
	stoodIn := 0
	for path, data := range m.Files() {
		if !strings.Contains(path, "/segments/") && !strings.Contains(path, "/blobs/") {
			continue
		}
		for _, at := range []int{0, len(data) / 2, len(data) - 1} {
			changed := []byte(data)
			changed[at] ^= 1
			m.Put(path, string(changed))
			where := fmt.Sprintf("%s, byte %d", path, at)
			lines, err := linesOf(t, l, "2")
			if want(t, where, err, index.Damaged); lines != nil {
				t.Errorf("%s: %d documents", where, len(lines))
			}
			told := len(l.Recovered())
			lines, err = linesOf(t, l, "")
			switch isNew := len(l.Recovered()) > told; {
			case code(err) == index.Damaged && lines == nil && !isNew:
			case err == nil && slices.EqualFunc(lines, first, bytes.Equal) && isNew && strings.HasPrefix(l.Recovered()[told], path+" is damaged"):
				stoodIn++
			default:
				t.Errorf("%s: %d documents, %v, told %q", where, len(lines), err, l.Recovered()[told:])
			}
		}
		m.Put(path, data)
	}
	if stoodIn == 0 {
		t.Error("the older generation never stood in")
	}
	exported(t, l, "")
}

// A generation whose segments are whole and hold other documents than it says is damaged.
func TestExportComparesTheRoot(t *testing.T) {
	l := open(t, options(t, disktest.NewMemory()))
	a := synced(t, l, notes(5)).Generation
	b := synced(t, l, append(notes(4), note(4, 1))).Generation
	a.Segments = b.Segments
	_, err := l.export(ctx, a)
	want(t, "segments of another one", err, index.Damaged)
	a.Segments = append(a.Segments, b.Segments...)
	_, err = l.export(ctx, a)
	want(t, "a document twice", err, index.Damaged)
}
