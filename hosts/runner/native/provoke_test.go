//go:build !nonative

package native

import (
	"github.com/rookhaven-project/rookhaven/core/retrieve"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
)

// Provoke makes the next call of an instance that opens a model or embeds panic.
func Provoke(i runner.Instance) { i.(*instance).engine = new(retrieve.Engine) }

// Occupy takes the turn of an instance until free is called.
func Occupy(i runner.Instance) (free func()) {
	turn := &i.(*instance).turn
	turn.Lock()
	return turn.Unlock
}
