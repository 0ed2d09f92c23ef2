// Package disktest holds what stores are tested with: a [Memory] that loses what
// was not synced when its power goes at the n-th call, a [Faulty] file system whose
// n-th call fails, and [Run], the suite that every [disk.FS] passes.
package disktest

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
)

// ErrCrashed is what every call returns after the power went.
var ErrCrashed = errors.New("the power is gone")

// sector is the unit in which a disk writes.
const sector = 512

// A Memory is a disk.FS in memory that keeps apart what readers see and what the
// disk would have after a crash. It begins with the folder "/" alone.
//
// [Memory.CrashAt] lets the power go at a call, which may or may not take effect
// any more; [Memory.Restart] tells what is there then: of each file what was synced
// and any part of the rest, torn within a sector or with sectors of zeros; of each
// folder the names that were synced, and of the changes since then none, all, or any
// of them.
type Memory struct {
	mu    sync.Mutex
	root  *node
	locks map[*node]bool
	calls int
	crash int // the call at which the power goes, 0 for never
	chaos *rand.Rand
}

// A node is a file or a folder.
type node struct {
	dir          bool
	data, synced []byte           // a file: for readers, and on the disk
	kids, kept   map[string]*node // a folder, likewise
	pending      []change         // what made kids of kept
}

// A change is what one call did to the names of a folder; nil removes a name.
type change map[string]*node

func folder() *node {
	return &node{dir: true, kids: map[string]*node{}, kept: map[string]*node{}}
}

// NewMemory returns an empty file system.
func NewMemory() *Memory { return &Memory{root: folder(), locks: map[*node]bool{}} }

// CrashAt lets the power go at the n-th call from now, counted from 1.
func (m *Memory) CrashAt(n int, seed uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls, m.crash, m.chaos = 0, n, rand.New(rand.NewPCG(seed, uint64(n)))
}

// Crashed reports whether the power went.
func (m *Memory) Crashed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.crash > 0 && m.calls >= m.crash
}

// Restart returns what is there after the power went.
func (m *Memory) Restart(seed uint64) *Memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := rand.New(rand.NewPCG(seed, 1))
	return &Memory{root: m.root.survivor(r, map[*node]*node{}), locks: map[*node]bool{}}
}

func (n *node) survivor(r *rand.Rand, done map[*node]*node) *node {
	if s := done[n]; s != nil {
		return s // a file that a half-done rename left two names
	}
	if !n.dir {
		data := remains(r, n.synced, n.data)
		done[n] = &node{data: data, synced: data}
		return done[n]
	}
	names := maps.Clone(n.kept)
	mode := r.IntN(3)
	for _, c := range n.pending {
		if mode == 1 || mode == 2 && r.IntN(2) == 0 {
			c.apply(names)
		}
	}
	s := folder()
	done[n] = s
	for _, name := range slices.Sorted(maps.Keys(names)) {
		s.kids[name] = names[name].survivor(r, done)
	}
	s.kept = maps.Clone(s.kids)
	return s
}

func (c change) apply(names map[string]*node) {
	for name, n := range c {
		if n == nil {
			delete(names, name)
		} else {
			names[name] = n
		}
	}
}

// remains is what a disk has of a file: what was synced, and of the rest nothing,
// all, a part, or the length with zeros in some sectors.
func remains(r *rand.Rand, synced, data []byte) []byte {
	if !bytes.HasPrefix(data, synced) { // it was written anew from its beginning
		synced = nil
	}
	kept := bytes.Clone(data)
	switch r.IntN(4) {
	case 0:
		return bytes.Clone(synced)
	case 1:
		return kept[:len(synced)+r.IntN(len(data)-len(synced)+1)]
	case 2:
		for i := len(synced); i < len(kept); i++ {
			if i == len(synced) || i%sector == 0 {
				if r.IntN(2) == 0 {
					end := min(len(kept), (i/sector+1)*sector)
					clear(kept[i:end])
				}
			}
		}
	}
	return kept
}

// call counts a call and runs it, unless the power is gone or goes at it.
func (m *Memory) call(do func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	if m.crash > 0 && m.calls >= m.crash {
		if m.calls == m.crash && m.chaos.IntN(2) == 0 {
			_ = do() // it took effect, and nobody heard of it
		}
		return ErrCrashed
	}
	return do()
}

// at returns the node at a path, or nil.
func (m *Memory) at(path string) *node {
	n := m.root
	for name := range strings.SplitSeq(strings.Trim(filepath.ToSlash(path), "/"), "/") {
		if name == "" {
			continue
		}
		if n == nil || !n.dir {
			return nil
		}
		n = n.kids[name]
	}
	return n
}

// in returns the folder that a path is in, and the name there.
func (m *Memory) in(op, path string) (*node, string, error) {
	dir := m.at(filepath.Dir(path))
	if dir == nil || !dir.dir {
		return nil, "", failed(op, path, fs.ErrNotExist)
	}
	return dir, filepath.Base(path), nil
}

func failed(op, path string, err error) error { return &fs.PathError{Op: op, Path: path, Err: err} }

func (n *node) change(c change) {
	c.apply(n.kids)
	n.pending = append(n.pending, c)
}

func (m *Memory) Mkdir(path string) error {
	return m.call(func() error {
		dir, name, err := m.in("mkdir", path)
		if err != nil {
			return err
		}
		if dir.kids[name] != nil {
			return failed("mkdir", path, fs.ErrExist)
		}
		dir.change(change{name: folder()})
		return nil
	})
}

func (m *Memory) Create(path string) (disk.File, error) {
	n := &node{}
	err := m.call(func() error {
		dir, name, err := m.in("open", path)
		if err != nil {
			return err
		}
		if there := dir.kids[name]; there != nil && there.dir {
			return failed("open", path, fs.ErrExist)
		}
		dir.change(change{name: n})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &memoryFile{m, n}, nil
}

type memoryFile struct {
	m *Memory
	n *node
}

func (f *memoryFile) Write(data []byte) (int, error) {
	err := f.m.call(func() error { f.n.data = append(f.n.data, data...); return nil })
	if err != nil {
		return 0, err
	}
	return len(data), nil
}

func (f *memoryFile) Sync() error {
	return f.m.call(func() error { f.n.synced = bytes.Clone(f.n.data); return nil })
}

func (f *memoryFile) Close() error { return f.m.call(func() error { return nil }) }

func (m *Memory) ReadFile(path string) (data []byte, err error) {
	err = m.call(func() error {
		n := m.at(path)
		if n == nil {
			return failed("open", path, fs.ErrNotExist)
		}
		if n.dir {
			return failed("read", path, disk.ErrIrregular)
		}
		data = bytes.Clone(n.data)
		return nil
	})
	return data, err
}

func (m *Memory) Size(path string) (int64, error) {
	data, err := m.ReadFile(path)
	return int64(len(data)), err
}

func (m *Memory) ReadDir(path string) (entries []disk.Entry, err error) {
	err = m.call(func() error {
		dir := m.at(path)
		if dir == nil || !dir.dir {
			return failed("open", path, fs.ErrNotExist)
		}
		for _, name := range slices.Sorted(maps.Keys(dir.kids)) {
			entries = append(entries, disk.Entry{Name: name, Regular: !dir.kids[name].dir})
		}
		return nil
	})
	return entries, err
}

func (m *Memory) Rename(from, to string) error {
	return m.call(func() error {
		dir, old, err := m.in("rename", from)
		if err != nil {
			return err
		}
		if filepath.Dir(from) != filepath.Dir(to) {
			panic("disktest: BUG: a rename into another folder")
		}
		n, there := dir.kids[old], dir.kids[filepath.Base(to)]
		if n == nil {
			return failed("rename", from, fs.ErrNotExist)
		}
		if there != nil && there.dir {
			return failed("rename", to, fs.ErrExist)
		}
		dir.change(change{old: nil, filepath.Base(to): n})
		return nil
	})
}

func (m *Memory) Remove(path string) error {
	return m.call(func() error {
		dir, name, err := m.in("remove", path)
		if err != nil {
			return err
		}
		switch n := dir.kids[name]; {
		case n == nil:
			return failed("remove", path, fs.ErrNotExist)
		case n.dir && len(n.kids) > 0:
			return failed("remove", path, errors.New("the folder is not empty"))
		}
		dir.change(change{name: nil})
		return nil
	})
}

func (m *Memory) SyncDir(path string) error {
	return m.call(func() error {
		dir := m.at(path)
		if dir == nil || !dir.dir {
			return failed("sync", path, fs.ErrNotExist)
		}
		dir.kept, dir.pending = maps.Clone(dir.kids), nil
		return nil
	})
}

func (m *Memory) Lock(path string) (disk.Lock, error) {
	l := &memoryLock{m: m, path: path}
	err := m.call(func() error {
		dir, name, err := m.in("lock", path)
		if err != nil {
			return err
		}
		if dir.kids[name] == nil {
			dir.change(change{name: {}})
		}
		l.n = dir.kids[name]
		switch {
		case l.n.dir:
			return failed("lock", path, disk.ErrIrregular)
		case m.locks[l.n]:
			return disk.ErrLocked
		}
		m.locks[l.n] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

type memoryLock struct {
	m    *Memory
	n    *node
	path string
}

func (l *memoryLock) Describe(text []byte) error {
	return l.m.call(func() error { l.n.data = bytes.Clone(text); return nil })
}

func (l *memoryLock) Held() error {
	return l.m.call(func() error {
		if l.m.at(l.path) != l.n {
			return failed("lock", l.path, errors.New("another file was put in its place"))
		}
		return nil
	})
}

func (l *memoryLock) Unlock() error {
	return l.m.call(func() error {
		if !l.m.locks[l.n] {
			return failed("unlock", l.path, fs.ErrClosed)
		}
		l.n.data = nil
		delete(l.m.locks, l.n)
		return nil
	})
}

// Files returns every file with its content as readers see it, by its path.
func (m *Memory) Files() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	files := map[string]string{}
	m.root.walk("", files)
	return files
}

func (n *node) walk(path string, files map[string]string) {
	if !n.dir {
		files[path] = string(n.data)
	}
	for name, kid := range n.kids {
		kid.walk(path+"/"+name, files)
	}
}

// Put makes a file hold data, synced, as a person or a broken disk might: nothing
// is counted, and nothing fails.
func (m *Memory) Put(path, data string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, name, err := m.in("put", path)
	if err != nil {
		panic(err)
	}
	n := &node{data: []byte(data), synced: []byte(data)}
	dir.kids[name], dir.kept[name] = n, n
}

// Delete removes a file or folder, likewise.
func (m *Memory) Delete(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, name, err := m.in("delete", path)
	if err != nil {
		panic(err)
	}
	delete(dir.kids, name)
	delete(dir.kept, name)
}
