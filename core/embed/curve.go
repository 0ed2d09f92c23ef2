package embed

import "math/bits"

// fraction is how many bits stand behind the point in the numbers of this package,
// where nothing else is said.
const fraction = 16

const one = 1 << fraction

// The curves are tables that are made when a program starts, by series in 60
// fractional bits, and read by straight lines between their places. TestCurves
// compares them with the functions.

// Of 2⁻ˣ from 0 to 1: places, and bits of what a place holds.
const (
	powerPlaces = 256
	powerBits   = 30
)

// powers are 2⁻ˣ at multiples of 1/powerPlaces, in units of 2⁻³⁰.
var powers = makePowers()

func makePowers() (t [powerPlaces + 1]uint32) {
	for i := range t {
		t[i] = uint32(round(expOf(ln2/powerPlaces*uint64(i)), 60-powerBits))
	}
	return t
}

// ln2 is the logarithm of 2 in units of 2⁻⁶⁰.
const ln2 = 0xb17217f7d1cf79b

// expOf returns e⁻ˣ for x below 1, both in units of 2⁻⁶⁰, by its series.
func expOf(x uint64) uint64 {
	sum, term := int64(1)<<60, uint64(1)<<60
	for n := uint64(1); term > 0; n++ {
		term = multiply60(term, x) / n
		if n%2 == 1 {
			sum -= int64(term)
		} else {
			sum += int64(term)
		}
	}
	return uint64(sum)
}

func multiply60(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi<<4 | lo>>60
}

// round returns x / 2ⁿ, rounded to the nearest.
func round(x uint64, n int) uint64 { return (x + 1<<(n-1)) >> n }

// fallen is from where on e⁻ˣ is 0 in units of 2⁻³⁰.
const fallen = 64 * one

// decay returns e⁻ˣ in units of 2⁻³⁰ for x ≤ fallen.
func decay(x uint32) uint32 {
	const log2e = 0x171547653 // in units of 2⁻³²
	t := uint64(x) * log2e >> 32
	at, rest := uint8(t>>8), uint32(t&0xff)
	v := powers[at] - (powers[at]-powers[int(at)+1])*rest>>8 // less than 2²² apart
	return v >> (t >> fraction)
}

// Of the curve of GELU: it is read from −gelus to gelus, in steps of 1/geluSteps;
// below it is 0, above it is x, to within a unit.
const (
	gelus     = 8
	geluSteps = 128
)

// bell is x·Φ(x) at multiples of 1/geluSteps from −gelus on, in units of 2⁻¹⁶, where
// Φ is the distribution of the normal law.
var bell = makeBell()

// makeBell sums up Φ by Simpson's rule from 0 on, over halves of a step.
func makeBell() (t [2*gelus*geluSteps + 1]int32) {
	const middle = gelus * geluSteps
	area := uint64(0) // of e^(−x²/2) from 0 to x, in units of 2⁻⁵²
	for i := range middle + 1 {
		if i > 0 {
			area += (height(2*i-2) + 4*height(2*i-1) + height(2*i)) / (6 * geluSteps)
		}
		// Φ(x) = ½ + area/√(2π), in units of 2⁻³²
		const perRoot = 0x662114cf // 1/√(2π) in units of 2⁻³²
		phi := 1<<31 + int64(area>>20*perRoot>>32)
		t[middle+i] = int32((int64(i)*one/geluSteps*phi + 1<<31) >> 32)
		t[middle-i] = int32((-int64(i)*one/geluSteps*(1<<32-phi) + 1<<31) >> 32)
	}
	return t
}

// height returns e^(−x²/2) at x = i/(2·geluSteps), in units of 2⁻⁵².
func height(i int) uint64 {
	const scale = 2 * (2 * geluSteps) * (2 * geluSteps)
	whole, rest := i*i/scale, uint64(i*i%scale)
	v := expOf((1 << 60) / scale * rest) // scale is a power of 2
	for range whole {
		v = multiply60(v, inverseE)
	}
	return v >> 8
}

// inverseE is 1/e in units of 2⁻⁶⁰.
var inverseE = multiply60(expOf(1<<59), expOf(1<<59))

// gelu returns x·Φ(x) for x between −2³⁰ and 2³⁰.
func gelu(x int32) int32 {
	const step = one / geluSteps
	u := uint32(x + gelus*one)
	if u >= 2*gelus*one {
		return max(x, 0)
	}
	at, rest := u/step, int32(u%step)
	a, b := bell[at], bell[at+1] // less than 2·step apart
	return a + ((b-a)*rest+step/2)/step
}
