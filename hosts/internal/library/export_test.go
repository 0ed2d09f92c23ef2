package library

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// exported returns what a generation holds, one document a line.
func exported(t testing.TB, l *Library, asOf string) string {
	t.Helper()
	x, err := l.Export(ctx, asOf)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(x.Documents, func(a, b []byte) int { return cmp.Compare(idIn(t, a), idIn(t, b)) }) {
		t.Error("the documents are not in the order of their ids")
	}
	return string(bytes.Join(x.Documents, []byte("\n")))
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
		lines = append(lines, spelt(d))
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
	if err != nil || len(x.Documents) != 0 || x.Generation.Number != 2 {
		t.Errorf("%+v, %v", x, err)
	}
	_, err = l.Export(ctx, "7")
	want(t, "a generation that is not kept", err, index.Unknown)
}

// The documents of an index outlive the engine that built it.
func TestExportOfAnotherEngine(t *testing.T) {
	m := disktest.NewMemory()
	l := open(t, options(t, m))
	synced(t, l, notes(12))
	o := options(t, m)
	o.Runner = &renamed{o.Runner, "sha256:" + strings.Repeat("5", 64)}
	if got, want := exported(t, open(t, o), ""), exported(t, l, ""); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// What is damaged is no export.
func TestExportDamaged(t *testing.T) {
	m := disktest.NewMemory()
	l := open(t, options(t, m))
	synced(t, l, append(notes(5), spellings...))
	synced(t, l, append(notes(4), spellings...)) // with tombstones
	for path, data := range m.Files() {
		if !strings.Contains(path, "/segments/") && !strings.Contains(path, "/blobs/") {
			continue
		}
		for _, at := range []int{0, len(data) / 2, len(data) - 1} {
			changed := []byte(data)
			changed[at] ^= 1
			m.Put(path, string(changed))
			x, err := l.Export(ctx, "")
			want(t, fmt.Sprintf("%s, byte %d", path, at), err, index.Damaged)
			if x.Documents != nil {
				t.Errorf("%s, byte %d: %d documents", path, at, len(x.Documents))
			}
		}
		m.Put(path, data)
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

var update = flag.Bool("update", false, "write the segment of the present version")

const keptSegment = "testdata/version-1.seg"

// A segment of each version of the format is kept, and its documents are read.
func TestKeptSegment(t *testing.T) {
	docs := append(notes(2), spellings...)
	if *update {
		l := open(t, options(t, disktest.NewMemory()))
		b, err := l.store.Segment(synced(t, l, docs).Generation.Segments[0].Name)
		want(t, "Segment", errors.Join(err, os.WriteFile(keptSegment, b, 0o644)), "")
	}
	list, err := appendStored(nil, kept(t), nil)
	want(t, "a kept segment", err, "")
	var lines [][]byte
	for _, d := range list {
		lines = append(lines, d.json)
	}
	if got, want := string(bytes.Join(lines, []byte("\n"))), canonical(t, docs); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func kept(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile(keptSegment)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Any bytes are documents or an error. The word is mixed into them at a place, so that
// small changes of a segment are tried.
func FuzzStored(f *testing.F) {
	segment := kept(f)
	f.Add(segment, uint(0), uint32(0))
	for n := range uint(3) { // where the sections that are read begin, and their sizes
		f.Add(segment, sectionTable+16*n, uint32(1<<31))
		f.Add(segment, sectionTable+16*n+8, uint32(1))
	}
	f.Add(segment, uint(documentsCount), uint32(1<<32-1))
	f.Add(segment, uint(len(segmentMagic)), uint32(2))
	f.Add(segment, uint(bytes.Index(segment, []byte("crane"))), uint32(0x80)) // no UTF-8
	f.Fuzz(func(t *testing.T, b []byte, at uint, word uint32) {
		if len(b) >= 4 {
			b = bytes.Clone(b)
			at %= uint(len(b) - 3)
			binary.LittleEndian.PutUint32(b[at:], binary.LittleEndian.Uint32(b[at:])^word)
		}
		list, err := appendStored(nil, b, []uint32{1})
		if c := code(err); err != nil && c != abi.SegmentCorrupt && c != abi.SegmentVersion {
			t.Error(err)
		}
		for _, d := range list {
			if again, err := survey([][]byte{d.json}); err != nil || again[0].id != d.id || again[0].digest != d.digest {
				t.Errorf("%s: %v", d.json, err)
			}
		}
	})
}
