package index

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
)

// The test binary runs itself as a process that publishes without end, or that holds the
// lock, in the folder named by this variable.
const (
	childFolder = "INDEX_TEST_FOLDER"
	childTask   = "INDEX_TEST_TASK"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childFolder); dir != "" {
		tasks[os.Getenv(childTask)](Open(dir, disk.OS()))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var tasks = map[string]func(*Store){"publish": publishWithoutEnd, "hold": holdTheLock}

// publishWithoutEnd prints the number of each generation when it was published.
func publishWithoutEnd(s *Store) {
	w, err := s.TryLock("a child that publishes")
	fatal(err)
	for {
		n := w.Head().Number + 1
		_, err := publish(w, documentsOf(n), part{segmentOf(n), ""}, part{"shared", tombstonesOf(n)})
		fatal(err)
		fmt.Println(n)
		if n%3 == 0 {
			_, err := w.Prune(2, 0, timeOf(n))
			fatal(err)
		}
	}
}

func holdTheLock(s *Store) {
	_, err := s.TryLock("a child that holds")
	fatal(err)
	fmt.Println("held")
	_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed, or its parent is gone
}

func fatal(err error) {
	if err != nil {
		fmt.Println("FAILED", err)
		os.Exit(1)
	}
}

func segmentOf(n int64) string    { return fmt.Sprintf("segment-%d", n) }
func documentsOf(n int64) string  { return fmt.Sprintf("documents-%d", n) }
func tombstonesOf(n int64) string { return fmt.Sprintf("tombstones-%d", n) }

// A child is this test binary at another task.
type child struct {
	*exec.Cmd
	out *bufio.Scanner
}

func start(t testing.TB, task, dir string) child {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childFolder+"="+dir, childTask+"="+task)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	return child{c, bufio.NewScanner(out)}
}

// kill ends the child and returns the last line that it wrote.
func (c child) kill(t testing.TB) (last string) {
	t.Helper()
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for c.out.Scan() {
		last = c.out.Text()
	}
	_ = c.Wait()
	if strings.HasPrefix(last, "FAILED") {
		t.Fatal(last)
	}
	return last
}

// A process that publishes is killed at random moments, and each time the old
// generation is there as a whole or the new one; the lock is free at once.
func TestKilled(t *testing.T) {
	moments := 50
	if testing.Short() {
		moments = 10
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	dir, acked := t.TempDir(), int64(0)
	for i := range moments {
		c := start(t, "publish", dir)
		if c.out.Scan() { // its first generation, so that it is at work
			acked = number(t, c.out.Text())
		}
		time.Sleep(time.Duration(r.IntN(60_000)) * time.Microsecond)
		if last := c.kill(t); last != "" {
			acked = number(t, last)
		}
		s := Open(dir, disk.OS())
		g, recovered, err := s.Current()
		want(t, "Current", err, "")
		if g.Number != acked && g.Number != acked+1 || recovered != "" {
			t.Fatalf("moment %d: generation %d is current (%s), %d was acknowledged", i, g.Number, recovered, acked)
		}
		report, err := s.Check(context.Background())
		want(t, "Check", err, "")
		for _, p := range report.Problems {
			if p.Kind.Harm() {
				t.Fatalf("moment %d: %v", i, p)
			}
		}
		began := time.Now()
		w, err := s.TryLock("the parent")
		want(t, "TryLock", err, "")
		if took := time.Since(began); took > time.Second {
			t.Errorf("moment %d: the lock was free after %v", i, took)
		}
		_, err = w.Prune(2, 0, timeOf(w.Head().Number))
		want(t, "Prune", err, "")
		want(t, "Close", w.Close(), "")
		if report, err = s.Check(context.Background()); err != nil || len(report.Problems) > 0 || report.Generations > 2 || report.Segments != report.Generations+1 {
			t.Fatalf("moment %d: after pruning: %+v, %v", i, report, err)
		}
		acked = report.Current.Number
	}
	t.Logf("%d generations were published", acked)
}

func number(t *testing.T, line string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		t.Fatal(line)
	}
	return n
}
