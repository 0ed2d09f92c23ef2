// Package budget shares a recall budget between the needs of a query.
//
// Shares are by largest remainder (Hamilton's method): each need first gets
// the floor of total·weight/sum of weights, then the slots that are left go
// one by one to the largest remainders; equal remainders are ordered by a draw
// for each need, ascending, then by the need's index. When every weight is 0
// each counts as 1. The slots always add up to the total: see TestSplitSums.
//
// Represent then moves slots so that no need stays without one, where there
// are enough. It looks at nothing but the slots, so budgets depend on the
// request alone and never on what a corpus holds.
package budget

import (
	"cmp"
	"math/bits"
	"slices"
)

// Split shares total slots between weights by largest remainder; draws break
// ties, one for each weight.
func Split(total int64, weights []int64, draws []uint32) []int64 {
	sum := int64(0)
	for _, w := range weights {
		sum += w
	}
	if sum == 0 {
		weights = slices.Repeat([]int64{1}, len(weights))
		sum = int64(len(weights))
	}
	slots := make([]int64, len(weights))
	remainders := make([]int64, len(weights))
	left := total
	for i, w := range weights {
		slots[i], remainders[i] = share(total, w, sum)
		left -= slots[i]
	}
	for _, i := range byRemainder(remainders, draws)[:left] {
		slots[i]++
	}
	return slots
}

// share returns the quotient and the remainder of total·w / sum.
func share(total, w, sum int64) (int64, int64) {
	hi, lo := bits.Mul64(uint64(total), uint64(w))
	q, r := bits.Div64(hi, lo, uint64(sum)) // w ≤ sum, so the quotient is at most total
	return int64(q), int64(r)
}

// byRemainder returns the indices by descending remainder, then ascending
// draw, then index.
func byRemainder(remainders []int64, draws []uint32) []int {
	order := make([]int, len(remainders))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(remainders[b], remainders[a]),
			cmp.Compare(draws[a], draws[b]),
			cmp.Compare(a, b),
		)
	})
	return order
}

// Represent gives each need without a slot, in the needs' order, one from the
// need that has most (of several, the later), when there are at least as many
// slots as needs. It changes slots in place.
func Represent(slots []int64) {
	total := int64(0)
	for _, s := range slots {
		total += s
	}
	if total < int64(len(slots)) {
		return
	}
	for i := range slots {
		if slots[i] == 0 {
			slots[richest(slots)]--
			slots[i] = 1
		}
	}
}

func richest(slots []int64) int {
	best := 0
	for i, s := range slots {
		if s >= slots[best] {
			best = i
		}
	}
	return best
}
