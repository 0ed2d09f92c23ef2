package json

import (
	"math/rand/v2"
	"testing"
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
