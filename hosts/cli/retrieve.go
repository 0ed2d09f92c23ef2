package cli

import (
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/service"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

type retrieveVerb struct {
	Query          []string `arg:"" optional:"" help:"What to find. - reads it from stdin; what stands after -- is words, whatever it begins with."`
	Budget         *int64   `short:"n" aliases:"limit,recall-budget" placeholder:"N" help:"How many hits at most. Default: 10."`
	Seed           *string  `placeholder:"TEXT" help:"Breaks ties, always in the same way for the same seed."`
	Need           []string `sep:"none" placeholder:"TEXT" help:"A need, instead of splitting the query; may be repeated."`
	Profile        *string  `placeholder:"NAME" help:"How to rank: standard or journal, by an index, passages; cosine, whole documents. Default: standard over an index, cosine over a corpus file."`
	Representation string   `enum:"each,seed" default:"each" help:"each: every need has a slot where the budget allows it; seed: slots by weight alone."`
	Fill           bool     `help:"Give slots that stayed empty to the next best."`
	Explain        bool     `help:"Explain each score and each place."`
	Text           string   `enum:"none,snippet,full" default:"snippet" help:"How much of each passage to show: none, snippet or full."`
	JSON           bool     `help:"The reply's exact bytes and a line end; the same as --format json."`
	Format         string   `enum:"text,json," default:"" help:"text for people, or json. Default: text."`
	Out            string   `placeholder:"FILE" help:"Also store the reply there, for a replay; - is stdout, and then nothing else is written there."`
	byLegs
	strict
	source
}

func (retrieveVerb) Help() string {
	return `The query is split at connectors (and, or, then, commas, question marks, new lines) into needs. Each need has a weight, its number of distinct content words, and a share of the budget.

	rookhaven retrieve --corpus docs.jsonl "crane faults and tide windows"
	rookhaven retrieve --corpus docs.jsonl -n 5 --explain berth 7
	rookhaven retrieve --corpus docs.jsonl --need "crane faults" --need "tide windows" "morning brief"
	echo "tide windows" | rookhaven retrieve --corpus docs.jsonl --json -
	rookhaven retrieve --corpus docs.jsonl --out reply.json "tide windows"
	rookhaven retrieve --data docs --out reply.json "crane faults and tide windows"

Over an index (rookhaven index makes it), each need finds passages as rookhaven search does, of each document the best: by words, and by meaning where the index has vectors. Each need then has a verdict: answered, weak or no_answer. The reply is answered where every need is, no_answer where none is, and weak else.

What is asked: --data DIR or --corpus FILE; else ROOKHAVEN_CORPUS_PATH; else the index in .rookhaven here or in the nearest folder above, or that in the data folder.

Exit codes: 0 there are hits, 1 there are none or none that answers (verdict no_answer), 2 an error, 3 with --strict, see there.`
}

func (v *retrieveVerb) Run(r *run) error {
	if v.JSON && v.Format == "text" {
		return abi.Errorf(abi.ArgumentInvalid, "--json and --format text contradict each other")
	}
	c, err := r.config(v.given(), v.chosen())
	if err != nil {
		return err
	}
	if err := spare(v.Out, c.CorpusPath, "corpus"); err != nil {
		return err
	}
	q, err := v.request(r, c)
	if err != nil {
		return err
	}
	if v.Data != "" || v.AsOf != "" || v.Corpus == nil && c.CorpusPath == "" && v.folder(r, c) != "" {
		return v.overIndex(r, q)
	}
	return v.overFile(r, c, q)
}

// overIndex asks an index, whose passages answer by words and, where it has vectors, by
// meaning.
func (v *retrieveVerb) overIndex(r *run, q *abi.Request) error {
	v.needs(&v.meaning)
	o, err := v.open(r)
	if err != nil {
		return err
	}
	defer o.close()
	if v.Profile == nil {
		q.Profile = abi.ProfileStandard
	}
	if err := service.Check(o.config, q); err != nil {
		return err
	}
	bytes, _, err := o.Retrieve(r.ctx, q.Append(nil))
	if err != nil {
		return err
	}
	o.keep(r)
	return v.give(r, bytes, o.config.CorpusPath, o.less)
}

// overFile asks the documents of a corpus file.
func (v *retrieveVerb) overFile(r *run, c *config.Config, q *abi.Request) error {
	s, err := r.service(c)
	if err != nil {
		return err
	}
	defer s.Close(r.ctx)
	if c.CorpusPath == "" {
		r.log(c).Warn("corpus_unset", "remedy", "give --corpus FILE or --data DIR, or set ROOKHAVEN_CORPUS_PATH; the empty corpus answers now")
	}
	bytes, err := s.Retrieve(r.ctx, q)
	if err != nil {
		return err
	}
	return v.give(r, bytes, c.CorpusPath, false)
}

// give stores a reply and shows it. less says that what answered may not be what was
// published last.
func (v *retrieveVerb) give(r *run, bytes []byte, corpus string, less bool) error {
	toStdout, err := r.store(v.Out, bytes, corpus)
	if err != nil {
		return err
	}
	reply, code, err := r.reply(bytes, toStdout || v.JSON || v.Format == "json")
	if err != nil || r.unwritten != nil {
		return err
	}
	return v.end(less || len(reply.Degraded) > 0, code)
}

// reply shows a reply, and returns it with the exit code that it stands for.
func (r *run) reply(bytes []byte, json bool) (*abi.Reply, int, error) {
	reply, err := abi.ReadReply(bytes)
	if err != nil {
		return nil, 0, err
	}
	if json {
		r.printJSON(bytes)
	} else {
		r.printf("%s", strings.TrimSuffix(show(reply), "\n"))
	}
	if reply.Verdict == abi.NoAnswer {
		return reply, 1, nil
	}
	return reply, 0, nil
}

// request turns the flags into a request.
func (v *retrieveVerb) request(r *run, c *config.Config) (*abi.Request, error) {
	q := service.Request(c)
	var err error
	if q.Query, err = r.query(v.Query); err != nil {
		return nil, err
	}
	if v.Budget != nil {
		q.RecallBudget = *v.Budget
	}
	if v.Seed != nil {
		q.Seed = *v.Seed
	}
	if v.Profile != nil {
		q.Profile = *v.Profile
	}
	q.Mode, q.Fusion = v.modes()
	q.Needs = v.Need
	q.Representation, q.Fill, q.Explain, q.Text = v.Representation, v.Fill, v.Explain, v.Text
	return &q, nil
}

// line returns a reply as a line.
func line(reply []byte) []byte { return append(reply[:len(reply):len(reply)], '\n') }
