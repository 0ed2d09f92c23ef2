package disk

import (
	"errors"
	"io/fs"
	"os"
)

// OS returns the file system of the machine.
func OS() FS { return system{} }

type system struct{}

func (system) Mkdir(path string) error { return os.Mkdir(path, 0o700) }

func (system) Create(path string) (File, error) {
	f, err := create(path)
	if errors.Is(err, fs.ErrExist) {
		if err := remove(path); err != nil {
			return nil, err
		}
		f, err = create(path)
	}
	if err != nil {
		return nil, err // and not a *os.File that is nil in a File that is not
	}
	return f, nil
}

// create never follows a link and never empties what somebody else has open.
func create(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

func (s system) ReadFile(path string) ([]byte, error) {
	if _, err := s.Size(path); err != nil { // opening a pipe would wait for its other end
		return nil, err
	}
	return os.ReadFile(path)
}

func (system) Size(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, &fs.PathError{Op: "read", Path: path, Err: ErrIrregular}
	}
	return info.Size(), nil
}

func (system) ReadDir(path string) ([]Entry, error) {
	files, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, len(files))
	for i, f := range files {
		entries[i] = Entry{f.Name(), f.Type().IsRegular()}
	}
	return entries, nil
}

func (system) Rename(from, to string) error { return rename(from, to) }
func (system) Remove(path string) error     { return remove(path) }
func (system) SyncDir(path string) error    { return syncDir(path) }

func (system) Lock(path string) (Lock, error) {
	for range 8 {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		if err := lock(f); err != nil {
			f.Close()
			return nil, err
		}
		l := &systemLock{f}
		if l.Held() == nil {
			return l, nil
		}
		f.Close() // another file stands there by now: that one it is
	}
	return nil, ErrLocked
}

type systemLock struct{ f *os.File }

func (l *systemLock) Describe(text []byte) error {
	if err := l.f.Truncate(0); err != nil {
		return err
	}
	_, err := l.f.WriteAt(text, 0)
	return err
}

func (l *systemLock) Held() error {
	mine, err := l.f.Stat()
	if err != nil {
		return err
	}
	there, err := os.Stat(l.f.Name())
	if err != nil {
		return err
	}
	if !os.SameFile(mine, there) {
		return &fs.PathError{Op: "lock", Path: l.f.Name(), Err: errors.New("another file was put in its place")}
	}
	return nil
}

// Unlock lets the system give the lock back, as it does when a process ends.
func (l *systemLock) Unlock() error { return errors.Join(l.f.Truncate(0), l.f.Close()) }
