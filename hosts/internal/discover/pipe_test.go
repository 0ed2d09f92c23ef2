//go:build unix

package discover

import (
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// What is no file is said and not opened, which would wait for ever; what was a document
// before stays one.
func TestPipesAndSockets(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": "a"})
	for _, name := range []string{"pipe.md", "pipe", ".hidden"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir) // the address of a socket has few bytes
	socket, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(socket)
	if err := syscall.Bind(socket, &syscall.SockaddrUnix{Name: "socket"}); err != nil {
		t.Fatal(err)
	}
	found := find(t, ".")
	says := []string{"pipe: it is a pipe and no file, so it was not opened", "pipe.md: it is a pipe and no file, so it was not opened", "socket: it is a socket and no file, so it was not opened"}
	if got := ids(found); !slices.Equal(got, []string{"a.md"}) || found.Unread() || found.Files != 4 || len(found.Problems) != len(says) {
		t.Fatalf("%q, %d files, %+v", got, found.Files, found.Problems)
	}
	for i, p := range found.Problems {
		if p.Kind != NoFile || !strings.HasSuffix(p.Sentence, says[i]) {
			t.Errorf("%+v, want %q", p, says[i])
		}
	}
	if !found.Kept("pipe.md") || found.Kept(".hidden") {
		t.Error("what was text before stays")
	}
}
