// Package disk is the seam between what is kept and the file system: the few
// calls that a store makes, so that tests can make each of them fail, or the power
// go at each of them (see disktest).
//
// A call has an effect at once for everybody who reads. After a crash of the
// machine there is
//
//   - of a file, what was written before the last [File.Sync] that succeeded;
//     of what was written later any part, or zeros in its place;
//   - of a folder, the names as they were at the last [FS.SyncDir] that succeeded;
//     of what was made, renamed and removed later any part, in any order, but a
//     rename as a whole or not at all.
//
// A file that was synced and then renamed into a folder that was synced is there
// for good: [Replace] does just that. A file whose sync failed is given up and not
// synced again, since a system may forget what it could not write (and answer the
// second sync with success).
//
// Files and folders that are made are open to this user alone. disktest.Run is
// the suite that each FS passes.
package disk

import (
	"errors"
	"fmt"
	"path/filepath"
)

// An FS is a file system as a store uses it. It may be used by several goroutines
// at once. Its errors tell what errors.Is knows as fs.ErrNotExist and fs.ErrExist.
type FS interface {
	// Mkdir makes a folder in one that is there; fs.ErrExist where something
	// stands already.
	Mkdir(path string) error
	// Create makes an empty file for writing, in the place of one that stood there.
	Create(path string) (File, error)
	// ReadFile returns the content of a file; ErrIrregular where a folder, a
	// pipe or a device stands.
	ReadFile(path string) ([]byte, error)
	// Size returns the length of a file in bytes; ErrIrregular as ReadFile.
	Size(path string) (int64, error)
	// ReadDir returns what is in a folder, ordered by name.
	ReadDir(path string) ([]Entry, error)
	// Rename gives a file another name in the same folder, in one step, and
	// replaces a file that has it.
	Rename(from, to string) error
	// Remove removes a file.
	Remove(path string) error
	// SyncDir brings the names in a folder to the disk.
	SyncDir(path string) error
	// Lock takes the lock that the file at path stands for, which is made where
	// it is missing and is never removed. It does not wait: ErrLocked where
	// another process, or another part of this one, has the lock.
	Lock(path string) (Lock, error)
}

// A File is a file that is being written.
type File interface {
	Write(data []byte) (int, error)
	Sync() error
	Close() error
}

// A Lock is held until Unlock, or until the process ends in whatever way.
type Lock interface {
	// Describe puts a text into the lock's file, for others to read.
	Describe(text []byte) error
	// Held fails where the file at the path is not the one that was locked, so
	// that others can lock it, too.
	Held() error
	// Unlock empties the file and gives the lock back.
	Unlock() error
}

// An Entry is one name in a folder.
type Entry struct {
	Name    string
	Regular bool // it is a file, and no folder, link, pipe or device
}

var (
	// ErrLocked says that somebody else has the lock.
	ErrLocked = errors.New("locked by another")
	// ErrIrregular says that no file stands where one is to be read.
	ErrIrregular = errors.New("is no regular file")
)

// A SyncDirError is the failure of [FS.SyncDir] inside another operation: the
// names in the folder are what they should be, and may be others after a crash.
type SyncDirError struct {
	Folder string
	Err    error
}

func (e *SyncDirError) Error() string { return fmt.Sprintf("sync %s: %v", e.Folder, e.Err) }
func (e *SyncDirError) Unwrap() error { return e.Err }

// Suffix ends the names that files have until they are whole. A file that has it
// is what a crash left behind, unless its writer is at work.
const Suffix = ".new"

// SyncDir is fsys.SyncDir, with its failure as a *[SyncDirError].
func SyncDir(fsys FS, folder string) error {
	if err := fsys.SyncDir(folder); err != nil {
		return &SyncDirError{folder, err}
	}
	return nil
}

// Replace makes the file at path hold data: readers see the old content or the
// new one, so does who comes after a crash, and once Replace has returned it is the
// new one. Where it fails, the old content stands, with one exception: after a
// *[SyncDirError] the new one does, and a crash may bring the old one back.
// Only one caller at a time may replace a path.
func Replace(fsys FS, path string, data []byte) error {
	temporary := path + Suffix
	err := write(fsys, temporary, data)
	if err == nil {
		err = fsys.Rename(temporary, path)
	}
	if err != nil {
		_ = fsys.Remove(temporary) // it is the first failure that counts
		return err
	}
	return SyncDir(fsys, filepath.Dir(path))
}

func write(fsys FS, path string, data []byte) error {
	f, err := fsys.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
