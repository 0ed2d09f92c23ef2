// Package wasmfile reads the sections of a WebAssembly module that say what the
// module asks of a host and offers to it: types, imports, exports and memories,
// and the bodies and names of its functions for tests that look inside.
//
// [Parse] accepts the binary format of WebAssembly 2.0 with one memory that is
// not shared and not 64 bits wide, and nothing that is cut short or has trailing
// bytes. It does not validate code: engines do that before they run it. Sizes
// inside the file are checked against the bytes that are there before anything
// is allocated for them.
//
// [WithMemory] and [WithBodies] write a file back with other memory limits or other
// code, and every other byte as it was: see TestWithMemoryChangesNothingElse.
package wasmfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// PageSize is the unit of memory limits in bytes.
const PageSize = 65536

// A Kind says what an import or an export is.
type Kind byte

const (
	Func Kind = iota
	Table
	Memory
	Global
	Tag
)

// String returns the word of the text format.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", byte(k))
}

var kindNames = [...]string{"func", "table", "memory", "global", "tag"}

// A Type is the type of a value, by its code in the binary format.
type Type byte

const (
	I32     Type = 0x7f
	I64     Type = 0x7e
	F32     Type = 0x7d
	F64     Type = 0x7c
	V128    Type = 0x7b
	FuncRef Type = 0x70
	Extern  Type = 0x6f
)

// String returns the word of the text format.
func (t Type) String() string {
	switch t {
	case I32:
		return "i32"
	case I64:
		return "i64"
	case F32:
		return "f32"
	case F64:
		return "f64"
	case V128:
		return "v128"
	case FuncRef:
		return "funcref"
	case Extern:
		return "externref"
	}
	return fmt.Sprintf("type(%#x)", byte(t))
}

// A Signature is the type of a function.
type Signature struct{ Params, Results []Type }

// String returns a spelling such as "(i32 i64) -> (i32)".
func (s Signature) String() string {
	return "(" + join(s.Params) + ") -> (" + join(s.Results) + ")"
}

// Equal reports whether two functions have the same type.
func (s Signature) Equal(t Signature) bool {
	return slices.Equal(s.Params, t.Params) && slices.Equal(s.Results, t.Results)
}

func join(types []Type) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = t.String()
	}
	return strings.Join(words, " ")
}

// An Import is something the module asks of its host.
// Signature is set for functions only.
type Import struct {
	Module, Name string
	Kind         Kind
	Signature    Signature
}

// An Export is something the module offers. Signature is set for functions only.
type Export struct {
	Name      string
	Kind      Kind
	Index     uint32
	Signature Signature
}

// Limits bound a memory, in pages. Max counts only if Bounded.
type Limits struct {
	Min, Max uint32
	Bounded  bool
}

// A Section is a part of the file. Custom sections have ID 0 and a name.
// From and To are the place of its content, without its head, in the file.
type Section struct {
	ID       byte
	Name     string
	From, To int
}

// A File is what [Parse] found. Bodies holds the code of each function that the
// module defines, locals included; Starts says that it has a start function, which
// would run while it is instantiated; Names the names of all functions by index,
// imported ones first, as far as the module has a name section.
type File struct {
	Sections []Section
	Imports  []Import
	Exports  []Export
	Memory   Limits
	Starts   bool
	Bodies   [][]byte
	Names    map[uint32]string

	signatures []Signature // of the type section
	functions  []uint32    // type of each function, imported ones first
}

// Section numbers of the binary format.
const (
	custom = iota
	typeSection
	importSection
	functionSection
	tableSection
	memorySection
	globalSection
	exportSection
	startSection
	elementSection
	codeSection
	dataSection
	dataCountSection
	tagSection
)

// order holds the section numbers in the order in which they must stand.
var order = []byte{typeSection, importSection, functionSection, tableSection, memorySection, tagSection,
	globalSection, exportSection, startSection, elementSection, dataCountSection, codeSection, dataSection}

var header = []byte("\x00asm\x01\x00\x00\x00")

// Parse reads a module. The result refers to wasm.
func Parse(wasm []byte) (*File, error) {
	if !bytes.HasPrefix(wasm, header) {
		return nil, errors.New("not a WebAssembly module of version 1")
	}
	f := &File{}
	r := &reader{in: wasm, at: len(header)}
	last := -1
	for !r.done() {
		id := r.byte()
		size := int(r.u32())
		if r.err == nil && (size < 0 || size > len(wasm)-r.at) {
			r.fail("section %d is cut short", id)
		}
		if r.err != nil {
			return nil, r.err
		}
		body := &reader{in: wasm[:r.at+size], at: r.at}
		s := Section{ID: id, From: r.at, To: r.at + size}
		r.at += size
		if id != custom {
			place := slices.Index(order, id)
			if place <= last {
				return nil, fmt.Errorf("byte %d: section %d is unknown, repeated or out of order", s.From, id)
			}
			last = place
		}
		if err := f.section(&s, body); err != nil {
			return nil, err
		}
		f.Sections = append(f.Sections, s)
	}
	return f, f.resolve()
}

func (f *File) section(s *Section, r *reader) error {
	switch s.ID {
	case custom:
		s.Name = r.name()
		if s.Name == "name" {
			f.names(r)
		}
		r.at = len(r.in)
	case typeSection:
		r.vector(func() { f.signatures = append(f.signatures, r.signature()) })
	case importSection:
		r.vector(func() { f.Imports = append(f.Imports, f.readImport(r)) })
	case functionSection:
		r.vector(func() { f.functions = append(f.functions, r.u32()) })
	case memorySection:
		if n := r.u32(); n != 1 {
			r.fail("%d memories instead of one", n)
		}
		f.Memory = r.limits()
	case startSection:
		f.Starts, _ = true, r.u32()
	case exportSection:
		r.vector(func() {
			f.Exports = append(f.Exports, Export{Name: r.name(), Kind: Kind(r.byte()), Index: r.u32()})
		})
	case codeSection:
		r.vector(func() { f.Bodies = append(f.Bodies, r.bytes(int(r.u32()))) })
	default:
		r.at = len(r.in)
	}
	if r.err == nil && !r.done() {
		r.fail("section %d has trailing bytes", s.ID)
	}
	return r.err
}

func (f *File) readImport(r *reader) Import {
	im := Import{Module: r.name(), Name: r.name(), Kind: Kind(r.byte())}
	switch im.Kind {
	case Func:
		t := r.u32()
		f.functions = append(f.functions, t)
		if r.err == nil && int(t) >= len(f.signatures) {
			r.fail("import %s.%s has type %d of %d", im.Module, im.Name, t, len(f.signatures))
		}
		if r.err == nil {
			im.Signature = f.signatures[t]
		}
	case Table:
		r.byte()
		r.limits()
	case Memory:
		r.limits()
	case Global:
		r.byte()
		r.byte()
	default:
		r.fail("import %s.%s is of an unknown kind", im.Module, im.Name)
	}
	return im
}

// resolve gives the exported functions their types.
func (f *File) resolve() error {
	for i := range f.Exports {
		e := &f.Exports[i]
		if e.Kind != Func {
			continue
		}
		if int(e.Index) >= len(f.functions) || int(f.functions[e.Index]) >= len(f.signatures) {
			return fmt.Errorf("export %s has no such function", e.Name)
		}
		e.Signature = f.signatures[f.functions[e.Index]]
	}
	return nil
}

// names reads the function names of a name section. A name section that is
// malformed gives no names: the format says that it must not matter.
func (f *File) names(r *reader) {
	for r.err == nil && !r.done() {
		id := r.byte()
		sub := &reader{in: r.bytes(int(r.u32()))}
		if id != 1 || r.err != nil {
			continue
		}
		names := map[uint32]string{}
		sub.vector(func() { i := sub.u32(); names[i] = sub.name() })
		if sub.err == nil {
			f.Names = names
		}
	}
	r.err = nil
}

// WithMemory returns a copy of the module with other limits for its memory.
func WithMemory(wasm []byte, limits Limits) ([]byte, error) {
	f, err := Parse(wasm)
	if err != nil {
		return nil, err
	}
	content := []byte{1, 0}
	if limits.Bounded {
		content[1] = 1
	}
	content = binary.AppendUvarint(content, uint64(limits.Min))
	if limits.Bounded {
		content = binary.AppendUvarint(content, uint64(limits.Max))
	}
	return f.with(wasm, memorySection, content)
}

// WithBodies returns a copy of the module with other code for its functions, one
// body for each that there is.
func WithBodies(wasm []byte, bodies [][]byte) ([]byte, error) {
	f, err := Parse(wasm)
	if err != nil {
		return nil, err
	}
	if len(bodies) != len(f.Bodies) {
		return nil, fmt.Errorf("%d bodies for %d functions", len(bodies), len(f.Bodies))
	}
	content := binary.AppendUvarint(nil, uint64(len(bodies)))
	for _, b := range bodies {
		content = append(binary.AppendUvarint(content, uint64(len(b))), b...)
	}
	return f.with(wasm, codeSection, content)
}

// with returns a copy of the module with another content of a section that it has.
func (f *File) with(wasm []byte, id byte, content []byte) ([]byte, error) {
	i := slices.IndexFunc(f.Sections, func(s Section) bool { return s.ID == id })
	if i < 0 {
		return nil, fmt.Errorf("the module has no section %d", id)
	}
	head := len(header)
	if i > 0 {
		head = f.Sections[i-1].To
	}
	out := slices.Clone(wasm[:head])
	out = append(out, id)
	out = binary.AppendUvarint(out, uint64(len(content)))
	out = append(out, content...)
	return append(out, wasm[f.Sections[i].To:]...), nil
}

// A reader walks over bytes and keeps the first error; after one, it reads zeros.
type reader struct {
	in  []byte
	at  int
	err error
}

func (r *reader) done() bool { return r.at >= len(r.in) }

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("byte %d: %s", r.at, fmt.Sprintf(format, args...))
	}
}

func (r *reader) byte() byte {
	if r.err != nil || r.done() {
		r.fail("unexpected end")
		return 0
	}
	r.at++
	return r.in[r.at-1]
}

func (r *reader) bytes(n int) []byte {
	if r.err != nil || n < 0 || n > len(r.in)-r.at {
		r.fail("unexpected end")
		return nil
	}
	r.at += n
	return r.in[r.at-n : r.at : r.at]
}

// u32 reads an unsigned LEB128 number, which linkers may have padded to five bytes.
func (r *reader) u32() uint32 {
	var v uint64
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		v |= uint64(b&0x7f) << shift
		if b&0x80 == 0 {
			if v > 1<<32-1 {
				r.fail("number too large")
			}
			return uint32(v)
		}
	}
	r.fail("number too long")
	return 0
}

func (r *reader) name() string {
	b := r.bytes(int(r.u32()))
	if !utf8.Valid(b) {
		r.fail("name is not UTF-8")
	}
	return string(b)
}

// vector calls each once per element; each reads at least one byte.
func (r *reader) vector(each func()) {
	for n := r.u32(); n > 0 && r.err == nil; n-- {
		each()
	}
}

func (r *reader) types() (out []Type) {
	r.vector(func() { out = append(out, Type(r.byte())) })
	return out
}

func (r *reader) signature() Signature {
	if form := r.byte(); form != 0x60 {
		r.fail("type of form %#x instead of a function", form)
	}
	return Signature{r.types(), r.types()}
}

func (r *reader) limits() Limits {
	flag := r.byte()
	if flag > 1 {
		r.fail("shared or 64-bit memory")
	}
	l := Limits{Min: r.u32(), Bounded: flag == 1}
	if l.Bounded {
		l.Max = r.u32()
	}
	return l
}
