// Package atomicfile writes whole files: a reader, and the disk after a crash,
// sees the old content or the new one, never a part.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts content into the file at path, made with the given rights. It does
// not follow a link at path: see [Put].
func Write(path string, content []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return failed(path, err)
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it is the first failure that counts
		return failed(path, err)
	}
	return nil
}

// Put writes content to a path that a person named. A link stays and its target
// is written; a file keeps its rights, and one that is new gets mode; what is no
// regular file (a pipe, a device) is opened and written to, never replaced.
func Put(path string, content []byte, mode os.FileMode) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Write(Target(path), content, mode)
	case err != nil:
		return failed(path, err)
	case info.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("is a folder")}
	case !info.Mode().IsRegular():
		return through(path, content, 0)
	}
	target := Target(path)
	if there, err := os.Lstat(target); err != nil || !os.SameFile(there, info) {
		return through(path, content, os.O_TRUNC) // a link of the system's, such as /proc/self/fd/3
	}
	return Write(target, content, info.Mode().Perm())
}

// Target returns where the links at path lead, also when nothing is there yet.
func Target(path string) string {
	for range 40 { // as many as Linux follows
		if target, err := filepath.EvalSymlinks(path); err == nil {
			return target
		}
		link, err := os.Readlink(path)
		if err != nil {
			return path
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		path = link
	}
	return path
}

func through(path string, content []byte, flags int) error {
	f, err := os.OpenFile(path, os.O_WRONLY|flags, 0)
	if err != nil {
		return failed(path, err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return failed(path, err)
	}
	return nil
}

// failed names the path that was to be written, and not the one beside it.
func failed(path string, err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		err = p.Err
	case errors.As(err, &l):
		err = l.Err
	}
	return &fs.PathError{Op: "write", Path: path, Err: err}
}
