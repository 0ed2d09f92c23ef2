package embed

import (
	"github.com/rookhaven-project/rookhaven/core/embed/kernel"
	"github.com/rookhaven-project/rookhaven/core/embed/model"
)

// heads hold what attention computes of one head at a time.
type heads struct {
	hidden, size    int // channels in all, and of a head
	limit           int32
	perRoot         factor  // 1/√size: a product of a query and a key is made smaller by it
	queries, keys   []int16 // a row for each token
	values          []int16 // a row for each channel
	byQuery, byKey  []factor
	shares          []int16 // a row for each token: how much of each other it takes
	powers          []uint64
	channels, joint []int32
}

func newHeads(window int, c *model.Config) heads {
	size := c.Hidden / c.Heads
	h := heads{
		hidden: c.Hidden, size: size, limit: limitOfHeads(size), perRoot: factor{0x5a82799a, 33},
		queries: make([]int16, window*size), keys: make([]int16, window*size), values: make([]int16, size*padded(window)),
		byQuery: make([]factor, window), byKey: make([]factor, window),
		shares: make([]int16, window*max(size, padded(window))), powers: make([]uint64, window),
		channels: make([]int32, size*window), joint: make([]int32, window*c.Hidden),
	}
	if size == 64 {
		h.perRoot = factor{1 << 30, 33}
	}
	return h
}

// padded returns the next multiple of what a kernel takes at once.
func padded(n int) int { return (n + 31) &^ 31 }

// shareBits are those of a share: all of a token's add up to 2¹⁴, but for what
// rounding adds, at most half for each.
const shareBits = 14

// attend lets every token of a window take from the others: wide has of each its
// queries, keys and values, and gets what the heads give, joined.
func (e *Encoder) attend(wide []int32) error {
	n := len(e.ids)
	for head := range e.model.Heads {
		e.heads.attend(e.sums, wide, n, head)
		if err := e.meter.Add(n * n * (2*e.heads.size/stepProducts + 4)); err != nil {
			return err
		}
	}
	copy(wide, e.heads.joint[:n*e.model.Hidden])
	return nil
}

func (h *heads) attend(sums, wide []int32, n, head int) {
	hidden, size := h.hidden, h.size
	width, row := padded(n), 3*hidden
	for t := range n {
		at := wide[t*row+head*size:]
		h.byQuery[t] = quantize(h.queries[t*size:], at[:size], h.limit).times(h.perRoot)
		h.byKey[t] = quantize(h.keys[t*size:], at[hidden:][:size], h.limit)
		copy(h.channels[t*size:], at[2*hidden:][:size])
	}
	byValue := h.quantizeValues(n, width)

	kernel.MultiplyWide(sums[:n*n], h.queries[:n*size], h.keys[:n*size], n, n, size)
	shares := h.shares[:n*width]
	clear(shares)
	for t := range n {
		h.softmax(shares[t*width:], sums[t*n:(t+1)*n], h.byQuery[t])
	}
	kernel.MultiplyWide(sums[:n*size], shares, h.values[:size*width], n, size, width)
	for t := range n {
		to := h.joint[t*hidden+head*size:][:size]
		for i, sum := range sums[t*size : (t+1)*size] {
			to[i] = clamp(int64(sum) * byValue.mantissa >> uint(byValue.shift+shareBits))
		}
	}
}

// quantizeValues makes rows of the channels' values, with one factor for all.
func (h *heads) quantizeValues(n, width int) factor {
	size := h.size
	by := quantize(h.shares, h.channels[:n*size], limitOfValues) // the shares come later
	values := h.values[:size*width]
	clear(values)
	for t := range n {
		for i := range size {
			values[i*width+t] = h.shares[t*size+i]
		}
	}
	return by
}

// softmax turns products of a query with all keys into shares.
func (h *heads) softmax(out []int16, products []int32, byQuery factor) {
	greatest := int64(-1 << 62)
	logits := h.powers[:len(products)]
	for u, key := range h.byKey[:len(products)] {
		by := byQuery.times(key)
		logit := int64(products[u]) * by.mantissa >> (uint(by.shift+fraction) & 63)
		logits[u] = uint64(logit)
		greatest = max(greatest, logit)
	}
	sum := uint64(0)
	for u := range logits {
		p := decay(uint64(greatest - int64(logits[u])))
		logits[u] = p
		sum += p
	}
	inverse := uint64(1<<62) / sum // sum ≥ 2³⁰: that of the greatest is 2³⁰
	out = out[:len(logits)]
	for u, p := range logits {
		out[u] = int16((p*inverse + 1<<47) >> 48)
	}
}
