package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/service"
	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/hosts/runner/store"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/models"
)

type replayVerb struct {
	File   string `arg:"" help:"A stored reply; - reads it from stdin."`
	Engine string `placeholder:"FILE" help:"The engine that the reply names, where it is neither built in nor kept."`
	JSON   bool   `help:"The engine's verdict as JSON."`
	data
	meaning
	corpus
}

func (replayVerb) Help() string {
	return `Runs the request of a stored reply, of retrieve or of search, again, with the engine that it names, over the corpus of now, and compares.

	rookhaven replay reply.json --corpus docs.jsonl
	rookhaven replay reply.json --corpus docs.jsonl --engine old/rookhaven.wasm
	rookhaven replay reply.json --data docs

Over an index, the generation with the corpus root of the reply answers where it is kept, else the current one. An index belongs to one engine; with another, give its documents with --corpus.

MATCH: the engine gives this reply, byte for byte in the canonical spelling; a file that spells the same values otherwise is the same reply. MISMATCH: the reply was altered, or an engine is at fault; the first member that differs is named. UNVERIFIABLE: what it takes is not here, or the corpus is another one by now.
Exit codes: 0 MATCH, 4 MISMATCH and UNVERIFIABLE, 2 an error.`
}

func (v *replayVerb) Run(r *run) error {
	c, err := r.config(v.given(), v.chosen())
	if err != nil {
		return err
	}
	stored, err := r.read(v.File)
	if err != nil {
		return err
	}
	var offered []byte
	if v.Engine != "" {
		if offered, err = r.read(v.Engine); err != nil {
			return err
		}
		if err := artifact.Check(offered, ""); err != nil {
			return err
		}
	}
	if folder := v.index(r, c); folder != "" {
		if offered != nil {
			return abi.Errorf(abi.ArgumentInvalid, "an index answers with the engine that it belongs to: give --corpus FILE with --engine")
		}
		return v.overIndex(r, c, folder, stored)
	}
	if _, err := os.Stat(c.CorpusPath); c.CorpusPath != "" && errors.Is(err, fs.ErrNotExist) {
		// A corpus that is gone is a finding, not a slip: the verdict says so.
		r.log(c).Warn("corpus_absent", "path", c.CorpusPath)
		c.CorpusPath = ""
	}
	s, err := r.service(c)
	if err != nil {
		return err
	}
	defer s.Close(r.ctx)
	bytes, err := s.Replay(r.ctx, stored, offered)
	if err != nil {
		return err
	}
	return r.verdict(bytes, v.JSON, c.CorpusPath != "")
}

// index returns the folder of the index to replay over, "" where it is a corpus file.
func (v *replayVerb) index(r *run, c *config.Config) string {
	if v.Data != "" || v.Corpus == nil && c.CorpusPath == "" && v.Engine == "" {
		return v.folder(r, c)
	}
	return ""
}

// overIndex replays over an index.
func (v *replayVerb) overIndex(r *run, c *config.Config, folder string, stored []byte) error {
	if v.Corpus != nil {
		return abi.Errorf(abi.ArgumentInvalid, "--data and --corpus do not go together")
	}
	root, model := digestIn(stored, "corpus"), digestIn(stored, "model")
	if v.Model == nil && model != "" && isKept(c, model) {
		c.Model = model // whichever one is configured now
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
	e, release, err := l.Edition(r.ctx, l.AnsweredBy(root, model))
	if root != "" && service.Code(err) == index.Unknown {
		e, release, err = l.Edition(r.ctx, "")
	}
	if err != nil {
		return err
	}
	defer release()
	var leaves []byte
	if root != "" && c.DataDir != "" {
		leaves, _ = store.Open(c.DataDir).Leaves(root) // they only help
	}
	bytes, err := e.Index.Replay(r.ctx, stored, leaves)
	if err != nil {
		return err
	}
	return r.verdict(bytes, v.JSON, true)
}

// digestIn returns a digest that a stored reply names, "" where it names none; about what is
// no reply, the engine has the word.
func digestIn(stored []byte, member string) string {
	v, err := json.Parse(stored)
	if err != nil || !abi.IsDigest(v.Member(member).Text()) {
		return ""
	}
	return v.Member(member).Text()
}

// isKept reports whether a model is the built-in one, or one that was added.
func isKept(c *config.Config, model string) bool {
	if model == models.MiniLMDigest || c.DataDir == "" {
		return model == models.MiniLMDigest
	}
	_, err := store.Open(c.DataDir).Model(model)
	return err == nil
}

// verdict shows what a replay found.
func (r *run) verdict(bytes []byte, json, corpus bool) error {
	p, err := abi.ReadReplayReply(bytes)
	if err != nil {
		return err
	}
	if json {
		r.printJSON(bytes)
	} else {
		r.showVerdict(&p, corpus)
	}
	if p.Verdict != abi.Match {
		return exit(4)
	}
	return nil
}

func (r *run) showVerdict(p *abi.ReplayReply, corpus bool) {
	line := terminal.Line
	switch {
	case p.Verdict == abi.Match:
		r.printf("MATCH %s", line(p.Digest))
	case p.Verdict == abi.Mismatch:
		r.printf("MISMATCH at %s", line(p.At))
		r.printf("  stored   %s", absent(line(p.Stored)))
		r.printf("  replayed %s", absent(line(p.Replayed)))
	case p.Missing == "engine":
		r.printf("UNVERIFIABLE: the engine is missing")
		r.printf("  the reply names %s", line(p.Stored))
		r.printf("  %s", abi.Info(abi.EngineUnknown).Remedy)
	case p.Missing == "corpus" && !corpus:
		// Compared with nothing, the first document that differs is any.
		r.printf("UNVERIFIABLE: the corpus is missing")
		r.printf("  the reply names %s", line(p.Stored))
		r.printf("  Give the corpus with --corpus FILE or ROOKHAVEN_CORPUS_PATH.")
	case p.Missing == "corpus":
		r.printf("UNVERIFIABLE: the corpus is missing or has changed")
		r.printf("  the reply names %s", line(p.Stored))
		r.printf("  here is         %s", line(p.Replayed))
		if p.Document != "" {
			r.printf("  the first document that differs: %s", line(p.Document))
		}
	case p.Missing == "vectors":
		r.printf("UNVERIFIABLE: the vectors are missing")
		if p.Stored != "" {
			r.printf("  by the model    %s", line(p.Stored))
		}
		r.printf("  The reply was found by meaning, too. Index the documents with this model (rookhaven index) and give --data DIR.")
	default:
		r.printf("%s: %s is missing: the reply names %s", line(p.Verdict), line(p.Missing), line(p.Stored))
	}
}

func absent(s string) string {
	if s == "" {
		return "(nothing)"
	}
	return s
}
