package index

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
)

// Every bit of a segment and of a blob, flipped, and every cut, is an error that
// names the file, and never served; Check tells of it.
func TestEveryBitOfContent(t *testing.T) {
	m, w := two(t)
	_, err := w.Prune(2, 0, timeOf(9))
	want(t, "Prune", err, "")
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
	second := w.Head()
	m.Put("/data/CURRENT", "")
	m.Put(pathOf(segments, "c"), "damaged")
	s := Open("/data", m)
	for _, fault := range []string{"/data/CURRENT is damaged: ", pathOf(segments, "c") + " is damaged: "} {
		if number, told := answering(t, "two damages", s); number != 1 || !strings.HasPrefix(told, fault) {
			t.Errorf("generation %d answers: %q", number, told)
		}
		w = locked(t, s) // it mends CURRENT
		if w.Head() != second {
			t.Errorf("the writer goes on from %v", w.Head())
		}
		want(t, "Close", w.Close(), "")
	}
}

// answering returns the number of the generation that answers, which is whole, and what
// is told of it.
func answering(t *testing.T, name string, s *Store) (number int64, told string) {
	t.Helper()
	told, err := s.View(currentName, func(g Generation) error {
		number = g.Number
		s.doubt(g)
		return s.verify(g)
	})
	want(t, name, err, "")
	return number, told
}

// three is a store with three generations that was pruned and is closed. Each needs a
// segment of its own, and the last two have one in common.
func three(t *testing.T) *disktest.Memory {
	t.Helper()
	m, w := two(t)
	published(t, w, "d3", part{"c", ""}, part{"d", ""})
	_, err := w.Prune(3, 0, timeOf(9))
	want(t, "Prune", err, "")
	want(t, "Close", w.Close(), "")
	return m
}

// spoilt yields what may have become of a file: it is missing, cut, or one byte of it is
// another.
func spoilt(m *disktest.Memory, path string, yield func(name string)) {
	data := m.Files()[path]
	m.Delete(path)
	yield(path + " missing")
	for _, n := range []int{0, len(data) / 2, len(data) - 1} {
		m.Put(path, data[:n])
		yield(fmt.Sprintf("%s cut to %d bytes", path, n))
	}
	step := 1
	if len(data) > 100 { // for each byte, there is TestFlips
		step = len(data) / 12
	}
	for at := 0; at < len(data); at += step {
		other := []byte(data)
		other[at] ^= 1
		m.Put(path, string(other))
		yield(fmt.Sprintf("%s with another byte %d", path, at))
	}
	m.Put(path, data)
}

// answers is which generation of three answers where a file is spoilt, and which ones
// are lost.
var answers = []struct {
	path   string
	number int64
	lost   []int64
}{
	{"/data/CURRENT", 3, nil},
	{"/data/OLDEST", 3, nil},
	{"/data/generations/3.json", 2, []int64{3}},
	{"/data/generations/2.json", 3, []int64{2}},
	{"/data/generations/1.json", 3, []int64{1}},
	{pathOf(segments, "a"), 3, []int64{1, 2}},
	{pathOf(segments, "b"), 3, []int64{1}},
	{pathOf(segments, "c"), 1, []int64{2, 3}},
	{pathOf(segments, "d"), 2, []int64{3}},
	{pathOf(blobs, "a-b1"), 3, []int64{2}},
	{pathOf(blobs, "d1"), 3, []int64{1}},
	{pathOf(blobs, "d2"), 3, []int64{2}},
	{pathOf(blobs, "d3"), 2, []int64{3}},
}

// Whichever file is spoilt, and however: the newest whole generation answers, what is told
// names the file and no other, Check finds it and nothing else, and what is published then
// has a number of its own and costs nothing that is whole.
func TestEachFile(t *testing.T) {
	m := three(t)
	if files := len(m.Files()); files != len(answers)+1 {
		t.Fatalf("%d files, and %d are spoilt", files, len(answers))
	}
	for _, tt := range answers {
		spoilt(m, tt.path, func(name string) {
			s := Open("/data", m)
			told := tt.number < 3 || tt.path == "/data/CURRENT"
			number, recovered := answering(t, name, s)
			if number != tt.number || (recovered != "") != told || told && !(strings.HasPrefix(recovered, tt.path+" is ") && strings.Count(recovered, "/data/") == 1) {
				t.Errorf("%s: generation %d answers: %q", name, number, recovered)
			}
			report, err := Open("/data", m).Check(context.Background())
			want(t, name, err, "")
			note := name == "/data/OLDEST missing" // it would say what can be seen
			lost := tt.number < 3 || tt.path == "/data/CURRENT" && report.Lost != ""
			if report.Current.Number != tt.number || (report.Lost != "") != lost || report.Sound() != note {
				t.Errorf("%s: Check = %+v", name, report)
			}
			for _, p := range report.Problems {
				if is := p.Kind.Harm() || p.Kind == FileUntold; is != (p.Path == tt.path) || is && !strings.Contains(p.Sentence, tt.path) {
					t.Errorf("%s: Check tells of %v", name, p)
				}
			}
			goesOn(t, name, m, tt.lost)
		})
	}
}

// goesOn wants that a fourth generation can be published in a copy of three, that it has
// this number, and that all but the lost ones are whole afterwards.
func goesOn(t *testing.T, name string, of *disktest.Memory, lost []int64) {
	t.Helper()
	m := copied(of)
	w := locked(t, Open("/data", m))
	if g := published(t, w, "d4", part{"e", ""}); g.Number != 4 {
		t.Errorf("%s: generation %d is published", name, g.Number)
	}
	pruned, err := w.Prune(4, 0, timeOf(99))
	want(t, name, err, "")
	if slices.ContainsFunc(pruned.Generations, func(n int64) bool { return n <= 4 }) {
		t.Errorf("%s: Prune = %+v", name, pruned)
	}
	want(t, name, w.Close(), "")
	s := Open("/data", m)
	if number, told := answering(t, name, s); number != 4 || told != "" {
		t.Errorf("%s: afterwards generation %d answers: %q", name, number, told)
	}
	for n := int64(1); n <= 3; n++ {
		g, err := s.AsOf(fmt.Sprint(n))
		if err == nil {
			err = s.verify(g)
		}
		if (err != nil) != slices.Contains(lost, n) {
			t.Errorf("%s: afterwards generation %d: %v", name, n, err)
		}
	}
}

func copied(of *disktest.Memory) *disktest.Memory {
	m := disktest.NewMemory()
	for _, folder := range append([]string{""}, folders...) {
		_ = m.Mkdir(filepath.Join("/data", folder))
	}
	for path, data := range of.Files() {
		m.Put(path, data)
	}
	return m
}

// Where CURRENT is spoilt, too, what is left answers, all that is at fault is named, and
// the number of the generation that is lost is not given again: not by a writer that
// comes after one that only mended CURRENT, either.
func TestTwoFiles(t *testing.T) {
	for _, content := range append([]string{"missing"}, currentDamages[0].content, currentDamages[1].content) {
		m := three(t)
		if m.Put("/data/CURRENT", content); content == "missing" {
			m.Delete("/data/CURRENT")
		}
		for _, tt := range answers[2:] {
			spoilt(m, tt.path, func(name string) {
				if name == "/data/generations/3.json missing" {
					return // nothing tells of it then
				}
				s := Open("/data", m)
				number, recovered := answering(t, name, s)
				if number != tt.number || !strings.HasPrefix(recovered, "/data/CURRENT is ") || tt.number < 3 != strings.Contains(recovered, tt.path) {
					t.Errorf("CURRENT %q, %s: generation %d answers: %q", content, name, number, recovered)
				}
				goesOn(t, name, m, tt.lost)
				once := copied(m)
				want(t, name, locked(t, Open("/data", once)).Close(), "")
				if number, told := answering(t, name, Open("/data", once)); number != tt.number || (told != "") != (number < 3) {
					t.Errorf("CURRENT %q, %s, mended: generation %d answers: %q", content, name, number, told)
				}
				goesOn(t, name+", mended", once, tt.lost)
			})
		}
	}
}

// Segments that no generation names are told, and whose they may be, but not where that
// process was killed; they are no damage.
func TestCheckUnused(t *testing.T) {
	m := three(t)
	m.Put(pathOf(segments, "x"), string(contents("x")))
	for _, state := range []string{"nobody writes", "killed", "at work"} {
		atWork := state == "at work"
		switch state {
		case "killed":
			m.Put("/data/lock", string(newHolder("a test").encode()))
		case "at work":
			locked(t, Open("/data", m))
		}
		report, err := Open("/data", m).Check(context.Background())
		if want(t, "Check", err, ""); !report.Sound() || len(report.Problems) != 1 {
			t.Fatalf("Check = %+v", report)
		}
		p := report.Problems[0]
		if p.Kind != FileUnused || p.Path != pathOf(segments, "x") || !strings.HasPrefix(p.Sentence, "no generation that is there needs "+p.Path) || strings.Contains(p.Sentence, `"a test" (process `) != atWork {
			t.Errorf("%s: Check tells of %v", state, p)
		}
	}
}

// OLDEST tells a generation that was dropped from one that is lost.
func TestOldest(t *testing.T) {
	for _, tt := range []struct {
		name    string
		do      func(m *disktest.Memory)
		missing []int64
		kind    Kind // of the only problem but what is unused
	}{
		{"whole", func(m *disktest.Memory) {}, nil, ""},
		{"the oldest one is gone", func(m *disktest.Memory) { m.Delete("/data/generations/2.json") }, []int64{2}, FileMissing},
		{"the oldest ones are gone", func(m *disktest.Memory) {
			m.Delete("/data/generations/2.json")
			m.Delete("/data/generations/3.json")
		}, []int64{2, 3}, FileMissing},
		{"OLDEST is gone", func(m *disktest.Memory) { m.Delete("/data/OLDEST") }, nil, FileUntold},
		{"both are gone", func(m *disktest.Memory) {
			m.Delete("/data/OLDEST")
			m.Delete("/data/generations/2.json")
		}, nil, FileUntold},
		{"OLDEST is damaged", func(m *disktest.Memory) { m.Put("/data/OLDEST", "x") }, nil, FileDamaged},
		{"OLDEST is of another time", func(m *disktest.Memory) { m.Put("/data/OLDEST", string(Ref{9, engine}.encode())) }, nil, ""},
	} {
		m, w := two(t)
		for _, word := range []string{"3", "4"} {
			published(t, w, word, part{word, ""})
		}
		_, err := w.Prune(3, 0, timeOf(9))
		want(t, tt.name, err, "")
		want(t, tt.name, w.Close(), "")
		tt.do(m)
		report, err := Open("/data", m).Check(context.Background())
		want(t, tt.name, err, "")
		told := slices.DeleteFunc(report.Problems, func(p Problem) bool { return p.Kind == FileUnused })
		if !slices.Equal(report.Missing, tt.missing) || len(told) != min(1, len(tt.kind)) || len(told) > 0 && told[0].Kind != tt.kind {
			t.Errorf("%s: Check = %+v", tt.name, report)
		}

		// What a lost one needs stays as long as the one would; what is damaged is mended.
		w = locked(t, Open("/data", m))
		ofOldest := func(p Problem) bool { return p.Path == "/data/OLDEST" }
		if report, err := w.Check(context.Background()); err != nil || slices.ContainsFunc(report.Problems, ofOldest) {
			t.Errorf("%s: the next writer: Check = %+v, %v", tt.name, report, err)
		}
		published(t, w, "5", part{"5", ""})
		pruned, err := w.Prune(4, 0, timeOf(9))
		if want(t, tt.name, err, ""); (pruned.Held != "") != (len(tt.missing) > 0) || len(pruned.Generations) > 0 {
			t.Errorf("%s: Prune = %+v", tt.name, pruned)
		}
		_, err = w.Prune(1, 0, timeOf(9))
		want(t, tt.name, err, "")
		if report, err := w.Check(context.Background()); err != nil || len(report.Problems) > 0 {
			t.Errorf("%s: at the end: Check = %+v, %v", tt.name, report, err)
		}
	}
}

// That OLDEST is missing is told where a generation can have been dropped, or lost, before
// another; the next writer writes it, though it publishes nothing.
func TestOldestMissing(t *testing.T) {
	m := disktest.NewMemory()
	w := locked(t, Open("/data", m))
	for n := 1; n <= 2; n++ {
		published(t, w, fmt.Sprint(n), part{"a", ""})
		report, err := w.Check(context.Background())
		untold := []Problem{{Kind: FileUntold, Path: "/data/OLDEST", Sentence: "/data/OLDEST is missing, so the loss of generation 1 could not be told"}}
		if want(t, "Check", err, ""); !slices.Equal(report.Problems, untold[:n-1]) || !report.Sound() {
			t.Errorf("of %d: Check = %+v", n, report)
		}
	}
	want(t, "Close", w.Close(), "")
	w = locked(t, Open("/data", m))
	if report, err := w.Check(context.Background()); err != nil || len(report.Problems) > 0 || len(w.Recovered()) > 0 {
		t.Errorf("the next writer: Check = %+v, %v, %v", report, err, w.Recovered())
	}
	m.Delete("/data/generations/1.json")
	if report, err := w.Check(context.Background()); err != nil || !slices.Equal(report.Missing, []int64{1}) {
		t.Errorf("generation 1 is gone: Check = %+v, %v", report, err)
	}
}

// A file that stands apart above the others is told as what it is, and nothing is expected
// because of it: the numbers go on as if it were not there.
func TestStray(t *testing.T) {
	of := three(t)
	third, err := Open("/data", of).generation(3)
	want(t, "generation 3", err, "")
	third.Number, third.Parent = 9, Ref{8, engine}
	third.Blobs = []string{digestOf([]byte("elsewhere"))}
	another, err := third.encode()
	want(t, "encode", err, "")
	for name, content := range map[string]string{"empty": "", "of another index": string(another)} {
		for _, pointer := range []string{"as it was", "missing", "damaged"} {
			m := copied(of)
			m.Put("/data/generations/9.json", content)
			switch pointer {
			case "missing":
				m.Delete("/data/CURRENT")
			case "damaged":
				m.Put("/data/CURRENT", "x")
			}
			name := name + ", CURRENT " + pointer
			if number, told := answering(t, name, Open("/data", m)); number != 3 || (told == "") != (pointer == "as it was") {
				t.Errorf("%s: generation %d answers: %q", name, number, told)
			}
			report, err := Open("/data", m).Check(context.Background())
			want(t, name, err, "")
			stray := Problem{Kind: FileDamaged, Path: "/data/generations/9.json", Sentence: "/data/generations/9.json is damaged, or of no generation of this index: it is not whole, and stands apart from the others"}
			others := func(p Problem) bool { return p != stray && p.Path != "/data/CURRENT" }
			if !slices.Contains(report.Problems, stray) || slices.ContainsFunc(report.Problems, others) || len(report.Missing) > 0 || strings.Contains(report.Lost, "generation 9") {
				t.Errorf("%s: Check = %+v", name, report)
			}
			goesOn(t, name, m, nil)
		}
	}
}

// What is lost and forgotten is told as that: nothing else that is whole goes, the numbers
// stay, and what only the forgotten ones needed is removed.
func TestForget(t *testing.T) {
	for _, tt := range append(answers[3:], struct {
		path   string
		number int64
		lost   []int64
	}{"", 3, []int64{}}) {
		if slices.Contains(tt.lost, 3) {
			continue // see below
		}
		forget := func(name string, m *disktest.Memory) {
			w := locked(t, Open("/data", m))
			forgotten, err := w.Forget(context.Background())
			if want(t, name, err, ""); !slices.Equal(forgotten, tt.lost) {
				t.Errorf("%s: Forget = %v", name, forgotten)
			}
			pruned, err := w.Prune(3, 0, timeOf(9))
			if want(t, name, err, ""); len(pruned.Generations) > 0 || pruned.Held != "" {
				t.Errorf("%s: Prune = %+v", name, pruned)
			}
			report, err := w.Check(context.Background())
			want(t, name, err, "")
			traces := 0
			if slices.Equal(tt.lost, []int64{2}) { // where the oldest one is forgotten, OLDEST tells
				traces = 1
			}
			if !report.Sound() || report.Generations != 3-len(tt.lost) || len(report.Problems) != traces || traces > 0 && report.Problems[0] != (Problem{Kind: FileForgotten, Path: "/data/generations/2.forgotten", Sentence: "generation 2 was lost, and is forgotten: /data/generations/2.forgotten says so"}) {
				t.Errorf("%s: Check = %+v", name, report)
			}
			if again, err := w.Forget(context.Background()); err != nil || len(again) > 0 {
				t.Errorf("%s: Forget again = %v, %v", name, again, err)
			}
			want(t, name, w.Close(), "")
			for _, n := range tt.lost {
				_, err := w.AsOf(fmt.Sprint(n))
				want(t, name, err, Unknown)
			}
			goesOn(t, name, m, tt.lost)

			w = locked(t, Open("/data", m))
			_, err = w.Prune(1, 0, timeOf(9))
			want(t, name, err, "")
			if report, err := w.Check(context.Background()); err != nil || len(report.Problems) > 0 {
				t.Errorf("%s: all but the last one dropped: Check = %+v, %v", name, report, err)
			}
		}
		m := three(t)
		if tt.path == "" {
			forget("nothing is lost", m)
			continue
		}
		spoilt(m, tt.path, func(name string) { forget(name, copied(m)) })
	}

	m := three(t)
	m.Put("/data/generations/3.json", "")
	m.Delete("/data/generations/1.json")
	w := locked(t, Open("/data", m))
	before := fmt.Sprint(m.Files())
	_, err := w.Forget(context.Background())
	if want(t, "the current one is lost", err, Damaged); fmt.Sprint(m.Files()) != before {
		t.Error("the current one is lost: the folder was changed")
	}
	published(t, w, "d4", part{"d", ""})
	forgotten, err := w.Forget(context.Background())
	if want(t, "after another was published", err, ""); !slices.Equal(forgotten, []int64{1, 3}) {
		t.Errorf("after another was published: Forget = %v", forgotten)
	}
}

// A forgotten generation whose files come back from a backup is one as any other.
func TestForgottenComesBack(t *testing.T) {
	for _, n := range []int64{1, 2} {
		m := three(t)
		whole := m.Files()
		m.Delete("/data/" + generations + "/" + fileOf(n))
		w := locked(t, Open("/data", m))
		forgotten, err := w.Forget(context.Background())
		if want(t, "Forget", err, ""); !slices.Equal(forgotten, []int64{n}) {
			t.Fatalf("Forget = %v", forgotten)
		}
		for path, data := range whole {
			if path != "/data/lock" {
				m.Put(path, data)
			}
		}
		pruned, err := w.Prune(3, 0, timeOf(9))
		if want(t, "Prune", err, ""); len(pruned.Generations) > 0 {
			t.Errorf("generation %d: Prune = %+v", n, pruned)
		}
		if report, err := w.Check(context.Background()); err != nil || len(report.Problems) > 0 || report.Generations != 3 {
			t.Errorf("generation %d: Check = %+v, %v", n, report, err)
		}
	}
}

// Whichever call of Forget and Prune the power goes at, no generation that is whole is
// lost, and both may be called again.
func TestForgetCrashes(t *testing.T) {
	of := three(t)
	of.Delete("/data/generations/1.json")
	of.Put(pathOf(blobs, "d2"), "damaged")
	for at := 1; ; at++ {
		m := copied(of)
		want(t, "SyncDir", m.SyncDir("/"), "")
		w := locked(t, Open("/data", m))
		m.CrashAt(at, uint64(at))
		_, err := w.Forget(context.Background())
		if err == nil {
			_, err = w.Prune(3, 0, timeOf(9))
		}
		if !m.Crashed() {
			want(t, "Forget and Prune", err, "")
			break
		}
		name := fmt.Sprintf("call %d", at)
		m = m.Restart(uint64(at))
		if number, told := answering(t, name, Open("/data", m)); number != 3 || told != "" {
			t.Fatalf("%s: generation %d answers: %q", name, number, told)
		}
		w = locked(t, Open("/data", m))
		_, err = w.Forget(context.Background())
		want(t, name, err, "")
		_, err = w.Prune(3, 0, timeOf(9))
		want(t, name, err, "")
		if report, err := w.Check(context.Background()); err != nil || len(report.Problems) > 0 || report.Generations != 1 {
			t.Fatalf("%s: Check = %+v, %v", name, report, err)
		}
	}
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
	current int64 // the generation that answers
	kind    Kind
	path    string
}{
	{"the current generation's file is cut", func(m *disktest.Memory, files map[string]string) {
		m.Put("/data/generations/2.json", files["/data/generations/2.json"][:100])
	}, 1, FileDamaged, "/data/generations/2.json"},
	{"the current generation's file is missing", func(m *disktest.Memory, files map[string]string) {
		m.Delete("/data/generations/2.json")
	}, 1, FileMissing, "/data/generations/2.json"},
	{"the current generation's file is another's", func(m *disktest.Memory, files map[string]string) {
		m.Put("/data/generations/2.json", files["/data/generations/1.json"])
	}, 1, FileDamaged, "/data/generations/2.json"},
	{"the current generation's file is a folder", func(m *disktest.Memory, files map[string]string) {
		m.Delete("/data/generations/2.json")
		_ = m.Mkdir("/data/generations/2.json")
	}, 1, FileDamaged, "/data/generations/2.json"},
	{"an older generation's file is empty", func(m *disktest.Memory, files map[string]string) {
		m.Put("/data/generations/1.json", "")
	}, 2, FileDamaged, "/data/generations/1.json"},
	{"an older generation's file is the current one's", func(m *disktest.Memory, files map[string]string) {
		m.Put("/data/generations/1.json", files["/data/generations/2.json"])
	}, 2, FileDamaged, "/data/generations/1.json"},
	{"the current generation's file is of another history", func(m *disktest.Memory, files map[string]string) {
		g, err := parseGeneration([]byte(files["/data/generations/2.json"]))
		g.Documents--
		other, err2 := g.encode()
		if err != nil || err2 != nil {
			panic("test: BUG: a generation that cannot be written")
		}
		m.Put("/data/generations/2.json", string(other))
	}, 2, FileDamaged, "/data/CURRENT"},
	{"a segment is missing", func(m *disktest.Memory, files map[string]string) {
		m.Delete(pathOf(segments, "c"))
	}, 1, FileMissing, pathOf(segments, "c")},
	{"two segments are swapped", func(m *disktest.Memory, files map[string]string) {
		m.Put(pathOf(segments, "c"), files[pathOf(segments, "a")])
	}, 1, FileDamaged, pathOf(segments, "c")},
	{"a segment is a folder", func(m *disktest.Memory, files map[string]string) {
		m.Delete(pathOf(segments, "c"))
		_ = m.Mkdir(pathOf(segments, "c"))
	}, 1, FileDamaged, pathOf(segments, "c")},
	{"the tombstones are missing", func(m *disktest.Memory, files map[string]string) {
		m.Delete(pathOf(blobs, "a-b1"))
	}, 1, FileMissing, pathOf(blobs, "a-b1")},
	{"a stranger's file", func(m *disktest.Memory, files map[string]string) {
		m.Put("/data/segments/notes.txt", "")
	}, 2, FileForeign, "/data/segments/notes.txt"},
	{"a number that is spelled otherwise", func(m *disktest.Memory, files map[string]string) {
		m.Put("/data/generations/02.json", files["/data/generations/2.json"])
	}, 2, FileForeign, "/data/generations/02.json"},
	{"a segment that nobody needs", func(m *disktest.Memory, files map[string]string) {
		m.Put(pathOf(segments, "x"), string(contents("x")))
	}, 2, FileUnused, pathOf(segments, "x")},
	{"a segment that is not whole yet", func(m *disktest.Memory, files map[string]string) {
		m.Put(pathOf(segments, "x")+".new", "half")
	}, 2, FileUnused, pathOf(segments, "x") + ".new"},
	{"a CURRENT that is not whole yet", func(m *disktest.Memory, files map[string]string) {
		m.Put("/data/CURRENT.new", "half")
	}, 2, FileUnused, "/data/CURRENT.new"},
}

func pathOf(folder, word string) string {
	return "/data/" + folder + "/" + strings.TrimPrefix(digestOf(contents(word)), "sha256:")
}

// Each damage is found by its path and kind. Where it is the current generation's, the
// newest whole one answers in its place, and the file is named; and a writer can still
// publish.
func TestDamage(t *testing.T) {
	for _, tt := range damages {
		m, w := two(t)
		want(t, "Close", w.Close(), "")
		tt.do(m, m.Files())
		s := Open("/data", m)
		var g Generation
		recovered, err := s.View("current", func(of Generation) error { g = of; return s.verify(g) })
		inCurrent := tt.kind.Harm() && tt.path != "/data/generations/1.json"
		if err != nil || g.Number != tt.current || strings.Contains(recovered, tt.path) != inCurrent || (recovered != "") != inCurrent {
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
	if want(t, "Current", err, Damaged); !strings.HasSuffix(err.Error(), "and no generation is whole; build the index anew (rookhaven index --rebuild)") {
		t.Error(err)
	}
	report, err := s.Check(context.Background())
	if want(t, "Check", err, ""); report.Sound() {
		t.Errorf("Check = %+v", report)
	}
	w = locked(t, s)
	if told := w.Recovered(); len(told) != 1 || !strings.HasSuffix(told[0], "and no generation is whole") {
		t.Errorf("the writer tells %v", told)
	}
	g := published(t, w, "d1", part{"a", ""})
	if now, recovered, err := s.Current(); err != nil || recovered != "" || now.Digest != g.Digest || now.Number != 3 {
		t.Errorf("afterwards: %+v, %q, %v", now, recovered, err)
	}
	_, err = w.Prune(1, 0, timeOf(9))
	want(t, "Prune", err, "")
	if report, err := s.Check(context.Background()); err != nil || len(report.Problems) > 0 {
		t.Errorf("after pruning: %+v, %v", report, err)
	}
}

// What is told of the generation that stands in is taken back where it is damaged too, by
// the time it is read.
func TestStandInDamaged(t *testing.T) {
	m, _ := two(t)
	blob, segment := pathOf(blobs, "a-b1"), pathOf(segments, "a")
	whole := m.Files()
	m.Put(blob, "damaged")
	s := Open("/data", m)
	read := func(g Generation) error {
		s.doubt(g)
		return s.verify(g)
	}
	told, err := s.View(currentName, read)
	if want(t, "the older one stands in", err, ""); !strings.HasSuffix(told, "generation 1 is the newest that is whole") {
		t.Errorf("told %q", told)
	}
	m.Put(blob, whole[blob])
	m.Put(segment, "damaged") // of both
	told, err = s.View(currentName, read)
	if want(t, "both are damaged", err, Damaged); told != "" || !strings.Contains(err.Error(), segment) {
		t.Errorf("%v, told %q", err, told)
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
		{"the one that CURRENT names", func(m *disktest.Memory) { m.Delete("/data/generations/5.json") }, 4, []int64{5}, "/data/generations/5.json is missing; generation 4 is the newest that is whole, and generation 5 came after it", "/data/generations/5.json is missing: generation 5 was published"},
		{"that one and others", func(m *disktest.Memory) {
			m.Delete("/data/generations/5.json")
			m.Delete("/data/generations/4.json")
			m.Delete("/data/generations/2.json")
		}, 3, []int64{2, 4, 5}, "generation 5 came after it", "/data/generations/4.json and 1 more are missing: generations 4 to 5 were published"},
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
