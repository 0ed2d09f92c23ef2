package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
)

func TestOS(t *testing.T) {
	disktest.Run(t, func(t *testing.T) (disk.FS, string) { return disk.OS(), t.TempDir() })
}

func TestMemory(t *testing.T) {
	disktest.Run(t, func(t *testing.T) (disk.FS, string) { return disktest.NewMemory(), "/" })
}

// A Faulty whose fault never comes is the file system below it.
func TestFaulty(t *testing.T) {
	disktest.Run(t, func(t *testing.T) (disk.FS, string) {
		return disktest.NewFaulty(disktest.NewMemory(), disktest.Fault{}), "/"
	})
}

// Replace leaves the old content or the new one, whichever call fails, and says
// which: the new one only where it returned nil or a SyncDirError, or where the
// system renamed and told of a failure.
func TestReplaceFails(t *testing.T) {
	for _, late := range []bool{false, true} {
		for at := 1; ; at++ {
			m := disktest.NewMemory()
			if err := disk.Replace(m, "/f", []byte("old")); err != nil {
				t.Fatal(err)
			}
			fault := disktest.NewFaulty(m, disktest.Fault{At: at, Err: fs.ErrPermission, Late: late})
			err := disk.Replace(fault, "/f", []byte("new"))
			call, hit := fault.Hit()
			if !hit {
				break
			}
			var unsynced *disk.SyncDirError
			want := map[string]string{"/f": "old"}
			if errors.As(err, &unsynced) || call == "rename /f" && late {
				want["/f"] = "new"
			}
			if got := m.Files(); err == nil || len(got) != 1 || got["/f"] != want["/f"] {
				t.Errorf("%s fails (late: %v): %v, and there is %q", call, late, err, got)
			}
		}
	}
}

// Replace leaves the old content or the new one, at whichever call the power goes;
// the new one, once it has returned.
func TestReplaceCrashes(t *testing.T) {
	content := make([]byte, 3000)
	for i := range content {
		content[i] = byte(i%250 + 1)
	}
	seen := map[string]int{}
	for seed := range uint64(200) {
		for at := 1; ; at++ {
			m := disktest.NewMemory()
			if err := disk.Replace(m, "/f", []byte("old")); err != nil {
				t.Fatal(err)
			}
			m.CrashAt(at, seed)
			err := disk.Replace(m, "/f", content)
			got := m.Restart(seed).Files()["/f"]
			if got != string(content) && (got != "old" || err == nil) {
				t.Fatalf("seed %d, call %d: %v, and there is %q", seed, at, err, got)
			}
			if !m.Crashed() {
				break
			}
			seen[got]++
		}
	}
	if len(seen) != 2 {
		t.Errorf("%d outcomes were seen, want both", len(seen))
	}
}

// The simulated disk is one that loses things: without the syncs of Replace, other
// contents are seen. So the tests above test something.
func TestMemoryLoses(t *testing.T) {
	outcomes := map[string]bool{}
	for seed := range uint64(200) {
		m := disktest.NewMemory()
		if err := disk.Replace(m, "/f", []byte("old")); err != nil {
			t.Fatal(err)
		}
		f, err := m.Create("/g")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.Write(make([]byte, 1000))
		_ = m.Rename("/g", "/f")
		got, there := m.Restart(seed).Files()["/f"]
		switch {
		case !there:
			outcomes["absent"] = true
		case got == "old":
			outcomes["old"] = true
		case got == "":
			outcomes["empty"] = true
		case len(got) == 1000:
			outcomes["new"] = true
		default:
			outcomes["torn"] = true
		}
	}
	for _, want := range []string{"old", "empty", "new", "torn"} {
		if !outcomes[want] {
			t.Errorf("no crash gave %s: %v", want, outcomes)
		}
	}
	if outcomes["absent"] {
		t.Error("a rename took the old file away and put no new one there")
	}
}

// What a store makes is open to its user alone, also where something else was.
func TestRights(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are inherited there")
	}
	dir := t.TempDir()
	folder, file, victim := filepath.Join(dir, "folder"), filepath.Join(dir, "folder", "file"), filepath.Join(dir, "victim")
	if err := errors.Join(disk.OS().Mkdir(folder), os.WriteFile(victim, []byte("mine"), 0o644), os.Symlink(victim, file+disk.Suffix)); err != nil {
		t.Fatal(err)
	}
	if err := disk.Replace(disk.OS(), file, []byte("new")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{folder, file} {
		if info, err := os.Lstat(path); err != nil || info.Mode().Perm()&0o077 != 0 || info.Mode()&os.ModeSymlink != 0 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if got, _ := os.ReadFile(victim); string(got) != "mine" {
		t.Errorf("a link was followed: %q", got)
	}
}
