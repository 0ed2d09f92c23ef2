// Package vectors makes vectors with a model, natively, and keeps them outside the
// repository by the hashes of their texts: to make those of the collections takes half an
// hour with the built-in model, and more with a larger one.
package vectors

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/native"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/vectorfile"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/models"
)

// Model and Dimensions are those of the built-in model.
const (
	Model      = models.MiniLMDigest
	Dimensions = 384
)

// ErrMissing says that vectors are not kept.
var ErrMissing = errors.New("vectors are not kept")

// A Store keeps the vectors of one model in a folder.
type Store struct {
	Model      string // the digest of its file
	Dimensions int
	Background int // as its file says
	file       []byte
	folder     string
	known      map[[sha256.Size]byte][]byte
}

// Open opens the store of the built-in model in the user's cache folder.
func Open() (*Store, error) { return open(Model, Dimensions, 0, models.MiniLM) }

// OpenFile opens the store of the model in a file; without a name, of the built-in one.
func OpenFile(ctx context.Context, name string) (*Store, error) {
	if name == "" {
		return Open()
	}
	file, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	i, err := native.Open().Instance(ctx)
	if err != nil {
		return nil, err
	}
	opened, err := pool.OpenModel(ctx, i, file)
	if err = errors.Join(err, i.Close(ctx)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return open(opened.Digest, int(opened.Dimensions), int(opened.Background), file)
}

func open(model string, dimensions, background int, file []byte) (*Store, error) {
	user, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	s := &Store{model, dimensions, background, file, filepath.Join(user, "rookhaven-vectors"), map[[sha256.Size]byte][]byte{}}
	files, err := filepath.Glob(filepath.Join(s.folder, "*.vec"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		f, err := vectorfile.Read(b)
		if err != nil || f.Model != s.Model {
			continue // they are another model's, or made again
		}
		for i := range f.Len() {
			s.known[f.Hash(i)] = f.Vector(i)
		}
	}
	return s, nil
}

// Kept returns the vectors of texts, one after the other, or ErrMissing.
func (s *Store) Kept(texts []string) ([]byte, error) {
	var components []byte
	missing := 0
	for _, text := range texts {
		v, ok := s.known[sha256.Sum256([]byte(text))]
		if !ok {
			missing++
		}
		components = append(components, v...)
	}
	if missing > 0 {
		return nil, fmt.Errorf("%w: %d of %d", ErrMissing, missing, len(texts))
	}
	return components, nil
}

// Make returns the vectors of texts, one after the other, and makes and keeps those that
// are missing.
func (s *Store) Make(ctx context.Context, texts []string) ([]byte, error) {
	var due []string
	seen := map[string]bool{}
	for _, text := range texts {
		if _, ok := s.known[sha256.Sum256([]byte(text))]; !ok && !seen[text] {
			seen[text] = true
			due = append(due, text)
		}
	}
	for len(due) > 0 {
		n := min(len(due), 1000)
		if err := s.add(ctx, due[:n]); err != nil {
			return nil, err
		}
		due = due[n:]
	}
	return s.Kept(texts)
}

// add makes the vectors of texts on all processors, and keeps them.
func (s *Store) add(ctx context.Context, texts []string) error {
	f := vectorfile.File{Model: s.Model, Dimensions: s.Dimensions, Background: s.Background, Components: make([]byte, len(texts)*s.Dimensions)}
	next := make(chan int)
	n := runtime.GOMAXPROCS(0)
	errs := make([]error, n)
	var wg sync.WaitGroup
	for worker := range n {
		wg.Go(func() {
			e, err := newEncoder(ctx, s.file)
			for i := range next {
				if err == nil {
					err = e.put(f.Vector(i), texts[i], false)
				}
			}
			errs[worker] = err
		})
	}
	for i, text := range texts {
		h := sha256.Sum256([]byte(text))
		f.Hashes = append(f.Hashes, h[:]...)
		next <- i
	}
	close(next)
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for i := range f.Len() {
		s.known[f.Hash(i)] = f.Vector(i)
	}
	b := f.Append(nil)
	sum := sha256.Sum256(b)
	name := filepath.Join(s.folder, hex.EncodeToString(sum[:12])+".vec")
	return errors.Join(os.MkdirAll(s.folder, 0o755), os.WriteFile(name+".new", b, 0o644), os.Rename(name+".new", name))
}

// An encoder has a model open.
type encoder struct {
	ctx context.Context
	runner.Instance
}

func newEncoder(ctx context.Context, model []byte) (*encoder, error) {
	i, err := native.Open().Instance(ctx)
	if err == nil {
		_, err = pool.OpenModel(ctx, i, model)
	}
	return &encoder{ctx, i}, err
}

func (e *encoder) put(into []byte, text string, query bool) error {
	q := abi.EmbedRequest{Texts: []string{text}, Query: query}
	out, err := e.Call(e.ctx, abi.Embed, q.Append(nil))
	if err != nil {
		return err
	}
	reply, err := abi.ReadEmbedReply(out)
	if err != nil {
		return err
	}
	for i, n := range reply.Vectors[0] {
		into[i] = byte(n)
	}
	return nil
}

// Queries returns what makes vectors of queries with the built-in model, for one caller at a time.
func Queries(ctx context.Context) (func(ctx context.Context, text string) ([]int8, error), error) {
	s := &Store{Dimensions: Dimensions, file: models.MiniLM}
	return s.Queries(ctx)
}

// Queries returns what makes vectors of queries, for one caller at a time.
func (s *Store) Queries(ctx context.Context) (func(ctx context.Context, text string) ([]int8, error), error) {
	e, err := newEncoder(ctx, s.file)
	return func(_ context.Context, text string) ([]int8, error) {
		b := make([]byte, s.Dimensions)
		if err := e.put(b, text, true); err != nil {
			return nil, err
		}
		v := make([]int8, s.Dimensions)
		for i, c := range b {
			v[i] = int8(c)
		}
		return v, nil
	}, err
}
