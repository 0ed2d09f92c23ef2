package sha256

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// The examples of FIPS 180-2, appendix B, and of the standard's test vectors.
var vectors = []struct{ name, message, digest string }{
	{"nothing", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	{"one block", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	{"two blocks", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	{"a million a", strings.Repeat("a", 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		for name, f := range map[string]func([]byte) [Size]byte{"sum": sum, "Sum256": Sum256} {
			if got := f([]byte(v.message)); hex.EncodeToString(got[:]) != v.digest {
				t.Errorf("%s of %s = %x, want %s", name, v.name, got, v.digest)
			}
		}
	}
}

func TestSumIsStandard(t *testing.T) {
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 0))
		p := make([]byte, 100_000)
		for i := range p {
			p[i] = byte(r.Uint32())
		}
		for n := range 1001 {
			check(t, seed, p[seed:][:n])
		}
		for range 20 {
			check(t, seed, p[:1000+r.IntN(len(p)-1000)])
		}
	}
	check(t, 0, bytes.Repeat([]byte{0xff}, 1<<20)) // carries everywhere
}

func check(t *testing.T, seed uint64, p []byte) {
	t.Helper()
	if got, want := sum(p), sha256.Sum256(p); got != want {
		t.Fatalf("seed %d: the sum of %d bytes is %x, want %x", seed, len(p), got, want)
	}
}

func TestSumAllocatesNothing(t *testing.T) {
	p := make([]byte, 300)
	if n := testing.AllocsPerRun(10, func() { sum(p) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzSum(f *testing.F) {
	f.Add([]byte("abc"))
	f.Fuzz(func(t *testing.T, p []byte) { check(t, 0, p) })
}

func BenchmarkSum256(b *testing.B) {
	for _, n := range []int{75, 1300, 4096} {
		for _, f := range []struct {
			name string
			sum  func([]byte) [Size]byte
		}{{"own", sum}, {"standard", sha256.Sum256}} {
			b.Run(fmt.Sprintf("%s/%d", f.name, n), func(b *testing.B) {
				p := make([]byte, n)
				b.SetBytes(int64(n))
				for b.Loop() {
					f.sum(p)
				}
			})
		}
	}
}
