// Package conformance holds the matrix: cases × runtimes.
package conformance_test

import (
	"context"
	"sync"
	"testing"

	"github.com/rookhaven-project/rookhaven/conformance/adapters"
	"github.com/rookhaven-project/rookhaven/conformance/matrix"
)

// newMatrix is the matrix of the quick run. The whole one is make conformance.
var newMatrix = sync.OnceValues(func() (*matrix.Matrix, error) {
	env, err := adapters.NewEnv()
	if err != nil {
		return nil, err
	}
	n, texts := 500, adapters.Few
	if testing.Short() {
		n, texts = 60, 0
	}
	m, err := matrix.New(env, n, texts, 1)
	if err == nil {
		m.Quick = true
	}
	return m, err
})

// TestMatrix is TestMatrix/RUNTIME for each: every case in a file and some hundred
// generated ones give the same bytes, and so does the built-in model for some texts.
func TestMatrix(t *testing.T) {
	m, err := newMatrix()
	skipAbsent(t, err)
	for _, a := range adapters.All() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			row := m.Run(context.Background(), a)
			switch {
			case row.Absent != "" && !adapters.Required():
				t.Skip(row.Absent)
			case row.Absent != "" || row.Failure != "":
				t.Fatal(row.Absent + row.Failure)
			}
			for _, d := range row.Differences {
				t.Errorf("%s: %s", d.Case, d.Detail)
			}
			t.Logf("%d cases in files, %d generated, %.1f s; %d texts, %.1f s", row.Files, row.Generated, row.Seconds, row.Texts, row.ModelSeconds)
		})
	}
}

func skipAbsent(t *testing.T, err error) {
	t.Helper()
	switch {
	case adapters.IsAbsent(err) && !adapters.Required():
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
}
