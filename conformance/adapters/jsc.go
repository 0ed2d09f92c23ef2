package adapters

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/rookhaven-project/rookhaven/conformance/call"
)

// jsc is the shell of JavaScriptCore, as Debian ships it.
func jsc(ctx context.Context, e *Env) (Session, error) {
	found, _ := filepath.Glob("/usr/lib/*/webkit2gtk-4.*/jsc")
	gtk, _ := filepath.Glob("/usr/lib/*/javascriptcoregtk-4.*/jsc")
	program, err := look("jsc", append(append([]string{"jsc"}, found...), gtk...)...)
	if err != nil {
		return nil, err
	}
	dir, path := script(e, "jsc.mjs")
	return batch(func(cases []byte) (*bufio.Reader, error) {
		in, err := os.CreateTemp(e.Cache, "cases-*")
		if err != nil {
			return nil, err
		}
		defer os.Remove(in.Name())
		if _, err := in.Write(cases); err != nil {
			return nil, err
		}
		if err := in.Close(); err != nil {
			return nil, err
		}
		cmd := exec.CommandContext(ctx, program, "-m", path, "--", e.Engine, in.Name())
		cmd.Dir = dir
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("jsc: %w\n%s\n%.2000s", err, stderr.String(), out)
		}
		var results []byte
		for line := range bytes.Lines(out) {
			if results, err = hex.AppendDecode(results, bytes.TrimSpace(line)); err != nil {
				return nil, fmt.Errorf("jsc: %w\n%.2000s", err, line)
			}
		}
		return bufio.NewReader(bytes.NewReader(results)), nil
	}), nil
}

// A batch is a session of a runtime that takes all cases at once and answers
// afterwards: their stream in, the stream of results out.
type batch func(cases []byte) (*bufio.Reader, error)

func (b batch) Run(cases []call.Case, yield func(int, []call.Result) error) error {
	var in []byte
	for _, c := range cases {
		in = call.AppendCase(in, c)
	}
	out, err := b(in)
	if err != nil {
		return err
	}
	for i := range cases {
		results, err := call.ReadResults(out)
		if err != nil {
			return fmt.Errorf("no result for case %d: %w", i, err)
		}
		if err := yield(i, results); err != nil {
			return err
		}
	}
	return nil
}

func (b batch) Close() error { return nil }

// there returns an Absent error unless a file is there.
func there(what, path string) error {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return Absent{what}
	} else if err != nil {
		return err
	}
	return nil
}
