// Package index keeps an index on disk: generations, each of which names the
// segments that it consists of, and what else it needs.
//
//	segments/<64 hexadecimal digits>   a segment, as the engine wrote it
//	blobs/<64 hexadecimal digits>      a set of tombstones, vectors, or documents as they came
//	generations/<number>.json          what a generation consists of (see below)
//	generations/<number>.forgotten     that it was lost, and given up: an empty file
//	CURRENT                            which generation is the current one
//	OLDEST                             which is the oldest that was not dropped
//	lock                               who may write, and does
//
// Segments and blobs are named by the SHA-256 of their content, written once and
// compared with their name whenever they are read: what is damaged is an error,
// INDEX_DAMAGED, and never served. A name ending in .new is a file that is not whole
// yet; it means nothing to readers.
//
// # Generations
//
// A generation's file is canonical JSON (RFC 8785) and a line feed:
//
//	{"blobs":[…],"created":"2026-11-30T15:04:05.123Z","digest":"sha256:…","documents":3,
//	 "engine":"sha256:…","format":1,"number":8,"parent":{"digest":"sha256:…","number":7},
//	 "root":"sha256:…","segments":[{"bytes":812,"chunks":9,"documents":4,"name":"sha256:…",
//	 "tombstones":"sha256:…"}],"settings":{…}}
//
// digest is the SHA-256 of the canonical JSON without the member digest. parent is
// the generation that this one was made from; the first one has none. documents
// counts the live ones, a segment's documents and chunks those it was built with;
// tombstones names the blob with the removed ones, where there are any, vectors that with
// the vectors of its chunks, and model is the digest of the model that made those of all segments.
// A generation whose vectors are to be made where they are missing has "building":true.
// blobs are what else the generation needs, in ascending order. created is the host's clock,
// in UTC and milliseconds. A reader takes no other spelling: see FuzzGeneration.
//
// CURRENT is canonical JSON and a line feed, too: {"digest":"sha256:…","number":8}. So is
// OLDEST, which Prune writes: numbers have no gap, so that from there to the current one
// each generation is there, or lost, or was lost and is forgotten (see [Writer.Forget]).
// Where OLDEST is missing, as in an index of before there was one, what came before the
// oldest generation cannot be told; the next writer writes it.
//
// # What is promised
//
// A publication is one rename, that of CURRENT. All that the generation names is on
// the disk before its file is, and its file before CURRENT is moved. So whatever
// fails, and whenever the power goes or the process is killed, there is the old
// generation as a whole or the new one as a whole, and once Publish has returned
// it is the new one: see TestPublishFails, TestPublishCrashes and TestKilled.
//
// A publication that was interrupted when only CURRENT was left to move is finished
// by the next writer, so what Publish reported as failed may still come true, as a
// whole: see TestKilledThenCrashes.
//
// Where something is damaged or missing, the newest generation that is whole, to its last
// segment, is current, and a sentence names the file at fault: CURRENT, the file of a
// generation, a segment or a blob. One that nothing whole is left of answers nothing. See
// TestEachFile. A generation that is asked for by its number or root is that one or an
// error.
//
// CURRENT is not believed where it is damaged, missing, or two or more publications old,
// and the next writer writes it anew (TestCurrentDamaged, TestCurrentStale). One that is a
// single publication old cannot be told from one that is about to be moved: readers
// believe it, Check tells of it, and the next writer goes on from the newest. A file that
// stands apart from the others, with a higher number, says nothing unless all that it names
// is here (TestStray). A
// generation that is lost keeps its number: the next one is published after it. (Where
// its digest is lost, too, CURRENT and the next one name it by that of its damaged file.)
//
// A folder that holds what is not an index's is not written to: the code is
// ARGUMENT_INVALID, and nothing in it is touched (TestForeign).
//
// There is one writer, who has the lock. Readers take none. What they read is
// immutable, and the only thing that can happen to them is that a generation is
// dropped while they read it. That never happens to the current one, nor with the
// defaults to one younger than 30 days, and [Store.View] begins again then with the
// one that is current. Whoever needs a generation for longer reads its segments into
// memory, as opening them in a module does, and depends on the disk no more.
//
// A folder whose names could not be brought to the disk ends all writing through
// this Store: what the system then answers is not to be trusted. Want of space, with
// the code STORAGE_FULL, does not: the same Writer goes on when there is some.
package index

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// The codes of this package, beside STORAGE_FAILED and DATA_LOCKED.
const (
	Absent  = abi.IndexAbsent       // nothing was published in this folder
	Damaged = abi.IndexDamaged      // a file is missing, or not what it should be
	Unknown = abi.GenerationUnknown // no such generation is kept
	Moved   = abi.GenerationMoved   // another one than the parent is current by now
	Full    = abi.StorageFull       // the disk has no space left
)

// A Store is the index in one folder. It may be used by several goroutines at once.
type Store struct {
	dir string
	fs  disk.FS

	mu     sync.Mutex
	whole  map[string]bool // generations by digest: their content is what they name, or damage was seen there
	broken error           // why nothing is written any more
}

// Open returns the index in a folder, which may be empty or not exist yet: it is
// made by the first writer.
func Open(dir string, fsys disk.FS) *Store {
	return &Store{dir: dir, fs: fsys, whole: map[string]bool{}}
}

const (
	segments    = "segments"
	blobs       = "blobs"
	generations = "generations"
	current     = "CURRENT"
	oldest      = "OLDEST"
	lockFile    = "lock"
)

// folders are those that an index consists of.
var folders = []string{segments, blobs, generations}

func (s *Store) path(parts ...string) string {
	return filepath.Join(append([]string{s.dir}, parts...)...)
}

// Segment returns a segment by its name. What is not what its name says is
// INDEX_DAMAGED.
func (s *Store) Segment(name string) ([]byte, error) { return s.content(segments, name) }

// Blob returns a blob by its name, likewise.
func (s *Store) Blob(name string) ([]byte, error) { return s.content(blobs, name) }

func (s *Store) content(folder, name string) ([]byte, error) {
	path, err := s.contentPath(folder, name)
	if err != nil {
		return nil, err
	}
	data, err := s.read(path)
	if err != nil {
		return nil, err
	}
	if got := digestOf(data); got != name {
		return nil, abi.Errorf(Damaged, "%s is damaged: its content is %s", path, got)
	}
	return data, nil
}

func (s *Store) contentPath(folder, name string) (string, error) {
	if !abi.IsDigest(name) {
		return "", abi.Errorf(abi.ArgumentInvalid, "%q is not a digest, sha256: and 64 hexadecimal digits", name)
	}
	return s.path(folder, strings.TrimPrefix(name, "sha256:")), nil
}

// read reads a file that has to be there.
func (s *Store) read(path string) ([]byte, error) {
	data, err := s.fs.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, abi.Errorf(Damaged, "%s is missing", path)
	case errors.Is(err, disk.ErrIrregular):
		return nil, abi.Errorf(Damaged, "%s is damaged: it is no regular file", path)
	case err != nil:
		return nil, failed("read", path, err)
	}
	return data, nil
}

// list lists a folder, which is empty where it is missing.
func (s *Store) list(folder string) ([]disk.Entry, error) {
	entries, err := s.fs.ReadDir(s.path(folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, failed("read", s.path(folder), err)
	}
	return entries, nil
}

// View runs use with a generation, named as for [Store.AsOf], and returns what it
// returned. Where that is INDEX_DAMAGED (or wraps it), the generation may have been
// dropped under it, or is not whole: if another one answers to the name then, use runs
// again with that; and if none does by then, that is the failure. recovered is as for
// [Store.Which].
func (s *Store) View(what string, use func(Generation) error) (recovered string, err error) {
	g, recovered, err := s.Which(what)
	for range patience {
		if err != nil {
			break
		}
		if err = use(g); codeOf(err) != Damaged {
			break
		}
		s.doubt(g)
		var other Generation
		var failure error
		other, recovered, failure = s.Which(what) // what was said of g may have been refuted
		if codeOf(failure) == Damaged {
			err = failure
		}
		if failure != nil || other.Ref == g.Ref {
			break
		}
		g, err = other, nil
	}
	return recovered, err
}

// patience is how often a reader begins again when publications come between. A
// second time is seldom, and a hundred mean that a writer does nothing else.
const patience = 100

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// failed is the failure of an operation on a path, in the words of the system.
func failed(verb, path string, err error) error {
	code := abi.StorageFailed
	if disk.IsFull(err) {
		code = Full
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return abi.Errorf(code, "%s %s: %s", verb, path, err.Error())
}

// codeOf returns the code of a failure of this package, "" for none.
func codeOf(err error) abi.Code {
	var e *abi.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
