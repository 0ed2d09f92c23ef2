package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// temporary is the pattern of names that files have until they are whole.
const temporary = ".new-*"

// write makes a file that holds data, in one step: after a crash it is there as a
// whole or not at all, and once write has returned it stays.
func write(path string, data []byte, mode fs.FileMode) error {
	folder := filepath.Dir(path)
	f, err := os.CreateTemp(folder, temporary)
	if err != nil {
		return failed("write", path, err)
	}
	defer os.Remove(f.Name()) // is gone already when all went well
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err == nil {
		err = syncFolder(folder)
	}
	if err != nil {
		return failed("write", path, err)
	}
	return nil
}
