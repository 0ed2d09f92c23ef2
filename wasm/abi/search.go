package abi

import (
	"slices"

	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A SearchRequest is a question to an index (ABI.md §3.5). One that was read is
// resolved: every member has its value or its default.
type SearchRequest struct {
	Query       string
	Profile     string
	Mode        string // "": hybrid where the index has vectors, else lexical
	Fusion      string // of the legs of hybrid; "": that of the profile
	Match       string
	Limit       int64
	Offset      int64 // of the first hit; what a cursor stands for
	Cursor      string
	Seed        *string // nil: no seed takes part in ties
	Filters     []byte  // JSON, canonical once the engine has read it; nil: none
	Collections []string
	Documents   []string
	Collapse    string
	Expand      Expand
	Explain     bool
	Text        string
	Typos       bool
	Abstain     bool
	Count       bool
	MinEvidence int64  // nano-units: hits with less are left out
	Budget      *int64 // tokens of the reply at most; nil: no bound
	WorkLimit   int64
}

// Expand says what to add to each hit of what stands around it.
type Expand struct {
	Type          string
	Before, After int64
}

// The values of a SearchRequest's members.
const (
	ProfileStandard = "standard"
	ProfileJournal  = "journal"
	ModeLexical     = "lexical"
	ModeVector      = "vector"
	ModeSemantic    = "semantic" // another name of vector, as requests have it
	ModeHybrid      = "hybrid"
	FusionSum       = "sum" // of the scores, weighted
	FusionRRF       = "rrf" // of the reciprocal ranks (Cormack, Clarke and Büttcher 2009)
	MatchAny        = "any"
	MatchExact      = "exactThenFallback"
	CollapseNone    = "none"
	CollapseDoc     = "document"
	ExpandNone      = "none"
	ExpandNeighbors = "neighbors"
	ExpandSection   = "section"
	ExpandDocument  = "document"
)

// The bounds of a SearchRequest.
const (
	MaxLimit     = 1000
	MaxOffset    = 10_000
	MaxExpand    = 5
	MaxSelection = 10_000 // ids in collections and in documents
	MaxEvidence  = 1_000_000_000
	MaxTokens    = json.MaxInt // of a reply
)

// DefaultSearch returns a SearchRequest with every default, and no query.
func DefaultSearch() SearchRequest {
	return SearchRequest{
		Profile:   ProfileStandard,
		Match:     MatchAny,
		Limit:     10,
		Collapse:  CollapseNone,
		Expand:    Expand{ExpandNone, 2, 2},
		Text:      TextSnippet,
		Typos:     true,
		WorkLimit: MaxWorkLimit,
	}
}

var searchMembers = []string{
	"query", "profile", "mode", "fusion", "match", "limit", "cursor", "offset", "seed", "filters", "collections", "documents",
	"collapse", "expand", "explain", "text", "typos", "abstain", "count", "minEvidence", "budget", "workLimit",
}

// SearchMembers returns the names of a SearchRequest's members.
func SearchMembers() []string { return slices.Clone(searchMembers) }

// ReadSearch reads a SearchRequest on its own.
func ReadSearch(in []byte) (SearchRequest, error) {
	r := json.NewReader(in)
	q := searchRequest(r)
	if err := done(r, RequestInvalid); err != nil {
		return SearchRequest{}, err
	}
	return q, q.Check()
}

// searchRequest reads a SearchRequest; the caller checks it.
func searchRequest(r *json.Reader) SearchRequest {
	q := DefaultSearch()
	members(r, searchMembers, searchMembers[:1], func(name string) {
		switch name {
		case "query":
			q.Query = r.String()
		case "profile":
			q.Profile = r.String()
		case "mode":
			q.Mode = r.String()
		case "fusion":
			q.Fusion = r.String()
		case "match":
			q.Match = r.String()
		case "limit":
			q.Limit = r.Int()
		case "cursor":
			q.Cursor = r.String()
		case "offset":
			q.Offset = r.Int()
		case "seed":
			s := r.String()
			q.Seed = &s
		case "filters":
			q.Filters = slices.Clone(r.Raw())
		case "collections":
			q.Collections = texts(r)
		case "documents":
			q.Documents = texts(r)
		case "collapse":
			q.Collapse = r.String()
		case "expand":
			q.Expand = readExpand(r)
		case "explain":
			q.Explain = r.Bool()
		case "text":
			q.Text = r.String()
		case "typos":
			q.Typos = r.Bool()
		case "abstain":
			q.Abstain = r.Bool()
		case "count":
			q.Count = r.Bool()
		case "minEvidence":
			q.MinEvidence = r.Int()
		case "budget":
			n := r.Int()
			q.Budget = &n
		case "workLimit":
			q.WorkLimit = r.Int()
		}
	})
	return q
}

func readExpand(r *json.Reader) Expand {
	e := DefaultSearch().Expand
	members(r, []string{"type", "before", "after"}, nil, func(name string) {
		switch name {
		case "type":
			e.Type = r.String()
		case "before":
			e.Before = r.Int()
		case "after":
			e.After = r.Int()
		}
	})
	return e
}

// Check reports the first bound of ABI.md §3.5 that a SearchRequest breaks. What
// filters and cursors say, only the engine knows.
func (q *SearchRequest) Check() error {
	switch n := Units(q.Query); {
	case n == 0:
		return Errorf(QueryEmpty, "the query is empty")
	case n > MaxQuery:
		return Errorf(QueryTooLong, "the query has %d units, the limit is %d", n, MaxQuery)
	}
	for _, b := range []struct {
		name            string
		value, min, max int64
	}{
		{"limit", q.Limit, 1, MaxLimit},
		{"offset", q.Offset, 0, MaxOffset},
		{"expand.before", q.Expand.Before, 0, MaxExpand},
		{"expand.after", q.Expand.After, 0, MaxExpand},
		{"minEvidence", q.MinEvidence, 0, MaxEvidence},
		{"budget", q.tokens(), 1, MaxTokens},
		{"workLimit", q.WorkLimit, 1, MaxWorkLimit},
		{"collections", int64(len(q.Collections)), 0, MaxSelection},
		{"documents", int64(len(q.Documents)), 0, MaxSelection},
	} {
		if b.value < b.min || b.value > b.max {
			return Errorf(RequestInvalid, "%s is %d, it must be between %d and %d", b.name, b.value, b.min, b.max)
		}
	}
	if q.Seed != nil && Units(*q.Seed) > MaxQuery {
		return Errorf(RequestInvalid, "the seed has %d units, the limit is %d", int64(Units(*q.Seed)), int64(MaxQuery))
	}
	return q.checkChoices()
}

func (q *SearchRequest) checkChoices() error {
	if q.Profile != ProfileStandard && q.Profile != ProfileJournal {
		return Errorf(ProfileUnknown, "search has no profile %q, it has journal and standard", q.Profile)
	}
	if err := checkLegs(q.Mode, q.Fusion); err != nil {
		return err
	}
	return checkEach([]choice{
		{"match", q.Match, []string{MatchAny, MatchExact}},
		{"collapse", q.Collapse, []string{CollapseNone, CollapseDoc}},
		{"expand.type", q.Expand.Type, []string{ExpandNone, ExpandNeighbors, ExpandSection, ExpandDocument}},
		{"text", q.Text, []string{TextNone, TextSnippet, TextFull}},
	})
}

// checkLegs checks the members of a request that say which legs rank.
func checkLegs(mode, fusion string) error {
	if fusion != "" && mode != "" && mode != ModeHybrid {
		return Errorf(RequestInvalid, "fusion is for the mode hybrid, the mode is %q", mode)
	}
	return checkEach([]choice{
		{"mode", or(mode, ModeLexical), []string{ModeLexical, ModeVector, ModeSemantic, ModeHybrid}},
		{"fusion", or(fusion, FusionSum), []string{FusionSum, FusionRRF}},
	})
}

// A choice is a member of a request that has one of some values.
type choice struct {
	name, value string
	choices     []string
}

func checkEach(members []choice) error {
	for _, c := range members {
		if !slices.Contains(c.choices, c.value) {
			return Errorf(RequestInvalid, "%s is %q, it must be one of %s", c.name, c.value, list(c.choices))
		}
	}
	return nil
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// tokens returns how many tokens the reply may have.
func (q *SearchRequest) tokens() int64 {
	if q.Budget == nil {
		return MaxTokens
	}
	return *q.Budget
}

// list spells choices for a sentence.
func list(choices []string) string {
	s := choices[0]
	for _, c := range choices[1:] {
		s += ", " + c
	}
	return s
}

// Append appends a SearchRequest as canonical JSON, with every member that has a
// value.
func (q *SearchRequest) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	q.write(w)
	return w.Bytes()
}

func (q *SearchRequest) write(w *json.Writer) {
	w.BeginObject()
	w.Name("abstain")
	w.Bool(q.Abstain)
	if q.Budget != nil {
		w.Name("budget")
		w.Int(*q.Budget)
	}
	w.Name("collapse")
	w.String(q.Collapse)
	if q.Collections != nil {
		w.Name("collections")
		writeTexts(w, q.Collections)
	}
	w.Name("count")
	w.Bool(q.Count)
	optional(w, "cursor", q.Cursor)
	if q.Documents != nil {
		w.Name("documents")
		writeTexts(w, q.Documents)
	}
	w.Name("expand")
	w.BeginObject()
	w.Name("after")
	w.Int(q.Expand.After)
	w.Name("before")
	w.Int(q.Expand.Before)
	w.Name("type")
	w.String(q.Expand.Type)
	w.EndObject()
	w.Name("explain")
	w.Bool(q.Explain)
	if q.Filters != nil {
		w.Name("filters")
		w.Raw(q.Filters)
	}
	optional(w, "fusion", q.Fusion)
	w.Name("limit")
	w.Int(q.Limit)
	w.Name("match")
	w.String(q.Match)
	w.Name("minEvidence")
	w.Int(q.MinEvidence)
	optional(w, "mode", q.Mode)
	w.Name("offset")
	w.Int(q.Offset)
	w.Name("profile")
	w.String(q.Profile)
	optional(w, "query", q.Query)
	if q.Seed != nil {
		w.Name("seed")
		w.String(*q.Seed)
	}
	w.Name("text")
	w.String(q.Text)
	w.Name("typos")
	w.Bool(q.Typos)
	w.Name("workLimit")
	w.Int(q.WorkLimit)
	w.EndObject()
}
