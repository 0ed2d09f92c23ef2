package filter

import (
	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// An encoded value is a tag and what the tag needs: a string its NFC, a number
// that is not zero what number.go says, all others nothing. Tags are part of the
// format of segments.
const (
	tagNull = 1 + iota
	tagFalse
	tagTrue
	tagNegative
	tagZero
	tagPositive
	tagString
	tagObject
	tagEnd // above all values
)

const (
	null = "\x01"
	no   = "\x02"
)

// appendScalar reads the value that is due, which is neither an object nor an
// array, and appends its encoding.
func appendScalar(dst []byte, r *json.Reader) []byte {
	switch r.Kind() {
	case json.Null:
		r.Null()
		return append(dst, tagNull)
	case json.False, json.True:
		if r.Bool() {
			return append(dst, tagTrue)
		}
		return append(dst, tagFalse)
	case json.String:
		return ucd.AppendNFC(append(dst, tagString), r.String())
	}
	text := r.Raw()
	if text == nil {
		return dst
	}
	dst, problem := appendNumber(dst, text)
	if problem != "" {
		r.Fail(problem)
	}
	return dst
}

// appendJSON appends what an encoding stands for as canonical JSON.
func appendJSON(dst, value []byte) []byte {
	switch value[0] {
	case tagNull:
		return append(dst, "null"...)
	case tagFalse:
		return append(dst, "false"...)
	case tagTrue:
		return append(dst, "true"...)
	case tagString:
		return json.AppendString(dst, string(value[1:]))
	case tagObject:
		return append(dst, "{}"...)
	}
	return appendDecimal(dst, value)
}
