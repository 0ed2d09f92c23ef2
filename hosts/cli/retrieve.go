package cli

import (
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/internal/service"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

type retrieveVerb struct {
	Query          []string `arg:"" optional:"" help:"What to find. - reads it from stdin; what stands after -- is words, whatever it begins with."`
	Budget         *int64   `short:"n" aliases:"limit,recall-budget" placeholder:"N" help:"How many hits at most. Default: 10."`
	Seed           *string  `placeholder:"TEXT" help:"Breaks ties, always in the same way for the same seed."`
	Need           []string `sep:"none" placeholder:"TEXT" help:"A need, instead of splitting the query; may be repeated."`
	Profile        *string  `placeholder:"NAME" help:"How to rank: cosine, standard or journal. Default: cosine."`
	Representation string   `enum:"each,seed" default:"each" help:"each: every need has a slot where the budget allows it; seed: slots by weight alone."`
	Fill           bool     `help:"Give slots that stayed empty to the next best."`
	Explain        bool     `help:"Explain each score and each place."`
	Text           string   `enum:"none,snippet,full" default:"snippet" help:"How much of each passage to show: none, snippet or full."`
	JSON           bool     `help:"The reply's exact bytes and a line end; the same as --format json."`
	Format         string   `enum:"text,json," default:"" help:"text for people, or json. Default: text."`
	Out            string   `placeholder:"FILE" help:"Also store the reply there, for a replay; - is stdout, and then nothing else is written there."`
	corpus
}

func (retrieveVerb) Help() string {
	return `The query is split at connectors (and, or, then, commas, question marks, new lines) into needs. Each need has a weight, its number of distinct content words, and a share of the budget.

	rookhaven retrieve --corpus docs.jsonl "crane faults and tide windows"
	rookhaven retrieve --corpus docs.jsonl -n 5 --explain berth 7
	rookhaven retrieve --corpus docs.jsonl --need "crane faults" --need "tide windows" "morning brief"
	echo "tide windows" | rookhaven retrieve --corpus docs.jsonl --json -
	rookhaven retrieve --corpus docs.jsonl --out reply.json "tide windows"

Exit codes: 0 there are hits, 1 there are none, 2 an error.`
}

func (v *retrieveVerb) Run(r *run) error {
	if v.JSON && v.Format == "text" {
		return abi.Errorf(abi.ArgumentInvalid, "--json and --format text contradict each other")
	}
	c, err := r.config(v.given())
	if err != nil {
		return err
	}
	if err := spare(v.Out, c.CorpusPath, "corpus"); err != nil {
		return err
	}
	s, err := r.service(c)
	if err != nil {
		return err
	}
	defer s.Close(r.ctx)
	q, err := v.request(r, s)
	if err != nil {
		return err
	}
	if c.CorpusPath == "" {
		r.log(c).Warn("corpus_unset", "remedy", "give --corpus FILE or set ROOKHAVEN_CORPUS_PATH; the empty corpus answers now")
	}
	bytes, err := s.Retrieve(r.ctx, q)
	if err != nil {
		return err
	}
	json := v.JSON || v.Format == "json"
	switch {
	case v.Out == "":
	case r.isStdout(v.Out):
		json = true // once, and nothing else beside it
	default:
		if err := r.put(v.Out, line(bytes), c.CorpusPath); err != nil {
			return err
		}
	}
	return r.reply(bytes, json)
}

// reply shows a reply.
func (r *run) reply(bytes []byte, json bool) error {
	reply, err := abi.ReadReply(bytes)
	if err != nil {
		return err
	}
	if json {
		r.printJSON(bytes)
	} else {
		r.printf("%s", strings.TrimSuffix(show(reply), "\n"))
	}
	if len(reply.Hits) == 0 && r.unwritten == nil {
		return exit(1)
	}
	return nil
}

// request turns the flags into a request.
func (v *retrieveVerb) request(r *run, s *service.Service) (*abi.Request, error) {
	q := s.Request()
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
	q.Needs = v.Need
	q.Representation, q.Fill, q.Explain, q.Text = v.Representation, v.Fill, v.Explain, v.Text
	return &q, nil
}

// line returns a reply as a line.
func line(reply []byte) []byte { return append(reply[:len(reply):len(reply)], '\n') }
