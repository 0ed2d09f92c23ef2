package matrix

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rookhaven-project/rookhaven/conformance/adapters"
	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/conformance/generate"
	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/models"
)

// batch is how many texts a call of embed has.
const batch = 10

// A builtIn is the case of the built-in model, and what the native engine gives for it.
type builtIn struct {
	call.Case // open_model, then a call of embed for each batch
	want      []call.Result
}

// newBuiltIn makes the case of n texts.
func newBuiltIn(seed uint64, n int) (b builtIn, err error) {
	if b.Name = "the built-in model"; n == 0 {
		return b, nil
	}
	opened, err := model.Open(models.MiniLM)
	if err != nil {
		return b, err
	}
	b.Steps = append(b.Steps, call.Step{Export: abi.OpenModel, Input: fmt.Appendf(nil, `{"model":{"base64":"%s"}}`, base64.StdEncoding.EncodeToString(models.MiniLM))})
	texts := generate.Texts(seed, n, opened.Vocabulary)
	for len(texts) > 0 {
		k := min(batch, len(texts))
		input, err := json.Marshal(map[string][]string{"texts": texts[:k]})
		if err != nil {
			return b, err
		}
		b.Steps, texts = append(b.Steps, call.Step{Export: abi.Embed, Input: input}), texts[k:]
	}
	b.want = expected(b.Case)
	for i, r := range b.want {
		if r.Status != call.Reply {
			return b, fmt.Errorf("%s: the native engine refuses step %d: %s", b.Name, i, r.Output)
		}
	}
	return b, nil
}

// first returns the case of the first n texts, in whole batches.
func (b builtIn) first(n int) call.Case {
	return call.Case{Name: b.Name, Steps: b.Steps[:min(len(b.Steps), 1+(n+batch-1)/batch)]}
}

// texts returns how many texts the built-in model turns into vectors in a runtime.
func (m *Matrix) texts(a adapters.Adapter) int {
	if a.Slow && m.Texts < adapters.Many {
		return 0
	}
	return min(m.Texts, a.Texts)
}

// model runs the built-in model in a session, byte against byte.
func (m *Matrix) model(s adapters.Session, n int, row *Row) error {
	if n == 0 {
		return nil
	}
	from := time.Now()
	b, c := &m.builtIn, m.builtIn.first(n)
	err := s.Run([]call.Case{c}, func(_ int, got []call.Result) error {
		for i := range c.Steps {
			switch {
			case i >= len(got):
				return fmt.Errorf("%s: step %d was not run: %s", c.Name, i, got[len(got)-1].Output)
			case got[i].Status != b.want[i].Status || !bytes.Equal(got[i].Output, b.want[i].Output):
				row.Differences = append(row.Differences, Difference{fmt.Sprintf("%s, step %d", c.Name, i), contrast(b.want[i], got[i])})
			}
		}
		return nil
	})
	row.Texts, row.ModelSeconds = n, seconds(from)
	return err
}
