package chunk

import (
	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
	"github.com/rookhaven-project/rookhaven/core/text"
)

// peek finds the next part, leaving frames that are at their end. It reports
// whether there is one.
func (c *cutter) peek() bool {
	for len(c.frames) > 0 {
		f := &c.frames[len(c.frames)-1]
		if f.rest.start < f.rest.end {
			if !f.found {
				f.next, f.found = c.find(f), true
			}
			c.next = f.next
			return true
		}
		c.frames = c.frames[:len(c.frames)-1]
	}
	return false
}

// find returns the next part of a frame that is not at its end.
func (c *cutter) find(f *frame) part {
	p := f.rest
	p.node, p.repeat = -1, p.start
	start, end := int(p.start), int(p.end)
	switch f.by {
	case byBlock:
		p.node = f.at
		if next := c.nodes[f.at].next; next < f.stop {
			p.end, p.to = c.nodes[next].start, c.nodes[next].token
		}
		return p
	case bySentence:
		end = sentenceEnd(c.source, start, end)
	case byLine:
		end = linesEnd(c.source, start, end, f.lines)
	case byWord:
		end = wordEnd(c.source, start, end)
	case byToken:
		end, p.repeat = int(f.cuts[0].at), f.repeat
	}
	p.end, p.to = int32(end), c.countTo(p.from, p.to, int32(end))
	c.steps += end - start
	return p
}

// countTo returns the first token from number from on that begins at byte end or
// later, or to.
func (c *cutter) countTo(from, to, end int32) int32 {
	for from < to && c.starts[from] < end {
		from++
	}
	return from
}

// descend goes over the next part and into it.
func (c *cutter) descend() {
	p := c.next
	f := frame{by: c.frames[len(c.frames)-1].by + 1, rest: p, lines: 1, repeat: p.start}
	c.advance()
	if p.node >= 0 {
		c.descendBlock(&f, p)
	}
	if f.by == byToken {
		f.cuts = c.borders(p)
	}
	c.frames = append(c.frames, f)
}

// descendBlock says how a block is cut, and what is repeated of it.
func (c *cutter) descendBlock(f *frame, p part) {
	n := &c.nodes[p.node]
	switch n.kind {
	case quote, list, item:
		f.by = bySentence
		if p.node+1 < n.next {
			f.by, f.at, f.stop = byBlock, p.node+1, n.next
		}
	case paragraph, heading, underlined:
		f.by = bySentence
	default:
		f.by = byLine
	}
	switch n.kind {
	case fence:
		c.repeatLines(f, n, p.to, 1)
		f.after = f.head.end
	case table:
		f.lines = max(1, n.n)
		c.repeatLines(f, n, p.to, n.n)
		f.after = f.head.end
	case item:
		if first := p.node + 1; first < n.next && c.nodes[first].next < n.next && c.nodes[first].kind == paragraph {
			c.repeatLines(f, n, p.to, 1)
			f.after = max(f.head.end, c.nodes[c.nodes[first].next].start)
		}
	}
}

// repeatLines sets the first lines of a block, whose tokens end before number to,
// as what chunks inside it repeat, unless they are long.
func (c *cutter) repeatLines(f *frame, n *node, to int32, lines uint8) {
	start, end := int(n.start), endOf(c.source, c.nodes, n)
	if lines == 0 {
		return
	}
	end = linesEnd(c.source, start, min(end, start+maxPrefix+1), lines)
	c.steps += end - start
	if end-start <= maxPrefix {
		f.head = part{start: n.start, end: int32(end), from: n.token, to: c.countTo(n.token, to, int32(end)), node: -1}
	}
}

// linesEnd returns where the given number of lines from byte i on ends, at most
// end.
func linesEnd(source string, i, end int, lines uint8) int {
	for ; lines > 0; lines-- {
		i = lineEnd(source, i, end)
	}
	return i
}

// wordEnd returns where white space, a word and the white space after it end.
// Only what stands alone as a grapheme counts as white space.
func wordEnd(source string, i, end int) int {
	for word, blank := false, false; i < end; {
		n, space := grapheme(source, i, end)
		if blank && !space {
			break
		}
		word = word || !space
		blank = word && space
		i += n
	}
	return i
}

// grapheme returns the length of the grapheme at byte i, and whether it is white
// space.
func grapheme(source string, i, end int) (n int, space bool) {
	if c := source[i]; c < 0x80 && i+1 < end && source[i+1] < 0x80 && c != '\r' {
		return 1, isBlank(c)
	}
	n = ucd.NextGrapheme(source[i:end])
	r, size := decode(source[i : i+n])
	return n, ucd.IsSpace(r) && (size == n || r == '\r')
}

// A border is where a word may be cut, and how far back a chunk that begins there
// has to begin so that no token is lost.
type border struct{ at, repeat int32 }

// borders returns where a part without white space may be cut: where a grapheme
// and a token begin, and inside of no other token, but of the one before, as in
// bigrams. The last border is the end.
func (c *cutter) borders(p part) []border {
	list := []border{}
	source := c.source[p.start:p.end]
	at, reach := 0, 0 // of graphemes; how far tokens go but for the last one
	last := text.Token{}
	for tok := range tokens(source) {
		for at < tok.Start {
			at += ucd.NextGrapheme(source[at:])
		}
		if at == tok.Start && at > 0 && reach <= at {
			repeat := at
			if last.End > at {
				repeat = last.Start
			}
			list = append(list, border{p.start + int32(at), p.start + int32(repeat)})
		}
		last, reach = tok, max(reach, last.End)
	}
	c.steps += len(source)
	return append(list, border{p.end, p.end})
}
