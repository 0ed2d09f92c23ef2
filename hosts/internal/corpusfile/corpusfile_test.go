package corpusfile

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

var parseTests = []struct {
	name, in string
	want     int // documents
	code     abi.Code
	sentence string
}{
	{"an array", `[{"id":"a","text":"x"},{"id":"b","text":""}]`, 2, "", ""},
	{"the empty corpus", ` [] `, 0, "", ""},
	{"lines", "{\"id\":\"a\",\"text\":\"x\"}\n\r\n{\"id\":\"b\",\"text\":\"\"}", 2, "", ""},
	{"optional members", `[{"id":"a","text":"x","title":"T","path":"p","collection":"c","key":"k"}]`, 1, "", ""},
	{"an empty file", "", 0, abi.CorpusInvalid, "the empty corpus is []"},
	{"white space", " \n\t", 0, abi.CorpusInvalid, "the empty corpus is []"},
	{"a duplicate id", `[{"id":"a","text":"x"},{"id":"a","text":"y"}]`, 0, abi.CorpusInvalid, `the id "a" is taken by document 0`},
	{"a duplicate id in lines", "{\"id\":\"a\",\"text\":\"x\"}\n\n{\"id\":\"a\",\"text\":\"y\"}", 0, abi.CorpusInvalid, `line 3: the id "a" is taken by line 1`},
	{"an empty id", `[{"id":"","text":"x"}]`, 0, abi.CorpusInvalid, "the id is empty"},
	{"a missing text", `[{"id":"a"}]`, 0, abi.CorpusInvalid, `member "text" is missing`},
	{"an id of another type", `[{"id":1,"text":"x"}]`, 0, abi.CorpusInvalid, "expected a string, found a number"},
	{"an unknown member", `[{"id":"a","text":"x","titel":"t"}]`, 0, abi.CorpusInvalid, `did you mean "title"?`},
	{"no array, no lines", `"text"`, 0, abi.CorpusInvalid, "expected an object"},
	{"null", `null`, 0, abi.CorpusInvalid, "expected an object, found null"},
	{"an array of arrays", `[[]]`, 0, abi.CorpusInvalid, "expected an object"},
	{"half an array", `[{"id":"a","text":"x"}`, 0, abi.JSONInvalid, "expected"},
	{"two arrays", `[][]`, 0, abi.JSONInvalid, "expected the end"},
	{"a duplicate member", `[{"id":"a","id":"b","text":"x"}]`, 0, abi.JSONInvalid, "duplicate member"},
	{"a lone surrogate", `[{"id":"a","text":"\ud800"}]`, 0, abi.JSONInvalid, "surrogate"},
	{"ill-formed UTF-8", "[{\"id\":\"a\",\"text\":\"\xff\"}]", 0, abi.JSONInvalid, "UTF-8"},
	{"a byte order mark", "\xef\xbb\xbf[]", 0, abi.JSONInvalid, "byte order mark"},
	{"nesting without end", strings.Repeat("[", 10_000), 0, abi.JSONInvalid, ""},
	{"a broken line", "{\"id\":\"a\",\"text\":\"x\"}\n{\"id\":", 0, abi.JSONInvalid, "line 2"},
	{"NUL in a text is text", `[{"id":"a","text":"\u0000"}]`, 1, "", ""},
}

func TestR20Corpus(t *testing.T) {
	for _, tt := range parseTests {
		list, err := Parse([]byte(tt.in))
		var e *abi.Error
		switch {
		case tt.code == "" && (err != nil || len(list) != tt.want):
			t.Errorf("%s: %d documents, %v", tt.name, len(list), err)
		case tt.code != "" && (!errors.As(err, &e) || !strings.Contains(e.Sentence, tt.sentence)):
			t.Errorf("%s: %v, want %s: …%s…", tt.name, err, tt.code, tt.sentence)
		case tt.code != "" && e.Code != tt.code && !(tt.name == "nesting without end" && e.Code == abi.CorpusInvalid):
			t.Errorf("%s: %v, want %s", tt.name, err, tt.code)
		}
	}
}

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "corpus.json")
	if _, err := Read(path, 10); code(err) != abi.CorpusUnreadable || !strings.Contains(err.Error(), path) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Read(filepath.Dir(path), 10); code(err) != abi.CorpusUnreadable {
		t.Errorf("a folder: %v", err)
	}
	put(t, path, `[{"id":"a","text":"x"},{"id":"b","text":"y"}]`)
	if _, err := Read(path, 1); code(err) != abi.CorpusTooLarge || !strings.Contains(err.Error(), "2 documents, the limit is 1") {
		t.Errorf("too many: %v", err)
	}
	f, err := Read(path, 2)
	if err != nil || len(f.Documents) != 2 || !f.Stamp.Equal(Stat(path)) {
		t.Errorf("at the limit: %v", err)
	}
}

func TestStamp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "corpus.json")
	put(t, path, "[]")
	a := Stat(path)
	put(t, path+".new", "[]")
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	b := Stat(path)
	if a.Equal(b) || !b.Replaces(a) {
		t.Error("a file renamed into place is not seen as another one")
	}
	put(t, path, "[ ]")
	c := Stat(path)
	if b.Equal(c) || c.Replaces(b) || c.Quiet(time.Hour) {
		t.Error("a file written in place is not seen as one that may go on")
	}
	os.Remove(path)
	if d := Stat(path); d.Equal(c) || !d.Equal(Stamp{}) {
		t.Error("a file that is gone is not seen")
	}
}

func TestWatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "corpus.json")
	put(t, path, "[]")
	changed := make(chan struct{}, 10)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := Watch(ctx, path, func() { changed <- struct{}{} }); err != nil {
		t.Skip("this system gives no notice of changes:", err)
	}
	put(t, path+".new", `[{"id":"a","text":"x"}]`)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	select {
	case <-changed:
	case <-time.After(10 * time.Second):
		t.Error("a file renamed into place was not noticed")
	}
}

// What Parse accepts, the engine's reader accepts, too, element by element.
func FuzzCorpus(f *testing.F) {
	for _, tt := range parseTests {
		f.Add([]byte(tt.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		list, err := Parse(in)
		if err != nil {
			if code(err) != abi.CorpusInvalid && code(err) != abi.JSONInvalid {
				t.Errorf("a failure without a code of its own: %v", err)
			}
			return
		}
		joined := append(append([]byte("["), bytes.Join(list, []byte(","))...), ']')
		documents, err := abi.ReadDocuments(joined)
		if err != nil || len(documents) != len(list) {
			t.Fatalf("%q parsed to %q, which is read as %d documents, %v", in, joined, len(documents), err)
		}
		again, err := abi.ReadDocuments(abi.AppendDocuments(nil, documents))
		if err != nil || len(again) != len(documents) {
			t.Errorf("%q does not come back: %v", in, err)
		}
	})
}

func code(err error) abi.Code {
	var e *abi.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
