package ir

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// A Run holds for each query id the ids of documents, best first.
type Run map[string][]string

// Measures are what one query, or the mean query, reached. Each lies in [0, 1].
type Measures struct {
	NDCG10, R10, R100, MRR10 float64
}

// An Evaluation holds the measures of each query that has a relevant document,
// in the order of the collection, and their mean.
type Evaluation struct {
	Queries []string
	Each    []Measures
	Mean    Measures
}

// NDCG10 returns the nDCG@10 of each query, for [Randomise].
func (e Evaluation) NDCG10() []float64 {
	list := make([]float64, len(e.Each))
	for i, m := range e.Each {
		list[i] = m.NDCG10
	}
	return list
}

// Evaluate measures a run against the judgements.
func (c *Collection) Evaluate(run Run) Evaluation {
	var e Evaluation
	for _, q := range c.Queries {
		if ideal := gains(c.Qrels[q.ID]); len(ideal) > 0 {
			e.Queries = append(e.Queries, q.ID)
			e.Each = append(e.Each, measure(run[q.ID], c.Qrels[q.ID], ideal))
		}
	}
	for _, m := range e.Each {
		e.Mean.NDCG10 += m.NDCG10
		e.Mean.R10 += m.R10
		e.Mean.R100 += m.R100
		e.Mean.MRR10 += m.MRR10
	}
	if n := float64(len(e.Each)); n > 0 {
		e.Mean = Measures{e.Mean.NDCG10 / n, e.Mean.R10 / n, e.Mean.R100 / n, e.Mean.MRR10 / n}
	}
	return e
}

// gains returns the positive grades, highest first.
func gains(grades map[string]int) []int {
	var list []int
	for _, grade := range grades {
		if grade > 0 {
			list = append(list, grade)
		}
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Compare(b, a) })
	return list
}

func measure(ranked []string, grades map[string]int, ideal []int) Measures {
	var m Measures
	seen := map[string]bool{}
	for i, id := range ranked[:min(len(ranked), 100)] {
		gain := grades[id]
		if gain <= 0 || seen[id] {
			continue
		}
		seen[id] = true
		m.R100++
		if i >= 10 {
			continue
		}
		m.R10++
		m.NDCG10 += discounted(gain, i)
		if m.MRR10 == 0 {
			m.MRR10 = 1 / float64(i+1)
		}
	}
	best := 0.0
	for i, gain := range ideal[:min(len(ideal), 10)] {
		best += discounted(gain, i)
	}
	m.NDCG10 /= best
	m.R10 /= float64(len(ideal))
	m.R100 /= float64(len(ideal))
	return m
}

// discounted returns what a gain is worth at index i, the first being 0.
func discounted(gain, i int) float64 { return float64(gain) / math.Log2(float64(i+2)) }

// Randomise returns the two-sided p-value of a paired randomisation test: of
// rounds random exchanges of a's and b's values, query by query, the share
// whose absolute difference of means is at least the one seen. The seen one
// counts as one of them, so p is at least 1/(rounds+1). a and b are of the
// same queries in the same order.
func Randomise(a, b []float64, rounds int, seed uint64) float64 {
	if len(a) != len(b) {
		panic("ir: BUG: two runs of different queries")
	}
	differences, seen := make([]float64, len(a)), 0.0
	for i := range a {
		differences[i] = a[i] - b[i]
		seen += differences[i]
	}
	const rounding = 1e-9 // sums of the same numbers in other signs differ by less
	random, extreme := rand.New(rand.NewPCG(seed, 0)), 1
	for range rounds {
		sum, bits := 0.0, uint64(0)
		for i, d := range differences {
			if i%64 == 0 {
				bits = random.Uint64()
			}
			if bits&1 != 0 {
				d = -d
			}
			bits >>= 1
			sum += d
		}
		if math.Abs(sum) >= math.Abs(seen)-rounding {
			extreme++
		}
	}
	return float64(extreme) / float64(rounds+1)
}
