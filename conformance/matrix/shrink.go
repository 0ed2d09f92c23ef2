package matrix

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"time"

	"github.com/rookhaven-project/rookhaven/conformance/adapters"
	"github.com/rookhaven-project/rookhaven/conformance/call"
)

// What shrinking may take.
const (
	shrinkTime   = time.Minute
	shrinkRounds = 60
	shrinkWidth  = 40 // candidates of a round
)

// Shrink makes a case smaller as long as the runtime still differs from the native
// engine: steps go, then parts of the JSON in them.
func Shrink(ctx context.Context, a adapters.Adapter, env *adapters.Env, c call.Case) (call.Case, error) {
	end := time.Now().Add(shrinkTime)
	for round := 0; round < shrinkRounds && time.Now().Before(end); round++ {
		candidates := smaller(c)
		next, err := firstDiffering(ctx, a, env, candidates)
		if err != nil || next < 0 {
			return c, err
		}
		c = candidates[next]
	}
	return c, nil
}

// firstDiffering returns the first of the candidates on which the runtime differs, or −1.
func firstDiffering(ctx context.Context, a adapters.Adapter, env *adapters.Env, candidates []call.Case) (int, error) {
	if len(candidates) == 0 {
		return -1, nil
	}
	s, err := a.Start(ctx, env)
	if err != nil {
		return -1, err
	}
	found := -1
	err = s.Run(candidates, func(i int, results []call.Result) error {
		if found < 0 && call.Sum(candidates[i], results) != call.Sum(candidates[i], expected(candidates[i])) {
			found = i
		}
		return nil
	})
	if e := s.Close(); err == nil {
		err = e
	}
	return found, err
}

// smaller returns cases that are a little smaller, the boldest first.
func smaller(c call.Case) []call.Case {
	var list []call.Case
	for i := len(c.Steps) - 1; i >= 0; i-- {
		if len(c.Steps) > 1 {
			list = append(list, without(c, i))
		}
	}
	for i, s := range c.Steps {
		for _, input := range smallerInputs(s) {
			d := call.Case{Name: c.Name, Steps: append([]call.Step(nil), c.Steps...)}
			d.Steps[i].Input = input
			list = append(list, d)
		}
	}
	if len(list) > shrinkWidth {
		sort.SliceStable(list, func(i, j int) bool { return volume(list[i]) < volume(list[j]) })
		list = list[:shrinkWidth]
	}
	return list
}

func volume(c call.Case) (n int) {
	for _, s := range c.Steps {
		n += len(s.Input)
	}
	return n
}

func without(c call.Case, i int) call.Case {
	return call.Case{Name: c.Name, Steps: append(append([]call.Step(nil), c.Steps[:i]...), c.Steps[i+1:]...)}
}

// smallerInputs shrinks the JSON of an input, if it is JSON.
func smallerInputs(s call.Step) [][]byte {
	whole := s.Input
	if s.Handle > 0 {
		whole = append([]byte("{"), whole...)
	}
	d := json.NewDecoder(bytes.NewReader(whole))
	d.UseNumber()
	var root any
	if d.Decode(&root) != nil {
		return nil
	}
	var list [][]byte
	for _, v := range reductions(root) {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if e.Encode(v) != nil {
			continue
		}
		out := bytes.TrimSpace(b.Bytes())
		if s.Handle > 0 {
			out = out[1:]
		}
		if len(out) < len(s.Input) {
			list = append(list, out)
		}
	}
	return list
}

// reductions returns smaller values like v.
func reductions(v any) (list []any) {
	switch v := v.(type) {
	case string:
		r := []rune(v)
		for n := len(r) / 2; n > 0; n /= 2 {
			list = append(list, string(r[n:]), string(r[:len(r)-n]))
		}
	case []any:
		for n := (len(v) + 1) / 2; n > 0; n /= 2 {
			for i := 0; i+n <= len(v); i += n {
				list = append(list, append(append([]any{}, v[:i]...), v[i+n:]...))
			}
		}
		for i := range v {
			for _, x := range reductions(v[i]) {
				w := append([]any{}, v...)
				w[i] = x
				list = append(list, w)
			}
		}
	case map[string]any:
		for name := range v {
			w := clone(v)
			delete(w, name)
			list = append(list, w)
		}
		for name := range v {
			for _, x := range reductions(v[name]) {
				w := clone(v)
				w[name] = x
				list = append(list, w)
			}
		}
	}
	return list
}

func clone(m map[string]any) map[string]any {
	w := make(map[string]any, len(m))
	for k, x := range m {
		w[k] = x
	}
	return w
}

// Describe prints the steps of a case.
func Describe(c call.Case) string {
	s := ""
	for i, x := range c.Steps {
		s += fmt.Sprintf("\n  step %d, %s, handle %d: %.1500q", i, x.Export, x.Handle, x.Input)
	}
	return s
}
