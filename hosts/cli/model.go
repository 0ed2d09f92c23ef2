package cli

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/embedding"
	"github.com/rookhaven-project/rookhaven/hosts/internal/embedding/remote"
	"github.com/rookhaven-project/rookhaven/hosts/internal/library"
	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/native"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/store"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/models"
)

// A model makes vectors: many at a time of an index, and those of queries.
type model struct {
	digest string
	file   func() ([]byte, error) // nil: it is one of a server
	engine runner.Runner
	tell   func(sentence string)
	remote embedding.Embedder // of a server, else nil

	mu      sync.Mutex
	queries embedding.Embedder // nil until the first query
	kept    []keptQuery        // the last ones
}

// A keptQuery is a query with its vector.
type keptQuery struct {
	text   string
	vector []int8
}

// mostKept is how many queries a model keeps the vectors of.
const mostKept = 256

// model returns the configured model, nil for none.
func (r *run) model(c *config.Config, engine runner.Runner) (*model, error) {
	m := &model{engine: engine, tell: r.notice}
	switch c.Model {
	case config.NoModel:
		return nil, nil
	case config.BuiltInModel, models.MiniLMDigest:
		m.digest, m.file = models.MiniLMDigest, func() ([]byte, error) { return models.MiniLM, nil }
		return m, nil
	}
	if kind, name, ok := strings.Cut(c.Model, ":"); ok && (kind == string(remote.Ollama) || kind == string(remote.OpenAI)) {
		e := c.Embedder
		var err error
		m.remote, err = remote.Open(r.ctx, remote.Options{
			Kind: remote.Kind(kind), Model: name, Address: e.Address, Dimensions: int(e.Dimensions), Background: int(e.Background),
			KeyVariable: e.KeyVariable, KeyFile: e.KeyFile, DocumentPrefix: e.DocumentPrefix, QueryPrefix: e.QueryPrefix,
		})
		if err != nil {
			return nil, err
		}
		m.digest = m.remote.Model()
		return m, nil
	}
	file, err := modelOfName(c)
	if err != nil {
		return nil, err
	}
	m.digest, m.file = embedding.ModelOf(file), func() ([]byte, error) { return file, nil }
	return m, nil
}

// modelOfName returns the file of a model that is not built in: one that was added, by its digest,
// or one by its path.
func modelOfName(c *config.Config) ([]byte, error) {
	if !abi.IsDigest(c.Model) {
		file, err := os.ReadFile(c.Model)
		if err != nil {
			return nil, abi.Errorf(abi.FileUnreadable, "the model %s: %s", json.Quote(c.Model), err.Error())
		}
		return file, nil
	}
	if c.DataDir == "" {
		return nil, abi.Errorf(abi.ConfigInvalid, "there is no data folder on this machine, so no model was added: name a file")
	}
	return store.Open(c.DataDir).Model(c.Model)
}

// vectors returns what a library needs of a model.
func (m *model) vectors() *library.Vectors {
	return &library.Vectors{Model: m.digest, Open: m.bulk, Query: m.query, File: m.file}
}

// bulk returns what embeds with all processors: natively where this build can, with a
// look at whether the engine agrees.
func (m *model) bulk(ctx context.Context) (embedding.Embedder, error) {
	if m.remote != nil {
		return open{m.remote}, nil
	}
	file, err := m.file()
	if err != nil {
		return nil, err
	}
	if !native.Available {
		return embedding.Open(ctx, m.engine, file, runtime.GOMAXPROCS(0))
	}
	fast, err := embedding.Open(ctx, native.Open(), file, runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	sure, err := embedding.Open(ctx, m.engine, file, 1)
	if err != nil {
		return nil, errors.Join(err, fast.Close(context.WithoutCancel(ctx)))
	}
	return embedding.Checked(fast, sure, m.tell), nil
}

// open is an Embedder that stays open: its owner closes it.
type open struct{ embedding.Embedder }

func (open) Close(context.Context) error { return nil }

// query makes the vector of a query in the engine, or at the server, and keeps it.
func (m *model) query(ctx context.Context, text string) ([]int8, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.kept, func(k keptQuery) bool { return k.text == text }); i >= 0 {
		return m.kept[i].vector, nil
	}
	if m.queries == nil && m.remote != nil {
		m.queries = m.remote
	}
	if m.queries == nil {
		file, err := m.file()
		if err != nil {
			return nil, err
		}
		if m.queries, err = embedding.Open(ctx, m.engine, file, 1); err != nil {
			return nil, err
		}
	}
	list, err := m.queries.Embed(ctx, true, text)
	if runner.Dead(err) {
		err = errors.Join(err, m.queries.Close(context.WithoutCancel(ctx)))
		m.queries = nil // the next query opens another
	}
	if err != nil {
		return nil, err
	}
	if len(m.kept) == mostKept {
		m.kept = m.kept[1:]
	}
	m.kept = append(m.kept, keptQuery{text, list[0]})
	return list[0], nil
}

func (m *model) close(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.remote != nil:
		return m.remote.Close(ctx)
	case m.queries == nil:
		return nil
	}
	return m.queries.Close(ctx)
}

// modelName returns what people call a model.
func modelName(digest string) string {
	if digest == models.MiniLMDigest {
		return config.BuiltInModel
	}
	return short(digest)
}

type modelVerb struct {
	List modelList `cmd:"" help:"List the models that an index can use."`
	Add  modelAdd  `cmd:"" help:"Keep a model in the data folder; a damaged one is replaced."`
}

type modelList struct {
	JSON bool `help:"As JSON."`
	folders
}

func (modelList) Help() string {
	return `A model is named by the SHA-256 of its file, in replies and in ROOKHAVEN_MODEL; the one that is built in is called ` + config.BuiltInModel + `, too. An index belongs to the model that made its vectors: with another one, rookhaven index makes them anew.`
}

// A knownModel is a model and where it is.
type knownModel struct {
	Model string `json:"model"`
	Name  string `json:"name,omitempty"`
	Where string `json:"where"` // built-in or kept
	Size  int64  `json:"size"`
	Added string `json:"added,omitempty"`
}

func (v *modelList) Run(r *run) error {
	s, err := r.archive(&v.folders)
	if err != nil {
		return err
	}
	list := []knownModel{{Model: models.MiniLMDigest, Name: config.BuiltInModel, Where: "built-in", Size: int64(len(models.MiniLM))}}
	kept, err := s.Models()
	if err != nil {
		return err
	}
	for _, e := range kept {
		list = append(list, knownModel{Model: e.Name, Where: "kept", Size: e.Size, Added: e.Time.UTC().Format(time.RFC3339)})
	}
	if v.JSON {
		return r.json(map[string]any{"models": list})
	}
	for _, m := range list {
		r.printf("%s  %-8s  %d bytes  %s%s", m.Model, m.Where, m.Size, m.Name, m.Added)
	}
	return nil
}

type modelAdd struct {
	File string `arg:"" help:"A model in the form .rkm; - reads stdin."`
	folders
}

func (v *modelAdd) Run(r *run) error {
	s, err := r.archive(&v.folders)
	if err != nil {
		return err
	}
	file, err := r.read(v.File)
	if err != nil {
		return err
	}
	c, err := r.config(v.given())
	if err != nil {
		return err
	}
	engine, err := r.engine(c)
	if err != nil {
		return err
	}
	defer func() { _ = engine.Close(context.WithoutCancel(r.ctx)) }()
	i, err := engine.Instance(r.ctx)
	if err != nil {
		return err
	}
	opened, err := pool.OpenModel(r.ctx, i, file)
	if err = errors.Join(err, i.Close(context.WithoutCancel(r.ctx))); err != nil {
		return err
	}
	digest, err := s.AddModel(file)
	if err != nil {
		return err
	}
	r.printf("%s  %s, %d components, read %d tokens at a time", digest, terminal.Line(opened.Name), opened.Dimensions, opened.Window)
	return nil
}
