package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// There is one writer; the other is told who it is, and readers do not care.
func TestTwoWriters(t *testing.T) {
	for name, fsys := range map[string]disk.FS{"memory": disktest.NewMemory(), "disk": disk.OS()} {
		dir := filepath.Join(t.TempDir(), "new", "data")
		first, second := Open(dir, fsys), Open(dir, fsys)
		w, err := first.TryLock("rookhaven index notes")
		want(t, name, err, "")
		g := published(t, w, "d1", part{"a", ""})
		_, err = second.TryLock("another")
		want(t, name+": a second writer", err, abi.DataLocked)
		for _, part := range []string{filepath.Join(dir, "lock"), `"rookhaven index notes"`, fmt.Sprintf("process %d", os.Getpid()), "since"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v does not say %s", name, err, part)
			}
		}
		now, _, err := second.Current()
		if want(t, name+": a reader", err, ""); now.Digest != g.Digest {
			t.Errorf("%s: a reader sees %v", name, now)
		}
		want(t, name, w.Close(), "")
		want(t, name+": Close again", w.Close(), "")
		_, err = w.AddSegment(nil)
		want(t, name+": AddSegment after Close", err, abi.StorageFailed)
		w2 := locked(t, second)
		if told := w2.Recovered(); len(told) > 0 {
			t.Errorf("%s: after a clean end: %v", name, told)
		}
		published(t, w2, "d2", part{"a", ""})
	}
}

// Lock waits for its turn, and no longer than the context allows.
func TestLockWaits(t *testing.T) {
	s := Open("/data", disktest.NewMemory())
	w := locked(t, s)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := s.Lock(ended, "impatient")
	want(t, "Lock", err, abi.DataLocked)
	got := make(chan error)
	go func() {
		w, err := s.Lock(context.Background(), "patient")
		if err == nil {
			err = w.Close()
		}
		got <- err
	}()
	want(t, "Close", w.Close(), "")
	want(t, "Lock", <-got, "")
}

// The lock of a process that was killed is free at once, and who that was is told.
// A process that lives, whatever its number, is not taken for the holder.
func TestStaleLock(t *testing.T) {
	dir := t.TempDir()
	c := start(t, "hold", dir)
	if !c.out.Scan() || c.out.Text() != "held" {
		t.Fatalf("the child says %q", c.out.Text())
	}
	s := Open(dir, disk.OS())
	_, err := s.TryLock("the parent")
	want(t, "TryLock", err, abi.DataLocked)
	if who := fmt.Sprintf("%q (process %d", "a child that holds", c.Process.Pid); !strings.Contains(err.Error(), who) {
		t.Errorf("%v, want %s", err, who)
	}
	c.kill(t)
	began := time.Now()
	w := locked(t, s)
	if told := strings.Join(w.Recovered(), "\n"); !strings.Contains(told, "a child that holds") || time.Since(began) > time.Second {
		t.Errorf("after %v: %s", time.Since(began), told)
	}
	want(t, "Close", w.Close(), "")

	for _, content := range []string{
		fmt.Sprintf(`{"command":"x","host":"y","pid":%d,"started":"z"}`, os.Getppid()),
		"{", "4711", "\x00\xff", `{"command":"\u001b[31m","host":"","pid":-1,"started":""}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, "lock"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		w := locked(t, s)
		if told := w.Recovered(); len(told) != 1 || strings.ContainsAny(told[0], "\x00\x1b") {
			t.Errorf("over %q: %q", content, told)
		}
		want(t, "Close", w.Close(), "")
	}
}

// Whose lock file was taken away writes no more, since another may.
func TestLockTaken(t *testing.T) {
	m := disktest.NewMemory()
	w := locked(t, Open("/data", m))
	published(t, w, "d1", part{"a", ""})
	m.Delete("/data/lock")
	other := locked(t, Open("/data", m))
	_, err := publish(w, "d2", part{"b", ""})
	want(t, "Publish", err, abi.StorageFailed)
	_, err = w.Prune(0, 0, timeOf(9))
	want(t, "Prune", err, abi.StorageFailed)
	published(t, other, "d2", part{"b", ""})
}

// What cannot be written is an error that names the path, and reading goes on.
func TestReadOnly(t *testing.T) {
	m := disktest.NewMemory()
	w := locked(t, Open("/data", m))
	published(t, w, "d1", part{"a", ""})
	want(t, "Close", w.Close(), "")
	for _, path := range []string{"/data/lock"} {
		m.Delete(path)
		if err := m.Mkdir(path); err != nil {
			t.Fatal(err)
		}
		_, err := Open("/data", m).TryLock("x")
		want(t, path, err, abi.StorageFailed)
		if !strings.Contains(err.Error(), path) {
			t.Errorf("%v does not name %s", err, path)
		}
		_, _, err = Open("/data", m).Current()
		want(t, "Current", err, "")
	}
}
