//go:build !linux && !darwin

package corpusfile

import (
	"os"
	"time"
)

// changed is not known here: the notices of changes tell.
func changed(os.FileInfo) time.Time { return time.Time{} }
