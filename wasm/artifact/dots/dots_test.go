package dots

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/artifact"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmcode"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
	"github.com/tetratelabs/wazero"
)

// Functions of these tests take an address, local 0, and have the vectors 1 to vectors,
// which they load from there on and store in the end. Their code is written as bytes.
const vectors = 8

func get(local int) []byte { return []byte{0x20, byte(local)} }
func set(local int) []byte { return []byte{0x21, byte(local)} }
func tee(local int) []byte { return []byte{0x22, byte(local)} }

// simd is a vector instruction.
func simd(op wasmcode.Opcode) []byte {
	return binary.AppendUvarint([]byte{0xfd}, uint64(op&0xffff))
}

// number is a count as Go writes it.
func number(n int) []byte { return []byte{0x42, byte(n), 0xa7} }

func code(parts ...[]byte) []byte { return slices.Concat(parts...) }

func lowOf(x []byte) []byte  { return code(x, number(16), simd(shl), number(16), simd(shr)) }
func highOf(x []byte) []byte { return code(x, number(16), simd(shr)) }

func sumOf(x, y []byte) []byte {
	return code(lowOf(x), lowOf(y), simd(mul), highOf(x), highOf(y), simd(mul), simd(add))
}

const (
	shrUnsigned = vector | 173
	sub         = vector | 177
	shlOf16     = vector | 139
	shrOf16     = vector | 140
	xor         = vector | 81
	splat       = vector | 17
)

// reversed are the bytes of a vector in another order: lanes change places.
var reversed = code([]byte{0xfd, 13}, []byte{4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11})

var x, y, z = get(1), get(2), get(3)

// sums are functions whose sum is what the instruction computes, or nearly.
var sums = []struct {
	name string
	code []byte
	want int
}{
	{"as Go writes it", code(sumOf(x, y), set(4)), 1},
	{"the high halves first", code(highOf(x), highOf(y), simd(mul), lowOf(x), lowOf(y), simd(mul), simd(add), set(4)), 1},
	{"factors in turn", code(lowOf(x), lowOf(y), simd(mul), highOf(y), highOf(x), simd(mul), simd(add), set(4)), 1},
	{"a square", code(sumOf(x, x), set(4)), 1},
	{"counts of 32 bits", code(x, []byte{0x41, 16}, simd(shl), []byte{0x41, 16}, simd(shr), lowOf(y), simd(mul), highOf(x), y, []byte{0x41, 16}, simd(shr), simd(mul), simd(add), set(4)), 1},
	{"what is made on the stack", code(x, z, simd(xor), tee(5), number(16), simd(shr), highOf(y), simd(mul), lowOf(get(5)), lowOf(y), simd(mul), simd(add), set(4)), 1},
	{"what is loaded", code(get(0), []byte{0xfd, 0, 0, 32}, tee(5), number(16), simd(shr), highOf(y), simd(mul), lowOf(get(5)), lowOf(y), simd(mul), simd(add), set(4)), 1},
	{"what lies on the stack below a load is not known", code(lowOf(x), lowOf(y), simd(mul), get(0), []byte{0xad, 0x42, 8, 0x7c, 0xa7, 0xfd, 0, 0, 0}, set(6), highOf(x), highOf(y), simd(mul), simd(add), set(4)), 0},
	{"parts in locals", code(lowOf(x), set(5), lowOf(y), get(5), simd(mul), set(5), highOf(x), set(6), highOf(y), get(6), simd(mul), get(5), simd(add), set(4)), 1},
	{"both are overwritten before the sum", code(lowOf(x), lowOf(y), simd(mul), highOf(x), highOf(y), simd(mul), z, set(1), z, set(2), simd(add), set(4)), 1},
	{"a copy", code(x, set(5), lowOf(x), lowOf(y), simd(mul), highOf(get(5)), highOf(y), simd(mul), simd(add), set(4)), 1},
	{"the sum of a sum", code(sumOf(x, y), set(4), sumOf(get(4), get(4)), set(5)), 2},
	{"one vector, two sums", code(sumOf(x, y), set(4), sumOf(x, z), set(5)), 2},
	{"one sum, two additions", code(sumOf(x, y), set(4), sumOf(y, x), set(5)), 2},
	{"added to another", code(get(6), sumOf(x, y), simd(add), set(6)), 1},
	{"in a block", code([]byte{0x02, 0x40}, sumOf(x, y), set(4), []byte{0x0b}), 1},
	{"in a loop", code([]byte{0x03, 0x40}, sumOf(x, y), set(4), get(4), get(1), simd(add), set(1), z, tee(2), []byte{0xfd, 27, 0, 0x41, 1, 0x71, 0x45, 0x0d, 1, 0x0b}), 1},

	{"the low halves shifted by 15 to the left", code(x, number(15), simd(shl), number(16), simd(shr), lowOf(y), simd(mul), highOf(x), highOf(y), simd(mul), simd(add), set(4)), 0},
	{"by 17 to the right", code(x, number(16), simd(shl), number(17), simd(shr), lowOf(y), simd(mul), highOf(x), highOf(y), simd(mul), simd(add), set(4)), 0},
	{"the high halves by 8", code(lowOf(x), lowOf(y), simd(mul), highOf(x), y, number(8), simd(shr), simd(mul), simd(add), set(4)), 0},
	{"by a count that is not a constant", code(lowOf(x), lowOf(y), simd(mul), highOf(x), y, get(0), simd(shr), simd(mul), simd(add), set(4)), 0},
	{"low halves without a sign", code(x, number(16), simd(shl), number(16), simd(shrUnsigned), lowOf(y), simd(mul), highOf(x), highOf(y), simd(mul), simd(add), set(4)), 0},
	{"high halves without a sign", code(lowOf(x), lowOf(y), simd(mul), highOf(x), y, number(16), simd(shrUnsigned), simd(mul), simd(add), set(4)), 0},
	{"to the left twice", code(x, number(16), simd(shl), number(16), simd(shl), lowOf(y), simd(mul), highOf(x), highOf(y), simd(mul), simd(add), set(4)), 0},
	{"not to the left", code(x, number(16), simd(shr), number(16), simd(shr), lowOf(y), simd(mul), highOf(x), highOf(y), simd(mul), simd(add), set(4)), 0},
	{"shifts in other lanes", code(x, number(16), simd(shlOf16), number(16), simd(shrOf16), lowOf(y), simd(mul), highOf(x), highOf(y), simd(mul), simd(add), set(4)), 0},
	{"low halves twice", code(lowOf(x), lowOf(y), simd(mul), lowOf(x), lowOf(y), simd(mul), simd(add), set(4)), 0},
	{"high halves twice", code(highOf(x), highOf(y), simd(mul), highOf(x), highOf(y), simd(mul), simd(add), set(4)), 0},
	{"low with high", code(lowOf(x), highOf(y), simd(mul), highOf(x), lowOf(y), simd(mul), simd(add), set(4)), 0},
	{"lanes of a factor change places", code(lowOf(x), lowOf(y), simd(mul), highOf(x), highOf(code(y, y, reversed)), simd(mul), simd(add), set(4)), 0},
	{"the products of other vectors", code(lowOf(x), lowOf(y), simd(mul), highOf(x), highOf(z), simd(mul), simd(add), set(4)), 0},
	{"squares of two", code(lowOf(x), lowOf(x), simd(mul), highOf(y), highOf(y), simd(mul), simd(add), set(4)), 0},
	{"a square and a product", code(lowOf(x), lowOf(x), simd(mul), highOf(x), highOf(y), simd(mul), simd(add), set(4)), 0},
	{"a difference", code(lowOf(x), lowOf(y), simd(mul), highOf(x), highOf(y), simd(mul), simd(sub), set(4)), 0},
	{"sums instead of products", code(lowOf(x), lowOf(y), simd(add), highOf(x), highOf(y), simd(add), simd(add), set(4)), 0},
	{"a product of products", code(lowOf(x), lowOf(y), simd(mul), highOf(x), highOf(y), simd(mul), simd(mul), set(4)), 0},
	{"written between the halves", code(lowOf(x), lowOf(y), simd(mul), z, set(1), highOf(x), highOf(y), simd(mul), simd(add), set(4)), 0},
	{"written and kept between the halves", code(lowOf(x), lowOf(y), simd(mul), highOf(x), z, tee(2), number(16), simd(shr), simd(mul), simd(add), set(4)), 0},
	{"a local of products is overwritten", code(lowOf(x), lowOf(y), simd(mul), set(5), highOf(x), highOf(y), simd(mul), set(6), z, set(5), get(5), get(6), simd(add), set(4)), 0},
	{"a branch between the halves", code([]byte{0x02, 0x40}, lowOf(x), lowOf(y), simd(mul), set(5), z, []byte{0xfd, 27, 0, 0x0d, 0, 0x0b}, highOf(x), highOf(y), simd(mul), get(5), simd(add), set(4)), 0},
	{"a condition between the halves", code(lowOf(x), lowOf(y), simd(mul), set(5), z, []byte{0xfd, 27, 0, 0x04, 0x40}, z, set(1), []byte{0x0b}, highOf(x), highOf(y), simd(mul), get(5), simd(add), set(4)), 0},
	{"one arm of a condition and the other", code(z, []byte{0xfd, 27, 0, 0x04, 0x40}, lowOf(x), lowOf(y), simd(mul), set(5), []byte{0x05}, highOf(x), highOf(y), simd(mul), get(5), simd(add), set(4), []byte{0x0b}), 0},
	{"a loop writes after it reads", code(lowOf(x), set(5), []byte{0x03, 0x40}, get(5), lowOf(y), simd(mul), highOf(x), highOf(y), simd(mul), simd(add), set(4), get(4), set(1), get(1), []byte{0xfd, 27, 0, 0x41, 1, 0x71}, y, get(4), simd(add), set(2), []byte{0x0d, 0, 0x0b}), 0},
}

// function returns the code of a function, its locals included: two groups of them.
func function(middle []byte) []byte {
	b := []byte{2, 3, byte(wasmfile.V128), vectors - 3, byte(wasmfile.V128)}
	for l := 1; l <= vectors; l++ {
		b = append(b, code(get(0), []byte{0xfd, 0, 0, byte(16 * (l - 1))}, set(l))...)
	}
	b = append(b, middle...)
	for l := 1; l <= vectors; l++ {
		b = append(b, code(get(0), get(l), []byte{0xfd, 11, 0}, binary.AppendUvarint(nil, uint64(16*(l-1))))...)
	}
	return append(b, 0x0b)
}

// module returns a module of a function that is not called, one without parameters and
// without vectors, and the function.
func module(middle []byte) []byte {
	b := []byte("\x00asm\x01\x00\x00\x00\x01\x08\x02\x60\x00\x00\x60\x01\x7f\x00\x03\x03\x02\x00\x01\x05\x03\x01\x00\x01\x07\x09\x02\x01m\x02\x00\x01f\x00\x01")
	content := []byte{2, 2, 0, 0x0b}
	f := function(middle)
	content = append(binary.AppendUvarint(content, uint64(len(f))), f...)
	return append(binary.AppendUvarint(append(b, 10), uint64(len(content))), content...)
}

// runtimes are an engine that compiles, where there is one, and one that does not.
func runtimes(t *testing.T) map[string]wazero.Runtime {
	t.Helper()
	ctx := context.Background()
	list := map[string]wazero.Runtime{
		"compiled":    wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig()),
		"interpreted": wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter()),
	}
	for _, r := range list {
		t.Cleanup(func() { _ = r.Close(ctx) })
	}
	return list
}

// results returns what the module makes of vectors.
func results(t *testing.T, r wazero.Runtime, wasm []byte, inputs [][]byte) (outputs [][]byte) {
	t.Helper()
	ctx := context.Background()
	m, err := r.InstantiateWithConfig(ctx, wasm, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close(ctx)
	for _, in := range inputs {
		m.Memory().Write(8, in)
		if _, err := m.ExportedFunction("f").Call(ctx, 8); err != nil {
			t.Fatal(err)
		}
		out, _ := m.Memory().Read(8, uint32(len(in)))
		outputs = append(outputs, bytes.Clone(out))
	}
	return outputs
}

// inputs are vectors of numbers at random, many of them as large as they get.
func inputs(r *rand.Rand, n int) (list [][]byte) {
	for range n {
		var in []byte
		for range vectors * 8 {
			number := uint16(r.Uint32())
			if r.IntN(3) > 0 {
				number = []uint16{0x8000, 0x8000, 0x8001, 0x7fff, 0xffff, 0, 1}[r.IntN(7)]
			}
			in = binary.LittleEndian.AppendUint16(in, number)
		}
		list = append(list, in)
	}
	return list
}

// check fuses a module and returns how often: the result is the same when it is fused
// again, gives what the module gives, and differs from it by what [Fuse] says.
func check(t *testing.T, name string, engines map[string]wazero.Runtime, wasm []byte, in [][]byte) int {
	t.Helper()
	fused, n, err := Fuse(wasm)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if again, m, err := Fuse(fused); err != nil || m != n || !bytes.Equal(again, fused) {
		t.Errorf("%s: fused again, it changes: %d, then %d (%v)", name, n, m, err)
	}
	if n == 0 != bytes.Equal(fused, wasm) {
		t.Errorf("%s: %d found, and changed: %v", name, n, !bytes.Equal(fused, wasm))
	}
	if got := undone(t, fused); !bytes.Equal(got, wasm) {
		t.Errorf("%s: more was changed than sums:\n% x\n% x", name, got, wasm)
	}
	for engine, r := range engines {
		want, got := results(t, r, wasm, in), results(t, r, fused, in)
		for i := range want {
			if !bytes.Equal(got[i], want[i]) {
				t.Fatalf("%s, %s: of % x\n% x, want\n% x", name, engine, in[i], got[i], want[i])
			}
		}
	}
	return n
}

// undone takes away what Fuse adds: the third group of locals, what puts something
// into them, and for each instruction the two drops and two fetches before it.
func undone(t *testing.T, wasm []byte) []byte {
	t.Helper()
	f, err := wasmfile.Parse(wasm)
	if err != nil {
		t.Fatal(err)
	}
	body := f.Bodies[1]
	if body[0] != 3 {
		return wasm
	}
	var list []wasmcode.Instruction
	if err := wasmcode.Decode(body, func(wasmfile.Type) {}, func(i wasmcode.Instruction) { list = append(list, i) }); err != nil {
		t.Fatal(err)
	}
	out := append([]byte{2}, body[1:list[0].From-2]...)
	for at, i := range list {
		switch {
		case i.Op == dot:
			out = append(out, simd(add)...)
		case at+4 < len(list) && slices.ContainsFunc(list[at:at+5], func(i wasmcode.Instruction) bool { return i.Op == dot }):
			if i.Op != drop && !(i.Op == wasmcode.LocalGet && i.Index > vectors) {
				t.Errorf("%s stands before the instruction", i.Op)
			}
		case i.Op == wasmcode.LocalTee && i.Index > vectors:
		default:
			out = append(out, body[i.From:i.To]...)
		}
	}
	old, err := wasmfile.WithBodies(wasm, [][]byte{f.Bodies[0], out})
	if err != nil {
		t.Fatal(err)
	}
	return old
}

func TestSums(t *testing.T) {
	engines := runtimes(t)
	in := inputs(rand.New(rand.NewPCG(0, 0)), 50)
	for _, tt := range sums {
		if n := check(t, tt.name, engines, module(tt.code), in); n != tt.want {
			t.Errorf("%s: found %d times, want %d", tt.name, n, tt.want)
		}
	}
}

// The numbers at the ends of their range, in every combination of four: −2¹⁵ four
// times is the only one whose sum wraps.
func TestEveryKindOfNumber(t *testing.T) {
	kinds := []int16{-1 << 15, -1<<15 + 1, -1, 0, 1, 1<<15 - 1}
	var in [][]byte
	var want []int32
	for i := range len(kinds) * len(kinds) * len(kinds) * len(kinds) {
		a, b, c, d := kinds[i%6], kinds[i/6%6], kinds[i/36%6], kinds[i/216]
		x := binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, uint16(a)), uint16(b))
		y := binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, uint16(c)), uint16(d))
		in = append(in, code(bytes.Repeat(x, 4), bytes.Repeat(y, 4), make([]byte, 16*(vectors-2))))
		want = append(want, int32(int64(a)*int64(c)+int64(b)*int64(d)))
	}
	wasm := module(sums[0].code)
	fused, _, err := Fuse(wasm)
	if err != nil {
		t.Fatal(err)
	}
	for engine, r := range runtimes(t) {
		for name, wasm := range map[string][]byte{"before": wasm, "after": fused} {
			for i, out := range results(t, r, wasm, in) {
				if got := out[16*3:][:16]; !bytes.Equal(got, bytes.Repeat(binary.LittleEndian.AppendUint32(nil, uint32(want[i])), 4)) {
					t.Errorf("%s, %s: of % x\n% x, want %d", engine, name, in[i][:32], got, want[i])
				}
			}
		}
	}
}

// random returns a function at random: of sums, of what is nearly one, in which a byte
// of a count or an operation is another or a local, and of what stands between.
func random(r *rand.Rand) []byte {
	local := func() []byte { return get(1 + r.IntN(vectors)) }
	to := func() []byte { return set(1 + r.IntN(vectors)) }
	rarely := func(ops ...wasmcode.Opcode) []byte {
		if r.IntN(12) == 0 {
			return simd(ops[1+r.IntN(len(ops)-1)])
		}
		return simd(ops[0])
	}
	count := func() []byte {
		switch r.IntN(24) {
		case 0:
			return number([]int{0, 15, 17, 48}[r.IntN(4)])
		case 1, 2, 3:
			return []byte{0x41, 16}
		}
		return number(16)
	}
	noise := func() []byte {
		switch r.IntN(16) {
		case 0:
			return code(local(), to())
		case 1:
			return code(local(), local(), simd([]wasmcode.Opcode{xor, add, mul}[r.IntN(3)]), to())
		case 2:
			return code([]byte{0x02, 0x40}, local(), to(), []byte{0x0b})
		case 3:
			return code(local(), []byte{0xfd, 27, 0, 0x41, 1, 0x71, 0x04, 0x40}, local(), to(), []byte{0x05}, local(), to(), []byte{0x0b})
		case 4:
			return code(local(), []byte{0x1a})
		case 5:
			return code(get(0), []byte{0xfd, 0, 0, 4}, to())
		case 6:
			return code(get(0), []byte{0xfd, byte(splat & 0xff)}, tee(1+r.IntN(vectors)), to())
		case 7:
			return []byte{0x01}
		}
		return nil
	}
	half := func(v []byte, low bool) []byte {
		if r.IntN(30) == 0 {
			v = local()
		}
		if low {
			v = code(v, count(), rarely(shl, shr, shlOf16))
		}
		return code(v, count(), rarely(shr, shrUnsigned, shl, shrOf16))
	}
	product := func(x, y []byte, low bool) []byte {
		if r.IntN(2) == 0 {
			x, y = y, x
		}
		switch r.IntN(3) {
		case 0: // by locals
			a, b := 1+r.IntN(vectors), 1+r.IntN(vectors)
			return code(half(x, low), set(a), noise(), half(y, low), tee(b), noise(), get(a), rarely(mul, add))
		case 1:
			return code(half(x, low), noise(), half(y, low), rarely(mul, sub))
		}
		return code(half(x, low), half(y, low), simd(mul))
	}
	var b []byte
	for range 1 + r.IntN(12) {
		x, y, low := local(), local(), r.IntN(2) == 0
		b = append(b, code(noise(), product(x, y, low), noise(), product(x, y, !low), noise(), rarely(add, sub, mul), to())...)
	}
	return b
}

func TestRandomFunctions(t *testing.T) {
	engines := runtimes(t)
	const programs = 1500
	found, changed := 0, 0
	for seed := range uint64(programs) {
		r := rand.New(rand.NewPCG(seed, 1))
		if n := check(t, fmt.Sprint("seed ", seed), engines, module(random(r)), inputs(r, 6)); n > 0 {
			found += n
			changed++
		}
	}
	t.Logf("%d programs, %d changed, %d sums", programs, changed, found)
	if changed < programs/3 || changed > programs*9/10 {
		t.Error("too few programs of each kind to say anything")
	}
}

// The engine has the instruction wherever its kernel adds products, and nothing is
// left in it to find.
func TestEngine(t *testing.T) {
	wasm, _, ok := artifact.Built()
	if !ok {
		t.Skip("no engine is built in: run make build")
	}
	fused, n, err := Fuse(wasm)
	if err != nil || n < Expected || !bytes.Equal(fused, wasm) {
		t.Errorf("%d found, want %d and no change (%v)", n, Expected, err)
	}
}

func TestFuseRefuses(t *testing.T) {
	wasm := module(sums[0].code)
	if _, _, err := Fuse(wasm[:60]); err == nil {
		t.Error("half a module is accepted")
	}
	if _, _, err := Fuse(bytes.Replace(wasm, simd(mul), []byte{0xfd, 0x9a, 1}, 1)); err == nil {
		t.Error("an instruction that does not exist is accepted")
	}
}
