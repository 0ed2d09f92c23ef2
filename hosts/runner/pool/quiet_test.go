package pool

import (
	"runtime/debug"
	"sync"
	"testing"
)

// The collector is as it was when the last of several openings is done.
func TestQuietRestores(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(77))
	var q quiet
	var wg sync.WaitGroup
	first := q.hold()
	for range 8 {
		wg.Go(func() { q.hold()() })
	}
	wg.Wait()
	if got := debug.SetGCPercent(-1); got != -1 {
		t.Errorf("%d while one is open", got)
	}
	first()
	if got := debug.SetGCPercent(77); got != 77 {
		t.Errorf("%d afterwards", got)
	}
}
