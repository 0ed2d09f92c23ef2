//go:build unix && !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package disk

import (
	"errors"
	"io/fs"
	"os"
)

// lock refuses: without a lock that goes with its process, a store would have to
// guess who is alive.
func lock(f *os.File) error {
	return &fs.PathError{Op: "lock", Path: f.Name(), Err: errors.ErrUnsupported}
}
