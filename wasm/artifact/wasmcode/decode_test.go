package wasmcode

import (
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

var decodeTests = []struct {
	name string
	code []byte // without locals and end
	want string
}{
	{"a constant that looks like f64.add", []byte{0x41, 0xa0, 0x01}, "i32.const"},
	{"a constant that looks like an end", []byte{0x42, 0x0b}, "i64.const"},
	{"a number of eight bytes", []byte{0x44, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b}, "f64.const"},
	{"a number of four bytes", []byte{0x43, 0xa0, 0xa0, 0xa0, 0xa0}, "f32.const"},
	{"a block with a result", []byte{0x02, 0x7f, 0x0b}, "block end"},
	{"a block with a signature", []byte{0x03, 0xc0, 0x00, 0x0b}, "loop end"},
	{"a condition", []byte{0x04, 0x40, 0x05, 0x0b}, "if else end"},
	{"a table of branches", []byte{0x0e, 2, 0x0b, 0x0b, 0x0b}, "br_table"},
	{"an indirect call", []byte{0x11, 0xa0, 0x01, 0}, "call_indirect"},
	{"a load far away", []byte{0x29, 3, 0xa0, 0xa0, 0x01}, "i64.load"},
	{"a load of another memory", []byte{0x28, 0x42, 1, 0xa0, 1}, "i32.load"},
	{"sign extension", []byte{0xc2, 0xc4}, "i64.extend8_s i64.extend32_s"},
	{"a select of a type", []byte{0x1c, 1, 0x7e}, "select_t"},
	{"saturating truncation", []byte{0xfc, 6}, "i64.trunc_sat_f64_s"},
	{"copying memory", []byte{0xfc, 10, 0, 0}, "memory.copy"},
	{"filling memory", []byte{0xfc, 11, 0}, "memory.fill"},
	{"references", []byte{0xd0, 0x70, 0xd1, 0xd2, 0xa0, 1}, "ref.null ref.is_null ref.func"},
	{"a vector of sixteen bytes", append([]byte{0xfd, 12}, []byte(strings.Repeat("\x0b", 16))...), "v128.const"},
	{"a shuffle", append([]byte{0xfd, 13}, []byte(strings.Repeat("\x0b", 16))...), "i8x16.shuffle"},
	{"a lane", []byte{0xfd, 33, 1}, "f64x2.extract_lane"},
	{"a lane in memory", []byte{0xfd, 84, 0, 0x0b, 0x0b}, "v128.load8_lane"},
	{"a vector and nothing behind it", []byte{0xfd, 0xe6, 1, 0xfd, 0xae, 1}, "f32x4.mul i32x4.add"},
	{"a relaxed one", []byte{0xfd, 0x85, 2}, "f32x4.relaxed_madd"},
	{"a fence", []byte{0xfe, 3, 0}, "atomic instruction 0x3"},
	{"an atomic load", []byte{0xfe, 0x10, 2, 0x0b}, "atomic instruction 0x10"},
	{"exceptions", []byte{0x1f, 0x40, 2, 0, 1, 0, 2, 0, 0x0b}, "try_table end"},
}

// The length of every kind of instruction is known, so that no byte of a number
// is taken for an instruction.
func TestDecode(t *testing.T) {
	for _, tt := range decodeTests {
		var got []string
		body := slices.Concat([]byte{0}, tt.code, []byte{0x0b})
		err := Decode(body, func(wasmfile.Type) {}, func(i Instruction) { got = append(got, i.Op.String()) })
		if want := append(strings.Fields(tt.want), "end"); err != nil || strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %v (%v), want %v", tt.name, got, err, want)
		}
	}
}

var decodeErrorTests = []struct {
	name string
	body []byte
}{
	{"nothing", nil},
	{"no end", []byte{0, 0x01}},
	{"code behind the end", []byte{0, 0x0b, 0x01}},
	{"a number cut short", []byte{0, 0x44, 0, 0}},
	{"an unassigned number", []byte{0, 0x27, 0x0b}},
	{"an unassigned vector instruction", []byte{0, 0xfd, 0x9a, 1, 0x0b}},
	{"a number too long", []byte{0, 0x10, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 0x0b}},
}

func TestDecodeRefuses(t *testing.T) {
	for _, tt := range decodeErrorTests {
		if err := Decode(tt.body, func(wasmfile.Type) {}, func(Instruction) {}); err == nil {
			t.Errorf("%s: no error", tt.name)
		}
	}
}

// Values of floating point are seen where no instruction is.
func TestDecodeTellsTypes(t *testing.T) {
	var got []wasmfile.Type
	body := []byte{2, 1, 0x7d, 3, 0x7e, 0x02, 0x7c, 0x00, 0x0b, 0x0b} // two kinds of locals, a block with a result
	if err := Decode(body, func(v wasmfile.Type) { got = append(got, v) }, func(Instruction) {}); err != nil {
		t.Fatal(err)
	}
	if want := []wasmfile.Type{wasmfile.F32, wasmfile.I64, wasmfile.F64}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The tables of names are as long as the numbers go, and say which instructions
// are of floating point: the counts are those of the specification.
func TestOpcodeTables(t *testing.T) {
	count := func(table []string, float func(int) Opcode) (n int) {
		for i := range table {
			if float(i).Float() {
				n++
			}
		}
		return n
	}
	for _, tt := range []struct {
		name         string
		table        []string
		op           func(int) Opcode
		size, floats int
	}{
		{"plain", plain, func(i int) Opcode { return Opcode(i) }, 0xe0, 4 + 2 + 12 + 28 + 8 + 8 + 2 + 4},
		{"misc", misc, func(i int) Opcode { return prefixed(prefixMisc, uint32(i)) }, 18, 8},
		{"vector", vector[:relaxed], func(i int) Opcode { return prefixed(prefixVector, uint32(i)) }, 256, 2 + 4 + 12 + 2 + 8 + 2*11 + 8},
		{"relaxed", vector[relaxed:], func(i int) Opcode { return prefixed(prefixVector, uint32(relaxed+i)) }, 20, 4 + 4 + 4},
	} {
		if floats := count(tt.table, tt.op); len(tt.table) != tt.size || floats != tt.floats {
			t.Errorf("%s: %d names, %d of floating point, want %d and %d", tt.name, len(tt.table), floats, tt.size, tt.floats)
		}
	}
}
