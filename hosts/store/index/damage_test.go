package index

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
)

// Every bit of a segment and of a blob, flipped, and every cut, is an error that
// names the file, and never served; Check tells of it.
func TestEveryBitOfContent(t *testing.T) {
	m, w := two(t)
	for folder, word := range map[string]string{segments: "a", blobs: "a-b1"} {
		name := digestOf(contents(word))
		path, _ := w.contentPath(folder, name)
		runs := 0
		damaged(contents(word), func(other []byte) {
			m.Put(path, string(other))
			_, err := w.content(folder, name)
			want(t, path, err, Damaged)
			if !strings.HasPrefix(err.Error(), "INDEX_DAMAGED: "+path+" is damaged: its content is sha256:") {
				t.Fatal(err)
			}
			if runs++; runs%1000 == 1 {
				report, err := w.Check(context.Background())
				want(t, "Check", err, "")
				if len(report.Problems) != 1 || report.Problems[0].Kind != FileDamaged || report.Problems[0].Path != path || report.Sound() {
					t.Fatalf("Check = %+v", report)
				}
			}
		})
		m.Put(path, string(contents(word)))
	}
}

var currentDamages = []struct{ name, content string }{
	{"empty", ""},
	{"half written", `{"digest":"sha256:`},
	{"zeros", strings.Repeat("\x00", 93)},
	{"something else", "8\n"},
	{"null", "null\n"},
	{"no line feed", strings.TrimSuffix(string(Ref{2, engine}.encode()), "\n")},
	{"no number", `{"digest":"` + engine + `"}` + "\n"},
}

// A CURRENT that cannot be believed is said, and the newest whole generation is
// current; the next writer writes it anew.
func TestCurrentDamaged(t *testing.T) {
	for _, tt := range currentDamages {
		m, w := two(t)
		want(t, "Close", w.Close(), "")
		before := m.Files()["/data/CURRENT"]
		m.Put("/data/CURRENT", tt.content)
		recovers(t, tt.name, m, 2, "/data/CURRENT is damaged: ")
		if got := m.Files()["/data/CURRENT"]; got != before {
			t.Errorf("%s: CURRENT holds %q then", tt.name, got)
		}
	}
	m, w := two(t)
	want(t, "Close", w.Close(), "")
	m.Delete("/data/CURRENT")
	recovers(t, "missing", m, 2, "/data/CURRENT is missing")
	m.Delete("/data/CURRENT")
	if err := m.Mkdir("/data/CURRENT"); err != nil {
		t.Fatal(err)
	}
	s := Open("/data", m)
	if g, recovered, err := s.Current(); err != nil || g.Number != 2 || !strings.Contains(recovered, "is no regular file") {
		t.Errorf("a folder: %d, %q, %v", g.Number, recovered, err)
	}
}

// The newest generation that is whole is whole to its last segment.
func TestCurrentAndSegmentDamaged(t *testing.T) {
	m, w := two(t)
	want(t, "Close", w.Close(), "")
	m.Put("/data/CURRENT", "")
	m.Put(pathOf(segments, "c"), "damaged")
	recovers(t, "two damages", m, 1, "/data/CURRENT is damaged: ")
}

// recovers wants a generation to be current for a reader, who is told why, and for
// the next writer, who mends it.
func recovers(t *testing.T, name string, m *disktest.Memory, number int64, why string) {
	t.Helper()
	s := Open("/data", m)
	g, recovered, err := s.Current()
	if want(t, name, err, ""); g.Number != number || !strings.HasPrefix(recovered, why) || !strings.HasSuffix(recovered, "is the newest that is whole") {
		t.Fatalf("%s: generation %d is current: %q", name, g.Number, recovered)
	}
	report, err := s.Check(context.Background())
	if want(t, name, err, ""); report.Sound() || report.Current.Number != number {
		t.Errorf("%s: Check = %+v", name, report)
	}
	w := locked(t, s)
	if told := strings.Join(w.Recovered(), "\n"); told != recovered || w.Head() != g.Ref {
		t.Errorf("%s: the writer tells %q", name, told)
	}
	want(t, "Close", w.Close(), "")
	if _, recovered, err := s.Current(); err != nil || recovered != "" {
		t.Errorf("%s: afterwards: %q, %v", name, recovered, err)
	}
}

// An older copy of CURRENT is not believed, and takes nothing back.
func TestCurrentStale(t *testing.T) {
	m := disktest.NewMemory()
	w := locked(t, Open("/data", m))
	var pointers []string
	for _, word := range []string{"a", "b", "c", "d"} {
		published(t, w, "d", part{word, ""})
		pointers = append(pointers, m.Files()["/data/CURRENT"])
	}
	want(t, "Close", w.Close(), "")
	for _, n := range []int{0, 1} {
		m.Put("/data/CURRENT", pointers[n])
		recovers(t, "two or more behind", m, 4, "/data/CURRENT is out of date")
	}

	// One behind looks like a publication on its way: readers believe CURRENT, Check
	// tells, and the next writer goes on from the newest.
	m.Put("/data/CURRENT", pointers[2])
	s := Open("/data", m)
	report, err := s.Check(context.Background())
	if want(t, "Check", err, ""); report.Sound() || report.Current.Number != 3 {
		t.Errorf("one behind: Check = %+v", report)
	}
	w = locked(t, s)
	if w.Head().Number != 4 || len(w.Recovered()) != 1 {
		t.Errorf("one behind: the writer goes on from %d: %v", w.Head().Number, w.Recovered())
	}
	want(t, "Close", w.Close(), "")

	// What is not whole cannot have been published.
	m.Put("/data/CURRENT", pointers[2])
	m.Put(pathOf(segments, "d"), "damaged")
	if w := locked(t, Open("/data", m)); w.Head().Number != 3 || len(w.Recovered()) != 0 {
		t.Errorf("the writer goes on from %d, which is damaged: %v", w.Head().Number, w.Recovered())
	}
}

// A generation that cannot have been the next one is not taken for it.
func TestFork(t *testing.T) {
	m, w := two(t)
	second := m.Files()["/data/generations/2.json"]
	want(t, "Close", w.Close(), "")
	m = disktest.NewMemory()
	w = locked(t, Open("/data", m))
	published(t, w, "another", part{"a", ""})
	for _, word := range []string{"c", "a-b1", "d2"} {
		_, err := w.AddSegment(contents(word))
		_, err2 := w.AddBlob(contents(word))
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
	}
	want(t, "Close", w.Close(), "")
	m.Put("/data/generations/2.json", second)
	w = locked(t, Open("/data", m))
	if w.Head().Number != 1 || len(w.Recovered()) > 0 {
		t.Errorf("generation %d is current: %v", w.Head().Number, w.Recovered())
	}
	g := published(t, w, "d", part{"c", ""})
	if got, _, err := w.Current(); err != nil || got.Digest != g.Digest {
		t.Errorf("Current() = %+v, %v", got, err)
	}
}

var damages = []struct {
	name    string
	do      func(m *disktest.Memory, files map[string]string)
	current bool // the current generation still answers
	kind    Kind
	path    string
}{
	{"the current generation's file is cut", func(m *disktest.Memory, files map[string]string) {
		m.Put("/data/generations/2.json", files["/data/generations/2.json"][:100])
	}, false, FileDamaged, "/data/generations/2.json"},
	{"the current generation's file is missing", func(m *disktest.Memory, files map[string]string) {
		m.Delete("/data/generations/2.json")
	}, false, FileMissing, "/data/generations/2.json"},
	{"the current generation's file is another's", func(m *disktest.Memory, files map[string]string) {
		m.Put("/data/generations/2.json", files["/data/generations/1.json"])
	}, false, FileDamaged, "/data/generations/2.json"},
	{"the current generation's file is a folder", func(m *disktest.Memory, files map[string]string) {
		m.Delete("/data/generations/2.json")
		_ = m.Mkdir("/data/generations/2.json")
	}, false, FileDamaged, "/data/generations/2.json"},
	{"an older generation's file is empty", func(m *disktest.Memory, files map[string]string) {
		m.Put("/data/generations/1.json", "")
	}, true, FileDamaged, "/data/generations/1.json"},
	{"an older generation's file is the current one's", func(m *disktest.Memory, files map[string]string) {
		m.Put("/data/generations/1.json", files["/data/generations/2.json"])
	}, true, FileDamaged, "/data/generations/1.json"},
	{"the current generation's file is of another history", func(m *disktest.Memory, files map[string]string) {
		g, err := parseGeneration([]byte(files["/data/generations/2.json"]))
		g.Documents--
		other, err2 := g.encode()
		if err != nil || err2 != nil {
			panic("test: BUG: a generation that cannot be written")
		}
		m.Put("/data/generations/2.json", string(other))
	}, false, FileDamaged, "/data/generations/2.json"},
	{"a segment is missing", func(m *disktest.Memory, files map[string]string) {
		m.Delete(pathOf(segments, "c"))
	}, true, FileMissing, pathOf(segments, "c")},
	{"two segments are swapped", func(m *disktest.Memory, files map[string]string) {
		m.Put(pathOf(segments, "c"), files[pathOf(segments, "a")])
	}, true, FileDamaged, pathOf(segments, "c")},
	{"a segment is a folder", func(m *disktest.Memory, files map[string]string) {
		m.Delete(pathOf(segments, "c"))
		_ = m.Mkdir(pathOf(segments, "c"))
	}, true, FileDamaged, pathOf(segments, "c")},
	{"the tombstones are missing", func(m *disktest.Memory, files map[string]string) {
		m.Delete(pathOf(blobs, "a-b1"))
	}, true, FileMissing, pathOf(blobs, "a-b1")},
	{"a stranger's file", func(m *disktest.Memory, files map[string]string) {
		m.Put("/data/segments/notes.txt", "")
	}, true, FileForeign, "/data/segments/notes.txt"},
	{"a number that is spelled otherwise", func(m *disktest.Memory, files map[string]string) {
		m.Put("/data/generations/02.json", files["/data/generations/2.json"])
	}, true, FileForeign, "/data/generations/02.json"},
	{"a segment that nobody needs", func(m *disktest.Memory, files map[string]string) {
		m.Put(pathOf(segments, "x"), string(contents("x")))
	}, true, FileUnused, pathOf(segments, "x")},
	{"a segment that is not whole yet", func(m *disktest.Memory, files map[string]string) {
		m.Put(pathOf(segments, "x")+".new", "half")
	}, true, FileUnused, pathOf(segments, "x") + ".new"},
	{"a CURRENT that is not whole yet", func(m *disktest.Memory, files map[string]string) {
		m.Put("/data/CURRENT.new", "half")
	}, true, FileUnused, "/data/CURRENT.new"},
}

func pathOf(folder, word string) string {
	return "/data/" + folder + "/" + strings.TrimPrefix(digestOf(contents(word)), "sha256:")
}

// Each damage is found by its path and kind. Where it is the current generation's, no
// older one answers in its place; and a writer can still publish.
func TestDamage(t *testing.T) {
	for _, tt := range damages {
		m, w := two(t)
		want(t, "Close", w.Close(), "")
		tt.do(m, m.Files())
		s := Open("/data", m)
		g, recovered, err := s.Current()
		if tt.current != (err == nil) || err != nil && codeOf(err) != Damaged || recovered != "" {
			t.Errorf("%s: generation %d is current, %q, %v", tt.name, g.Number, recovered, err)
		}
		report, err := s.Check(context.Background())
		want(t, tt.name, err, "")
		found := func(p Problem) bool {
			return p.Kind == tt.kind && p.Path == tt.path && strings.Contains(p.Sentence, tt.path)
		}
		if !slices.ContainsFunc(report.Problems, found) || report.Sound() != (tt.kind == FileForeign || tt.kind == FileUnused) {
			t.Errorf("%s: Check = %+v", tt.name, report)
		}
		w = locked(t, s)
		g = published(t, w, "d3", part{"d", ""})
		if now, _, err := s.Current(); err != nil || g.Number != 3 || now.Digest != g.Digest {
			t.Errorf("%s: afterwards: %+v, %v", tt.name, now, err)
		}
		if report, err := s.Check(context.Background()); err != nil || report.Current != g.Ref {
			t.Errorf("%s: afterwards: %+v, %v", tt.name, report, err)
		}
	}
}

// Where nothing is whole any more, that is told, and one can begin again.
func TestNothingWhole(t *testing.T) {
	m, w := two(t)
	want(t, "Close", w.Close(), "")
	for path := range maps.Keys(m.Files()) {
		if strings.HasPrefix(path, "/data/generations/") || path == "/data/CURRENT" {
			m.Put(path, "damaged")
		}
	}
	s := Open("/data", m)
	_, _, err := s.Current()
	want(t, "Current", err, Damaged)
	report, err := s.Check(context.Background())
	if want(t, "Check", err, ""); report.Sound() {
		t.Errorf("Check = %+v", report)
	}
	w = locked(t, s)
	if told := w.Recovered(); len(told) != 1 || !strings.HasSuffix(told[0], "and no generation is whole") {
		t.Errorf("the writer tells %v", told)
	}
	g := published(t, w, "d1", part{"a", ""})
	if now, recovered, err := s.Current(); err != nil || recovered != "" || now.Digest != g.Digest || now.Number != 1 {
		t.Errorf("afterwards: %+v, %q, %v", now, recovered, err)
	}
	_, err = w.Prune(10, 0, timeOf(1))
	want(t, "Prune", err, "")
	if report, err := s.Check(context.Background()); err != nil || len(report.Problems) > 0 {
		t.Errorf("after pruning: %+v, %v", report, err)
	}
}

// Damage is told by the file that Check found it in; an index that is whole has none.
func TestCheckSound(t *testing.T) {
	_, w := two(t)
	report, err := w.Check(context.Background())
	want(t, "Check", err, "")
	want := Report{Current: w.Head(), Generations: 2, Segments: 3, Blobs: 3, Bytes: 3*400 + 2*600 + 1000}
	if !report.Sound() || report.Current != want.Current || report.Generations != want.Generations || report.Segments != want.Segments || report.Blobs != want.Blobs || report.Bytes != want.Bytes {
		t.Errorf("Check = %+v, want %+v", report, want)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.Check(ended); err == nil {
		t.Error("Check goes on after its context ended")
	}
	if report, err := Open("/nowhere", disktest.NewMemory()).Check(context.Background()); err != nil || len(report.Problems) > 0 {
		t.Errorf("Check of nothing: %+v, %v", report, err)
	}
}

// What is missing between what is there is named; and where CURRENT is gone, too, what
// was published last may be lost.
func TestMissing(t *testing.T) {
	for _, tt := range []struct {
		name    string
		do      func(m *disktest.Memory)
		current int64
		missing []int64
		lost    string
		told    string
	}{
		{"nothing", func(m *disktest.Memory) {}, 5, nil, "", ""},
		{"CURRENT", func(m *disktest.Memory) { m.Delete("/data/CURRENT") }, 5, nil, "/data/CURRENT is missing; generation 5 is the newest that is whole, and whether there was a generation 6 cannot be told", ""},
		{"CURRENT and the newest", func(m *disktest.Memory) {
			m.Delete("/data/CURRENT")
			m.Delete("/data/generations/5.json")
		}, 4, nil, "generation 4 is the newest that is whole, and 2 files are of no generation that is there: generation 5, and what came after it, may be lost", ""},
		{"a damaged CURRENT and a damaged one", func(m *disktest.Memory) {
			m.Put("/data/CURRENT", "x")
			m.Put("/data/generations/5.json", "x")
		}, 4, nil, "generation 4 is the newest that is whole, and generation 5 came after it", ""},
		{"an old CURRENT", func(m *disktest.Memory) {
			m.Put("/data/CURRENT", string(Ref{2, engine}.encode()))
		}, 5, nil, "", ""},
		{"an old CURRENT and a damaged one", func(m *disktest.Memory) {
			m.Put("/data/CURRENT", string(Ref{2, engine}.encode()))
			m.Put("/data/generations/5.json", "x")
		}, 4, nil, "generation 5 came after it", ""},
		{"one in between", func(m *disktest.Memory) { m.Delete("/data/generations/3.json") }, 5, []int64{3}, "", "/data/generations/3.json is missing: generation 3 was published"},
		{"several in between", func(m *disktest.Memory) {
			m.Delete("/data/generations/2.json")
			m.Delete("/data/generations/3.json")
		}, 5, []int64{2, 3}, "", "/data/generations/2.json and 1 more are missing: generations 2 to 3 were published"},
		{"the oldest ones, as if pruned", func(m *disktest.Memory) {
			m.Delete("/data/generations/1.json")
			m.Delete("/data/generations/2.json")
		}, 5, nil, "", ""},
		{"the one that CURRENT names", func(m *disktest.Memory) { m.Delete("/data/generations/5.json") }, 5, []int64{5}, "", "/data/generations/5.json is missing"},
		{"that one and others", func(m *disktest.Memory) {
			m.Delete("/data/generations/5.json")
			m.Delete("/data/generations/4.json")
			m.Delete("/data/generations/2.json")
		}, 5, []int64{2, 4, 5}, "", "/data/generations/4.json is missing: generation 4 was published"},
	} {
		m, w := two(t)
		for _, word := range []string{"3", "4", "5"} {
			published(t, w, word, part{word, ""})
		}
		want(t, "Close", w.Close(), "")
		tt.do(m)
		report, err := Open("/data", m).Check(context.Background())
		want(t, tt.name, err, "")
		if report.Current.Number != tt.current || !slices.Equal(report.Missing, tt.missing) || (report.Lost != "") != (tt.lost != "") || !strings.HasSuffix(report.Lost, tt.lost) {
			t.Errorf("%s: Check = %+v", tt.name, report)
		}
		told := func(p Problem) bool { return p.Kind == FileMissing && p.Sentence == tt.told }
		if tt.told != "" && (!slices.ContainsFunc(report.Problems, told) || report.Sound()) {
			t.Errorf("%s: %v", tt.name, report.Problems)
		}
	}
}
