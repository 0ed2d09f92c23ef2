package abi

import "github.com/rookhaven-project/rookhaven/wasm/abi/json"

// An InstancePlan is what one instance says of its part of the corpus: a Plan
// of ABI.md §4.6. Lexical has a plan for each need with a slot, with a profile
// that ranks by an index.
type InstancePlan struct {
	Chunks  int64
	Lexical []SearchPlan
}

// A PartialResult is what one instance found: a Partial of ABI.md §4.6.
type PartialResult struct {
	Candidates int64
	Documents  []PartialDocument
	Needs      []PartialNeed
	Unknown    []string // nil without scores
}

// A PartialDocument is what the reply says of a document of a PartialResult.
type PartialDocument struct {
	ID, Doc, Stable         string
	Title, Path, Collection string
	Text                    *Excerpt
	Place                   *ChunkPlace // of the chunk that was ranked; nil: the document
}

// A ChunkPlace says where in its document a chunk stands.
type ChunkPlace struct {
	Chunk               int64
	Headings            []string
	FirstLine, LastLine int64
	Front               []FrontLine
}

// A PartialNeed is one instance's ranking for a need with a slot.
type PartialNeed struct {
	Index   int64
	Matched int64
	Hits    []PartialHit
}

// A PartialHit ranks the document at place At of the PartialResult. What it has beside
// its score is as in Found, and 0 without an index.
type PartialHit struct {
	At      int64
	Tier    int64
	Score   int64
	Cosine  int64
	Near    bool
	Units   []int64
	Explain *Explain
}

// A PlanRequest, PartialRequest and MergeRequest are the requests of the rounds.
type (
	PlanRequest struct {
		Handle       int64
		Request      Request
		QueryVectors [][]int8 // of the needs with a slot; nil: the vector leg takes no part, unless the engine makes them
	}
	PartialRequest struct {
		Handle       int64
		Request      Request
		QueryVectors [][]int8
		Plans        []InstancePlan
		Statistics   []InstanceStatistics // nil in the request of statistics
	}
	MergeRequest struct {
		Names
		Corpus   string
		Settings Settings
		Request  Request

		QueryVectors [][]int8
		Plans        []InstancePlan
		Statistics   []InstanceStatistics
		Partials     []PartialResult
	}
)

// InstanceStatistics are what one instance counts for each need with a slot.
type InstanceStatistics struct{ Needs []SearchStatistics }

var planRequestMembers = []string{"handle", "request", "queryVectors"}

// ReadPlanRequest reads the request of plan, which is also that of retrieve.
func ReadPlanRequest(in []byte) (PlanRequest, error) {
	r := json.NewReader(orEmpty(in))
	var q PlanRequest
	members(r, planRequestMembers, planRequestMembers[:2], func(name string) {
		switch name {
		case "handle":
			q.Handle = r.Int()
		case "request":
			q.Request = request(r)
		case "queryVectors":
			q.QueryVectors = readVectors(r)
		}
	})
	if err := done(r, RequestInvalid); err != nil {
		return q, err
	}
	return q, q.Request.Check()
}

var partialMembers = []string{"handle", "request", "plans", "statistics", "queryVectors"}

// ReadPartialRequest reads the request of statistics and of partial.
func ReadPartialRequest(in []byte) (PartialRequest, error) {
	r := json.NewReader(orEmpty(in))
	var q PartialRequest
	members(r, partialMembers, partialMembers[:3], func(name string) {
		switch name {
		case "handle":
			q.Handle = r.Int()
		case "request":
			q.Request = request(r)
		case "plans":
			q.Plans = readPlans(r)
		case "statistics":
			q.Statistics = readStatistics(r)
		case "queryVectors":
			q.QueryVectors = readVectors(r)
		}
	})
	if err := done(r, RequestInvalid); err != nil {
		return q, err
	}
	return q, q.Request.Check()
}

var mergeMembers = []string{"engine", "model", "vectors", "corpus", "request", "plans", "partials", "settings", "statistics", "queryVectors"}
var mergeRequired = []string{"engine", "corpus", "request", "plans", "partials"}

// ReadMergeRequest reads the request of merge.
func ReadMergeRequest(in []byte) (MergeRequest, error) {
	r := json.NewReader(orEmpty(in))
	q := MergeRequest{Settings: DefaultSettings()}
	members(r, mergeMembers, mergeRequired, func(member string) {
		switch member {
		case "engine":
			q.Engine = name(r)
		case "model":
			q.Model = name(r)
		case "vectors":
			q.Vectors = name(r)
		case "corpus":
			q.Corpus = digest(r)
		case "request":
			q.Request = request(r)
		case "plans":
			q.Plans = readPlans(r)
		case "partials":
			for range r.Array() {
				q.Partials = append(q.Partials, readPartial(r))
			}
		case "settings":
			q.Settings = readSettings(r)
		case "statistics":
			q.Statistics = readStatistics(r)
		case "queryVectors":
			q.QueryVectors = readVectors(r)
		}
	})
	if err := done(r, RequestInvalid); err != nil {
		return q, err
	}
	return q, q.Request.Check()
}

func readStatistics(r *json.Reader) []InstanceStatistics {
	list := []InstanceStatistics{}
	for range r.Array() {
		var s InstanceStatistics
		members(r, []string{"needs"}, []string{"needs"}, func(string) {
			for range r.Array() {
				s.Needs = append(s.Needs, readSearchStatistics(r))
			}
		})
		list = append(list, s)
	}
	return list
}

// Append appends InstanceStatistics.
func (s *InstanceStatistics) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("needs")
	w.BeginArray()
	for i := range s.Needs {
		s.Needs[i].write(w)
	}
	w.EndArray()
	w.EndObject()
	return w.Bytes()
}

func readPlans(r *json.Reader) []InstancePlan {
	var list []InstancePlan
	for range r.Array() {
		var p InstancePlan
		members(r, []string{"chunks", "lexical"}, []string{"chunks"}, func(name string) {
			if name == "chunks" {
				p.Chunks = natural(r)
				return
			}
			for range r.Array() {
				p.Lexical = append(p.Lexical, readSearchPlan(r))
			}
		})
		list = append(list, p)
	}
	return list
}

// Append appends a plan.
func (p *InstancePlan) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("chunks")
	w.Int(p.Chunks)
	if p.Lexical != nil {
		w.Name("lexical")
		w.BeginArray()
		for i := range p.Lexical {
			p.Lexical[i].write(w)
		}
		w.EndArray()
	}
	w.EndObject()
	return w.Bytes()
}

var partialResultMembers = []string{"candidates", "documents", "needs", "unknown"}

func readPartial(r *json.Reader) PartialResult {
	var p PartialResult
	members(r, partialResultMembers, partialResultMembers[:3], func(name string) {
		switch name {
		case "candidates":
			p.Candidates = natural(r)
		case "documents":
			for range r.Array() {
				p.Documents = append(p.Documents, readPartialDocument(r))
			}
		case "needs":
			for range r.Array() {
				p.Needs = append(p.Needs, readPartialNeed(r))
			}
		case "unknown":
			p.Unknown = texts(r)
		}
	})
	return p
}

var partialDocumentMembers = []string{"id", "doc", "key", "title", "path", "collection", "text", "range", "place"}

func readPartialDocument(r *json.Reader) PartialDocument {
	var d PartialDocument
	var x Excerpt
	hasText := false
	members(r, partialDocumentMembers, partialDocumentMembers[:3], func(name string) {
		switch name {
		case "id":
			d.ID = r.String()
		case "doc":
			d.Doc = digest(r)
		case "key":
			d.Stable = r.String()
		case "title":
			d.Title = r.String()
		case "path":
			d.Path = r.String()
		case "collection":
			d.Collection = r.String()
		case "text":
			x.Text, hasText = r.String(), true
		case "range":
			readInts(r, "from", &x.From, "of", &x.Of, "to", &x.To)
		case "place":
			d.Place = readChunkPlace(r)
		}
	})
	if hasText {
		d.Text = &x
	}
	return d
}

func readChunkPlace(r *json.Reader) *ChunkPlace {
	p := &ChunkPlace{}
	names := []string{"chunk", "headings", "lines", "frontMatter"}
	members(r, names, names[:3], func(name string) {
		switch name {
		case "chunk":
			p.Chunk = natural(r)
		case "frontMatter":
			p.Front = readFront(r)
		case "headings":
			p.Headings = texts(r)
		case "lines":
			readInts(r, "from", &p.FirstLine, "to", &p.LastLine)
		}
	})
	return p
}

var partialNeedMembers = []string{"index", "matched", "hits"}

func readPartialNeed(r *json.Reader) PartialNeed {
	var n PartialNeed
	members(r, partialNeedMembers, partialNeedMembers, func(name string) {
		switch name {
		case "index":
			n.Index = natural(r)
		case "matched":
			n.Matched = natural(r)
		case "hits":
			for range r.Array() {
				n.Hits = append(n.Hits, readPartialHit(r))
			}
		}
	})
	return n
}

var partialHitMembers = []string{"at", "score", "explain", "tier", "cosine", "near", "units"}

func readPartialHit(r *json.Reader) PartialHit {
	var h PartialHit
	members(r, partialHitMembers, partialHitMembers[:2], func(name string) {
		switch name {
		case "at":
			h.At = natural(r)
		case "score":
			h.Score = r.Nano()
		case "explain":
			h.Explain = readExplain(r)
		case "tier":
			h.Tier = natural(r)
		case "cosine":
			h.Cosine = r.Int()
		case "near":
			h.Near = r.Bool()
		case "units":
			h.Units = readNumbers(r)
		}
	})
	return h
}

// Append appends a partial result.
func (p *PartialResult) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("candidates")
	w.Int(p.Candidates)
	w.Name("documents")
	w.BeginArray()
	for i := range p.Documents {
		p.Documents[i].write(w)
	}
	w.EndArray()
	w.Name("needs")
	w.BeginArray()
	for i := range p.Needs {
		p.Needs[i].write(w)
	}
	w.EndArray()
	if p.Unknown != nil {
		w.Name("unknown")
		writeTexts(w, p.Unknown)
	}
	w.EndObject()
	return w.Bytes()
}

func (d *PartialDocument) write(w *json.Writer) {
	w.BeginObject()
	optional(w, "collection", d.Collection)
	w.Name("doc")
	w.String(d.Doc)
	w.Name("id")
	w.String(d.ID)
	w.Name("key")
	w.String(d.Stable)
	optional(w, "path", d.Path)
	if p := d.Place; p != nil {
		w.Name("place")
		w.BeginObject()
		w.Name("chunk")
		w.Int(p.Chunk)
		writeFront(w, p.Front)
		w.Name("headings")
		writeTexts(w, p.Headings)
		w.Name("lines")
		writeInts(w, "from", p.FirstLine, "to", p.LastLine)
		w.EndObject()
	}
	d.Text.writeRange(w)
	d.Text.writeText(w)
	optional(w, "title", d.Title)
	w.EndObject()
}

func (n *PartialNeed) write(w *json.Writer) {
	w.BeginObject()
	w.Name("hits")
	w.BeginArray()
	for i := range n.Hits {
		n.Hits[i].write(w)
	}
	w.EndArray()
	w.Name("index")
	w.Int(n.Index)
	w.Name("matched")
	w.Int(n.Matched)
	w.EndObject()
}

func (h *PartialHit) write(w *json.Writer) {
	w.BeginObject()
	w.Name("at")
	w.Int(h.At)
	if h.Cosine != 0 {
		w.Name("cosine")
		w.Int(h.Cosine)
	}
	h.Explain.write(w)
	if h.Near {
		w.Name("near")
		w.Bool(true)
	}
	w.Name("score")
	w.Nano(h.Score)
	if h.Tier > 0 {
		w.Name("tier")
		w.Int(h.Tier)
	}
	if len(h.Units) > 0 {
		w.Name("units")
		writeNumbers(w, h.Units)
	}
	w.EndObject()
}
