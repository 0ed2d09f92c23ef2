package main

import (
	"cmp"
	"slices"

	"github.com/rookhaven-project/rookhaven/core/vector"
)

// candidates is how many passages the vector leg works out the cosine of, at least
// (wasm/ABI.md §3.5).
const candidates = 2000

// recallOf returns how many of the ten documents nearest to each query are among those that
// differ from it in the fewest signs, at least enough of them: what the vector leg finds of
// what brute force does.
func recallOf(documents, queries [][]float64, enough int64) float64 {
	codes := make([][]bool, len(documents))
	for i, d := range documents {
		codes[i] = signs(d)
	}
	found, asked := 0, 0
	for _, q := range queries {
		distances, h := make([]int, len(documents)), make(vector.Histogram, len(q)+1)
		for i, code := range signs(q) {
			for j := range codes {
				if codes[j][i] != code {
					distances[j]++
				}
			}
		}
		order, scores := make([]int, len(documents)), make([]float64, len(documents))
		for j, d := range documents {
			h[distances[j]]++
			order[j], scores[j] = j, dot(q, d)
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		reach := h.Reach(enough)
		for _, j := range order[:min(10, len(order))] {
			asked++
			if distances[j] <= reach {
				found++
			}
		}
	}
	return float64(found) / float64(max(asked, 1))
}

func signs(v []float64) []bool {
	code := make([]bool, len(v))
	for i, x := range v {
		code[i] = x < 0
	}
	return code
}
