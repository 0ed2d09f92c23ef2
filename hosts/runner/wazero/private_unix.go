//go:build unix

package wazero

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// private refuses a folder that is not this user's, or that gives others one of
// the rights in mask. A link is refused, too: it may be bent later.
func private(path string, mask fs.FileMode) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", path)
	case ok && int(stat.Uid) != os.Geteuid():
		return fmt.Errorf("%s belongs to user %d, not to %d, who would run what lies there", path, stat.Uid, os.Geteuid())
	case info.Mode().Perm()&mask != 0:
		return fmt.Errorf("%s is open to others (%#o): empty it and chmod 700 it", path, info.Mode().Perm())
	}
	return nil
}
