package cli

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/corpusfile"
	"github.com/rookhaven-project/rookhaven/hosts/internal/logging"
	"github.com/rookhaven-project/rookhaven/hosts/internal/service"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// folders are the flags of all verbs that touch the disk.
type folders struct {
	DataDir  *string `placeholder:"DIR" group:"settings" help:"Where engines and corpus leaves are kept for later replays."`
	CacheDir *string `placeholder:"DIR" group:"settings" help:"Where the compiled engine is kept."`
	LogLevel *string `placeholder:"LEVEL" group:"settings" help:"debug, info, warn or error."`
}

// corpus is the flags of all verbs that open one.
type corpus struct {
	Corpus *string `placeholder:"FILE" help:"The documents: a JSON array, or one object a line. Default: ROOKHAVEN_CORPUS_PATH."`
	Shards *string `placeholder:"N" group:"settings" help:"How many instances share the corpus; 0 chooses."`
	folders
}

// meaning is the flag of the verbs that use vectors.
type meaning struct {
	Model                  *string `placeholder:"NAME" group:"settings" help:"The model that vectors are made by: minilm-l6-v2, one that was added, a file in .rkm; ollama:NAME or openai:NAME, of a server; or none, and words alone count."`
	EmbedderAddress        *string `placeholder:"URL" group:"settings" help:"Where the server is."`
	EmbedderDimensions     *string `placeholder:"N" group:"settings" help:"How many components its vectors have; 0 asks it."`
	EmbedderBackground     *string `placeholder:"N" group:"settings" help:"The cosine of texts that have nothing to do with each other by its model, in thousandths, 0 to 900."`
	EmbedderKeyVariable    *string `placeholder:"NAME" group:"settings" help:"The environment variable with its key."`
	EmbedderKeyFile        *string `placeholder:"FILE" group:"settings" help:"A file with its key."`
	EmbedderDocumentPrefix *string `placeholder:"TEXT" group:"settings" help:"What its model wants before a passage."`
	EmbedderQueryPrefix    *string `placeholder:"TEXT" group:"settings" help:"What its model wants before a query."`
}

func (m *meaning) chosen() map[string]*string {
	return map[string]*string{
		"model": m.Model, "embedderAddress": m.EmbedderAddress, "embedderDimensions": m.EmbedderDimensions, "embedderBackground": m.EmbedderBackground, "embedderKeyVariable": m.EmbedderKeyVariable,
		"embedderKeyFile": m.EmbedderKeyFile, "embedderDocumentPrefix": m.EmbedderDocumentPrefix, "embedderQueryPrefix": m.EmbedderQueryPrefix,
	}
}

// limits are the flags of the other settings.
type limits struct {
	DefaultRecall *string `placeholder:"N" group:"settings" help:"The recall budget of requests that name none."`
	MaxRecall     *string `placeholder:"N" group:"settings" help:"The greatest recall budget of a request."`
	MaxQueryLen   *string `placeholder:"N" group:"settings" help:"The longest query, in UTF-16 units."`
	MaxCorpusDocs *string `placeholder:"N" group:"settings" help:"The greatest corpus, in documents."`
	DefaultSeed   *string `placeholder:"TEXT" group:"settings" help:"The seed of requests that name none."`
}

func (f *folders) given() map[string]*string {
	return map[string]*string{"dataDir": f.DataDir, "cacheDir": f.CacheDir, "logLevel": f.LogLevel}
}

func (c *corpus) given() map[string]*string {
	m := c.folders.given()
	m["corpusPath"], m["shards"] = c.Corpus, c.Shards
	return m
}

func (l *limits) given() map[string]*string {
	return map[string]*string{
		"defaultRecall": l.DefaultRecall, "maxRecall": l.MaxRecall, "maxQueryLen": l.MaxQueryLen,
		"maxCorpusDocs": l.MaxCorpusDocs, "defaultSeed": l.DefaultSeed,
	}
}

// config resolves the settings.
func (r *run) config(given ...map[string]*string) (*config.Config, error) {
	flags := map[string]string{}
	for _, m := range given {
		for name, value := range m {
			if value != nil {
				flags[name] = *value
			}
		}
	}
	c, err := config.Load(config.Sources{
		Flags: flags, Env: r.Env, Home: r.Home, GOOS: r.GOOS, Read: os.ReadFile,
		Absent: func(err error) bool { return errors.Is(err, fs.ErrNotExist) },
	})
	if err == nil {
		r.misspelt(c)
	}
	return c, err
}

// misspelt warns of variables that look like settings and are none. Their values
// are nobody's business.
func (r *run) misspelt(c *config.Config) {
	if r.warned {
		return
	}
	r.warned = true
	log := r.log(c)
	if len(r.Args) > 0 && r.Args[0] == "mcp" {
		log = logging.JSON(r.Stderr, c.LogLevel)
	}
	for _, name := range config.Misspelt(r.Environ) {
		args := []any{"name", name}
		if near := json.Nearest(strings.ToUpper(name), config.Variables()); near != "" {
			args = append(args, "nearest", near)
		}
		log.Warn("setting_unknown", args...)
	}
}

// log returns the logger of a verb for people: warnings, unless a level was asked
// for.
func (r *run) log(c *config.Config) *slog.Logger {
	level := c.LogLevel
	if c.Value("logLevel").Origin == config.Default {
		level = slog.LevelWarn
	}
	return logging.People(r.Stderr, level)
}

// service opens the configured corpus.
func (r *run) service(c *config.Config) (*service.Service, error) {
	file := corpusfile.Empty()
	if c.CorpusPath != "" {
		var err error
		if file, err = corpusfile.Read(c.CorpusPath, c.MaxCorpusDocs); err != nil {
			return nil, err
		}
	}
	s := service.New(c, r.log(c), file)
	s.EndWith(r.ctx)
	return s, nil
}

// abs returns a path that holds in every folder.
func (r *run) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.Dir, path)
}
