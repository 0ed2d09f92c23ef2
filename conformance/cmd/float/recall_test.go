package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

// With all documents as candidates nothing is lost; with few, of vectors whose signs say
// nothing, most is.
func TestRecallOf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	draw := func(n int) [][]float64 {
		list := make([][]float64, n)
		for i := range list {
			list[i] = make([]float64, 32)
			for j := range list[i] {
				list[i][j] = 1 + r.Float64() // all signs are alike
			}
			list[i][0] = math.Copysign(list[i][0], r.Float64()-.5)
		}
		return list
	}
	documents, queries := draw(300), draw(20)
	if got := recallOf(documents, queries, 300); got != 1 {
		t.Errorf("of all: %f", got)
	}
	if got := recallOf(documents, queries, 1); got < .5 || got >= 1 {
		t.Errorf("of those with the same signs: %f", got)
	}
	if got := recallOf(nil, queries, 1); got != 0 {
		t.Errorf("of none: %f", got)
	}
}
