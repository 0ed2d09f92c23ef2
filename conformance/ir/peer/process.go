package peer

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A Process is a peer that runs.
type Process struct {
	Name  string
	Limit time.Duration // of one request; then the process is ended

	cmd     *exec.Cmd
	in      io.WriteCloser
	replies *json.Decoder
	errors  *tail
	folder  string
}

// Start starts a peer. Its requests are limited to ten minutes each.
func (p Peer) Start() (*Process, error) {
	if p.Absent != "" {
		return nil, errors.New(p.Absent)
	}
	folder, err := os.MkdirTemp("", "rookhaven-peer-")
	if err != nil {
		return nil, err
	}
	run := &Process{Name: p.Name, Limit: 10 * time.Minute, cmd: exec.Command(p.Command[0], p.Command[1:]...), errors: &tail{}, folder: folder}
	run.cmd.Stderr = run.errors
	if run.in, err = run.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := run.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	run.replies = json.NewDecoder(bufio.NewReader(out))
	if err := run.cmd.Start(); err != nil {
		os.RemoveAll(folder)
		return nil, err
	}
	return run, nil
}

// Read lets the peer read documents and returns their number.
func (p *Process) Read(path string) (int, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return 0, err
	}
	reply, err := p.ask(Request{Op: "read", Path: path})
	return reply.Count, err
}

// A Build is what indexing took and gave.
type Build struct {
	Wall, CPU time.Duration
	Bytes     int64
	Peak      int64 // resident bytes at most so far, the documents included
}

// Build lets the peer index what it has read.
func (p *Process) Build() (Build, error) {
	before := p.Usage()
	reply, err := p.ask(Request{Op: "build", Folder: p.folder})
	after := p.Usage()
	return Build{time.Duration(reply.NS), after.CPU - before.CPU, reply.Bytes, after.Peak}, err
}

// Query asks the peer and returns the ids and the time it took inside.
func (p *Process) Query(text string, k int) ([]string, time.Duration, error) {
	reply, err := p.ask(Request{Op: "query", Query: text, K: k})
	return reply.IDs, time.Duration(reply.NS), err
}

// Stop ends the peer and removes its index.
func (p *Process) Stop() {
	_ = p.in.Close()
	end := time.AfterFunc(5*time.Second, func() { _ = p.cmd.Process.Kill() })
	_ = p.cmd.Wait()
	end.Stop()
	os.RemoveAll(p.folder)
}

func (p *Process) ask(r Request) (Reply, error) {
	late := time.AfterFunc(p.Limit, func() { _ = p.cmd.Process.Kill() })
	var reply Reply
	err := json.NewEncoder(p.in).Encode(r)
	if err == nil {
		err = p.replies.Decode(&reply)
	}
	switch intime := late.Stop(); {
	case !intime:
		return reply, fmt.Errorf("%s: %s took more than %v", p.Name, r.Op, p.Limit)
	case err != nil:
		return reply, fmt.Errorf("%s: %s: ended: %w: %s", p.Name, r.Op, err, p.errors)
	case reply.Error != "":
		return reply, fmt.Errorf("%s: %s: %w", p.Name, r.Op, errors.New(reply.Error))
	}
	return reply, nil
}

// A tail keeps the end of what was written to it.
type tail struct {
	mutex sync.Mutex
	kept  []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.kept = append(t.kept, b...)
	t.kept = t.kept[max(0, len(t.kept)-2000):]
	return len(b), nil
}

func (t *tail) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return strings.TrimSpace(string(t.kept))
}
