package filter

import (
	"bytes"
	stdjson "encoding/json"
	"reflect"
	"slices"
	"testing"
)

// What Parse accepts, Append writes as JSON that asks the same, and that is
// written as itself.
func FuzzParse(f *testing.F) {
	for _, tt := range ruleTests {
		for _, in := range append(tt.holds, tt.fails...) {
			f.Add([]byte(in))
		}
	}
	for _, tt := range invalidTests {
		if len(tt.in) < 1000 {
			f.Add([]byte(tt.in))
		}
	}
	for _, tt := range canonicalTests {
		f.Add([]byte(tt.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		filter, err := Parse(in)
		if err != nil {
			return
		}
		out := filter.Append(nil)
		if !stdjson.Valid(out) {
			t.Fatalf("%q is written as %q", in, out)
		}
		again, err := Parse(out)
		if err != nil {
			t.Fatalf("%q is written as %q: %v", in, out, err)
		}
		if !reflect.DeepEqual(filter, again) {
			t.Errorf("%q is written as %q, which is another filter", in, out)
		}
		if second := again.Append(nil); !bytes.Equal(out, second) {
			t.Errorf("%q is written as %q and then as %q", in, out, second)
		}
		filter.Holds(nil, nil)
	})
}

// What Flatten accepts gives sorted distinct pairs of fields that a filter can
// name and of encodings that are written and read again.
func FuzzFlatten(f *testing.F) {
	for _, tt := range ruleTests {
		f.Add([]byte(tt.metadata))
	}
	for _, tt := range flattenTests {
		f.Add([]byte(tt.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		pairs, err := Flatten(nil, in)
		if err != nil {
			return
		}
		if !slices.IsSortedFunc(pairs, comparePairs) {
			t.Errorf("%q: not sorted", in)
		}
		for i, p := range pairs {
			if i > 0 && comparePairs(pairs[i-1], p) == 0 {
				t.Errorf("%q: %s twice", in, p.Field)
			}
			text := string(appendJSON(nil, p.Value))
			if text != "{}" && !bytes.Equal(encode(text), p.Value) {
				t.Errorf("%q: %x is written as %s", in, p.Value, text)
			}
			if text == "{}" {
				text = `{"exists":true}`
			}
			name, _ := stdjson.Marshal(p.Field)
			if filter, err := Parse([]byte("{" + string(name) + ":" + text + "}")); err != nil || !filter.Holds(nil, pairs) {
				t.Errorf("%q: %s %s does not hold: %v", in, name, text, err)
			}
		}
	})
}
