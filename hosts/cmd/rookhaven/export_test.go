package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/internal/library"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// variety is a corpus file with documents of every kind. The first line is not in the
// order of ids, and no line is spelt as it is exported.
const variety = `{"text":"crane 🏗 and tide","id":"ö/第一.md","path":"ö/第一.md","key":"ö/第一.md"}
{"id":"a","text":"","title":"Empty tide","metadata":{}}
{"id":"b","text":"berth tide\r\n\u0000\u2028","metadata":{"exact":[12345678901234567890123456789,1e-7,-0.10,1e400,1.0],"Ä":{"z":null,"a":false}},"collection":"port"}
{"id":"c","title":"Manual","key":"KEY-1","blocks":[{"type":"heading","level":2,"text":"Crane"},{"type":"table","headers":["berth","tide"],"rows":[["7","high"]]},{"type":"list","items":["rope"],"ordered":false,"location":{"pageStart":2,"pageEnd":3}}]}
{"id":"C:\\docs\\a.md","text":"a tide with backslashes"}
{"id":"\ud83c\udf0a","path":"x.md","text":"---\ntitle: Front\nyear: 2026\ntags: [tide, mole]\n---\n# One\n\ncrane tide\n"}
`

// replies are what searches of an index give, and what it says of itself.
func (m *machine) replies(data string) (replies []string) {
	m.t.Helper()
	for _, args := range [][]string{{"crane", "tide", "--explain", "--text", "full", "--expand", "document"}, {"--filter", "year=2026", "--count", "tide"}, {"--filter", "exact=12345678901234567890123456789", "tide"}, {"title:manual", "rop*"}} {
		r := m.run("", append([]string{"search", "--json", "--data", data}, args...)...)
		if r.code > 1 {
			m.t.Fatal(r.err)
		}
		replies = append(replies, r.out)
	}
	return replies
}

// X64: what is exported, indexed and exported again is the same, and answers the same.
func TestX64RoundTrip(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.tree(map[string]string{"docs/front.md": "---\ntitle: Tide tables\nyear: 2026\n---\n\n# Front\n\ncrane tide\n", "docs/empty.txt": "\n", "docs/Ä ö.md": "\ufeffcrane\r\n"})
	m.file("variety.jsonl", variety)
	for i, tt := range []struct {
		name  string
		args  []string // of index
		flags []string // that the import needs
	}{
		{"a folder", []string{"docs"}, nil},
		{"a corpus file", []string{"variety.jsonl"}, nil},
		{"both, with other settings", []string{"--language", "none", "--chunks", "whole", "--target", "90", "--overlap", "0", "docs", "variety.jsonl"}, []string{"--language", "none", "--chunks", "whole", "--target", "90", "--overlap", "0"}},
	} {
		data, copied := fmt.Sprint("data", i), fmt.Sprint("copy", i)
		m.must(0, append([]string{"index", "--data", data}, tt.args...)...)
		first := m.must(0, "export", "--data", data)
		contains(t, tt.name, first.err, "the same index again: rookhaven index FILE.jsonl --data NEW"+strings.Join(append([]string{""}, tt.flags...), " ")+"\n")
		m.file("out.jsonl", first.out)
		m.must(0, append([]string{"index", "--data", copied, "out.jsonl"}, tt.flags...)...)
		if again := m.must(0, "export", "--data", copied); again.out != first.out || again.err != first.err { // with the root
			t.Errorf("%s:\n%s%s\nexported again:\n%s%s", tt.name, first.out, first.err, again.out, again.err)
		}
		got, want := m.replies(copied), m.replies(data)
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s, search %d:\n got %s\nwant %s", tt.name, i, got[i], want[i])
			}
		}
	}
}

// What is exported is in the order of ids by their bytes, and spelt in one way.
func TestExportedLines(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.file("variety.jsonl", variety)
	m.must(0, "index", "--data", "data", "variety.jsonl")
	want := `{"id":"C:\\docs\\a.md","text":"a tide with backslashes"}
{"id":"a","text":"","title":"Empty tide"}
{"collection":"port","id":"b","metadata":{"exact":[1.2345678901234567890123456789e+28,1e-7,-0.1,1e+400,1],"Ä":{"a":false,"z":null}},"text":"berth tide\r\n\u0000` + "\u2028" + `"}
{"blocks":[{"level":2,"text":"Crane","type":"heading"},{"headers":["berth","tide"],"rows":[["7","high"]],"type":"table"},{"items":["rope"],"location":{"pageEnd":3,"pageStart":2},"ordered":false,"type":"list"}],"id":"c","key":"KEY-1","title":"Manual"}
{"id":"ö/第一.md","path":"ö/第一.md","text":"crane 🏗 and tide"}
{"id":"🌊","path":"x.md","text":"---\ntitle: Front\nyear: 2026\ntags: [tide, mole]\n---\n# One\n\ncrane tide\n"}
`
	if got := m.must(0, "export", "--data", "data").out; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// An older generation is exported as it was, and makes an index with its root.
func TestExportAsOf(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	first := decode(t, m.must(0, "index", "--json", "docs").out)
	then := m.must(0, "export", "--data", "docs").out
	m.tree(map[string]string{"docs/tides.md": "other\n", "docs/fog.txt": ""})
	m.must(0, "index", "docs")
	if now := m.must(0, "export", "--data", "docs").out; now == then || strings.Contains(now, "lighthouse") {
		t.Errorf("now: %s", now)
	}
	if named := m.must(0, "export", "--data", "docs", "--as-of", "current").out; named == then || named != m.must(0, "export", "--data", "docs").out {
		t.Errorf("as of current: %s", named)
	}
	for _, which := range []string{"1", first["corpus"].(string)} {
		m.must(0, "export", "--data", "docs", "--as-of", which, "--out", "then.jsonl")
		if got, err := os.ReadFile(filepath.Join(m.dir, "then.jsonl")); err != nil || string(got) != then {
			t.Errorf("as of %s: %v\n%s\nwant\n%s", which, err, got, then)
		}
	}
	if again := decode(t, m.must(0, "index", "--json", "--data", "again", "then.jsonl").out); again["corpus"] != first["corpus"] {
		t.Errorf("the root is %v, it was %v", again["corpus"], first["corpus"])
	}
	contains(t, "a generation that is not kept", m.must(2, "export", "--data", "docs", "--as-of", "9").err, "GENERATION_UNKNOWN")
}

// The index without documents comes back, too.
func TestExportOfNothing(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(map[string]string{"docs/a.md": "tide\n"})
	m.must(0, "index", "docs")
	m.tree(map[string]string{"docs/a.md": ""})
	empty := decode(t, m.must(0, "index", "--empty", "--json", "docs").out)
	r := m.must(0, "export", "--data", "docs", "--out", "out.jsonl")
	contains(t, "stderr", r.err, "0 documents of generation 2", "rookhaven index out.jsonl --data NEW --empty\n")
	if again := decode(t, m.must(0, "index", "--empty", "--json", "--data", "copy", "out.jsonl").out); again["corpus"] != empty["corpus"] || again["documents"] != 0. {
		t.Errorf("%v, want %v", again, empty)
	}
	if again := m.must(0, "export", "--data", "copy").out; again != "[]\n" {
		t.Errorf("exported again: %q", again)
	}
}

// What cannot be exported as a whole is not begun, and files stay as they are.
func TestExportRefuses(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	m.file("corpus.jsonl", variety)
	index := filepath.Join("docs", ".rookhaven")
	if err := os.Symlink(filepath.Join(m.dir, index), filepath.Join(m.dir, "link")); err != nil {
		t.Fatal(err)
	}
	m.env = append(m.env, "ROOKHAVEN_CORPUS_PATH=corpus.jsonl")
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"no index here", nil, "INDEX_ABSENT"},
		{"no index there", []string{"--data", "absent"}, "INDEX_ABSENT"},
		{"the corpus file", []string{"--data", "docs", "--out", "corpus.jsonl"}, "ARGUMENT_INVALID: corpus.jsonl is the corpus file"},
		{"a file of the index", []string{"--data", "docs", "--out", filepath.Join(index, "CURRENT")}, "ARGUMENT_INVALID"},
		{"the folder of the index", []string{"--data", "docs", "--out", filepath.Join(index, "new.jsonl")}, "is in the folder of the index"},
		{"the same by a link", []string{"--data", "docs", "--out", filepath.Join("link", "segments", "new.jsonl")}, "is in the folder of the index"},
		{"a folder", []string{"--data", "docs", "--out", "docs"}, "FILE_UNWRITABLE"},
		{"a folder that is not there", []string{"--data", "docs", "--out", filepath.Join("absent", "x")}, "FILE_UNWRITABLE"},
		{"a corpus file is no index", []string{"--corpus", "corpus.jsonl"}, "ARGUMENT_UNKNOWN"},
		{"no such time", []string{"--data", "docs", "--as-of", "yesterday"}, "ARGUMENT_INVALID"},
	} {
		r := m.must(2, append([]string{"export"}, tt.args...)...)
		contains(t, tt.name, r.err, tt.want)
		if r.out != "" {
			t.Errorf("%s: stdout is %s", tt.name, r.out)
		}
	}
	contains(t, "the index afterwards", m.must(0, "doctor", "--data", "docs").out, "ok    index")

	const asItWas = `{"id":"a","text":"as it was"}`
	m.file("out.jsonl", asItWas)
	segments, err := filepath.Glob(filepath.Join(m.dir, index, "segments", "*"))
	if err != nil || len(segments) != 1 {
		t.Fatal(segments, err)
	}
	b, err := os.ReadFile(segments[0])
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(segments[0], b, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{"-", "out.jsonl"} {
		r := m.must(2, "export", "--data", "docs", "--out", out)
		contains(t, "a damaged index", r.err, "INDEX_DAMAGED: ", filepath.Base(segments[0]))
		if r.out != "" {
			t.Errorf("a damaged index is exported as %s", r.out)
		}
	}
	if got, err := os.ReadFile(filepath.Join(m.dir, "out.jsonl")); err != nil || string(got) != asItWas {
		t.Errorf("out.jsonl is %q, %v", got, err)
	}
}

// Where CURRENT is lost, what is exported may not be what was published last, and that is
// told.
func TestExportStrict(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	want := m.must(0, "export", "--data", "docs", "--strict").out
	m.file(filepath.Join("docs", ".rookhaven", "CURRENT"), "lost")
	for code, args := range map[int][]string{0: nil, 3: {"--strict"}} {
		r := m.must(code, append([]string{"export", "--data", "docs"}, args...)...)
		if contains(t, "stderr", r.err, "CURRENT"); r.out != want {
			t.Errorf("%q: %s, want %s", args, r.out, want)
		}
	}
}

// What stderr suggests can be pasted into a shell.
func TestExportSuggests(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(map[string]string{"docs/a.md": "Die Häuser am Hafen.\n"})
	m.must(0, "index", "--language", "de", "docs")
	contains(t, "a name with blanks and quotes", m.must(0, "export", "--data", "docs", "--out", "it's $(all).jsonl").err, `rookhaven index 'it'\''s $(all).jsonl' --data NEW --language de`+"\n")
	contains(t, "a name that would not be read as a corpus", m.must(0, "export", "--data", "docs", "--out", "out.txt").err, "rookhaven index FILE.jsonl --data NEW")
}

// An index of another engine is exported with that one: kept, or given; else it is told
// which one it takes.
func TestExportWithItsEngine(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.file("variety.jsonl", variety)
	m.must(0, "index", "--data", "own", "variety.jsonl")
	want := m.must(0, "export", "--data", "own").out
	wasm, _ := older(t, "[]")
	m.indexWith(wasm, "other", strings.Split(strings.TrimSpace(want), "\n"))
	m.file("old.wasm", string(wasm))
	built, _, _ := artifact.Built()
	m.file("new.wasm", string(built))
	m.file("no.wasm", "\x00asm")

	name := artifact.Digest(wasm)
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"it is not here", nil, "ENGINE_UNKNOWN: generation 1 of the index in other belongs to the engine " + name},
		{"another one", []string{"--engine", "new.wasm"}, "ENGINE_REFUSED: generation 1 of the index in other belongs to the engine " + name},
		{"no engine", []string{"--engine", "no.wasm"}, "ENGINE_REFUSED: "},
		{"no file", []string{"--engine", "none.wasm"}, "FILE_UNREADABLE: "},
	} {
		r := m.must(2, append([]string{"export", "--data", "other"}, tt.args...)...)
		if contains(t, tt.name, r.err, tt.want); r.out != "" {
			t.Errorf("%s: stdout is %s", tt.name, r.out)
		}
	}
	if got := m.must(0, "export", "--data", "other", "--engine", "old.wasm").out; got != want {
		t.Errorf("with --engine:\n%s\nwant\n%s", got, want)
	}
	m.must(0, "engine", "add", "old.wasm")
	for _, args := range [][]string{nil, {"--as-of", "1"}, {"--as-of", "current"}} {
		if got := m.must(0, append([]string{"export", "--data", "other"}, args...)...).out; got != want {
			t.Errorf("%q, from the archive:\n%s\nwant\n%s", args, got, want)
		}
	}
}

// indexWith makes an index of documents with an engine that is not built in.
func (m *machine) indexWith(wasm []byte, folder string, documents []string) {
	m.t.Helper()
	ctx := m.t.Context()
	r, err := wazero.Open(ctx, wasm, wazero.Config{Cache: cache})
	if err != nil {
		m.t.Fatal(err)
	}
	defer func() { _ = r.Close(ctx) }()
	l := library.Open(library.Options{Folder: filepath.Join(m.dir, folder), Disk: disk.OS(), Runner: r, Clock: time.Now, Command: "a test"})
	defer func() { _ = l.Close(ctx) }()
	var list [][]byte
	for _, d := range documents {
		list = append(list, []byte(d))
	}
	if _, err := l.Sync(ctx, list, nil); err != nil {
		m.t.Fatal(err)
	}
}
