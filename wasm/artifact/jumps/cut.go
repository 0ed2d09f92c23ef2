package jumps

import (
	"slices"

	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmcode"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

// A function is the code of one in the shape that the package comment draws.
type function struct {
	body     []byte
	code     []wasmcode.Instruction
	outer    int      // how many frames are around the blocks: the entry is the last
	first    int      // the instruction that opens the first block
	pc       uint32   // the local that holds where a jump leads
	table    []uint32 // value of pc → segment; greater values lead to the last of it
	segments []segment
	close    int // the instruction that ends the entry

	loops []loop
	order []int // the segments as they are written
	place []int // segment → where it is in order
}

// A segment is what stands between the ends of two blocks.
type segment struct {
	from, to int   // instructions
	jumps    []int // segments that it jumps to
	calls    bool  // and may be left in the middle, to go on with the next
}

// cut cuts a body into its segments. It returns nil for one of another shape.
func cut(body []byte) (*function, error) {
	f := &function{body: body}
	if err := wasmcode.Decode(body, func(wasmfile.Type) {}, func(i wasmcode.Instruction) { f.code = append(f.code, i) }); err != nil {
		return nil, err
	}
	dispatch := slices.IndexFunc(f.code, func(i wasmcode.Instruction) bool { return i.Op == wasmcode.BrTable })
	if dispatch < 0 || !f.head(dispatch) || !f.split(dispatch) || !f.onlyDispatchReads(dispatch) {
		return nil, nil
	}
	for s := range f.segments {
		if !f.follow(s) {
			return nil, nil
		}
	}
	return f, nil
}

// head reads what stands before the dispatch: the entry, and right behind it only
// blocks without a value.
func (f *function) head(dispatch int) bool {
	i := dispatch - 1
	if i < 0 || f.code[i].Op != wasmcode.LocalGet {
		return false
	}
	f.pc, f.table = f.code[i].Index, f.code[dispatch].Labels
	for i--; i >= 0 && f.code[i].Op == wasmcode.Block; i-- {
		if !f.isEmpty(i) {
			return false
		}
	}
	if i < 0 || f.code[i].Op != wasmcode.Loop || !f.isEmpty(i) {
		return false
	}
	f.first = i + 1
	f.outer = 2 // of the function and the entry
	for _, in := range f.code[:i] {
		switch in.Op {
		case wasmcode.Block, wasmcode.Loop, wasmcode.If:
			f.outer++
		case wasmcode.End:
			f.outer--
		}
	}
	blocks := dispatch - 1 - f.first
	return blocks > 0 && int(slices.Max(f.table)) < blocks
}

// isEmpty reports whether a block, loop or if has no value.
func (f *function) isEmpty(i int) bool { return f.body[f.code[i].From+1] == 0x40 }

// split finds the segments behind the dispatch.
func (f *function) split(dispatch int) bool {
	blocks := dispatch - 1 - f.first
	if f.code[dispatch+1].Op != wasmcode.End {
		return false
	}
	s, depth := segment{from: dispatch + 2}, 0
	for i := s.from; i < len(f.code); i++ {
		switch f.code[i].Op {
		case wasmcode.Block, wasmcode.Loop, wasmcode.If:
			depth++
		case wasmcode.Call, wasmcode.CallIndirect:
			s.calls = s.calls || depth == 0
		case wasmcode.End:
			if depth--; depth >= 0 {
				continue
			}
			s.to, depth = i, 0
			f.segments = append(f.segments, s)
			if len(f.segments) == blocks {
				f.close = i
				return true
			}
			s = segment{from: i + 1}
		}
	}
	return false
}

// onlyDispatchReads reports whether pc is read nowhere else, but where it was
// written two instructions before: the compiler keeps a value there for as long.
func (f *function) onlyDispatchReads(dispatch int) bool {
	for i, in := range f.code {
		switch {
		case in.Op == wasmcode.LocalTee && in.Index == f.pc:
			return false
		case in.Op != wasmcode.LocalGet || in.Index != f.pc || i == dispatch-1:
		case i < 2 || f.code[i-1].Op != wasmcode.I32Const || f.code[i-2].Op != wasmcode.LocalSet || f.code[i-2].Index != f.pc:
			return false
		}
	}
	return true
}

// follow notes where a segment jumps to. It reports false for a way to the entry
// that does not say where it leads, and for one into a block of the dispatch.
func (f *function) follow(s int) bool {
	depth, around := 0, len(f.segments)-1-s // frames of the segment; blocks around it
	for i := f.segments[s].from; i < f.segments[s].to; i++ {
		switch in := f.code[i]; in.Op {
		case wasmcode.Block, wasmcode.Loop, wasmcode.If:
			depth++
		case wasmcode.End:
			depth--
		case wasmcode.BrTable:
			return false
		case wasmcode.Br, wasmcode.BrIf:
			up := int(in.Index) - depth
			if up >= 0 && up < around {
				return false
			}
			if up != around {
				continue
			}
			to, ok := f.jump(i)
			if !ok {
				return false
			}
			f.segments[s].jumps = append(f.segments[s].jumps, to)
		}
	}
	return true
}

// jump returns the segment that a way to the entry leads to: the two instructions
// before it write a number into pc.
func (f *function) jump(i int) (to int, ok bool) {
	if f.code[i].Op != wasmcode.Br || f.code[i-1].Op != wasmcode.LocalSet || f.code[i-1].Index != f.pc || f.code[i-2].Op != wasmcode.I32Const {
		return 0, false
	}
	value := min(uint32(f.code[i-2].Const), uint32(len(f.table)-1))
	return int(f.table[value]), true
}

// fallsThrough reports whether the end of a segment leads to the next.
func (f *function) fallsThrough(s int) bool {
	if f.segments[s].from == f.segments[s].to {
		return true
	}
	switch f.code[f.segments[s].to-1].Op {
	case wasmcode.Br, wasmcode.Return, wasmcode.Unreachable:
		return false
	}
	return true
}
