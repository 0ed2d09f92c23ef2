// Package vector finds the vectors that are nearest to another by the cosine.
//
// A vector has components of signed bytes, as package embed gives them; their scale
// does not matter. Beside it stands a code of its signs, one bit for each component.
// The number of signs in which two vectors differ, their distance, grows with the angle
// between them, and takes a hundredth of the time of a product; so it chooses the
// candidates, and the cosine ranks them exactly.
//
// How many candidates there are does not depend on how vectors lie in sets: each set
// counts its vectors by distance ([Scan.Histogram]), the sums of all sets say up to
// which distance there are enough ([Histogram.Reach]), and every vector up to it is a
// candidate, in whichever set (TestLayoutFree). A candidate's score is the cosine in
// nano-units, rounded half away from 0 from the exact value.
package vector

import (
	"math/bits"

	"github.com/rookhaven-project/rookhaven/core/internal/fixed"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
)

// A Vector is one that others are compared with: it has its code and its squared length.
type Vector struct {
	components []int8
	code       []uint64
	norm       uint64
}

// Of returns a Vector. It shares the memory of the components.
func Of(components []int8) Vector {
	v := Vector{components: components, code: make([]uint64, words(len(components)))}
	for i, n := range components {
		v.norm += uint64(int64(n) * int64(n))
		v.code[i>>6] |= uint64(uint8(n)>>7) << (i & 63)
	}
	return v
}

// Components returns the components.
func (v *Vector) Components() []int8 { return v.components }

// Dimensions returns how many components there are.
func (v *Vector) Dimensions() int { return len(v.components) }

func words(dimensions int) int { return (dimensions + 63) / 64 }

// A Set holds vectors of one dimension, by numbers from 0 on.
type Set struct {
	dimensions int
	components []byte
	codes      []uint64
	norms      []uint32
}

// NewSet returns the Set of vectors that lie one after the other, a signed byte for
// each component; it shares their memory. It fails when the meter says so.
func NewSet(dimensions int, components []byte, m *meter.Meter) (*Set, error) {
	n, w := len(components)/dimensions, words(dimensions)
	s := &Set{dimensions: dimensions, components: components, codes: make([]uint64, n*w), norms: make([]uint32, n)}
	for i := range n {
		code, norm := s.codes[i*w:][:w], uint32(0)
		for j, b := range s.vector(i) {
			c := int32(int8(b))
			norm += uint32(c * c)
			code[j>>6] |= uint64(b>>7) << (j & 63)
		}
		s.norms[i] = norm
		if err := m.Add(dimensions); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Bytes returns how much memory a Set of so many vectors takes beside their components.
func Bytes(dimensions, vectors int) int64 { return int64(vectors) * int64(8*words(dimensions)+4) }

// Len returns how many vectors there are.
func (s *Set) Len() int { return len(s.norms) }

func (s *Set) vector(i int) []byte { return s.components[i*s.dimensions:][:s.dimensions] }

// Score returns the cosine of a vector and another, in nano-units.
func (s *Set) Score(query *Vector, i int) fixed.Score {
	v, dot := s.vector(i), int32(0)
	for j, n := range query.components[:len(v)] {
		dot += int32(n) * int32(int8(v[j]))
	}
	if dot < 0 {
		return -fixed.Cosine(uint64(-int64(dot)), query.norm, uint64(s.norms[i]))
	}
	return fixed.Cosine(uint64(dot), query.norm, uint64(s.norms[i]))
}

// A Scan has the distances of a set's vectors from another.
type Scan struct {
	set       *Set
	query     *Vector
	distances []uint16
	histogram Histogram
}

// absent is the distance of a vector that is not allowed.
const absent = 1<<16 - 1

// Scan measures the distances of the vectors that are allowed, all where that is nil.
// It fails when the meter says so.
func (s *Set) Scan(query *Vector, allowed []uint64, m *meter.Meter) (*Scan, error) {
	const run = 1 << 12
	scan := &Scan{set: s, query: query, distances: make([]uint16, s.Len()), histogram: make(Histogram, s.dimensions+1)}
	for from := 0; from < s.Len(); from += run {
		to := min(from+run, s.Len())
		scan.measure(from, to, allowed)
		if err := m.Add((to - from) * (2 + len(query.code))); err != nil {
			return nil, err
		}
	}
	return scan, nil
}

func (c *Scan) measure(from, to int, allowed []uint64) {
	code := c.query.code
	codes := c.set.codes[from*len(code):]
	for i := from; i < to; i++ {
		d := 0
		for j, w := range codes[:len(code)] {
			d += bits.OnesCount64(w ^ code[j])
		}
		codes = codes[len(code):]
		if allowed != nil && allowed[i>>6]>>(i&63)&1 == 0 {
			c.distances[i] = absent
			continue
		}
		c.distances[i] = uint16(d)
		c.histogram[d]++
	}
}

// Histogram returns how many allowed vectors there are at each distance.
func (c *Scan) Histogram() Histogram { return c.histogram }

// Within reports whether a vector is allowed and up to a distance.
func (c *Scan) Within(i, reach int) bool {
	return int(c.distances[i]) <= reach && c.distances[i] != absent
}

// Each yields the vectors up to a distance with their scores, by ascending numbers.
func (c *Scan) Each(reach int, m *meter.Meter, yield func(i int, score fixed.Score)) error {
	for i := range c.distances {
		if !c.Within(i, reach) {
			continue
		}
		yield(i, c.set.Score(c.query, i))
		if err := m.Add(c.set.dimensions); err != nil {
			return err
		}
	}
	return nil
}

// A Histogram counts vectors by distance, from 0 to the dimension.
type Histogram []int64

// Add adds up histograms of the same dimension.
func (h Histogram) Add(other Histogram) {
	for d, n := range other {
		h[d] += n
	}
}

// Reach returns the least distance up to which there are at least so many vectors, the
// greatest there is where there are fewer.
func (h Histogram) Reach(enough int64) int {
	sum := int64(0)
	for d, n := range h {
		if sum += n; sum >= enough {
			return d
		}
	}
	return len(h) - 1
}
