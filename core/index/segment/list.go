package segment

import "unsafe"

// view returns bytes as a string that shares their memory.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// A List says in which chunks a term stands, and how often. The zero List is that
// of a term that does not occur.
type List struct {
	count  int
	chunks uint32 // of the segment
	skips  []byte // nil: one block
	blocks []byte
}

func newList(b []byte, chunks uint32) (List, bool) {
	d := decoder{b: b}
	count := d.varint()
	if d.bad || count == 0 || count > uint64(chunks) {
		return List{}, false
	}
	l := List{count: int(count), chunks: chunks, blocks: d.b}
	if count > BlockSize {
		size := l.Blocks() * skipSize
		if size > len(d.b) {
			return List{}, false
		}
		l.skips, l.blocks = d.b[:size], d.b[size:]
	}
	return l, true
}

// Len returns in how many chunks the term stands, removed ones among them.
func (l *List) Len() int { return l.count }

// Blocks returns how many blocks there are.
func (l *List) Blocks() int { return (l.count + BlockSize - 1) / BlockSize }

// Last returns the last chunk of a block, for a list of several.
func (l *List) Last(block int) uint32 {
	if l.skips == nil {
		return l.chunks
	}
	return u32(l.skips, block*skipSize)
}

// Max returns the greatest counts and the least length of a block, for a list of
// several blocks; ok is false where the block itself has to be read.
func (l *List) Max(block int) (body, title, heading, length uint32, ok bool) {
	if l.skips == nil {
		return 0, 0, 0, 0, false
	}
	s := l.skips[block*skipSize : (block+1)*skipSize]
	return uint32(s[8]), uint32(s[9] >> 4), uint32(s[9] & 15), uint32(s[10]) | uint32(s[11])<<8, true
}

// A Block is a decoded block: its chunks, ascending, and the counts in body,
// title and headings.
type Block struct {
	Len    int
	Chunks [BlockSize]uint32
	Body   [BlockSize]uint8
	Others [BlockSize]uint8 // title in the high half, headings in the low half
	Once   bool             // every body has it once
	Plain  bool             // no title or heading has it
	places []byte
}

// Read decodes a block. It reports false where the segment is damaged.
func (l *List) Read(block int, to *Block) bool {
	n := min(BlockSize, l.count-block*BlockSize)
	b, last := l.blocks, int64(-1)
	if l.skips != nil {
		from, end := uint32(0), u32(l.skips, block*skipSize+4)
		if block > 0 {
			last, from = int64(u32(l.skips, (block-1)*skipSize)), u32(l.skips, (block-1)*skipSize+4)
		}
		if from > end || uint64(end) > uint64(len(b)) {
			return false
		}
		b = b[from:end]
	}
	if len(b) == 0 {
		return false
	}
	kind, b := b[0], b[1:]
	to.Len = n
	if b = to.readGaps(b, kind, l.chunks, uint32(last+1)); b == nil {
		return false
	}
	to.Once, to.Plain = kind&onceBit != 0, kind&othersBit == 0
	if b = to.readBodies(b); b == nil {
		return false
	}
	if !to.Plain {
		if b = to.readOthers(b); b == nil {
			return false
		}
	}
	to.places = b
	return true
}

// readGaps turns gaps into chunks below most, the first one counted from next, and
// returns what follows them, nil where they are not what was encoded.
func (b *Block) readGaps(in []byte, kind byte, most, next uint32) []byte {
	width := int(kind & gapBits)
	size := (b.Len*width + 7) / 8
	if len(in) < size {
		return nil
	}
	packed, rest := in[:size], in[size:]
	var kept uint64
	have := 0
	chunks := b.Chunks[:b.Len]
	for i := range chunks {
		for ; have < width; have += 8 {
			kept |= uint64(packed[0]) << have
			packed = packed[1:]
		}
		chunks[i] = uint32(kept & (1<<width - 1))
		kept >>= width
		have -= width
	}
	if kind&exceptionsBit != 0 {
		if rest = b.readExceptions(rest, width); rest == nil {
			return nil
		}
	}
	for i, gap := range chunks {
		if gap >= most-min(next, most) {
			return nil
		}
		next += gap
		chunks[i] = next
		next++
	}
	return rest
}

// readExceptions adds what some gaps have beyond their width.
func (b *Block) readExceptions(in []byte, width int) []byte {
	if len(in) == 0 {
		return nil
	}
	count := int(in[0]) + 1
	d := decoder{b: in[1:]}
	for range count {
		if len(d.b) == 0 || int(d.b[0]) >= b.Len {
			return nil
		}
		i := d.b[0]
		d.b = d.b[1:]
		more := d.varint()
		if d.bad || more > 1<<32>>width {
			return nil
		}
		b.Chunks[i] |= uint32(more << width)
	}
	return d.b
}

// readBodies reads the counts in bodies and returns what follows, nil where they
// are cut off.
func (b *Block) readBodies(in []byte) []byte {
	if b.Once {
		for i := range b.Len {
			b.Body[i] = 1
		}
		return in
	}
	size := (b.Len + 3) / 4
	if len(in) < size {
		return nil
	}
	packed, more := in[:size], in[size:]
	for i := range b.Len {
		n := packed[i>>2] >> (i & 3 * 2) & 3
		if n == many {
			if len(more) == 0 {
				return nil
			}
			n, more = more[0], more[1:]
		}
		b.Body[i] = n
	}
	return more
}

// readOthers reads the counts in titles and headings and returns what follows,
// nil where they are cut off.
func (b *Block) readOthers(in []byte) []byte {
	size := (b.Len + 7) / 8
	if len(in) < size {
		return nil
	}
	packed, more := in[:size], in[size:]
	for i := range b.Len {
		b.Others[i] = 0
		if packed[i>>3]>>(i&7)&1 == 1 {
			if len(more) == 0 {
				return nil
			}
			b.Others[i], more = more[0], more[1:]
		}
	}
	return more
}

// Counts returns how often the term stands in the fields of the i-th chunk, as
// far as blocks tell.
func (b *Block) Counts(i int) (body, title, heading uint32) {
	body = uint32(b.Body[i])
	if !b.Plain {
		title, heading = uint32(b.Others[i]>>4), uint32(b.Others[i]&15)
	}
	return body, title, heading
}

// Places yields the places of the term in the chunks of a block that was read
// from the list of a term: i counts chunks. The slice is valid until yield
// returns. It reports false where the segment is damaged.
func (b *Block) Places(yield func(i int, f Field, places []uint32)) bool {
	d := decoder{b: b.places}
	var places []uint32
	for i := range b.Len {
		body, title, heading := b.Counts(i)
		for f, n := range [3]uint32{title, heading, body} {
			if n == maxCount(Field(f)) {
				n = uint32(min(d.varint(), 1<<fieldShift))
			}
			if n == 0 {
				continue
			}
			places = places[:0]
			last := uint32(0)
			for ; n > 0 && !d.bad; n-- {
				last += uint32(d.varint())
				places = append(places, last)
			}
			yield(i, Field(f), places)
		}
	}
	return !d.bad
}
