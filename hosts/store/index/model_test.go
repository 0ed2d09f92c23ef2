package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

var (
	rootOf   = func(n int64) string { return digestOf(fmt.Appendf(nil, "root %d", n)) }
	engine   = digestOf([]byte("engine"))
	dayOne   = time.Date(2026, 11, 30, 15, 4, 5, 123456789, time.UTC)
	timeOf   = func(n int64) time.Time { return dayOne.Add(time.Duration(n) * time.Hour) }
	contents = func(what string) []byte { return bytes.Repeat([]byte(what+" "), 200) }
)

// want fails where an error has another code.
func want(t testing.TB, what string, err error, code abi.Code) {
	t.Helper()
	if got := codeOf(err); got != code || err != nil && got == "" {
		t.Fatalf("%s: %v, want %q", what, err, code)
	}
}

func locked(t testing.TB, s *Store) *Writer {
	t.Helper()
	w, err := s.TryLock("a test")
	want(t, "TryLock", err, "")
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// A part is a segment of a generation that tests publish, by words.
type part struct{ segment, tombstones string }

// publish adds what a generation consists of and publishes it.
func publish(w *Writer, documents string, parts ...part) (Generation, error) {
	head := w.Head()
	g := Generation{
		Parent: head, Created: timeOf(head.Number + 1), Root: rootOf(head.Number + 1), Engine: engine,
		Settings: []byte(`{"b": 0.75, "a": [1]}`), Documents: int64(len(parts)),
	}
	for _, p := range parts {
		name, err := w.AddSegment(contents(p.segment))
		if err != nil {
			return Generation{}, err
		}
		s := Segment{Name: name, Documents: 2, Chunks: 3}
		if p.tombstones != "" {
			if s.Tombstones, err = w.AddBlob(contents(p.tombstones)); err != nil {
				return Generation{}, err
			}
		}
		g.Segments = append(g.Segments, s)
	}
	name, err := w.AddBlob(contents(documents))
	if err != nil {
		return Generation{}, err
	}
	g.Blobs = []string{name}
	return w.Publish(g)
}

// published publishes and must not fail.
func published(t testing.TB, w *Writer, documents string, parts ...part) Generation {
	t.Helper()
	g, err := publish(w, documents, parts...)
	want(t, "Publish", err, "")
	return g
}

// A step is one thing that a writer does in the workload of the fault and crash
// tests; it may be repeated.
type step struct {
	number int64 // of the generation that it publishes
	do     func(w *Writer) error
	gone   int64 // once it is done, generations up to this one are gone
}

var workload = []step{
	{1, func(w *Writer) error { _, err := publish(w, "d1", part{"a", ""}, part{"b", ""}); return err }, 0},
	{2, func(w *Writer) error { _, err := publish(w, "d2", part{"a", "a-b1"}, part{"c", ""}); return err }, 0},
	{0, func(w *Writer) error { _, err := w.Prune(1, 0, timeOf(9)); return err }, 1},
	{3, func(w *Writer) error { _, err := publish(w, "d2", part{"c", ""}, part{"d", ""}); return err }, 1},
	{4, func(w *Writer) error { _, err := publish(w, "d4", part{"b", ""}); return err }, 1},
	{0, func(w *Writer) error { _, err := w.Prune(2, 0, timeOf(9)); return err }, 2},
}

// parts are what the workload's generations consist of, in words.
var parts = map[int64][]string{
	1: {"a", "b", "d1"}, 2: {"a", "c", "a-b1", "d2"}, 3: {"c", "d", "d2"}, 4: {"b", "d4"},
}

// A ledger is what is known for certain of a workload.
type ledger struct {
	done    int   // steps
	acked   int64 // the last generation whose publication was reported as done
	pending int64 // the one that was begun, perhaps
	gone    int64
}

// run does the rest of the workload on a file system, until something fails.
func (l *ledger) run(fsys disk.FS) error {
	w, err := Open("/data", fsys).TryLock("a test")
	if err != nil {
		return err
	}
	for _, s := range workload[l.done:] {
		if s.number > 0 {
			l.pending = s.number
		}
		if s.number == 0 || w.Head().Number < s.number {
			if err := s.do(w); err != nil {
				return errors.Join(err, w.Close())
			}
		}
		l.done++
		l.acked, l.gone = max(l.acked, s.number), s.gone
		if g, _, err := w.Current(); err == nil && g.Number != l.acked {
			return fmt.Errorf("WRONG: generation %d is current after %d was published", g.Number, l.acked)
		}
	}
	return w.Close()
}

// verify says what on a file system is not as the ledger wants it.
func (l *ledger) verify(fsys disk.FS) error {
	s := Open("/data", fsys)
	g, _, err := s.Current()
	if codeOf(err) == Absent && l.acked == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if g.Number != l.acked && g.Number != l.pending {
		return fmt.Errorf("generation %d is current, want %d or %d", g.Number, l.acked, l.pending)
	}
	kept, err := s.Generations()
	if err != nil {
		return err
	}
	for _, g := range kept {
		if g.Number <= l.gone {
			return fmt.Errorf("generation %d is back", g.Number)
		}
		if err := holdsParts(s, g); err != nil {
			return fmt.Errorf("generation %d: %w", g.Number, err)
		}
	}
	report, err := s.Check(context.Background())
	if err != nil {
		return err
	}
	for _, p := range report.Problems {
		if p.Kind.Harm() {
			return fmt.Errorf("%v", p)
		}
	}
	return nil
}

func holdsParts(s *Store, g Generation) error {
	var got []string
	for folder, names := range g.names() {
		for _, name := range names {
			data, err := s.content(folder, name)
			if err != nil {
				return err
			}
			word, _, _ := strings.Cut(string(data), " ")
			if !bytes.Equal(data, contents(word)) {
				return fmt.Errorf("%s holds something else", name)
			}
			got = append(got, word)
		}
	}
	slices.Sort(got)
	if want := slices.Sorted(slices.Values(parts[g.Number])); !slices.Equal(got, want) {
		return fmt.Errorf("it consists of %v, want %v", got, want)
	}
	if g.Root != rootOf(g.Number) || !g.Created.Equal(milli(timeOf(g.Number))) {
		return fmt.Errorf("it has the root %s and the time %v", g.Root, g.Created)
	}
	return nil
}

// finish does the rest of the workload and says whether the folder then holds
// exactly what it should.
func (l *ledger) finish(m *disktest.Memory) error {
	if err := l.run(m); err != nil {
		return err
	}
	w, err := Open("/data", m).TryLock("a test")
	if err != nil {
		return err
	}
	_, err = w.Prune(2, 0, timeOf(9)) // which writes what there was no space for
	if err := errors.Join(err, w.Close(), l.verify(m)); err != nil {
		return err
	}
	want := []string{"/data/CURRENT", "/data/OLDEST", "/data/generations/3.json", "/data/generations/4.json", "/data/lock"}
	for folder, words := range map[string][]string{segments: {"b", "c", "d"}, blobs: {"d2", "d4"}} {
		for _, word := range words {
			want = append(want, "/data/"+folder+"/"+strings.TrimPrefix(digestOf(contents(word)), "sha256:"))
		}
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(m.Files())); !slices.Equal(got, want) {
		return fmt.Errorf("there is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return nil
}
