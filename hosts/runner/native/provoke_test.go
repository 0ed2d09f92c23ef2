//go:build !nonative

package native

import (
	"github.com/rookhaven-project/rookhaven/core/retrieve"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
)

// Provoke makes the next call of an instance panic that opens a model.
func Provoke(i runner.Instance) {
	i.(*instance).engine = retrieve.New(retrieve.Config{Held: func(int64, int64) ([]byte, bool) { panic("embed: BUG: provoked\nat once") }})
}

// Occupy takes the turn of an instance until free is called.
func Occupy(i runner.Instance) (free func()) {
	i.(*instance).turn <- struct{}{}
	return i.(*instance).give
}
