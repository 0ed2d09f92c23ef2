// Package atomicfile writes whole files: a reader, and the disk after a crash,
// sees the old content or the new one, never a part.
package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts content into the file at path, made with the given rights. It does
// not follow a link at path: see [Put].
func Write(path string, content []byte, mode os.FileMode) error {
	return replace(path, mode, whole(content))
}

// Put writes content to a path that a person named. A link stays and its target
// is written; a file keeps its rights, and one that is new gets mode; what is no
// regular file (a pipe, a device) is opened and written to, never replaced.
func Put(path string, content []byte, mode os.FileMode) error {
	return Stream(path, mode, whole(content))
}

// whole writes content at once.
func whole(content []byte) func(w io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}
}

// Stream is Put for what is not held as a whole: fill writes it. Where fill fails, a
// file stays as it was; what is no regular file has got what was written until then.
func Stream(path string, mode os.FileMode, fill func(w io.Writer) error) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return replace(Target(path), mode, fill)
	case err != nil:
		return failed(path, err)
	case info.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("is a folder")}
	case !info.Mode().IsRegular():
		return through(path, 0, fill)
	}
	target := Target(path)
	if there, err := os.Lstat(target); err != nil || !os.SameFile(there, info) {
		return through(path, os.O_TRUNC, fill) // a link of the system's, such as /proc/self/fd/3
	}
	return replace(target, info.Mode().Perm(), fill)
}

// replace writes a file beside path, and moves it there once it is whole.
func replace(path string, mode os.FileMode, fill func(w io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return failed(path, err)
	}
	if err = fill(f); err == nil {
		err = errors.Join(f.Chmod(mode), f.Sync())
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it is the first failure that counts
		return failed(path, err)
	}
	return nil
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

func through(path string, flags int, fill func(w io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|flags, 0)
	if err != nil {
		return failed(path, err)
	}
	if err = errors.Join(fill(f), f.Close()); err != nil {
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
