package chunk

import (
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
)

// maxDepth is how many block quotes and list items may stand inside each other;
// what would open one more is text.
const maxDepth = 64

// A kind is a kind of block.
type kind uint8

const (
	paragraph  kind = iota + 1
	heading         // of the form ## heading
	underlined      // a heading with a line under it
	rule            // a thematic break
	fence           // fenced code
	indented        // code by indentation
	markup          // an HTML block
	table
	quote
	list
	item
)

// A node is a block: the lines from its first one to the first of the block
// after it. Nodes stand in the order of the text, each before those in it.
type node struct {
	start int32 // byte where its first line begins
	token int32 // how many tokens of the text begin before start
	next  int32 // the first node after it that is not in it
	kind  kind
	depth uint8 // how many lists, items and quotes hold it
	n     uint8 // of a heading: its level; of a table: how many lines are its head
	apart bool  // shares no chunk with what stands before it
}

func (n *node) isHeading() bool { return n.kind == heading || n.kind == underlined }

// A container is an open list, item or quote.
type container struct {
	kind  kind
	mark  byte  // of a list: the bullet, or what follows the number
	empty bool  // an item without a block
	width int32 // of an item: how far its blocks are indented
	quote int32 // where the last quote up to it is in open, -1 if there is none
}

// A leaf is the open block that holds text.
type leaf struct {
	kind kind // 0: there is none
	node int32

	mark   byte // of a fence
	length int  // of a fence
	html   int  // of markup: its start condition

	// Of a paragraph:
	from     int    // where the first line begins that is no link reference definition
	last     int    // where the last line begins
	lastText int    // and its text
	lastEnd  int    // where it ends
	refs     bool   // it may begin with link reference definitions
	content  []byte // if so, its lines without what containers take
	starts   []int  // and where each begins, in content and in the text
}

// A scanner finds the blocks of a CommonMark text, line by line, by the strategy
// of the specification's appendix: it goes over the marks of the open containers,
// looks for blocks that begin, and adds what is left to the open paragraph.
type scanner struct {
	lines
	meter *meter.Meter
	nodes []node

	open    []container // outermost first
	depth   int         // how many of them are no lists
	entered int         // how many the line was compared with
	leaf    leaf

	pos, col int // how far the line is read; a tab may be read in part
	text     int // where it goes on after white space
	textCol  int
	indent   int // columns of white space between the two
	blank    bool
}

// scan returns the blocks of a text from byte from on, without their tokens.
func scan(source string, from int, m *meter.Meter) ([]node, error) {
	s := scanner{lines: linesFrom(source, from), meter: m}
	for s.step() {
		s.line()
		if err := m.Add(s.end - s.start + s.entered + 8); err != nil {
			return nil, err
		}
	}
	link(s.nodes)
	return s.nodes, nil
}

// link sets where each node's next is.
func link(nodes []node) {
	var open [2*maxDepth + 2]int32
	n := 0
	for i := range nodes {
		for n > 0 && nodes[open[n-1]].depth >= nodes[i].depth {
			n--
			nodes[open[n]].next = int32(i)
		}
		open[n] = int32(i)
		n++
	}
	for _, i := range open[:n] {
		nodes[i].next = int32(len(nodes))
	}
}

func (s *scanner) line() {
	s.pos, s.col, s.text = s.start, 0, -1
	matched := s.enter()
	s.look()
	if matched == len(s.open) && s.continues() {
		return
	}
	// The line goes on a paragraph unless another block begins; it may also be a
	// lazy one, without the marks of all containers.
	follows := matched == len(s.open) && s.leaf.kind == paragraph && !s.blank
	for {
		begun := s.begin(matched, follows)
		if begun == leafBegun {
			return
		}
		if begun == nothing {
			break
		}
		matched, follows = len(s.open), false
	}
	switch {
	case s.blank:
		s.close(matched)
	case follows && s.tableBegins():
	case s.leaf.kind == table && matched == len(s.open) && columnsOf(s.source[s.text:s.end]) > 0:
	case s.leaf.kind == paragraph:
		s.addText()
	default:
		s.close(matched)
		s.leaf.node = s.add(paragraph)
		s.leaf.kind = paragraph
		s.beginText()
	}
}

// look finds the next character that is no space or tab.
func (s *scanner) look() {
	if s.text < s.pos {
		i, col := s.pos, s.col
		for ; i < s.end; i++ {
			w := columns(s.source[i], col)
			if w == 0 {
				break
			}
			col += w
		}
		s.text, s.textCol = i, col
	}
	s.indent = s.textCol - s.col
	s.blank = s.text == s.end
}

// columns returns how many columns a space or tab at column col takes, 0 for any
// other byte.
func columns(c byte, col int) int {
	switch c {
	case ' ':
		return 1
	case '\t':
		return 4 - col%4
	}
	return 0
}

// skip goes over n columns of white space, or those that there are.
func (s *scanner) skip(n int) {
	for n > 0 && s.pos < s.text {
		width := columns(s.source[s.pos], s.col)
		if width > n {
			s.col += n // the rest of the tab is still to come
			return
		}
		s.pos++
		s.col += width
		n -= width
	}
}

// pass goes over white space and n characters after it.
func (s *scanner) pass(n int) {
	s.pos, s.col = s.text+n, s.textCol+n
	s.look()
}

// enter goes over the marks of the open containers that the line continues and
// returns how many those are.
func (s *scanner) enter() int {
	for i := range s.open {
		s.entered = i
		c := &s.open[i]
		if c.kind == list {
			continue
		}
		s.look()
		switch {
		case s.blank:
			return s.blankEnters(i)
		case c.kind == quote:
			if s.indent > 3 || s.source[s.text] != '>' {
				return i
			}
			s.pass(1)
			s.skip(1)
		case s.indent >= int(c.width):
			s.skip(int(c.width))
		default:
			return i
		}
	}
	return len(s.open)
}

// blankEnters is enter for a line that is blank from container i on: it continues
// all items but an empty one, which is the last, and no quotes. It looks for a
// quote only if the line is about to close it.
func (s *scanner) blankEnters(i int) int {
	last := &s.open[len(s.open)-1]
	if int(last.quote) >= i {
		for s.open[i].kind != quote {
			i++
		}
		s.entered = i
		return i
	}
	if last.empty {
		return len(s.open) - 1
	}
	return len(s.open)
}

// continues reports whether the line belongs to the open leaf whatever it says.
func (s *scanner) continues() bool {
	switch s.leaf.kind {
	case fence:
		if s.closesFence() {
			s.leaf.kind = 0
		}
		return true
	case markup:
		if s.leaf.html >= 6 && s.blank {
			return false
		}
		if htmlEnds(s.leaf.html, s.source[s.pos:s.end]) {
			s.leaf.kind = 0
		}
		return true
	case indented:
		return s.blank || s.indent > 3
	}
	return false
}

// What a line begins.
type begun int

const (
	nothing begun = iota
	containerBegun
	leafBegun
)

// begin opens the block that begins where the line goes on, if one does; matched
// containers stay open, and follows says that the line could go on a paragraph.
func (s *scanner) begin(matched int, follows bool) begun {
	s.look()
	switch {
	case s.blank:
		return nothing
	case s.indent > 3:
		if s.leaf.kind == paragraph {
			return nothing
		}
		s.beginLeaf(matched, indented)
		return leafBegun
	}
	switch c := s.source[s.text]; c {
	case '>':
		return s.beginQuote(matched)
	case '#':
		return s.beginATX(matched)
	case '`', '~':
		return s.beginFence(matched, c)
	case '<':
		return s.beginMarkup(matched)
	case '=':
		if follows {
			return s.beginSetext(1)
		}
	case '-', '*', '_', '+':
		return s.beginMark(matched, follows, c)
	default:
		if isDigit(c) {
			return s.beginItem(matched, follows)
		}
	}
	return nothing
}

// beginMark is begin where the line goes on with -, *, _ or +.
func (s *scanner) beginMark(matched int, follows bool, c byte) begun {
	if c == '-' && follows {
		if b := s.beginSetext(2); b != nothing {
			return b
		}
	}
	if c != '+' && isRule(s.source[s.text:s.end]) {
		s.beginLeaf(matched, rule)
		s.leaf.kind = 0
		return leafBegun
	}
	if c != '_' {
		return s.beginItem(matched, follows)
	}
	return nothing
}

// close closes the open leaf and all but the first n containers.
func (s *scanner) close(n int) {
	for _, c := range s.open[n:] {
		if c.kind != list {
			s.depth--
		}
	}
	s.open = s.open[:n]
	s.leaf.kind = 0
}

// push opens a container.
func (s *scanner) push(c container) {
	n := len(s.open)
	switch {
	case c.kind == quote:
		c.quote = int32(n)
	case n == 0:
		c.quote = -1
	default:
		c.quote = s.open[n-1].quote
	}
	s.open = append(s.open, c)
}

// add adds a node in the innermost open container, a list only for an item.
func (s *scanner) add(k kind) int32 {
	n := len(s.open)
	if n > 0 && s.open[n-1].kind == list && k != item {
		n--
		s.open = s.open[:n]
	}
	if n > 0 {
		s.open[n-1].empty = false
	}
	s.nodes = append(s.nodes, node{start: int32(s.start), kind: k, depth: uint8(n)})
	return int32(len(s.nodes) - 1)
}

func (s *scanner) beginLeaf(matched int, k kind) {
	s.close(matched)
	s.leaf.node = s.add(k)
	s.leaf.kind = k
}

func (s *scanner) beginQuote(matched int) begun {
	if s.full(matched) {
		return nothing
	}
	s.close(matched)
	s.add(quote)
	s.push(container{kind: quote})
	s.depth++
	s.pass(1)
	s.skip(1)
	return containerBegun
}

// full reports whether one more container than those matched would be too deep.
func (s *scanner) full(matched int) bool {
	depth := s.depth
	for _, c := range s.open[matched:] {
		if c.kind != list {
			depth--
		}
	}
	return depth >= maxDepth
}

func (s *scanner) beginItem(matched int, follows bool) begun {
	width, mark := listMark(s.source[s.text:s.end], follows)
	if width == 0 || s.full(matched) {
		return nothing
	}
	s.close(matched)
	if n := len(s.open); n == 0 || s.open[n-1].kind != list || s.open[n-1].mark != mark {
		s.add(list)
		s.push(container{kind: list, mark: mark})
	}
	s.add(item)
	indent := s.indent
	s.pass(width)
	after := s.indent
	if s.blank || after > 4 {
		after = 1 // more is code, or nothing
	}
	s.skip(after)
	s.push(container{kind: item, empty: true, width: int32(indent + width + after)})
	s.depth++
	return containerBegun
}

// beginATX opens and closes a heading of the form ## heading ##.
func (s *scanner) beginATX(matched int) begun {
	level, _, _ := atx(s.source, s.text, s.end)
	if level == 0 {
		return nothing
	}
	s.beginLeaf(matched, heading)
	s.leaf.kind = 0
	s.nodes[s.leaf.node].n = uint8(level)
	return leafBegun
}

// beginSetext makes the open paragraph a heading if the line underlines it. Link
// reference definitions before the text stay a paragraph; if there is no text
// the line is.
func (s *scanner) beginSetext(level int) begun {
	i, c := s.text, s.source[s.text]
	for i < s.end && s.source[i] == c {
		i++
	}
	if !isRest(s.source[i:s.end]) {
		return nothing
	}
	l := &s.leaf
	if l.refs && !s.skipDefinitions() {
		return nothing
	}
	if l.from > int(s.nodes[l.node].start) {
		n := s.nodes[l.node]
		n.start = int32(l.from)
		s.nodes = append(s.nodes, n)
		l.node++
	}
	s.nodes[l.node].kind, s.nodes[l.node].n = underlined, uint8(level)
	l.kind = 0
	return leafBegun
}

// skipDefinitions moves the beginning of the paragraph's text behind the link
// reference definitions and reports whether there is text.
func (s *scanner) skipDefinitions() bool {
	l := &s.leaf
	l.refs = false
	n := definitions(l.content)
	for i := 0; i < len(l.starts); i += 2 {
		if l.starts[i] >= n {
			l.from = l.starts[i+1]
			return true
		}
	}
	l.from = s.start
	return false
}

// beginText begins a paragraph with the rest of the line.
func (s *scanner) beginText() {
	l := &s.leaf
	l.from = s.start
	l.refs = s.source[s.text] == '['
	l.content, l.starts = l.content[:0], l.starts[:0]
	s.addText()
}

// addText adds the rest of the line to the open paragraph.
func (s *scanner) addText() {
	l := &s.leaf
	l.last, l.lastText, l.lastEnd = s.start, s.text, s.end
	if l.refs {
		l.starts = append(l.starts, len(l.content), s.start)
		l.content = append(append(l.content, s.source[s.text:s.end]...), '\n')
	}
}

func (s *scanner) beginFence(matched int, c byte) begun {
	rest := s.source[s.text:s.end]
	n := run(rest, c)
	if n < 3 || c == '`' && indexByte(rest[n:], '`') >= 0 {
		return nothing
	}
	s.beginLeaf(matched, fence)
	s.leaf.mark, s.leaf.length = c, n
	return leafBegun
}

func (s *scanner) closesFence() bool {
	if s.indent > 3 || s.blank {
		return false
	}
	rest := s.source[s.text:s.end]
	n := run(rest, s.leaf.mark)
	return n >= s.leaf.length && isRest(rest[n:])
}

func (s *scanner) beginMarkup(matched int) begun {
	rest := s.source[s.text:s.end]
	condition := htmlStarts(rest)
	if condition == 0 || condition == 7 && s.leaf.kind == paragraph {
		return nothing
	}
	s.beginLeaf(matched, markup)
	s.leaf.html = condition
	if htmlEnds(condition, rest) {
		s.leaf.kind = 0
	}
	return leafBegun
}

// tableBegins makes the last line of the open paragraph the head of a table if
// the line is the row under it. A link reference definition is no head.
func (s *scanner) tableBegins() bool {
	l := &s.leaf
	if s.indent > 3 || l.from > l.last {
		return false
	}
	columns := delimiters(s.source[s.text:s.end])
	if columns == 0 || columns != columnsOf(s.source[l.lastText:l.lastEnd]) {
		return false
	}
	if n := s.nodes[l.node]; l.last > int(n.start) {
		n.start = int32(l.last)
		s.nodes = append(s.nodes, n)
		l.node++
	}
	s.nodes[l.node].kind = table
	s.nodes[l.node].n = 2
	l.kind = table
	return true
}
