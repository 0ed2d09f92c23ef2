package peer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
)

// lines is an engine for tests: it finds documents that hold the query, and
// writes them to a file.
type lines struct{ documents []ir.Document }

func (l *lines) Build(documents []ir.Document, folder string) (int64, error) {
	if len(documents) == 0 {
		return 0, errors.New("nothing to index")
	}
	l.documents = documents
	content := fmt.Sprint(documents)
	return int64(len(content)), os.WriteFile(filepath.Join(folder, "index"), []byte(content), 0o644)
}

func (l *lines) Query(text string, k int) ([]string, error) {
	switch text {
	case "stop":
		os.Exit(3)
	case "sleep":
		select {}
	}
	var ids []string
	for _, d := range l.documents {
		if strings.Contains(d.Whole(), text) && len(ids) < k {
			ids = append(ids, d.ID)
		}
	}
	return ids, nil
}

// The test binary is the peer when it is told so.
func TestMain(m *testing.M) {
	if os.Getenv("ROOKHAVEN_TEST_PEER") != "" {
		if err := Serve(&lines{}, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func start(t *testing.T) *Process {
	t.Helper()
	t.Setenv("ROOKHAVEN_TEST_PEER", "1")
	p, err := Peer{Name: "lines", Command: []string{os.Args[0]}}.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	return p
}

func corpus(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "corpus.jsonl")
	content := `{"id":"1","title":"Rook","text":"a bird"}` + "\n" + `{"id":"2","text":"a tower"}` + "\n"
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestProcess(t *testing.T) {
	p := start(t)
	if n, err := p.Read(corpus(t)); n != 2 || err != nil {
		t.Fatalf("Read = %d, %v", n, err)
	}
	b, err := p.Build()
	if err != nil || b.Wall <= 0 || b.Bytes == 0 {
		t.Fatalf("Build = %+v, %v", b, err)
	}
	if _, err := os.Stat(filepath.Join(p.folder, "index")); err != nil {
		t.Error(err)
	}
	for query, want := range map[string][]string{"a ": {"1", "2"}, "Rook\na": {"1"}, "x": nil} {
		ids, took, err := p.Query(query, 10)
		if !slices.Equal(ids, want) || took <= 0 || err != nil {
			t.Errorf("Query(%q) = %q in %v, %v; want %q", query, ids, took, err, want)
		}
	}
	if ids, _, err := p.Query("a ", 1); len(ids) != 1 || err != nil {
		t.Errorf("one of two: %q, %v", ids, err)
	}
	p.Stop()
	if _, err := os.Stat(p.folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestAnErrorIsAnAnswer(t *testing.T) {
	p := start(t)
	if _, err := p.Build(); err == nil || err.Error() != "lines: build: nothing to index" {
		t.Errorf("Build of nothing: %v", err)
	}
	if _, err := p.Read("absent"); err == nil {
		t.Error("Read of no file succeeds")
	}
	if n, err := p.Read(corpus(t)); n != 2 || err != nil {
		t.Errorf("and then Read = %d, %v", n, err)
	}
}

func TestAPeerThatEnds(t *testing.T) {
	p := start(t)
	if _, _, err := p.Query("stop", 1); !errors.Is(err, io.EOF) {
		t.Errorf("its last answer: %v", err)
	}
	if _, _, err := p.Query("x", 1); err == nil {
		t.Error("it answers after its end")
	}
}

func TestAPeerThatHangs(t *testing.T) {
	p := start(t)
	p.Limit = 50 * time.Millisecond
	if _, _, err := p.Query("sleep", 1); err == nil {
		t.Error("it answers")
	}
}

func TestAbsentPeers(t *testing.T) {
	for _, p := range List(t.TempDir()) {
		if p.Absent == "" {
			t.Errorf("%s is there in an empty folder", p.Name)
		}
		if _, err := p.Start(); err == nil || !strings.Contains(err.Error(), p.Absent) {
			t.Errorf("Start of %s: %v", p.Name, err)
		}
	}
	named := Named([]Peer{{Name: "a"}, {Name: "b"}}, "b", "c")
	if len(named) != 2 || named[0].Name != "b" || named[0].Absent != "" || named[1].Name != "c" || named[1].Absent == "" {
		t.Errorf("Named = %+v", named)
	}
}

// The protocol's bytes are what its comment shows.
func TestServe(t *testing.T) {
	in := fmt.Sprintf(`{"op":"read","path":%q}
{"op":"build","folder":%q}
{"op":"query","q":"bird","k":10}
{"op":"dance"}
`, corpus(t), t.TempDir())
	var out bytes.Buffer
	if err := Serve(&lines{}, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	want := []string{`{"count":2}`, `{"bytes":`, `{"ids":["1"],"ns":`, `{"error":"no op \"dance\""}`}
	scan := bufio.NewScanner(&out)
	for _, prefix := range want {
		if !scan.Scan() || !strings.HasPrefix(scan.Text(), prefix) {
			t.Errorf("reply %q, want %q", scan.Text(), prefix)
		}
	}
	if err := Serve(&lines{}, strings.NewReader("{"), &out); err == nil {
		t.Error("half a request is served")
	}
}

func TestUsage(t *testing.T) {
	stat := "77 (a name) with) spaces) S 1 77 77 0 -1 4194560 1 0 0 0 150 25 0 0 20 0 1"
	if got := processorTime(stat); got != 1750*time.Millisecond {
		t.Errorf("processorTime = %v", got)
	}
	if got := statusBytes("VmHWM:\t  2048 kB\nVmRSS:\t  1024 kB\n", "VmRSS"); got != 1<<20 {
		t.Errorf("statusBytes = %d", got)
	}
	for _, text := range []string{"", "77 (x)", "VmRSS:", "VmRSS:\tmany"} {
		if processorTime(text) != 0 {
			t.Errorf("processorTime(%q) is not 0", text)
		}
		_ = statusBytes(text, "VmRSS")
	}
}
