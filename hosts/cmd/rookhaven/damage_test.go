package main

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A spoilt file is one of an index that something became of.
type spoilt struct {
	where, base string
	answers     int // the generation that does then
	told        bool
	warned      bool // it is no damage: nothing is lost with it
}

// Whichever file of an index is missing, cut, or has another byte: doctor fails and names
// it; the newest generation that is whole answers, which is said in one sentence that
// names it, too, and is exit code 3 with --strict; and index goes on, with all documents
// and a number that no generation had.
func TestEachDamage(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.generations(1)
	folder := filepath.Join("docs", ".rookhaven")
	first := slices.Collect(maps.Keys(m.files(folder)))
	m.generations(2)
	contains(t, "a whole index", m.must(0, "doctor", "--data", "docs").out, "ok    index")
	search := []string{"search", "--data", "docs", "--json", "tide", "--as-of"}
	expected := []string{m.must(0, append(search, "1")...).out, m.must(0, append(search, "2")...).out}
	whole := m.files(folder)
	spoil := func(s spoilt, path string, content *string) {
		m.restore(folder, whole)
		if content == nil {
			s.where = path + " missing"
			m.remove(strings.TrimPrefix(path, m.dir))
		} else {
			m.replace(path, *content)
		}
		m.answers(s, expected)
		m.diagnosed(s)
		m.goesOn(s)
	}
	for path, content := range whole {
		s := spoilt{base: filepath.Base(path), answers: 2}
		switch {
		case content == "folder" || s.base == "lock" || s.base == ".gitignore":
			continue
		case strings.Contains(path, "segments") && slices.Contains(first, path):
			continue // both need it: see TestDamagedSegment
		case s.base == "CURRENT":
			s.told = true
		case !slices.Contains(first, path):
			s.answers, s.told = 1, true
		}
		half := len(content) / 2
		other := []byte(content)
		other[half] ^= 1
		for how, content := range map[string]string{" cut": content[:half], " with another byte": string(other)} {
			s.where = path + how
			spoil(s, path, &content)
		}
		s.warned = s.base == "OLDEST"
		spoil(s, path, nil)
	}
}

func (m *machine) answers(s spoilt, expected []string) {
	m.t.Helper()
	code := 0
	r := m.run("", "search", "--data", "docs", "--json", "--strict", "tide")
	if s.told {
		code = 3
		contains(m.t, s.where, r.err, s.base+" is ", "is the newest that is whole, so it answers (rookhaven doctor tells more)")
	}
	if r.code != code || r.out != expected[s.answers-1] || (strings.Count(r.err, "\n") == 1) != s.told {
		m.t.Errorf("%s: exit %d, %s%s", s.where, r.code, r.out, r.err)
	}
}

func (m *machine) diagnosed(s spoilt) {
	m.t.Helper()
	code, line := 2, "fail  index"
	if s.warned {
		code, line = 0, "warn  index"
	}
	r := m.run("", "doctor", "--data", "docs")
	if _, found, _ := strings.Cut(r.out, line); r.code != code || !strings.Contains(found, s.base+" is ") {
		m.t.Errorf("%s: doctor: exit %d, %s", s.where, r.code, r.out)
	}
}

func (m *machine) goesOn(s spoilt) {
	m.t.Helper()
	wants := "generation 2"
	if s.answers == 1 {
		wants = "generation 3: 2 documents"
	}
	contains(m.t, s.where, m.must(0, "index", "docs").out, wants)
	if s.warned {
		contains(m.t, s.where+", afterwards", m.must(0, "doctor", "--data", "docs").out, "ok    index")
	}
	if r := m.must(0, "search", "--data", "docs", "--strict", "tide"); r.err != "" {
		m.t.Errorf("%s: afterwards: %s", s.where, r.err)
	}
}

// What is lost, and no backup has, is given up with --forget-lost: doctor names the flag, and
// is content afterwards; what is whole still answers.
func TestForgetLost(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	for n := range 4 {
		m.must(0, "index", m.edition(n))
	}
	first := m.must(0, "search", "--data", "docs", "--json", "--as-of", "1", "tide").out
	folder := filepath.Join("docs", ".rookhaven")
	whole := m.files(folder)
	for name, tt := range map[string]struct {
		lose      []string
		args      []string
		forgotten string
		traces    []string
	}{
		"an older one":             {[]string{"2.json"}, nil, "generation 2", []string{"2.forgotten"}},
		"the last one and another": {[]string{"2.json", "4.json"}, nil, "generation 2, 4", []string{"2.forgotten", "4.forgotten"}},
		"all":                      {[]string{"1.json", "2.json", "3.json", "4.json"}, []string{"--rebuild"}, "generation 1, 2, 3, 4", nil},
	} {
		m.restore(folder, whole)
		for _, base := range tt.lose {
			m.file(filepath.Join(folder, "generations", base), "")
		}
		m.must(0, append([]string{"index", "docs"}, tt.args...)...)
		contains(t, name, m.must(2, "doctor", "--data", "docs").out, "fail  index", "--forget-lost")
		contains(t, name, m.must(0, "index", "--forget-lost", "docs").out, "lost, and forgotten: "+tt.forgotten+"\n")
		out := m.must(0, "doctor", "--data", "docs").out
		contains(t, name+", afterwards", out, append(tt.traces, "ok    index")...)
		if n := strings.Count(out, "is forgotten"); n != len(tt.traces) {
			t.Errorf("%s: doctor tells of %d that are forgotten: %s", name, n, out)
		}
		contains(t, name, m.must(2, "search", "--data", "docs", "--as-of", "2", "tide").err, "GENERATION_UNKNOWN: no generation 2 is kept")
		if len(tt.lose) < 4 {
			if r := m.must(0, "search", "--data", "docs", "--json", "--as-of", "1", "tide"); r.out != first || r.err != "" {
				t.Errorf("%s: generation 1 answers otherwise: %s%s", name, r.out, r.err)
			}
		}
		if report := decode(t, m.must(0, "index", "--forget-lost", "--json", "docs").out); report["forgotten"] != nil || report["published"] != false {
			t.Errorf("%s: and again: %v", name, report)
		}
	}

	m.restore(folder, whole)
	m.file(filepath.Join(folder, "generations", "4.json"), "")
	if got := compact(t, decode(t, m.must(0, "index", "--forget-lost", "--json", "docs").out)["forgotten"]); got != "[4]" {
		t.Errorf("at once: forgotten: %s", got)
	}
	contains(t, "at once", m.must(0, "doctor", "--data", "docs").out, "ok    index")
}

// restore makes a folder hold the files given and no others.
func (m *machine) restore(folder string, files map[string]string) {
	m.t.Helper()
	for path, content := range m.files(folder) {
		if _, stays := files[path]; !stays && content != "folder" {
			m.remove(strings.TrimPrefix(path, m.dir))
		}
	}
	for path, content := range files {
		if content != "folder" {
			m.replace(path, content)
		}
	}
}
