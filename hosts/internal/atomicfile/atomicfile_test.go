package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func content(t *testing.T, path, want string) os.FileInfo {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", path, got, err, want)
	}
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A link stays a link, and a link to nothing yet makes its target.
func TestPutFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	file, link, chain, open := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "chain"), filepath.Join(dir, "open")
	must(t, os.WriteFile(file, []byte("old and longer"), 0o600))
	must(t, os.Symlink("file", link))
	must(t, os.Symlink(link, chain))
	must(t, os.Symlink("later", open))
	must(t, Put(chain, []byte("new"), 0o644))
	must(t, Put(open, []byte("made"), 0o644))
	content(t, file, "new")
	content(t, filepath.Join(dir, "later"), "made")
	for _, path := range []string{link, chain, open} {
		if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", path)
		}
	}
}

// The rights of a file that is there are its owner's choice.
func TestPutKeepsRights(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	must(t, Put(path, []byte("a"), 0o644))
	if mode := content(t, path, "a").Mode().Perm(); mode != 0o644 && os.PathSeparator == '/' {
		t.Errorf("new: %#o", mode)
	}
	must(t, os.Chmod(path, 0o600))
	must(t, Put(path, []byte("b"), 0o644))
	if mode := content(t, path, "b").Mode().Perm(); mode != 0o600 && os.PathSeparator == '/' {
		t.Errorf("kept: %#o", mode)
	}
}

// A failure names the path once, leaves nothing behind, and is one line.
func TestPutFails(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	for _, path := range []string{filepath.Join(dir, "absent", "file"), filepath.Join(dir, "folder")} {
		for _, err := range []error{Put(path, nil, 0o644), Write(path, nil, 0o644)} {
			if err == nil || !strings.HasPrefix(err.Error(), "write "+path+": ") || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "closed") {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// Until all was written a file is as it was, and what fails meanwhile changes nothing.
func TestStream(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	must(t, os.WriteFile(file, []byte("old"), 0o600))
	must(t, os.Symlink("file", link))
	stop := errors.New("enough")
	for _, path := range []string{file, link, filepath.Join(dir, "absent")} {
		err := Stream(path, 0o644, func(w io.Writer) error {
			_, err := io.WriteString(w, "new")
			must(t, err)
			content(t, file, "old")
			return stop
		})
		if !errors.Is(err, stop) {
			t.Errorf("%s: %v", path, err)
		}
	}
	content(t, file, "old")
	must(t, Stream(link, 0o644, func(w io.Writer) error {
		_, err1 := io.WriteString(w, "in ")
		_, err2 := io.WriteString(w, "parts")
		return errors.Join(err1, err2)
	}))
	content(t, file, "in parts")
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
}
