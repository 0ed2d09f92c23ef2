package cli

import (
	"os"
	"path/filepath"

	"github.com/rookhaven-project/rookhaven/hosts/internal/atomicfile"
	"github.com/rookhaven-project/rookhaven/hosts/internal/corpusfile"
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
	dir := v.Dir
	if dir == "" && c.DataDir != "" {
		dir = filepath.Join(c.DataDir, "demo")
	}
	if dir == "" {
		return abi.Errorf(abi.ArgumentInvalid, "there is no data folder on this machine: give --dir")
	}
	documents, err := corpusfile.Parse(r.Example)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "corpus.jsonl")
	if err = os.MkdirAll(dir, 0o755); err == nil {
		err = atomicfile.Write(path, r.Example, 0o644)
	}
	if err != nil {
		return &abi.Error{Code: abi.StorageFailed, Sentence: err.Error()}
	}
	s := service.New(c, r.log(c), &corpusfile.File{Documents: documents, Bytes: int64(len(r.Example))})
	defer s.Close(r.ctx)
	return v.ask(r, s, path, filepath.Join(dir, "reply.json"))
}

func (v *demoVerb) ask(r *run, s *service.Service, corpus, reply string) error {
	q := abi.Default()
	q.Query, q.RecallBudget, q.Explain, q.Text = v.Query, 6, true, abi.TextSnippet
	if q.Query == "" {
		q.Query = question
	}
	bytes, err := s.Retrieve(r.ctx, &q)
	if err != nil {
		return err
	}
	if err := put(reply, bytes); err != nil {
		return err
	}
	shown := r.reply(bytes, false)
	r.printf("")
	r.printf("The reply is stored. Check it, in this or in another runtime:")
	r.printf("  rookhaven replay --corpus %s %s", corpus, reply)
	return shown
}
