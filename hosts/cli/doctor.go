package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/corpusfile"
	"github.com/rookhaven-project/rookhaven/hosts/internal/library"
	"github.com/rookhaven-project/rookhaven/hosts/internal/service"
	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/hosts/runner/store"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

type doctorVerb struct {
	JSON bool `help:"As JSON."`
	data
	corpus
	limits
}

func (doctorVerb) Help() string {
	return `Checks the engine, the folders, the corpus file, the index where there is one (every generation that is kept and every file of it, and whether it opens), and the main job on the bundled example: open, retrieve, replay. Each line is ok, warn or fail, with what to do about it.

	rookhaven doctor
	rookhaven doctor --corpus docs.jsonl --json
	rookhaven doctor --data docs

Exit codes: 0 no check failed, 2 one did.`
}

// A check is one line of the doctor's.
type check struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok, warn or fail
	Found  string `json:"found"`
	Remedy string `json:"remedy,omitempty"`
}

func ok(name, format string, args ...any) check {
	return check{name, "ok", fmt.Sprintf(format, args...), ""}
}

func bad(name, status string, err error) check {
	return check{name, status, err.Error(), abi.Info(service.Code(err)).Remedy}
}

func (v *doctorVerb) Run(r *run) error {
	var checks []check
	c, err := r.config(v.corpus.given(), v.limits.given())
	if err != nil {
		checks = []check{bad("settings", "fail", err)}
	} else {
		checks = []check{ok("settings", "all in bounds"), engineCheck(), cacheCheck(r, c), dataCheck(r, c), corpusCheck(c)}
		if folder := v.folder(r, c); folder != "" {
			checks = append(checks, indexCheck(r, c, folder))
		}
		checks = append(checks, selfTest(r, c))
	}
	failed := false
	for _, check := range checks {
		failed = failed || check.Status == "fail"
	}
	if v.JSON {
		err = r.json(map[string]any{"ok": !failed, "checks": checks})
	} else {
		err = nil
		for _, check := range checks {
			r.printf("%-4s  %-9s %s", check.Status, check.Name, terminal.Line(check.Found))
			if check.Remedy != "" {
				r.printf("                %s", check.Remedy)
			}
		}
	}
	if failed {
		return exit(2)
	}
	return err
}

func engineCheck() check {
	wasm, digest, built := artifact.Built()
	if !built {
		return bad("engine", "fail", artifact.Absent())
	}
	if err := artifact.Check(wasm, digest); err != nil {
		return bad("engine", "fail", err)
	}
	f, err := wasmfile.Parse(wasm)
	if err != nil {
		return bad("engine", "fail", err)
	}
	if n := len(artifact.Differences(f)); n > 0 {
		return check{"engine", "warn", fmt.Sprintf("%s: %d lines of its surface differ from surface.txt", digest, n), abi.Info(abi.EngineAbsent).Remedy}
	}
	return ok("engine", "%s, %d bytes, its surface as committed", digest, len(wasm))
}

// cacheCheck compiles the engine into the cache folder, or finds it there.
func cacheCheck(r *run, c *config.Config) check {
	wasm, _, built := artifact.Built()
	switch {
	case !built:
		return check{"cache", "warn", "not checked without an engine", ""}
	case c.CacheDir == "":
		return check{"cache", "warn", "this user has no home: every start compiles the engine anew", "Give a folder with --cache-dir or ROOKHAVEN_CACHE_DIR."}
	}
	start := time.Now()
	var unused error
	opened, err := wazero.Open(r.ctx, wasm, wazero.Config{Cache: c.CacheDir, Unused: func(err error) { unused = err }})
	if err == nil && unused != nil {
		_ = opened.Close(r.ctx)
		err = unused
	}
	if err != nil {
		f := bad("cache", "warn", err)
		f.Remedy = "Mend the folder's owner and rights, or name another with ROOKHAVEN_CACHE_DIR; until then every start compiles the engine anew."
		return f
	}
	if err := opened.Close(r.ctx); err != nil {
		return bad("cache", "warn", err)
	}
	return ok("cache", "%s, engine ready in %d ms", c.CacheDir, time.Since(start).Milliseconds())
}

func dataCheck(r *run, c *config.Config) check {
	const remedy = "Name a folder that this user may write with ROOKHAVEN_DATA_DIR; until then nothing is kept for later replays."
	if c.DataDir == "" {
		return check{"data", "warn", "this user has no home", remedy}
	}
	err := os.MkdirAll(c.DataDir, 0o755)
	if err == nil {
		err = writable(c.DataDir)
	}
	if err != nil {
		return check{"data", "warn", err.Error(), remedy}
	}
	if damaged := damagedFiles(r, c); len(damaged) > 0 {
		return check{
			"data", "warn", "damaged: " + strings.Join(damaged, ", "),
			"Give a damaged engine again with rookhaven engine add FILE. A corpus root is mended when its corpus answers again; until then a replay does not name the document that changed.",
		}
	}
	return ok("data", "%s, %s", c.DataDir, kept(c.DataDir))
}

// damagedFiles returns the files in the data folder that are not what their names
// say: of an engine the digest tells, of a corpus the root that the engine finds.
func damagedFiles(r *run, c *config.Config) []string {
	s := store.Open(c.DataDir)
	var list []string
	engines, _ := s.Engines()
	for _, e := range engines {
		if !s.Intact(e.Name) {
			list = append(list, s.EnginePath(e.Name))
		}
	}
	corpora, _ := s.Corpora()
	if len(corpora) == 0 {
		return list
	}
	root, end := rootOf(r, c)
	defer end()
	for _, e := range corpora {
		leaves, err := s.Leaves(e.Name)
		if err == nil {
			_, err = abi.ReadLeaves(leaves)
		}
		if err != nil || root != nil && root(leaves) != e.Name {
			list = append(list, s.LeavesPath(e.Name))
		}
	}
	return list
}

// rootOf returns what finds the root of leaves; nil where no engine runs here.
func rootOf(r *run, c *config.Config) (root func(leaves []byte) string, end func()) {
	wasm, _, built := artifact.Built()
	if !built {
		return nil, func() {}
	}
	engine, err := service.Compile(r.ctx, wasm, c.CacheDir, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, func() {}
	}
	instance, err := engine.Instance(r.ctx)
	if err != nil {
		_ = engine.Close(r.ctx)
		return nil, func() {}
	}
	root = func(leaves []byte) string {
		out, err := instance.Call(r.ctx, abi.Open, []byte(`{"engine":"doctor","leaves":`), leaves, []byte("}"))
		if err != nil {
			return ""
		}
		reply, err := abi.ReadOpenReply(out)
		if err != nil {
			return ""
		}
		_, _ = instance.Call(r.ctx, abi.Close, fmt.Appendf(nil, `{"handle":%d}`, reply.Handle))
		return reply.Corpus
	}
	return root, func() { _ = errors.Join(instance.Close(r.ctx), engine.Close(r.ctx)) }
}

// writable tells whether a file can be made in a folder.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor.*")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

func kept(dir string) string {
	engines, _ := filepath.Glob(filepath.Join(dir, "engines", "*.wasm"))
	corpora, _ := filepath.Glob(filepath.Join(dir, "corpora", "*.rkt"))
	return count(int64(len(engines)), "engine") + " and " + count(int64(len(corpora)), "corpus root") + " kept"
}

func corpusCheck(c *config.Config) check {
	if c.CorpusPath == "" {
		return check{"corpus", "warn", "none is configured: retrieve and mcp answer no hits", "Give one with --corpus or ROOKHAVEN_CORPUS_PATH."}
	}
	file, err := corpusfile.Read(c.CorpusPath, c.MaxCorpusDocs)
	if err != nil {
		return bad("corpus", "fail", err)
	}
	return ok("corpus", "%s, %s, %d bytes", c.CorpusPath, count(int64(len(file.Documents)), "document"), file.Bytes)
}

// indexCheck reads every file of an index, and opens the current generation.
func indexCheck(r *run, c *config.Config, folder string) check {
	const name = "index"
	engine, err := r.engine(c)
	if err != nil {
		return bad(name, "fail", err)
	}
	defer func() { _ = engine.Close(context.WithoutCancel(r.ctx)) }()
	l, err := r.shelf(c, engine, folder, nil)
	if err != nil {
		return bad(name, "fail", err)
	}
	defer func() { _ = l.Close(context.WithoutCancel(r.ctx)) }()
	report, err := l.Check(r.ctx)
	if err != nil {
		return bad(name, "fail", err)
	}
	return indexFound(folder, &report)
}

// indexFound says what a report on an index comes to: what is lost fails, what could not be
// told is a warning, what no generation needs, or was given up, is a note.
func indexFound(folder string, report *library.Report) check {
	const name, again = "index", "Run rookhaven index with the paths that the index is made of: "
	const lost = " What is lost does not answer --as-of, unless a backup has its files; --forget-lost gives it up, and what is whole stays."
	var harm, unfinished, untold, notes []string
	said := report.Lost
	if report.Engine != nil {
		said += report.Engine.Error()
	}
	onlyNames := true   // of generations, which the next writer writes anew
	onlyVectors := true // without which words answer
	for _, p := range report.Problems {
		switch {
		case p.Kind.Harm():
			onlyVectors = onlyVectors && p.Vectors
			onlyNames = onlyNames && (filepath.Base(p.Path) == "CURRENT" || filepath.Base(p.Path) == "OLDEST")
			if !strings.Contains(said, p.Path) {
				harm = append(harm, p.Sentence)
			}
		case p.Kind == index.FileUnfinished:
			unfinished = append(unfinished, p.Sentence)
		case p.Kind == index.FileUntold:
			untold = append(untold, p.Sentence)
		default:
			notes = append(notes, p.Sentence)
		}
	}
	answers := fmt.Sprintf("generation %d is whole and answers", report.Current.Number)
	switch {
	case report.Engine != nil && !report.Report.Sound():
		return check{name, "fail", joined([]string{report.Engine.Error()}, harm, unfinished, untold, notes), "Build the index anew: rookhaven index --rebuild with the paths that it is made of. Until then no search is answered from what is damaged." + lost}
	case report.Engine != nil:
		return bad(name, "fail", report.Engine)
	case report.Lost != "":
		return check{name, "fail", joined([]string{report.Lost}, harm, untold, notes), again + "it goes on from the generation that is whole." + lost}
	case len(harm) > 0 && onlyNames:
		return check{name, "fail", joined([]string{answers}, harm, untold, notes), again + "it writes anew what names the generations."}
	case len(harm) > 0 && onlyVectors:
		return check{name, "fail", joined([]string{answers}, harm, untold, notes), again + "it makes damaged vectors of the current generation again. A generation whose vectors are damaged finds by words alone."}
	case len(harm) > 0:
		return check{name, "fail", joined([]string{answers}, harm, untold, notes), "Run rookhaven index --forget-lost with the paths that the index is made of, unless a backup has the files: it gives up the generations that need what is missing or damaged, and what is whole stays. Until then they do not answer --as-of, and are told here until they are dropped: neither among the last 10 nor younger than 30 days."}
	case len(unfinished) > 0:
		return check{name, "warn", joined([]string{answers}, unfinished, untold, notes), again + "it finishes what was interrupted, or gives it up."}
	case len(untold) > 0:
		return check{name, "warn", joined([]string{answers}, untold, notes), again + "it writes OLDEST anew."}
	}
	return ok(name, "%s", joined([]string{fmt.Sprintf("%s, generation %d, %s are whole", folder, report.Current.Number, count(report.Bytes, "byte"))}, notes))
}

// mostSaid is how many sentences of a kind are said: the files of one generation can be
// many.
const mostSaid = 20

// joined makes one sentence of several kinds of them.
func joined(kinds ...[]string) string {
	var said []string
	for _, sentences := range kinds {
		if rest := len(sentences) - mostSaid; rest > 0 {
			sentences = append(sentences[:mostSaid:mostSaid], fmt.Sprintf("and %d more like this", rest))
		}
		said = append(said, sentences...)
	}
	return strings.Join(said, "; ")
}

// selfTest runs the main job on the example: open, retrieve, replay.
func selfTest(r *run, c *config.Config) check {
	const name = "self-test"
	documents, err := corpusfile.Parse(r.Example)
	if err != nil {
		return bad(name, "fail", err)
	}
	quiet := *c
	quiet.DataDir = "" // a test leaves nothing behind
	s := service.New(&quiet, r.log(c), &corpusfile.File{Documents: documents})
	defer s.Close(r.ctx)
	q := abi.Default()
	q.Query = question
	reply, err := s.Retrieve(r.ctx, &q)
	if err != nil {
		return bad(name, "fail", err)
	}
	verdict, err := s.Replay(r.ctx, reply, nil)
	if err != nil {
		return bad(name, "fail", err)
	}
	p, err := abi.ReadReplayReply(verdict)
	if err != nil || p.Verdict != abi.Match {
		return check{name, "fail", "a reply of the example replays as " + string(verdict), abi.Info(abi.EngineFailed).Remedy}
	}
	return ok(name, "retrieve and replay over %s of the example: MATCH %s", count(int64(len(documents)), "document"), short(p.Digest))
}
