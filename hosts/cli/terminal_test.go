package cli

import (
	"bytes"
	"io/fs"
	"testing"
	"time"
)

// A screen is a stdout of a certain kind.
type screen struct {
	bytes.Buffer
	mode fs.FileMode
}

func (s *screen) Stat() (fs.FileInfo, error) { return info{s.mode}, nil }

type info struct{ mode fs.FileMode }

func (info) Name() string        { return "stdout" }
func (info) Size() int64         { return 0 }
func (i info) Mode() fs.FileMode { return i.mode }
func (info) ModTime() time.Time  { return time.Time{} }
func (info) IsDir() bool         { return false }
func (info) Sys() any            { return nil }

// outputs are the kinds of stdout, and whether people see what is written there.
var outputs = []struct {
	name string
	mode fs.FileMode
	seen bool
}{
	{"a terminal", fs.ModeDevice | fs.ModeCharDevice, true},
	{"a file", 0, false},
	{"a pipe", fs.ModeNamedPipe, false},
}

// harmless is what becomes of a value that would act on a terminal.
const hostile, harmless = "\u009b2J\u202e", `\u009b2J\u202e`

// X74: JSON that people see does not act on their terminal; a pipe and a file get the
// exact bytes, which a digest is of.
func TestX74JSONOnATerminal(t *testing.T) {
	for _, tt := range outputs {
		want := hostile
		if tt.seen {
			want = harmless
		}
		out := &screen{mode: tt.mode}
		r := &run{World: &World{Stdout: out}}
		if r.printJSON([]byte(`{"a":"` + hostile + `"}`)); out.String() != `{"a":"`+want+`"}`+"\n" {
			t.Errorf("%s: a reply is written as %q", tt.name, out.String())
		}
		out.Reset()
		err := r.json(map[string]string{"a": hostile})
		if want := "{\n  \"a\": \"" + want + "\"\n}\n"; err != nil || out.String() != want {
			t.Errorf("%s: a report is written as %q, %v, want %q", tt.name, out.String(), err, want)
		}
	}
}
