package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// giving returns what gives these documents, and then ends with a failure.
func giving(failure error, documents ...string) func(yield func([]byte) error) error {
	return func(yield func([]byte) error) error {
		for _, d := range documents {
			if err := yield([]byte(d)); err != nil {
				return err
			}
		}
		return failure
	}
}

// Documents that people see do not act on their terminal; a pipe and a file get the exact
// bytes, which make the same index.
func TestExportOnATerminal(t *testing.T) {
	const hostile = "{\"id\":\"a\",\"text\":\"\u009b2J\u202e\"}"
	const escaped = `{"id":"a","text":"\u009b2J\u202e"}`
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
		v := &exportVerb{Out: "-"}
		err := v.write(&run{World: &World{Stdout: out}}, "", giving(nil, hostile, `{"id":"b","text":""}`))
		if want := tt.want + "\n" + `{"id":"b","text":""}` + "\n"; err != nil || out.String() != want {
			t.Errorf("%s: %q, %v, want %q", tt.name, out.String(), err, want)
		}
	}
	file := filepath.Join(t.TempDir(), "out.jsonl")
	v := &exportVerb{Out: file}
	err := v.write(&run{World: &World{Stdout: &screen{mode: fs.ModeDevice | fs.ModeCharDevice}}}, "", giving(nil, hostile))
	if got, failure := os.ReadFile(file); err != nil || failure != nil || string(got) != hostile+"\n" {
		t.Errorf("a file beside a terminal: %q, %v, %v", got, err, failure)
	}
}

// Where the documents do not come to their end, stdout gets none of them, and a file is
// as it was.
func TestExportBeginsNothing(t *testing.T) {
	damaged := abi.Errorf(abi.IndexDamaged, "damaged")
	out := &screen{}
	file := filepath.Join(t.TempDir(), "out.jsonl")
	if err := os.WriteFile(file, []byte("as it was"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"-", file} {
		v := &exportVerb{Out: to}
		err := v.write(&run{World: &World{Stdout: out}}, "", giving(damaged, `{"id":"a","text":""}`))
		var e *abi.Error
		if !errors.As(err, &e) || e.Code != abi.IndexDamaged {
			t.Errorf("%s: %v", to, err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "as it was" || out.Len() > 0 {
		t.Errorf("the file holds %q, %v; stdout %q", got, err, out.String())
	}
	if left, _ := os.ReadDir(filepath.Dir(file)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}
