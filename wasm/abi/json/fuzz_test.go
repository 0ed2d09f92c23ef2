package json

import (
	"bytes"
	stdjson "encoding/json"
	"testing"
	"unicode/utf8"
)

// What Parse accepts, Append writes, and that is a fixed point equal to the
// first. Reading by Skip and the grammar of encoding/json agree.
func FuzzParse(f *testing.F) {
	for _, tt := range matrixTests {
		f.Add([]byte(tt.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		v, err := Parse(in)
		r := NewReader(in)
		r.Skip()
		skipErr := r.End()
		var e *Error
		if err != nil {
			e = err.(*Error)
			if !utf8.ValidString(e.Error()) || e.Offset < 0 || e.Offset > len(in) {
				t.Errorf("%q: error %q", in, e.Error())
			}
			if e.Reason == TooDeep {
				return // encoding/json recurses
			}
		}
		switch valid := stdjson.Valid(in); {
		case err == nil && skipErr != nil:
			t.Errorf("%q: Skip refuses: %v", in, skipErr)
		case skipErr == nil && !valid:
			t.Errorf("%q: encoding/json refuses", in)
		case e != nil && e.Reason == BadSyntax && valid:
			t.Errorf("%q: encoding/json accepts: %v", in, err)
		case e != nil && e.Reason != BadNumber && (skipErr == nil || skipErr.Error() != err.Error()):
			t.Errorf("%q: Parse says %v, Skip says %v", in, err, skipErr)
		}
		if err != nil {
			return
		}
		out := Append(nil, v)
		again, err := Parse(out)
		if err != nil {
			t.Fatalf("%q is written as %q, refused: %v", in, out, err)
		}
		if path, _, _, equal := Diff(v, again); !equal {
			t.Errorf("%q is written as %q, which differs at %s", in, out, path)
		}
		if second := Append(nil, again); !bytes.Equal(out, second) {
			t.Errorf("%q is written as %q and then as %q", in, out, second)
		}
	})
}

// A string that is written decodes to itself, here and in encoding/json.
func FuzzString(f *testing.F) {
	for _, tt := range stringTests {
		f.Add(tt.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if q := Quote(s); !utf8.ValidString(q) {
			t.Errorf("Quote(%q) = %q", s, q)
		}
		if !utf8.ValidString(s) {
			return
		}
		b := AppendString(nil, s)
		var std string
		if err := stdjson.Unmarshal(b, &std); err != nil || std != s {
			t.Errorf("%q is written as %q, which encoding/json reads as %q, %v", s, b, std, err)
		}
		w := NewWriter(make([]byte, 0, 100))
		w.BeginObject()
		w.Name(s)
		w.String(s)
		w.EndObject()
		if got := string(w.Bytes()); got != "{"+string(b)+":"+string(b)+"}" {
			t.Errorf("%q is written as %s and, as a name and a member, as %s", s, b, got)
		}
		r := NewReader(b)
		if got := r.String(); got != s || r.End() != nil {
			t.Errorf("%q is written as %q, which is read as %q, %v", s, b, got, r.Err())
		}
		escaped, err := stdjson.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		r = NewReader(escaped)
		if got := r.String(); got != s || r.End() != nil {
			t.Errorf("%q is written as %q, which is read as %q, %v", s, escaped, got, r.Err())
		}
	})
}
