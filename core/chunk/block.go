package chunk

import (
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// Blocks cuts what a parser made of a file. The text of the document is made from
// the blocks, with an empty line between two:
//
//   - a heading is # to ###### and its text in one line;
//   - a list is a line with a hyphen and a space for each item, whether it is
//     ordered or not: which number an item has is not known;
//   - a table is a line for each row, the headers first, with tabs between cells;
//   - code stands in a fence, with its language;
//   - any other block is its text, an image its alternative text, a page break
//     nothing.
//
// A chunk ends where the slide or the sheet does, and never because of a page. Its
// location unites those of its blocks: pages, characters and boxes on one page as
// they are, lines and rows of cells exactly where a block has one for each line of
// its text, the headers being a row. Of slide, sheet and section it is the first.
// Blocks fails only if the meter does, or if the text is too long to be cut.
func Blocks(blocks []abi.Block, o Options) (Document, error) {
	w, m := writer{}, o.metered()
	for i := range blocks {
		before := w.text.Len()
		w.block(&blocks[i])
		if w.text.Len() > most {
			return Document{}, abi.Errorf(abi.OverBudget, "the text of the blocks is longer than %d bytes", most)
		}
		if err := m.Add(w.text.Len() - before + 64); err != nil {
			return Document{}, err
		}
	}
	d := Document{Text: w.text.String()}
	link(w.nodes)
	d.Title = titleOf(d.Text, w.nodes)
	var err error
	d.Chunks, err = o.chunks(d.Text, 0, w.nodes)
	number(d.Text, d.Chunks)
	locate(d.Text, d.Chunks, w.spans)
	return d, err
}

// A writer makes the text of blocks, its nodes, and where each block is in it.
type writer struct {
	text  strings.Builder
	nodes []node
	spans []span

	slide int64
	sheet string
	apart bool // the next block begins another slide or sheet
}

// block writes a block that has text.
func (w *writer) block(b *abi.Block) {
	w.turn(b.Location)
	n := node{start: int32(w.text.Len()), kind: paragraph, apart: w.apart && len(w.nodes) > 0}
	s := span{block: b, start: w.text.Len()}
	var items []node
	switch b.Type {
	case abi.BlockPageBreak:
	case abi.BlockHeading:
		n.kind, n.n = heading, w.heading(b)
	case abi.BlockCode:
		n.kind = fence
		s.body, s.end = w.code(b)
	case abi.BlockTable:
		n.kind, n.n = table, uint8(min(1, len(b.Headers)))
		w.table(b)
	case abi.BlockList:
		n.kind = list
		items = w.list(b.Items)
	case abi.BlockImage:
		w.text.WriteString(strings.Trim(b.Alt, "\r\n"))
	default:
		w.text.WriteString(strings.Trim(b.Text, "\r\n"))
	}
	if w.text.Len() == s.start {
		return
	}
	if s.end == 0 {
		s.body, s.end = s.start, w.text.Len()
	}
	w.text.WriteString("\n\n")
	w.spans, w.apart = append(w.spans, s), false
	w.nodes = append(append(w.nodes, n), items...)
}

// turn notes whether a block stands on another slide or sheet than those before.
func (w *writer) turn(l *abi.Location) {
	if l == nil || l.Slide == 0 && l.Sheet == "" || l.Slide == w.slide && l.Sheet == w.sheet {
		return
	}
	w.slide, w.sheet, w.apart = l.Slide, l.Sheet, true
}

// heading writes a heading that has a text and returns its level.
func (w *writer) heading(b *abi.Block) uint8 {
	level := max(1, min(b.Level, 6))
	if text := oneLine(b.Text); text != "" {
		w.text.WriteString("######"[:level])
		w.text.WriteByte(' ')
		w.text.WriteString(text)
	}
	return uint8(level)
}

// code writes code in a fence that is longer than any run of backticks in it, and
// returns where the code begins and ends.
func (w *writer) code(b *abi.Block) (from, to int) {
	text := strings.TrimSuffix(b.Text, "\n")
	if strings.Trim(text, blanks+"\r\n") == "" {
		return 0, 0
	}
	n := 3
	for i := 0; i < len(text); i++ {
		if r := run(text[i:], '`'); r > 0 {
			n, i = max(n, r+1), i+r
		}
	}
	fence := strings.Repeat("`", n)
	w.text.WriteString(fence)
	w.text.WriteString(strings.ReplaceAll(oneLine(b.Language), "`", ""))
	w.text.WriteByte('\n')
	from = w.text.Len()
	w.text.WriteString(text)
	to = w.text.Len()
	w.text.WriteByte('\n')
	w.text.WriteString(fence)
	return from, to
}

func (w *writer) table(b *abi.Block) {
	if len(b.Headers) > 0 {
		w.row(b.Headers)
	}
	for i, row := range b.Rows {
		if i > 0 || len(b.Headers) > 0 {
			w.text.WriteByte('\n')
		}
		w.row(row)
	}
}

func (w *writer) row(cells []string) {
	for i, cell := range cells {
		if i > 0 {
			w.text.WriteByte('\t')
		}
		w.text.WriteString(oneLine(cell))
	}
}

// list writes the items that are not empty and returns their nodes.
func (w *writer) list(items []string) []node {
	var nodes []node
	for _, s := range items {
		s = strings.Trim(s, blanks+"\r\n")
		if s == "" {
			continue
		}
		if len(nodes) > 0 {
			w.text.WriteByte('\n')
		}
		nodes = append(nodes, node{start: int32(w.text.Len()), kind: item, depth: 1})
		w.text.WriteString("- ")
		w.text.WriteString(s)
	}
	return nodes
}
