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
	const a = `{"id":"a","text":"` + hostile + `"}`
	for _, tt := range outputs {
		want := a
		if tt.seen {
			want = `{"id":"a","text":"` + harmless + `"}`
		}
		out := &screen{mode: tt.mode}
		v := &exportVerb{Out: "-"}
		err := v.write(&run{World: &World{Stdout: out}}, "", giving(nil, a, `{"id":"b","text":""}`))
		if want += "\n" + `{"id":"b","text":""}` + "\n"; err != nil || out.String() != want {
			t.Errorf("%s: %q, %v, want %q", tt.name, out.String(), err, want)
		}
	}
	file := filepath.Join(t.TempDir(), "out.jsonl")
	v := &exportVerb{Out: file}
	err := v.write(&run{World: &World{Stdout: &screen{mode: fs.ModeDevice | fs.ModeCharDevice}}}, "", giving(nil, a))
	if got, failure := os.ReadFile(file); err != nil || failure != nil || string(got) != a+"\n" {
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
