package index

import (
	"errors"
	"flag"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
)

var seeds = flag.Uint64("seeds", 5, "of the simulated crashes")

// At whichever call of a workload the power goes: what was reported as done is
// there, what was begun is there as a whole or not at all, no human is needed, and
// the rest of the workload ends where it would have ended. The power may go a
// second time, while the first crash is being mended.
func TestPublishCrashes(t *testing.T) {
	cuts := 0
	for seed := range *seeds {
		for at := 1; ; at++ {
			m, l := disktest.NewMemory(), ledger{}
			m.CrashAt(at, seed)
			err := l.run(m)
			if !m.Crashed() {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			cuts++
			m = m.Restart(seed)
			if err := l.verify(m); err != nil {
				t.Fatalf("seed %d, call %d: %v", seed, at, err)
			}
			m.CrashAt(1+(at*7+int(seed)*13)%60, seed)
			if err := l.run(m); err != nil && !errors.Is(err, disktest.ErrCrashed) && !m.Crashed() {
				t.Fatalf("seed %d, call %d: afterwards: %v", seed, at, err)
			}
			m = m.Restart(seed + 1)
			if err := l.verify(m); err != nil {
				t.Fatalf("seed %d, call %d: after the second crash: %v", seed, at, err)
			}
			if err := l.finish(m); err != nil {
				t.Fatalf("seed %d, call %d: at the end: %v", seed, at, err)
			}
		}
	}
	t.Logf("%d cuts", cuts)
}

// What a reader saw as current stays: no crash takes it back once a writer has put
// things in order.
func TestSeenStays(t *testing.T) {
	for seed := range *seeds {
		for at := 1; ; at++ {
			m := disktest.NewMemory()
			w := locked(t, Open("/data", m))
			published(t, w, "d1", part{"a", ""}, part{"b", ""})
			m.CrashAt(at, seed)
			_, err := publish(w, "d2", part{"a", "a-b1"}, part{"c", ""})
			if !m.Crashed() {
				want(t, "Publish", err, "")
				break
			}
			seen := int64(1)
			for path, data := range m.Files() {
				if path == "/data/CURRENT" {
					ref, err := parseRef([]byte(data))
					want(t, "CURRENT", err, "")
					seen = ref.Number
				}
			}
			again := locked(t, Open("/data", m.Restart(seed)))
			if got := again.Head().Number; got < seen {
				t.Fatalf("seed %d, call %d: generation %d is current, and %d was seen", seed, at, got, seen)
			}
		}
	}
}

// A process ends at any call, and the power goes while the next one works with what
// the first had not brought to the disk yet.
func TestKilledThenCrashes(t *testing.T) {
	for at := 1; ; at++ {
		for cut := at%9 + 1; cut < 240; cut += 9 {
			m, l := disktest.NewMemory(), ledger{}
			faulty := disktest.NewFaulty(m, disktest.Fault{At: at, Err: errors.New("killed"), Stays: true})
			_ = l.run(faulty)
			if _, hit := faulty.Hit(); !hit {
				return
			}
			m.CrashAt(cut, uint64(at))
			_ = l.run(m)
			m = m.Restart(uint64(cut))
			if err := l.verify(m); err != nil {
				t.Fatalf("killed at call %d, the power gone at %d: %v", at, cut, err)
			}
		}
	}
}
