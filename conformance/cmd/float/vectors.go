package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/runner/native"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// A maker turns texts into vectors of any length.
type maker interface {
	// name is the digest of what decides the vectors.
	name() (string, error)
	what() string
	vectors(ctx context.Context, texts []string) ([][]int, error)
}

// kept returns the vectors of texts at length 1. Those of the cache are taken if a few that are
// made anew are the same: what makes them may have changed.
func kept(ctx context.Context, cache string, m maker, what string, texts []string) ([][]float64, error) {
	of, err := m.name()
	if err != nil {
		return nil, err
	}
	content, err := json.Marshal(texts)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(cache, fmt.Sprintf("%x.jsonl", sha256.Sum256(append([]byte(of+"\n"), content...))))
	few, err := m.vectors(ctx, spread(texts, 3))
	if err != nil {
		return nil, err
	}
	list, err := read(file)
	if err != nil || len(list) != len(texts) || !reflect.DeepEqual(spread(list, 3), few) {
		fmt.Fprintf(os.Stderr, "making %s of %s into %s\n", m.what(), what, file)
		if list, err = inParts(texts, func(part []string) ([][]int, error) { return m.vectors(ctx, part) }); err != nil {
			return nil, err
		}
		if err := write(file, list); err != nil {
			return nil, err
		}
	}
	units := make([][]float64, len(list))
	for i, v := range list {
		units[i] = unit(v)
	}
	return units, nil
}

// unit returns a vector at length 1.
func unit(v []int) []float64 {
	u, squares := make([]float64, len(v)), 0.0
	for _, n := range v {
		squares += float64(n * n)
	}
	for i, n := range v {
		u[i] = float64(n) / math.Sqrt(squares)
	}
	return u
}

func write(file string, list [][]int) error {
	var b bytes.Buffer
	for _, v := range list {
		if err := json.NewEncoder(&b).Encode(v); err != nil {
			return err
		}
	}
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file+".new", b.Bytes(), 0o644), os.Rename(file+".new", file))
}

func read(file string) ([][]int, error) {
	b, err := os.ReadFile(file)
	var list [][]int
	for d := json.NewDecoder(bytes.NewReader(b)); err == nil; {
		var v []int
		if err = d.Decode(&v); err == nil {
			list = append(list, v)
		}
	}
	if errors.Is(err, io.EOF) {
		return list, nil
	}
	return nil, err
}

// inParts makes vectors on every core: each takes what is left over of the number of cores.
func inParts(texts []string, of func(part []string) ([][]int, error)) ([][]int, error) {
	n := runtime.GOMAXPROCS(0)
	list, errs := make([][]int, len(texts)), make([]error, n)
	var all sync.WaitGroup
	for core := range n {
		all.Go(func() {
			var part []string
			for i := core; i < len(texts); i += n {
				part = append(part, texts[i])
			}
			vectors, err := of(part)
			errs[core] = err
			for j, v := range vectors {
				list[core+j*n] = v
			}
		})
	}
	all.Wait()
	return list, errors.Join(errs...)
}

// integers are those of a model.
type integers struct{ model []byte }

func (integers) what() string { return "integers" }

func (m integers) name() (string, error) { return artifact.Digest(m.model), nil }

func (m integers) vectors(ctx context.Context, texts []string) ([][]int, error) {
	i, err := native.Open().Instance(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = i.Close(ctx) }()
	if _, err := pool.OpenModel(ctx, i, m.model); err != nil {
		return nil, err
	}
	list := make([][]int, len(texts))
	for n, text := range texts {
		q := abi.EmbedRequest{Texts: []string{text}}
		out, err := i.Call(ctx, abi.Embed, q.Append(nil))
		if err != nil {
			return nil, err
		}
		reply, err := abi.ReadEmbedReply(out)
		if err != nil {
			return nil, err
		}
		for _, c := range reply.Vectors[0] {
			list[n] = append(list[n], int(c))
		}
	}
	return list, nil
}

// floats are those of a program in Python, read in the windows that the integers are.
type floats struct {
	file    string // what decides them, beside the command
	command []string
}

func (floats) what() string { return "floats" }

func (f floats) name() (string, error) {
	b, err := os.ReadFile(f.file)
	if err != nil {
		return "", fmt.Errorf("%w: run conformance/peers/setup.sh onnx", err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(b)), nil
}

func (f floats) vectors(ctx context.Context, texts []string) ([][]int, error) {
	var in, stderr bytes.Buffer
	for _, text := range texts {
		if err := json.NewEncoder(&in).Encode(map[string]string{"text": text}); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, ".cache/peers/onnx/bin/python", f.command...)
	cmd.Stdin, cmd.Stderr = &in, &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", cmd, err, strings.TrimSpace(stderr.String()))
	}
	var list [][]int
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Buffer(nil, 1<<24); lines.Scan(); {
		var v struct{ Vector []int }
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, err
		}
		list = append(list, v.Vector)
	}
	return list, lines.Err()
}
