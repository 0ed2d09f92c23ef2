package abi

import (
	"slices"

	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Block is one piece of a document that was read from another format: what a
// parser made of a page, a sheet or a slide. Which members a block has depends on
// its type; the others are zero.
type Block struct {
	Type     string
	Level    int64      // of a heading: 1 to 6
	Text     string     // of a heading, paragraph, code, quote, note or meta
	Language string     // of code; optional
	Ordered  bool       // of a list
	Items    []string   // of a list
	Headers  []string   // of a table; optional
	Rows     [][]string // of a table
	Alt      string     // of an image
	Location *Location  // optional
}

// The types of blocks. A note is what stands apart from the text and belongs to
// it, a footnote or a speaker's note; meta is what a source says of itself, such
// as the head of a mail. Both are read like paragraphs.
const (
	BlockHeading   = "heading"
	BlockParagraph = "paragraph"
	BlockTable     = "table"
	BlockCode      = "code"
	BlockList      = "list"
	BlockQuote     = "quote"
	BlockImage     = "image"
	BlockPageBreak = "pageBreak"
	BlockNote      = "note"
	BlockMeta      = "meta"
)

// A Location is where in its source a block or a chunk stands. Pages, slides and
// lines count from 1, so that 0 is absent. Characters are UTF-16 units from 0,
// the end behind the last; both are absent where the end is 0.
type Location struct {
	PageStart, PageEnd int64
	Slide              int64
	Sheet              string
	CellRange          string // A1:C7
	Section            string
	CharStart, CharEnd int64
	LineStart, LineEnd int64
	BoundingBox        *Box
}

// A Box is a rectangle on a page, in hundredths of a point (1/7200 inch) from the
// page's upper left corner: integers, because a Block has no other numbers.
type Box struct{ Left, Top, Right, Bottom int64 }

// blockForms lists for each type of block its members besides type and location,
// those that it must have first.
var blockForms = []struct {
	name     string
	required []string
	optional []string
}{
	{BlockHeading, []string{"level", "text"}, nil},
	{BlockParagraph, []string{"text"}, nil},
	{BlockTable, []string{"rows"}, []string{"headers"}},
	{BlockCode, []string{"text"}, []string{"language"}},
	{BlockList, []string{"ordered", "items"}, nil},
	{BlockQuote, []string{"text"}, nil},
	{BlockImage, []string{"alt"}, nil},
	{BlockPageBreak, nil, nil},
	{BlockNote, []string{"text"}, nil},
	{BlockMeta, []string{"text"}, nil},
}

// BlockTypes returns the types of blocks.
func BlockTypes() []string {
	list := make([]string, len(blockForms))
	for i, f := range blockForms {
		list[i] = f.name
	}
	return list
}

var blockMembers = []string{"type", "level", "text", "language", "ordered", "items", "headers", "rows", "alt", "location"}

func readBlock(r *json.Reader) Block {
	var b Block
	var seen []string
	members(r, blockMembers, blockMembers[:1], func(name string) {
		seen = append(seen, name)
		switch name {
		case "type":
			b.Type = r.String()
		case "level":
			b.Level = r.Int()
			if b.Level < 1 || b.Level > 6 {
				r.Fail("expected a level of 1 to 6")
			}
		case "text":
			b.Text = r.String()
		case "language":
			b.Language = r.String()
		case "ordered":
			b.Ordered = r.Bool()
		case "items":
			b.Items = texts(r)
		case "headers":
			b.Headers = texts(r)
		case "rows":
			b.Rows = rows(r)
		case "alt":
			b.Alt = r.String()
		case "location":
			b.Location = readLocation(r)
		}
	})
	if r.Err() == nil {
		checkForm(r, b.Type, seen)
	}
	return b
}

// checkForm fails unless a block of this type has just these members.
func checkForm(r *json.Reader, of string, seen []string) {
	i := slices.Index(BlockTypes(), of)
	if i < 0 {
		problem := "unknown type " + json.Quote(of)
		if near := json.Nearest(of, BlockTypes()); near != "" {
			problem += ", did you mean " + json.Quote(near) + "?"
		}
		r.Fail(problem)
		return
	}
	form := blockForms[i]
	for _, name := range form.required {
		if !slices.Contains(seen, name) {
			r.Fail("a block of type " + json.Quote(of) + " has no member " + json.Quote(name))
		}
	}
	for _, name := range seen {
		if name != "type" && name != "location" && !slices.Contains(form.required, name) && !slices.Contains(form.optional, name) {
			r.Fail("a block of type " + json.Quote(of) + " has a member " + json.Quote(name))
		}
	}
}

func rows(r *json.Reader) [][]string {
	list := [][]string{}
	for range r.Array() {
		list = append(list, texts(r))
	}
	return list
}

var locationMembers = []string{"pageStart", "pageEnd", "slide", "sheet", "cellRange", "section", "charStart", "charEnd", "lineStart", "lineEnd", "boundingBox"}

func readLocation(r *json.Reader) *Location {
	l := new(Location)
	members(r, locationMembers, nil, func(name string) {
		switch name {
		case "pageStart":
			l.PageStart = natural(r)
		case "pageEnd":
			l.PageEnd = natural(r)
		case "slide":
			l.Slide = natural(r)
		case "sheet":
			l.Sheet = r.String()
		case "cellRange":
			l.CellRange = r.String()
		case "section":
			l.Section = r.String()
		case "charStart":
			l.CharStart = natural(r)
		case "charEnd":
			l.CharEnd = natural(r)
		case "lineStart":
			l.LineStart = natural(r)
		case "lineEnd":
			l.LineEnd = natural(r)
		case "boundingBox":
			l.BoundingBox = readBox(r)
		}
	})
	if r.Err() == nil {
		l.check(r)
	}
	return l
}

// check fails where a range ends before it starts, or has one end only.
func (l *Location) check(r *json.Reader) {
	switch {
	case l.PageEnd < l.PageStart || l.PageStart == 0 && l.PageEnd > 0:
		r.Fail("pageStart and pageEnd are no range")
	case l.CharEnd < l.CharStart:
		r.Fail("charStart and charEnd are no range")
	case l.LineEnd < l.LineStart || l.LineStart == 0 && l.LineEnd > 0:
		r.Fail("lineStart and lineEnd are no range")
	}
}

func readBox(r *json.Reader) *Box {
	b, n := new(Box), 0
	for i := range r.Array() {
		v := r.Int()
		switch n = i + 1; i {
		case 0:
			b.Left = v
		case 1:
			b.Top = v
		case 2:
			b.Right = v
		case 3:
			b.Bottom = v
		}
	}
	if r.Err() == nil && (n != 4 || b.Right < b.Left || b.Bottom < b.Top) {
		r.Fail("expected a box: left, top, right and bottom")
	}
	return b
}

// readBlocks reads an array of blocks, and tells tick of each. They share the
// reader's memory.
func readBlocks(r *json.Reader, tick Tick) ([]Block, error) {
	list := []Block{}
	for range r.Array() {
		b := readBlock(r)
		if r.Err() != nil {
			return nil, nil
		}
		if err := stop(r, tick(b.size())); err != nil {
			return nil, err
		}
		list = append(list, b)
	}
	return list, nil
}

// size returns the bytes of a block's strings, and of what holds them.
func (b *Block) size() int {
	n := len(b.Type) + len(b.Text) + len(b.Language) + len(b.Alt)
	n += sizeOf(b.Items) + sizeOf(b.Headers)
	for _, row := range b.Rows {
		n += 24 + sizeOf(row)
	}
	return n
}

func sizeOf(list []string) int {
	n := 16 * len(list)
	for _, s := range list {
		n += len(s)
	}
	return n
}

// ReadBlocks reads one JSON array of blocks. It fails with [JSONInvalid] or
// [CorpusInvalid]. The blocks share the input's memory.
func ReadBlocks(in []byte) ([]Block, error) {
	r := json.NewReader(in)
	list, _ := readBlocks(r, unbounded)
	if err := done(r, CorpusInvalid); err != nil {
		return nil, err
	}
	return list, nil
}

// AppendBlocks appends blocks as a canonical JSON array.
func AppendBlocks(dst []byte, list []Block) []byte {
	w := json.NewWriter(dst)
	writeBlocks(w, list)
	return w.Bytes()
}

func writeBlocks(w *json.Writer, list []Block) {
	w.BeginArray()
	for i := range list {
		list[i].write(w)
	}
	w.EndArray()
}

// write writes the members that the block's type has.
func (b *Block) write(w *json.Writer) {
	w.BeginObject()
	if b.Type == BlockImage {
		w.Name("alt")
		w.String(b.Alt)
	}
	if b.Type == BlockTable && len(b.Headers) > 0 {
		w.Name("headers")
		writeTexts(w, b.Headers)
	}
	if b.Type == BlockList {
		w.Name("items")
		writeTexts(w, b.Items)
	}
	if b.Type == BlockCode {
		optional(w, "language", b.Language)
	}
	if b.Type == BlockHeading {
		w.Name("level")
		w.Int(b.Level)
	}
	if b.Location != nil {
		b.Location.write(w)
	}
	switch b.Type {
	case BlockList:
		w.Name("ordered")
		w.Bool(b.Ordered)
	case BlockTable:
		w.Name("rows")
		w.BeginArray()
		for _, row := range b.Rows {
			writeTexts(w, row)
		}
		w.EndArray()
	case BlockImage, BlockPageBreak:
	default:
		w.Name("text")
		w.String(b.Text)
	}
	w.Name("type")
	w.String(b.Type)
	w.EndObject()
}

// write writes the member location, unless all of it is absent.
func (l *Location) write(w *json.Writer) {
	if *l == (Location{}) {
		return
	}
	w.Name("location")
	w.BeginObject()
	if b := l.BoundingBox; b != nil {
		w.Name("boundingBox")
		w.BeginArray()
		for _, v := range [...]int64{b.Left, b.Top, b.Right, b.Bottom} {
			w.Int(v)
		}
		w.EndArray()
	}
	optional(w, "cellRange", l.CellRange)
	if l.CharEnd > 0 {
		w.Name("charEnd")
		w.Int(l.CharEnd)
		w.Name("charStart")
		w.Int(l.CharStart)
	}
	count(w, "lineEnd", l.LineEnd)
	count(w, "lineStart", l.LineStart)
	count(w, "pageEnd", l.PageEnd)
	count(w, "pageStart", l.PageStart)
	optional(w, "section", l.Section)
	optional(w, "sheet", l.Sheet)
	count(w, "slide", l.Slide)
	w.EndObject()
}

// count writes a member that counts from 1, unless it is 0.
func count(w *json.Writer, name string, n int64) {
	if n > 0 {
		w.Name(name)
		w.Int(n)
	}
}
