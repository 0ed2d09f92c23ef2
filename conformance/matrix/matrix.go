// Package matrix runs cases × runtimes and compares every byte with what the
// native engine gives.
//
// The expected results of the cases in files are in the files; those of generated
// ones come from a native engine that is new for each case. The results of a
// thousand generated cases make one chained digest; where two chains differ, the
// first case that differs is named with its seed and shrunk: see [Shrink].
//
// At the end each runtime opens the built-in model and turns texts into vectors, as
// many as it can in a time that is worth it.
package matrix

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rookhaven-project/rookhaven/conformance/adapters"
	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/conformance/cases"
	"github.com/rookhaven-project/rookhaven/conformance/generate"
)

// block is how many generated cases make one chain.
const block = 1000

// few is the least number of generated cases that a runtime gets, if there are so many.
const few = 60

// A Matrix is what a run compares.
type Matrix struct {
	Env       *adapters.Env
	Seed      uint64
	Quick     bool // leave out the large cases in files everywhere
	Texts     int  // at most so many for the built-in model
	files     []cases.Case
	fixed     []call.Case   // of files
	generated []call.Case   // in their order
	digests   []call.Digest // of the expected results of generated
	builtIn   builtIn
}

// New loads the cases of the files and makes n from a seed, with the results that
// are expected, and texts for the built-in model.
func New(env *adapters.Env, n, texts int, seed uint64) (*Matrix, error) {
	m := &Matrix{Env: env, Seed: seed, Texts: texts}
	var err error
	m.files, err = cases.Load(os.DirFS(filepath.Join(env.Root, "conformance", "cases")))
	if err != nil {
		return nil, err
	}
	for i := range m.files {
		c, err := m.files[i].Case()
		if err != nil {
			return nil, err
		}
		m.fixed = append(m.fixed, c)
	}
	var made error
	var wait sync.WaitGroup
	wait.Go(func() { m.builtIn, made = newBuiltIn(seed, texts) })
	m.generate(n)
	wait.Wait()
	return m, made
}

func (m *Matrix) generate(n int) {
	g := generate.Generator{Seed: m.Seed, Reference: adapters.Native}
	m.generated, m.digests = make([]call.Case, n), make([]call.Digest, n)
	var wait sync.WaitGroup
	const workers = 4
	for w := range workers {
		wait.Go(func() {
			for i := w; i < n; i += workers {
				m.generated[i] = g.Case(i)
				m.digests[i] = call.Sum(m.generated[i], expected(m.generated[i]))
			}
		})
	}
	wait.Wait()
}

func expected(c call.Case) []call.Result {
	results, _ := call.Run(adapters.Native(), c)
	return results
}

// A Difference is a case that a runtime answers otherwise.
type Difference struct {
	Case   string `json:"case"`
	Detail string `json:"detail"`
}

// A Row is one runtime of a report.
type Row struct {
	Name        string       `json:"name"`
	Files       int          `json:"files"`
	Generated   int          `json:"generated"`
	Differences []Difference `json:"differences,omitempty"`
	Chains      []string     `json:"chains,omitempty"` // of each thousand generated cases
	Seconds     float64      `json:"seconds"`
	Texts       int          `json:"texts"` // of the built-in model
	// ModelSeconds is the time of the built-in model, which Seconds does not have.
	ModelSeconds float64 `json:"modelSeconds"`
	Absent       string  `json:"absent,omitempty"`
	Failure      string  `json:"failure,omitempty"`
}

// Good reports whether the runtime ran and never differed.
func (r Row) Good() bool { return r.Absent == "" && r.Failure == "" && len(r.Differences) == 0 }

// share returns the indices of the generated cases that a runtime gets, evenly
// spread; for a slow one those that are not small give way to the next that is.
func (m *Matrix) share(a adapters.Adapter) []int {
	n := len(m.generated)
	want := min(n, max(few, n/a.Part))
	list := make([]int, want)
	for i := range list {
		from, to := i*n/want, (i+1)*n/want
		for list[i] = from; a.Light && list[i] < to-1 && volume(m.generated[list[i]]) > small; {
			list[i]++
		}
	}
	return list
}

// small is the size in bytes of the inputs of a case that a slow runtime prefers.
const small = 24 << 10

// Run runs one runtime.
func (m *Matrix) Run(ctx context.Context, a adapters.Adapter) Row {
	row := Row{Name: a.Name}
	from := time.Now()
	err := m.run(ctx, a, &row)
	row.Seconds = seconds(from) - row.ModelSeconds
	switch {
	case adapters.IsAbsent(err):
		row.Absent = err.Error()
	case err != nil:
		row.Failure = err.Error()
	}
	return row
}

func seconds(from time.Time) float64 { return float64(time.Since(from).Milliseconds()) / 1000 }

// patience is how long a runtime may take for all of its cases and texts.
const patience = 20 * time.Minute

func (m *Matrix) run(ctx context.Context, a adapters.Adapter, row *Row) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s, err := a.Start(ctx, m.Env)
	if err != nil {
		return err
	}
	share := m.share(a)
	t := tally{m: m, row: row, share: share}
	var list []call.Case
	for i, c := range m.fixed {
		if !a.Light && !m.Quick || volume(c) <= adapters.Heavy {
			list, t.files = append(list, c), append(t.files, i)
		}
	}
	for _, i := range share {
		list = append(list, m.generated[i])
	}
	if err := s.Run(list, t.add); err != nil {
		_ = s.Close()
		return err
	}
	t.end()
	if err := m.model(s, m.texts(a), row); err != nil {
		_ = s.Close()
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	return t.explain(ctx, a)
}

// A tally compares results as they come.
type tally struct {
	m     *Matrix
	row   *Row
	files []int // the cases in files, by their place in m
	share []int // the generated ones
	chain call.Digest
	wrong []call.Case
}

// shown is how many differences of a runtime are kept and how many explained.
const shown = 20

func (t *tally) add(i int, results []call.Result) error {
	if i < len(t.files) {
		t.row.Files++
		if problem := t.m.files[t.files[i]].Check(results); problem != "" {
			t.differ(t.m.fixed[t.files[i]], problem)
		}
		return nil
	}
	i -= len(t.files)
	c, want := t.m.generated[t.share[i]], t.m.digests[t.share[i]]
	t.row.Generated++
	got := call.Sum(c, results)
	if t.chain = call.Chain(t.chain, got); t.row.Generated%block == 0 {
		t.end()
	}
	if got != want {
		t.differ(c, compare(c, results))
	}
	return nil
}

// end closes a chain.
func (t *tally) end() {
	if t.chain != (call.Digest{}) {
		t.row.Chains = append(t.row.Chains, hex.EncodeToString(t.chain[:]))
	}
	t.chain = call.Digest{}
}

func (t *tally) differ(c call.Case, detail string) {
	if len(t.row.Differences) < shown {
		t.row.Differences = append(t.row.Differences, Difference{c.Name, detail})
		t.wrong = append(t.wrong, c)
	}
}

// compare says which step of a case differs from the native engine, and how.
func compare(c call.Case, results []call.Result) string {
	want, got := call.Normalize(c, expected(c)), call.Normalize(c, results)
	for i := range want {
		if i >= len(got) {
			return fmt.Sprintf("step %d was not run", i)
		}
		if want[i].Status != got[i].Status || !bytes.Equal(want[i].Output, got[i].Output) {
			return fmt.Sprintf("step %d, %s:\n%s", i, c.Steps[i].Export, contrast(want[i], got[i]))
		}
	}
	return "equal now: it does not happen each time"
}

// contrast shows two results around the first byte that differs.
func contrast(want, got call.Result) string {
	at := 0
	for at < len(want.Output) && at < len(got.Output) && want.Output[at] == got.Output[at] {
		at++
	}
	around := func(r call.Result) string {
		return fmt.Sprintf("%d …%s", r.Status, r.Output[max(0, at-60):min(len(r.Output), at+120)])
	}
	return fmt.Sprintf("  want %s\n  got  %s\n  at byte %d", around(want), around(got), at)
}

// explain shrinks the first generated case that differs.
func (t *tally) explain(ctx context.Context, a adapters.Adapter) error {
	for i, c := range t.wrong {
		if i >= len(t.row.Differences) || len(c.Steps) == 0 || i > 0 {
			break
		}
		small, err := Shrink(ctx, a, t.m.Env, c)
		if err != nil {
			return err
		}
		t.row.Differences[i].Detail += "\nshrunk:" + Describe(small)
	}
	return nil
}
