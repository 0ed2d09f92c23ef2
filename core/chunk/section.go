package chunk

// A section is what stands between two headings that split.
type section struct {
	start   int32 // in bytes
	body    int32 // where its body begins; its heading is before, if the path has it whole
	first   int32 // the first node of the body
	stop    int32 // the node after the last one
	heading int32 // the number of its heading, from 1; 0 if it has none
	parent  int32 // the number of the heading over it, 0 if there is none
	level   uint8
	whole   bool // the path has all of the heading
	empty   bool // there is nothing but a heading
	apart   bool // shares no chunk with the sections before
	text    string
	path    []string // with its heading
}

// An outliner cuts nodes into sections.
type outliner struct {
	source string
	nodes  []node
	levels Levels

	at      int32   // the next node
	done    bool    // the last section was returned
	begun   section // the section that is reached
	over    []above // the headings over the place that is reached, outermost first
	heading int32   // the number of the last heading
	path    []string
}

// above is a heading over others.
type above struct {
	level  uint8
	number int32
	text   string
}

// outline begins to cut a text from byte from on. The first section holds what
// stands before the first heading that splits; it may be empty.
func outline(source string, from int, nodes []node, levels Levels) *outliner {
	first := section{start: int32(from), body: int32(from), whole: true}
	return &outliner{source: source, nodes: nodes, levels: levels, begun: first}
}

// next returns the next section, nil after the last one.
func (o *outliner) next() *section {
	for o.at < int32(len(o.nodes)) {
		i := o.at
		n := &o.nodes[i]
		o.at = n.next
		s := section{start: n.start, body: n.start, first: i, whole: true, apart: n.apart}
		if n.isHeading() {
			o.read(&s, i)
		} else if !n.apart {
			continue
		}
		if s.path = o.path; n.apart || o.levels.has(s.level) {
			return o.end(i, s)
		}
		if last := &o.begun; last.heading == 0 && last.first == i {
			s.start = last.start
			*last = s
		}
	}
	if o.done {
		return nil
	}
	o.done = true
	return o.end(int32(len(o.nodes)), section{})
}

// end ends the section that is reached before a node, and begins the next one.
func (o *outliner) end(node int32, next section) *section {
	s := o.begun
	s.stop = node
	s.empty = s.stop == s.first || !s.whole && s.stop == s.first+1
	o.begun = next
	return &s
}

// read reads the heading at a node, which stands under those over it.
func (o *outliner) read(s *section, node int32) {
	o.heading++
	n := &o.nodes[node]
	from, to, body := headingAt(o.source, n, endOf(o.source, o.nodes, n))
	s.level, s.heading = n.n, o.heading
	s.text, s.whole = headingText(o.source[from:to])
	if s.whole {
		s.body, s.first = int32(body), node+1
	}
	for len(o.over) > 0 && o.over[len(o.over)-1].level >= s.level {
		o.over = o.over[:len(o.over)-1]
	}
	if len(o.over) > 0 {
		s.parent = o.over[len(o.over)-1].number
	}
	o.over = append(o.over, above{s.level, o.heading, s.text})
	o.path = nil
	for _, a := range o.over {
		if a.text != "" {
			o.path = append(o.path, a.text)
		}
	}
}

// endOf returns where a node ends.
func endOf(source string, nodes []node, n *node) int {
	if n.next < int32(len(nodes)) {
		return int(nodes[n.next].start)
	}
	return len(source)
}

// headingAt returns where the text of a heading outside of containers is, with
// the white space between its lines, and where the line after it begins.
func headingAt(source string, n *node, end int) (from, to, body int) {
	start := int(n.start)
	if n.kind == heading {
		body = lineEnd(source, start, end)
		i, _ := trimBlanks(source, start, body)
		_, rest := trimBlanks(source, i, body)
		_, from, to = atx(source, i, rest)
		return from, to, body
	}
	_, to = trimBlanks(source, start, end)
	body = lineEnd(source, to, end)
	for to > start && source[to-1] != '\n' && source[to-1] != '\r' {
		to-- // to where the line under it begins
	}
	from, to = trimBlanks(source, start, to)
	return from, to, body
}

// A unit is one or more sections that are cut into chunks together.
type unit struct {
	section          // from the first node to the last, with the path of the last heading before the body
	merged  []string // the headings of those that were joined after the body began
	last    section
}

// join adds the next section to a unit if it belongs there, and reports whether
// it does. A section without a body takes the first one under it, one under the
// minimum its next sibling; after is the section after the next.
func (c *cutter) join(u *unit, s, after *section) bool {
	switch {
	case s.apart:
		return false
	case u.empty && (u.heading == 0 || c.sizes.Min > 0 && s.parent == u.last.heading):
		if u.whole {
			u.body, u.first, u.whole = s.body, s.first, s.whole
		}
		u.level, u.path, u.heading, u.empty = s.level, s.path, s.heading, s.empty
	case u.isSibling(s) && !s.leads(after) && c.size(u.first, u.stop) < c.sizes.Min && c.size(u.first, s.stop) <= c.sizes.Max:
		if s.text != "" {
			u.merged = append(u.merged, s.text)
		}
		u.empty = false
	default:
		return false
	}
	u.stop, u.last = s.stop, *s
	return true
}

// isSibling reports whether a section stands under the same heading as the last
// one of u.
func (u *unit) isSibling(s *section) bool {
	return s.heading > 0 && u.last.heading > 0 && s.parent == u.last.parent
}

// leads reports whether a section is a heading alone, and the next one is under it.
func (s *section) leads(next *section) bool {
	return s.empty && next != nil && !next.apart && next.parent == s.heading
}

// size returns how many tokens are in the nodes from first to stop.
func (c *cutter) size(first, stop int32) int64 { return int64(c.token(stop) - c.token(first)) }

// token returns how many tokens begin before a node.
func (c *cutter) token(node int32) int32 {
	if node == int32(len(c.nodes)) {
		return int32(len(c.starts))
	}
	return c.nodes[node].token
}

// byteOf returns where a node begins.
func (c *cutter) byteOf(node int32) int32 {
	if node == int32(len(c.nodes)) {
		return int32(len(c.source))
	}
	return c.nodes[node].start
}
