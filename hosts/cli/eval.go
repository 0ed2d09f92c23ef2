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
	strict
	source
}

func (evalVerb) Help() string {
	return `Asks an index many queries and measures the rankings by what people judged: nDCG@10 (the gain is the grade), recall@10, recall@100 and MRR@10, the mean over all queries that have a relevant document. A document stands where its best passage does.

	rookhaven eval --data docs --queries queries.jsonl --qrels qrels.tsv
	rookhaven eval --data docs --queries queries.jsonl --qrels qrels.tsv --floor ndcg@10=0.7 --write-baseline baseline.json
	rookhaven eval --data docs --queries queries.jsonl --qrels qrels.tsv --baseline baseline.json

A baseline names the root of its corpus; over another corpus, or with other judgements, it measures something else and is refused (BASELINE_REFUSED).
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
	run := &judge.Run{Corpus: o.Root(), Engine: o.engine, Settings: settings.Append(nil), Profile: v.Profile, Judgements: judgements.Digest(queries)}
	if baseline != nil { // before the work
		if err := run.Against(baseline); err != nil {
			return at(v.Baseline, err)
		}
	}
	if err := v.measure(r.ctx, o, run, judgements.Of(queries), judgements); err != nil {
		return err
	}
	missed := gatesMissed(run, floors, baseline)
	if v.WriteBaseline != "" && len(missed) == 0 {
		baseline := append(run.Append(nil), '\n')
		if r.isStdout(v.WriteBaseline) {
			baseline = r.shown(baseline)
		}
		if err := r.put(v.WriteBaseline, baseline, o.config.CorpusPath); err != nil {
			return err
		}
	}
	lost, unasked := unindexed(o, judgements), judgements.Without(queries)
	if v.JSON {
		err = r.json(report(run, missed, lost, unasked))
	} else {
		v.show(r, o, run, missed, lost, unasked)
	}
	switch {
	case err != nil || r.unwritten != nil:
		return err
	case len(missed) > 0:
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

// A miss is a floor or a figure of the baseline that was not reached.
type miss struct {
	Measure string       `json:"measure"`
	Gate    string       `json:"gate"` // floor or baseline
	Least   figure       `json:"least"`
	Is      figure       `json:"is"`
	Queries []fallenFrom `json:"queries,omitempty"` // lower than in the baseline, the deepest fall first
}

type fallenFrom struct {
	ID  string `json:"id"`
	Was figure `json:"was"`
	Is  figure `json:"is"`
}

// figure is a judge.Figure as JSON has it.
type figure judge.Figure

func (f figure) MarshalJSON() ([]byte, error) { return []byte(judge.Figure(f).String()), nil }

func gatesMissed(run *judge.Run, floors []judge.Floor, baseline *judge.Run) []miss {
	list := []miss{}
	for _, f := range floors {
		if is := run.Figures[f.Measure]; is < f.Least {
			list = append(list, miss{judge.Names[f.Measure], "floor", figure(f.Least), figure(is), nil})
		}
	}
	if baseline == nil {
		return list
	}
	measures, falls := run.Fallen(baseline)
	for _, i := range measures {
		m := miss{judge.Names[i], "baseline", figure(baseline.Figures[i]), figure(run.Figures[i]), nil}
		for _, f := range falls {
			if f.Measure == i {
				m.Queries = append(m.Queries, fallenFrom{f.Query, figure(f.Was), figure(f.Is)})
			}
		}
		list = append(list, m)
	}
	return list
}

// report is the run for programs.
func report(run *judge.Run, missed []miss, lost, unasked []string) any {
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
	for _, q := range run.Queries {
		queries = append(queries, result{q.ID, named(q.Figures)})
	}
	return struct {
		Schema     int               `json:"schema"`
		OK         bool              `json:"ok"`
		Corpus     string            `json:"corpus"`
		Engine     string            `json:"engine"`
		Profile    string            `json:"profile"`
		Judgements string            `json:"judgements"`
		Figures    map[string]figure `json:"figures"`
		Missed     []miss            `json:"missed"`
		Unindexed  []string          `json:"unindexed,omitempty"`
		Unasked    []string          `json:"unasked,omitempty"`
		Queries    []result          `json:"queries"`
	}{abi.Schema, len(missed) == 0, run.Corpus, run.Engine, run.Profile, run.Judgements, named(run.Figures), missed, lost, unasked, queries}
}

func (v *evalVerb) show(r *run, o *opened, run *judge.Run, missed []miss, lost, unasked []string) {
	r.printf("%-24s %s", "", strings.Join(judge.Names, "  "))
	row := func(name string, f judge.Figures) {
		cells := make([]string, len(f))
		for i := range f {
			cells[i] = fmt.Sprintf("%*s", len(judge.Names[i]), f[i].Short())
		}
		r.printf("%-24s %s", name, strings.Join(cells, "  "))
	}
	if v.ByQuery {
		for _, q := range run.Queries {
			row(terminal.Cut(terminal.Line(q.ID), 23), q.Figures)
		}
	}
	row(fmt.Sprintf("mean of %d", len(run.Queries)), run.Figures)
	if len(lost) > 0 {
		r.printf("%s judged relevant and not in the corpus: %s", count(int64(len(lost)), "document"), listed(lost))
	}
	if len(unasked) > 0 {
		r.printf("judged and not asked (%d): %s", len(unasked), listed(unasked))
	}
	for _, m := range missed {
		r.printf("missed: %s is %s, below the %s of %s", m.Measure, judge.Figure(m.Is), m.Gate, judge.Figure(m.Least))
		for i, q := range m.Queries {
			if i == told {
				r.printf("  and %d more; --json lists all", len(m.Queries)-told)
				break
			}
			r.printf("  query %s fell from %s to %s", quote(q.ID, 60), judge.Figure(q.Was).Short(), judge.Figure(q.Is).Short())
		}
	}
	r.printf("%s  engine %s  corpus %s", terminal.Line(o.Where), short(run.Engine), short(run.Corpus))
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
