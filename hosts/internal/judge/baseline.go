package judge

import (
	"slices"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// BaselineRefused is the code of a baseline that cannot be compared with.
const BaselineRefused = abi.BaselineRefused

// A Run is what an evaluation found, and over what.
type Run struct {
	Corpus     string // root
	Engine     string
	Settings   []byte // of the index, canonical JSON
	Profile    string
	Match      string
	Judgements string // digest, with the queries
	Figures    Figures
	Queries    []Result // in the order of their ids
}

// A Result is a query's.
type Result struct {
	ID      string
	Figures Figures
}

// Sort puts the results in order.
func (r *Run) Sort() {
	slices.SortFunc(r.Queries, func(a, b Result) int { return json.CompareNames(a.ID, b.ID) })
}

// Append appends a run as JSON, in canonical order: what a baseline file holds.
func (r *Run) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("corpus")
	w.String(r.Corpus)
	w.Name("engine")
	w.String(r.Engine)
	w.Name("figures")
	r.Figures.write(w)
	w.Name("judgements")
	w.String(r.Judgements)
	w.Name("match")
	w.String(r.Match)
	w.Name("profile")
	w.String(r.Profile)
	w.Name("queries")
	w.BeginObject()
	for _, q := range r.Queries {
		w.Name(q.ID)
		q.Figures.write(w)
	}
	w.EndObject()
	w.Name("schema")
	w.Int(abi.Schema)
	w.Name("settings")
	w.Raw(r.Settings)
	w.EndObject()
	return w.Bytes()
}

// byName are the measures in canonical order of their names.
var byName = func() []int {
	order := []int{0, 1, 2, 3}
	slices.SortFunc(order, func(a, b int) int { return json.CompareNames(Names[a], Names[b]) })
	return order
}()

func (f Figures) write(w *json.Writer) {
	w.BeginObject()
	for _, i := range byName {
		w.Name(Names[i])
		w.Nano(int64(f[i]) * 1000)
	}
	w.EndObject()
}

// ReadRun reads what Append wrote, in any spelling. A file without the member match is of a
// version that recorded none, and is taken to be of any, the default.
func ReadRun(in []byte) (*Run, error) {
	v, err := json.Parse(in)
	if err != nil {
		return nil, abi.Errorf(BaselineRefused, "it is no baseline: %s", err.Error())
	}
	r := &Run{
		Corpus: v.Member("corpus").Text(), Engine: v.Member("engine").Text(), Profile: v.Member("profile").Text(),
		Judgements: v.Member("judgements").Text(), Settings: json.Append(nil, v.Member("settings")),
	}
	if r.Match = v.Member("match").Text(); v.Member("match").Kind() == json.Invalid {
		r.Match = abi.MatchAny
	}
	ok := v.Member("schema").String() == "1" && abi.IsDigest(r.Corpus) && abi.IsDigest(r.Judgements) && v.Member("settings").Kind() == json.Object
	ok = ok && r.Profile != "" && r.Match != "" && r.Figures.read(v.Member("figures"))
	if v.Member("queries").Kind() == json.Object {
		for id, figures := range v.Member("queries").Members() {
			q := Result{ID: id}
			ok = ok && q.Figures.read(figures)
			r.Queries = append(r.Queries, q)
		}
	}
	if !ok || len(r.Queries) == 0 {
		return nil, abi.Errorf(BaselineRefused, "it is no baseline of schema 1: eval --write-baseline writes them")
	}
	return r, nil
}

func (f *Figures) read(v json.Value) bool {
	if v.Kind() != json.Object {
		return false
	}
	for i, name := range Names {
		n, ok := v.Member(name).Nano()
		if !ok || n < 0 || n > 1e9 {
			return false
		}
		f[i] = Figure(n / 1000)
	}
	return true
}

// Against says why a run cannot be compared with a baseline: one of another corpus, or of
// other queries or judgements, measures something else.
func (r *Run) Against(baseline *Run) error {
	switch {
	case baseline.Corpus != r.Corpus:
		return abi.Errorf(BaselineRefused, "it is of the corpus %s, and this is %s", baseline.Corpus, r.Corpus)
	case baseline.Judgements != r.Judgements:
		return abi.Errorf(BaselineRefused, "it is of the queries and judgements %s, and these are %s", baseline.Judgements, r.Judgements)
	}
	return nil
}

// A Difference is a choice of how to rank that is not that of a baseline.
type Difference struct{ Option, Was, Is string }

// Unlike returns in what a run and a baseline were told to rank differently: they are
// compared, and who reads the figures must know.
func (r *Run) Unlike(baseline *Run) (list []Difference) {
	for _, d := range []Difference{{"profile", baseline.Profile, r.Profile}, {"match", baseline.Match, r.Match}} {
		if d.Was != d.Is {
			list = append(list, d)
		}
	}
	return list
}

// A Fall is a query that has a lower figure than in a baseline.
type Fall struct {
	Query   string
	Measure int
	Was, Is Figure
}

// Fallen returns what is lower than in a baseline, in the means and by query: those of the
// measures that are lower in the mean, the deepest fall first.
func (r *Run) Fallen(baseline *Run) (measures []int, queries []Fall) {
	was := map[string]Figures{}
	for _, q := range baseline.Queries {
		was[q.ID] = q.Figures
	}
	for i := range Names {
		if !r.Figures[i].Below(baseline.Figures[i]) {
			continue
		}
		measures = append(measures, i)
		for _, q := range r.Queries {
			if before, ok := was[q.ID]; ok && q.Figures[i].Below(before[i]) {
				queries = append(queries, Fall{q.ID, i, before[i], q.Figures[i]})
			}
		}
	}
	slices.SortStableFunc(queries, func(a, b Fall) int { return int((a.Is - a.Was) - (b.Is - b.Was)) })
	return measures, queries
}
