package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/internal/judge"
	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

type evalVerb struct {
	Queries       string   `required:"" placeholder:"FILE" help:"The queries: one {\"id\", \"text\"} a line."`
	Qrels         string   `required:"" placeholder:"FILE" help:"The judgements: query, document and grade a line, with tabs between; or TREC's four columns."`
	Baseline      string   `placeholder:"FILE" help:"An earlier run over the same corpus: no figure may be lower."`
	WriteBaseline string   `placeholder:"FILE" help:"Write this run there, as a baseline for later ones, unless it misses a floor or its own baseline."`
	Floor         []string `sep:"none" placeholder:"M=X" help:"What a measure must reach, as in ndcg@10=0.7; may be repeated."`
	ByQuery       bool     `help:"Show the figures of each query, too."`
	Profile       string   `enum:"standard,journal" default:"standard" help:"How to rank: standard or journal."`
	Match         string   `enum:"any,exactThenFallback" default:"any" help:"As of rookhaven search."`
	JSON          bool     `help:"As JSON."`
	byLegs
	strict
	source
}

func (evalVerb) Help() string {
	return `Asks an index many queries and measures the rankings by what people judged: nDCG@10 (the gain is the grade), recall@10, recall@100 and MRR@10, the mean over all queries that have a relevant document. A document stands where its best passage does.

	rookhaven eval --data docs --queries queries.jsonl --qrels qrels.tsv
	rookhaven eval --data docs --queries queries.jsonl --qrels qrels.tsv --floor ndcg@10=0.7 --write-baseline baseline.json
	rookhaven eval --data docs --queries queries.jsonl --qrels qrels.tsv --baseline baseline.json

The first line of the judgements is a heading where its first column is query, query-id, qid, topic or topic-id and its last one grade, score, relevance, relevancy, rel or label (in any case; query_id, query id and queryid are query-id, too). A query without a relevant document is left out of the mean, and named.

A baseline names the root of its corpus; over another corpus, or with other judgements, it measures something else and is refused (BASELINE_REFUSED). It also names its --profile and --match; one of others is compared with, and eval says so.
Exit codes: 0 every floor and the baseline are reached, 5 one is missed, 2 an error, 3 with --strict, see there.`
}

func (v *evalVerb) Run(r *run) error {
	floors, baseline, err := v.gates(r)
	if err != nil {
		return err
	}
	queries, judgements, err := v.judged(r)
	if err != nil {
		return err
	}
	v.needs(&v.meaning)
	o, err := v.open(r)
	if err != nil {
		return err
	}
	defer o.close()
	for _, in := range []struct{ path, what string }{{o.config.CorpusPath, "corpus"}, {v.Queries, "queries"}, {v.Qrels, "judgements"}} {
		if err := spare(v.WriteBaseline, in.path, in.what); err != nil {
			return err
		}
	}
	settings := o.Settings()
	run := &judge.Run{Corpus: o.Root(), Engine: o.engine, Settings: settings.Append(nil), Profile: v.Profile, Match: v.Match, Judgements: judgements.Digest(queries)}
	if baseline != nil { // before the work
		if err := run.Against(baseline); err != nil {
			return at(v.Baseline, err)
		}
	}
	if err := v.measure(r.ctx, o, run, judgements.Of(queries), judgements); err != nil {
		return err
	}
	if o.missing != "" {
		r.notice("what is measured was " + missingLegs[o.missing])
	}
	e := evaluated{run: run, unindexed: unindexed(o, judgements), unasked: judgements.Without(queries), unjudged: judgements.Unjudged(queries)}
	e.compare(floors, baseline)
	switch {
	case v.WriteBaseline == "":
	case len(e.missed) > 0:
		r.notice("no baseline was written to " + v.WriteBaseline + ": the run misses a floor or its own baseline")
	default:
		baseline := append(run.Append(nil), '\n')
		if r.isStdout(v.WriteBaseline) {
			baseline = r.shown(baseline)
		}
		if err := r.put(v.WriteBaseline, baseline, o.config.CorpusPath); err != nil {
			return err
		}
	}
	if v.JSON {
		err = r.json(e.report())
	} else {
		v.show(r, o, &e)
	}
	switch {
	case err != nil || r.unwritten != nil:
		return err
	case len(e.missed) > 0:
		return exit(5)
	}
	return v.end(o.less, 0)
}

// at puts a file's name before what is said of it.
func at(path string, err error) error {
	var e *abi.Error
	if errors.As(err, &e) {
		return &abi.Error{Code: e.Code, Sentence: path + ": " + e.Sentence}
	}
	return err
}

func (v *evalVerb) gates(r *run) (floors []judge.Floor, baseline *judge.Run, err error) {
	for _, text := range v.Floor {
		f, err := judge.ParseFloor(text)
		if err != nil {
			return nil, nil, err
		}
		floors = append(floors, f)
	}
	if v.Baseline == "" {
		return floors, nil, nil
	}
	in, err := r.read(v.Baseline)
	if err != nil {
		return nil, nil, err
	}
	if baseline, err = judge.ReadRun(in); err != nil {
		return nil, nil, at(v.Baseline, err)
	}
	return floors, baseline, nil
}

// judged reads the queries and their judgements.
func (v *evalVerb) judged(r *run) ([]judge.Query, judge.Judgements, error) {
	if v.Queries == "-" && v.Qrels == "-" {
		return nil, nil, abi.Errorf(abi.ArgumentInvalid, "--queries and --qrels are both -, and stdin can be read once: name a file for one of them")
	}
	in, err := r.read(v.Queries)
	if err != nil {
		return nil, nil, err
	}
	queries, err := judge.ReadQueries(in)
	if err != nil {
		return nil, nil, at(v.Queries, err)
	}
	if in, err = r.read(v.Qrels); err != nil {
		return nil, nil, err
	}
	judgements, err := judge.ReadJudgements(in)
	if err != nil {
		return nil, nil, at(v.Qrels, err)
	}
	if len(judgements.Of(queries)) == 0 {
		return nil, nil, abi.Errorf(abi.ArgumentInvalid, "none of the %d queries of %s has a relevant document in %s", len(queries), v.Queries, v.Qrels)
	}
	return queries, judgements, nil
}

// measure asks every query.
func (v *evalVerb) measure(ctx context.Context, o *opened, run *judge.Run, queries []judge.Query, judgements judge.Judgements) error {
	var all []judge.Figures
	for _, query := range queries {
		q := abi.DefaultSearch()
		q.Query, q.Profile, q.Match, q.Limit, q.Collapse, q.Text = query.Text, v.Profile, v.Match, judge.Depth, abi.CollapseDoc, abi.TextNone
		q.Mode, q.Fusion = v.modes()
		ranking, err := o.ranking(ctx, &q)
		if err != nil {
			return at("query "+json.Quote(query.ID), err)
		}
		figures, _ := judge.Measure(ids(ranking), judgements[query.ID])
		all = append(all, figures)
		run.Queries = append(run.Queries, judge.Result{ID: query.ID, Figures: figures})
	}
	run.Figures = judge.Mean(all)
	run.Sort()
	return nil
}

// ranking returns the hits of a request.
func (o *opened) ranking(ctx context.Context, q *abi.SearchRequest) ([]abi.Found, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	bytes, _, err := o.Search(ctx, q.Append(nil))
	if err != nil {
		return nil, err
	}
	reply, err := readFound(bytes)
	if err != nil {
		return nil, err
	}
	for _, d := range reply.Degraded {
		if missingLegs[d] != "" {
			o.missing, o.less = d, true
		}
	}
	return reply.Hits, nil
}

func ids(hits []abi.Found) []string {
	list := make([]string, len(hits))
	for i := range hits {
		list[i] = hits[i].ID
	}
	return list
}

// unindexed returns the relevant documents that the corpus does not have.
func unindexed(o *opened, judgements judge.Judgements) []string {
	leaves, err := abi.ReadLeaves(o.Leaves())
	if err != nil {
		return nil
	}
	there := map[string]bool{}
	for _, l := range leaves {
		there[l.ID] = true
	}
	return slices.DeleteFunc(judgements.Documents(), func(id string) bool { return there[id] })
}

// evaluated is a run, and what is to say of it.
type evaluated struct {
	run                          *judge.Run
	gates                        []gate
	missed                       []miss // of the gates
	differs                      []difference
	unindexed, unasked, unjudged []string
}

// gauge is a figure, and the floor or the figure of the baseline that it must reach.
type gauge struct {
	Measure string `json:"measure"`
	Gate    string `json:"gate"` // floor or baseline
	Least   figure `json:"least"`
	Is      figure `json:"is"`
}

type gate struct {
	gauge
	OK bool `json:"ok"`
}

// A miss is a gate that was not reached.
type miss struct {
	gauge
	Queries []fallenFrom `json:"queries,omitempty"` // lower than in the baseline, the deepest fall first
}

// The gates.
const (
	floorGate    = "floor"
	baselineGate = "baseline"
)

type difference struct {
	Option string `json:"option"`
	Was    string `json:"was"`
	Is     string `json:"is"`
}

type fallenFrom struct {
	ID  string `json:"id"`
	Was figure `json:"was"`
	Is  figure `json:"is"`
}

// figure is a judge.Figure as JSON has it.
type figure judge.Figure

func (f figure) MarshalJSON() ([]byte, error) { return []byte(judge.Figure(f).String()), nil }

// compare finds which gates the run reaches. The baseline, which may be nil, has one for
// each measure.
func (e *evaluated) compare(floors []judge.Floor, baseline *judge.Run) {
	e.gates, e.missed = []gate{}, []miss{}
	add := func(g gauge, ok bool, falls []fallenFrom) {
		e.gates = append(e.gates, gate{g, ok})
		if !ok {
			e.missed = append(e.missed, miss{g, falls})
		}
	}
	for _, f := range floors {
		is := e.run.Figures[f.Measure]
		add(gauge{judge.Names[f.Measure], floorGate, figure(f.Least), figure(is)}, is >= f.Least, nil)
	}
	if baseline == nil {
		return
	}
	for _, d := range e.run.Unlike(baseline) {
		e.differs = append(e.differs, difference(d))
	}
	measures, falls := e.run.Fallen(baseline)
	for i, name := range judge.Names {
		var queries []fallenFrom
		for _, f := range falls {
			if f.Measure == i {
				queries = append(queries, fallenFrom{f.Query, figure(f.Was), figure(f.Is)})
			}
		}
		add(gauge{name, baselineGate, figure(baseline.Figures[i]), figure(e.run.Figures[i])}, !slices.Contains(measures, i), queries)
	}
}

// report is the run for programs.
func (e *evaluated) report() any {
	named := func(f judge.Figures) map[string]figure {
		m := map[string]figure{}
		for i, name := range judge.Names {
			m[name] = figure(f[i])
		}
		return m
	}
	type result struct {
		ID      string            `json:"id"`
		Figures map[string]figure `json:"figures"`
	}
	queries := []result{}
	for _, q := range e.run.Queries {
		queries = append(queries, result{q.ID, named(q.Figures)})
	}
	return struct {
		Schema     int               `json:"schema"`
		OK         bool              `json:"ok"`
		Corpus     string            `json:"corpus"`
		Engine     string            `json:"engine"`
		Profile    string            `json:"profile"`
		Match      string            `json:"match"`
		Judgements string            `json:"judgements"`
		Figures    map[string]figure `json:"figures"`
		Gates      []gate            `json:"gates"`
		Missed     []miss            `json:"missed"`
		Differs    []difference      `json:"differs,omitempty"` // from the baseline, in how it ranks
		Unindexed  []string          `json:"unindexed,omitempty"`
		Unasked    []string          `json:"unasked,omitempty"`
		Unjudged   []string          `json:"unjudged,omitempty"`
		Queries    []result          `json:"queries"`
	}{
		abi.Schema, len(e.missed) == 0, e.run.Corpus, e.run.Engine, e.run.Profile, e.run.Match, e.run.Judgements, named(e.run.Figures),
		e.gates, e.missed, e.differs, e.unindexed, e.unasked, e.unjudged, queries,
	}
}

func (v *evalVerb) show(r *run, o *opened, e *evaluated) {
	r.printf("%-24s %s", "", strings.Join(judge.Names, "  "))
	row := func(name string, f judge.Figures) {
		cells := make([]string, len(f))
		for i := range f {
			cells[i] = fmt.Sprintf("%*s", len(judge.Names[i]), f[i].Short())
		}
		r.printf("%-24s %s", name, strings.Join(cells, "  "))
	}
	if v.ByQuery {
		for _, q := range e.run.Queries {
			row(terminal.Cut(terminal.Line(q.ID), 23), q.Figures)
		}
	}
	row(fmt.Sprintf("mean of %d", len(e.run.Queries)), e.run.Figures)
	if len(e.unindexed) > 0 {
		r.printf("%s judged relevant and not in the corpus: %s", count(int64(len(e.unindexed)), "document"), listed(e.unindexed))
	}
	if len(e.unasked) > 0 {
		r.printf("judged and not asked (%d): %s", len(e.unasked), listed(e.unasked))
	}
	if len(e.unjudged) > 0 {
		r.printf("asked, and no document is relevant (%d): %s", len(e.unjudged), listed(e.unjudged))
	}
	v.showGates(r, e)
	r.printf("%s  engine %s  corpus %s", terminal.Line(o.Where), short(e.run.Engine), short(e.run.Corpus))
}

// showGates says what was reached and what was missed.
func (v *evalVerb) showGates(r *run, e *evaluated) {
	for _, d := range e.differs {
		r.printf("the baseline ranks by %s %s, this run by %s", d.Option, terminal.Cut(terminal.Line(d.Was), 60), d.Is)
	}
	whole := v.Baseline != ""
	for _, g := range e.gates {
		switch {
		case g.Gate == baselineGate:
			whole = whole && g.OK
		case g.OK:
			r.printf("reached: %s is %s, the %s is %s", g.Measure, judge.Figure(g.Is), g.Gate, judge.Figure(g.Least))
		}
	}
	if whole {
		r.printf("reached: the baseline of %s", terminal.Line(v.Baseline))
	}
	for _, m := range e.missed {
		r.printf("missed: %s is %s, below the %s of %s", m.Measure, judge.Figure(m.Is), m.Gate, judge.Figure(m.Least))
		for i, q := range m.Queries {
			if i == told {
				r.printf("  and %d more; --json lists all", len(m.Queries)-told)
				break
			}
			r.printf("  query %s fell from %s to %s", quote(q.ID, 60), judge.Figure(q.Was).Short(), judge.Figure(q.Is).Short())
		}
	}
}

// told is how many of a kind are listed for people.
const told = 10

// listed lists names for people.
func listed(names []string) string {
	var b strings.Builder
	for i, name := range names[:min(len(names), told)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(terminal.Cut(terminal.Line(name), 60))
	}
	if n := len(names) - told; n > 0 {
		fmt.Fprintf(&b, " and %d more", n)
	}
	return b.String()
}
