package discover

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// tree writes files below a new folder, by their paths with /.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func find(t *testing.T, names ...string) *Found {
	t.Helper()
	found, err := Find(context.Background(), names, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func ids(found *Found) []string {
	list := []string{}
	for _, d := range found.Documents {
		list = append(list, d.ID)
	}
	return list
}

// text returns the text of the document with an id.
func text(t *testing.T, found *Found, id string) string {
	t.Helper()
	for _, d := range found.Documents {
		if d.ID == id {
			list, err := abi.ReadDocuments(slices.Concat([]byte("["), d.JSON, []byte("]")))
			if err != nil {
				t.Fatal(err)
			}
			return list[0].Text
		}
	}
	t.Fatalf("no document %q among %q", id, ids(found))
	return ""
}

func TestWhichFiles(t *testing.T) {
	dir := tree(t, map[string]string{
		"b.md": "b", "a.markdown": "a", "sub/c.mdx": "c", "sub/deep/d.TXT": "d", "e.rst": "e", "f.org": "f", "g.adoc": "g", "sub.md": "s",
		"code.go": "x", "md": "x", "data.json": "x", "corpus.jsonl": "x",
		".hidden.md": "x", ".git/x.md": "x", "sub/.venv/x.md": "x", "node_modules/p/readme.md": "x", "sub/node_modules/x.md": "x",
		"ä.md": "composed", "a\u0308.md": "decomposed",
	})
	want := []string{"a.markdown", "a\u0308.md", "b.md", "e.rst", "f.org", "g.adoc", "sub.md", "sub/c.mdx", "sub/deep/d.TXT", "ä.md"}
	found := find(t, dir)
	if got := ids(found); !slices.Equal(got, want) || len(found.Problems) > 0 {
		t.Errorf("found %q, want %q; %v", got, want, found.Problems)
	}
	if got := ids(find(t, dir+string(filepath.Separator))); !slices.Equal(got, want) {
		t.Errorf("with a slash at the end: %q", got)
	}
}

// The same folder in another place gives the same bytes.
func TestWhereAFolderLies(t *testing.T) {
	files := map[string]string{"a.md": "# A\n", "b/c.txt": "c"}
	a, b := find(t, tree(t, files)), find(t, tree(t, files))
	for i := range a.Documents {
		if string(a.Documents[i].JSON) != string(b.Documents[i].JSON) {
			t.Errorf("%s and %s", a.Documents[i].JSON, b.Documents[i].JSON)
		}
	}
	if want := `{"id":"b/c.txt","path":"b/c.txt","text":"c"}`; string(a.Documents[1].JSON) != want {
		t.Errorf("%s, want %s", a.Documents[1].JSON, want)
	}
}

func TestSeveralNames(t *testing.T) {
	dir := tree(t, map[string]string{"docs/a.md": "a", "notes/a.md": "a", "x/docs/b.md": "b", "LICENSE": "l", "c.jsonl": `{"id":"z","text":"t"}` + "\n" + `{"id":"y","text":"t","title":"T"}`})
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, tt := range []struct {
		name  string
		names []string
		want  []string
		fails string
	}{
		{"two folders", []string{"docs", "notes"}, []string{"docs/a.md", "notes/a.md"}, ""},
		{"a folder and a file", []string{"docs", "LICENSE"}, []string{"LICENSE", "a.md"}, ""},
		{"a corpus file", []string{"c.jsonl"}, []string{"y", "z"}, ""},
		{"a folder and a corpus file", []string{"docs", "c.jsonl"}, []string{"a.md", "y", "z"}, ""},
		{"folders with one name", []string{"docs", "x/docs"}, nil, "have the same name"},
		{"one folder twice", []string{"docs", "docs"}, nil, "have the same name"},
		{"files with one name", []string{"docs/a.md", "notes/a.md"}, nil, `two documents have the id "a.md"`},
		{"what is not there", []string{"docs", "absent"}, nil, "absent"},
	} {
		var names []string
		for _, name := range tt.names {
			names = append(names, at(name))
		}
		found, err := Find(context.Background(), names, nil)
		switch {
		case tt.fails == "" && (err != nil || !slices.Equal(ids(found), tt.want)):
			t.Errorf("%s: %v, %v", tt.name, found, err)
		case tt.fails != "" && (err == nil || !strings.Contains(err.Error(), tt.fails)):
			t.Errorf("%s: %v, want %s", tt.name, err, tt.fails)
		}
	}
}

// X36: a byte order mark changes nothing; and no other byte is changed.
func TestX36ByteOrderMark(t *testing.T) {
	const content = "---\ntitle: T\n---\r\n# Heading\x0c\u2028\r\n\ufeff\x01end"
	found := find(t, tree(t, map[string]string{"with.md": "\ufeff" + content, "without.md": content, "empty.md": "", "mark.md": "\ufeff"}))
	for id, want := range map[string]string{"with.md": content, "without.md": content, "empty.md": "", "mark.md": ""} {
		if got := text(t, found, id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

func TestNoText(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		kind          Kind // "" of a document
		says          string
	}{
		{"ASCII", "fine", "", ""},
		{"nothing", "", "", ""},
		{"controls that are no NUL", "a\x01\x1b\x7f", "", ""},
		{"Latin-1", "na\xefve", NoText, "byte 2 is not UTF-8"},
		{"a NUL", "text\x00text", NoText, "byte 4 is NUL, so it is no text in UTF-8"},
		{"a NUL at the end", "text\n\x00", NoText, "byte 5 is NUL"},
		{"a NUL after what is not UTF-8", "\xef\x00", NoText, "byte 1 is NUL"},
		{"a byte order mark and a NUL", "\ufeffa\x00", NoText, "byte 4 is NUL"},
		{"UTF-16 without a mark", "a\x00b\x00", NoText, "byte 1 is NUL"},
		{"UTF-16 with the high bytes first, without a mark", "\x00a\x00b", NoText, "byte 0 is NUL"},
		{"UTF-16", "\xff\xfea\x00", NoText, "it is UTF-16 and not UTF-8"},
		{"UTF-16 with the high bytes first", "\xfe\xff\x00a", NoText, "it is UTF-16 and not UTF-8"},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", NoText, "it is UTF-32 and not UTF-8"},
		{"UTF-32 with the high bytes first", "\x00\x00\xfe\xff\x00\x00\x00a", NoText, "it is UTF-32 and not UTF-8"},
		{"too many bytes", strings.Repeat("x", Largest+1), TooLarge, "it has more than 16777216 bytes"},
		{"just as many as may be", strings.Repeat("x", Largest), "", ""},
	} {
		found := find(t, tree(t, map[string]string{"a.txt": tt.content}))
		if tt.kind == "" {
			if len(found.Problems) > 0 || text(t, found, "a.txt") != tt.content {
				t.Errorf("%s: %+v", tt.name, found.Problems)
			}
			continue
		}
		if len(found.Documents) > 0 || len(found.Problems) != 1 || found.Problems[0].Kind != tt.kind || !strings.Contains(found.Problems[0].Sentence, "a.txt: "+tt.says) {
			t.Errorf("%s: %d documents, %+v", tt.name, len(found.Documents), found.Problems)
		}
		if !found.Kept("a.txt") || found.Kept("b.txt") || found.Unread() {
			t.Errorf("%s: what was text before stays", tt.name)
		}
	}
}

// X26: what cannot be read is not what was deleted.
func TestX26Unreadable(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("everything can be read here")
	}
	dir := tree(t, map[string]string{"a.md": "a", "locked.md": "x", "closed/b.md": "b", "closed/deep/c.md": "c", "closedoor.md": "d"})
	for _, name := range []string{"locked.md", "closed"} {
		path := filepath.Join(dir, name)
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(path, 0o755) })
	}
	found := find(t, dir)
	if got := ids(found); !slices.Equal(got, []string{"a.md", "closedoor.md"}) || len(found.Problems) != 2 || !found.Unread() {
		t.Errorf("%q, %v", got, found.Problems)
	}
	for id, want := range map[string]bool{"locked.md": true, "closed/b.md": true, "closed/deep/c.md": true, "closed/gone.md": true, "a.md": false, "gone.md": false, "closedoor.md": false} {
		if found.Kept(id) != want {
			t.Errorf("Kept(%q) is %t", id, !want)
		}
	}
}

func TestKept(t *testing.T) {
	found := &Found{Problems: []Problem{
		{Kind: Unreadable, ID: "a.md"}, {Kind: Unreadable, ID: "closed", folder: true}, {Kind: NoText, ID: "latin.txt"}, {Kind: TooLarge, ID: "big.md"}, {Kind: BadName, folder: true},
	}}
	for id, want := range map[string]bool{"a.md": true, "a.md/b": false, "closed/x/y.md": true, "closed.md": false, "closed": true, "latin.txt": true, "latin.txt/a": false, "big.md": true, "": false, "other": false} {
		keeps := func(p Problem) bool { return p.KeepsAny([]string{"", id, id + "0"}) }
		if found.Kept(id) != want || slices.ContainsFunc(found.Problems, keeps) != want {
			t.Errorf("Kept(%q) is %t", id, !want)
		}
	}
}

// X71: a link does not bring in what lies outside.
func TestX71Links(t *testing.T) {
	outside := tree(t, map[string]string{"secret.md": "s", "folder/t.md": "t"})
	dir := tree(t, map[string]string{"a.md": "a"})
	for name, target := range map[string]string{"link.md": "secret.md", "link": "folder", "loop": "."} {
		to := filepath.Join(outside, target)
		if target == "." {
			to = dir
		}
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	if got := ids(find(t, dir)); !slices.Equal(got, []string{"a.md"}) {
		t.Errorf("%q", got)
	}
	// One that was named is what the person means.
	if got := ids(find(t, filepath.Join(dir, "link.md"))); !slices.Equal(got, []string{"link.md"}) {
		t.Errorf("%q", got)
	}
}

// X43: an id has / on every system, and is what the disk calls the file.
func TestX43Slashes(t *testing.T) {
	dir := tree(t, map[string]string{"docs/deep/a.md": "a"})
	names := []string{dir, dir + "/", filepath.Join(dir, "docs", ".."), dir + "//"}
	if runtime.GOOS == "windows" {
		names = append(names, strings.ReplaceAll(dir, `\`, "/"))
	}
	for _, name := range names {
		if got := ids(find(t, name)); !slices.Equal(got, []string{"docs/deep/a.md"}) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestBadNames(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": "a"})
	if err := os.WriteFile(filepath.Join(dir, "\xff.md"), nil, 0o644); err != nil {
		t.Skip(err)
	}
	found := find(t, dir)
	if got := ids(found); !slices.Equal(got, []string{"a.md"}) || len(found.Problems) != 1 || found.Problems[0].Kind != BadName || found.Kept("a.md") {
		t.Errorf("%q, %v", got, found.Problems)
	}
}

func TestNoFile(t *testing.T) {
	for _, tt := range []struct {
		mode fs.FileMode
		want string
	}{
		{0, ""}, {fs.ModeDir, ""}, {fs.ModeSymlink, ""}, {fs.ModeNamedPipe, "a pipe"}, {fs.ModeSocket, "a socket"},
		{fs.ModeDevice, "a device"}, {fs.ModeDevice | fs.ModeCharDevice, "a device"}, {fs.ModeIrregular, "irregular"},
	} {
		if got := noFile(tt.mode); got != tt.want {
			t.Errorf("%s is %q, want %q", tt.mode, got, tt.want)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Find(ctx, []string{tree(t, map[string]string{"a.md": "a"})}, nil)
	var e *abi.Error
	if !errors.As(err, &e) || e.Code != abi.Cancelled {
		t.Errorf("%v", err)
	}
}
