package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/corpusfile"
	"github.com/rookhaven-project/rookhaven/hosts/internal/discover"
	"github.com/rookhaven-project/rookhaven/hosts/internal/library"
	"github.com/rookhaven-project/rookhaven/hosts/internal/logging"
	"github.com/rookhaven-project/rookhaven/hosts/internal/service"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/store"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// dataName is the folder of an index inside of the folder that it is made of.
const dataName = ".rookhaven"

// data is the flag of the verbs that use an index.
type data struct {
	Data string `placeholder:"DIR" help:"The folder of the index, or the folder that it was made of. Default: .rookhaven here or in the nearest folder above, else the data folder."`
}

// source is the flags of the verbs that search.
type source struct {
	data
	meaning
	AsOf string `placeholder:"WHICH" help:"An older generation: its number; its corpus root, or 8 digits of it or more; a time such as 2026-11-30T15:04:05Z, 2026-11-30T15:04Z or 2026-11-30 (UTC), and then what was current at the end of that second, minute or day; or current."`
	corpus
}

// strict is the flag of the verbs that answer where an answer may be less than what was asked for.
type strict struct {
	Strict bool `help:"Exit with 3 where the answer may be less than what was asked for: an older generation in the place of one that is lost, or what the reply calls degraded."`
}

// end returns the exit code of a verb that answered: 3 with --strict where the answer may
// be less than what was asked for, else code.
func (s strict) end(less bool, code int) error {
	switch {
	case s.Strict && less:
		return exit(3)
	case code != 0:
		return exit(code)
	}
	return nil
}

// isIndex reports whether a folder holds an index, in whatever state: also one that
// may not be read, which who opens it is told.
func isIndex(dir string) bool {
	for _, name := range []string{"CURRENT", "generations"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// folder returns the folder of the index that is meant, "" where there is none.
func (d *data) folder(r *run, c *config.Config) string {
	if d.Data != "" {
		if inner := filepath.Join(d.Data, dataName); !isIndex(d.Data) && isIndex(inner) {
			return inner
		}
		return d.Data
	}
	if dir := r.nearest(); dir != "" {
		return dir
	}
	if c.DataDir != "" && isIndex(c.DataDir) {
		return c.DataDir
	}
	return ""
}

// nearest returns the folder of the index here or in the nearest folder above, "" where
// there is none.
func (r *run) nearest() string {
	for dir := r.Dir; ; dir = filepath.Dir(dir) {
		if inner := filepath.Join(dir, dataName); isIndex(inner) {
			if short, err := filepath.Rel(r.Dir, inner); err == nil {
				return short
			}
			return inner
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
}

// An opened is what is searched.
type opened struct {
	*pool.Index
	Where      string            // for people
	Generation *index.Generation // nil of a corpus file
	engine     string            // its digest
	folder     string            // that was indexed, "" where that is not known
	less       bool              // what answers may not be what was published last, or by less than what was asked for
	missing    string            // what degraded said of a leg that took no part in a ranking
	config     *config.Config
	end        []func()
}

func (o *opened) close() {
	for i := len(o.end) - 1; i >= 0; i-- {
		o.end[i]()
	}
}

// open opens what is to be searched: an index, or a corpus file, which is indexed in
// memory.
func (s *source) open(r *run) (*opened, error) {
	c, err := r.config(s.given(), s.chosen())
	if err != nil {
		return nil, err
	}
	if s.Corpus != nil && (s.Data != "" || s.AsOf != "") {
		return nil, abi.Errorf(abi.ArgumentInvalid, "--corpus searches a file: it goes with neither --data nor --as-of, which are about an index")
	}
	o := &opened{config: c}
	folder := ""
	if s.Corpus == nil {
		folder = s.folder(r, c)
	}
	if folder == "" && c.CorpusPath == "" {
		return nil, noIndex(r)
	}
	engine, err := r.engine(c)
	if err != nil {
		return nil, err
	}
	o.engine = engine.Engine()
	o.end = append(o.end, func() { _ = engine.Close(context.WithoutCancel(r.ctx)) })
	if folder != "" {
		err = o.library(r, engine, folder, s.AsOf)
	} else {
		err = o.file(r, engine)
	}
	if err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

func noIndex(r *run) error {
	return abi.Errorf(abi.IndexAbsent, "there is no index in %s or above; make one with rookhaven index DIR, or give --data DIR or --corpus FILE", r.Dir)
}

// engine compiles the built-in engine.
func (r *run) engine(c *config.Config) (runner.Runner, error) {
	wasm, _, built := artifact.Built()
	if !built {
		return nil, artifact.Absent()
	}
	return service.Compile(r.ctx, wasm, c.CacheDir, r.log(c))
}

// A shelf is a library with the model that it uses.
type shelf struct {
	*library.Library
	model *model // nil: none
}

// Close closes both.
func (s *shelf) Close(ctx context.Context) error {
	err := s.Library.Close(ctx)
	if s.model != nil {
		err = errors.Join(err, s.model.close(ctx))
	}
	return err
}

// shelf returns the library in a folder. What is not in order there is told on stderr.
func (r *run) shelf(c *config.Config, engine runner.Runner, folder string, settings *abi.Settings) (*shelf, error) {
	o := library.Options{
		Folder: folder, Disk: disk.OS(), Runner: engine, Settings: settings, Shards: int(c.Shards),
		Clock: time.Now, Command: "rookhaven " + r.Args[0], Log: r.log(c),
		Tell: func(sentence string) { r.notice(sentence + ", so it answers (rookhaven doctor tells more)") },
	}
	m, err := r.model(c, engine)
	if code := service.Code(err); r.Args[0] != "index" && (code == abi.EmbedderFailed || code == abi.EmbedderRefused) {
		r.notice(err.Error() + "; words answer")
		m, err = &model{engine: engine}, nil // it has no digest, so that the vectors of the index are another's
	}
	if err != nil {
		return nil, err
	}
	if m != nil {
		o.Vectors = m.vectors()
	}
	return &shelf{library.Open(o), m}, nil
}

// library opens a generation of an index.
func (o *opened) library(r *run, engine runner.Runner, folder, asOf string) error {
	l, err := r.shelf(o.config, engine, folder, nil)
	if err != nil {
		return err
	}
	o.end = append(o.end, func() { _ = l.Close(context.WithoutCancel(r.ctx)) })
	e, release, err := l.Edition(r.ctx, asOf)
	if err != nil {
		return err
	}
	o.end = append(o.end, release)
	o.Index, o.Generation, o.less = e.Index, &e.Generation, len(l.Recovered()) > 0
	o.Where = "index " + folder + " generation " + itoa(e.Generation.Number)
	if filepath.Base(folder) == dataName {
		o.folder, err = filepath.Abs(filepath.Dir(folder))
	}
	return err
}

// named returns the ids that documents may have which a person names.
func (o *opened) named(documents []string) []string {
	var list []string
	for _, d := range documents {
		list = append(list, discover.IDs(d, o.folder, filepath.Separator)...)
	}
	return list
}

// file indexes the configured corpus in memory.
func (o *opened) file(r *run, engine runner.Runner) error {
	file, err := corpusfile.Read(o.config.CorpusPath, o.config.MaxCorpusDocs)
	if err != nil {
		return err
	}
	settings := abi.DefaultSettings()
	segments := make([]pool.Segment, len(pool.Batches(file.Documents)))
	err = pool.Build(r.ctx, engine, settings, file.Documents, func(n int, b pool.Built) error {
		segments[n] = pool.Kept(slices.Clone(b.Bytes), nil) // they are a view of the engine's memory
		return nil
	})
	if err != nil {
		return err
	}
	x, err := pool.OpenIndex(r.ctx, engine, pool.Config{Shards: int(o.config.Shards)}, abi.Names{Engine: engine.Engine()}, settings, segments)
	if err != nil {
		return err
	}
	o.end = append(o.end, func() { _ = x.Close(context.WithoutCancel(r.ctx)) })
	o.Index, o.Where = x, "corpus file "+o.config.CorpusPath
	return nil
}

// keep keeps what a later replay needs, as the service does: the engine, and the leaves
// of the corpus.
func (o *opened) keep(r *run) {
	if o.config.DataDir == "" {
		return
	}
	r.keepEngine(o.config)
	if err := store.Open(o.config.DataDir).AddLeaves(o.Root(), o.Leaves()); err != nil {
		r.notKept(o.config, err)
	}
}

// keepEngine keeps the engine that is built in: what it made may be asked of it later,
// by another version.
func (r *run) keepEngine(c *config.Config) {
	if c.DataDir == "" {
		return
	}
	wasm, _, _ := artifact.Built()
	if _, err := store.Open(c.DataDir).AddEngine(wasm); err != nil {
		r.notKept(c, err)
	}
}

func (r *run) notKept(c *config.Config, err error) {
	r.log(c).Warn("not_kept", logging.Failure(err), "remedy", "later replays may lack this engine or corpus; mend the data folder, or name another with ROOKHAVEN_DATA_DIR")
}
