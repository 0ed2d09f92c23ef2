// Package call is what the suite asks of a runtime: cases of calls to the module,
// the results, and the bytes in which both travel to runtimes in other processes.
//
// A case is a sequence of steps on one instance. Only one thing in it depends on
// the instance, the number of a handle, so a step says which of the case's opened
// corpora it means and the runtime writes the number in: see [Step]. When a case
// ends, what it opened is closed, corpora and a model, so that an instance can serve
// any number.
//
// # The stream
//
// A runtime in another process reads cases from its standard input and writes the
// results of each to its standard output, in order, flushed after each. Numbers are
// little-endian. A frame is a u32, the number of bytes after it, and
//
//   - of a case, for each step: u8 export, u8 handle, u32 size, the input;
//   - of its results, for each step: u8 status, u32 size, the output.
//
// The end of the input ends the process.
package call

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Step is one call. With Handle n > 0, the input is `{"handle":h,` and Input,
// where h is the handle that the n-th successful open of the case returned, or 0
// if there was none, with spaces in front up to eight characters: failures name
// bytes by their place, which must not depend on how long the number is.
type Step struct {
	Export abi.Export
	Handle int
	Input  []byte
}

// A Case is a sequence of steps that begins without an open corpus or model.
type Case struct {
	Name  string
	Steps []Step
}

// A Status says what came of a step.
type Status byte

const (
	Reply   Status = iota // Output is the reply
	Failure               // Output is "CODE: sentence"
	Broken                // Output says how the instance died; the rest of the case is not run
)

// A Result is what came of a step.
type Result struct {
	Status Status
	Output []byte
}

// An Engine answers calls. An error that is not an [abi.Error] of the engine means
// that it takes no more calls.
type Engine interface {
	Call(export abi.Export, in []byte) ([]byte, error)
}

// Run runs a case. It reports whether the engine can take another.
func Run(e Engine, c Case) (results []Result, alive bool) {
	var handles []int64
	var closing []Step
	for _, s := range c.Steps {
		r := step(e, s, handles)
		results = append(results, r)
		if r.Status == Broken {
			return results, false
		}
		switch {
		case r.Status != Reply:
		case s.Export == abi.Open:
			h := handleOf(r.Output)
			handles = append(handles, h)
			closing = append(closing, Step{Export: abi.Close, Input: fmt.Appendf(nil, `{"handle":%d}`, h)})
		case s.Export == abi.OpenModel:
			closing = append(closing, Step{Export: abi.CloseModel})
		}
	}
	for _, s := range closing {
		if r := step(e, s, nil); r.Status == Broken {
			return append(results, r), false
		}
	}
	return results, true
}

func step(e Engine, s Step, handles []int64) Result {
	out, err := e.Call(s.Export, Input(s, handles))
	switch err.(type) { //nolint:errorlint // a wrapped one is a runner's, whose instance broke
	case nil:
		return Result{Reply, out}
	case *abi.Error:
		return Result{Failure, []byte(err.Error())}
	}
	return Result{Broken, []byte(err.Error())}
}

// Input returns the whole input of a step.
func Input(s Step, handles []int64) []byte {
	if s.Handle == 0 {
		return bytes.Clone(s.Input) // the input of open belongs to the module
	}
	h := int64(0)
	if s.Handle <= len(handles) {
		h = handles[s.Handle-1]
	}
	return append(fmt.Appendf(nil, `{"handle":%8d,`, h), s.Input...)
}

var handleName = []byte(`"handle":`)

// span returns where the handle in the reply of open stands.
func span(reply []byte) (from, to int) {
	i := bytes.Index(reply, handleName)
	if i < 0 {
		return 0, 0
	}
	from = i + len(handleName)
	for to = from; to < len(reply) && reply[to] >= '0' && reply[to] <= '9'; to++ {
	}
	return from, to
}

func handleOf(reply []byte) int64 {
	from, to := span(reply)
	h, _ := strconv.ParseInt(string(reply[from:to]), 10, 64)
	return h
}

// Normalize returns the results with 0 for the handles that opens returned: their
// numbers depend on what the instance did before.
func Normalize(c Case, results []Result) []Result {
	list := make([]Result, len(results))
	for i, r := range results {
		if i < len(c.Steps) && c.Steps[i].Export == abi.Open && r.Status == Reply {
			if from, to := span(r.Output); to > from {
				r.Output = append(append(append([]byte(nil), r.Output[:from]...), '0'), r.Output[to:]...)
			}
		}
		list[i] = r
	}
	return list
}

// A Digest is the SHA-256 of normalized results in the form of the stream.
type Digest = [sha256.Size]byte

// Sum returns the digest of a case's results.
func Sum(c Case, results []Result) Digest {
	return sha256.Sum256(AppendResults(nil, Normalize(c, results)))
}

// Chain returns the digest of a digest so far and the next one.
func Chain(so, next Digest) Digest { return sha256.Sum256(append(so[:], next[:]...)) }

// AppendCase appends the frame of a case.
func AppendCase(dst []byte, c Case) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	for _, s := range c.Steps {
		dst = append(dst, byte(s.Export), byte(s.Handle))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(s.Input)))
		dst = append(dst, s.Input...)
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst
}

// AppendResults appends the frame of results.
func AppendResults(dst []byte, results []Result) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	for _, r := range results {
		dst = append(dst, byte(r.Status))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(r.Output)))
		dst = append(dst, r.Output...)
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst
}

// ReadCase reads the frame of a case; io.EOF when there is none.
func ReadCase(r io.Reader) (Case, error) {
	frame, err := readFrame(r)
	if err != nil {
		return Case{}, err
	}
	var c Case
	for len(frame) > 0 {
		if len(frame) < 6 {
			return c, io.ErrUnexpectedEOF
		}
		s := Step{Export: abi.Export(frame[0]), Handle: int(frame[1])}
		if s.Input, frame, err = sized(frame[2:]); err != nil {
			return c, err
		}
		c.Steps = append(c.Steps, s)
	}
	return c, nil
}

// ReadResults reads the frame of results; io.EOF when there is none.
func ReadResults(r io.Reader) ([]Result, error) {
	frame, err := readFrame(r)
	if err != nil {
		return nil, err
	}
	var list []Result
	for len(frame) > 0 {
		if len(frame) < 5 {
			return nil, io.ErrUnexpectedEOF
		}
		x := Result{Status: Status(frame[0])}
		if x.Output, frame, err = sized(frame[1:]); err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

func sized(b []byte) (head, rest []byte, err error) {
	n := binary.LittleEndian.Uint32(b)
	if uint64(n) > uint64(len(b)-4) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	return b[4 : 4+n], b[4+n:], nil
}

func readFrame(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	frame := make([]byte, binary.LittleEndian.Uint32(head[:]))
	if _, err := io.ReadFull(r, frame); err != nil {
		return nil, fmt.Errorf("a frame was cut short: %w", err)
	}
	return frame, nil
}

// A Source gives engines for the cases of a run, which are counted from 0.
type Source interface {
	// Take returns the engine for case i.
	Take(i int) (Engine, error)
	// Return takes it back after the case; it is not alive after a breakdown.
	Return(i int, alive bool) error
	Close() error
}

// Single returns a Source with one engine, made anew after a breakdown, or for each
// case.
func Single(each bool, fresh func() (Engine, error)) Source {
	return &single{each: each, fresh: fresh}
}

type single struct {
	each  bool
	fresh func() (Engine, error)
	e     Engine
}

func (s *single) Take(int) (e Engine, err error) {
	if s.e == nil {
		s.e, err = s.fresh()
	}
	return s.e, err
}

func (s *single) Return(_ int, alive bool) error {
	if alive && !s.each {
		return nil
	}
	return s.Close()
}

func (s *single) Close() error {
	e := s.e
	s.e = nil
	if c, ok := e.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// RunNext runs case i on an engine of a source.
func RunNext(s Source, i int, c Case) ([]Result, error) {
	e, err := s.Take(i)
	if err != nil {
		return nil, err
	}
	results, alive := Run(e, c)
	return results, s.Return(i, alive)
}

// Serve answers the cases of a stream until it ends.
func Serve(in io.Reader, out io.Writer, s Source) error {
	r := bufio.NewReaderSize(in, 1<<16)
	for i := 0; ; i++ {
		c, err := ReadCase(r)
		if errors.Is(err, io.EOF) {
			return s.Close()
		}
		if err != nil {
			return err
		}
		results, err := RunNext(s, i, c)
		if err != nil {
			return err
		}
		if _, err := out.Write(AppendResults(nil, results)); err != nil {
			return err
		}
	}
}
