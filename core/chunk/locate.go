package chunk

import (
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A span is where a block stands in the text that was made of the blocks.
type span struct {
	block       *abi.Block
	start       int
	body, end   int // of the lines that are the block's own
	first, last int64
}

// locate sets where chunks stand in the source, which the spans of their blocks
// tell. The lines of a chunk, so far those of the text, become those of the file.
func locate(source string, chunks []Chunk, spans []span) {
	c := counter{line: 1}
	for i := range spans {
		s := &spans[i]
		s.first = c.at(source, s.body)
		s.last = c.at(source, s.end)
	}
	for i := range chunks {
		k := &chunks[i]
		for len(spans) > 0 && spans[0].end <= k.Start {
			spans = spans[1:]
		}
		var l locator
		for j := range spans {
			if spans[j].start >= k.End {
				break
			}
			l.add(&spans[j], k.FirstLine, k.LastLine)
		}
		k.Location = l.location()
		k.FirstLine, k.LastLine = l.at.LineStart, l.at.LineEnd
	}
}

// A locator unites the locations of the blocks of a chunk.
type locator struct {
	at     abi.Location
	cells  cells
	ranges int  // of cells
	boxes  int  // of the blocks
	page   bool // all boxes are on one page
}

// add adds a block of which the chunk has the lines from first to last, those of
// the text.
func (l *locator) add(s *span, first, last int64) {
	b := s.block.Location
	if b == nil {
		return
	}
	at := &l.at
	unite(&at.PageStart, &at.PageEnd, b.PageStart, b.PageEnd)
	if at.Slide == 0 {
		at.Slide = b.Slide
	}
	if at.Sheet == "" {
		at.Sheet = b.Sheet
	}
	if at.Section == "" {
		at.Section = b.Section
	}
	if b.CharEnd > 0 {
		if at.CharEnd == 0 {
			at.CharStart = b.CharStart
		}
		at.CharStart, at.CharEnd = min(at.CharStart, b.CharStart), max(at.CharEnd, b.CharEnd)
	}
	from, to := max(first, s.first)-s.first, min(last, s.last)-s.first
	if to < from {
		from, to = 0, s.last-s.first
	}
	lineStart, lineEnd := b.LineStart, b.LineEnd
	if lineEnd-lineStart == s.last-s.first {
		lineStart, lineEnd = lineStart+from, lineStart+to
	}
	if b.LineStart > 0 {
		unite(&at.LineStart, &at.LineEnd, lineStart, lineEnd)
	}
	l.addCells(b.CellRange, from, to, s.last-s.first)
	l.addBox(b)
}

// unite makes a range that counts from 1 hold another one.
func unite(start, end *int64, from, to int64) {
	if from == 0 {
		return
	}
	if *start == 0 {
		*start = from
	}
	*start, *end = min(*start, from), max(*end, to)
}

// addCells adds of a range of cells the rows from to to, if it has as many rows
// as the block has lines, else all of it.
func (l *locator) addCells(text string, from, to, last int64) {
	if text == "" {
		return
	}
	l.ranges++
	c, ok := parseCells(text)
	if !ok {
		l.at.CellRange = text
		l.cells = cells{}
		return
	}
	if c.lastRow-c.row == last {
		c.row, c.lastRow = c.row+from, c.row+to
	}
	if l.ranges > 1 {
		c.column, c.lastColumn = min(c.column, l.cells.column), max(c.lastColumn, l.cells.lastColumn)
		c.row, c.lastRow = min(c.row, l.cells.row), max(c.lastRow, l.cells.lastRow)
	}
	l.cells = c
	l.at.CellRange = ""
	if c.column > 0 && c.row > 0 {
		l.at.CellRange = c.String()
	}
}

// addBox adds a box; those of several pages have none together.
func (l *locator) addBox(b *abi.Location) {
	if b.BoundingBox == nil {
		return
	}
	l.boxes++
	l.page = b.PageStart == b.PageEnd && b.PageStart == l.at.PageStart && (l.page || l.boxes == 1)
	box := *b.BoundingBox
	if o := l.at.BoundingBox; o != nil {
		box = abi.Box{Left: min(box.Left, o.Left), Top: min(box.Top, o.Top), Right: max(box.Right, o.Right), Bottom: max(box.Bottom, o.Bottom)}
	}
	l.at.BoundingBox = &box
}

// location returns the location, nil if nothing is known.
func (l *locator) location() *abi.Location {
	if !l.page || l.at.PageStart != l.at.PageEnd {
		l.at.BoundingBox = nil
	}
	if l.at == (abi.Location{}) {
		return nil
	}
	at := l.at
	return &at
}
