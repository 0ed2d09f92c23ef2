// Package atomicfile writes whole files: a reader, and the disk after a crash,
// sees the old content or the new one, never a part.
package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
)

// Write puts content into the file at path, made with the given rights. It does
// not follow a link at path: resolve it first where it should stay one.
func Write(path string, content []byte, mode os.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}()
	if _, err = f.Write(content); err != nil {
		return err
	}
	if err = f.Chmod(mode); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
