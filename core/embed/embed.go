// Package embed turns texts into vectors with an encoder of the BERT family (Devlin
// et al. 2018; Reimers and Gurevych 2019), in integers alone: the same text gives
// the same vector on every processor and in every runtime.
//
// Weights are of 8 bits with a scale for each row, activations of 14 bits with a
// scale for each token ([package kernel] multiplies them); between the products,
// numbers are in units of 2⁻¹⁶. Softmax and GELU are read from tables of fixed-point
// numbers, layer norms take integer square roots.
//
// A text is cut into pieces of words by package wordpiece. One that is longer than
// the model's window is read in consecutive windows of whole words, none cut unless it
// is longer than a window; the vectors of all tokens of all windows are added up. So
// nothing of a text is left out. A vector depends on its text and on nothing else: not
// on others in the same batch (TestAlone), not on what was embedded before.
package embed

import (
	"github.com/rookhaven-project/rookhaven/core/embed/kernel"
	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/core/embed/wordpiece"
	"github.com/rookhaven-project/rookhaven/core/internal/fixed"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// An Encoder turns texts into vectors. It serves one call at a time.
type Encoder struct {
	model      *model.Model
	vocabulary *wordpiece.Vocabulary
	meter      *meter.Meter // of the call under way
	tokens     []wordpiece.Token

	// Of a window, row by row of its tokens:
	ids    []int32
	x      []int32 // the stream, in units of 2⁻¹⁶
	wide   []int32 // queries, keys and values, in units of 2⁻¹⁶
	sums   []int32 // of products
	small  []int16 // quantized, what is multiplied
	row    []int32 // of one token, in units of 2⁻¹⁶
	by     []factor
	heads  heads
	totals []int64 // of the text's tokens, by channel
}

// New returns an Encoder. It fails with [abi.ModelCorrupt] for a vocabulary that is
// none.
func New(m *model.Model) (*Encoder, error) {
	v, err := wordpiece.New(m.Vocabulary)
	if err != nil {
		return nil, abi.Errorf(abi.ModelCorrupt, "%s", err.Error())
	}
	n, w := sizes(&m.Config)
	return &Encoder{
		model: m, vocabulary: v,
		x: make([]int32, n*m.Hidden), wide: make([]int32, n*3*m.Hidden), sums: make([]int32, n*max(w, n)),
		small: make([]int16, n*max(m.Hidden, m.Inner)), row: make([]int32, max(m.Hidden, m.Inner)), by: make([]factor, n), heads: newHeads(n, &m.Config), totals: make([]int64, m.Hidden),
	}, nil
}

// sizes returns the most tokens of a window, and channels between products.
func sizes(c *model.Config) (window, wide int) { return c.Window, max(3*c.Hidden, c.Inner) }

// Bytes returns about how much memory an Encoder takes beside its model.
func Bytes(c *model.Config) int64 {
	n, w := sizes(c)
	window := int64(n) * int64(4*c.Hidden+12*c.Hidden+4*max(w, n)+2*max(c.Hidden, c.Inner)+2*padded(n)+4*c.Hidden+500)
	return window + int64(c.Pieces)*120
}

// Vector returns the vector of a text, and of how many tokens it is: of its components
// the greatest is 127 in size, unless all are 0. What the model is told before a query
// stands before one. It fails when the meter says so.
func (e *Encoder) Vector(text string, query bool, m *meter.Meter) (v []int8, tokens int, err error) {
	if query {
		text = e.model.Query + text
	}
	e.meter = m
	clear(e.totals)
	e.tokens = e.vocabulary.Append(e.tokens[:0], text)
	if err := m.Add(4 * len(text)); err != nil {
		return nil, 0, err
	}
	for rest := e.tokens; ; {
		n := e.fit(rest)
		if err := e.window(rest[:n]); err != nil {
			return nil, 0, err
		}
		if rest = rest[n:]; len(rest) == 0 {
			break
		}
	}
	return vectorOf(e.totals), len(e.tokens), nil
}

// fit returns how many of the tokens the next window takes, besides [CLS] and [SEP].
func (e *Encoder) fit(tokens []wordpiece.Token) int {
	n := e.model.Window - 2
	if len(tokens) <= n {
		return len(tokens)
	}
	for i := n; i > 0; i-- {
		if tokens[i].First {
			return i
		}
	}
	return n
}

// vectorOf returns numbers as components of at most 127 in size.
func vectorOf(totals []int64) []int8 {
	greatest := int64(0)
	for _, n := range totals {
		greatest = max(greatest, n, -n)
	}
	v := make([]int8, len(totals))
	if greatest == 0 {
		return v
	}
	for i, n := range totals {
		v[i] = int8((254*n+255*greatest)/(2*greatest) - 127) // to the nearest, halves up
	}
	return v
}

// window adds the vectors of the tokens of a window to the totals.
func (e *Encoder) window(tokens []wordpiece.Token) error {
	e.ids = append(e.ids[:0], e.vocabulary.CLS())
	for _, t := range tokens {
		e.ids = append(e.ids, t.ID)
	}
	e.ids = append(e.ids, e.vocabulary.SEP())
	e.begin()
	for i := range e.model.LayerList {
		if err := e.layer(&e.model.LayerList[i]); err != nil {
			return err
		}
	}
	e.pool()
	return nil
}

// begin sets the stream to what the tokens are, where they stand and their type.
func (e *Encoder) begin() {
	h := e.model.Hidden
	clear(e.x[:len(e.ids)*h])
	for t, id := range e.ids {
		row := e.row[:h]
		clear(row)
		add(row, &e.model.Words, int(id))
		add(row, &e.model.Places, t)
		add(row, &e.model.Kinds, 0)
		e.join(t, row, &e.model.AfterSum)
	}
}

// add adds a row of a matrix.
func add(x []int32, m *model.Matrix, i int) {
	weights, scale := m.Row(i)
	for j, w := range weights {
		x[j] = clamp(int64(x[j]) + (int64(w)*int64(scale)+1<<15)>>16)
	}
}

// layer computes a layer of the encoder. What a product gives is taken token by token: as
// soon as a row stands, it is used up.
func (e *Encoder) layer(l *model.Layer) error {
	e.quantize(e.x, e.model.Hidden)
	if err := e.product(&l.Attend); err != nil {
		return err
	}
	for t := range e.ids {
		e.scale(e.wide[t*l.Attend.Rows:], t, &l.Attend)
	}
	if err := e.attend(); err != nil {
		return err
	}
	e.quantize(e.heads.joint, e.model.Hidden)
	if err := e.product(&l.Joined); err != nil {
		return err
	}
	for t := range e.ids {
		e.join(t, e.scale(e.row, t, &l.Joined), &l.AfterA)
	}

	e.quantize(e.x, e.model.Hidden)
	if err := e.product(&l.Widen); err != nil {
		return err
	}
	for t := range e.ids {
		row := e.scale(e.row, t, &l.Widen)
		for i, v := range row {
			row[i] = gelu(v)
		}
		e.by[t] = quantize(e.small[t*len(row):], row, limitOf(len(row)))
	}
	if err := e.product(&l.Narrow); err != nil {
		return err
	}
	for t := range e.ids {
		e.join(t, e.scale(e.row, t, &l.Narrow), &l.AfterWN)
	}
	return nil
}

// join adds a row, which it spoils, to the stream; then it makes the mean of that row of the
// stream 0 and its deviation 1, multiplies and adds. A row's numbers are at most bound =
// 2²⁵ in size and at most 1,024, so that the sum of squares of their distances from the
// mean, which is that of their own squares − 2·mean·sum + mean²·len, is at most 2⁶² in all;
// with d its own distance and s the deviation, |d|/s ≤ √1024.
func (e *Encoder) join(t int, row []int32, n *model.Norm) {
	x, size := e.x[t*len(row):][:len(row)], int64(len(row))
	sum, squares := kernel.Join(row, x)
	mean := sum / size
	variance := (squares+uint64(mean*(mean*size-2*sum)))/uint64(size) + uint64(e.model.Epsilon)
	deviation := max(fixed.Sqrt(variance<<8), 1) // in units of 2⁻²⁰
	kernel.Norm(x, row, int32(mean), 1<<50/int64(deviation), n.Gain, n.Shift)
}

// quantize makes the rows of x what is multiplied.
func (e *Encoder) quantize(x []int32, columns int) {
	for t := range e.ids {
		e.by[t] = quantize(e.small[t*columns:], x[t*columns:][:columns], limitOf(columns))
	}
}

// product multiplies what is quantized with a matrix.
func (e *Encoder) product(l *model.Linear) error {
	n := len(e.ids)
	kernel.Multiply(e.sums[:n*l.Rows], e.small[:n*l.Columns], l.Weights, n, l.Rows, l.Columns)
	return e.meter.Add(n * l.Rows * (l.Columns/stepProducts + 1))
}

// scale sets the beginning of out, which it returns, to what a product gave for a token.
func (e *Encoder) scale(out []int32, t int, l *model.Linear) []int32 {
	out = out[:l.Rows]
	e.by[t].scale(out, e.sums[t*l.Rows:][:l.Rows], l)
	return out
}

// stepProducts is how many products count as a step.
const stepProducts = 32

// pool adds up the vectors of the window's tokens, or that of [CLS] as often.
func (e *Encoder) pool() {
	h := e.model.Hidden
	for t := range e.ids {
		if e.model.Pooling == model.PoolFirst {
			t = 0
		}
		for i, v := range e.x[t*h : (t+1)*h] {
			e.totals[i] += int64(v)
		}
	}
}
