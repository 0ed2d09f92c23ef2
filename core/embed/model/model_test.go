package model_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/core/embed/model/modeltest"
	"github.com/rookhaven-project/rookhaven/core/internal/sha256"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func tiny() *model.Model {
	return modeltest.Random(modeltest.Config(), modeltest.Ordinary(1))
}

func TestRoundTrip(t *testing.T) {
	want := tiny()
	b := model.Encode(want)
	got, err := model.Open(bytes.Clone(b))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("a model that was written and read is another")
	}
	if !bytes.Equal(model.Encode(got), b) {
		t.Error("written again, it has other bytes")
	}
}

// Every byte that is changed, and every cut, is noticed.
func TestDamage(t *testing.T) {
	b := model.Encode(tiny())
	for i := range b {
		if i > 500 && i%61 > 0 {
			continue
		}
		b[i] ^= 0x10
		_, err := model.Open(bytes.Clone(b))
		b[i] ^= 0x10
		want := abi.ModelCorrupt
		if i == len("rh.rkm\x00") {
			want = abi.ModelVersion
		}
		if code(err) != want {
			t.Fatalf("byte %d changed: %v, want %s", i, err, want)
		}
	}
	for _, n := range []int{0, 1, 8, 47, 48, 52, 60, 200, 1000, len(b) - 1} {
		if _, err := model.Open(bytes.Clone(b[:n])); code(err) != abi.ModelCorrupt {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
	if _, err := model.Open(append(bytes.Clone(b), 0)); code(err) != abi.ModelCorrupt {
		t.Errorf("a byte more: %v", err)
	}
}

func code(err error) abi.Code {
	var e *abi.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// sealed returns bytes with the size and the digest that they should have.
func sealed(b []byte) []byte {
	binary.LittleEndian.PutUint64(b[8:], uint64(len(b)))
	digest := sha256.Sum256(b[48:])
	copy(b[16:], digest[:])
	return b
}

var refused = []struct {
	name string
	edit func(c *model.Config)
}{
	{"no layers", func(c *model.Config) { c.Layers = 0 }},
	{"heads of another size", func(c *model.Config) { c.Heads = 4 }},
	{"more channels than the proofs hold for", func(c *model.Config) { c.Hidden, c.Heads = 2048, 64 }},
	{"channels that no kernel takes", func(c *model.Config) { c.Inner = 100 }},
	{"a window without room for a word", func(c *model.Config) { c.Window = 2 }},
	{"a window beyond the positions", func(c *model.Config) { c.Window = 64 }},
	{"another pooling", func(c *model.Config) { c.Pooling = "max" }},
	{"a background beyond bounds", func(c *model.Config) { c.Background = 901 }},
	{"a background below 0", func(c *model.Config) { c.Background = -1 }},
	{"no types", func(c *model.Config) { c.Types = 0 }},
	{"too many pieces", func(c *model.Config) { c.Pieces = 1 << 21 }},
}

func TestConfigIsRefused(t *testing.T) {
	for _, tt := range refused {
		c := modeltest.Config()
		tt.edit(&c)
		if err := c.Check(); code(err) != abi.ModelCorrupt {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// The background is in the file where there is one, and a model without one has the bytes
// that it had before there were any.
func TestBackground(t *testing.T) {
	m := tiny()
	before := model.Encode(m)
	m.Background = 500
	opened, err := model.Open(model.Encode(m))
	if err != nil || opened.Background != 500 {
		t.Errorf("%+v, %v", opened.Config, err)
	}
	m.Background = 0
	if !bytes.Equal(model.Encode(m), before) || bytes.Contains(before, []byte("background")) {
		t.Error("a model without a background says so")
	}
}

// Whatever the bytes are, opening fails or gives a model whose tensors are in them.
func FuzzOpen(f *testing.F) {
	b := model.Encode(tiny())
	f.Add(b, 60, byte(7))
	f.Add(b[:300], 52, byte(0))
	f.Fuzz(func(t *testing.T, in []byte, at int, v byte) {
		if len(in) < 53 {
			return
		}
		if at >= 0 && at < len(in) {
			in[at] = v
		}
		m, err := model.Open(sealed(in))
		if err == nil && !bytes.Equal(model.Encode(m), in) {
			t.Error("it was opened and is written otherwise")
		}
		if err != nil && code(err) == "" {
			t.Errorf("an error without a code: %v", err)
		}
	})
}
