package embed

import (
	"math/bits"

	"github.com/rookhaven-project/rookhaven/core/embed/kernel"
	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/core/internal/fixed"
)

// limitOf bounds activations whose products of so many with weights, which are at most
// 128 in size, have a sum below 2³¹.
func limitOf(columns int) int32 { return int32(min(8191, (1<<31-1)/(128*columns))) }

// limitOfHeads bounds queries and keys likewise: as many as a head has channels are
// multiplied with one another.
func limitOfHeads(size int) int32 {
	return int32(min(8191, fixed.Sqrt((1<<31-1)/uint64(size))))
}

// limitOfValues bounds values: they are multiplied with shares, which add up to little
// more than 2¹⁴.
const limitOfValues = 8191

// bound bounds what is in units of 2⁻¹⁶ between the steps: 512 in size, so that the
// sum of 1,024 squares stays below 2⁶⁴.
const bound = kernel.Bound

func clamp(x int64) int32 { return int32(min(max(x, -bound), bound)) }

// A factor is a positive number as mantissa/2^shift, the mantissa from 2³⁰ on and below
// 2³¹, or nothing at all.
type factor struct {
	mantissa int64
	shift    int
}

// factorOf returns greatest/limit, which is what a quantized number stands for.
func factorOf(greatest, limit int32) factor {
	if greatest == 0 {
		return factor{}
	}
	up := 62 - bits.Len32(uint32(greatest))
	q := int64(greatest) << up / int64(limit)
	down := bits.Len64(uint64(q)) - 31
	return factor{q >> down, up - down}
}

// times returns f·g.
func (f factor) times(g factor) factor {
	return factor{f.mantissa * g.mantissa >> 31, f.shift + g.shift - 31}
}

// quantize writes a run of numbers as integers of at most limit in size, and returns
// what one of them stands for. With g the greatest, g·⌊limit·2³²/g⌋ + 2³¹ is below
// (limit+1)·2³², so none exceeds the limit.
func quantize(out []int16, x []int32, limit int32) factor {
	greatest := kernel.Greatest(x)
	if greatest == 0 {
		clear(out[:len(x)])
		return factor{}
	}
	kernel.Quantize(out, x, int64(limit)<<32/int64(greatest), 0)
	return factorOf(greatest, limit)
}

// scale sets out to what the sums of a token stand for: sum·f·scale/2³² and the bias, by
// row.
func (f factor) scale(out, sums []int32, l *model.Linear) {
	kernel.Scale(out, sums, int32(f.mantissa), (f.shift+1)&63, l.Scales[:len(sums)], l.Bias[:len(sums)])
}
