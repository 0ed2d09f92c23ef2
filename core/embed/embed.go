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
	wide   []int32 // what products give, in units of 2⁻¹⁶
	sums   []int32 // of products
	small  []int16 // quantized
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
		x: make([]int32, n*m.Hidden), wide: make([]int32, n*w), sums: make([]int32, n*max(w, n)),
		small: make([]int16, n*w), by: make([]factor, n), heads: newHeads(n, &m.Config), totals: make([]int64, m.Hidden),
	}, nil
}

// sizes returns the most tokens of a window, and channels between products.
func sizes(c *model.Config) (window, wide int) { return c.Window, max(3*c.Hidden, c.Inner) }

// Bytes returns about how much memory an Encoder takes beside its model.
func Bytes(c *model.Config) int64 {
	n, w := sizes(c)
	window := int64(n) * int64(4*c.Hidden+4*w+4*max(w, n)+2*w+2*padded(n)+4*c.Hidden+500)
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
	for t, id := range e.ids {
		row := e.x[t*h : (t+1)*h]
		clear(row)
		add(row, &e.model.Words, int(id))
		add(row, &e.model.Places, t)
		add(row, &e.model.Kinds, 0)
		e.norm(row, &e.model.AfterSum)
	}
}

// add adds a row of a matrix.
func add(x []int32, m *model.Matrix, i int) {
	weights, scale := m.Row(i)
	for j, w := range weights {
		x[j] = clamp(int64(x[j]) + (int64(w)*int64(scale)+1<<15)>>16)
	}
}

// norm makes the mean of a row 0 and its deviation 1, multiplies and adds. A row's
// numbers are at most bound = 2²⁵ in size and at most 1,024, so the sum of squares
// of their distances from the mean is at most 2⁶² in all; with d its own distance and
// s the deviation, |d|/s ≤ √1024.
func (e *Encoder) norm(x []int32, n *model.Norm) {
	sum := int64(0)
	for _, v := range x {
		sum += int64(v)
	}
	mean, squares := sum/int64(len(x)), uint64(0)
	for _, v := range x {
		d := int64(v) - mean
		squares += uint64(d * d)
	}
	variance := squares/uint64(len(x)) + uint64(e.model.Epsilon)
	deviation := max(fixed.Sqrt(variance<<8), 1) // in units of 2⁻²⁰
	inverse := int64(1<<50) / int64(deviation)
	for i, v := range x {
		r := (int64(v) - mean) * inverse >> 26 // in units of 2⁻²⁰
		x[i] = clamp((r*int64(n.Gain[i])+1<<19)>>20 + int64(n.Shift[i]))
	}
}

// layer computes a layer of the encoder.
func (e *Encoder) layer(l *model.Layer) error {
	n, c := len(e.ids), &e.model.Config
	x, wide := e.x[:n*c.Hidden], e.wide[:n*3*c.Hidden]
	if err := e.product(wide, x, &l.Attend); err != nil {
		return err
	}
	if err := e.attend(wide); err != nil {
		return err
	}
	narrow := e.wide[:n*c.Hidden]
	if err := e.product(narrow, narrow, &l.Joined); err != nil {
		return err
	}
	e.join(narrow, &l.AfterA)

	wide = e.wide[:n*c.Inner]
	if err := e.product(wide, x, &l.Widen); err != nil {
		return err
	}
	for i, v := range wide {
		wide[i] = gelu(v)
	}
	if err := e.product(narrow, wide, &l.Narrow); err != nil {
		return err
	}
	e.join(narrow, &l.AfterWN)
	return nil
}

// join adds what a half of a layer gave to the stream, and norms it.
func (e *Encoder) join(y []int32, n *model.Norm) {
	h := e.model.Hidden
	for i, v := range y {
		e.x[i] = clamp(int64(e.x[i]) + int64(v))
	}
	for t := range e.ids {
		e.norm(e.x[t*h:(t+1)*h], n)
	}
}

// product multiplies the rows of x, one for each token, with a matrix. out and x may
// be the same.
func (e *Encoder) product(out, x []int32, l *model.Linear) error {
	n, limit := len(e.ids), limitOf(l.Columns)
	for t := range n {
		e.by[t] = quantize(e.small[t*l.Columns:], x[t*l.Columns:(t+1)*l.Columns], limit)
	}
	sums := e.sums[:n*l.Rows]
	kernel.Multiply(sums, e.small[:n*l.Columns], l.Weights, n, l.Rows, l.Columns)
	for t := range n {
		e.by[t].scale(out[t*l.Rows:(t+1)*l.Rows], sums[t*l.Rows:(t+1)*l.Rows], l)
	}
	return e.meter.Add(n * l.Rows * (l.Columns/stepProducts + 1))
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
