package adapters

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/conformance/call"
)

// A process speaks the stream on its standard input and output.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// launch starts a program that serves the stream.
func launch(ctx context.Context, dir string, env []string, program string, args ...string) (Session, error) {
	p := &process{cmd: exec.CommandContext(ctx, program, args...)}
	p.cmd.Dir = dir
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = &p.stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(out, 1<<16)
	return p, p.cmd.Start()
}

func (p *process) Run(cases []call.Case, yield func(int, []call.Result) error) error {
	wrote := make(chan error, 1)
	go func() {
		w := bufio.NewWriterSize(p.in, 1<<16)
		for _, c := range cases {
			if _, err := w.Write(call.AppendCase(nil, c)); err != nil {
				wrote <- err
				return
			}
		}
		wrote <- w.Flush()
	}()
	for i := range cases {
		results, err := call.ReadResults(p.out)
		if err != nil {
			return p.died(i, err)
		}
		if err := yield(i, results); err != nil {
			_ = p.cmd.Process.Kill()
			<-wrote //nolint:errcheck // it ends with the process
			return err
		}
	}
	return <-wrote
}

func (p *process) died(i int, err error) error {
	time.AfterFunc(time.Second, func() { _ = p.cmd.Process.Kill() })
	_ = p.cmd.Wait()
	said := strings.TrimSpace(p.stderr.String())
	if len(said) > 2000 {
		said = said[len(said)-2000:]
	}
	return fmt.Errorf("%s gave no result for its case %d: %w (%s)\n%s", filepath.Base(p.cmd.Path), i, err, p.cmd.ProcessState, said)
}

func (p *process) Close() error {
	p.in.Close()
	_, _ = io.Copy(io.Discard, p.out)
	if err := p.cmd.Wait(); err != nil && p.cmd.ProcessState.ExitCode() > 0 {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(p.cmd.Path), err, p.stderr.String())
	}
	return nil
}

// look returns the first program that is there: a name in PATH or a file.
func look(what string, candidates ...string) (string, error) {
	for _, c := range candidates {
		if path, err := exec.LookPath(c); err == nil {
			return path, nil
		}
	}
	return "", Absent{what}
}

// build builds a program of this repository into the cache.
func build(ctx context.Context, e *Env, name string, env []string, args ...string) (string, error) {
	path := filepath.Join(e.Cache, name)
	cmd := exec.CommandContext(ctx, "go", append([]string{"build", "-o", path}, args...)...)
	cmd.Dir = e.Root
	cmd.Env = append(os.Environ(), env...)
	return path, compiled(cmd)
}

// compiled runs a compiler; what it says is the error.
func compiled(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}
