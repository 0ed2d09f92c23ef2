package model

import (
	"encoding/binary"

	"github.com/rookhaven-project/rookhaven/core/internal/sha256"
)

const (
	magic     = "rh.rkm\x00"
	sealedAt  = len(magic) + 1 + 8 // where the digest is
	headSize  = sealedAt + sha256.Size
	alignment = 64
)

// Encode returns the bytes of a model. The same model gives the same bytes.
func Encode(m *Model) []byte {
	out := append(append([]byte(magic), Version), make([]byte, 8+sha256.Size)...)
	config := m.append(nil)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(config)))
	out = append(out, config...)
	for _, piece := range m.Vocabulary {
		out = append(append(out, piece...), '\n')
	}
	e := encoder{out}
	m.walk(&e)
	out = e.out
	binary.LittleEndian.PutUint64(out[len(magic)+1:], uint64(len(out)))
	digest := sha256.Sum256(out[headSize:])
	copy(out[sealedAt:], digest[:])
	return out
}

// A visitor sees the tensors of a model in the order of the file.
type visitor interface {
	matrix(m *Matrix, rows, columns int)
	vector(v *[]int32, size int)
}

// walk shows a visitor all tensors with the sizes that the configuration gives them.
func (m *Model) walk(v visitor) {
	c := &m.Config
	linear := func(l *Linear, rows, columns int) {
		v.matrix(&l.Matrix, rows, columns)
		v.vector(&l.Bias, rows)
	}
	norm := func(n *Norm) {
		v.vector(&n.Gain, c.Hidden)
		v.vector(&n.Shift, c.Hidden)
	}
	v.matrix(&m.Words, c.Pieces, c.Hidden)
	v.matrix(&m.Places, c.Positions, c.Hidden)
	v.matrix(&m.Kinds, c.Types, c.Hidden)
	norm(&m.AfterSum)
	for i := range m.LayerList {
		l := &m.LayerList[i]
		linear(&l.Attend, 3*c.Hidden, c.Hidden)
		linear(&l.Joined, c.Hidden, c.Hidden)
		norm(&l.AfterA)
		linear(&l.Widen, c.Inner, c.Hidden)
		linear(&l.Narrow, c.Hidden, c.Inner)
		norm(&l.AfterWN)
	}
}

type encoder struct{ out []byte }

func (e *encoder) align(to int) {
	for len(e.out)%to != 0 {
		e.out = append(e.out, 0)
	}
}

func (e *encoder) matrix(m *Matrix, rows, columns int) {
	if m.Rows != rows || m.Columns != columns || len(m.Weights) != rows*columns || len(m.Scales) != rows {
		panic("model: BUG: a matrix of another size than its configuration's")
	}
	e.align(alignment)
	for _, w := range m.Weights {
		e.out = append(e.out, byte(w))
	}
	e.align(4)
	for _, s := range m.Scales {
		e.out = binary.LittleEndian.AppendUint32(e.out, s)
	}
}

func (e *encoder) vector(v *[]int32, size int) {
	if len(*v) != size {
		panic("model: BUG: a vector of another size than its configuration's")
	}
	e.align(alignment)
	for _, n := range *v {
		e.out = binary.LittleEndian.AppendUint32(e.out, uint32(n))
	}
}
