package abi

import (
	"slices"

	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// Names are what a reply calls its engine, model and vectors; the host that
// opened the files knows them.
type Names struct {
	Engine  string
	Model   string // optional
	Vectors string // optional
}

// A Reply is the result of retrieve (ABI.md §3.3).
type Reply struct {
	Names
	Corpus   string
	Settings *Settings // of the index that ranked; nil: none did
	Request  Request
	Hits     []Hit
	Audit    Audit
	Verdict  string
	Reason   string // with no_answer
	Degraded []string
	Omitted  Omitted
	Work     Work
	Digest   string
}

// The verdicts and their reasons.
const (
	Answered      = "answered"
	Weak          = "weak"
	NoAnswer      = "no_answer"
	EmptyCorpus   = "empty_corpus"
	OnlyStopWords = "only_stop_words"
	NoMatch       = "no_match"
	BelowEvidence = "below_evidence"
)

// A Hit is a document that was found.
type Hit struct {
	Rank       int64
	ID         string
	Chunk      int64
	Doc        string
	Score      int64 // nano-units
	Needs      []Pick
	Fill       bool
	Title      string
	Path       string
	Collection string
	Text       *Excerpt // nil where no text was asked for
	Explain    *Place   // nil without explain
	Tier       int64
	Place      *ChunkPlace // nil: the hit is the document
}

// A Pick says at which place of which need's ranking a hit stands.
type Pick struct {
	Index   int64
	Rank    int64
	Score   int64
	Explain *Explain
}

// An Excerpt is a part of a document's text; From, To and Of count UTF-16 units.
type Excerpt struct {
	Text         string
	From, To, Of int64
}

// A Place explains why a hit stands above the next.
type Place struct {
	Key  uint32
	Rule string
}

// An Explain takes a score apart: the cosine's, that of an index, or one that the
// caller gave.
type Explain struct {
	Dot, QueryNorm, DocumentNorm int64
	Terms                        []TermProduct
	Given                        *int64
	Parts                        []Part // of a profile that ranks by an index
	Legs                         []Leg  // where the vector leg took part
}

// A TermProduct is a term's part of a dot product.
type TermProduct struct {
	Term                     string
	Query, Document, Product int64
}

// An Audit records what was done.
type Audit struct {
	Seed         string
	Query        string
	RecallBudget int64
	Subqueries   []Subquery
}

// A Subquery is a need with its share and what it gave. Of the reply of
// decompose, what it gave is no part.
type Subquery struct {
	Index       int64
	Text        string
	Weight      int64
	Budget      int64
	Matched     int64
	Contributed []string
	Verdict     string // of a need with a slot, by a profile that ranks by an index; else ""
	QueryVector []int8 // that ranked for it, where it cannot be made again; else nil
}

// Omitted says what is not among the hits. Pool is as in a SearchReply.
type Omitted struct{ Documents, Slots, Pool int64 }

// Work counts logical units (ABI.md §5).
type Work struct{ Chunks, Needs, Vectors, Units int64 }

// Append appends a Reply as canonical JSON. The digest is a function of the other
// members: of the same bytes without it.
func (p *Reply) Append(dst []byte, digest func(unsealed []byte) string) []byte {
	return sealed(dst, p.unsealed, &p.Digest, digest)
}

// sealed appends what unsealed does with the member digest, which it also sets, at
// the place that unsealed returns.
func sealed(dst []byte, unsealed func(dst []byte) (out []byte, at int), to *string, digest func(unsealed []byte) string) []byte {
	start := len(dst)
	dst, at := unsealed(dst)
	*to = digest(dst[start:])
	member := append(json.AppendString([]byte(`"digest":`), *to), ',')
	return slices.Insert(dst, at, member...)
}

// unsealed appends a Reply without its digest, and returns where that belongs.
func (p *Reply) unsealed(dst []byte) (out []byte, at int) {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("audit")
	p.Audit.write(w)
	w.Name("corpus")
	w.String(p.Corpus)
	w.Name("degraded")
	writeTexts(w, p.Degraded)
	at = w.Len() + 1 // after the comma
	w.Name("engine")
	w.String(p.Engine)
	w.Name("hits")
	w.BeginArray()
	for i := range p.Hits {
		p.Hits[i].write(w)
	}
	w.EndArray()
	optional(w, "model", p.Model)
	w.Name("omitted")
	p.Omitted.write(w)
	optional(w, "reason", p.Reason)
	w.Name("request")
	p.Request.write(w)
	w.Name("schema")
	w.Int(Schema)
	if p.Settings != nil {
		w.Name("settings")
		p.Settings.write(w)
	}
	optional(w, "vectors", p.Vectors)
	w.Name("verdict")
	w.String(p.Verdict)
	w.Name("work")
	p.Work.write(w)
	w.EndObject()
	return w.Bytes(), at
}

func (o *Omitted) write(w *json.Writer) {
	w.BeginObject()
	w.Name("documents")
	w.Int(o.Documents)
	if o.Pool > 0 {
		w.Name("pool")
		w.Int(o.Pool)
	}
	w.Name("slots")
	w.Int(o.Slots)
	w.EndObject()
}

func (k *Work) write(w *json.Writer) {
	w.BeginObject()
	w.Name("chunks")
	w.Int(k.Chunks)
	w.Name("needs")
	w.Int(k.Needs)
	w.Name("units")
	w.Int(k.Units)
	if k.Vectors > 0 {
		w.Name("vectors")
		w.Int(k.Vectors)
	}
	w.EndObject()
}

func (a *Audit) write(w *json.Writer) {
	w.BeginObject()
	w.Name("query")
	w.String(a.Query)
	w.Name("recallBudget")
	w.Int(a.RecallBudget)
	w.Name("seed")
	w.String(a.Seed)
	w.Name("subqueries")
	w.BeginArray()
	for i := range a.Subqueries {
		a.Subqueries[i].write(w, true)
	}
	w.EndArray()
	w.EndObject()
}

func (s *Subquery) write(w *json.Writer, result bool) {
	w.BeginObject()
	w.Name("budget")
	w.Int(s.Budget)
	if result {
		w.Name("contributed")
		writeTexts(w, s.Contributed)
	}
	w.Name("index")
	w.Int(s.Index)
	if result {
		w.Name("matched")
		w.Int(s.Matched)
	}
	if s.QueryVector != nil {
		w.Name("queryVector")
		writeVector(w, s.QueryVector)
	}
	w.Name("text")
	w.String(s.Text)
	optional(w, "verdict", s.Verdict)
	w.Name("weight")
	w.Int(s.Weight)
	w.EndObject()
}

func (h *Hit) write(w *json.Writer) {
	w.BeginObject()
	w.Name("chunk")
	w.Int(h.Chunk)
	optional(w, "collection", h.Collection)
	w.Name("doc")
	w.String(h.Doc)
	if h.Explain != nil {
		w.Name("explain")
		w.BeginObject()
		w.Name("key")
		w.Int(int64(h.Explain.Key))
		w.Name("rule")
		w.String(h.Explain.Rule)
		w.EndObject()
	}
	if h.Fill {
		w.Name("fill")
		w.Bool(true)
	}
	if h.Place != nil {
		writeFront(w, h.Place.Front)
	}
	if p := h.Place; p != nil && len(p.Headings) > 0 {
		w.Name("headings")
		writeTexts(w, p.Headings)
	}
	w.Name("id")
	w.String(h.ID)
	if p := h.Place; p != nil {
		w.Name("lines")
		writeInts(w, "from", p.FirstLine, "to", p.LastLine)
	}
	w.Name("needs")
	w.BeginArray()
	for i := range h.Needs {
		h.Needs[i].write(w)
	}
	w.EndArray()
	optional(w, "path", h.Path)
	h.Text.writeRange(w)
	w.Name("rank")
	w.Int(h.Rank)
	w.Name("score")
	w.Nano(h.Score)
	h.Text.writeText(w)
	if h.Tier > 0 {
		w.Name("tier")
		w.Int(h.Tier)
	}
	optional(w, "title", h.Title)
	w.EndObject()
}

func (p *Pick) write(w *json.Writer) {
	w.BeginObject()
	p.Explain.write(w)
	w.Name("index")
	w.Int(p.Index)
	w.Name("rank")
	w.Int(p.Rank)
	w.Name("score")
	w.Nano(p.Score)
	w.EndObject()
}

func (x *Excerpt) writeRange(w *json.Writer) {
	if x != nil {
		w.Name("range")
		writeInts(w, "from", x.From, "of", x.Of, "to", x.To)
	}
}

func (x *Excerpt) writeText(w *json.Writer) {
	if x != nil {
		w.Name("text")
		w.String(x.Text)
	}
}

// write writes the member explain, if there is one.
func (e *Explain) write(w *json.Writer) {
	if e == nil {
		return
	}
	w.Name("explain")
	if e.Given != nil {
		writeInts(w, "given", *e.Given)
		return
	}
	w.BeginObject()
	if e.Parts != nil {
		writeLegs(w, e.Legs)
		writeParts(w, e.Parts)
		w.EndObject()
		return
	}
	w.Name("documentNorm")
	w.Int(e.DocumentNorm)
	w.Name("dot")
	w.Int(e.Dot)
	w.Name("queryNorm")
	w.Int(e.QueryNorm)
	w.Name("terms")
	w.BeginArray()
	for _, t := range e.Terms {
		w.BeginObject()
		w.Name("document")
		w.Int(t.Document)
		w.Name("product")
		w.Int(t.Product)
		w.Name("query")
		w.Int(t.Query)
		w.Name("term")
		w.String(t.Term)
		w.EndObject()
	}
	w.EndArray()
	w.EndObject()
}

// writeInts writes an object of integers from names and values in turn.
func writeInts(w *json.Writer, namesAndValues ...any) {
	w.BeginObject()
	for i := 0; i < len(namesAndValues); i += 2 {
		w.Name(namesAndValues[i].(string))
		w.Int(namesAndValues[i+1].(int64))
	}
	w.EndObject()
}
