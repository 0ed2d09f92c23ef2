package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// two is a store with two generations, and its writer.
func two(t testing.TB) (*disktest.Memory, *Writer) {
	t.Helper()
	m := disktest.NewMemory()
	w := locked(t, Open("/data", m))
	published(t, w, "d1", part{"a", ""}, part{"b", ""})
	published(t, w, "d2", part{"a", "a-b1"}, part{"c", ""})
	return m, w
}

func TestPublish(t *testing.T) {
	m := disktest.NewMemory()
	s := Open("/data", m)
	_, _, err := s.Current()
	want(t, "Current of nothing", err, Absent)
	_, err = s.Generations()
	want(t, "Generations of nothing", err, Absent)
	_, err = s.AsOf("1")
	want(t, "AsOf of nothing", err, Absent)
	if len(m.Files()) > 0 {
		t.Errorf("a reader made %v", m.Files())
	}
	w := locked(t, s)
	if w.Head() != (Ref{}) {
		t.Errorf("Head() = %v before the first publication", w.Head())
	}
	_, _, err = s.Current()
	want(t, "Current of an empty folder", err, Absent)
	first := published(t, w, "d1", part{"a", ""}, part{"b", ""})
	if first.Number != 1 || first.Parent != (Ref{}) || string(first.Settings) != `{"a":[1],"b":0.75}` || first.Segments[0].Bytes != 400 {
		t.Errorf("the first generation is %+v", first)
	}
	second := published(t, w, "d2", part{"a", "a-b1"}, part{"c", ""})
	if second.Parent != first.Ref || w.Head() != second.Ref {
		t.Errorf("the second generation is %+v", second)
	}
	got, recovered, err := s.Current()
	if want(t, "Current", err, ""); got.Digest != second.Digest || recovered != "" {
		t.Errorf("Current() = %+v, %q", got, recovered)
	}
	kept, err := s.Generations()
	if want(t, "Generations", err, ""); len(kept) != 2 || kept[0].Digest != second.Digest || kept[1].Digest != first.Digest {
		t.Errorf("Generations() = %+v", kept)
	}
}

// What is there already and intact is not written again, by whoever adds it.
func TestAddTwice(t *testing.T) {
	m, w := two(t)
	want(t, "Close", w.Close(), "")
	w = locked(t, Open("/data", m))
	before := len(m.Files())
	for _, word := range []string{"a", "a", "b"} {
		name, err := w.AddSegment(contents(word))
		if want(t, "AddSegment", err, ""); name != digestOf(contents(word)) {
			t.Errorf("AddSegment(%s) = %s", word, name)
		}
	}
	if len(m.Files()) != before {
		t.Errorf("%d files became %d", before, len(m.Files()))
	}
	path, _ := w.contentPath(segments, digestOf(contents("a")))
	m.Put(path, "damaged")
	_, err := w.Segment(digestOf(contents("a")))
	want(t, "Segment", err, Damaged)
	_, err = w.AddSegment(contents("a"))
	want(t, "AddSegment over a damaged one", err, "")
	got, err := w.Segment(digestOf(contents("a")))
	if want(t, "Segment", err, ""); !bytes.Equal(got, contents("a")) {
		t.Errorf("Segment = %q", got)
	}
}

func TestNames(t *testing.T) {
	_, w := two(t)
	for _, name := range []string{"", "sha256:", "a", "../CURRENT", "sha256:../../CURRENT", strings.ToUpper(digestOf(nil)), digestOf(nil) + "0"} {
		_, err := w.Segment(name)
		want(t, name, err, abi.ArgumentInvalid)
	}
	_, err := w.Blob(digestOf([]byte("nothing")))
	want(t, "a blob that is not there", err, Damaged)
}

var refusals = []struct {
	name string
	do   func(g *Generation)
	code abi.Code
}{
	{"another parent's number", func(g *Generation) { g.Parent.Number = 1 }, Moved},
	{"another parent's digest", func(g *Generation) { g.Parent.Digest = digestOf(nil) }, Moved},
	{"no parent", func(g *Generation) { g.Parent = Ref{} }, Moved},
	{"a segment that is not there", func(g *Generation) { g.Segments[0].Name = digestOf(nil) }, Damaged},
	{"tombstones that are not there", func(g *Generation) { g.Segments[0].Tombstones = digestOf(nil) }, Damaged},
	{"a blob that is not there", func(g *Generation) { g.Blobs = []string{digestOf(nil)} }, Damaged},
	{"a segment that is a blob", func(g *Generation) { g.Segments[0].Name = digestOf(contents("d2")) }, Damaged},
	{"a segment twice", func(g *Generation) { g.Segments[1] = g.Segments[0] }, abi.ArgumentInvalid},
	{"more documents than segments have", func(g *Generation) { g.Documents = 5 }, abi.ArgumentInvalid},
	{"a negative count", func(g *Generation) { g.Segments[0].Chunks = -1 }, abi.ArgumentInvalid},
	{"too great a count", func(g *Generation) { g.Segments[0].Chunks = 1 << 53 }, abi.ArgumentInvalid},
	{"a root that is none", func(g *Generation) { g.Root = "\xff" }, abi.ArgumentInvalid},
	{"an engine that is none", func(g *Generation) { g.Engine = "engine:case" }, abi.ArgumentInvalid},
	{"settings that are no object", func(g *Generation) { g.Settings = []byte("[]") }, abi.ArgumentInvalid},
	{"settings that are no JSON", func(g *Generation) { g.Settings = []byte("{") }, abi.ArgumentInvalid},
	{"settings that nest too deep", func(g *Generation) { g.Settings = nested(64) }, abi.ArgumentInvalid},
	{"no time", func(g *Generation) { g.Created = time.Time{} }, abi.ArgumentInvalid},
	{"a time that cannot be spelled", func(g *Generation) { g.Created = g.Created.AddDate(9000, 0, 0) }, abi.ArgumentInvalid},
}

func nested(depth int) []byte {
	return []byte(strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth))
}

// What Publish refuses changes nothing.
func TestPublishRefuses(t *testing.T) {
	m, w := two(t)
	before := fmt.Sprint(m.Files())
	for _, tt := range refusals {
		g, _, err := w.Current()
		want(t, "Current", err, "")
		g.Parent, g.Segments, g.Blobs = g.Ref, slices.Clone(g.Segments), slices.Clone(g.Blobs)
		tt.do(&g)
		_, err = w.Publish(g)
		want(t, tt.name, err, tt.code)
		if after := fmt.Sprint(m.Files()); after != before {
			t.Errorf("%s: the folder was changed", tt.name)
		}
	}
}

// CURRENT that somebody else moved is left alone.
func TestPublishMoved(t *testing.T) {
	m, w := two(t)
	g, err := w.generation(1)
	want(t, "generation 1", err, "")
	m.Put("/data/CURRENT", string(g.Ref.encode()))
	_, err = publish(w, "d3", part{"d", ""})
	want(t, "Publish", err, Moved)
	if got := m.Files()["/data/CURRENT"]; got != string(g.Ref.encode()) {
		t.Errorf("CURRENT holds %s", got)
	}
}

// A generation that is dropped while somebody reads it: the reader begins again with
// the one that is current by then. Another failure, or damage that stays, is told.
func TestView(t *testing.T) {
	m, w := two(t)
	s := Open("/data", m)
	var seen []int64
	_, err := s.View("current", func(g Generation) error {
		seen = append(seen, g.Number)
		if g.Number == 2 {
			published(t, w, "d3", part{"d", ""})
			_, err := w.Prune(1, 0, timeOf(9))
			want(t, "Prune", err, "")
		}
		for _, part := range g.Segments {
			if _, err := s.Segment(part.Name); err != nil {
				return err
			}
		}
		return nil
	})
	if want(t, "View", err, ""); !slices.Equal(seen, []int64{2, 3}) {
		t.Errorf("View used %v", seen)
	}
	seen = nil
	mine := errors.New("mine")
	_, err = s.View("current", func(g Generation) error { seen = append(seen, g.Number); return mine })
	if !errors.Is(err, mine) || len(seen) != 1 {
		t.Errorf("a failure that has another reason: %v, used %v", err, seen)
	}
	_, err = s.View("current", func(g Generation) error {
		published(t, w, fmt.Sprint(g.Number), part{"d", ""})
		return mine
	})
	if !errors.Is(err, mine) {
		t.Errorf("View = %v", err)
	}
	seen = nil
	m.Delete(pathOf(segments, "d"))
	_, err = s.View("current", func(g Generation) error {
		seen = append(seen, g.Number)
		_, err := s.Segment(g.Segments[0].Name)
		return err
	})
	if want(t, "damage that stays", err, Damaged); len(seen) != 1 {
		t.Errorf("View used %v", seen)
	}
}

// Readers never wait and never see a mix while a writer publishes and prunes, and Check
// finds nothing that is missing or damaged.
func TestReadersAndWriter(t *testing.T) {
	m := disktest.NewMemory()
	w := locked(t, Open("/data", m))
	published(t, w, "0", part{"1", ""})
	done, failures := make(chan bool), make(chan error, 9)
	go func() {
		for {
			report, err := Open("/data", m).Check(context.Background())
			for _, p := range report.Problems {
				if p.Kind.Harm() {
					err = errors.Join(err, fmt.Errorf("%v", p))
				}
			}
			select {
			case <-done:
				failures <- err
				return
			default:
			}
			if err != nil {
				failures <- err
				return
			}
		}
	}()
	for range cap(failures) - 1 {
		s := Open("/data", m)
		go func() {
			var last int64
			for {
				select {
				case <-done:
					failures <- nil
					return
				default:
				}
				recovered, err := s.View("current", func(g Generation) error {
					if g.Number < last {
						return fmt.Errorf("generation %d came after %d", g.Number, last)
					}
					last = g.Number
					got, err := s.Segment(g.Segments[0].Name)
					if err == nil && !bytes.Equal(got, contents(fmt.Sprint(g.Number))) {
						return fmt.Errorf("generation %d has another segment", g.Number)
					}
					return err
				})
				if err != nil || recovered != "" {
					failures <- fmt.Errorf("%w %s", err, recovered)
					return
				}
			}
		}()
	}
	for n := int64(2); n < 100; n++ {
		published(t, w, "0", part{fmt.Sprint(n), ""})
		_, err := w.Prune(3, 0, timeOf(n))
		want(t, "Prune", err, "")
	}
	close(done)
	for range cap(failures) {
		if err := <-failures; err != nil {
			t.Error(err)
		}
	}
}

// Whatever two calls of Check a writer publishes and prunes before, Check finds nothing
// that is missing or damaged.
func TestCheckMeanwhile(t *testing.T) {
	for first := 1; ; first++ {
		for second := first; ; second++ {
			m := disktest.NewMemory()
			w, n := locked(t, Open("/data", m)), int64(0)
			advance := func(by int64) {
				for end := n + by; n < end; {
					n++
					published(t, w, "0", part{fmt.Sprint(n), ""})
					_, err := w.Prune(3, 0, timeOf(n))
					want(t, "Prune", err, "")
				}
			}
			advance(5)
			d := &meanwhile{FS: m, before: func(call int) {
				if call == first {
					advance(2)
				}
				if call == second {
					advance(5)
				}
			}}
			report, err := Open("/data", d).Check(context.Background())
			want(t, "Check", err, "")
			for _, p := range report.Problems {
				if p.Kind.Harm() {
					t.Fatalf("published before the calls %d and %d: %v", first, second, p)
				}
			}
			if d.calls < first {
				return
			}
			if d.calls < second {
				break
			}
		}
	}
}

// meanwhile is a disk on which something happens before each call that reads.
type meanwhile struct {
	disk.FS
	before func(call int)
	calls  int
}

func (d *meanwhile) ReadFile(path string) ([]byte, error) {
	d.calls++
	d.before(d.calls)
	return d.FS.ReadFile(path)
}

func (d *meanwhile) ReadDir(path string) ([]disk.Entry, error) {
	d.calls++
	d.before(d.calls)
	return d.FS.ReadDir(path)
}

var asOfTests = []struct {
	what string
	want int64
	code abi.Code
}{
	{"3", 3, ""},
	{"5", 5, ""},
	{"2", 0, Unknown},
	{"6", 0, Unknown},
	{"9223372036854775807", 0, Unknown},
	{rootOf(4), 4, ""},
	{rootOf(2), 0, Unknown},
	{timeOf(3).Format(time.RFC3339Nano), 3, ""},
	{timeOf(3).Add(-time.Second).Format(time.RFC3339), 0, Unknown},
	{timeOf(4).Add(30 * time.Minute).Format(time.RFC3339), 4, ""},
	{timeOf(4).Add(30 * time.Minute).In(time.FixedZone("", 7200)).Format(time.RFC3339), 4, ""},
	{timeOf(4).Add(-time.Millisecond).Format(time.RFC3339Nano), 3, ""},
	{timeOf(500).Format(time.RFC3339), 5, ""},
	{"current", 5, ""},

	// As reports show a root and a time.
	{strings.TrimPrefix(rootOf(4), "sha256:")[:12], 4, ""},
	{strings.TrimPrefix(rootOf(4), "sha256:")[:8], 4, ""},
	{strings.TrimPrefix(rootOf(4), "sha256:"), 4, ""},
	{strings.ToUpper(strings.TrimPrefix(rootOf(4), "sha256:")[:9]), 4, ""},
	{rootOf(4)[:20], 4, ""},
	{strings.TrimPrefix(rootOf(2), "sha256:")[:12], 0, Unknown},
	{strings.TrimPrefix(rootOf(5), "sha256:")[:7], 0, abi.ArgumentInvalid},
	{rootOf(4) + "0", 0, abi.ArgumentInvalid},
	{"12345678", 0, Unknown},
	{timeOf(4).Format(time.RFC3339), 4, ""},
	{timeOf(4).Format("2006-01-02T15:04Z07:00"), 4, ""},
	{timeOf(4).Format("2006-01-02T15:04:05.1Z07:00"), 3, ""},
	{timeOf(4).Add(-time.Minute).Format("2006-01-02T15:04Z07:00"), 3, ""},
	{timeOf(4).In(time.FixedZone("", -3600)).Format(time.RFC3339), 4, ""},
	{"2026-11-30", 5, ""},
	{"2026-11-29", 0, Unknown},
	{"2027-01-01", 5, ""},

	{"2026-11-31", 0, abi.ArgumentInvalid},
	{"2026-11-30T15:04:05", 0, abi.ArgumentInvalid},
	{"", 0, abi.ArgumentInvalid},
	{"+3", 0, abi.ArgumentInvalid},
	{"0", 0, abi.ArgumentInvalid},
	{"-1", 0, abi.ArgumentInvalid},
	{"newest", 0, abi.ArgumentInvalid},
	{"sha256:abc", 0, abi.ArgumentInvalid},
}

func TestAsOf(t *testing.T) {
	m, w := two(t)
	for n := range 3 {
		published(t, w, fmt.Sprint(n), part{fmt.Sprint(n), ""})
	}
	_, err := w.Prune(3, 0, timeOf(9))
	want(t, "Prune", err, "")
	s := Open("/data", m)
	for _, tt := range asOfTests {
		g, err := s.AsOf(tt.what)
		want(t, "AsOf "+tt.what, err, tt.code)
		if g.Number != tt.want {
			t.Errorf("AsOf(%s) = %d, want %d", tt.what, g.Number, tt.want)
		}
		if tt.code == Unknown && (!strings.Contains(err.Error(), " 5 of 2026-11-30T20:04:05.123Z with the root "+rootOf(5)+", 4 of ") || !strings.HasSuffix(err.Error(), rootOf(3))) {
			t.Errorf("%v does not list what is there", err)
		}
	}
}

// Where a generation is missing in between, nobody can tell what was current then.
func TestAsOfGap(t *testing.T) {
	m, w := two(t)
	for n := range 30 {
		published(t, w, fmt.Sprint(n), part{fmt.Sprint(n), ""})
	}
	m.Put("/data/generations/31.json", "damaged")
	_, err := w.AsOf("31")
	want(t, "AsOf of a damaged one", err, Damaged)
	_, err = w.AsOf(timeOf(31).Format(time.RFC3339Nano))
	want(t, "AsOf of its time", err, Unknown)
	if told := " and 21 older ones, the oldest 1 of"; !strings.Contains(err.Error(), told) {
		t.Errorf("%v does not say%s", err, told)
	}
	g, err := w.AsOf(timeOf(32).Format(time.RFC3339Nano))
	if want(t, "AsOf of the next one", err, ""); g.Number != 32 {
		t.Errorf("AsOf = %d", g.Number)
	}
}

// A prefix names one root; whose generations are several is the newest one. What several
// begin with is refused, and they are named.
func TestAsOfPrefix(t *testing.T) {
	m := disktest.NewMemory()
	w := locked(t, Open("/data", m))
	roots := []string{"0123456789" + strings.Repeat("0", 54), "0123456780" + strings.Repeat("0", 54), "00000001" + strings.Repeat("a", 56), "00000001" + strings.Repeat("a", 56)}
	for i, root := range roots {
		name, err := w.AddSegment(contents(fmt.Sprint(i)))
		want(t, "AddSegment", err, "")
		_, err = w.Publish(Generation{Parent: w.Head(), Created: timeOf(int64(i)), Root: "sha256:" + root, Engine: engine, Documents: 1, Segments: []Segment{{Name: name, Documents: 1, Chunks: 1}}})
		want(t, "Publish", err, "")
	}
	for what, number := range map[string]int64{"0123456789": 1, "0123456780": 2, "00000001a": 4, "1": 1, "00000001": 1} {
		if g, err := w.AsOf(what); err != nil || g.Number != number {
			t.Errorf("AsOf(%s) = %d, %v, want %d", what, g.Number, err, number)
		}
	}
	_, err := w.AsOf("sha256:012345678")
	want(t, "a prefix of two", err, Unknown)
	for _, part := range []string{"several roots begin with sha256:012345678", " 2 of ", roots[0], " 1 of ", roots[1]} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v: no %s", err, part)
		}
	}
	if strings.Contains(err.Error(), roots[2]) {
		t.Errorf("%v names another one", err)
	}
}

// Where the answer depends on what was published last, and that may be lost, it is said.
func TestWhichTells(t *testing.T) {
	m, w := two(t)
	published(t, w, "d3", part{"d", ""})
	want(t, "Close", w.Close(), "")
	m.Delete("/data/CURRENT")
	m.Delete("/data/generations/3.json")
	s := Open("/data", m)
	for what, tells := range map[string]bool{
		"current": true, timeOf(3).Format(time.RFC3339): true, "2026-11-30": true,
		timeOf(1).Format(time.RFC3339): false, "2": false, rootOf(2): false,
	} {
		_, recovered, err := s.Which(what)
		if want(t, what, err, ""); (recovered != "") != tells {
			t.Errorf("Which(%s) tells %q", what, recovered)
		}
	}
}
