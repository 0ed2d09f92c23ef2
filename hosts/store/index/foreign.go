package index

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// neighbours are what else a data folder may hold.
var neighbours = []string{"engines", "corpora", "models", "vectors", "meta.db"}

// foreign refuses a folder that holds what is somebody else's, before anything is
// written there. A folder is an index's where CURRENT, OLDEST or a generation can be read, or
// where beside the lock there are files with an index's names: the rest may be damaged
// then. Else it may hold the lock, the neighbours in a data folder, folders that are
// empty, and hidden files.
func (s *Store) foreign() error {
	entries, err := s.list("")
	if err != nil {
		return err
	}
	mine, err := s.marked(entries)
	if err != nil || mine {
		return err
	}
	for _, e := range entries {
		if ok, err := s.harmless(e, entries); err != nil {
			return err
		} else if !ok {
			return abi.Errorf(abi.ArgumentInvalid, "%s holds no index, and there is %s in it, which is not an index's; nothing was written there: name a folder that is empty or does not exist yet", s.dir, json.Quote(e.Name))
		}
	}
	return nil
}

// marked reports whether a folder can only be an index's.
func (s *Store) marked(entries []disk.Entry) (bool, error) {
	for _, name := range []string{current, oldest} {
		if p, err := s.readPointer(name); err != nil || p.ref != (Ref{}) {
			return err == nil, err
		}
	}
	lock := s.isLock(entries)
	for _, e := range entries {
		if e.Regular || !slices.Contains(folders, e.Name) {
			continue
		}
		files, err := s.list(e.Name)
		if err != nil {
			return false, err
		}
		for _, f := range files {
			switch n, isNumber := numberOf(f.Name, generationFile); {
			case !ours(e.Name, f.Name) && !leftover(e.Name, f.Name):
			case lock:
				return true, nil
			case isNumber:
				if _, err := s.generation(n); err == nil {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

// isLock reports whether the lock is there and is one, perhaps as a crash left it: what
// stands beside all the folders of an index is, whatever it holds. One that cannot be
// read is held.
func (s *Store) isLock(entries []disk.Entry) bool {
	data, err := s.fs.ReadFile(s.path(lockFile))
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, disk.ErrIrregular):
		return false
	case err != nil:
		return true
	}
	const start = `{"command":`
	missing := func(name string) bool { return !slices.Contains(entries, disk.Entry{Name: name}) }
	beginning := string(data[:min(len(data), len(start))])
	return strings.HasPrefix(start, beginning) || bytes.IndexByte(data, 0) >= 0 || !slices.ContainsFunc(folders, missing)
}

// harmless reports whether an index may be made beside what is in its folder.
func (s *Store) harmless(e disk.Entry, entries []disk.Entry) (bool, error) {
	switch {
	case strings.HasPrefix(e.Name, "."), slices.Contains(neighbours, e.Name), e.Name == current+disk.Suffix, e.Name == oldest+disk.Suffix:
		return true, nil
	case e.Name == lockFile:
		return s.isLock(entries), nil
	case e.Regular || !slices.Contains(folders, e.Name):
		return false, nil
	}
	files, err := s.list(e.Name)
	return len(files) == 0, err
}
