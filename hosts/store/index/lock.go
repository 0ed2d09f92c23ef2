package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A holder is what the lock's file says of who has it. It is for people: who holds
// the lock is decided by the system, which gives it back when a process ends in
// whatever way, so no process is ever looked up by its number, or signalled.
type holder struct {
	command string // what it does, such as "rookhaven index"
	host    string
	pid     int64
	started string
}

func newHolder(command string) holder {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return holder{command, host, int64(os.Getpid()), time.Now().UTC().Format(layout)}
}

func (h holder) encode() []byte {
	w := json.NewWriter(nil)
	w.BeginObject()
	w.Name("command")
	w.String(string(bytes.ToValidUTF8([]byte(h.command), []byte("�"))))
	w.Name("host")
	w.String(string(bytes.ToValidUTF8([]byte(h.host), []byte("�"))))
	w.Name("pid")
	w.Int(h.pid)
	w.Name("started")
	w.String(h.started)
	w.EndObject()
	return append(w.Bytes(), '\n')
}

func parseHolder(in []byte) (h holder, err error) {
	r := json.NewReader(in)
	members(r, []string{"command", "host", "pid", "started"}, nil, func(name string) {
		switch name {
		case "command":
			h.command = r.String()
		case "host":
			h.host = r.String()
		case "pid":
			h.pid = readCount(r, 0)
		case "started":
			h.started = r.String()
		}
	})
	return h, r.End()
}

// String is a part of a sentence; what comes from the file is quoted.
func (h holder) String() string {
	return fmt.Sprintf("%s (process %d on %s, since %s)", json.Quote(h.command), h.pid, json.Quote(h.host), json.Quote(h.started))
}

// TryLock returns the index for writing. Where somebody else has it, the code is
// DATA_LOCKED and the sentence names who: command is what others are told of this
// one, such as "rookhaven index". The folder is made where it is missing; one that holds
// what is not an index's is refused with ARGUMENT_INVALID, and stays as it is.
//
// What an interrupted publication left is put in order first; [Writer.Recovered]
// tells of it.
func (s *Store) TryLock(command string) (*Writer, error) {
	if err := s.stopped(); err != nil {
		return nil, err
	}
	if err := s.foreign(); err != nil {
		return nil, err
	}
	if err := s.makeFolder(s.dir); err != nil {
		return nil, err
	}
	path := s.path(lockFile)
	lock, err := s.fs.Lock(path)
	if errors.Is(err, disk.ErrLocked) {
		return nil, s.lockedBy(path)
	}
	if err != nil {
		return nil, failed("lock", path, err)
	}
	w := &Writer{Store: s, lock: lock, added: map[string]int64{}}
	if err := w.begin(command); err != nil {
		_ = lock.Unlock() // it is the first failure that counts
		return nil, err
	}
	return w, nil
}

// Lock is TryLock that waits for its turn as long as the context allows; then it
// returns what TryLock does.
func (s *Store) Lock(ctx context.Context, command string) (*Writer, error) {
	const pause = 20 * time.Millisecond
	for {
		w, err := s.TryLock(command)
		if codeOf(err) != abi.DataLocked {
			return w, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(pause):
		}
	}
}

func (s *Store) lockedBy(path string) error {
	data, err := s.fs.ReadFile(path)
	if err == nil {
		if h, err := parseHolder(data); err == nil {
			return abi.Errorf(abi.DataLocked, "%s is held by %s", path, h.String())
		}
	}
	return abi.Errorf(abi.DataLocked, "%s is held by a process that has not written its name there yet", path)
}

// makeFolder makes a folder that is missing, and the ones it is in, for good.
func (s *Store) makeFolder(path string) error {
	err := s.fs.Mkdir(path)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case errors.Is(err, fs.ErrNotExist) && filepath.Dir(path) != path:
		if err := s.makeFolder(filepath.Dir(path)); err != nil {
			return err
		}
		err = s.fs.Mkdir(path)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return failed("make", path, err)
	}
	return s.syncDir(filepath.Dir(path))
}

// syncDir brings the names in a folder to the disk; where that fails, this Store
// writes no more.
func (s *Store) syncDir(path string) error {
	return s.wrote(path, disk.SyncDir(s.fs, path))
}

// wrote tells of the failure of an operation that ends with SyncDir.
func (s *Store) wrote(path string, err error) error {
	if err == nil {
		return nil
	}
	var unsynced *disk.SyncDirError
	if !errors.As(err, &unsynced) {
		return failed("write", path, err)
	}
	err = failed("sync", unsynced.Folder, unsynced.Err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = err
	return err
}

// stopped returns why this Store writes no more, if so.
func (s *Store) stopped() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken == nil {
		return nil
	}
	return abi.Errorf(abi.StorageFailed, "nothing more is written to %s by this process, since it failed before: %s", s.dir, sentence(s.broken))
}
