package cli

import (
	"bytes"
	"io/fs"
	"strings"
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

// X74: JSON that people see does not act on their terminal; a pipe and a file get the
// exact bytes, which a digest is of.
func TestX74JSONOnATerminal(t *testing.T) {
	const hostile = "{\"a\":\"\u009b2J\u202e\"}"
	const escaped = `{"a":"\u009b2J\u202e"}`
	for _, tt := range []struct {
		name string
		mode fs.FileMode
		want string
	}{
		{"a terminal", fs.ModeDevice | fs.ModeCharDevice, escaped},
		{"a file", 0, hostile},
		{"a pipe", fs.ModeNamedPipe, hostile},
	} {
		out := &screen{mode: tt.mode}
		r := &run{World: &World{Stdout: out}}
		if r.printJSON([]byte(hostile)); out.String() != tt.want+"\n" {
			t.Errorf("%s: a reply is written as %q", tt.name, out.String())
		}
		out.Reset()
		err := r.json(map[string]string{"a": "\u009b2J\u202e"})
		if want := strings.NewReplacer(":", ": ", "{", "{\n  ", "}", "\n}\n").Replace(tt.want); err != nil || out.String() != want {
			t.Errorf("%s: a report is written as %q, %v, want %q", tt.name, out.String(), err, want)
		}
	}
}
