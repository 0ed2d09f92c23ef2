package segment

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/core/internal/terms"
	"github.com/rookhaven-project/rookhaven/wasm/abi/checksum"
)

// Stem returns the stem of a term, false for a term that has none: numbers,
// identifiers, scripts without.
type Stem func(term string) (string, bool)

// Encode returns the segment. The Builder is used up.
func (b *Builder) Encode(stem Stem) ([]byte, error) {
	e := encoder{Builder: b}
	e.sortTerms()
	if err := e.gather(); err != nil {
		return nil, err
	}
	if err := e.encodeTerms(); err != nil {
		return nil, err
	}
	if err := e.encodeStems(stem); err != nil {
		return nil, err
	}
	return e.assemble(), nil
}

// An encoder turns the occurrences from the order of the text into that of the
// terms.
type encoder struct {
	*Builder
	names  []string
	sorted []uint32 // the numbers of the terms, by their bytes
	begin  []uint32 // term → its first occurrence in by; one more at the end
	chunk  []uint32 // occurrence by term → its chunk
	placed []uint32 // occurrence by term → field and position
	posts  []posting

	dict, stems dictionary
	lists       []byte
}

// A posting says how often a term stands in the fields of a chunk, and which of
// the occurrences by term these are.
type posting struct {
	chunk    uint32
	counts   [3]uint32
	from, to uint32
}

func (e *encoder) sortTerms() {
	e.names = e.terms.Names()
	e.sorted = make([]uint32, len(e.names))
	for i := range e.sorted {
		e.sorted[i] = uint32(i)
	}
	slices.SortFunc(e.sorted, func(a, b uint32) int { return strings.Compare(e.names[a], e.names[b]) })
}

// gather brings the occurrences into the order of the terms; those of one term
// stay in the order of the text.
func (e *encoder) gather() error {
	e.begin = make([]uint32, len(e.names)+1)
	for _, n := range e.term {
		e.begin[n+1]++
	}
	for n := range e.names {
		e.begin[n+1] += e.begin[n]
	}
	next := slices.Clone(e.begin)
	e.chunk, e.placed = make([]uint32, len(e.term)), make([]uint32, len(e.term))
	for c, from := range e.first {
		to := uint32(len(e.term))
		if c+1 < len(e.first) {
			to = e.first[c+1]
		}
		places := e.place[from:to]
		for i, n := range e.term[from:to] {
			at := next[n]
			next[n] = at + 1
			e.chunk[at], e.placed[at] = uint32(c), places[i]
		}
		if err := e.meter.Add(2*int(to-from) + 8); err != nil {
			return err
		}
	}
	e.term, e.place = nil, nil
	return nil
}

// list appends the postings of a term to dst.
func (e *encoder) list(dst []posting, n uint32) []posting {
	from, end := e.begin[n], e.begin[n+1]
	for from < end {
		p := posting{chunk: e.chunk[from], from: from}
		for from < end && e.chunk[from] == p.chunk {
			p.counts[e.placed[from]>>fieldShift]++
			from++
		}
		p.to = from
		dst = append(dst, p)
	}
	return dst
}

func (e *encoder) encodeTerms() error {
	e.lists = make([]byte, 0, 2*len(e.chunk))
	for _, n := range e.sorted {
		e.posts = e.list(e.posts[:0], n)
		at := len(e.lists)
		e.appendList(e.posts, !e.stops[n])
		e.dict.add(e.names[n], at, len(e.lists)-at)
		if err := e.meter.Add(4*len(e.posts) + 16); err != nil {
			return err
		}
	}
	return nil
}

// encodeStems adds for each stem that several terms have, or one term that is
// spelt otherwise, which terms these are.
func (e *encoder) encodeStems(stem Stem) error {
	table := terms.New(uint64(len(e.names)))
	of := make([][]uint32, 0, len(e.names)/2) // stem → its terms, by their places
	for place, n := range e.sorted {
		s, ok := stem(e.names[n])
		if !ok {
			continue
		}
		at, fresh := table.Add(s)
		if fresh {
			of = append(of, nil)
		}
		of[at] = append(of[at], uint32(place))
		if err := e.meter.Add(32); err != nil {
			return err
		}
	}
	names := table.Names()
	sorted := make([]uint32, len(names))
	for i := range sorted {
		sorted[i] = uint32(i)
	}
	slices.SortFunc(sorted, func(a, b uint32) int { return strings.Compare(names[a], names[b]) })
	for _, s := range sorted {
		if len(of[s]) == 1 && e.names[e.sorted[of[s][0]]] == names[s] {
			continue
		}
		at, last := len(e.lists), uint32(0)
		for _, place := range of[s] {
			e.lists = appendVarint(e.lists, uint64(place-last))
			last = place
		}
		e.stems.add(names[s], at, len(e.lists)-at)
		if err := e.meter.Add(16 + 4*len(of[s])); err != nil {
			return err
		}
	}
	return nil
}

// appendList appends a list to lists, in the form of the package comment.
func (e *encoder) appendList(posts []posting, places bool) {
	e.lists = appendVarint(e.lists, uint64(len(posts)))
	if len(posts) <= BlockSize {
		e.appendBlock(posts, -1, places)
		return
	}
	blocks := (len(posts) + BlockSize - 1) / BlockSize
	skips := len(e.lists)
	e.lists = append(e.lists, make([]byte, blocks*skipSize)...)
	first, last := len(e.lists), int64(-1)
	for i := range blocks {
		block := posts[i*BlockSize : min((i+1)*BlockSize, len(posts))]
		e.appendBlock(block, last, places)
		last = int64(block[len(block)-1].chunk)
		copy(e.lists[skips+i*skipSize:], e.skip(block, len(e.lists)-first))
	}
}

func (e *encoder) skip(block []posting, end int) []byte {
	var body, title, heading uint32
	length := uint32(1<<16 - 1)
	for i := range block {
		p := &block[i]
		body = max(body, p.counts[Body])
		title, heading = max(title, p.counts[Title]), max(heading, p.counts[Heading])
		length = min(length, e.chunks[p.chunk].Length())
	}
	s := make([]byte, 0, skipSize)
	s = appendU32(s, block[len(block)-1].chunk)
	s = appendU32(s, uint32(end))
	return append(s, byte(min(body, MaxBody)), others(title, heading), byte(length), byte(length>>8))
}

func others(title, heading uint32) byte {
	return byte(min(title, MaxOther)<<4 | min(heading, MaxOther))
}

// The bits of a block's first byte.
const (
	gapBits       = 31
	onceBit       = 32
	othersBit     = 64
	exceptionsBit = 128
)

// many is what 2 bits say of a count for which a byte follows.
const many = 3

func (e *encoder) appendBlock(block []posting, last int64, places bool) {
	kind := byte(onceBit)
	var gaps [BlockSize]uint32
	for i := range block {
		p := &block[i]
		gaps[i] = uint32(int64(p.chunk) - last - 1)
		last = int64(p.chunk)
		if p.counts[Body] != 1 {
			kind &^= onceBit
		}
		if p.counts[Title]|p.counts[Heading] != 0 {
			kind |= othersBit
		}
	}
	width, exceptions := gapWidth(gaps[:len(block)])
	if exceptions > 0 {
		kind |= exceptionsBit
	}
	e.lists = append(e.lists, kind|byte(width))
	e.lists = appendGaps(e.lists, gaps[:len(block)], width, exceptions)
	if kind&onceBit == 0 {
		e.appendBodies(block)
	}
	if kind&othersBit != 0 {
		e.appendOthers(block)
	}
	if places {
		for i := range block {
			e.appendPlaces(&block[i])
		}
	}
}

// gapWidth returns how many bits of each gap are packed so that the block is
// smallest, the narrower of equals, and how many gaps have more.
func gapWidth(gaps []uint32) (width, exceptions int) {
	var longer [33]int // gaps with at least so many bits
	for _, g := range gaps {
		longer[bits.Len32(g)]++
	}
	for n := 31; n >= 0; n-- {
		longer[n] += longer[n+1]
	}
	best := 1 << 30
	for w := range 25 {
		size := len(gaps)*w + 16*longer[w+1] // a byte for the place, one for the rest
		for more := w + 8; more <= 32; more += 7 {
			size += 8 * longer[more]
		}
		if size < best {
			best, width, exceptions = size, w, longer[w+1]
		}
	}
	return width, exceptions
}

// appendGaps appends gaps: their low bits packed, then what some have beyond.
func appendGaps(dst []byte, gaps []uint32, width, exceptions int) []byte {
	var kept uint64
	have := 0
	for _, g := range gaps {
		kept |= uint64(g&(1<<width-1)) << have
		for have += width; have >= 8; have -= 8 {
			dst = append(dst, byte(kept))
			kept >>= 8
		}
	}
	if have > 0 {
		dst = append(dst, byte(kept))
	}
	if exceptions == 0 {
		return dst
	}
	dst = append(dst, byte(exceptions-1))
	for i, g := range gaps {
		if g>>width != 0 {
			dst = append(dst, byte(i))
			dst = appendVarint(dst, uint64(g>>width))
		}
	}
	return dst
}

func (e *encoder) appendBodies(block []posting) {
	at := len(e.lists)
	e.lists = append(e.lists, make([]byte, (len(block)+3)/4)...)
	for i := range block {
		n := block[i].counts[Body]
		e.lists[at+i/4] |= byte(min(n, many)) << (i % 4 * 2)
		if n >= many {
			e.lists = append(e.lists, byte(min(n, MaxBody)))
		}
	}
}

func (e *encoder) appendOthers(block []posting) {
	at := len(e.lists)
	e.lists = append(e.lists, make([]byte, (len(block)+7)/8)...)
	for i := range block {
		if o := others(block[i].counts[Title], block[i].counts[Heading]); o != 0 {
			e.lists[at+i/8] |= 1 << (i % 8)
			e.lists = append(e.lists, o)
		}
	}
}

func (e *encoder) appendPlaces(p *posting) {
	at := p.from
	for f, n := range p.counts {
		if n >= maxCount(Field(f)) {
			e.lists = appendVarint(e.lists, uint64(n))
		}
		last := uint32(0)
		for range n {
			place := e.placed[at] & maxPlace
			e.lists = appendVarint(e.lists, uint64(place-last))
			last = place
			at++
		}
	}
}

// maxCount returns from which count on a block does not tell the true one.
func maxCount(f Field) uint32 {
	if f == Body {
		return MaxBody
	}
	return MaxOther
}

// assemble puts the sections together.
func (e *encoder) assemble() []byte {
	var parts [sections][]byte
	for _, at := range append(e.starts, uint32(len(e.records))) {
		parts[sectionDocuments] = appendU32(parts[sectionDocuments], at)
	}
	parts[sectionRecords] = e.records
	parts[sectionTexts] = e.texts
	e.encodeChunks(&parts)
	parts[sectionHeadings] = e.headings.bytes
	parts[sectionTerms], parts[sectionTermIndex] = e.dict.bytes, e.dict.index
	parts[sectionStems], parts[sectionStemIndex] = e.stems.bytes, e.stems.index
	parts[sectionPostings] = e.lists
	parts[sectionFields] = e.fields.encode()

	size := headerSize + sections*16
	var table []byte
	for _, part := range parts {
		table = appendU64(table, uint64(size))
		table = appendU64(table, uint64(len(part)))
		size += (len(part) + 7) &^ 7
	}
	out := make([]byte, 0, size)
	out = append(append(out, magic...), Version)
	out = appendU64(out, 0)
	out = appendU64(out, uint64(size))
	for _, n := range []int{len(e.starts), len(e.chunks), e.dict.count, e.stems.count} {
		out = appendU32(out, uint32(n))
	}
	for _, n := range e.totals {
		out = appendU64(out, n)
	}
	out = append(out, table...)
	for _, part := range parts {
		out = append(out, part...)
		for len(out)%8 != 0 {
			out = append(out, 0)
		}
	}
	copy(out[8:16], appendU64(nil, checksum.Of(out[16:])))
	return out
}

func (e *encoder) encodeChunks(parts *[sections][]byte) {
	var tokens, chunks, index []byte
	for i := range e.chunks {
		c := &e.chunks[i]
		tokens = appendU32(tokens, c.Document)
		tokens = appendU32(tokens, c.content[Title]|c.content[Heading]<<16)
		tokens = appendU32(tokens, c.content[Body])
		if i%chunksSize == 0 {
			index = appendU32(index, uint32(len(chunks)))
		}
		for _, n := range [...]uint32{c.Start, c.Body - c.Start, c.End - c.Body, c.Overlap, c.FirstLine, c.LastLine - c.FirstLine, c.headings, c.All} {
			chunks = appendVarint(chunks, uint64(n))
		}
	}
	parts[sectionTokens], parts[sectionChunks], parts[sectionChunkIndex] = tokens, chunks, index
}

// A dictionary collects terms in ascending order.
type dictionary struct {
	bytes, index []byte
	last         string
	count        int
}

func (d *dictionary) add(term string, at, size int) {
	shared := 0
	if d.count%dictSize == 0 {
		d.index = appendU32(d.index, uint32(len(d.bytes)))
		d.index = appendU32(d.index, uint32(at))
	} else {
		for shared < min(len(term), len(d.last)) && term[shared] == d.last[shared] {
			shared++
		}
	}
	d.bytes = appendVarint(d.bytes, uint64(shared))
	d.bytes = appendString(d.bytes, term[shared:])
	d.bytes = appendVarint(d.bytes, uint64(size))
	d.last = term
	d.count++
}
