//go:build !unix

package wazero

import (
	"fmt"
	"io/fs"
	"os"
)

// private tells whether a path is a folder. Who may write to it is a matter of
// the rights it inherits, from the user's own cache folder.
func private(path string, _ fs.FileMode) error {
	info, err := os.Lstat(path)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", path)
	}
	return err
}
