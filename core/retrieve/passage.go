package retrieve

import (
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/filter"
	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/internal/seed"
	"github.com/rookhaven-project/rookhaven/core/lexical"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// pass returns which chunks of each part the filters, collections and documents of
// a inquiry let through, nil for all, and how many live ones that are.
func (x *indexed) pass(a *inquiry, m *meter.Meter) (allowed []lexical.Bitmap, passed int64, err error) {
	if a.filter == nil && a.request.Collections == nil && a.request.Documents == nil {
		return nil, x.statistics.Chunks, nil
	}
	for _, part := range x.Parts {
		documents, err := a.documents(part, m)
		if err != nil {
			return nil, 0, err
		}
		b := lexical.NewBitmap(part.Chunks(), false)
		for chunk := range uint32(part.Chunks()) {
			if documents.Has(part.DocumentOf(chunk)) {
				b.Set(chunk)
				if part.IsLive(chunk) {
					passed++
				}
			}
		}
		allowed = append(allowed, b)
		if err := m.Add(part.Chunks()); err != nil {
			return nil, 0, err
		}
	}
	return allowed, passed, nil
}

// documents returns which documents of a part pass.
func (a *inquiry) documents(part *index.Part, m *meter.Meter) (lexical.Bitmap, error) {
	b := lexical.NewBitmap(part.Documents(), true)
	if a.filter != nil {
		for _, c := range a.filter.Conditions() {
			b.And(column(part, &c))
			if err := m.Add(part.Documents() / 8); err != nil {
				return nil, err
			}
		}
	}
	if a.request.Collections == nil && a.request.Documents == nil {
		return b, nil
	}
	for doc := range uint32(part.Documents()) {
		if !b.Has(doc) {
			continue
		}
		id, collection := part.Names(doc)
		if a.request.Documents != nil && !among(a.request.Documents, id) || a.request.Collections != nil && !among(a.request.Collections, collection) {
			b.Clear(doc)
		}
		if err := m.Add(16); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// among reports whether a sorted list has a string.
func among(list []string, s string) bool {
	_, ok := slices.BinarySearch(list, s)
	return ok
}

// column returns which documents of a part a condition lets through.
func column(part *index.Part, c *filter.Condition) lexical.Bitmap {
	column := part.Column(c.Field)
	b := lexical.NewBitmap(part.Documents(), false)
	selection := c.Select(column.Values(), column.Value)
	for _, r := range selection.Ranges {
		for i := r.Start; i < r.End; i++ {
			column.Documents(int(i), b.Set)
		}
	}
	if selection.Not {
		for i := range b {
			b[i] = ^b[i]
		}
	}
	return b
}

// passage returns what a reply says of a chunk; only of one that is shown, its
// texts.
func (r *round) passage(h lexical.Hit, shown bool) abi.Passage {
	part, chunk := r.corpus.lexical.Parts[h.Part], h.Chunk
	c := part.Chunk(chunk)
	doc := part.Record(c.Document)
	p := abi.Passage{
		ID: doc.ID, Doc: audit.Name(doc.Digest), Stable: doc.Stable(), Chunk: int64(chunk - doc.First),
		Title: doc.Shown, Path: doc.Path, Collection: doc.Collection, Metadata: doc.Metadata,
		Headings: part.Headings(c), FirstLine: int64(c.FirstLine), LastLine: int64(c.LastLine),
	}
	if !shown {
		return p
	}
	p.Text = excerptOf(doc.Text[c.Start:c.End], r.request.Text, r.search, h)
	p.Context = r.context(part, &doc, chunk)
	return p
}

// excerptOf cuts from the text of a hit what a request asks for.
func excerptOf(s, kind string, search *lexical.Search, h lexical.Hit) *abi.Excerpt {
	if kind == abi.TextNone {
		return nil
	}
	units := seed.Units(s)
	if kind == abi.TextFull || units <= snippetUnits {
		return &abi.Excerpt{Text: s, To: int64(units), Of: int64(units)}
	}
	return snippet(s, search.Densest(h, s, snippetUnits-snippetLead), units)
}

// The bounds of an expansion, in chunks.
const (
	maxSection  = 40
	maxDocument = 80
)

// context returns the text around a chunk, nil where none is asked for.
func (r *round) context(part *index.Part, doc *segment.Record, chunk uint32) *abi.Context {
	first, last := doc.First, doc.First+doc.Chunks-1
	from, to := chunk, chunk
	switch r.request.Expand.Type {
	case abi.ExpandNone:
		return nil
	case abi.ExpandNeighbors:
		from, to = chunk-min(uint32(r.request.Expand.Before), chunk-first), chunk+min(uint32(r.request.Expand.After), last-chunk)
	case abi.ExpandDocument:
		from, to = around(chunk, first, last, maxDocument, func(uint32) bool { return true })
	case abi.ExpandSection:
		path := part.Headings(part.Chunk(chunk))
		from, to = around(chunk, first, last, maxSection, func(i uint32) bool {
			return inSection(part.Headings(part.Chunk(i)), path)
		})
	}
	return &abi.Context{Text: doc.Text[part.Chunk(from).Start:part.Chunk(to).End], From: int64(from - first), To: int64(to - first)}
}

// inSection reports whether a heading path begins with the path of a hit; a hit
// without headings has only chunks without.
func inSection(path, hit []string) bool {
	if len(hit) == 0 {
		return len(path) == 0
	}
	return len(path) >= len(hit) && slices.Equal(path[:len(hit)], hit)
}

// around returns the run of chunks around one that belong to it, at most so many;
// those before it first.
func around(chunk, first, last uint32, most uint32, belongs func(i uint32) bool) (from, to uint32) {
	from, to = chunk, chunk
	for from > first && to-from+1 < most && belongs(from-1) {
		from--
	}
	for to < last && to-from+1 < most && belongs(to+1) {
		to++
	}
	return from, to
}

// collapsed counts the chunks of a hit's document that match, and collects their
// headings: each once, by the first spelling, in the order of the document.
func (r *round) collapsed(p *abi.Passage, h lexical.Hit) error {
	part := r.corpus.lexical.Parts[h.Part]
	first, count := part.Range(part.DocumentOf(h.Chunk))
	p.Matched = []string{}
	seen := map[string]bool{}
	for chunk := first; chunk < first+count; chunk++ {
		if len(r.search.Explain(lexical.Hit{Part: h.Part, Chunk: chunk})) == 0 {
			continue
		}
		p.Chunks++
		if path := part.Headings(part.Chunk(chunk)); len(path) > 0 {
			heading := path[len(path)-1]
			if key := lexical.Fold(heading); !seen[key] && strings.TrimLeft(heading, " ") != "" {
				seen[key] = true
				p.Matched = append(p.Matched, heading)
			}
		}
		if err := r.meter.Add(1000); err != nil {
			return err
		}
	}
	return nil
}
