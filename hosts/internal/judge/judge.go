// Package judge measures rankings by the judgements of people: which documents are
// relevant to a query, and how much.
//
// With r the grade of the document at rank i (from 1; 0 where it is not judged, and a
// grade below 0 counts as 0), for a query that has a relevant document:
//
//	ndcg@10     Σ r / log2(i + 1) over the first ten ranks, divided by the same of the best ranking possible
//	recall@10   relevant documents among the first ten / relevant documents
//	recall@100  likewise among the first hundred
//	mrr@10      1 / the rank of the first relevant document among the first ten, or 0
//
// A document is relevant where its grade is above 0; the gain is the grade itself (what
// trec_eval takes). A document counts once, at its first rank. Queries without a relevant
// document are left out. The figure of a set of queries is the mean of theirs.
//
// Figures are rounded to millionths, and compared so: a [Figure] that is lower by one
// millionth is not lower, since the last digit may differ between machines.
package judge

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Figure is a measure in millionths.
type Figure int64

const one Figure = 1_000_000

// String spells a figure with six decimals, which is also JSON.
func (f Figure) String() string {
	s := strconv.FormatInt(int64(f), 10)
	if n := 7 - len(s); n > 0 {
		s = strings.Repeat("0", n) + s
	}
	return s[:len(s)-6] + "." + s[len(s)-6:]
}

// Short spells it with four.
func (f Figure) Short() string {
	s := (f + 50).String()
	return s[:len(s)-2]
}

// Below reports whether f is lower than g.
func (f Figure) Below(g Figure) bool { return f+1 < g }

// Names of the measures, in the order of [Figures].
var Names = []string{"ndcg@10", "recall@10", "recall@100", "mrr@10"}

// Depth is how many documents of a ranking the measures look at.
const Depth = 100

// Figures are the measures of a query or of many, in the order of [Names].
type Figures [4]Figure

// Measure measures a ranking, a list of documents, the best first. It is not ok where no
// document is relevant.
func Measure(ranking []string, grades map[string]int) (f Figures, ok bool) {
	var best []int
	for _, grade := range grades {
		if grade > 0 {
			best = append(best, grade)
		}
	}
	if len(best) == 0 {
		return f, false
	}
	slices.SortFunc(best, func(a, b int) int { return b - a })
	var gains []int // by rank
	seen := map[string]bool{}
	for _, id := range ranking[:min(len(ranking), Depth)] {
		gain := max(grades[id], 0)
		if seen[id] {
			gain = 0
		}
		seen[id] = true
		gains = append(gains, gain)
	}
	relevant := float64(len(best))
	return Figures{
		figure(discounted(gains, 10) / discounted(best, 10)),
		figure(found(gains, 10) / relevant),
		figure(found(gains, 100) / relevant),
		figure(reciprocal(gains, 10)),
	}, true
}

func figure(x float64) Figure { return Figure(math.Round(x * float64(one))) }

func discounted(gains []int, k int) float64 {
	sum := 0.0
	for i, gain := range gains[:min(len(gains), k)] {
		sum += float64(gain) / math.Log2(float64(i+2))
	}
	return sum
}

func found(gains []int, k int) float64 {
	n := 0
	for _, gain := range gains[:min(len(gains), k)] {
		if gain > 0 {
			n++
		}
	}
	return float64(n)
}

func reciprocal(gains []int, k int) float64 {
	for i, gain := range gains[:min(len(gains), k)] {
		if gain > 0 {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// Mean returns the mean of figures, the zero Figures of none.
func Mean(list []Figures) (mean Figures) {
	if len(list) == 0 {
		return mean
	}
	n := Figure(len(list))
	for i := range mean {
		sum := n / 2
		for _, f := range list {
			sum += f[i]
		}
		mean[i] = sum / n
	}
	return mean
}

// A Floor is what a measure must reach.
type Floor struct {
	Measure int // its place in [Names]
	Least   Figure
}

// ParseFloor reads a floor, "ndcg@10=0.7".
func ParseFloor(text string) (Floor, error) {
	name, value, ok := strings.Cut(text, "=")
	name = strings.ToLower(strings.TrimSpace(name))
	i := slices.Index(Names, name)
	if i < 0 {
		sentence := "there is no measure " + json.Quote(name)
		if near := json.Nearest(name, Names); near != "" {
			sentence += ", did you mean " + json.Quote(near) + "?"
		} else {
			sentence += ", there are " + strings.Join(Names, ", ")
		}
		return Floor{}, &abi.Error{Code: abi.ArgumentUnknown, Sentence: sentence}
	}
	least, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if !ok || err != nil || !(least >= 0 && least <= 1) {
		return Floor{}, abi.Errorf(abi.ArgumentInvalid, "the floor of %s is %q, it must be between 0 and 1, as in %s=0.7", name, value, name)
	}
	return Floor{i, figure(least)}, nil
}
