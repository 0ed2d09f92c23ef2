package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// A peer is a process that answers lines of JSON.
type peer struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

func startPeer(program string, args ...string) (*peer, error) {
	p := &peer{cmd: exec.Command(program, args...)}
	p.cmd.Stderr = &p.stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, p.cmd.Start()
}

func (p *peer) end() {
	p.in.Close()
	_ = p.cmd.Wait()
}

func (p *peer) call(message, answer any) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, _ = p.in.Write(append(line, '\n')) // where it has died, so says its answer
	line, err = p.out.ReadBytes('\n')
	if err != nil {
		p.end()
		return fmt.Errorf("%s gave no answer: %w: %s", p.cmd.Args[0], err, lastLine(p.stderr.String()))
	}
	return json.Unmarshal(line, answer)
}

func lastLine(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	return lines[len(lines)-1]
}
