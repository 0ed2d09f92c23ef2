package main

import (
	"bufio"
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// The tests here run the command itself, over real pipes.
var (
	binary   string // as it is shipped
	provoked string // one that panics when a query asks for it
	cache    string // of compiled engines, for all tests
)

func TestMain(m *testing.M) {
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "rookhaven")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	binary, provoked, cache = filepath.Join(dir, "rookhaven"), filepath.Join(dir, "provoked"), filepath.Join(dir, "cache")
	for _, args := range [][]string{{"-o", binary, "."}, {"-tags", "provoke", "-o", provoked, "."}} {
		build := exec.Command("go", append([]string{"build"}, args...)...)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
			return 1
		}
	}
	return m.Run()
}

// needEngine skips a test on a tree whose engine is not built.
func needEngine(t *testing.T) {
	t.Helper()
	if _, _, ok := artifact.Built(); !ok {
		t.Skip("the engine is not built: run make build")
	}
}

// A machine is where a test runs the command: a home of its own, and a folder
// that it runs in.
type machine struct {
	t      *testing.T
	home   string
	dir    string
	env    []string // NAME=value
	binary string
}

func newMachine(t *testing.T, env ...string) *machine {
	t.Helper()
	home := t.TempDir()
	return &machine{t: t, home: home, dir: t.TempDir(), binary: binary, env: append([]string{"HOME=" + home, "ROOKHAVEN_CACHE_DIR=" + cache, "ROOKHAVEN_MODEL=none", "PATH=" + os.Getenv("PATH")}, env...)}
}

func (m *machine) command(args ...string) *exec.Cmd {
	cmd := exec.Command(m.binary, args...)
	cmd.Dir, cmd.Env = m.dir, m.env
	return cmd
}

// A result is what a run of the command left.
type result struct {
	out, err string
	code     int
}

// run runs the command to its end.
func (m *machine) run(stdin string, args ...string) result {
	m.t.Helper()
	cmd := m.command(args...)
	var out, err bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &err
	failure := cmd.Run()
	var exit *exec.ExitError
	if failure != nil && !errors.As(failure, &exit) {
		m.t.Fatal(failure)
	}
	return result{out.String(), err.String(), cmd.ProcessState.ExitCode()}
}

// file writes a file into the machine's folder and returns its path.
func (m *machine) file(name, content string) string {
	m.t.Helper()
	path := filepath.Join(m.dir, name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		m.t.Fatal(err)
	}
	return path
}

// replace puts a file in the place of another, whole.
func (m *machine) replace(path, content string) {
	m.t.Helper()
	if err := os.WriteFile(path+".new", []byte(content), 0o644); err != nil {
		m.t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		m.t.Fatal(err)
	}
}

// An object is a JSON object as a client sees it.
type object = map[string]any

// at goes down an object by names and indexes.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(object)
			v = m[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				return nil
			}
			v = list[step]
		}
	}
	return v
}

// answers parses each line of stdout, which must be JSON-RPC, and returns them by
// their ids.
func answers(t *testing.T, stdout string) map[string]object {
	t.Helper()
	byID := map[string]object{}
	for line := range strings.Lines(stdout) {
		m := parse(t, line)
		byID[fmt.Sprint(m["id"])] = m
	}
	return byID
}

func parse(t *testing.T, line string) object {
	t.Helper()
	var m object
	if err := stdjson.Unmarshal([]byte(line), &m); err != nil || m["jsonrpc"] != "2.0" {
		t.Fatalf("a line on stdout that is no JSON-RPC: %q: %v", line, err)
	}
	return m
}

// logLines checks that stderr is JSON lines, and returns them by msg.
func logLines(t *testing.T, stderr string) map[string]object {
	t.Helper()
	byMsg := map[string]object{}
	for line := range strings.Lines(stderr) {
		var m object
		if err := stdjson.Unmarshal([]byte(line), &m); err != nil {
			t.Errorf("a line on stderr that is no JSON: %q", line)
			continue
		}
		if m["time"] == nil || m["level"] == nil || m["msg"] == nil {
			t.Errorf("a log line without time, level or msg: %s", line)
		}
		byMsg[fmt.Sprint(m["msg"])] = m
	}
	return byMsg
}

// A session is a server with a client that talks to it.
type session struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *buffer
	next   int
}

// A buffer is written by one goroutine while others read it.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// serve starts rookhaven mcp and greets it.
func (m *machine) serve(args ...string) *session {
	m.t.Helper()
	s := m.open(args...)
	s.request("initialize", object{"protocolVersion": "2025-11-25", "capabilities": object{}, "clientInfo": object{"name": "test", "version": "1"}})
	s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s
}

func (m *machine) open(args ...string) *session {
	m.t.Helper()
	s := &session{t: m.t, cmd: m.command(append([]string{"mcp"}, args...)...), stderr: &buffer{}}
	s.cmd.Stderr = s.stderr
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		m.t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() {
		s.in.Close()
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	})
	return s
}

func (s *session) send(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatalf("%v\n%s", err, s.stderr)
	}
}

func (s *session) receive() object {
	s.t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		s.t.Fatalf("%v\n%s", err, s.stderr)
	}
	return parse(s.t, line)
}

// request sends a request and waits for its answer.
func (s *session) request(method string, params any) object {
	s.t.Helper()
	s.next++
	line, err := stdjson.Marshal(object{"jsonrpc": "2.0", "id": s.next, "method": method, "params": params})
	if err != nil {
		s.t.Fatal(err)
	}
	s.send(string(line))
	for {
		m := s.receive()
		if m["id"] == float64(s.next) {
			return m
		}
		s.t.Errorf("an answer to something else: %v", m)
	}
}

// call calls a tool, and returns the text of its result and whether it is an error.
func (s *session) call(tool string, arguments any) (text string, failed bool) {
	s.t.Helper()
	m := s.request("tools/call", object{"name": tool, "arguments": arguments})
	text, ok := at(m, "result", "content", 0, "text").(string)
	if !ok {
		s.t.Fatalf("a result without text: %v", m)
	}
	failed, _ = at(m, "result", "isError").(bool)
	return text, failed
}

// retrieve asks for a reply, which must come.
func (s *session) retrieve(query string) object {
	s.t.Helper()
	text, failed := s.call("retrieve", object{"query": query})
	if failed {
		s.t.Fatalf("retrieve %q: %s", query, text)
	}
	return decode(s.t, text)
}

func decode(t *testing.T, text string) object {
	t.Helper()
	var m object
	if err := stdjson.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return m
}

// end closes the server's input and returns its exit code and how long it took.
func (s *session) end() (code int, took time.Duration) {
	s.t.Helper()
	start := time.Now()
	s.in.Close()
	_, _ = io.Copy(io.Discard, s.out)
	_ = s.cmd.Wait() // the exit code tells
	return s.cmd.ProcessState.ExitCode(), time.Since(start)
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatal(what)
}

const smallCorpus = `[{"id":"d1","text":"crane maintenance for berth 7"},{"id":"d2","text":"tide windows"}]`
