package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/embedding"
	"github.com/rookhaven-project/rookhaven/hosts/internal/library"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/native"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/models"
)

// A model makes vectors: many at a time of an index, and those of queries.
type model struct {
	digest string
	file   func() ([]byte, error)
	engine runner.Runner
	tell   func(sentence string)

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

// modelFile is how the files of models end.
const modelFile = ".rkm"

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
	path := c.Model
	if abi.IsDigest(c.Model) {
		if c.DataDir == "" {
			return nil, abi.Errorf(abi.ConfigInvalid, "there is no data folder on this machine, so no model was added: name a file with --model")
		}
		path = filepath.Join(c.DataDir, "models", c.Model[len("sha256:"):]+modelFile)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, abi.Errorf(abi.FileUnreadable, "the model %s: %s", c.Model, err.Error())
	}
	m.digest, m.file = embedding.ModelOf(file), func() ([]byte, error) { return file, nil }
	if abi.IsDigest(c.Model) && m.digest != c.Model {
		return nil, abi.Errorf(abi.ModelCorrupt, "%s has the digest %s", path, m.digest)
	}
	return m, nil
}

// vectors returns what a library needs of a model.
func (m *model) vectors() *library.Vectors {
	return &library.Vectors{Model: m.digest, Open: m.bulk, Query: m.query, File: m.file}
}

// bulk returns what embeds with all processors: natively where this build can, with a
// look at whether the engine agrees.
func (m *model) bulk(ctx context.Context) (embedding.Embedder, error) {
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

// query makes the vector of a query in the engine, and keeps it.
func (m *model) query(ctx context.Context, text string) ([]int8, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.kept, func(k keptQuery) bool { return k.text == text }); i >= 0 {
		return m.kept[i].vector, nil
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
	if m.queries == nil {
		return nil
	}
	return m.queries.Close(ctx)
}
