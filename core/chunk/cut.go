package chunk

import (
	"strings"

	"github.com/rookhaven-project/rookhaven/core/internal/meter"
)

// maxPrefix is how many bytes a Prefix has at most.
const maxPrefix = 1024

// A cutter makes chunks of the nodes of a text.
type cutter struct {
	source string
	sizes  Sizes
	meter  *meter.Meter
	nodes  []node
	starts []int32 // of the tokens

	unit   *unit
	last   int32 // the token behind the unit
	frames []frame
	next   part
	steps  int // made and not reported
	draft  draft
	before draft // the draft before the last one of the unit
	cut    int   // how many chunks the unit has
	chunks []Chunk
}

// A part is what is put into a chunk at once, or cut into smaller parts.
type part struct {
	start, end int32 // in bytes
	from, to   int32 // in tokens
	node       int32 // the block that it is, -1 if it is a piece of one
	repeat     int32 // where a chunk that begins with it has to begin for no token to be cut
}

func (p *part) size() int64 { return int64(p.to - p.from) }

// A frame is a part that is being cut, and how far it is.
type frame struct {
	by     grain
	rest   part     // what is left of it
	at     int32    // of blocks: the next node
	stop   int32    // of blocks: the node after the last one
	lines  uint8    // of lines: how many stay together at the front
	cuts   []border // of tokens: where what is left is cut
	repeat int32    // of tokens: the repeat of the next part
	given  part     // the last part
	next   part     // the next one, if it was found
	found  bool

	// What a chunk repeats that begins at after or behind: the head of a table, the
	// line that opens a fence, the first line of an item.
	head  part
	after int32
}

// A grain is how finely a part is cut.
type grain int

const (
	byBlock grain = iota
	bySentence
	byLine
	byWord
	byToken
)

// A draft is the chunk that is being filled.
type draft struct {
	start   int32
	end     int32
	overlap int32
	prefix  string
	size    int64 // in tokens, with prefix and overlap
	held    int64 // without prefix
	own     int64 // without either
	target  int64
	parts   int
}

// cutAll makes the chunks of all sections.
func (c *cutter) cutAll(o *outliner) error {
	first := o.next()
	u := unit{section: *first, last: *first}
	s := o.next()
	for s != nil {
		after := o.next()
		if !c.join(&u, s, after) {
			if err := c.cutUnit(&u, s.start); err != nil {
				return err
			}
			u = unit{section: *s, last: *s}
		}
		s = after
	}
	return c.cutUnit(&u, int32(len(c.source)))
}

// cutUnit makes the chunks of a unit that ends before byte end.
func (c *cutter) cutUnit(u *unit, end int32) error {
	c.unit, c.last, c.cut = u, c.token(u.stop), 0
	whole := part{start: u.start, end: end, from: c.token(u.first), to: c.last, node: -1}
	c.begin(whole)
	if whole.size() <= c.sizes.Max {
		c.draft.end = end
		c.finish()
		return c.meter.Add(8)
	}
	whole.start = c.byteOf(u.first) // behind the heading lines
	c.frames = append(c.frames[:0], frame{by: byBlock, rest: whole, at: u.first, stop: u.stop})
	for c.peek() {
		if err := c.meter.Add(16 + c.steps); err != nil {
			return err
		}
		c.steps = 0
		c.place()
	}
	c.finish()
	c.joinTail()
	return nil
}

// place does one of four things with the next part: takes it into the draft, cuts
// it, ends the draft before it, or takes it because there is nothing smaller.
func (c *cutter) place() {
	p, d := &c.next, &c.draft
	switch {
	case c.fits(p):
		c.take()
	case p.size() > c.sizes.Max && c.cuts():
		if p.node >= 0 && d.size >= c.sizes.Min && d.parts > 0 {
			c.flush()
		}
		c.descend()
	case d.parts == 0:
		c.take()
	case c.yields(p) && d.size < c.sizes.Min:
		c.descend()
	default:
		c.flush()
	}
}

// fits reports whether the draft has room for a part, and is nearer to the target
// with it than without. The first part always has the room of a whole chunk.
func (c *cutter) fits(p *part) bool {
	n, d := p.size(), &c.draft
	if n == 0 || d.parts == 0 {
		return n <= c.sizes.Max
	}
	if p.node >= 0 && c.nodes[p.node].isHeading() {
		n += c.sizes.Min // it leads what comes after it
	}
	return d.size+n <= c.sizes.Max && (d.size < c.sizes.Min || 2*d.size+n <= 2*d.target)
}

// yields reports whether a block may be cut though it would fit into a chunk of
// its own: code, tables and list items may not.
func (c *cutter) yields(p *part) bool {
	if p.node < 0 {
		return false
	}
	switch c.nodes[p.node].kind {
	case paragraph, list, quote:
		return true
	}
	return false
}

// cuts reports whether the next part can be cut.
func (c *cutter) cuts() bool {
	return c.next.node >= 0 || c.frames[len(c.frames)-1].by < byToken
}

// begin begins a draft with a part.
func (c *cutter) begin(p part) {
	c.draft = draft{start: p.start, end: p.start}
	left := int64(c.last - p.from)
	switch {
	case left <= c.sizes.Max:
		c.draft.target = left
	case left < 2*c.sizes.Target:
		c.draft.target = (left + 1) / 2
	default:
		c.draft.target = c.sizes.Target
	}
}

// take adds the next part to the draft.
func (c *cutter) take() {
	d := &c.draft
	d.end = c.next.end
	d.size += c.next.size()
	d.held += c.next.size()
	d.own += c.next.size()
	d.parts++
	c.advance()
}

// advance goes over the next part.
func (c *cutter) advance() {
	f := &c.frames[len(c.frames)-1]
	f.given, f.found = c.next, false
	f.rest.start, f.rest.from = c.next.end, c.next.to
	switch f.by {
	case byBlock:
		f.at = c.nodes[f.at].next
	case byLine:
		f.lines = 1
	case byToken:
		f.repeat = f.cuts[0].repeat
		f.cuts = f.cuts[1:]
	}
}

// flush ends the draft and begins one with the next part.
func (c *cutter) flush() {
	c.steps += len(c.frames)
	c.before = c.draft
	c.finish()
	c.begin(c.next)
	d := &c.draft
	c.repeat(c.before.start + c.before.overlap)
	d.held = int64(c.next.from - c.tokensBefore(c.next.from, d.start))
	d.prefix, d.size = c.prefix()
	d.size += d.held
}

// repeat makes the draft begin earlier than the next part: with the last sentence
// of the draft before, which began at byte floor, if a paragraph was cut behind
// one that is short enough, or else with the tokens that would be cut.
func (c *cutter) repeat(floor int32) {
	d, f := &c.draft, &c.frames[len(c.frames)-1]
	start := c.next.start
	switch s := &f.given; {
	case f.by == byToken:
		start = c.next.repeat
	case f.by == bySentence && s.end == start && s.start > floor &&
		s.size() <= c.sizes.Overlap && s.size()+c.next.size() <= c.sizes.Max:
		start = s.start
	}
	d.overlap = d.start - start
	d.start = start
}

// tokensBefore returns the first of the tokens before number n that begins at
// byte start or later.
func (c *cutter) tokensBefore(n, start int32) int32 {
	for n > 0 && c.starts[n-1] >= start {
		n--
	}
	return n
}

// prefix returns what has to be said again before a draft that begins with the
// next part, and its size: the heads of the parts that are being cut, from the
// innermost on as many as are at most half of a chunk.
func (c *cutter) prefix() (string, int64) {
	var heads []string
	size, length, last := int64(0), 0, int32(-1)
	for i := len(c.frames) - 1; i >= 0; i-- {
		f := &c.frames[i]
		if f.head.end == 0 || c.next.start < f.after || f.head.start == last {
			continue
		}
		size += f.head.size()
		length += int(f.head.end - f.head.start)
		if 2*size > c.sizes.Max || length > maxPrefix {
			size -= f.head.size()
			break
		}
		last = f.head.start
		heads = append(heads, c.source[f.head.start:f.head.end])
	}
	for i, j := 0, len(heads)-1; i < j; i, j = i+1, j-1 {
		heads[i], heads[j] = heads[j], heads[i]
	}
	return strings.Join(heads, ""), size
}

// finish makes a chunk of the draft.
func (c *cutter) finish() {
	u, d := c.unit, &c.draft
	k := Chunk{Start: int(d.start), End: int(d.end), Body: int(d.start), Overlap: int(d.overlap), Prefix: d.prefix, Headings: u.path}
	if c.cut == 0 {
		k.Level, k.Merged = int(u.level), u.merged
		k.Body, _ = trimBlanks(c.source, int(u.body), k.End)
		if u.body == u.start {
			k.Body = k.Start
		}
	}
	c.chunks = append(c.chunks, k)
	c.cut++
}

// joinTail joins the last chunk of the unit to the one before, if it is under the
// minimum and there is room.
func (c *cutter) joinTail() {
	n := len(c.chunks)
	if c.cut < 2 || c.draft.own >= c.sizes.Min || c.before.held+c.draft.own > c.sizes.Max {
		return
	}
	c.chunks[n-2].End = c.chunks[n-1].End
	c.chunks = c.chunks[:n-1]
}
