package abi

import "github.com/rookhaven-project/rookhaven/wasm/abi/json"

// A SearchReply is the result of search (ABI.md §3.6).
type SearchReply struct {
	Names
	Corpus    string
	Settings  Settings
	Request   SearchRequest
	Hits      []Found
	Total     *int64 // nil: not counted
	Corrected []Correction
	Verdict   string
	Reason    string
	Evidence  Evidence
	Degraded  []string
	Omitted   int64 // hits of the page that abstain or the budget left out
	Pool      int64 // with the last page of both legs: how many chunks each brings up at most, where more may match; else 0
	Work      SearchWork
	Unmet     Unmet
	Cursor    string // of the next page; "" where there is none
	Query     []int8 // the vector of the query, where it cannot be made again; nil else
	Digest    string
}

// An Unmet lists what a request restricts hits to and no live document meets: fields
// of its filters, collections and documents, each sorted.
type Unmet struct{ Fields, Collections, Documents []string }

// write writes an Unmet as a member, if it lists anything.
func (u *Unmet) write(w *json.Writer) {
	if len(u.Fields)+len(u.Collections)+len(u.Documents) == 0 {
		return
	}
	w.Name("unmet")
	w.BeginObject()
	for _, l := range []struct {
		name string
		list []string
	}{{"collections", u.Collections}, {"documents", u.Documents}, {"fields", u.Fields}} {
		if len(l.list) > 0 {
			w.Name(l.name)
			writeTexts(w, l.list)
		}
	}
	w.EndObject()
}

// Further reasons.
const (
	NoWords     = "no_words"
	FilteredOut = "filtered_out"
)

// What degraded says of a query that was not answered as it was asked.
const (
	TermsOmitted = "query:terms_omitted" // it has more terms than are searched
	PhrasesApart = "query:phrases_apart" // no passage has all its quoted phrases
)

// What degraded says of a leg that did not take part though it was asked for.
const (
	VectorsAbsent   = "vectors:absent"   // the index has no vectors
	VectorsBuilding = "vectors:building" // they are being made
	VectorsDamaged  = "vectors:corrupt"  // those that it had are damaged
	QueryAbsent     = "model:absent"     // nothing made a vector of the query
)

// TokenBytes is how many bytes of a reply count as a token of its budget.
const TokenBytes = 3

// A Correction is a word of the query that does not occur, and the one that was
// searched instead.
type Correction struct{ From, To string }

// Evidence says what the verdict rests on, in nano-units of idf: what the query
// asks for together, the most that one passage holds of it, and what the best
// hold together; and how near the best score comes to the greatest. Missing are the identifiers and quoted phrases that do not occur.
type Evidence struct {
	Asked, Passage, Together int64
	Score, Most              int64  // of the best hit, and what none can exceed
	Cosine                   *int64 // the best, in nano-units; nil: the vector leg took no part
	Missing                  []string
}

// A SearchWork counts logical units.
type SearchWork struct{ Chunks, Postings, Vectors, Units int64 }

// A Passage is a chunk with what a reply says of it.
type Passage struct {
	ID, Doc, Stable         string
	Chunk                   int64
	Title, Path, Collection string
	Metadata                string // canonical JSON
	Headings                []string
	FirstLine, LastLine     int64
	Text                    *Excerpt
	Front                   []FrontLine // of the first chunk: lines before it that hold what is asked for
	Context                 *Context
	Chunks                  int64    // collapsed: how many of the document match
	Matched                 []string // collapsed: the headings of those
}

// A FrontLine is a line of a document's front matter.
type FrontLine struct {
	Line int64 // of the document's text, from 1
	Text string
}

// writeFront writes the member frontMatter, if there are lines.
func writeFront(w *json.Writer, lines []FrontLine) {
	if len(lines) == 0 {
		return
	}
	w.Name("frontMatter")
	w.BeginArray()
	for _, l := range lines {
		w.BeginObject()
		w.Name("line")
		w.Int(l.Line)
		w.Name("text")
		w.String(l.Text)
		w.EndObject()
	}
	w.EndArray()
}

func readFront(r *json.Reader) (lines []FrontLine) {
	names := []string{"line", "text"}
	for range r.Array() {
		var l FrontLine
		members(r, names, names, func(name string) {
			if name == "line" {
				l.Line = natural(r)
			} else {
				l.Text = r.String()
			}
		})
		lines = append(lines, l)
	}
	return lines
}

// A Context is the text around a hit: chunks From to To of its document.
type Context struct {
	Text     string
	From, To int64
}

// A Found is a passage at its place in the ranking.
type Found struct {
	Passage
	Rank     int64
	Tier     int64
	Score    int64 // nano-units; in a SearchPartial that of the lexical leg
	Cosine   int64 // nano-units, where the vector leg takes part
	Near     bool  // in a SearchPartial: the vector leg ranks it
	Evidence int64 // how near the score comes to the most, in nano-units
	Units    []int64
	Words    []string // of the query, that the passage holds
	Parts    []Part   // with explain
	Legs     []Leg    // shown with explain, where the vector leg takes part
	Ref      int      // for the engine
	Rule     string   // with explain
	Key      uint32   // with explain
}

// A Leg is what one leg adds to the score of a hit: the shares of all add up to it.
type Leg struct {
	Name  string // LegLexical or LegVector
	Rank  int64  // in the leg; 0: not among those that it brings up
	Score int64  // nano-units: of the terms together, or the cosine
	Share int64  // nano-units
}

// The names of legs.
const (
	LegLexical = "lexical"
	LegVector  = "vector"
)

// A Part is what one term adds to a score.
type Part struct {
	Text   string
	Form   string // exact, stem, prefix or phrase
	Count  int64  // weighted by field
	Length int64  // of the chunk
	Live   int64  // chunks with it
	Weight int64  // its idf by its weight, in nano-units
	Score  int64  // nano-units
}

// Append appends a SearchReply as canonical JSON. The digest is a function of the
// other members.
func (p *SearchReply) Append(dst []byte, digest func(unsealed []byte) string) []byte {
	return sealed(dst, p.unsealed, &p.Digest, digest)
}

// Size returns how many bytes a SearchReply takes.
func (p *SearchReply) Size() int64 {
	out, _ := p.unsealed(nil)
	return int64(len(out) + len(`"digest":"",`) + digestSize)
}

func (p *SearchReply) unsealed(dst []byte) (out []byte, at int) {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("corpus")
	w.String(p.Corpus)
	w.Name("corrected")
	w.BeginArray()
	for _, c := range p.Corrected {
		w.BeginObject()
		w.Name("from")
		w.String(c.From)
		w.Name("to")
		w.String(c.To)
		w.EndObject()
	}
	w.EndArray()
	optional(w, "cursor", p.Cursor)
	w.Name("degraded")
	writeTexts(w, p.Degraded)
	at = w.Len() + 1 // after the comma
	w.Name("engine")
	w.String(p.Engine)
	w.Name("evidence")
	w.BeginObject()
	w.Name("asked")
	w.Nano(p.Evidence.Asked)
	if p.Evidence.Cosine != nil {
		w.Name("cosine")
		w.Nano(*p.Evidence.Cosine)
	}
	w.Name("missing")
	writeTexts(w, p.Evidence.Missing)
	w.Name("most")
	w.Nano(p.Evidence.Most)
	w.Name("passage")
	w.Nano(p.Evidence.Passage)
	w.Name("score")
	w.Nano(p.Evidence.Score)
	w.Name("together")
	w.Nano(p.Evidence.Together)
	w.EndObject()
	w.Name("hits")
	w.BeginArray()
	for i := range p.Hits {
		p.Hits[i].write(w)
	}
	w.EndArray()
	optional(w, "model", p.Model)
	w.Name("omitted")
	w.BeginObject()
	w.Name("hits")
	w.Int(p.Omitted)
	if p.Pool > 0 {
		w.Name("pool")
		w.Int(p.Pool)
	}
	w.EndObject()
	if p.Query != nil {
		w.Name("queryVector")
		writeVector(w, p.Query)
	}
	optional(w, "reason", p.Reason)
	w.Name("request")
	p.Request.write(w)
	w.Name("schema")
	w.Int(Schema)
	w.Name("settings")
	p.Settings.write(w)
	if p.Total != nil {
		w.Name("total")
		w.Int(*p.Total)
	} else {
		w.Name("totalReason")
		w.String("not_counted")
	}
	p.Unmet.write(w)
	optional(w, "vectors", p.Vectors)
	w.Name("verdict")
	w.String(p.Verdict)
	w.Name("work")
	p.Work.write(w)
	w.EndObject()
	return w.Bytes(), at
}

func (s *SearchWork) write(w *json.Writer) {
	w.BeginObject()
	w.Name("chunks")
	w.Int(s.Chunks)
	w.Name("postings")
	w.Int(s.Postings)
	w.Name("units")
	w.Int(s.Units)
	if s.Vectors > 0 {
		w.Name("vectors")
		w.Int(s.Vectors)
	}
	w.EndObject()
}

// Size returns how many bytes a hit of a SearchReply takes.
func (f *Found) Size() int64 {
	w := json.NewWriter(nil)
	f.write(w)
	return int64(w.Len())
}

// write writes a hit of a SearchReply.
func (f *Found) write(w *json.Writer) {
	w.BeginObject()
	w.Name("chunk")
	w.Int(f.Chunk)
	if f.Chunks > 0 {
		w.Name("chunks")
		w.Int(f.Chunks)
	}
	optional(w, "collection", f.Collection)
	f.Context.write(w)
	w.Name("doc")
	w.String(f.Doc)
	w.Name("evidence")
	w.Nano(f.Evidence)
	if f.Rule != "" {
		w.Name("explain")
		w.BeginObject()
		w.Name("key")
		w.Int(int64(f.Key))
		writeLegs(w, f.Legs)
		writeParts(w, f.Parts)
		w.Name("rule")
		w.String(f.Rule)
		w.EndObject()
	}
	writeFront(w, f.Front)
	if len(f.Headings) > 0 {
		w.Name("headings")
		writeTexts(w, f.Headings)
	}
	w.Name("id")
	w.String(f.ID)
	f.writeLines(w)
	if f.Chunks > 0 {
		w.Name("matchedHeadings")
		writeTexts(w, f.Matched)
	}
	if f.Metadata != "" {
		w.Name("metadata")
		w.Raw([]byte(f.Metadata))
	}
	optional(w, "path", f.Path)
	f.Text.writeRange(w)
	w.Name("rank")
	w.Int(f.Rank)
	w.Name("score")
	w.Nano(f.Score)
	f.Text.writeText(w)
	if f.Tier > 0 {
		w.Name("tier")
		w.Int(f.Tier)
	}
	optional(w, "title", f.Title)
	w.Name("words")
	writeTexts(w, f.Words)
	w.EndObject()
}

func (p *Passage) writeLines(w *json.Writer) {
	w.Name("lines")
	writeInts(w, "from", p.FirstLine, "to", p.LastLine)
}

func (c *Context) write(w *json.Writer) {
	if c == nil {
		return
	}
	w.Name("context")
	w.BeginObject()
	w.Name("from")
	w.Int(c.From)
	w.Name("text")
	w.String(c.Text)
	w.Name("to")
	w.Int(c.To)
	w.EndObject()
}

// writeLegs writes the member legs, if there are any.
func writeLegs(w *json.Writer, legs []Leg) {
	if len(legs) == 0 {
		return
	}
	w.Name("legs")
	w.BeginArray()
	for _, l := range legs {
		w.BeginObject()
		w.Name("leg")
		w.String(l.Name)
		if l.Rank > 0 {
			w.Name("rank")
			w.Int(l.Rank)
		}
		w.Name("score")
		w.Nano(l.Score)
		w.Name("share")
		w.Nano(l.Share)
		w.EndObject()
	}
	w.EndArray()
}

// writeParts writes the member parts.
func writeParts(w *json.Writer, parts []Part) {
	w.Name("parts")
	w.BeginArray()
	for i := range parts {
		p := &parts[i]
		w.BeginObject()
		w.Name("count")
		w.Int(p.Count)
		w.Name("form")
		w.String(p.Form)
		w.Name("length")
		w.Int(p.Length)
		w.Name("live")
		w.Int(p.Live)
		w.Name("score")
		w.Nano(p.Score)
		w.Name("text")
		w.String(p.Text)
		w.Name("weight")
		w.Nano(p.Weight)
		w.EndObject()
	}
	w.EndArray()
}
