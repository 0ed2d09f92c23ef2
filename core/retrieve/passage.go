package retrieve

import (
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/internal/seed"
	"github.com/rookhaven-project/rookhaven/core/lexical"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

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
	p.Text = excerptOf(doc.Text[c.Start:c.End], r.request.Text, r.marker, h)
	if p.Chunk == 0 {
		p.Front = frontOf(doc.Text[:c.Start], r.request.Text, r.marker)
	}
	p.Context = r.context(part, &doc, chunk)
	return p
}

// excerptOf cuts from the text of a hit what a request asks for.
func excerptOf(s, kind string, marker *lexical.Marker, h lexical.Hit) *abi.Excerpt {
	if kind == abi.TextNone {
		return nil
	}
	units := seed.Units(s)
	if kind == abi.TextFull || units <= snippetUnits {
		return &abi.Excerpt{Text: s, To: int64(units), Of: int64(units)}
	}
	return snippet(s, marker.Densest(h, s, snippetUnits-snippetLead), units)
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
		if !r.search.Matches(h.Part, chunk) {
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
