package cli

import (
	"cmp"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// asking is the flags of the verbs that ask an index one question.
type asking struct {
	Query      []string `arg:"" optional:"" help:"What to find. - reads it from stdin; what stands after -- is words, whatever it begins with."`
	Limit      number   `short:"n" aliases:"k,top-k" placeholder:"N" help:"How many hits at most, 1 to 1000. Default: 10."`
	Filter     []string `sep:"none" placeholder:"COND" help:"A condition on the metadata: year>=2026, day<2026-11-30, lang=en, draft!=true, tags (it is there), !tags (it is not); in JSON's quotes a value is a text; may be repeated."`
	Filters    string   `placeholder:"JSON" help:"Conditions in the grammar of wasm/ABI.md, for what --filter cannot say."`
	Collection []string `short:"c" sep:"none" placeholder:"NAME" help:"Only documents of this collection; may be repeated."`
	Document   []string `sep:"none" placeholder:"ID" help:"Only this document; may be repeated."`
	Collapse   bool     `help:"Of each document its best passage."`
	Expand     string   `enum:"none,neighbors,section,document" default:"none" help:"Also show what stands around each passage: none, neighbors, section or document. The lines of the passage itself begin with |, but not with --text none, which does not tell where they are."`
	Evidence   number   `name:"min-evidence" placeholder:"SHARE" help:"Only hits whose evidence is at least so much: 0 to 1, such as 0.3. A hit's evidence is how near its score comes to the greatest there could be."`
	Budget     number   `placeholder:"N" help:"How many tokens the reply may take at most, at 3 bytes each, from 1 on; what does not fit is on the next page. The first hit always stays, and where it takes more, that is said."`
	Abstain    bool     `help:"Show no hits where none of them answers."`
	Count      bool     `help:"Count all that match: slower, exact."`
	Match      string   `enum:"any,exactThenFallback" default:"any" help:"any: passages with one of the words; exactThenFallback: those with all of them come first, in tier 1."`
	Profile    string   `default:"standard" help:"How to rank: standard or journal. (cosine ranks whole documents: rookhaven retrieve has it.)"`
	NoTypos    bool     `help:"Take no word for another one."`
	Seed       *string  `placeholder:"TEXT" help:"Breaks ties, always in the same way for the same seed."`
	Offset     number   `placeholder:"N" help:"How many hits to pass over, 0 to 10000."`
	Cursor     string   `placeholder:"TEXT" help:"The next page, as an earlier answer named it."`
	Text       string   `enum:"none,snippet,full" default:"snippet" help:"How much of each passage to show: none, snippet or full."`
	JSON       bool     `help:"The reply's exact bytes and a line end; on a terminal, with what would act on it escaped."`
	Out        string   `placeholder:"FILE" help:"Also store the reply there, for a replay; - is stdout, and then nothing else is written there."`
	byLegs
	strict
	source
}

// byLegs is the flags that say which legs find.
type byLegs struct {
	Mode   string `enum:"auto,lexical,vector,semantic,hybrid" default:"auto" help:"How to find: lexical, by words; vector (or semantic), by meaning; hybrid, by both; auto is hybrid where the index has vectors, else lexical."`
	Fusion string `enum:"auto,sum,rrf" default:"auto" help:"How hybrid joins the two: sum, of their scores; rrf, of reciprocal ranks; auto is sum, and rrf for the profile journal."`
}

// modes returns them as requests have them: the engine chooses where they are auto.
func (b byLegs) modes() (mode, fusion string) {
	const auto = "auto"
	if b.Mode != auto {
		mode = b.Mode
	}
	if b.Fusion != auto {
		fusion = b.Fusion
	}
	return mode, fusion
}

// needs takes the model away where only words find: nothing is opened, and no server asked, for
// what is not used.
func (b byLegs) needs(m *meaning) {
	if b.Mode == abi.ModeLexical {
		none := config.NoModel
		m.Model = &none
	}
}

type searchVerb struct {
	Explain bool `help:"Explain each score and each place; rookhaven explain shows it as a table."`
	asking
}

const syntax = `"words in quotes" stand after one another, and passages without them are left out; where they do so nowhere, they are searched as words, and where no passage has all of several phrases, one is enough: the reply says so. pre* (two characters at least) stands for every word that begins so, -word excludes, title: heading: and body: say where a word has to stand. Everything else is text, also a quote without its partner and other names before a colon: any text but white space is a query.

A word of four letters or more that occurs nowhere is taken for the nearest that does: one edit away (a letter more, less, another, or two exchanged), from eight letters on two, and with the same first letter. So crnae finds crane, and crain, which is two edits away, does not.`

const legs = `An index with vectors is searched in two ways, whose hits become one list: by words, and by the meaning of the whole query. Half of a score is how near a passage comes to what the words could reach at most, half how near it is by its vector (the cosine). --mode lexical or vector uses one of them. The reply says where vectors took no part: the index has none, they are still being made, or the model is another one; --strict exits with 3 then.`

const tiers = `A hit in tier 1 stands above all without, whatever their scores: where the whole query is one identifier, such as INV-004, the passages that have it as a whole; with --match exactThenFallback, those that have every word. Under exactThenFallback quotes, - and title: have no meaning: each is read as text.`

const where = `What is searched: --data DIR or --corpus FILE; else the index in .rookhaven here or in the nearest folder above; else ROOKHAVEN_CORPUS_PATH; else the index in the data folder.`

func (searchVerb) Help() string {
	return `Finds the passages that match a query, in an index that rookhaven index made, or in a corpus file.

	rookhaven index docs
	rookhaven search --data docs tide windows
	rookhaven search --corpus docs.jsonl -n 3 --filter 'year>=2026' --filter lang=en "harbour master"
	rookhaven search --data docs --json --out reply.json 'moor* -crane'
	rookhaven replay --data docs reply.json

` + legs + `

` + syntax + `

` + tiers + `

` + where + `

Exit codes: 0 there are hits, 1 there are none, none on this page, or none that answers (verdict no_answer), 2 an error, 3 with --strict, see there.`
}

func (v *searchVerb) Run(r *run) error { return v.ask(r, v.Explain, r.showFound) }

type explainVerb struct{ asking }

func (explainVerb) Help() string {
	return `Searches as rookhaven search does, and shows how each score came about: each part with how often it occurs in the passage and how long that is (a word in the title counts 4, in headings 2), how many passages have it, its weight (idf) and its score; the scores add up to the hit's. Then the rule that puts the hit above the next, and what the next one lacks.

	rookhaven explain --data docs -n 3 tide windows

` + legs + `

` + tiers + `

` + where + `

Exit codes: as of rookhaven search.`
}

func (v *explainVerb) Run(r *run) error { return v.ask(r, true, r.showParts) }

// request turns the flags into a request.
func (v *asking) request(r *run, explain bool) (*abi.SearchRequest, error) {
	q := abi.DefaultSearch()
	var err error
	if q.Query, err = r.query(v.Query); err != nil {
		return nil, err
	}
	if q.Filters, err = v.filters(); err != nil {
		return nil, err
	}
	if v.Collapse {
		q.Collapse = abi.CollapseDoc
	}
	q.Collections, q.Documents, q.Expand.Type, q.Text = v.Collection, v.Document, v.Expand, v.Text
	q.Abstain, q.Count, q.Explain, q.Match, q.Typos = v.Abstain, v.Count, explain, v.Match, !v.NoTypos
	q.Seed, q.Cursor = v.Seed, v.Cursor
	q.Mode, q.Fusion = v.modes()
	if err := cmp.Or(v.numbers(&q), v.profile(&q)); err != nil {
		return nil, err
	}
	return &q, q.Check()
}

// numbers sets the members that are numbers.
func (v *asking) numbers(q *abi.SearchRequest) error {
	if v.Budget != "" {
		q.Budget = new(int64)
	}
	return cmp.Or(
		v.Limit.integer("--limit", 1, abi.MaxLimit, &q.Limit),
		v.Offset.integer("--offset", 0, abi.MaxOffset, &q.Offset),
		v.Budget.integer("--budget", 1, abi.MaxTokens, q.Budget),
		v.Evidence.share("--min-evidence", &q.MinEvidence),
	)
}

func (v *asking) profile(q *abi.SearchRequest) error {
	q.Profile = v.Profile
	switch v.Profile {
	case abi.ProfileStandard, abi.ProfileJournal:
		return nil
	case abi.ProfileCosine:
		return abi.Errorf(abi.ArgumentInvalid, "--profile cosine ranks whole documents and no passages: rookhaven retrieve has it; here there are standard and journal")
	}
	return abi.Errorf(abi.ArgumentInvalid, "--profile is %q, it must be standard or journal", v.Profile)
}

func (v *asking) filters() ([]byte, error) {
	if v.Filters == "" {
		return filtersOf(v.Filter)
	}
	if len(v.Filter) > 0 {
		return nil, abi.Errorf(abi.ArgumentInvalid, "--filter and --filters do not go together: write all conditions in one of them")
	}
	filters, err := json.Canonicalize([]byte(v.Filters))
	if err != nil {
		return nil, abi.Errorf(abi.FilterInvalid, "--filters: %s", err.Error())
	}
	return filters, nil
}
