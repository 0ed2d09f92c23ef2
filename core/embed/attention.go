package embed

import (
	"github.com/rookhaven-project/rookhaven/core/embed/kernel"
	"github.com/rookhaven-project/rookhaven/core/embed/model"
)

// heads hold what attention computes of one head at a time.
type heads struct {
	hidden, size   int // channels in all, and of a head
	limit          int32
	perRoot        factor  // 1/√size: a product of a query and a key is made smaller by it
	queries, keys  []int16 // a row for each token
	values         []int16 // a row for each channel
	byQuery, byKey []factor

	keyShift, keySpread    int // of the keys' factors, see level
	keyMantissas, keyParts []int32
	shares                 []int16 // a row for each token: how much of each other it takes

	logits          []int32
	channels, joint []int32
}

func newHeads(window int, c *model.Config) heads {
	size := c.Hidden / c.Heads
	h := heads{
		hidden: c.Hidden, size: size, limit: limitOfHeads(size), perRoot: factor{0x5a82799a, 33},
		queries: make([]int16, window*size), keys: make([]int16, window*size), values: make([]int16, size*padded(window)),
		byQuery: make([]factor, window), byKey: make([]factor, window),
		shares:       make([]int16, window*max(size, padded(window))),
		logits:       make([]int32, window),
		keyMantissas: make([]int32, window), keyParts: make([]int32, window),
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

// attend lets every token of a window take from the others. What the heads give is
// joined.
func (e *Encoder) attend() error {
	n := len(e.ids)
	for head := range e.model.Heads {
		e.heads.attend(e.sums, e.wide, n, head)
		if err := e.meter.Add(n * n * (2*e.heads.size/stepProducts + 4)); err != nil {
			return err
		}
	}
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
	h.level(n)
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

// level prepares the keys' factors for [kernel.Logits], which shifts all by the least of
// their shifts, and by the rest as a part.
func (h *heads) level(n int) {
	least, most := 1<<30, 0
	for _, f := range h.byKey[:n] {
		if f.mantissa > 0 {
			least, most = min(least, f.shift), max(most, f.shift)
		}
	}
	h.keyShift, h.keySpread = least+fraction-31, max(most-least, 0) // −31 as in times
	for u, f := range h.byKey[:n] {
		h.keyMantissas[u], h.keyParts[u] = int32(f.mantissa), int32(1<<30>>min(uint(max(f.shift-least, 0)), 30))
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
	logits := h.logits[:len(products)]
	greatest := h.compare(logits, products, byQuery)
	powers, sum := logits, uint64(0)
	for u, logit := range logits {
		p := decay(uint32(min(greatest-logit, fallen)))
		powers[u] = int32(p)
		sum += uint64(p)
	}
	// sum ≥ 2³⁰: that of the greatest is 2³⁰
	kernel.Quantize(out, powers, int64(1<<62/sum), powerBits-shareBits)
}

// compare sets out to what products stand for, and returns the greatest. Sums of shifts
// that are above 63 are for anyLogits, which takes them modulo 64.
func (h *heads) compare(out, products []int32, byQuery factor) (greatest int32) {
	if shift := byQuery.shift + h.keyShift; h.keySpread <= 30 && shift+h.keySpread < 64 {
		greatest, ok := kernel.Logits(out, products, int32(byQuery.mantissa), shift, h.keyMantissas, h.keyParts)
		if ok {
			return greatest
		}
	}
	return h.anyLogits(out, products, byQuery)
}

// anyLogits does what [kernel.Logits] does, for all factors: less the greatest, and at least
// −fallen, so that they fit.
func (h *heads) anyLogits(out, products []int32, byQuery factor) (greatest int32) {
	most := int64(-1 << 62)
	for u, key := range h.byKey[:len(products)] {
		most = max(most, logit(products[u], byQuery.times(key)))
	}
	for u, key := range h.byKey[:len(products)] {
		out[u] = int32(max(logit(products[u], byQuery.times(key))-most, -fallen))
	}
	return 0
}

func logit(product int32, by factor) int64 {
	return int64(product) * by.mantissa >> (uint(by.shift+fraction) & 63)
}
