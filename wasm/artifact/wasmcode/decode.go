// Package wasmcode walks through the code of functions of a WebAssembly module,
// instruction by instruction, and names them.
package wasmcode

import (
	"fmt"

	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

// An Instruction is one instruction of a function.
type Instruction struct {
	Op       Opcode
	From, To int // its bytes in the code

	Callee    uint32 // the function that it calls or takes a reference to
	HasCallee bool
	Index     uint32   // of br, br_if: the label; of local.get, set and tee: the local
	Const     int32    // of i32.const
	Labels    []uint32 // of br_table, the default last
}

// Decode walks through the code of a function, its locals included, as
// [wasmfile.File] holds it. It calls value for the type of each local, block and
// typed select, and each for every instruction. The code must end with the end of
// the function and not before: one length that was wrong would not let it.
func Decode(body []byte, value func(wasmfile.Type), each func(Instruction)) error {
	d := &decoder{in: body, value: value}
	for n := d.u32(); n > 0 && d.err == nil; n-- {
		d.u32()
		value(wasmfile.Type(d.byte()))
	}
	for depth := 1; depth > 0 && d.err == nil; {
		i := d.instruction()
		if d.err != nil {
			break
		}
		each(i)
		switch i.Op {
		case Block, Loop, If, opTry, opTryTable:
			depth++
		case End, opDelegate:
			depth--
		}
	}
	if d.err == nil && d.at != len(body) {
		d.fail("the function ends, its code does not")
	}
	return d.err
}

// The instructions that control flow is made of, and what stands around them.
const (
	Unreachable  Opcode = 0x00
	Block        Opcode = 0x02
	Loop         Opcode = 0x03
	If           Opcode = 0x04
	Else         Opcode = 0x05
	End          Opcode = 0x0b
	Br           Opcode = 0x0c
	BrIf         Opcode = 0x0d
	BrTable      Opcode = 0x0e
	Return       Opcode = 0x0f
	Call         Opcode = 0x10
	CallIndirect Opcode = 0x11
	LocalGet     Opcode = 0x20
	LocalSet     Opcode = 0x21
	LocalTee     Opcode = 0x22
	I32Const     Opcode = 0x41

	opTry      Opcode = 0x06
	opDelegate Opcode = 0x18
	opTryTable Opcode = 0x1f
)

// A decoder keeps its first error and reads zeros after it.
type decoder struct {
	in    []byte
	at    int
	value func(wasmfile.Type)
	err   error
}

func (d *decoder) instruction() Instruction {
	start := d.at
	first := d.byte()
	op := Opcode(first)
	if first >= prefixMisc && first <= prefixAtomic {
		op = prefixed(first, d.u32())
	}
	if d.err == nil && op.name() == "" {
		d.at = start
		d.fail("%s is unknown", op)
	}
	i := Instruction{Op: op, From: start}
	switch op >> 16 {
	case prefixMisc:
		d.misc(op & 0xffff)
	case prefixVector:
		d.vector(op & 0xffff)
	case prefixAtomic:
		if op&0xffff == 3 { // a fence
			d.byte()
		} else {
			d.place()
		}
	default:
		switch op {
		case Call, 0x12, 0xd2: // call, return_call, ref.func
			i.Callee, i.HasCallee = d.u32(), true
		case Br, BrIf, LocalGet, LocalSet, LocalTee:
			i.Index = d.u32()
		case BrTable:
			d.times(d.u32(), func() { i.Labels = append(i.Labels, d.u32()) })
			i.Labels = append(i.Labels, d.u32())
		case I32Const:
			i.Const = int32(d.signed())
		default:
			d.plain(op)
		}
	}
	i.To = d.at
	return i
}

// plain skips what stands behind an instruction without prefix.
func (d *decoder) plain(op Opcode) {
	switch op {
	case Block, Loop, If, opTry:
		d.blockType()
	case opTryTable:
		d.blockType()
		d.times(d.u32(), func() {
			if d.byte() < 2 { // catch, catch_ref: a tag before the label
				d.u32()
			}
			d.u32()
		})
	case 0x07, 0x08, 0x09, opDelegate, // catch, throw, rethrow
		0x23, 0x24, 0x25, 0x26: // globals, tables
		d.u32()
	case 0x11, 0x13: // call_indirect, return_call_indirect
		d.u32()
		d.u32()
	case 0x1c: // select with types
		d.times(d.u32(), func() { d.value(wasmfile.Type(d.byte())) })
	case 0x3f, 0x40: // memory.size, memory.grow
		d.u32()
	case 0x42: // i64.const
		d.signed()
	case 0x43:
		d.skip(4)
	case 0x44:
		d.skip(8)
	case 0xd0: // ref.null
		d.byte()
	default:
		if op >= 0x28 && op <= 0x3e { // loads and stores
			d.place()
		}
	}
}

// misc skips what stands behind an instruction with prefix 0xfc.
func (d *decoder) misc(n Opcode) {
	switch n {
	case 8, 10, 12, 14: // memory.init, memory.copy, table.init, table.copy
		d.u32()
		d.u32()
	case 9, 11, 13, 15, 16, 17: // data.drop, memory.fill, elem.drop, table.grow, table.size, table.fill
		d.u32()
	}
}

// vector skips what stands behind an instruction with prefix 0xfd.
func (d *decoder) vector(n Opcode) {
	switch {
	case n <= 11, n == 92, n == 93: // loads and stores
		d.place()
	case n == 12, n == 13: // v128.const, i8x16.shuffle
		d.skip(16)
	case n >= 21 && n <= 34: // a lane
		d.byte()
	case n >= 84 && n <= 91: // a lane in memory
		d.place()
		d.byte()
	}
}

// place skips the alignment and the offset of an access to memory.
func (d *decoder) place() {
	if align := d.u32(); align >= 1<<6 { // a memory other than the first
		d.u32()
	}
	d.unsigned(64)
}

// blockType reads the type of a block: none, one value, or the number of a signature.
func (d *decoder) blockType() {
	if d.at >= len(d.in) || d.in[d.at]&0xc0 != 0x40 {
		d.signed()
		return
	}
	if t := d.byte(); t != 0x40 {
		d.value(wasmfile.Type(t))
	}
}

func (d *decoder) times(n uint32, each func()) {
	for ; n > 0 && d.err == nil; n-- {
		each()
	}
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("byte %d of the function: %s", d.at, fmt.Sprintf(format, args...))
	}
}

func (d *decoder) byte() byte {
	if d.err != nil || d.at >= len(d.in) {
		d.fail("unexpected end")
		return 0
	}
	d.at++
	return d.in[d.at-1]
}

func (d *decoder) skip(n int) {
	if n > len(d.in)-d.at {
		d.fail("unexpected end")
		return
	}
	d.at += n
}

func (d *decoder) u32() uint32 { return uint32(d.unsigned(32)) }

// unsigned reads an unsigned LEB128 number of at most so many bits.
func (d *decoder) unsigned(bits int) (v uint64) {
	for shift := 0; shift < bits; shift += 7 {
		b := d.byte()
		v |= uint64(b&0x7f) << shift
		if b&0x80 == 0 {
			return v
		}
	}
	d.fail("number too long")
	return 0
}

// signed reads a signed LEB128 number of at most 64 bits.
func (d *decoder) signed() (v int64) {
	for shift := 0; shift < 70; shift += 7 {
		b := d.byte()
		v |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			if shift < 57 && b&0x40 != 0 {
				v -= 1 << (shift + 7)
			}
			return v
		}
	}
	d.fail("number too long")
	return 0
}
