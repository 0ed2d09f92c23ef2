//go:build !wasm || !goexperiment.simd

package json

import "unicode/utf8"

// plain returns the first index from i on of a byte that must be escaped in a
// string, or len(s), and whether all bytes before it are ASCII.
func plain(s string, i int) (end int, ascii bool) { return plainWords(s, i, 0) }

// valid reports whether s is well-formed UTF-8.
func valid(s string) bool { return utf8.ValidString(s) }
