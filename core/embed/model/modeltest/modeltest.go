// Package modeltest makes small models for tests.
package modeltest

import "github.com/rookhaven-project/rookhaven/core/embed/model"

// Config returns a configuration of a small model.
func Config() model.Config {
	return model.Config{
		Name: "tiny", Layers: 2, Heads: 2, Hidden: 64, Inner: 96, Positions: 40, Types: 2, Window: 32,
		Pieces: len(pieces), Pooling: model.PoolMean, Source: "modeltest", Licence: "Apache-2.0",
	}
}

var pieces = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "crane", "tide", "fog", "##s", "##gy", "a", "b", "c", "##a", "##b", "##c", ".", "新", "é"}

// Random returns a model whose numbers are drawn by of; of is told how large a
// number of its kind may be.
func Random(c model.Config, of func(most int64) int64) *model.Model {
	f := filler{of}
	m := &model.Model{Config: c, Vocabulary: pieces}
	m.Words, m.Places, m.Kinds = f.matrix(c.Pieces, c.Hidden), f.matrix(c.Positions, c.Hidden), f.matrix(c.Types, c.Hidden)
	m.AfterSum = f.norm(c.Hidden)
	for range c.Layers {
		m.LayerList = append(m.LayerList, model.Layer{
			Attend: f.linear(3*c.Hidden, c.Hidden), Joined: f.linear(c.Hidden, c.Hidden), AfterA: f.norm(c.Hidden),
			Widen: f.linear(c.Inner, c.Hidden), Narrow: f.linear(c.Hidden, c.Inner), AfterWN: f.norm(c.Hidden),
		})
	}
	return m
}

// Ordinary draws numbers as those of encoders are; the same seed, the same numbers.
func Ordinary(seed uint64) func(most int64) int64 {
	return func(most int64) int64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		if most == 127 {
			return int64(seed>>33)%255 - 127
		}
		return int64(seed >> 42)
	}
}

type filler struct{ of func(most int64) int64 }

func (f filler) matrix(rows, columns int) model.Matrix {
	m := model.Matrix{Rows: rows, Columns: columns, Weights: make([]int8, rows*columns), Scales: make([]uint32, rows)}
	for i := range m.Weights {
		m.Weights[i] = int8(f.of(127))
	}
	for i := range m.Scales {
		m.Scales[i] = uint32(f.of(1<<32 - 1))
	}
	return m
}

func (f filler) vector(size int) []int32 {
	v := make([]int32, size)
	for i := range v {
		v[i] = int32(f.of(1<<31 - 1))
	}
	return v
}

func (f filler) linear(rows, columns int) model.Linear {
	return model.Linear{Matrix: f.matrix(rows, columns), Bias: f.vector(rows)}
}

func (f filler) norm(size int) model.Norm {
	return model.Norm{Gain: f.vector(size), Shift: f.vector(size)}
}
