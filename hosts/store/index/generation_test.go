package index

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// kept is the file of a generation of this format that stays readable.
const kept = "testdata/generation-1.json"

// keptComplete is one with vectors.
const keptComplete = "testdata/generation-1-complete.json"

func TestFormat(t *testing.T) {
	want := Generation{
		Ref: Ref{Number: 8}, Parent: Ref{7, digestOf([]byte("7"))},
		Created: milli(dayOne), Root: rootOf(8), Engine: engine, Documents: 3,
		Settings: []byte(`{"profile":"standard"}`),
		Segments: []Segment{
			{Name: digestOf([]byte("a")), Bytes: 812, Documents: 4, Chunks: 9, Tombstones: digestOf([]byte("a-b1"))},
			{Name: digestOf([]byte("b"))},
		},
		Blobs: []string{digestOf([]byte("d1"))},
	}
	format(t, kept, want)
	want.Model, want.Segments = digestOf([]byte("model")), slices.Clone(want.Segments)
	for i := range want.Segments {
		want.Segments[i].Vectors = digestOf([]byte{byte(i)})
	}
	format(t, keptComplete, want)
}

// format compares a kept file with the generation that it holds.
func format(t *testing.T, kept string, want Generation) {
	t.Helper()
	file, err := want.encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(kept)
	if err != nil || !bytes.Equal(file, got) {
		t.Errorf("%v: a generation is written as\n%s, and was written as\n%s", err, file, got)
	}
	g, err := parseGeneration(got)
	if err != nil || fmt.Sprint(g) != fmt.Sprint(want) {
		t.Errorf("%v: it reads as\n%v, want\n%v", err, g, want)
	}
}

// What a generation says of its vectors goes together.
func TestVectorsOfGeneration(t *testing.T) {
	file, err := os.ReadFile(keptComplete)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		change func(g *Generation)
		ok     bool
	}{
		{"complete", func(*Generation) {}, true},
		{"without a model", func(g *Generation) { g.Model = "" }, false},
		{"there, and to be made", func(g *Generation) { g.Building = true }, false},
		{"one is missing", func(g *Generation) { g.Segments[1].Vectors = "" }, true},
		{"one is missing, to be made", func(g *Generation) { g.Building, g.Segments[1].Vectors = true, "" }, true},
		{"a model that is no digest", func(g *Generation) { g.Model = "minilm" }, false},
		{"vectors that are no digest", func(g *Generation) { g.Segments[1].Vectors = "b" }, false},
	} {
		g, err := parseGeneration(file)
		if err != nil {
			t.Fatal(err)
		}
		tt.change(&g)
		if err := g.check(); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
		if again, err := g.encode(); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if _, err := parseGeneration(again); (err == nil) != tt.ok {
			t.Errorf("%s, read again: %v", tt.name, err)
		}
	}
}

var spellings = []struct{ name, old, new string }{
	{"no line feed", "\n", ""},
	{"a second line feed", "\n", "\n\n"},
	{"a space", `{"blobs"`, `{ "blobs"`},
	{"an escape", `"standard"`, `"\u0073tandard"`},
	{"a number's spelling", `"documents":3`, `"documents":3.0`},
	{"another order", `{"bytes":0,"chunks":0,`, `{"chunks":0,"bytes":0,`},
	{"a member twice", `"format":1,`, `"format":1,"format":1,`},
	{"a member more", `"format":1,`, `"format":1,"formats":1,`},
	{"a member less", `"documents":3,`, ``},
	{"a member less in a segment", `{"bytes":0,"chunks":0,`, `{"bytes":0,`},
	{"another format", `"format":1`, `"format":2`},
	{"another number", `"number":8`, `"number":9`},
	{"another count", `"documents":3`, `"documents":2`},
	{"another size", `"bytes":812`, `"bytes":813`},
	{"another zone", `.123Z`, `.123+00:00`},
	{"fewer digits of the second", `.123Z`, `.12Z`},
	{"null for none", `"tombstones":"`, `"tombstone":"`},
	{"a digest in capitals", `"engine":"sha256:`, `"engine":"SHA256:`},
	{"no settings", `{"profile":"standard"}`, `null`},
	{"other settings", `"standard"`, `"Standard"`},
}

// A generation has one spelling, and a digest that covers all of it.
func TestSpelling(t *testing.T) {
	file, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range spellings {
		other := strings.Replace(string(file), tt.old, tt.new, 1)
		if other == string(file) {
			t.Errorf("%s: %s is not in the file", tt.name, tt.old)
		}
		if _, err := parseGeneration([]byte(other)); err == nil {
			t.Errorf("%s is read", tt.name)
		}
	}
}

// Each bit of a generation's file and of CURRENT, flipped, and each cut, is detected.
func TestFlips(t *testing.T) {
	file, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	ref := Ref{8, engine}.encode()
	damaged(file, func(other []byte) {
		if _, err := parseGeneration(other); err == nil {
			t.Errorf("%q is read", other)
		}
	})
	damaged(ref, func(other []byte) {
		if got, err := parseRef(other); err == nil && !bytes.Equal(got.encode(), other) {
			t.Errorf("%q is read", other)
		}
	})
}

// damaged yields what is left of a file with one bit flipped, or with its end cut
// off, or with something behind it.
func damaged(file []byte, yield func(other []byte)) {
	for i := range file {
		for bit := range 8 {
			other := bytes.Clone(file)
			other[i] ^= 1 << bit
			yield(other)
		}
		yield(file[:i:i])
	}
	yield(append(bytes.Clone(file), 0))
}

func FuzzGeneration(f *testing.F) {
	file, err := os.ReadFile(filepath.FromSlash(kept))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		g, err := parseGeneration(in)
		if err != nil {
			return // refusing is fine; crashing is not
		}
		out, err := g.encode()
		if err != nil || !bytes.Equal(in, out) {
			t.Errorf("%q is written back as %q, %v", in, out, err)
		}
	})
}

func FuzzCurrent(f *testing.F) {
	f.Add(Ref{8, engine}.encode())
	f.Add(newHolder("x").encode())
	f.Fuzz(func(t *testing.T, in []byte) {
		if ref, err := parseRef(in); err == nil && !bytes.Equal(in, ref.encode()) {
			t.Errorf("%q is written back as %q", in, ref.encode())
		}
		if h, err := parseHolder(in); err == nil && strings.ContainsAny(h.String(), "\x00\n\x1b") {
			t.Errorf("%q is told as %q", in, h)
		}
	})
}
