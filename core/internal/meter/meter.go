// Package meter bounds what a call may take: a Meter its time, an Account its
// memory.
package meter

import (
	"sync/atomic"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// interval is how many steps pass between two looks at the stop word. A step
// takes one to ten nanoseconds, so that a call ends within a millisecond; what
// that costs, make bench prints.
const interval = 1 << 16

// A Meter counts the physical steps of a call and looks at the stop word at
// bounded distance. Steps change nothing that reaches a reply.
type Meter struct {
	stop  *atomic.Uint32
	yield func()
	steps int64
	next  int64
}

// New returns a Meter that obeys a stop word, and gives way by yield at each look
// at it; nil means none.
func New(stop *atomic.Uint32, yield func()) *Meter { return &Meter{stop: stop, yield: yield} }

// Add reports n steps. It fails with [abi.Cancelled] when the stop word is set.
func (m *Meter) Add(n int) error {
	if !metered {
		return nil
	}
	m.steps += int64(n)
	if m.steps < m.next {
		return nil
	}
	m.next = m.steps + interval
	if m.yield != nil {
		m.yield()
	}
	if m.stop != nil && m.stop.Load() != 0 {
		return abi.Errorf(abi.Cancelled, "the call was stopped")
	}
	return nil
}

// Steps returns how many steps were reported.
func (m *Meter) Steps() int64 { return m.steps }

// An Account holds the bytes that may be taken and those that are. It counts
// what corpora hold, not every byte of the process.
type Account struct {
	limit int64 // 0: none
	used  int64
}

// NewAccount returns an Account with a limit in bytes; 0 means none.
func NewAccount(limit int64) *Account { return &Account{limit: limit} }

// Take takes n bytes before they are allocated. It fails with [abi.OverBudget].
func (a *Account) Take(n int64) error {
	if a.limit > 0 && (n > a.limit || a.used > a.limit-n) {
		return abi.Errorf(abi.OverBudget, "%d bytes more than the %d in use exceed the module's %d", n, a.used, a.limit)
	}
	a.used += n
	return nil
}

// Give gives n bytes back.
func (a *Account) Give(n int64) { a.used -= n }

// Used returns the bytes taken.
func (a *Account) Used() int64 { return a.used }
