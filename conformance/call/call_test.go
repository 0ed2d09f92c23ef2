package call_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// An echo answers with its input; open gives handles from 12 on, "die" breaks it.
type echo struct {
	last   int
	closed *int
}

func (e *echo) Call(export abi.Export, in []byte) ([]byte, error) {
	switch {
	case strings.Contains(string(in), "die"):
		return nil, errors.New("trapped")
	case strings.Contains(string(in), "fail"):
		return nil, abi.Errorf(abi.QueryEmpty, "the query is empty")
	case export == abi.Open:
		e.last++
		return []byte(`{"handle":` + []string{"12", "130"}[e.last-1] + `}`), nil
	case export == abi.Close, export == abi.CloseModel:
		*e.closed++
	}
	return in, nil
}

func TestRun(t *testing.T) {
	closed := 0
	c := call.Case{Steps: []call.Step{
		{Export: abi.Open}, {Export: abi.Open}, {Export: abi.OpenModel, Input: []byte("{}")},
		{Export: abi.Retrieve, Handle: 2, Input: []byte(`x}`)},
		{Export: abi.Retrieve, Handle: 3, Input: []byte(`x}`)},
		{Export: abi.Plan, Input: []byte("fail")},
	}}
	results, alive := call.Run(&echo{closed: &closed}, c)
	results = call.Normalize(c, results)
	for i, want := range []call.Result{
		{Status: call.Reply, Output: []byte(`{"handle":0}`)},
		{Status: call.Reply, Output: []byte(`{"handle":0}`)},
		{Status: call.Reply, Output: []byte(`{}`)},
		{Status: call.Reply, Output: []byte(`{"handle":     130,x}`)},
		{Status: call.Reply, Output: []byte(`{"handle":       0,x}`)},
		{Status: call.Failure, Output: []byte("QUERY_EMPTY: the query is empty")},
	} {
		if got := results[i]; got.Status != want.Status || !bytes.Equal(got.Output, want.Output) {
			t.Errorf("step %d: %d %s, want %d %s", i, got.Status, got.Output, want.Status, want.Output)
		}
	}
	if !alive || closed != 3 {
		t.Errorf("alive is %v, %d things were closed, want two corpora and a model", alive, closed)
	}
}

// An engine that broke is replaced for the next case.
func TestServeReplacesWhatBroke(t *testing.T) {
	var in, out bytes.Buffer
	for _, input := range []string{"a", "die", "b"} {
		in.Write(call.AppendCase(nil, call.Case{Steps: []call.Step{{Export: abi.Abi, Input: []byte(input)}, {Export: abi.Abi, Input: []byte("more")}}}))
	}
	engines, closed := 0, 0
	err := call.Serve(&in, &out, call.Single(false, func() (call.Engine, error) {
		engines++
		return &echo{closed: &closed}, nil
	}))
	if err != nil || engines != 2 {
		t.Fatalf("%d engines, error %v, want 2 and none", engines, err)
	}
	for i, want := range [][]call.Status{{call.Reply, call.Reply}, {call.Broken}, {call.Reply, call.Reply}} {
		results, err := call.ReadResults(&out)
		if err != nil || len(results) != len(want) || results[0].Status != want[0] {
			t.Errorf("case %d: %v, %v, want %v", i, results, err, want)
		}
	}
	if _, err := call.ReadResults(&out); err != io.EOF {
		t.Errorf("after the last frame: %v", err)
	}
}

// What the reader accepts, the writer writes back.
func FuzzReadCase(f *testing.F) {
	f.Add(call.AppendCase(nil, call.Case{Steps: []call.Step{{Export: abi.Open, Input: []byte("{}")}, {Export: abi.Retrieve, Handle: 1, Input: nil}}}))
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 4 && in[3] > 0 {
			return // a frame of 16 MB or more is only memory
		}
		r := bytes.NewReader(in)
		c, err := call.ReadCase(r)
		if err != nil {
			return
		}
		if out := call.AppendCase(nil, c); !bytes.Equal(out, in[:len(in)-r.Len()]) {
			t.Errorf("%x was read and is written as %x", in, out)
		}
	})
}
