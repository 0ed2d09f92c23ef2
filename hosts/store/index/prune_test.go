package index

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
)

var pruneTests = []struct {
	name   string
	newest int
	age    time.Duration
	now    int64 // the hour
	want   []int64
}{
	{"the newest ones", 2, 0, 100, []int64{1, 2, 3}},
	{"the young ones", 0, 4 * time.Hour, 7, []int64{1, 2}},
	{"the newest ones and the young ones", 4, time.Hour, 100, []int64{1}},
	{"more than there are", 10, 0, 100, nil},
	{"none but the current one", 0, 0, 100, []int64{1, 2, 3, 4}},
	{"those of a time that lies ahead stay", 0, 0, 3, []int64{1, 2}},
}

func TestPrune(t *testing.T) {
	for _, tt := range pruneTests {
		w := locked(t, Open("/data", disktest.NewMemory()))
		for _, word := range []string{"a", "b", "c", "d", "e"} {
			published(t, w, word, part{word, ""})
		}
		pruned, err := w.Prune(tt.newest, tt.age, timeOf(tt.now))
		want(t, tt.name, err, "")
		if n := len(tt.want); !slices.Equal(pruned.Generations, tt.want) || pruned.Files != 3*n || pruned.Bytes != int64(n*800) || pruned.Held != "" {
			t.Errorf("%s: Prune = %+v, want %v", tt.name, pruned, tt.want)
		}
		kept, err := w.Generations()
		if want(t, tt.name, err, ""); len(kept) != 5-len(tt.want) {
			t.Errorf("%s: %d generations are left", tt.name, len(kept))
		}
		for _, g := range kept {
			want(t, tt.name, w.verify(g), "")
		}
	}
}

// What was added and is in no generation yet stays for its writer, and for no other.
func TestPruneSparesWhatIsNew(t *testing.T) {
	m, w := two(t)
	name, err := w.AddSegment(contents("new"))
	want(t, "AddSegment", err, "")
	m.Put(pathOf(segments, "half")+".new", "half")
	m.Put("/data/CURRENT.new", "half")
	m.Put("/data/generations/3.json.new", "half")
	m.Put("/data/segments/notes.txt", "a stranger's")
	m.Put("/data/segments/notes.new", "a stranger's")
	for range 2 {
		_, err = w.Prune(1, 0, timeOf(9))
		want(t, "Prune", err, "")
	}
	_, err = w.Segment(name)
	want(t, "Segment", err, "")
	want(t, "Close", w.Close(), "")
	w = locked(t, Open("/data", m))
	_, err = w.Prune(1, 0, timeOf(9))
	want(t, "Prune", err, "")
	_, err = w.Segment(name)
	want(t, "Segment", err, Damaged)
	for path := range m.Files() {
		if strings.HasSuffix(path, ".new") && path != "/data/segments/notes.new" {
			t.Errorf("%s is left", path)
		}
	}
	if _, ok := m.Files()["/data/segments/notes.txt"]; !ok {
		t.Error("a stranger's file is gone")
	}
}

// As long as it is not known what a generation needs, nothing that it may need goes.
func TestPruneHolds(t *testing.T) {
	for _, tt := range []struct {
		name   string
		path   string
		gone   bool // the file is missing, rather than damaged
		newest int
		held   bool
	}{
		{"a kept one", "/data/generations/2.json", false, 3, true},
		{"the oldest one", "/data/generations/1.json", false, 2, false},
		{"the current one", "/data/generations/3.json", false, 3, true},
		{"the current one, missing", "/data/generations/3.json", true, 3, true},
	} {
		m, w := two(t)
		published(t, w, "d3", part{"d", ""})
		want(t, "Close", w.Close(), "")
		if m.Put(tt.path, "damaged"); tt.gone {
			m.Delete(tt.path)
		}
		m.Put(pathOf(segments, "x"), "unused")
		w = locked(t, Open("/data", m))
		pruned, err := w.Prune(tt.newest, 0, timeOf(9))
		want(t, tt.name, err, "")
		_, there := m.Files()[pathOf(segments, "x")]
		if there != tt.held || (pruned.Held != "") != tt.held {
			t.Errorf("%s: Prune = %+v, the unused segment is there: %v", tt.name, pruned, there)
		}
	}
}

// A clock that went back between two publications leaves no gap: what is missing in
// between is lost, and not pruned.
func TestPruneLeavesNoGap(t *testing.T) {
	w := locked(t, Open("/data", disktest.NewMemory()))
	for i, hour := range []int64{1, 90, 2, 91, 92} {
		name, err := w.AddSegment(contents(fmt.Sprint(i)))
		want(t, "AddSegment", err, "")
		_, err = w.Publish(Generation{Parent: w.Head(), Created: timeOf(hour), Root: rootOf(hour), Engine: engine, Documents: 1, Segments: []Segment{{Name: name, Documents: 1, Chunks: 1}}})
		want(t, "Publish", err, "")
	}
	pruned, err := w.Prune(1, 10*time.Hour, timeOf(95))
	want(t, "Prune", err, "")
	report, err := w.Check(context.Background())
	want(t, "Check", err, "")
	if !slices.Equal(pruned.Generations, []int64{1}) || len(report.Missing) > 0 || !report.Sound() || report.Generations != 4 {
		t.Errorf("Prune = %+v, then Check = %+v", pruned, report)
	}
}
