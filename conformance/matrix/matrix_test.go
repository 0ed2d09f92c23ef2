package matrix_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/conformance/adapters"
	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/conformance/matrix"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A liar is native, but for one word in its replies to requests about cranes, and for
// one bit in those to many texts.
type liar struct{ call.Engine }

func (l liar) Call(export abi.Export, in []byte) ([]byte, error) {
	out, err := l.Engine.Call(export, in)
	if export == abi.Retrieve && err == nil && strings.Contains(string(in), "crane") {
		out = []byte(strings.Replace(string(out), `"verdict":"answered"`, `"verdict":"Answered"`, 1))
	}
	if export == abi.Embed && len(out) > 4000 {
		out[len(out)/2] ^= 1
	}
	return out, err
}

type session struct{}

func (session) Run(cases []call.Case, yield func(int, []call.Result) error) error {
	for i, c := range cases {
		results, _ := call.Run(liar{adapters.Native()}, c)
		if err := yield(i, results); err != nil {
			return err
		}
	}
	return nil
}

func (session) Close() error { return nil }

// A runtime that differs is found, and the case it is shown by is small.
func TestADifferenceIsFoundAndShrunk(t *testing.T) {
	env, err := adapters.NewEnv()
	if adapters.IsAbsent(err) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := matrix.New(env, 60, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	a := adapters.Adapter{Name: "liar", Part: 1, Texts: 10, Start: func(context.Context, *adapters.Env) (adapters.Session, error) { return session{}, nil }}
	row := m.Run(context.Background(), a)
	if row.Failure != "" || len(row.Differences) == 0 {
		t.Fatalf("%d differences, failure %q", len(row.Differences), row.Failure)
	}
	shrunk, ok := strings.CutPrefix(row.Differences[0].Detail[strings.Index(row.Differences[0].Detail, "shrunk:"):], "shrunk:")
	if !ok || len(shrunk) > 500 || !strings.Contains(shrunk, "crane") {
		t.Errorf("shrunk to %d bytes: %s", len(shrunk), shrunk)
	}
	if last := row.Differences[len(row.Differences)-1]; row.Texts != 10 || last.Case != "the built-in model, step 1" {
		t.Errorf("of %d texts, the last difference is in %s", row.Texts, last.Case)
	}
}
