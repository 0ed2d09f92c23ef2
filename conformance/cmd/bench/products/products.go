// Package products does the matrix products of the built-in model and nothing else:
// what an encoder would reach that lost no time between them.
package products

import "github.com/rookhaven-project/rookhaven/core/embed/kernel"

// What the built-in model is, and the most tokens of a window.
const (
	layers, heads, hidden, inner = 6, 12, 384, 1536

	size   = hidden / heads
	Window = 256
)

// Count returns how many products a window of n tokens takes.
func Count(n int) int { return layers * n * hidden * (4*hidden + 2*inner + 2*n) }

// Matrices are weights and what is multiplied with them. Their numbers mean nothing.
type Matrices struct {
	layers [layers]struct{ attend, joined, widen, narrow []int8 }
	wide   []int16
	sums   []int32
}

// New makes them, of layers that lie apart as those of a model do.
func New() *Matrices {
	m := &Matrices{wide: make([]int16, Window*inner), sums: make([]int32, Window*inner)}
	for i := range m.wide {
		m.wide[i] = int16(i % 255)
	}
	for i := range m.layers {
		l := &m.layers[i]
		for _, w := range []struct {
			of   *[]int8
			size int
		}{{&l.attend, 3 * hidden * hidden}, {&l.joined, hidden * hidden}, {&l.widen, inner * hidden}, {&l.narrow, hidden * inner}} {
			*w.of = make([]int8, w.size)
			for j := range *w.of {
				(*w.of)[j] = int8(j % 127)
			}
		}
	}
	return m
}

// Multiply does the products of a window of n tokens.
func (m *Matrices) Multiply(n int) {
	for i := range m.layers {
		l := &m.layers[i]
		m.linear(n, l.attend, 3*hidden, hidden)
		for range heads {
			m.attend(n)
		}
		m.linear(n, l.joined, hidden, hidden)
		m.linear(n, l.widen, inner, hidden)
		m.linear(n, l.narrow, hidden, inner)
	}
}

func (m *Matrices) linear(n int, w []int8, rows, k int) {
	kernel.Multiply(m.sums[:n*rows], m.wide[:n*k], w, n, rows, k)
}

// attend does those of a head, whose values are filled up to what the kernel takes.
func (m *Matrices) attend(n int) {
	filled := (n + 31) &^ 31
	kernel.MultiplyWide(m.sums[:n*n], m.wide[:n*size], m.wide[n*size:][:n*size], n, n, size)
	kernel.MultiplyWide(m.sums[:n*size], m.wide[:n*filled], m.wide[:size*filled], n, size, filled)
}
