package pool

import (
	"runtime/debug"
	"sync"
)

// quiet keeps Go's collector from beginning while documents are opened or built. The engine
// works on them for seconds without a return to Go, and a collection waits for
// every thread before it lets any run on: the whole process would stand still, to
// signals, too. What a host allocates meanwhile is little beside the documents.
// With GOMEMLIMIT the collector begins at that limit all the same.
type quiet struct {
	mu      sync.Mutex
	holders int
	percent int // as it was
}

var collector quiet // there is one in a process

// hold keeps the collector quiet until release is called.
func (q *quiet) hold() (release func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.holders++; q.holders == 1 {
		q.percent = debug.SetGCPercent(-1)
	}
	return q.release
}

func (q *quiet) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.holders--; q.holders == 0 {
		debug.SetGCPercent(q.percent)
	}
}
