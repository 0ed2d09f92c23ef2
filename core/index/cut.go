package index

import (
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/core/chunk"
	"github.com/rookhaven-project/rookhaven/core/filter"
	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// cut cuts a document into chunks: blocks and markdown by their sections, anything
// else by its paragraphs, or not at all.
func cut(d *abi.Document, settings abi.Settings, m *meter.Meter) (chunk.Document, error) {
	o := chunk.Options{
		Sizes:  chunk.Sizes{Target: settings.Target, Min: settings.Min, Max: settings.Max, Overlap: settings.Overlap},
		Levels: chunk.AllLevels,
		Meter:  m,
	}
	if d.Blocks != "" {
		if settings.Chunks == abi.ChunksWhole {
			o.Levels, o.Sizes = 0, chunk.Sizes{}
		}
		blocks, err := abi.ReadBlocks([]byte(d.Blocks))
		if err != nil {
			return chunk.Document{}, err
		}
		return chunk.Blocks(blocks, o)
	}
	switch {
	case settings.Chunks == abi.ChunksWhole:
		return chunk.Whole(d.Text), nil
	case isMarkdown(d.Path):
		return chunk.Markdown(d.Text, o)
	}
	return chunk.Plain(d.Text, o)
}

// IsPlain reports whether of each chunk of a document just its body is indexed, and the
// title.
func (x *Index) IsPlain(r *segment.Record) bool {
	return r.Blocks == "" && (x.Settings.Chunks == abi.ChunksWhole || !isMarkdown(r.Path))
}

// Text returns the text of a document: its own, or the one that its blocks make.
func Text(d *abi.Document) (string, error) {
	if d.Blocks == "" {
		return d.Text, nil
	}
	blocks, err := abi.ReadBlocks([]byte(d.Blocks))
	if err != nil {
		return "", err
	}
	c, err := chunk.Blocks(blocks, chunk.Options{})
	return c.Text, err
}

// isMarkdown reports whether a path ends as those of markdown do.
func isMarkdown(path string) bool {
	for _, ending := range []string{".md", ".markdown", ".mdx"} {
		if n := len(path) - len(ending); n >= 0 && lowerASCII(path[n:]) == ending {
			return true
		}
	}
	return false
}

func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// tokens yields the tokens of one chunk of a document. The first one has the front
// matter, too, so that every word of a text is found.
func (a *analyzer) tokens(title string, d *chunk.Document, i int, yield token) {
	c := &d.Chunks[i]
	field(segment.Title, title, 0, yield)
	place := uint32(0)
	for _, list := range [][]string{c.Headings, c.Merged} {
		for _, h := range list {
			place = field(segment.Heading, h, place, yield) + headingGap
		}
	}
	place = 0
	if i == 0 && d.Front.End > d.Front.Start {
		place = field(segment.Body, d.Text[d.Front.Start:d.Front.End], place, yield) + headingGap
	}
	if c.Prefix != "" {
		place = field(segment.Body, c.Prefix, place, yield) + headingGap
	}
	field(segment.Body, d.Text[c.Body:c.End], place, yield)
}

// A Reading is a document cut again from its kept text.
type Reading struct {
	analyzer *analyzer
	title    string
	first    uint32 // chunk
	cut      chunk.Document
}

// Read cuts a document of a part again.
func (x *Index) Read(p *Part, doc uint32, m *meter.Meter) (*Reading, error) {
	r := p.Record(doc)
	parts, err := cut(&r.Document, x.Settings, m)
	return &Reading{x.analyzer, r.Shown, r.First, parts}, err
}

// Tokens yields the tokens of a chunk of the document.
func (r *Reading) Tokens(chunk uint32, yield func(f segment.Field, term string, place uint32, aside bool)) {
	r.analyzer.tokens(r.title, &r.cut, int(chunk-r.first), yield)
}

// titleOf returns the title of a document: its own, else the one that its text has.
func titleOf(d *abi.Document, c *chunk.Document) string {
	if d.Title != "" {
		return d.Title
	}
	return c.Title
}

// attributes flattens the metadata of a document for the columns of a segment.
// Front matter says what the document itself does not.
func attributes(d *abi.Document, c *chunk.Document) ([]segment.Attribute, error) {
	pairs, err := flatten(d.Metadata)
	if err != nil {
		return nil, abi.Errorf(abi.CorpusInvalid, "document %q: %s", d.ID, err.Error())
	}
	if own, err := flatten(c.Front.Meta.String()); err == nil {
		given := fieldsOf(pairs)
		for _, p := range own {
			if !overlaps(given, p.Field) {
				pairs = append(pairs, p)
			}
		}
	}
	list := make([]segment.Attribute, len(pairs))
	for i, p := range pairs {
		list[i] = segment.Attribute{Path: p.Field, Value: p.Value}
	}
	return list, nil
}

// fieldsOf returns the fields of pairs, sorted.
func fieldsOf(pairs []filter.Pair) []string {
	list := make([]string, len(pairs))
	for i, p := range pairs {
		list[i] = p.Field
	}
	slices.Sort(list)
	return list
}

// overlaps reports whether a field is one of sorted ones, is inside one, or has one
// inside.
func overlaps(list []string, field string) bool {
	if i, ok := slices.BinarySearch(list, field+"."); ok || i < len(list) && strings.HasPrefix(list[i], field+".") {
		return true
	}
	for end := len(field); end >= 0; end = strings.LastIndexByte(field[:end], '.') {
		if _, ok := slices.BinarySearch(list, field[:end]); ok {
			return true
		}
	}
	return false
}

func flatten(metadata string) ([]filter.Pair, error) {
	if metadata == "" {
		return nil, nil
	}
	return filter.Flatten(nil, []byte(metadata))
}
