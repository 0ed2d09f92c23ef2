package abi

import (
	"slices"

	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A SearchPlan is what one instance says of its part of an index (ABI.md §4.10):
// its live chunks with the content tokens of their fields, all tokens, and in how
// many live chunks each entry of the query stands; and for each word that does not
// occur in this instance the candidates that it has.
type SearchPlan struct {
	Documents, Chunks         int64
	Title, Heading, Body, All int64
	Counts                    []int64
	Unknown                   []UnknownWord
	Vectors                   VectorSet
}

// A VectorSet says which vectors an index has: none where Model is "", and then what
// degraded says of it, "" for an index that never had any.
type VectorSet struct {
	Model      string // the digest of the model that made them
	External   bool
	Dimensions int64
	Background int64 // of the model, in thousandths
	Absent     string
}

// An UnknownWord is a unit of the query with the terms it may have been meant as.
type UnknownWord struct {
	Unit  int64
	Terms []CandidateTerm
}

// A CandidateTerm is a term with the number of edits that lead to it, and of the live
// chunks it stands in.
type CandidateTerm struct {
	Text           string
	Distance, Live int64
}

// SearchStatistics say of each word that is taken for another in how many live chunks
// of one instance that one is.
//
// Where the vectors take part, Histogram counts those that may be hits by the number of
// signs in which they differ from the query's.
//
// Apart says that there are several quoted phrases, and no chunk here that may be a hit has
// all of them.
type SearchStatistics struct {
	Apart     bool
	Corrected []CorrectedWord
	Histogram []int64
}

// A CorrectedWord is a unit of the query, and what it is taken for with the number of
// the live chunks that have it, and that have its stem.
type CorrectedWord struct {
	Unit       int64
	Text       string
	Live, Stem int64
}

// A SearchPartial is what one instance found.
type SearchPartial struct {
	Matched int64 // chunks or documents, where they were counted
	Passed  int64 // live chunks that the filters pass
	Unmet   Unmet // of this instance
	Hits    []Found
}

// A SearchCall is the request of search, and with its further members those of the
// rounds.
type SearchCall struct {
	Names
	Corpus     string
	Handle     int64
	Settings   Settings
	Search     SearchRequest
	Plans      []SearchPlan
	Statistics []SearchStatistics
	Partials   []SearchPartial

	QueryVector []int8 // nil: the engine makes it, if it can
}

// ReadSearchCall reads the request of an export that needs the given members
// beside search.
func ReadSearchCall(in []byte, needed ...string) (SearchCall, error) {
	r := json.NewReader(orEmpty(in))
	q := SearchCall{Settings: DefaultSettings()}
	required := append([]string{"search"}, needed...)
	known := append(slices.Clone(required), "queryVector")
	for i, name := range required {
		if name == "model" || name == "vectors" {
			required = required[:i] // optional ones come last
			break
		}
	}
	members(r, known, required, func(member string) {
		switch member {
		case "search":
			q.Search = searchRequest(r)
		case "handle":
			q.Handle = r.Int()
		case "engine":
			q.Engine = name(r)
		case "model":
			q.Model = name(r)
		case "vectors":
			q.Vectors = name(r)
		case "corpus":
			q.Corpus = digest(r)
		case "queryVector":
			q.QueryVector = readVector(r)
		case "settings":
			q.Settings = readSettings(r)
		case "plans":
			for range r.Array() {
				q.Plans = append(q.Plans, readSearchPlan(r))
			}
		case "statistics":
			for range r.Array() {
				q.Statistics = append(q.Statistics, readSearchStatistics(r))
			}
		case "partials":
			for range r.Array() {
				q.Partials = append(q.Partials, readSearchPartial(r))
			}
		}
	})
	if err := done(r, RequestInvalid); err != nil {
		return q, err
	}
	return q, q.Search.Check()
}

var planMembers = []string{"all", "body", "chunks", "counts", "documents", "heading", "title", "unknown", "vectorSet"}

func readSearchPlan(r *json.Reader) SearchPlan {
	var p SearchPlan
	members(r, planMembers, planMembers[:len(planMembers)-1], func(name string) {
		switch name {
		case "vectorSet":
			p.Vectors = readVectorSet(r)
		case "unknown":
			for range r.Array() {
				p.Unknown = append(p.Unknown, readUnknown(r))
			}
		case "all":
			p.All = natural(r)
		case "body":
			p.Body = natural(r)
		case "chunks":
			p.Chunks = natural(r)
		case "counts":
			for range r.Array() {
				p.Counts = append(p.Counts, natural(r))
			}
		case "documents":
			p.Documents = natural(r)
		case "heading":
			p.Heading = natural(r)
		case "title":
			p.Title = natural(r)
		}
	})
	return p
}

// Append appends a SearchPlan.
func (p *SearchPlan) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	p.write(w)
	return w.Bytes()
}

func (p *SearchPlan) write(w *json.Writer) {
	w.BeginObject()
	w.Name("all")
	w.Int(p.All)
	w.Name("body")
	w.Int(p.Body)
	w.Name("chunks")
	w.Int(p.Chunks)
	w.Name("counts")
	writeNumbers(w, p.Counts)
	w.Name("documents")
	w.Int(p.Documents)
	w.Name("heading")
	w.Int(p.Heading)
	w.Name("title")
	w.Int(p.Title)
	w.Name("unknown")
	w.BeginArray()
	for _, u := range p.Unknown {
		u.write(w)
	}
	w.EndArray()
	p.Vectors.write(w)
	w.EndObject()
}

// write writes a VectorSet as a member, unless there are no vectors.
func (v *VectorSet) write(w *json.Writer) {
	if *v == (VectorSet{}) {
		return
	}
	w.Name("vectorSet")
	w.BeginObject()
	optional(w, "absent", v.Absent)
	if v.Background > 0 {
		w.Name("background")
		w.Int(v.Background)
	}
	w.Name("dimensions")
	w.Int(v.Dimensions)
	w.Name("external")
	w.Bool(v.External)
	optional(w, "model", v.Model)
	w.EndObject()
}

// Nearness returns a cosine as it would be by a model whose background is 0, in
// nano-units: how far it stands above the background, of how far it can.
func (v *VectorSet) Nearness(cosine int64) int64 {
	const one, thousandth = 1_000_000_000, 1_000_000
	if v.Background == 0 {
		return cosine
	}
	background := v.Background * thousandth
	return max(cosine-background, 0) * one / (one - background)
}

func readVectorSet(r *json.Reader) (v VectorSet) {
	members(r, []string{"absent", "background", "dimensions", "external", "model"}, nil, func(name string) {
		switch name {
		case "absent":
			v.Absent = r.String()
		case "background":
			if v.Background = natural(r); v.Background > MaxBackground {
				r.Fail("expected 0 to 900 thousandths")
			}
		case "dimensions":
			v.Dimensions = natural(r)
		case "external":
			v.External = r.Bool()
		case "model":
			v.Model = digest(r)
		}
	})
	return v
}

func writeNumbers(w *json.Writer, list []int64) {
	w.BeginArray()
	for _, n := range list {
		w.Int(n)
	}
	w.EndArray()
}

func readNumbers(r *json.Reader) []int64 {
	var list []int64
	for range r.Array() {
		list = append(list, natural(r))
	}
	return list
}

func readUnknown(r *json.Reader) UnknownWord {
	var u UnknownWord
	names := []string{"terms", "unit"}
	members(r, names, names, func(name string) {
		if name == "unit" {
			u.Unit = natural(r)
			return
		}
		for range r.Array() {
			u.Terms = append(u.Terms, readCandidate(r))
		}
	})
	return u
}

func readCandidate(r *json.Reader) CandidateTerm {
	var c CandidateTerm
	names := []string{"distance", "live", "text"}
	members(r, names, names, func(name string) {
		switch name {
		case "distance":
			c.Distance = natural(r)
		case "live":
			c.Live = natural(r)
		case "text":
			c.Text = r.String()
		}
	})
	return c
}

func (u *UnknownWord) write(w *json.Writer) {
	w.BeginObject()
	w.Name("terms")
	w.BeginArray()
	for _, c := range u.Terms {
		w.BeginObject()
		w.Name("distance")
		w.Int(c.Distance)
		w.Name("live")
		w.Int(c.Live)
		w.Name("text")
		w.String(c.Text)
		w.EndObject()
	}
	w.EndArray()
	w.Name("unit")
	w.Int(u.Unit)
	w.EndObject()
}

func readSearchStatistics(r *json.Reader) SearchStatistics {
	var s SearchStatistics
	names := []string{"corrected", "histogram", "apart"}
	members(r, names, names[:1], func(name string) {
		switch name {
		case "apart":
			s.Apart = r.Bool()
		case "histogram":
			s.Histogram = readNumbers(r)
		case "corrected":
			for range r.Array() {
				s.Corrected = append(s.Corrected, readCorrected(r))
			}
		}
	})
	return s
}

func readCorrected(r *json.Reader) CorrectedWord {
	var c CorrectedWord
	names := []string{"live", "stem", "text", "unit"}
	members(r, names, names, func(name string) {
		switch name {
		case "live":
			c.Live = natural(r)
		case "stem":
			c.Stem = natural(r)
		case "text":
			c.Text = r.String()
		case "unit":
			c.Unit = natural(r)
		}
	})
	return c
}

// Append appends SearchStatistics.
func (s *SearchStatistics) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	s.write(w)
	return w.Bytes()
}

func (s *SearchStatistics) write(w *json.Writer) {
	w.BeginObject()
	if s.Apart {
		w.Name("apart")
		w.Bool(true)
	}
	w.Name("corrected")
	w.BeginArray()
	for _, c := range s.Corrected {
		w.BeginObject()
		w.Name("live")
		w.Int(c.Live)
		w.Name("stem")
		w.Int(c.Stem)
		w.Name("text")
		w.String(c.Text)
		w.Name("unit")
		w.Int(c.Unit)
		w.EndObject()
	}
	w.EndArray()
	if s.Histogram != nil {
		w.Name("histogram")
		writeNumbers(w, s.Histogram)
	}
	w.EndObject()
}

func readSearchPartial(r *json.Reader) SearchPartial {
	var p SearchPartial
	names := []string{"hits", "matched", "passed", "unmet"}
	members(r, names, names[:3], func(name string) {
		switch name {
		case "unmet":
			p.Unmet = readUnmet(r)
		case "matched":
			p.Matched = natural(r)
		case "passed":
			p.Passed = natural(r)
		case "hits":
			for range r.Array() {
				p.Hits = append(p.Hits, readFoundPart(r))
			}
		}
	})
	return p
}

func readUnmet(r *json.Reader) (u Unmet) {
	members(r, []string{"collections", "documents", "fields"}, nil, func(name string) {
		switch name {
		case "collections":
			u.Collections = texts(r)
		case "documents":
			u.Documents = texts(r)
		case "fields":
			u.Fields = texts(r)
		}
	})
	return u
}

var foundMembers = []string{
	"chunk", "chunks", "collection", "context", "cosine", "doc", "frontMatter", "headings", "id", "key", "lines", "matchedHeadings", "metadata", "near", "parts", "path",
	"range", "score", "text", "tier", "title", "units",
}

var foundRequired = []string{"chunk", "doc", "id", "key", "lines", "score", "tier", "units"}

// readFoundPart reads a hit of a SearchPartial.
func readFoundPart(r *json.Reader) Found {
	var f Found
	var x Excerpt
	hasText := false
	members(r, foundMembers, foundRequired, func(name string) {
		switch name {
		case "chunk":
			f.Chunk = natural(r)
		case "chunks":
			f.Chunks = natural(r)
		case "collection":
			f.Collection = r.String()
		case "context":
			f.Context = &Context{}
			each(r, func(name string) bool {
				switch name {
				case "from":
					f.Context.From = natural(r)
				case "text":
					f.Context.Text = r.String()
				case "to":
					f.Context.To = natural(r)
				default:
					return false
				}
				return true
			})
		case "cosine":
			f.Cosine = r.Int()
		case "doc":
			f.Doc = digest(r)
		case "frontMatter":
			f.Front = readFront(r)
		case "headings":
			f.Headings = texts(r)
		case "id":
			f.ID = r.String()
		case "key":
			f.Stable = r.String()
		case "lines":
			readInts(r, "from", &f.FirstLine, "to", &f.LastLine)
		case "matchedHeadings":
			f.Matched = texts(r)
		case "metadata":
			f.Metadata = string(r.Raw())
		case "near":
			f.Near = r.Bool()
		case "parts":
			for range r.Array() {
				f.Parts = append(f.Parts, readPart(r))
			}
		case "path":
			f.Path = r.String()
		case "range":
			readInts(r, "from", &x.From, "of", &x.Of, "to", &x.To)
		case "score":
			f.Score = r.Nano()
		case "text":
			x.Text, hasText = r.String(), true
		case "tier":
			f.Tier = natural(r)
		case "title":
			f.Title = r.String()
		case "units":
			f.Units = readNumbers(r)
		}
	})
	if hasText {
		f.Text = &x
	}
	return f
}

func readPart(r *json.Reader) Part {
	var p Part
	each(r, func(name string) bool {
		switch name {
		case "count":
			p.Count = r.Int()
		case "form":
			p.Form = r.String()
		case "length":
			p.Length = r.Int()
		case "live":
			p.Live = r.Int()
		case "score":
			p.Score = r.Nano()
		case "text":
			p.Text = r.String()
		case "weight":
			p.Weight = r.Nano()
		default:
			return false
		}
		return true
	})
	return p
}

// Append appends a SearchPartial.
func (p *SearchPartial) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("hits")
	w.BeginArray()
	for i := range p.Hits {
		p.Hits[i].writePart(w)
	}
	w.EndArray()
	w.Name("matched")
	w.Int(p.Matched)
	w.Name("passed")
	w.Int(p.Passed)
	p.Unmet.write(w)
	w.EndObject()
	return w.Bytes()
}

func (f *Found) writePart(w *json.Writer) {
	w.BeginObject()
	w.Name("chunk")
	w.Int(f.Chunk)
	if f.Chunks > 0 {
		w.Name("chunks")
		w.Int(f.Chunks)
	}
	optional(w, "collection", f.Collection)
	f.Context.write(w)
	if f.Cosine != 0 {
		w.Name("cosine")
		w.Int(f.Cosine)
	}
	w.Name("doc")
	w.String(f.Doc)
	writeFront(w, f.Front)
	if len(f.Headings) > 0 {
		w.Name("headings")
		writeTexts(w, f.Headings)
	}
	w.Name("id")
	w.String(f.ID)
	w.Name("key")
	w.String(f.Stable)
	f.writeLines(w)
	if f.Chunks > 0 {
		w.Name("matchedHeadings")
		writeTexts(w, f.Matched)
	}
	if f.Metadata != "" {
		w.Name("metadata")
		w.Raw([]byte(f.Metadata))
	}
	if f.Near {
		w.Name("near")
		w.Bool(true)
	}
	writeParts(w, f.Parts)
	optional(w, "path", f.Path)
	f.Text.writeRange(w)
	w.Name("score")
	w.Nano(f.Score)
	f.Text.writeText(w)
	w.Name("tier")
	w.Int(f.Tier)
	optional(w, "title", f.Title)
	w.Name("units")
	writeNumbers(w, f.Units)
	w.EndObject()
}
