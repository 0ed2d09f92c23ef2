package cli

import (
	"os"
	"path/filepath"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/corpusfile"
	"github.com/rookhaven-project/rookhaven/hosts/internal/logging"
	"github.com/rookhaven-project/rookhaven/hosts/internal/service"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// question is what the demo asks unless it is told otherwise.
const question = "crane faults and tide windows"

type demoVerb struct {
	Query string `arg:"" optional:"" help:"What to find. Default: crane faults and tide windows."`
	Dir   string `placeholder:"DIR" help:"Where the corpus and the reply are written. Default: demo in the data folder."`
	folders
}

func (demoVerb) Help() string {
	return `Retrieves from the bundled example corpus, the handbook and journal of an imaginary harbour: the needs, their budgets, and the hits with the reason for each. The corpus and the reply are written to a folder, for a replay.

	rookhaven demo
	rookhaven demo "lobster size limits and where the oil boom is laid"`
}

func (v *demoVerb) Run(r *run) error {
	c, err := r.config(v.given())
	if err != nil {
		return err
	}
	documents, err := corpusfile.Parse(r.Example)
	if err != nil {
		return err
	}
	dir, err := v.dir(r, c)
	switch {
	case err == nil:
	case v.Dir != "":
		return err
	default: // the hits are what was asked for
		r.log(c).Warn("not_kept", logging.Failure(err), "remedy", "give --dir DIR to keep the corpus and the reply for a replay")
	}
	s := service.New(c, r.log(c), &corpusfile.File{Documents: documents, Bytes: int64(len(r.Example))})
	s.EndWith(r.ctx)
	defer s.Close(r.ctx)
	return v.ask(r, s, dir)
}

// dir makes the folder, with the corpus in it.
func (v *demoVerb) dir(r *run, c *config.Config) (string, error) {
	dir := v.Dir
	if dir == "" && c.DataDir == "" {
		return "", abi.Errorf(abi.StorageFailed, "there is no data folder on this machine")
	}
	if dir == "" {
		dir = filepath.Join(c.DataDir, "demo")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", unwritable(err)
	}
	path := filepath.Join(dir, corpusName)
	if v.Dir != "" {
		if err := fresh(path, r.Example); err != nil {
			return "", err // somebody else's corpus
		}
	}
	return dir, r.put(path, r.Example, "")
}

const corpusName, replyName = "corpus.jsonl", "reply.json"

func (v *demoVerb) ask(r *run, s *service.Service, dir string) error {
	q := abi.Default()
	q.Query, q.RecallBudget, q.Explain, q.Text = v.Query, 6, true, abi.TextSnippet
	if q.Query == "" {
		q.Query = question
	}
	bytes, err := s.Retrieve(r.ctx, &q)
	if err != nil {
		return err
	}
	corpus, reply := filepath.Join(dir, corpusName), filepath.Join(dir, replyName)
	if dir != "" {
		if err := r.put(reply, line(bytes), corpus); err != nil {
			return err
		}
	}
	_, code, err := r.reply(bytes, false)
	if err != nil {
		return err
	}
	if dir != "" {
		r.printf("")
		r.printf("The reply is stored. Check it, in this or in another runtime:")
		r.printf("  rookhaven replay --corpus %s %s", corpus, reply)
	}
	if code != 0 && r.unwritten == nil {
		return exit(code)
	}
	return nil
}
