package filter

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

const (
	// MaxField is how many bytes a field may have.
	MaxField = 256

	// MaxParts is how many parts a field may have.
	MaxParts = 16

	// MaxPairs is how many values and objects a document may have at its fields.
	MaxPairs = 10_000
)

// A Pair is a field of a document and the encoding of a value that it has there.
type Pair struct {
	Field string
	Value []byte
}

// Flatten appends the pairs of a document's metadata to dst, those added sorted
// by the bytes of field and value, each once. It fails with [abi.JSONInvalid], or
// with [abi.CorpusInvalid] where the metadata is no object or breaks a bound.
// Pairs share memory with the metadata, which must not change.
func Flatten(dst []Pair, metadata []byte) ([]Pair, error) {
	f := flattener{
		r:     json.NewReader(metadata),
		pairs: dst,
		start: len(dst),
		bytes: make([]byte, 0, len(metadata)), // one allocation, unless NFC is longer
		open:  make([]opened, 0, 8),
	}
	f.run()
	if err := f.r.End(); err != nil {
		return dst, failure("metadata", err, abi.CorpusInvalid)
	}
	added := f.pairs[f.start:]
	slices.SortFunc(added, comparePairs)
	added = slices.CompactFunc(added, func(a, b Pair) bool { return comparePairs(a, b) == 0 })
	return f.pairs[:f.start+len(added)], nil
}

func comparePairs(a, b Pair) int {
	return cmp.Or(strings.Compare(a.Field, b.Field), bytes.Compare(a.Value, b.Value))
}

// A flattener walks through metadata with a stack of its own.
type flattener struct {
	r     *json.Reader
	pairs []Pair
	start int
	bytes []byte // of values; when it grows, the old ones stay where they are
	open  []opened
}

// An opened object or array stands at a place.
type opened struct {
	place
	object bool
}

// A place is a field and how many parts it has.
type place struct {
	field string
	parts int
}

func (f *flattener) run() {
	if f.r.EnterObject() {
		f.open = append(f.open, opened{object: true})
	}
	for len(f.open) > 0 && f.r.Err() == nil {
		top := f.open[len(f.open)-1]
		at, more, ok := top.place, false, true
		if top.object {
			var name string
			if name, more = f.r.NextMember(); more {
				at, ok = join(at, name)
			}
		} else {
			more = f.r.NextElement()
		}
		switch {
		case !more:
			f.open = f.open[:len(f.open)-1]
		case !ok:
			f.r.Skip()
		default:
			f.value(at)
		}
	}
}

// value takes the value that is due at a place.
func (f *flattener) value(at place) {
	start := len(f.bytes)
	switch f.r.Kind() {
	case json.Array:
		f.r.EnterArray()
		f.open = append(f.open, opened{at, false})
		return
	case json.Object:
		f.bytes = append(f.bytes, tagObject)
		f.r.EnterObject()
		f.open = append(f.open, opened{at, true})
	default:
		f.bytes = appendScalar(f.bytes, f.r)
	}
	if len(f.pairs)-f.start == MaxPairs {
		f.r.Fail("the metadata has more than 10000 values and objects")
	}
	f.pairs = append(f.pairs, Pair{at.field, f.bytes[start:len(f.bytes):len(f.bytes)]})
}

// join returns the place of a member with a name, or false if no field can name
// it. The field shares memory with the name where that is all of it.
func join(at place, name string) (place, bool) {
	if len(name) > 3*MaxField { // NFC leaves at least a third
		return place{}, false
	}
	if !ucd.IsNFC(name) {
		name = string(ucd.AppendNFC(nil, name))
	}
	if at.parts > 0 {
		name = at.field + "." + name
	}
	parts := 1 + strings.Count(name, ".")
	return place{name, parts}, parts <= MaxParts && len(name) <= MaxField && isField(name)
}

// isField reports whether s is made of parts joined by dots.
func isField(s string) bool {
	dot := true // a part is due
	for _, c := range s {
		if c == '.' && dot || c != '.' && !isPart(c) {
			return false
		}
		dot = c == '.'
	}
	return !dot
}

func isPart(c rune) bool {
	if c < utf8.RuneSelf {
		return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-'
	}
	return ucd.ClassOf(c)&(ucd.Letter|ucd.Mark|ucd.Digit) != 0
}
