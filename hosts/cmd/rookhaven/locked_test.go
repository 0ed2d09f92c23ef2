//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// X57: while another process writes, a second one says so, and searches are answered.
func TestX57Locked(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	lock, err := os.OpenFile(filepath.Join(m.dir, "docs", ".rookhaven", "lock"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	m.tree(map[string]string{"docs/new.md": "new\n"})
	contains(t, "a second writer", m.must(10, "index", "docs").err, "DATA_LOCKED: ", "Wait for the process")
	m.must(0, "search", "--data", "docs", "tide")
	lock.Close()
	m.must(0, "index", "docs")
}
