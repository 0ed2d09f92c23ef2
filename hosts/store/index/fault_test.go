package index

import (
	"strings"
	"syscall"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// Whichever call of a workload fails, once or from then on, before or after it took
// effect: the failure is told, the old generation is there as a whole or the new
// one, and the rest of the workload ends where it would have ended.
func TestPublishFails(t *testing.T) {
	runs := 0
	for _, errno := range []syscall.Errno{syscall.EIO, syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.EROFS} {
		for mode := range 4 {
			if mode > 0 && errno != syscall.ENOSPC {
				continue // errors differ in what is told, modes in what is done
			}
			for at := 1; ; at++ {
				fault := disktest.Fault{At: at, Err: errno, Stays: mode&1 > 0, Late: mode&2 > 0}
				if !failing(t, fault) {
					break
				}
				runs++
			}
		}
	}
	t.Logf("%d runs", runs)
}

// failing runs the workload with a fault and reports whether it was reached.
func failing(t *testing.T, fault disktest.Fault) bool {
	t.Helper()
	m, l := disktest.NewMemory(), ledger{}
	faulty := disktest.NewFaulty(m, fault)
	err := l.run(faulty)
	call, hit := faulty.Hit()
	if !hit {
		if err != nil {
			t.Fatalf("no fault: %v", err)
		}
		return false
	}
	if err != nil && strings.Contains(err.Error(), "WRONG") {
		t.Fatalf("%+v: %s: %v", fault, call, err)
	}
	if code := codeOf(err); err != nil && code != Full && code != "STORAGE_FAILED" {
		t.Fatalf("%+v: %s: %v", fault, call, err)
	}
	if full := fault.Err == syscall.ENOSPC || fault.Err == syscall.EDQUOT; err != nil && full && codeOf(err) != Full {
		t.Fatalf("%+v: %s: %v, want %s", fault, call, err, Full)
	}
	if err := l.verify(m); err != nil {
		t.Fatalf("%+v: %s: after it: %v", fault, call, err)
	}
	if err := l.finish(m); err != nil {
		t.Fatalf("%+v: %s: at the end: %v", fault, call, err)
	}
	return true
}

// When the disk is full, readers go on; when there is space again, so does the same
// Writer. Pruning needs no space.
func TestFullDisk(t *testing.T) {
	for at := 1; ; at++ {
		m := disktest.NewMemory()
		faulty := disktest.NewFaulty(m, disktest.Fault{})
		w := locked(t, Open("/data", faulty))
		published(t, w, "d1", part{"a", ""}, part{"b", ""})
		full := disktest.NewFaulty(m, disktest.Fault{At: at, Err: syscall.ENOSPC, Stays: true})
		faulty.FS = writesOnly{full, m}
		_, err := publish(w, "d2", part{"a", "a-b1"}, part{"c", ""})
		call, hit := full.Hit()
		if !hit {
			break
		}
		want(t, call, err, Full)
		g, _, err := w.Current()
		want(t, "Current", err, "")
		if err := holdsParts(w.Store, g); err != nil {
			t.Fatalf("%s: %v", call, err)
		}
		_, err = w.Prune(1, 0, timeOf(9))
		if !strings.HasPrefix(call, "sync folder") { // after which nothing is written
			want(t, "Prune after "+call, err, "")
			faulty.FS = m
			if w.Head().Number == 1 {
				published(t, w, "d2", part{"a", "a-b1"}, part{"c", ""})
			}
		}
	}
}

// writesOnly is a disk on which only what needs space can fail.
type writesOnly struct {
	*disktest.Faulty
	m *disktest.Memory
}

func (w writesOnly) ReadFile(path string) ([]byte, error)      { return w.m.ReadFile(path) }
func (w writesOnly) ReadDir(path string) ([]disk.Entry, error) { return w.m.ReadDir(path) }
func (w writesOnly) Remove(path string) error                  { return w.m.Remove(path) }
func (w writesOnly) SyncDir(path string) error {
	return w.m.SyncDir(path)
}

// After a failure the same Writer goes on, from what is current by then, and what
// failed is not left for the next writer to finish. After a folder that could not be
// synced, nothing is written any more.
func TestWriterGoesOn(t *testing.T) {
	for _, late := range []bool{false, true} {
		for at := 1; ; at++ {
			m := disktest.NewMemory()
			faulty := disktest.NewFaulty(m, disktest.Fault{})
			s := Open("/data", faulty)
			w := locked(t, s)
			published(t, w, "d1", part{"a", ""}, part{"b", ""})
			once := disktest.NewFaulty(m, disktest.Fault{At: at, Err: syscall.EIO, Late: late})
			faulty.FS = once
			_, err := publish(w, "d2", part{"a", "a-b1"}, part{"c", ""})
			call, hit := once.Hit()
			if !hit {
				want(t, "Publish", err, "")
				break
			}
			if err == nil { // the file was read instead of asked for its size
				continue
			}
			want(t, call, err, abi.StorageFailed)
			if _, left := m.Files()["/data/generations/2.json"]; left && w.Head().Number == 1 {
				t.Errorf("%s (late: %v): the generation that failed is left", call, late)
			}
			if strings.HasPrefix(call, "sync folder") {
				_, err = w.AddBlob(nil)
				want(t, "AddBlob after "+call, err, abi.StorageFailed)
				want(t, "Close", w.Close(), "")
				_, err = s.TryLock("again")
				want(t, "TryLock after "+call, err, abi.StorageFailed)
				w = locked(t, Open("/data", faulty))
			}
			g := published(t, w, "d3", part{"d", ""})
			now, recovered, err := s.Current()
			if want(t, call, err, ""); now.Digest != g.Digest || recovered != "" {
				t.Fatalf("%s (late: %v): generation %d is current: %q", call, late, now.Number, recovered)
			}
		}
	}
}
