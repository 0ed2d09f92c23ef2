package cli

import (
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// asking is the flags of the verbs that ask an index one question.
type asking struct {
	Query      []string `arg:"" optional:"" help:"What to find. - reads it from stdin; -- ends the flags."`
	Limit      *int64   `short:"n" aliases:"k,top-k" placeholder:"N" help:"How many hits at most. Default: 10."`
	Filter     []string `sep:"none" placeholder:"COND" help:"A condition on the metadata: year>=2026, day<2026-11-30, lang=en, draft!=true, tags (it is there), !tags (it is not); in JSON's quotes a value is a text; may be repeated."`
	Filters    string   `placeholder:"JSON" help:"Conditions in the grammar of wasm/ABI.md, for what --filter cannot say."`
	Collection []string `short:"c" sep:"none" placeholder:"NAME" help:"Only documents of this collection; may be repeated."`
	Document   []string `sep:"none" placeholder:"ID" help:"Only this document; may be repeated."`
	Collapse   bool     `help:"Of each document its best passage."`
	Expand     string   `enum:"none,neighbors,section,document" default:"none" help:"Also show what stands around each passage: none, neighbors, section or document."`
	Evidence   string   `name:"min-evidence" placeholder:"SHARE" help:"Only hits whose evidence is at least so much: 0 to 1, such as 0.3. A hit's evidence is how near its score comes to the greatest there could be."`
	Budget     *int64   `placeholder:"N" help:"How many tokens the reply may take at most, at 3 bytes each; what does not fit is on the next page. The first hit always stays."`
	Abstain    bool     `help:"Show no hits where none of them answers."`
	Count      bool     `help:"Count all that match: slower, exact."`
	Match      string   `enum:"any,exactThenFallback" default:"any" help:"any: passages with one of the words; exactThenFallback: those with all of them come first."`
	Profile    string   `enum:"standard,journal" default:"standard" help:"How to rank: standard or journal."`
	NoTypos    bool     `help:"Take no word for another one."`
	Seed       *string  `placeholder:"TEXT" help:"Breaks ties, always in the same way for the same seed."`
	Offset     int64    `placeholder:"N" help:"How many hits to pass over."`
	Cursor     string   `placeholder:"TEXT" help:"The next page, as an earlier answer named it."`
	Text       string   `enum:"none,snippet,full" default:"snippet" help:"How much of each passage to show: none, snippet or full."`
	JSON       bool     `help:"The reply's exact bytes and a line end; on a terminal, with what would act on it escaped."`
	Out        string   `placeholder:"FILE" help:"Also store the reply there, for a replay; - is stdout, and then nothing else is written there."`
	strict
	source
}

type searchVerb struct {
	Explain bool `help:"Explain each score and each place; rookhaven explain shows it as a table."`
	asking
}

const syntax = `"words in quotes" stand after one another, pre* (two characters at least) stands for every word that begins so, -word excludes, title: heading: and body: say where a word has to stand. Everything else is text; any text is a query.`

const where = `What is searched: --data DIR or --corpus FILE; else the index in .rookhaven here or in the nearest folder above; else ROOKHAVEN_CORPUS_PATH; else the index in the data folder.`

func (searchVerb) Help() string {
	return `Finds the passages that match a query, in an index that rookhaven index made, or in a corpus file.

	rookhaven index docs
	rookhaven search --data docs tide windows
	rookhaven search --corpus docs.jsonl -n 3 --filter 'year>=2026' --filter lang=en "harbour master"
	rookhaven search --data docs --json --out reply.json 'moor* -crane'
	rookhaven replay --data docs reply.json

` + syntax + `

` + where + `

Exit codes: 0 there are hits, 1 there are none, none on this page, or none that answers (verdict no_answer), 2 an error, 3 with --strict, see there.`
}

func (v *searchVerb) Run(r *run) error { return v.ask(r, v.Explain, r.showFound) }

type explainVerb struct{ asking }

func (explainVerb) Help() string {
	return `Searches as rookhaven search does, and shows how each score came about: each part with how often it occurs in the passage and how long that is (a word in the title counts 4, in headings 2), how many passages have it, its weight (idf) and its score; the scores add up to the hit's. Then the rule that puts the hit above the next, and what the next one lacks.

	rookhaven explain --data docs -n 3 tide windows

` + where + `

Exit codes: as of rookhaven search.`
}

func (v *explainVerb) Run(r *run) error { return v.ask(r, true, r.showParts) }

// ask searches, and shows the reply: as its bytes, or by show.
func (v *asking) ask(r *run, explain bool, show func(*abi.SearchReply, *opened)) error {
	request, err := v.request(r, explain)
	if err != nil {
		return err
	}
	o, err := v.open(r)
	if err != nil {
		return err
	}
	defer o.close()
	request.Documents = o.named(v.Document)
	if err := within(o.config, request); err != nil {
		return err
	}
	bytes, _, err := o.Search(r.ctx, request.Append(nil))
	if err != nil {
		return err
	}
	reply, err := readFound(bytes)
	if err != nil {
		return err
	}
	if v.JSON || v.Out != "" { // it may be replayed
		o.keep(r)
	}
	asJSON, err := r.store(v.Out, bytes, o.config.CorpusPath)
	switch {
	case err != nil:
		return err
	case asJSON || v.JSON:
		r.printJSON(bytes)
	default:
		show(reply, o)
	}
	if r.unwritten != nil {
		return nil
	}
	code := 0
	switch {
	case reply.Verdict == abi.NoAnswer:
		code = 1
	case len(reply.Hits) == 0:
		code = 1
		r.notice("the page begins after the last hit; there are hits before it")
	}
	return v.end(o.less || len(reply.Degraded) > 0, code)
}

// store writes a reply to the file that a person named, if so. toStdout says that it is
// to be written to stdout, once and with nothing beside it.
func (r *run) store(path string, reply []byte, corpus string) (toStdout bool, err error) {
	switch {
	case path == "":
		return false, nil
	case r.isStdout(path):
		return true, nil
	}
	return false, r.put(path, line(reply), corpus)
}

// within holds a request against the limits of this host.
func within(c *config.Config, q *abi.SearchRequest) error {
	if n, most := int64(abi.Units(q.Query)), c.MaxQueryLen; n > most {
		return abi.Errorf(abi.QueryTooLong, "the query has %d units, the limit is %d", n, most)
	}
	return nil
}

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
	if v.Limit != nil {
		q.Limit = *v.Limit
	}
	if v.Collapse {
		q.Collapse = abi.CollapseDoc
	}
	if v.Evidence != "" {
		if q.MinEvidence, err = share(v.Evidence); err != nil {
			return nil, err
		}
	}
	q.Collections, q.Documents, q.Budget = v.Collection, v.Document, v.Budget
	q.Expand.Type, q.Abstain, q.Count, q.Match, q.Profile = v.Expand, v.Abstain, v.Count, v.Match, v.Profile
	q.Typos, q.Seed, q.Offset, q.Cursor, q.Text, q.Explain = !v.NoTypos, v.Seed, v.Offset, v.Cursor, v.Text, explain
	return &q, q.Check()
}

// share reads a number from 0 to 1 as nano-units.
func share(s string) (int64, error) {
	r := json.NewReader([]byte(s))
	n := r.Nano()
	if r.End() != nil || n < 0 || n > abi.MaxEvidence {
		return 0, abi.Errorf(abi.ArgumentInvalid, "--min-evidence %q is no number from 0 to 1 with at most nine decimals, such as 0.3", s)
	}
	return n, nil
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

// query returns the words of a command line as a query, or stdin for "-".
func (r *run) query(words []string) (string, error) {
	if len(words) == 0 {
		return "", abi.Errorf(abi.ArgumentInvalid, "the query is missing; - reads it from stdin")
	}
	if len(words) > 1 || words[0] != "-" {
		return strings.Join(words, " "), nil
	}
	in, err := r.read("-")
	if err == nil && !utf8.Valid(in) {
		err = abi.Errorf(abi.ArgumentInvalid, "the query is not well-formed UTF-8")
	}
	return strings.TrimRight(string(in), "\r\n"), err
}
