package disktest

import (
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
)

// A Fault says which call of a [Faulty] fails, and how.
type Fault struct {
	At    int   // the call, counted from 1
	Err   error // what it returns
	Stays bool  // all later calls fail, too
	Late  bool  // the call takes effect before it fails; a write does so by half
}

// A Faulty is a disk.FS whose calls are counted, and one of which fails. Closing a
// file and giving back a lock always take effect.
type Faulty struct {
	disk.FS
	mu    sync.Mutex
	fault Fault
	calls int
	hit   bool
	paths []string // of the calls, for messages
}

// NewFaulty lets a call on fsys fail.
func NewFaulty(fsys disk.FS, fault Fault) *Faulty { return &Faulty{FS: fsys, fault: fault} }

// Hit reports whether the call was reached, and which it was.
func (f *Faulty) Hit() (call string, hit bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.hit {
		return "", false
	}
	return f.paths[f.fault.At-1], true
}

// due counts a call and reports whether it fails.
func (f *Faulty) due(op, path string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	f.paths = append(f.paths, op+" "+path)
	now := f.calls == f.fault.At || f.fault.Stays && f.calls > f.fault.At
	f.hit = f.hit || now
	return now
}

func (f *Faulty) call(op, path string, do func() error) error {
	if !f.due(op, path) {
		return do()
	}
	if f.fault.Late {
		_ = do() // it is the fault that is told
	}
	return failed(op, path, f.fault.Err)
}

func (f *Faulty) Mkdir(path string) error {
	return f.call("mkdir", path, func() error { return f.FS.Mkdir(path) })
}

func (f *Faulty) Create(path string) (disk.File, error) {
	var file disk.File
	err := f.call("create", path, func() (err error) { file, err = f.FS.Create(path); return err })
	if err != nil {
		if file != nil {
			_ = file.Close()
		}
		return nil, err
	}
	return &faultyFile{file, f, path}, nil
}

func (f *Faulty) ReadFile(path string) (data []byte, err error) {
	err = f.call("read", path, func() error { data, err = f.FS.ReadFile(path); return err })
	if err != nil {
		return nil, err
	}
	return data, nil
}

func (f *Faulty) Size(path string) (size int64, err error) {
	err = f.call("look at", path, func() error { size, err = f.FS.Size(path); return err })
	if err != nil {
		return 0, err
	}
	return size, nil
}

func (f *Faulty) ReadDir(path string) (entries []disk.Entry, err error) {
	err = f.call("list", path, func() error { entries, err = f.FS.ReadDir(path); return err })
	if err != nil {
		return nil, err
	}
	return entries, nil
}

func (f *Faulty) Rename(from, to string) error {
	return f.call("rename", to, func() error { return f.FS.Rename(from, to) })
}

func (f *Faulty) Remove(path string) error {
	return f.call("remove", path, func() error { return f.FS.Remove(path) })
}

func (f *Faulty) SyncDir(path string) error {
	return f.call("sync folder", path, func() error { return f.FS.SyncDir(path) })
}

func (f *Faulty) Lock(path string) (disk.Lock, error) {
	var l disk.Lock
	err := f.call("lock", path, func() (err error) { l, err = f.FS.Lock(path); return err })
	if err != nil {
		if l != nil {
			_ = l.Unlock()
		}
		return nil, err
	}
	return &faultyLock{l, f, path}, nil
}

type faultyFile struct {
	disk.File
	f    *Faulty
	path string
}

func (w *faultyFile) Write(data []byte) (n int, err error) {
	if w.f.due("write", w.path) {
		if w.f.fault.Late {
			n, _ = w.File.Write(data[:len(data)/2])
		}
		return n, failed("write", w.path, w.f.fault.Err)
	}
	return w.File.Write(data)
}

func (w *faultyFile) Sync() error { return w.f.call("sync", w.path, w.File.Sync) }

func (w *faultyFile) Close() error {
	err := w.File.Close()
	return w.f.call("close", w.path, func() error { return err })
}

type faultyLock struct {
	disk.Lock
	f    *Faulty
	path string
}

func (l *faultyLock) Describe(text []byte) error {
	return l.f.call("describe", l.path, func() error { return l.Lock.Describe(text) })
}

func (l *faultyLock) Held() error { return l.f.call("look at", l.path, l.Lock.Held) }

func (l *faultyLock) Unlock() error {
	err := l.Lock.Unlock()
	return l.f.call("unlock", l.path, func() error { return err })
}
