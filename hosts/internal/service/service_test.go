package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/corpusfile"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

var cache string // of the compiled engine, for all tests

func TestMain(m *testing.M) {
	var err error
	if cache, err = os.MkdirTemp("", "rookhaven"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(cache)
	os.Exit(code)
}

// open returns a service over a corpus file.
func open(t *testing.T, path string) *Service {
	t.Helper()
	if _, _, ok := artifact.Built(); !ok {
		t.Skip("the engine is not built: run make build")
	}
	data := t.TempDir()
	c, err := config.Load(config.Sources{
		Env: func(name string) string {
			return map[string]string{"ROOKHAVEN_DATA_DIR": data, "ROOKHAVEN_CACHE_DIR": cache, "ROOKHAVEN_CORPUS_PATH": path}[name]
		},
		GOOS:   "linux",
		Read:   func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		Absent: func(error) bool { return true },
	})
	if err != nil {
		t.Fatal(err)
	}
	file := corpusfile.Empty()
	if path != "" {
		if file, err = corpusfile.Read(path, c.MaxCorpusDocs); err != nil {
			t.Fatal(err)
		}
	}
	s := New(c, slog.New(slog.DiscardHandler), file)
	t.Cleanup(func() { s.Close(context.Background()) })
	return s
}

func retrieve(ctx context.Context, s *Service, query string) (*abi.Reply, error) {
	q := Request(s.Config())
	q.Query = query
	bytes, err := s.Retrieve(ctx, &q)
	if err != nil {
		return nil, err
	}
	return abi.ReadReply(bytes)
}

func replace(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path+".new", []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// Requests that run while the file changes each keep the corpus they began with.
func TestRequestsKeepTheirCorpus(t *testing.T) {
	path := filepath.Join(t.TempDir(), "corpus.json")
	version := func(n int) string { return fmt.Sprintf(`[{"id":"v%d","text":"tide windows"}]`, n) }
	replace(t, path, version(0))
	s := open(t, path)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.Watch(ctx)
	roots := map[string]string{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				reply, err := retrieve(ctx, s, "tide")
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				if id := reply.Hits[0].ID; roots[reply.Corpus] == "" {
					roots[reply.Corpus] = id
				} else if roots[reply.Corpus] != id {
					t.Errorf("%s holds %s and %s", reply.Corpus, roots[reply.Corpus], id)
				}
				mu.Unlock()
			}
		})
	}
	for n := range 20 {
		replace(t, path, version(n+1))
	}
	wg.Wait()
	if reply, err := retrieve(ctx, s, "tide"); err != nil || reply.Hits[0].ID != "v20" {
		t.Errorf("after all changes: %v, %v", reply, err)
	}
}

// A caller that goes away ends its request; the next one is answered.
func TestCancel(t *testing.T) {
	s := open(t, "")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := retrieve(ctx, s, "tide"); Code(err) != abi.Cancelled {
		t.Errorf("a cancelled request: %v", err)
	}
	if reply, err := retrieve(context.Background(), s, "tide"); err != nil || reply.Reason != abi.EmptyCorpus {
		t.Errorf("the next one: %v, %v", reply, err)
	}
}

// A corpus that the engine refuses does not take the place of the old one.
func TestRefusedCorpusIsNotServed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "corpus.json")
	replace(t, path, `[{"id":"a","text":"tide"}]`)
	s := open(t, path)
	if _, err := retrieve(context.Background(), s, "tide"); err != nil {
		t.Fatal(err)
	}
	replace(t, path, `[{"id":"a","text":"tide"},{"id":"a","text":"tide"}]`)
	if reply, err := retrieve(context.Background(), s, "tide"); err != nil || len(reply.Hits) != 1 {
		t.Errorf("after a bad file: %v, %v", reply, err)
	}
}

// Whatever is replayed, the engine has a word for it, and nothing crashes.
func FuzzReplay(f *testing.F) {
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"engine":"sha256:` + strings.Repeat("0", 64) + `","digest":"x","corpus":"y","request":{"query":"a"},"schema":1}`))
	f.Add([]byte(`[]`))
	f.Add([]byte("\xff"))
	var once sync.Once
	var s *Service
	f.Fuzz(func(t *testing.T, in []byte) {
		once.Do(func() {
			c := &config.Config{CacheDir: cache, MaxQueryLen: 4096, MaxRecall: 1000, DefaultRecall: 10}
			s = New(c, slog.New(slog.DiscardHandler), corpusfile.Empty())
			q := Request(s.Config())
			q.Query = "tide"
			if reply, err := s.Retrieve(context.Background(), &q); err == nil {
				if verdict, err := s.Replay(context.Background(), reply, nil); err != nil || !strings.Contains(string(verdict), abi.Match) {
					t.Errorf("a reply of now: %s, %v", verdict, err)
				}
			}
		})
		if _, _, ok := artifact.Built(); !ok {
			t.Skip("the engine is not built: run make build")
		}
		verdict, err := s.Replay(context.Background(), in, nil)
		var e *abi.Error
		switch {
		case err == nil:
			if _, err := abi.ReadReplayReply(verdict); err != nil {
				t.Errorf("%q is found %q", in, verdict)
			}
		case !errors.As(err, &e):
			t.Errorf("%q: a failure without a code: %v", in, err)
		case e.Code == abi.EngineFailed || e.Code == abi.EngineStuck || e.Code == abi.Internal:
			t.Errorf("%q: %v", in, err)
		}
	})
}
