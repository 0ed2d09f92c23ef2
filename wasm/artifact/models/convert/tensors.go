package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/rookhaven-project/rookhaven/core/embed/model"
)

// A source has the tensors of an encoder by the names that their authors gave them,
// without what they put before all of them.
type source interface {
	tensor(name string) (tensor, error)
	// weights returns what a linear layer multiplies by, a row for each output.
	weights(layer string) (tensor, error)
}

// A tensor is numbers as they lie in a file, little-endian.
type tensor struct {
	kind   string // F32, F16, BF16, or another that is not read
	shape  []int
	data   []byte
	turned bool // shape and data are those of the transposed tensor
}

// floats returns the numbers of a tensor of the given shape.
func (t tensor) floats(shape ...int) ([]float64, error) {
	is := slices.Clone(t.shape)
	if t.turned {
		slices.Reverse(is)
	}
	if !slices.Equal(is, shape) {
		return nil, fmt.Errorf("it has the shape %v, expected %v", is, shape)
	}
	count := 1
	for _, n := range shape {
		count *= n
	}
	width := map[string]int{"F32": 4, "F16": 2, "BF16": 2}[t.kind]
	if width == 0 || len(t.data) != count*width {
		return nil, fmt.Errorf("%d bytes of %s for %d numbers; F32, F16 and BF16 are read", len(t.data), t.kind, count)
	}
	list := make([]float64, count)
	for i := range list {
		switch t.kind {
		case "F32":
			list[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(t.data[4*i:])))
		case "BF16":
			list[i] = float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(t.data[2*i:])) << 16))
		default:
			list[i] = half(binary.LittleEndian.Uint16(t.data[2*i:]))
		}
		if math.IsNaN(list[i]) || math.IsInf(list[i], 0) {
			return nil, fmt.Errorf("number %d is not finite", i)
		}
	}
	if t.turned && len(shape) == 2 {
		list = transposed(list, shape[0], shape[1])
	}
	return list, nil
}

// transposed returns rows of columns from columns of rows.
func transposed(list []float64, rows, columns int) []float64 {
	out := make([]float64, 0, len(list))
	for r := range rows {
		for c := range columns {
			out = append(out, list[c*rows+r])
		}
	}
	return out
}

// half returns a number of IEEE 754's binary16.
func half(b uint16) float64 {
	sign, exponent, rest := 1.0, int(b>>10&31), float64(b&1023)
	if b>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(rest, -24)
	case 31:
		return math.NaN()
	}
	return sign * math.Ldexp(1024+rest, exponent-25)
}

// matrixOf keeps rows of weights as integers with a scale for each.
func matrixOf(weights []float64, rows int) (model.Matrix, error) {
	columns := len(weights) / rows
	m := model.Matrix{Rows: rows, Columns: columns, Weights: make([]int8, len(weights)), Scales: make([]uint32, rows)}
	for r := range rows {
		row := weights[r*columns : (r+1)*columns]
		greatest := 0.0
		for _, w := range row {
			greatest = max(greatest, math.Abs(w))
		}
		scale := math.Ceil(math.Ldexp(greatest/127, 32))
		if scale > math.MaxUint32 {
			return m, fmt.Errorf("row %d: a weight of %g is too great", r, greatest)
		}
		m.Scales[r] = uint32(scale)
		for i, w := range row {
			if scale > 0 {
				m.Weights[r*columns+i] = int8(math.RoundToEven(math.Ldexp(w, 32) / scale))
			}
		}
	}
	return m, nil
}

// vectorOf keeps numbers in units of 2⁻¹⁶.
func vectorOf(list []float64) ([]int32, error) {
	out := make([]int32, len(list))
	for i, n := range list {
		if n = math.RoundToEven(math.Ldexp(n, 16)); math.Abs(n) > math.MaxInt32 {
			return nil, fmt.Errorf("number %d is too great", i)
		}
		out[i] = int32(n)
	}
	return out, nil
}

// A filler fills a model from tensors, and remembers the first failure.
type filler struct {
	source
	err error
}

func fill(m *model.Model, from source) error {
	f, c := &filler{source: from}, &m.Config
	m.Words = f.matrix(words, c.Pieces, c.Hidden)
	m.Places = f.matrix("embeddings.position_embeddings.weight", c.Positions, c.Hidden)
	m.Kinds = f.matrix("embeddings.token_type_embeddings.weight", c.Types, c.Hidden)
	m.AfterSum = f.norm("embeddings.LayerNorm", c.Hidden)
	for i := range c.Layers {
		name := layerName(i)
		m.LayerList = append(m.LayerList, model.Layer{
			Attend:  f.linear(c.Hidden, c.Hidden, name+"attention.self.query", name+"attention.self.key", name+"attention.self.value"),
			Joined:  f.linear(c.Hidden, c.Hidden, name+"attention.output.dense"),
			AfterA:  f.norm(name+"attention.output.LayerNorm", c.Hidden),
			Widen:   f.linear(c.Inner, c.Hidden, name+"intermediate.dense"),
			Narrow:  f.linear(c.Hidden, c.Inner, name+"output.dense"),
			AfterWN: f.norm(name+"output.LayerNorm", c.Hidden),
		})
	}
	return f.err
}

func layerName(i int) string { return fmt.Sprintf("encoder.layer.%d.", i) }

// numbers returns those that get finds under a name.
func (f *filler) numbers(get func(string) (tensor, error), name string, shape ...int) []float64 {
	if f.err != nil {
		return nil
	}
	t, err := get(name)
	if err != nil {
		f.err = err
		return nil
	}
	list, err := t.floats(shape...)
	f.fail(name, err)
	return list
}

func (f *filler) fail(name string, err error) {
	if f.err == nil && err != nil {
		f.err = fmt.Errorf("%s: %w", name, err)
	}
}

func (f *filler) rows(name string, list []float64, rows int) model.Matrix {
	if f.err != nil {
		return model.Matrix{}
	}
	m, err := matrixOf(list, rows)
	f.fail(name, err)
	return m
}

func (f *filler) matrix(name string, rows, columns int) model.Matrix {
	return f.rows(name, f.numbers(f.tensor, name, rows, columns), rows)
}

func (f *filler) vector(name string, size int) []int32 {
	v, err := vectorOf(f.numbers(f.tensor, name, size))
	f.fail(name, err)
	return v
}

// linear puts linear layers one below the other.
func (f *filler) linear(rows, columns int, names ...string) model.Linear {
	var l model.Linear
	for _, name := range names {
		m := f.rows(name, f.numbers(f.weights, name, rows, columns), rows)
		l.Rows, l.Columns = l.Rows+m.Rows, columns
		l.Weights = append(l.Weights, m.Weights...)
		l.Scales = append(l.Scales, m.Scales...)
		l.Bias = append(l.Bias, f.vector(name+".bias", rows)...)
	}
	return l
}

func (f *filler) norm(name string, size int) model.Norm {
	return model.Norm{Gain: f.vector(name+".weight", size), Shift: f.vector(name+".bias", size)}
}
