package abi

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// The bounds of ABI.md §3.
const (
	MaxQuery     = 65536    // UTF-16 units of a query, a need and a seed
	MaxBudget    = 100_000  // slots
	MaxNeeds     = 1000     // needs of a request
	MaxID        = 65536    // UTF-16 units of an id
	MaxText      = 16 << 20 // bytes of a document's text
	MaxName      = 200      // UTF-16 units of a name
	MaxScore     = json.MaxNano
	MaxWorkLimit = json.MaxInt
)

// Units returns the length of a string in UTF-16 code units.
func Units(s string) int {
	n := utf8.RuneCountInString(s)
	for i := range len(s) {
		if s[i] >= 0xf0 {
			n++
		}
	}
	return n
}

// done turns the end of a reader into an Error: what no JSON reader would take
// is JSONInvalid, what this message does not take has the code given.
func done(r *json.Reader, code Code) error {
	err := r.End()
	if err == nil {
		return nil
	}
	return readError(err, code)
}

func readError(err error, code Code) error {
	e, ok := err.(*json.Error)
	if !ok {
		return err
	}
	switch e.Reason {
	case json.BadSyntax, json.BadEncoding, json.DuplicateMember, json.TooDeep:
		code = JSONInvalid
	}
	return &Error{code, e.Error()}
}

// orEmpty is the input of an export; nothing counts as {}.
func orEmpty(in []byte) []byte {
	if len(in) == 0 {
		return []byte("{}")
	}
	return in
}

// members reads an object whose members are all in known, and hands each to
// read. It fails when one of the required is missing.
func members(r *json.Reader, known, required []string, read func(name string)) {
	var seen uint64
	for name := range r.Object() {
		i := slices.Index(known, name)
		if i < 0 {
			r.Unknown(known)
			return
		}
		seen |= 1 << i
		read(name)
	}
	for _, name := range required {
		if seen>>slices.Index(known, name)&1 == 0 {
			r.Fail("member " + json.Quote(name) + " is missing")
			return
		}
	}
}

func texts(r *json.Reader) []string {
	list := []string{}
	for range r.Array() {
		list = append(list, r.String())
	}
	return list
}

// natural reads an integer that is at least 0.
func natural(r *json.Reader) int64 {
	n := r.Int()
	if n < 0 {
		r.Fail("expected an integer of 0 or more")
	}
	return n
}

// name reads a name as ABI.md §3 defines it.
func name(r *json.Reader) string {
	s := r.String()
	if n := Units(s); n == 0 || n > MaxName {
		r.Fail("expected a name of 1 to 200 units")
	}
	return s
}

// digestSize is how long a digest is as it is written.
const digestSize = len("sha256:") + 64

// IsDigest reports whether s is written as a digest.
func IsDigest(s string) bool {
	hex, ok := strings.CutPrefix(s, "sha256:")
	if !ok || len(s) != digestSize {
		return false
	}
	for i := range len(hex) {
		if c := hex[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func digest(r *json.Reader) string {
	s := r.String()
	if !IsDigest(s) {
		r.Fail("expected a digest, sha256: and 64 hexadecimal digits")
	}
	return s
}
