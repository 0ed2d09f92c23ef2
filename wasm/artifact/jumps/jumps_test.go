package jumps

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// A program is a function in the shape that Go's compiler gives it: parameters pc
// and acc. Every segment takes its number into acc, returns when the fuel is used up,
// and goes on in its way.
type program struct{ ways []way }

// A way says how a segment ends: with a jump where acc has a bit, with a jump in any
// case, with a call, or by falling through; the last one returns.
type way struct {
	when, always int // the segment that it jumps to, -1: it does not
	calls        bool
}

func random(r *rand.Rand) program {
	p := program{make([]way, 2+r.IntN(9))}
	for s := range p.ways {
		w := way{-1, -1, false}
		if r.IntN(3) == 0 {
			w.when = near(r, s, len(p.ways))
		}
		switch r.IntN(5) {
		case 0, 1:
			w.always = near(r, s, len(p.ways))
		case 2:
			w.calls = r.IntN(2) == 0
		}
		p.ways[s] = w
	}
	return p
}

// near returns a segment, rather one that is not far.
func near(r *rand.Rand, s, n int) int {
	if r.IntN(3) == 0 {
		return r.IntN(n)
	}
	return min(max(s+r.IntN(5)-2, 0), n-1)
}

// rotated is the loop that the compiler makes of for i := 0; c; i++ {…}: entered at
// the condition, with the step before it.
var rotated = program{[]way{{-1, 2, false}, {-1, -1, false}, {4, -1, false}, {-1, 1, false}, {-1, -1, false}}}

// code returns the function.
func (p program) code() []byte {
	n := len(p.ways)
	b := []byte{1, 1, 0x7e} // a local: the fuel
	b = append(b, 0x42, 60, 0x21, 2)
	b = append(b, 0x02, empty, 0x03, empty)
	for range p.ways {
		b = append(b, 0x02, empty)
	}
	b = append(b, 0x20, 0, 0x0e)
	b = binary.AppendUvarint(b, uint64(n-1))
	for s := range p.ways {
		b = append(b, byte(s))
	}
	b = append(b, 0x0b)
	for s, w := range p.ways {
		if s > 0 {
			b = append(b, 0x0b)
		}
		up := byte(n - 1 - s)                                                                  // the entry, seen from the segment
		b = append(b, 0x20, 1, 0x42, 0xed, 0x01, 0x7e, 0x42, byte(s+1), 0x7c, 0x21, 1)         // acc = acc*237 + s + 1
		b = append(b, 0x20, 2, 0x42, 1, 0x7d, 0x22, 2, 0x50, 0x04, empty, 0x20, 1, 0x0f, 0x0b) // if fuel-- == 1 return acc
		if w.calls {
			b = append(b, 0x10, 0, 0x0d, up+1) // if it unwinds, so do we
		}
		if w.when >= 0 {
			b = append(b, 0x20, 1, 0x42, byte(3+s%5), 0x88, 0xa7, 0x41, 1, 0x71, 0x04, empty, 0x41, byte(w.when), 0x21, 0, 0x0c, up+1, 0x0b)
		}
		switch {
		case s == n-1:
			b = append(b, 0x20, 1, 0x0f)
		case w.always >= 0:
			b = append(b, 0x41, byte(w.always), 0x21, 0, 0x0c, up)
		}
	}
	return append(b, 0x0b, 0x00, 0x0b, 0x42, 0x7f, 0x0b)
}

// module returns a module of the function and of one that it may call.
func (p program) module() []byte {
	code := p.code()
	b := []byte("\x00asm\x01\x00\x00\x00\x01\x0b\x02\x60\x00\x01\x7f\x60\x02\x7f\x7e\x01\x7e\x03\x03\x02\x00\x01\x07\x05\x01\x01f\x00\x01")
	content := append([]byte{2, 4, 0, 0x41, 0, 0x0b}, binary.AppendUvarint(nil, uint64(len(code)))...)
	content = append(content, code...)
	b = append(binary.AppendUvarint(append(b, 10), uint64(len(content))), content...)
	return b
}

// entries returns where a function may be entered: at its start, and behind calls.
func (p program) entries() []uint64 {
	list := []uint64{0}
	for s, w := range p.ways[:len(p.ways)-1] {
		if w.calls && w.always < 0 && w.when < 0 {
			list = append(list, uint64(s+1))
		}
	}
	return list
}

func TestRandomFunctions(t *testing.T) {
	ctx := context.Background()
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer runtime.Close(ctx)
	programs := []program{rotated}
	for seed := range uint64(4000) {
		programs = append(programs, random(rand.New(rand.NewPCG(seed, 1))))
	}
	loops, moved, changed := 0, 0, 0
	for i, p := range programs {
		wasm := p.module()
		short, err := Shorten(wasm)
		if err != nil {
			t.Fatalf("program %d %+v: %v", i, p, err)
		}
		if again, err := Shorten(short); err != nil || !bytes.Equal(again, short) {
			t.Fatalf("program %d %+v: shortened again, it changes (%v)", i, p, err)
		}
		if !bytes.Equal(wasm, short) {
			changed++
		}
		f, _ := cut(p.code())
		f.arrange()
		loops += len(f.loops)
		for _, l := range f.loops {
			if l.head != l.first {
				moved++
			}
		}
		before, after := instance(t, runtime, wasm), instance(t, runtime, short)
		for _, pc := range p.entries() {
			for acc := range uint64(8) {
				want, wrong := before.Call(ctx, pc, acc*0x9e3779b97f4a7c15)
				got, err := after.Call(ctx, pc, acc*0x9e3779b97f4a7c15)
				if (wrong == nil) != (err == nil) || !slices.Equal(got, want) {
					t.Fatalf("program %d %+v, entered at %d with %d: %v (%v), want %v (%v)", i, p, pc, acc, got, err, want, wrong)
				}
			}
		}
	}
	t.Logf("%d programs, %d changed, %d loops, %d of them with a step that moved", len(programs), changed, loops, moved)
	if changed < 3000 || loops < 300 || moved < 30 {
		t.Error("too few programs of each kind to say anything")
	}
}

func instance(t *testing.T, r wazero.Runtime, wasm []byte) api.Function {
	t.Helper()
	m, err := r.InstantiateWithConfig(context.Background(), wasm, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close(context.Background()) })
	return m.ExportedFunction("f")
}

// The loop with its condition before its step is one without a dispatch.
func TestRotatedLoop(t *testing.T) {
	f, err := cut(rotated.code())
	if f == nil || err != nil {
		t.Fatalf("not of the shape (%v)", err)
	}
	f.arrange()
	if want := []int{0, 2, 3, 1, 4}; !slices.Equal(f.order, want) || len(f.loops) != 1 {
		t.Errorf("order %v with the loops %+v, want %v", f.order, f.loops, want)
	}
	if out := f.write(); bytes.Contains(out, []byte{0x21, 0}) {
		t.Errorf("pc is still written: % x", out)
	}
}

// What is not exactly of the shape stays as it is.
func TestOtherShapes(t *testing.T) {
	code := rotated.code()
	at := bytes.Index(code, []byte{0x41, 2, 0x21, 0, 0x0c}) // the first jump
	for name, change := range map[string]func([]byte){
		"a jump to what is not a number":  func(b []byte) { b[at] = 0x23 },
		"a jump that leaves pc as it is":  func(b []byte) { b[at+3] = 1 },
		"a jump into the dispatch":        func(b []byte) { b[at+5]-- },
		"pc is read elsewhere":            func(b []byte) { b[bytes.Index(b, []byte{0x20, 1, 0x0f})+1] = 0 },
		"an entry that gives a value":     func(b []byte) { b[bytes.Index(b, []byte{0x03, empty})+1] = 0x7f },
		"a table that leads out of there": func(b []byte) { b[bytes.IndexByte(b, 0x0e)+3] = 9 },
	} {
		other := bytes.Clone(code)
		change(other)
		if f, err := cut(other); f != nil || err != nil {
			t.Errorf("%s: it is taken for the shape (%v)", name, err)
		}
	}
	if _, err := Shorten(rotated.module()[:60]); err == nil {
		t.Error("half a module is accepted")
	}
}
