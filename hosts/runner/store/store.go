// Package store keeps what a replay needs later: engines and models by their digest, and
// the leaves of corpora by their root. All live in the data folder:
//
//	engines/<64 hexadecimal digits>.wasm
//	models/<64 hexadecimal digits>.rkm
//	corpora/<64 hexadecimal digits>.rkt
//
// A file is written once: in full beside its place, to the disk, and then moved
// there, so that a crash leaves the whole file or none; what is there and intact is
// never written again, and what a disk or a person damaged is replaced when the same
// engine or corpus comes again. An engine is compared with its name whenever it is
// read; a damaged one that this binary carries is answered from there. Leaves
// name their root only through the engine, so who reads them checks them by
// opening them (wasm/ABI.md §4.3).
//
// Files are readable by this user alone, like the folders. Nothing here locks:
// two processes that add the same file write the same bytes.
package store

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// A Store is the archive in one data folder.
type Store struct {
	engines, models, corpora shelf
}

// Open returns the archive in a data folder. Its own folders are made when
// something is first put into them.
func Open(data string) *Store {
	return &Store{
		engines: shelf{filepath.Join(data, "engines"), ".wasm"},
		models:  shelf{filepath.Join(data, "models"), ".rkm"},
		corpora: shelf{filepath.Join(data, "corpora"), ".rkt"},
	}
}

// An Entry is a file of the archive.
type Entry struct {
	Name string // the digest, "sha256:" and 64 digits
	Size int64
	Time time.Time // when it was added
}

// AddEngine keeps an engine and returns its digest. What is not fit to run is
// refused (see [artifact.Check]); one that is there already is left alone, or
// replaced where it is not what its name says.
func (s *Store) AddEngine(wasm []byte) (digest string, err error) {
	digest = artifact.Digest(wasm)
	if err := artifact.Check(wasm, digest); err != nil {
		return "", err
	}
	if err := s.engines.put(digest, wasm); err != nil {
		return "", err
	}
	_, err = s.Engine(digest)
	return digest, err
}

// Engine returns an engine by its digest: one of the archive, else one that this
// binary carries. It is checked and fit to run. The code is ENGINE_UNKNOWN where
// there is none, and ENGINE_REFUSED where the file is not what its name says.
func (s *Store) Engine(digest string) ([]byte, error) {
	wasm, err := s.engines.get(digest)
	if err != nil {
		return nil, err
	}
	kept := wasm != nil
	if carried, ok := artifact.Release(digest); ok && artifact.Digest(wasm) != digest {
		wasm, kept = carried, false
	}
	if wasm == nil {
		return nil, abi.Errorf(abi.EngineUnknown, "the engine %s is not in the archive", digest)
	}
	switch err := artifact.Check(wasm, digest); {
	case err == nil:
		return wasm, nil
	case kept:
		path, _ := s.engines.path(digest)
		return nil, abi.Errorf(abi.EngineRefused, "%s is damaged: its content is %s", path, artifact.Digest(wasm))
	default:
		return nil, err
	}
}

// Intact reports whether the archive's file of an engine is what its name says.
func (s *Store) Intact(digest string) bool {
	wasm, err := s.engines.get(digest)
	return err == nil && wasm != nil && artifact.Digest(wasm) == digest
}

// EnginePath returns where the archive keeps an engine, for messages; "" for what is
// no digest.
func (s *Store) EnginePath(digest string) string { path, _ := s.engines.path(digest); return path }

// LeavesPath returns where the archive keeps the leaves of a corpus, likewise.
func (s *Store) LeavesPath(root string) string { path, _ := s.corpora.path(root); return path }

// Engines lists the engines of the archive, the newest first.
func (s *Store) Engines() ([]Entry, error) { return s.engines.list() }

// PruneEngines removes engines, except the newest ones and those that keep wants
// for another reason, such as a stored reply that names them. It returns what it
// removed.
func (s *Store) PruneEngines(newest int, keep func(digest string) bool) ([]Entry, error) {
	return s.engines.prune(newest, keep)
}

// AddModel keeps a model and returns its digest. Whether it is one, the engine tells: who
// adds it has opened it.
func (s *Store) AddModel(file []byte) (digest string, err error) {
	digest = artifact.Digest(file)
	return digest, s.models.put(digest, file)
}

// Model returns a model of the archive by its digest. The code is MODEL_ABSENT where there
// is none, and MODEL_CORRUPT where the file is not what its name says.
func (s *Store) Model(digest string) ([]byte, error) {
	file, err := s.models.get(digest)
	switch {
	case err != nil:
		return nil, err
	case file == nil:
		return nil, abi.Errorf(abi.ModelAbsent, "the model %s is not in the archive", digest)
	case artifact.Digest(file) != digest:
		path, _ := s.models.path(digest)
		return nil, abi.Errorf(abi.ModelCorrupt, "%s is damaged: its content is %s", path, artifact.Digest(file))
	}
	return file, nil
}

// Models lists the models of the archive, the newest first.
func (s *Store) Models() ([]Entry, error) { return s.models.list() }

// AddLeaves keeps the leaves of a corpus, a JSON array as open gives it, by its
// root. Leaves that are there already are left alone, or replaced where they are
// others: a root has one list of leaves, and who adds them has it from the engine.
func (s *Store) AddLeaves(root string, leaves []byte) error {
	if _, err := abi.ReadLeaves(leaves); err != nil {
		return err
	}
	return s.corpora.put(root, leaves)
}

// Leaves returns the leaves of a corpus, or nil where nobody kept them. They are
// as they were written; whether they have that root, the engine tells.
func (s *Store) Leaves(root string) ([]byte, error) { return s.corpora.get(root) }

// Corpora lists the corpora whose leaves are kept, the newest first.
func (s *Store) Corpora() ([]Entry, error) { return s.corpora.list() }

// PruneLeaves removes leaves as [Store.PruneEngines] removes engines.
func (s *Store) PruneLeaves(newest int, keep func(root string) bool) ([]Entry, error) {
	return s.corpora.prune(newest, keep)
}

// A shelf is a folder of files that are named by digests.
type shelf struct{ folder, suffix string }

func (s shelf) path(digest string) (string, error) {
	if !abi.IsDigest(digest) {
		return "", abi.Errorf(abi.ArgumentInvalid, "%q is not a digest, sha256: and 64 hexadecimal digits", digest)
	}
	return filepath.Join(s.folder, strings.TrimPrefix(digest, "sha256:")+s.suffix), nil
}

func (s shelf) put(digest string, data []byte) error {
	path, err := s.path(digest)
	if err != nil {
		return err
	}
	if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, data) {
		return nil
	}
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return failed("make", s.folder, err)
	}
	return write(path, data, 0o600)
}

// get returns a file's content, or nil where there is none.
func (s shelf) get(digest string) ([]byte, error) {
	path, err := s.path(digest)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failed("read", path, err)
	}
	return data, nil
}

func (s shelf) list() ([]Entry, error) {
	files, err := os.ReadDir(s.folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, failed("read", s.folder, err)
	}
	var entries []Entry
	for _, f := range files {
		hex, ok := strings.CutSuffix(f.Name(), s.suffix)
		info, err := f.Info()
		if !ok || err != nil || !info.Mode().IsRegular() || !abi.IsDigest("sha256:"+hex) {
			continue
		}
		entries = append(entries, Entry{"sha256:" + hex, info.Size(), info.ModTime()})
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(a.Name, b.Name))
	})
	return entries, nil
}

func (s shelf) prune(newest int, keep func(digest string) bool) ([]Entry, error) {
	entries, err := s.list()
	if err != nil {
		return nil, err
	}
	var removed []Entry
	for i, e := range entries {
		if i < newest || keep != nil && keep(e.Name) {
			continue
		}
		path, err := s.path(e.Name)
		if err != nil {
			return removed, err
		}
		if err := os.Remove(path); err != nil {
			return removed, failed("remove", path, err)
		}
		removed = append(removed, e)
	}
	return removed, s.sweep()
}

// stale is how old a file must be to be what a crash left behind, rather than
// what another process is writing.
const stale = time.Hour

// sweep removes what crashes left behind.
func (s shelf) sweep() error {
	leftover, err := filepath.Glob(filepath.Join(s.folder, temporary))
	if err != nil {
		return failed("read", s.folder, err)
	}
	for _, path := range leftover {
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > stale {
			err = os.Remove(path)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return failed("remove", path, err)
			}
		}
	}
	return nil
}

// failed is the failure of an operation on a path, in the words of the system.
func failed(verb, path string, err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		err = e.Err
	}
	return abi.Errorf(abi.StorageFailed, "%s %s: %s", verb, path, err.Error())
}
