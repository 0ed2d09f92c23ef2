package abi

import (
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Request is a question (ABI.md §3.2). A Request that was read is resolved:
// every member has its value or its default.
type Request struct {
	Query          string
	RecallBudget   int64
	Seed           string
	Needs          []string // nil: the engine decomposes the query
	Profile        string
	Mode           string // of a profile that ranks by an index; "": hybrid where that has vectors, else lexical
	Fusion         string // of the legs of hybrid; "": that of the profile
	Representation string
	Fill           bool
	Explain        bool
	Text           string
	Scores         [][]Given // nil: the profile scores; else one list per need
	WorkLimit      int64
}

// A Given is a score that the caller gives a document, in nano-units.
type Given struct {
	ID    string
	Score int64
}

// The values of a Request's members.
const (
	ProfileCosine      = "cosine"
	RepresentationEach = "each"
	RepresentationSeed = "seed"
	TextNone           = "none"
	TextSnippet        = "snippet"
	TextFull           = "full"
)

// Default returns a Request with every default, and no query.
func Default() Request {
	return Request{
		RecallBudget:   10,
		Seed:           "rookhaven-default",
		Profile:        ProfileCosine,
		Representation: RepresentationEach,
		Text:           TextNone,
		WorkLimit:      MaxWorkLimit,
	}
}

var requestMembers = []string{"query", "recallBudget", "seed", "needs", "profile", "mode", "fusion", "representation", "fill", "explain", "text", "scores", "workLimit"}

// RequestMembers returns the names of a Request's members, for doors that
// suggest one.
func RequestMembers() []string { return append([]string(nil), requestMembers...) }

// ReadRequest reads a Request on its own.
func ReadRequest(in []byte) (Request, error) {
	r := json.NewReader(in)
	q := request(r)
	if err := done(r, RequestInvalid); err != nil {
		return Request{}, err
	}
	return q, q.Check()
}

// request reads a Request; the caller checks it.
func request(r *json.Reader) Request {
	q := Default()
	members(r, requestMembers, requestMembers[:1], func(name string) {
		switch name {
		case "query":
			q.Query = r.String()
		case "recallBudget":
			q.RecallBudget = r.Int()
		case "seed":
			q.Seed = r.String()
		case "needs":
			q.Needs = texts(r)
		case "profile":
			q.Profile = r.String()
		case "mode":
			q.Mode = r.String()
		case "fusion":
			q.Fusion = r.String()
		case "representation":
			q.Representation = r.String()
		case "fill":
			q.Fill = r.Bool()
		case "explain":
			q.Explain = r.Bool()
		case "text":
			q.Text = r.String()
		case "scores":
			q.Scores = scores(r)
		case "workLimit":
			q.WorkLimit = r.Int()
		}
	})
	return q
}

func scores(r *json.Reader) [][]Given {
	list := [][]Given{}
	for range r.Array() {
		need := []Given{}
		for id := range r.Object() {
			need = append(need, Given{id, r.Int()})
		}
		json.SortMembers(need, func(g Given) string { return g.ID })
		list = append(list, need)
	}
	return list
}

// Indexed reports whether the profile ranks by an index.
func (q *Request) Indexed() bool { return q.Profile == ProfileStandard || q.Profile == ProfileJournal }

// Check reports the first bound of ABI.md §3.2 that a Request breaks. Whether
// scores fit the needs and the corpus, only the engine knows.
func (q *Request) Check() error {
	switch n := Units(q.Query); {
	case n == 0:
		return Errorf(QueryEmpty, "the query is empty")
	case n > MaxQuery:
		return Errorf(QueryTooLong, "the query has %d units, the limit is %d", n, MaxQuery)
	}
	if q.RecallBudget < 1 || q.RecallBudget > MaxBudget {
		return Errorf(BudgetOutOfRange, "recallBudget is %d, it must be between 1 and %d", q.RecallBudget, MaxBudget)
	}
	if n := Units(q.Seed); n > MaxQuery {
		return Errorf(RequestInvalid, "the seed has %d units, the limit is %d", n, MaxQuery)
	}
	if err := q.checkNeeds(); err != nil {
		return err
	}
	if err := q.checkChoices(); err != nil {
		return err
	}
	if q.WorkLimit < 1 {
		return Errorf(RequestInvalid, "workLimit is %d, it must be at least 1", q.WorkLimit)
	}
	return q.checkScores()
}

func (q *Request) checkNeeds() error {
	if q.Needs == nil {
		return nil
	}
	if n := len(q.Needs); n == 0 || n > MaxNeeds {
		return Errorf(NeedsInvalid, "needs has %d texts, it must have between 1 and %d", n, MaxNeeds)
	}
	for i, need := range q.Needs {
		switch n := Units(need); {
		case n == 0:
			return Errorf(NeedsInvalid, "needs[%d] is empty", i)
		case n > MaxQuery:
			return Errorf(NeedsInvalid, "needs[%d] has %d units, the limit is %d", i, n, MaxQuery)
		}
	}
	return nil
}

func (q *Request) checkChoices() error {
	if q.Profile != ProfileCosine && !q.Indexed() {
		return Errorf(ProfileUnknown, "this engine has no profile %q, it has cosine, journal and standard", q.Profile)
	}
	if q.Scores != nil && q.Indexed() {
		return Errorf(ScoresInvalid, "scores replace the scorer of the profile cosine, not of %s", q.Profile)
	}
	if q.Mode+q.Fusion != "" && !q.Indexed() {
		return Errorf(RequestInvalid, "mode and fusion are for the profiles journal and standard, the profile is %q", q.Profile)
	}
	if err := checkLegs(q.Mode, q.Fusion); err != nil {
		return err
	}
	if q.Representation != RepresentationEach && q.Representation != RepresentationSeed {
		return Errorf(RequestInvalid, "representation is %q, it must be each or seed", q.Representation)
	}
	if q.Text != TextNone && q.Text != TextSnippet && q.Text != TextFull {
		return Errorf(RequestInvalid, "text is %q, it must be none, snippet or full", q.Text)
	}
	return nil
}

func (q *Request) checkScores() error {
	for i, need := range q.Scores {
		for _, g := range need {
			if g.Score < 0 || g.Score > MaxScore {
				return Errorf(ScoresInvalid, "need %d, document %q: the score %d is not between 0 and %d nano-units", i, g.ID, g.Score, int64(MaxScore))
			}
		}
	}
	return nil
}

// Append appends a Request as canonical JSON, with every member that has a value.
func (q *Request) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	q.write(w)
	return w.Bytes()
}

func (q *Request) write(w *json.Writer) {
	w.BeginObject()
	w.Name("explain")
	w.Bool(q.Explain)
	w.Name("fill")
	w.Bool(q.Fill)
	optional(w, "fusion", q.Fusion)
	optional(w, "mode", q.Mode)
	if q.Needs != nil {
		w.Name("needs")
		writeTexts(w, q.Needs)
	}
	w.Name("profile")
	w.String(q.Profile)
	w.Name("query")
	w.String(q.Query)
	w.Name("recallBudget")
	w.Int(q.RecallBudget)
	w.Name("representation")
	w.String(q.Representation)
	if q.Scores != nil {
		w.Name("scores")
		writeScores(w, q.Scores)
	}
	w.Name("seed")
	w.String(q.Seed)
	w.Name("text")
	w.String(q.Text)
	w.Name("workLimit")
	w.Int(q.WorkLimit)
	w.EndObject()
}

func writeTexts(w *json.Writer, list []string) {
	w.BeginArray()
	for _, s := range list {
		w.String(s)
	}
	w.EndArray()
}

func writeScores(w *json.Writer, list [][]Given) {
	w.BeginArray()
	for _, need := range list {
		w.BeginObject()
		for _, g := range need {
			w.Name(g.ID)
			w.Int(g.Score)
		}
		w.EndObject()
	}
	w.EndArray()
}
