//go:build unix

package atomicfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What is no regular file is written to and stays what it is, also behind a link.
func TestPutWritesThroughPipes(t *testing.T) {
	dir := t.TempDir()
	pipe, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "link")
	must(t, syscall.Mkfifo(pipe, 0o600))
	must(t, os.Symlink("pipe", link))
	for _, path := range []string{pipe, link} {
		read := make(chan string)
		go func() {
			got, _ := os.ReadFile(pipe)
			read <- string(got)
		}()
		must(t, Put(path, []byte("through"), 0o644))
		if got := <-read; got != "through" {
			t.Errorf("%s: %q came through", path, got)
		}
		if info, err := os.Lstat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
			t.Errorf("the pipe became %v, %v", info.Mode(), err)
		}
	}
}
