package corpusfile

import (
	"os"
	"syscall"
	"time"
)

// changed returns when a file last changed in any way: its content, its rights, its
// times.
func changed(info os.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(s.Ctim.Unix())
	}
	return time.Time{}
}
