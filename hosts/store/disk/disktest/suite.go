package disktest

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
)

// Run runs the suite on a file system, in a folder of it that is empty.
func Run(t *testing.T, open func(t *testing.T) (disk.FS, string)) {
	for name, test := range map[string]func(*testing.T, disk.FS, string){
		"Replace": replace, "Folders": folders, "Absent": absent, "Locks": locks,
	} {
		t.Run(name, func(t *testing.T) {
			fsys, dir := open(t)
			test(t, fsys, dir)
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, fsys disk.FS, path, want string) {
	t.Helper()
	if got, err := fsys.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", path, got, err, want)
	}
}

func fails(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

func replace(t *testing.T, fsys disk.FS, dir string) {
	path := filepath.Join(dir, "file")
	for _, content := range []string{"first", "", "third and longer"} {
		must(t, disk.Replace(fsys, path, []byte(content)))
		holds(t, fsys, path, content)
	}
	f, err := fsys.Create(path + disk.Suffix) // what a crash left behind
	must(t, err)
	_, err = f.Write([]byte("left over and longer than what comes"))
	must(t, errors.Join(err, f.Close()))
	must(t, disk.Replace(fsys, path, []byte("fourth")))
	holds(t, fsys, path, "fourth")
	entries, err := fsys.ReadDir(dir)
	must(t, err)
	if want := []disk.Entry{{Name: "file", Regular: true}}; !slices.Equal(entries, want) {
		t.Errorf("the folder holds %v, want %v", entries, want)
	}
}

func folders(t *testing.T, fsys disk.FS, dir string) {
	b, a := filepath.Join(dir, "b"), filepath.Join(dir, "a")
	must(t, fsys.Mkdir(b))
	fails(t, "Mkdir of a folder", fsys.Mkdir(b), fs.ErrExist)
	must(t, disk.Replace(fsys, a, []byte("a")))
	fails(t, "Mkdir of a file", fsys.Mkdir(a), fs.ErrExist)
	_, err := fsys.ReadFile(b)
	fails(t, "ReadFile of a folder", err, disk.ErrIrregular)
	_, err = fsys.Size(b)
	fails(t, "Size of a folder", err, disk.ErrIrregular)
	if size, err := fsys.Size(a); err != nil || size != 1 {
		t.Errorf("Size = %d, %v; want 1", size, err)
	}
	entries, err := fsys.ReadDir(dir)
	must(t, err)
	if want := []disk.Entry{{Name: "a", Regular: true}, {Name: "b"}}; !slices.Equal(entries, want) {
		t.Errorf("the folder holds %v, want %v", entries, want)
	}
	if disk.Replace(fsys, b, nil) == nil {
		t.Error("a folder was replaced by a file")
	}
	must(t, fsys.SyncDir(b))
	must(t, fsys.Remove(a))
	_, err = fsys.ReadFile(a)
	fails(t, "ReadFile of what was removed", err, fs.ErrNotExist)
}

func absent(t *testing.T, fsys disk.FS, dir string) {
	path := filepath.Join(dir, "nothing", "file")
	_, err := fsys.ReadFile(path)
	fails(t, "ReadFile", err, fs.ErrNotExist)
	_, err = fsys.Size(path)
	fails(t, "Size", err, fs.ErrNotExist)
	_, err = fsys.ReadDir(path)
	fails(t, "ReadDir", err, fs.ErrNotExist)
	_, err = fsys.Create(path)
	fails(t, "Create", err, fs.ErrNotExist)
	_, err = fsys.Lock(path)
	fails(t, "Lock", err, fs.ErrNotExist)
	fails(t, "Mkdir", fsys.Mkdir(path), fs.ErrNotExist)
	fails(t, "Remove", fsys.Remove(path), fs.ErrNotExist)
	fails(t, "Rename", fsys.Rename(path, path+"2"), fs.ErrNotExist)
	fails(t, "SyncDir", fsys.SyncDir(path), fs.ErrNotExist)
}

func locks(t *testing.T, fsys disk.FS, dir string) {
	path := filepath.Join(dir, "lock")
	l, err := fsys.Lock(path)
	must(t, err)
	must(t, l.Describe([]byte("a long description")))
	must(t, l.Describe([]byte("me")))
	must(t, l.Held())
	holds(t, fsys, path, "me")
	_, err = fsys.Lock(path)
	fails(t, "a second lock", err, disk.ErrLocked)
	holds(t, fsys, path, "me")
	must(t, l.Unlock())
	holds(t, fsys, path, "")
	if runtime.GOOS == "windows" {
		return // a file that is open cannot be taken away there
	}
	l, err = fsys.Lock(path)
	must(t, err)
	must(t, fsys.Remove(path))
	must(t, disk.Replace(fsys, path, nil))
	if l.Held() == nil {
		t.Error("a lock on a file that was taken away still counts")
	}
	_ = l.Unlock()
}
