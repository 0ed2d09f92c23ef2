package cli

import (
	"context"
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/internal/judge"
	"github.com/rookhaven-project/rookhaven/hosts/internal/library"
	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

type diffVerb struct {
	From    string   `arg:"" help:"A generation: its number, its corpus root (8 digits of it or more), a time such as 2026-11-30T15:04:05Z, or current; as --as-of of rookhaven search."`
	To      string   `arg:"" help:"Another one."`
	Query   []string `arg:"" optional:"" help:"Compare the ranking of this query, too."`
	Queries string   `placeholder:"FILE" help:"Compare the rankings of these queries, one {\"id\", \"text\"} a line."`
	Limit   int64    `short:"n" default:"10" placeholder:"N" help:"How many documents of each ranking. Default: 10."`
	JSON    bool     `help:"As JSON."`
	strict
	data
	Shards *string `placeholder:"N" group:"settings" help:"How many instances open the index; 0 chooses."`
	folders
}

func (diffVerb) Help() string {
	return `Shows which documents were added, removed and changed from one generation of an index to another, and for each query which documents entered, left or moved in its ranking, the best passage of each. A document that is the same moved because others came, went or changed, or because how many passages hold a word did.

	rookhaven diff --data docs 1 2
	rookhaven diff --data docs 1 current tide windows
	rookhaven diff --data docs 2026-11-30T15:04:05Z current --queries queries.jsonl

Exit codes: 0, also where nothing differs, 2 an error, 3 with --strict, see there.`
}

func (v *diffVerb) Run(r *run) error {
	if v.From == "" || v.To == "" {
		return abi.Errorf(abi.ArgumentInvalid, "a generation's name is empty; the current one is called current")
	}
	queries, requests, err := v.requests(r)
	if err != nil {
		return err
	}
	given := v.given()
	given["shards"] = v.Shards
	c, err := r.config(given)
	if err != nil {
		return err
	}
	folder := v.folder(r, c)
	if folder == "" {
		return noIndex(r)
	}
	engine, err := r.engine(c)
	if err != nil {
		return err
	}
	defer func() { _ = engine.Close(context.WithoutCancel(r.ctx)) }()
	l, err := r.shelf(c, engine, folder, nil)
	if err != nil {
		return err
	}
	defer func() { _ = l.Close(context.WithoutCancel(r.ctx)) }()
	d, err := l.Diff(r.ctx, v.From, v.To, requests)
	if err != nil {
		return err
	}
	if v.JSON {
		err = r.json(differences(&d, queries))
	} else {
		r.showDifferences(&d, queries)
	}
	if err != nil || r.unwritten != nil {
		return err
	}
	return v.end(len(l.Recovered()) > 0, 0)
}

// requests returns the queries and a request of each.
func (v *diffVerb) requests(r *run) (queries []judge.Query, requests [][]byte, err error) {
	if len(v.Query) > 0 {
		text, err := r.query(v.Query)
		if err != nil {
			return nil, nil, err
		}
		queries = []judge.Query{{Text: text}}
	}
	if v.Queries != "" {
		in, err := r.read(v.Queries)
		if err != nil {
			return nil, nil, err
		}
		more, err := judge.ReadQueries(in)
		if err != nil {
			return nil, nil, at(v.Queries, err)
		}
		queries = append(queries, more...)
	}
	for _, query := range queries {
		q := abi.DefaultSearch()
		q.Query, q.Limit, q.Collapse, q.Text = query.Text, v.Limit, abi.CollapseDoc, abi.TextNone
		if err := q.Check(); err != nil {
			return nil, nil, err
		}
		requests = append(requests, q.Append(nil))
	}
	return queries, requests, nil
}

// states are what may have become of a document, in the order in which they are shown.
var states = []library.State{library.Added, library.Changed, library.Removed}

func (r *run) showDifferences(d *library.Difference, queries []judge.Query) {
	r.printf("from %s", described(&d.From))
	r.printf("to   %s", described(&d.To))
	var counts []string
	for _, s := range states {
		counts = append(counts, itoa(int64(len(d.Documents[s])))+" "+string(s))
	}
	r.printf("documents: %s", strings.Join(counts, ", "))
	name := spelling(namesIn(d))
	for _, s := range states {
		for i, id := range d.Documents[s] {
			if i == told {
				r.printf("  and %d more %s; --json lists all", len(d.Documents[s])-told, s)
				break
			}
			r.printf("  %-7s  %s", s, terminal.Cut(name(id), 80))
		}
	}
	for i := range d.Rankings {
		r.printf("")
		r.showMoves(&d.Rankings[i], queries[i], name)
	}
}

// namesIn returns the ids that a difference names.
func namesIn(d *library.Difference) []string {
	var names []string
	for _, s := range states {
		names = append(names, d.Documents[s]...)
	}
	for i := range d.Rankings {
		for _, m := range d.Rankings[i].Moves {
			names = append(names, m.ID)
		}
	}
	return names
}

func (r *run) showMoves(ranking *library.Ranking, query judge.Query, name func(string) string) {
	if len(ranking.Moves) == 0 {
		r.printf("%s: the same documents in the same order", quote(query.Text, 100))
		return
	}
	r.printf("%s", quote(query.Text, 100))
	for _, m := range ranking.Moves {
		r.printf("  %4s → %-4s %-7s  %s", rank(m.From), rank(m.To), m.Document, terminal.Cut(name(m.ID), 80))
	}
}

func rank(n int64) string {
	if n == 0 {
		return "–"
	}
	return itoa(n)
}

func described(g *index.Generation) string {
	return "generation " + itoa(g.Number) + " of " + g.Created.UTC().Format(time.RFC3339) + ": " + count(g.Documents, "document") + ", corpus " + short(g.Root)
}

// differences is the report for programs.
func differences(d *library.Difference, queries []judge.Query) any {
	type state struct {
		Generation int64  `json:"generation"`
		Created    string `json:"created"`
		Corpus     string `json:"corpus"`
		Documents  int64  `json:"documents"`
	}
	type move struct {
		ID       string        `json:"id"`
		From     int64         `json:"from,omitempty"` // rank; left out where it is not among the hits
		To       int64         `json:"to,omitempty"`
		Document library.State `json:"document"`
	}
	type ranking struct {
		ID    string `json:"id,omitempty"`
		Query string `json:"query"`
		Moves []move `json:"moves"`
	}
	of := func(g *index.Generation) state {
		return state{g.Number, g.Created.UTC().Format(time.RFC3339Nano), g.Root, g.Documents}
	}
	documents := map[library.State][]string{}
	for _, s := range states {
		documents[s] = append([]string{}, d.Documents[s]...)
	}
	rankings := []ranking{}
	for i, list := range d.Rankings {
		moves := []move{}
		for _, m := range list.Moves {
			moves = append(moves, move{m.ID, m.From, m.To, m.Document})
		}
		rankings = append(rankings, ranking{queries[i].ID, queries[i].Text, moves})
	}
	return struct {
		Schema    int                        `json:"schema"`
		From      state                      `json:"from"`
		To        state                      `json:"to"`
		Documents map[library.State][]string `json:"documents"`
		Rankings  []ranking                  `json:"rankings"`
	}{abi.Schema, of(&d.From), of(&d.To), documents, rankings}
}
