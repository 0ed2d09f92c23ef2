package service

import (
	"context"
	"log/slog"
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/internal/logging"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/store"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// A keeper puts what later replays need into the data folder, beside the answers
// and not before them.
type keeper struct {
	store *store.Store // nil where there is no data folder
	log   *slog.Logger

	mu      sync.Mutex
	kept    map[string]bool // roots, and the engine
	failed  bool            // it was logged
	running sync.WaitGroup
}

func newKeeper(dir string, log *slog.Logger) *keeper {
	k := &keeper{log: log, kept: map[string]bool{}}
	if dir != "" {
		k.store = store.Open(dir)
	}
	return k
}

// keep keeps the engine and the leaves of a corpus that answered, each once.
func (k *keeper) keep(engine string, corpus *pool.Corpus) {
	if k.store == nil {
		return
	}
	if k.first(engine) {
		k.running.Go(func() {
			wasm, _, _ := artifact.Built()
			_, err := k.store.AddEngine(wasm)
			k.told(err)
		})
	}
	if root := corpus.Root(); k.first(root) {
		leaves := corpus.Leaves()
		k.running.Go(func() { k.told(k.store.AddLeaves(root, leaves)) })
	}
}

// first reports whether a name was never asked about before.
func (k *keeper) first(name string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept[name] {
		return false
	}
	k.kept[name] = true
	return true
}

// told logs the first failure.
func (k *keeper) told(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil && !k.failed {
		k.failed = true
		k.log.Warn("not_kept", logging.Failure(err), "remedy", "later replays may lack this engine or corpus; mend the data folder, or name another with ROOKHAVEN_DATA_DIR")
	}
}

// wait waits for what is being kept, as long as the context allows.
func (k *keeper) wait(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		k.running.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// leaves returns the leaves of a corpus, or nil where nobody kept them.
func (k *keeper) leaves(root string) []byte {
	if k.store == nil || !abi.IsDigest(root) {
		return nil
	}
	leaves, err := k.store.Leaves(root)
	if err == nil && leaves != nil {
		_, err = abi.ReadLeaves(leaves)
	}
	if err != nil {
		k.log.Warn("leaves_unusable", "corpus", root, "path", k.store.LeavesPath(root), logging.Failure(err))
		return nil
	}
	return leaves
}

// engine returns a kept engine, or nil where there is none.
func (k *keeper) engine(digest string) []byte {
	if k.store == nil {
		return nil
	}
	wasm, err := k.store.Engine(digest)
	if err == nil {
		return wasm
	}
	if Code(err) != abi.EngineUnknown {
		k.log.Warn("engine_unusable", "path", k.store.EnginePath(digest), logging.Failure(err), "remedy", "give the engine again: rookhaven engine add FILE, or replay with --engine FILE")
	}
	return nil
}
