package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/core/embed/model"
)

// tensors are those of a file in the form safetensors: u64 size of a header in JSON,
// the header, the bytes.
type tensors struct {
	entries map[string]tensor
	bytes   []byte
	prefix  string // of all names
}

type tensor struct {
	Type    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

func readTensors(in []byte) (*tensors, error) {
	if len(in) < 8 || binary.LittleEndian.Uint64(in) > uint64(len(in)-8) {
		return nil, fmt.Errorf("it is cut off")
	}
	size := int(binary.LittleEndian.Uint64(in))
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(in[8:8+size], &raw); err != nil {
		return nil, err
	}
	t := &tensors{entries: map[string]tensor{}, bytes: in[8+size:]}
	for name, entry := range raw {
		if name == "__metadata__" {
			continue
		}
		var e tensor
		if err := json.Unmarshal(entry, &e); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if e.Offsets[0] < 0 || e.Offsets[1] < e.Offsets[0] || e.Offsets[1] > len(t.bytes) {
			return nil, fmt.Errorf("%s: it does not fit", name)
		}
		t.entries[name] = e
		if strings.HasPrefix(name, "bert.") {
			t.prefix = "bert."
		}
	}
	return t, nil
}

// floats returns the numbers of a tensor of the given shape.
func (t *tensors) floats(name string, shape ...int) ([]float64, error) {
	e, ok := t.entries[t.prefix+name]
	if !ok {
		return nil, fmt.Errorf("there is no %s", t.prefix+name)
	}
	if !slices.Equal(e.Shape, shape) {
		return nil, fmt.Errorf("%s has the shape %v, expected %v", name, e.Shape, shape)
	}
	count := 1
	for _, n := range shape {
		count *= n
	}
	in, width := t.bytes[e.Offsets[0]:e.Offsets[1]], map[string]int{"F32": 4, "F16": 2, "BF16": 2}[e.Type]
	if width == 0 || len(in) != count*width {
		return nil, fmt.Errorf("%s: %d bytes of %s for %d numbers; F32, F16 and BF16 are read", name, len(in), e.Type, count)
	}
	list := make([]float64, count)
	for i := range list {
		switch e.Type {
		case "F32":
			list[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(in[4*i:])))
		case "BF16":
			list[i] = float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(in[2*i:])) << 16))
		default:
			list[i] = half(binary.LittleEndian.Uint16(in[2*i:]))
		}
		if math.IsNaN(list[i]) || math.IsInf(list[i], 0) {
			return nil, fmt.Errorf("%s: number %d is not finite", name, i)
		}
	}
	return list, nil
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
	*tensors
	err error
}

func (t *tensors) fill(m *model.Model) error {
	f, c := &filler{tensors: t}, &m.Config
	m.Words = f.matrix("embeddings.word_embeddings.weight", c.Pieces, c.Hidden)
	m.Places = f.matrix("embeddings.position_embeddings.weight", c.Positions, c.Hidden)
	m.Kinds = f.matrix("embeddings.token_type_embeddings.weight", c.Types, c.Hidden)
	m.AfterSum = f.norm("embeddings.LayerNorm", c.Hidden)
	for i := range c.Layers {
		name := fmt.Sprintf("encoder.layer.%d.", i)
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

func (f *filler) numbers(name string, shape ...int) []float64 {
	if f.err != nil {
		return nil
	}
	list, err := f.floats(name, shape...)
	f.err = err
	return list
}

func (f *filler) matrix(name string, rows, columns int) model.Matrix {
	list := f.numbers(name, rows, columns)
	if f.err != nil {
		return model.Matrix{}
	}
	m, err := matrixOf(list, rows)
	if err != nil {
		f.err = fmt.Errorf("%s: %w", name, err)
	}
	return m
}

func (f *filler) vector(name string, size int) []int32 {
	list := f.numbers(name, size)
	if f.err != nil {
		return nil
	}
	v, err := vectorOf(list)
	if err != nil {
		f.err = fmt.Errorf("%s: %w", name, err)
	}
	return v
}

// linear puts linear layers one below the other.
func (f *filler) linear(rows, columns int, names ...string) model.Linear {
	var l model.Linear
	for _, name := range names {
		m := f.matrix(name+".weight", rows, columns)
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
