//go:build unix

package store

import (
	"errors"
	"os"
)

// syncFolder brings the names in a folder to the disk.
func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
