package wasmfile

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// small is a module with an import, a memory, two exports, a body and a name section:
//
//	(module (import "m" "f" (func $f (param i32 i64) (result i32)))
//	  (func $g) (memory 3) (export "g" (func 1)) (export "memory" (memory 0)))
var small = []byte("\x00asm\x01\x00\x00\x00" +
	"\x01\x0a\x02\x60\x02\x7f\x7e\x01\x7f\x60\x00\x00" +
	"\x02\x07\x01\x01m\x01f\x00\x00" +
	"\x03\x02\x01\x01" +
	"\x05\x03\x01\x00\x03" +
	"\x07\x0e\x02\x01g\x00\x01\x06memory\x02\x00" +
	"\x0a\x04\x01\x02\x00\x0b" +
	"\x00\x0e\x04name\x01\x07\x02\x00\x01f\x01\x01g")

func TestParse(t *testing.T) {
	f, err := Parse(small)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Imports) != 1 || f.Imports[0].Module != "m" || f.Imports[0].Signature.String() != "(i32 i64) -> (i32)" {
		t.Errorf("imports %+v", f.Imports)
	}
	if len(f.Exports) != 2 || f.Exports[0].Signature.String() != "() -> ()" || f.Exports[1].Kind.String() != "memory" {
		t.Errorf("exports %+v", f.Exports)
	}
	if f.Memory != (Limits{Min: 3}) || f.Starts {
		t.Errorf("memory %+v, starts %v", f.Memory, f.Starts)
	}
	if f.Names[0] != "f" || f.Names[1] != "g" {
		t.Errorf("names %v", f.Names)
	}
	if len(f.Bodies) != 1 || !bytes.Equal(f.Bodies[0], []byte{0, 0x0b}) {
		t.Errorf("bodies %x", f.Bodies)
	}
}

var badTests = []struct {
	name, old, new, want string
}{
	{"not a module", "\x00asm", "\x00asn", "not a WebAssembly module"},
	{"another version", "\x01\x00\x00\x00", "\x02\x00\x00\x00", "not a WebAssembly module"},
	{"a section longer than the file", "\x01\x0a\x02", "\x01\x7f\x02", "cut short"},
	{"a section twice", "\x03\x02\x01\x01", "\x02\x02\x01\x01", "out of order"},
	{"an unknown section", "\x05\x03\x01\x00\x03", "\x0e\x03\x01\x00\x03", "unknown"},
	{"trailing bytes in a section", "\x05\x03\x01\x00\x03", "\x05\x04\x01\x00\x03\x00", "trailing"},
	{"two memories", "\x05\x03\x01\x00\x03", "\x05\x05\x02\x00\x03\x00\x03", "2 memories"},
	{"a shared memory", "\x05\x03\x01\x00\x03", "\x05\x04\x01\x03\x03\x04", "shared"},
	{"a type that is not there", "\x01f\x00\x00", "\x01f\x00\x07", "type 7"},
	{"an import of an unknown kind", "\x01f\x00\x00", "\x01f\x09\x00", "unknown kind"},
	{"an export of a function that is not there", "\x01g\x00\x01", "\x01g\x00\x05", "no such function"},
	{"a name that is not UTF-8", "\x01g\x00\x01", "\x01\xff\x00\x01", "UTF-8"},
	{"a number of six bytes", "\x03\x02\x01\x01", "\x03\x07\x01\x81\x80\x80\x80\x80\x00", "too long"},
	{"a number above 32 bits", "\x03\x02\x01\x01", "\x03\x06\x01\x81\x80\x80\x80\x7f", "too large"},
	{"a vector longer than its section", "\x03\x02\x01\x01", "\x03\x02\x09\x01", "unexpected end"},
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range badTests {
		in := bytes.Replace(small, []byte(tt.old), []byte(tt.new), 1)
		if bytes.Equal(in, small) {
			t.Fatalf("%s: nothing was changed", tt.name)
		}
		if _, err := Parse(in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	for n := range len(small) - 16 {
		if _, err := Parse(small[:n]); err == nil && !slices.Contains([]int{8, 20, 29, 33, 38, 54, 60}, n) {
			t.Errorf("the first %d bytes are accepted", n)
		}
	}
}

// A name section is advice: what is wrong with it must not matter.
func TestBadNames(t *testing.T) {
	for _, names := range []string{"\x01\x07\x7f\x00\x01f\x01\x01g", "\x01\x7f\x02\x00\x01f\x01\x01g", "\x01\x07\x02\x00\x01\xff\x01\x01g"} {
		f, err := Parse(bytes.Replace(small, []byte("\x01\x07\x02\x00\x01f\x01\x01g"), []byte(names), 1))
		if err != nil || len(f.Names) != 0 {
			t.Errorf("%x: %v %v", names, f.Names, err)
		}
	}
}

func TestWithMemoryChangesNothingElse(t *testing.T) {
	limits := Limits{Min: 256, Max: 16384, Bounded: true}
	for _, in := range modules(t) {
		out, err := WithMemory(in, limits)
		if err != nil {
			t.Fatal(err)
		}
		before, _ := Parse(in)
		after, err := Parse(out)
		if err != nil {
			t.Fatal(err)
		}
		if after.Memory != limits {
			t.Errorf("memory %+v", after.Memory)
		}
		for i, s := range before.Sections {
			a := after.Sections[i]
			if s.ID != a.ID || s.ID != memorySection && !bytes.Equal(in[s.From:s.To], out[a.From:a.To]) {
				t.Errorf("section %d (%d) changed", i, s.ID)
			}
		}
		again, err := WithMemory(out, limits)
		if err != nil || !bytes.Equal(again, out) {
			t.Errorf("a second time changes the file (%v)", err)
		}
		unbounded, err := WithMemory(out, before.Memory)
		if err != nil || !bytes.Equal(unbounded, in) {
			t.Errorf("back again is not the same file (%v)", err)
		}
	}
}

// modules returns small, and the built engine where there is one.
func modules(t testing.TB) [][]byte {
	built, err := filepath.Glob("../built/*.wasm")
	if err != nil {
		t.Fatal(err)
	}
	list := [][]byte{small}
	for _, path := range built {
		wasm, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, wasm)
	}
	return list
}

func TestWithMemoryRefuses(t *testing.T) {
	for _, in := range [][]byte{nil, small[:len(small)-1], small[:8]} {
		if _, err := WithMemory(in, Limits{Min: 1}); err == nil {
			t.Errorf("%d bytes are accepted", len(in))
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(small)
	f.Fuzz(func(t *testing.T, in []byte) {
		file, err := Parse(in)
		if err != nil {
			return // refusing is fine; crashing is not
		}
		at := len(header)
		for _, s := range file.Sections {
			if s.From <= at || s.To < s.From || s.To > len(in) {
				t.Fatalf("section %+v of %d bytes", s, len(in))
			}
			at = s.To
		}
		if at != len(in) {
			t.Fatalf("sections end at %d of %d", at, len(in))
		}
	})
}
