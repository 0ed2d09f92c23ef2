package json

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// Eight bytes at once find what one at a time finds.
func TestPlain(t *testing.T) {
	for seed := range uint64(50_000) {
		r := rand.New(rand.NewPCG(seed, 0))
		b := make([]byte, r.IntN(30))
		for i := range b {
			if b[i] = byte(r.Uint32()); r.IntN(8) > 0 {
				b[i] = "aZ\x20\x7f!#[]\x80\xff"[r.IntN(10)]
			}
		}
		from := r.IntN(len(b) + 1)
		want, ascii := from, true
		for ; want < len(b) && b[want] >= ' ' && b[want] != '"' && b[want] != '\\'; want++ {
			ascii = ascii && b[want] < 0x80
		}
		if got, gotASCII := plain(string(b), from); got != want || gotASCII != ascii {
			t.Fatalf("seed %d: plain(%q, %d) = %d, %v, want %d, %v", seed, b, from, got, gotASCII, want, ascii)
		}
	}
}

// Every character and everything like one, at every place, is judged as
// unicode/utf8 does.
func TestValid(t *testing.T) {
	check := func(what string, s string) {
		t.Helper()
		if got := valid(s); got != utf8.ValidString(s) {
			t.Fatalf("%s: valid(%q) = %v", what, s, got)
		}
	}
	edges := []byte{0, 'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff}
	b := bytes.Repeat([]byte("a"), 60)
	for a := range 256 {
		for c := range 256 {
			for _, d := range []byte{'a', 0x80, 0xbf} {
				at := 13 + (a+c)%4
				copy(b[at:], []byte{byte(a), byte(c), d})
				check("three bytes", string(b))
				copy(b[at:], "aaa")
			}
		}
	}
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 0))
		s := make([]byte, 0, 100)
		for len(s) < 96 {
			s = utf8.AppendRune(s, []rune{'a', 0x7f, 0x80, 'б', 0x7ff, 0x800, '船', 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff}[r.IntN(12)])
		}
		check("well-formed", string(s))
		s = s[:r.IntN(len(s))]
		check("cut", string(s))
		if len(s) > 0 {
			s[r.IntN(len(s))] = edges[r.IntN(len(edges))]
			check("one byte changed", string(s))
			s[r.IntN(len(s))] = byte(r.Uint32())
			check("two bytes changed", string(s))
		}
	}
}
