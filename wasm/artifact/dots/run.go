package dots

import "github.com/rookhaven-project/rookhaven/wasm/artifact/wasmcode"

const (
	nop        wasmcode.Opcode = 0x01
	drop       wasmcode.Opcode = 0x1a
	i64Const   wasmcode.Opcode = 0x42
	i32WrapI64 wasmcode.Opcode = 0xa7
	shl                        = vector | 171 // of i32x4, as all below
	shr                        = vector | 172 // keeps the sign
	add                        = vector | 174
	mul                        = vector | 181
	dot                        = vector | 186

	vector wasmcode.Opcode = 0xfd << 16
)

// A value is what an instruction leaves on the stack, a number for each that may
// differ from the others. Of unknown nothing is known, not even that it is itself.
type value int

const unknown value = 0

// An origin is the operation that makes a value of others.
type origin struct {
	op   wasmcode.Opcode
	a, b value
}

// sixteen makes the number 16, of 32 bits or 64.
var sixteen = origin{op: wasmcode.I32Const}

// A run follows the values of a function from one instruction to the next.
type run struct {
	body    []byte
	at      int      // the instruction
	origins []origin // by value; zero where it is not of interest
	made    []int    // by value: the instruction that makes it
	values  map[origin]value
	stack   []value // its upper part, as far as it is known
	locals  map[uint32]value
	found   map[int]pair // by the instruction that adds
}

// A pair is two vectors whose products are added.
type pair struct{ x, y value }

func newRun(body []byte) *run {
	r := &run{body: body, origins: make([]origin, 1), made: make([]int, 1), found: map[int]pair{}}
	r.forget()
	return r
}

func (r *run) forget() {
	r.stack, r.values, r.locals = nil, map[origin]value{}, map[uint32]value{}
}

// step does to the values what the next instruction does.
func (r *run) step(at int, i wasmcode.Instruction) {
	r.at = at
	switch op := i.Op; {
	case op == nop:
	case op == drop:
		r.pop()
	case op == wasmcode.LocalGet:
		if r.locals[i.Index] == unknown {
			r.locals[i.Index] = r.another()
		}
		r.push(r.locals[i.Index])
	case op == wasmcode.LocalSet:
		r.locals[i.Index] = r.pop()
	case op == wasmcode.LocalTee:
		v := r.pop()
		if v == unknown {
			v = r.another()
		}
		r.locals[i.Index] = v
		r.push(v)
	case op == wasmcode.I32Const && i.Const == 16, op == i64Const && string(r.body[i.From+1:i.To]) == "\x10":
		r.push(r.of(sixteen))
	case op == wasmcode.I32Const, op == i64Const:
		r.push(r.another())
	case op == i32WrapI64:
		if v := r.pop(); r.origins[v] == sixteen {
			r.push(v)
		} else {
			r.push(r.another())
		}
	case op == shl, op == shr, op == mul, op == add:
		b, a := r.pop(), r.pop()
		v := r.another()
		if a != unknown && b != unknown {
			v = r.of(origin{op, a, b})
		}
		if op == add {
			r.find(a, b)
		}
		r.push(v)
	case isControl(op):
		r.forget()
	default:
		r.stack = nil
	}
}

// isControl reports whether what comes next may be reached in other ways, or not at
// all: blocks and their ends, branches, calls.
func isControl(op wasmcode.Opcode) bool { return op < drop || op == 0x1f }

func (r *run) push(v value) { r.stack = append(r.stack, v) }

func (r *run) pop() value {
	last := len(r.stack) - 1
	if last < 0 {
		return unknown
	}
	v := r.stack[last]
	r.stack = r.stack[:last]
	return v
}

// another returns a value that is made by the instruction and may differ from all
// others.
func (r *run) another() value { return r.note(origin{}) }

// of returns the value of an operation, the one that is there if it was made before.
func (r *run) of(o origin) value {
	v, ok := r.values[o]
	if !ok {
		v = r.note(o)
		r.values[o] = v
	}
	return v
}

func (r *run) note(o origin) value {
	r.origins, r.made = append(r.origins, o), append(r.made, r.at)
	return value(len(r.origins) - 1)
}

// find notes the instruction if it adds products of the low and high halves of the
// same two vectors.
func (r *run) find(a, b value) {
	if p, ok := r.products(a, b); ok {
		r.found[r.at] = p
	} else if p, ok := r.products(b, a); ok {
		r.found[r.at] = p
	}
}

func (r *run) products(low, high value) (p pair, ok bool) {
	l, h := r.origins[low], r.origins[high]
	if l.op != mul || h.op != mul {
		return p, false
	}
	p = pair{r.lowOf(l.a), r.lowOf(l.b)}
	x, y := r.highOf(h.a), r.highOf(h.b)
	return p, p.x != unknown && p.y != unknown && (p == pair{x, y} || p == pair{y, x})
}

// lowOf returns the vector of whose lanes a value holds the low halves.
func (r *run) lowOf(v value) value { return r.shifted(shl, r.shifted(shr, v)) }

// highOf returns that of whose lanes it holds the high halves.
func (r *run) highOf(v value) value { return r.shifted(shr, v) }

// shifted returns what an operation shifts by 16 to make a value.
func (r *run) shifted(op wasmcode.Opcode, v value) value {
	if o := r.origins[v]; o.op == op && r.origins[o.b] == sixteen {
		return o.a
	}
	return unknown
}
