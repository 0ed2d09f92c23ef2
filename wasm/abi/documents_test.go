package abi

import (
	"bytes"
	"slices"
	"testing"
)

// A document has one spelling among those with its digest.
func TestAppendDocument(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"what is absent is left out", `{"id":"a","text":"","title":"","path":"","collection":"","key":"","metadata":{}}`, `{"id":"a","text":""}`},
		{"a key that is the id", `{"id":"a","text":"x","key":"a"}`, `{"id":"a","text":"x"}`},
		{"a key that is the path", `{"id":"a","text":"x","path":"p","key":"p"}`, `{"id":"a","path":"p","text":"x"}`},
		{"a key that is the id and hides the path", `{"id":"a","text":"x","path":"p","key":"a"}`, `{"id":"a","key":"a","path":"p","text":"x"}`},
		{"blocks", `{"id":"a","blocks":[]}`, `{"blocks":[],"id":"a"}`},
	} {
		d, err := ReadDocument([]byte(tt.in))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := string(AppendDocument([]byte("before "), d)); got != "before "+tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	for _, in := range []string{``, `[]`, `{"id":"a"}`, `{"id":"","text":""}`, `{"id":"a","text":"x"}{}`} {
		if d, err := ReadDocument([]byte(in)); err == nil {
			t.Errorf("%s is read as %+v", in, d)
		}
	}
}

// What the reader of the request accepts, the writer writes back to the same message.
func FuzzDocumentsRequest(f *testing.F) {
	f.Add([]byte(`{"handle":1}`))
	f.Add([]byte(`{"handle":1,"after":"é","limit":10000}`))
	f.Add([]byte(`{"handle":1,"ids":[]}`))
	f.Add([]byte(`{"ids":["a","a"],"handle":1}`))
	f.Add([]byte(`{"handle":1,"ids":["a"],"limit":1}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		q, err := ReadDocumentsRequest(slices.Clone(in))
		if err != nil {
			checkError(t, err)
			return
		}
		out := q.Append(nil)
		again, err := ReadDocumentsRequest(slices.Clone(out))
		if err != nil || again.Handle != q.Handle || again.After != q.After || again.Limit != q.Limit || !slices.Equal(again.IDs, q.IDs) || (again.IDs == nil) != (q.IDs == nil) {
			t.Errorf("%q is read as %+v, written as %q and then read as %+v: %v", in, q, out, again, err)
		}
	})
}

// The documents of a reply are its bytes as they came; what is read of one has one
// spelling, and is written as it.
func FuzzDocumentsReply(f *testing.F) {
	f.Add([]byte(`{"documents":[{"id":"a","text":"b"},{"blocks":[],"id":"c","key":"k"}],"more":true}`))
	f.Add([]byte(`{"documents":[],"more":false,"later":null}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		p, err := ReadDocumentsReply(in)
		if err != nil {
			checkError(t, err)
			return
		}
		for _, raw := range p.Documents {
			if !bytes.Contains(in, raw) {
				t.Errorf("%q has no document %q", in, raw)
			}
			d, err := ReadDocument(slices.Clone(raw))
			if err != nil {
				checkError(t, err)
				continue
			}
			once := AppendDocument(nil, d)
			again, err := ReadDocument(slices.Clone(once))
			if err != nil || !bytes.Equal(AppendDocument(nil, again), once) {
				t.Errorf("%q is written as %q, and then as %q: %v", raw, once, AppendDocument(nil, again), err)
			}
		}
	})
}
