package vectorfile

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func sample(chunks, dimensions int) *File {
	f := &File{Model: "sha256:" + strings.Repeat("0f", 32), External: chunks%2 == 1, Segment: 0xfeed, Dimensions: dimensions, Background: chunks % 3 * 100}
	for i := range chunks * hashSize {
		f.Hashes = append(f.Hashes, byte(i*7))
	}
	for i := range chunks * dimensions {
		f.Components = append(f.Components, byte(i*11))
	}
	return f
}

func TestRoundTrip(t *testing.T) {
	for _, chunks := range []int{0, 1, 2, 3, 100} {
		for _, dimensions := range []int{1, 3, 8, 384} {
			f := sample(chunks, dimensions)
			b := f.Append([]byte("before"))[len("before"):]
			if len(b) != Size(chunks, dimensions) {
				t.Fatalf("%d × %d: %d bytes, Size says %d", chunks, dimensions, len(b), Size(chunks, dimensions))
			}
			g, err := Read(b)
			if err != nil {
				t.Fatalf("%d × %d: %v", chunks, dimensions, err)
			}
			if g.Len() != chunks || g.Model != f.Model || g.External != f.External || g.Segment != f.Segment || g.Dimensions != dimensions || g.Background != f.Background ||
				!bytes.Equal(g.Hashes, f.Hashes) || !bytes.Equal(g.Components, f.Components) {
				t.Fatalf("%d × %d: %+v", chunks, dimensions, g)
			}
			for i := range chunks {
				if h := g.Hash(i); !bytes.Equal(h[:], f.Hashes[i*hashSize:][:hashSize]) || !bytes.Equal(g.Vector(i), f.Components[i*dimensions:][:dimensions]) {
					t.Fatalf("%d × %d: vector %d is another one", chunks, dimensions, i)
				}
			}
		}
	}
}

// Whatever byte is another one, or missing, is found.
func TestDamage(t *testing.T) {
	b := sample(5, 13).Append(nil)
	refused := func(what string, b []byte) {
		t.Helper()
		var e *abi.Error
		if _, err := Read(b); !errors.As(err, &e) || e.Code != abi.VectorsCorrupt && e.Code != abi.VectorsVersion {
			t.Fatalf("%s: %v", what, err)
		}
	}
	for i := range b {
		refused("cut", b[:i])
		for bit := range 8 {
			c := bytes.Clone(b)
			c[i] ^= 1 << bit
			refused("flipped", c)
		}
	}
	refused("longer", append(bytes.Clone(b), make([]byte, 8)...))
}

func FuzzRead(f *testing.F) {
	f.Add(sample(0, 1).Append(nil))
	f.Add(sample(3, 5).Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if g, err := Read(b); err == nil && !bytes.Equal(g.Append(nil), b) {
			t.Error("read, and not written so")
		}
	})
}
