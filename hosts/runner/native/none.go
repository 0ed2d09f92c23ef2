//go:build nonative

// Package native is left out of this build.
package native

import "github.com/rookhaven-project/rookhaven/hosts/runner"

// Available reports whether this build has the package.
const Available = false

// Open returns nil.
func Open() runner.Runner { return nil }
