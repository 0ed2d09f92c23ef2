//go:build unix

package mcp

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// hungUp reports whether nobody can read what is written any more.
func hungUp(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	fds := []unix.PollFd{{Fd: int32(f.Fd())}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0
}
