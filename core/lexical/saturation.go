package lexical

import "math/bits"

// Params are the constants of a profile, in thousandths where they are fractions.
type Params struct {
	K1, B          uint64 // of BM25
	Presence       uint64 // what a term adds to its part for occurring at all
	Title, Heading uint32 // how often an occurrence there counts, against one in the body
	Stems          bool   // words meet by their stems
	Stops          bool   // stop words count as other words do
	Exact          int64  // weight of a word as it is spelt, beside that of its stem
	Whole          int64  // weight of an identifier
	Part           int64  // weight of its parts, where it stands among other words
}

// Statistics say of the live chunks of a whole generation how many there are and
// how long they are together, as scores measure length.
type Statistics struct{ Chunks, Length int64 }

// The scale of saturations, and the counts and lengths that a table holds.
const (
	scaleBits  = 24
	tableCount = 1 << 6
	lengthBits = 10
	tableSize  = tableCount << lengthBits
)

// A saturation gives what a count in a chunk of some length is worth:
//
//	(k1 + 1)·count / (count + k1·(1 − b + b·length/average)) + presence
//
// as an integer of 2⁻²⁴, rounded down, with the average in units of 2⁻¹⁶. It
// remembers those that are asked for often.
type saturation struct {
	params  Params
	average uint64
	table   [tableSize]uint32 // count<<lengthBits | length; 0: not asked for yet
}

func newSaturation(p Params, s Statistics) *saturation {
	average := uint64(1)
	if s.Chunks > 0 && s.Length > 0 {
		hi, lo := bits.Mul64(uint64(s.Length), 1<<16)
		average, _ = bits.Div64(hi, lo, max(uint64(s.Chunks), hi+1))
	}
	return &saturation{params: p, average: max(average, 1)}
}

// of returns the worth of a count above 0.
func (s *saturation) of(count, length uint32) uint32 {
	if count >= tableCount || length >= 1<<lengthBits {
		return s.compute(count, length)
	}
	at := &s.table[count<<lengthBits|length]
	if *at == 0 {
		*at = s.compute(count, length)
	}
	return *at
}

func (s *saturation) compute(count, length uint32) uint32 {
	p, c := s.params, uint64(count)
	top := c * (1000 + p.K1) * s.average
	bottom := c*1000*s.average + p.K1*((1000-p.B)*s.average+p.B*uint64(length)<<16)/1000
	q, _ := bits.Div64(top>>(64-scaleBits), top<<scaleBits, bottom)
	return uint32(q + p.Presence<<scaleBits/1000)
}
