package jumps

import (
	"encoding/binary"
	"slices"

	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmcode"
)

// empty is the type of a block without a value.
const empty = 0x40

// A writer writes the function anew. Labels are the frames that are open, outermost
// first.
type writer struct {
	*function
	out    []byte
	labels []label
}

// A label is a frame: to leave it, or for a loop to go back to its start, leads to
// the beginning of a segment, or, for frames that are not ours, elsewhere.
type label int

const elsewhere label = -1

func (f *function) write() []byte {
	w := &writer{function: f, labels: slices.Repeat([]label{elsewhere}, f.outer)}
	w.out = append(w.out, f.body[:f.code[f.first].From]...)
	if len(f.loops) == 0 {
		w.region(0, len(f.order)-1, -1)
	} else {
		w.open(wasmcode.Block, elsewhere) // behind it, the function traps
		w.region(0, len(f.order)-1, -1)
		w.end()
	}
	return append(w.out, f.body[f.code[f.close].From:]...)
}

// region writes the segments at some places of the order, and the loops among them
// that lie in the loop around; around is -1 for the whole function, which begins
// with the dispatch.
func (w *writer) region(from, to, around int) {
	parts := w.parts(from, to, around)
	for _, p := range slices.Backward(parts[1:]) {
		w.open(wasmcode.Block, label(w.order[p.from]))
	}
	if around < 0 {
		w.open(wasmcode.Block, label(w.order[from]))
		w.dispatch(parts)
		w.end()
	}
	for i, p := range parts {
		if i > 0 {
			w.end()
		}
		if p.loop < 0 {
			w.segment(w.order[p.from])
			continue
		}
		w.open(wasmcode.Loop, label(w.order[p.from]))
		w.region(p.from, p.to, p.loop)
		w.end()
	}
}

// A part is a segment, or the segments of a loop.
type part struct{ from, to, loop int }

// parts returns what lies at some places of the order: loops are listed outer first.
func (w *writer) parts(from, to, around int) (list []part) {
	for at := from; at <= to; at++ {
		p := part{at, at, -1}
		for i := around + 1; i < len(w.loops); i++ {
			if l := &w.loops[i]; l.from == at && l.to <= to {
				p = part{at, l.to, i}
				break
			}
		}
		list = append(list, p)
		at = p.to
	}
	return list
}

// dispatch writes the dispatch: to the head of each part. Inside of a loop it leads
// nowhere.
func (w *writer) dispatch(parts []part) {
	w.out = append(w.out, byte(wasmcode.LocalGet))
	w.number(int(w.pc))
	w.out = append(w.out, byte(wasmcode.BrTable))
	w.number(len(w.table) - 1)
	for _, s := range w.table {
		i := slices.IndexFunc(parts, func(p part) bool { return w.order[p.from] == int(s) })
		if i < 0 {
			i = len(parts) // the frame in which the function traps
		}
		w.number(i)
	}
}

// segment writes a segment, with the way to the next if that stands elsewhere now.
func (w *writer) segment(s int) {
	seg, around := w.segments[s], len(w.segments)-1-s
	outside := len(w.labels)
	from := w.code[seg.from].From
	for i := seg.from; i < seg.to; i++ {
		switch in := w.code[i]; in.Op {
		case wasmcode.Block, wasmcode.Loop, wasmcode.If:
			w.labels = append(w.labels, elsewhere)
		case wasmcode.End:
			w.labels = w.labels[:len(w.labels)-1]
		case wasmcode.Br, wasmcode.BrIf:
			depth := len(w.labels) - outside
			up := int(in.Index) - depth - around // from the entry outwards
			if up < 0 {
				continue // inside of the segment
			}
			until, to := in.From, w.outer-1-up
			if up == 0 {
				target, _ := w.jump(i)
				if at := w.find(target); at >= 0 {
					until, to = w.code[i-2].From, at // pc need not be written
				}
			}
			w.out = append(w.out, w.body[from:until]...)
			w.branch(in.Op, to)
			from = in.To
		}
	}
	w.out = append(w.out, w.body[from:w.code[seg.to].From]...)
	if next := w.place[s] + 1; s+1 < len(w.segments) && w.fallsThrough(s) && (next == len(w.order) || w.order[next] != s+1) {
		w.branch(wasmcode.Br, w.find(s+1))
	}
}

// find returns the innermost frame that leads to a segment, -1 where none does.
func (w *writer) find(s int) int {
	for i, l := range slices.Backward(w.labels) {
		if l == label(s) {
			return i
		}
	}
	return -1
}

// open opens a frame that leads to a segment.
func (w *writer) open(op wasmcode.Opcode, to label) {
	w.out = append(w.out, byte(op), empty)
	w.labels = append(w.labels, to)
}

func (w *writer) end() {
	w.out = append(w.out, byte(wasmcode.End))
	w.labels = w.labels[:len(w.labels)-1]
}

// branch writes a branch to a frame.
func (w *writer) branch(op wasmcode.Opcode, to int) {
	w.out = append(w.out, byte(op))
	w.number(len(w.labels) - 1 - to)
}

func (w *writer) number(n int) { w.out = binary.AppendUvarint(w.out, uint64(n)) }
