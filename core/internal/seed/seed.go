// Package seed makes the pseudo-random keys that break ties: the same for the
// same seed and query on every machine, and unrelated between the streams.
//
// A string becomes four words by cyrb128, whose first word starts mulberry32;
// both are public-domain generators by bryc and Tommy Ettinger. Strings are
// read as UTF-16 code units, as JavaScript reads them, so that the keys are
// those of the earlier system: its published vectors are in TestVectors.
//
// A seed and a query give two streams. The rank stream gives each document a
// key by its stable key, wherever the document lies; the alloc stream gives
// one draw after the other. Their hashed texts begin with different tags, so
// changing one never moves the other: see TestStreamsAreIndependent.
package seed

import "unicode/utf8"

// separator stands between the parts of a hashed text. Lengths stand before
// the seed and the query, so no two pairs of them run together.
const separator = 0x1f

// state is cyrb128 between two units.
type state struct{ a, b, c, d uint32 }

func start() state { return state{1779033703, 3144134277, 1013904242, 2773480762} }

// unit takes one UTF-16 code unit.
func (s *state) unit(k uint32) {
	s.a = s.b ^ ((s.a ^ k) * 597399067)
	s.b = s.c ^ ((s.b ^ k) * 2869860233)
	s.c = s.d ^ ((s.c ^ k) * 951274213)
	s.d = s.a ^ ((s.d ^ k) * 2716044179)
}

// text takes a string, as UTF-16.
func (s *state) text(t string) {
	for i := 0; i < len(t); {
		if t[i] < utf8.RuneSelf {
			s.unit(uint32(t[i]))
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(t[i:])
		i += n
		if r < 0x10000 {
			s.unit(uint32(r))
			continue
		}
		r -= 0x10000
		s.unit(0xd800 + uint32(r>>10))
		s.unit(0xdc00 + uint32(r&0x3ff))
	}
}

// finish returns the four words, in the newer of the two published variants;
// word 0, the only one used here, is the same in both.
func (s state) finish() [4]uint32 {
	a := (s.c ^ (s.a >> 18)) * 597399067
	b := (s.d ^ (s.b >> 22)) * 2869860233
	c := (a ^ (s.c >> 17)) * 951274213
	d := (b ^ (s.d >> 19)) * 2716044179
	a ^= b ^ c ^ d
	return [4]uint32{a, b ^ a, c ^ a, d ^ a}
}

// mulberry32 advances a generator and returns its output.
func mulberry32(word *uint32) uint32 {
	*word += 0x6d2b79f5
	s := *word
	t := (s ^ (s >> 15)) * (s | 1)
	t ^= t + ((t ^ (t >> 7)) * (t | 61))
	return t ^ (t >> 14)
}

// prefix hashes tag, seed and query, each delimited.
func prefix(tag, seed, query string) state {
	s := start()
	s.text(tag)
	s.unit(separator)
	s.decimal(Units(seed))
	s.unit(':')
	s.text(seed)
	s.unit(separator)
	s.decimal(Units(query))
	s.unit(':')
	s.text(query)
	return s
}

func (s *state) decimal(n int) {
	var digits [20]byte
	i := len(digits)
	for {
		i--
		digits[i] = byte('0' + n%10)
		if n /= 10; n == 0 {
			break
		}
	}
	s.text(string(digits[i:]))
}

// Units returns the length of a string in UTF-16 code units.
func Units(s string) int {
	i := 0
	for ; i+8 <= len(s); i += 8 { // ASCII is most of what there is
		if (s[i]|s[i+1]|s[i+2]|s[i+3]|s[i+4]|s[i+5]|s[i+6]|s[i+7])&0x80 != 0 {
			break
		}
	}
	n := i
	for ; i < len(s); i++ {
		switch b := s[i]; {
		case b < 0x80 || b >= 0xc0 && b < 0xf0:
			n++
		case b >= 0xf0:
			n += 2
		}
	}
	return n
}

// Keys gives documents their keys in the ranking of one seed and query.
type Keys struct{ prefix state }

// NewKeys returns the keys of a seed and the query as it was asked.
func NewKeys(seed, query string) Keys {
	s := prefix("rank", seed, query)
	s.unit(separator)
	return Keys{s}
}

// Of returns the key of the document with the given stable key.
func (k Keys) Of(stableKey string) uint32 {
	s := k.prefix
	s.text(stableKey)
	word := s.finish()[0]
	return mulberry32(&word)
}

// Draws returns the first n draws of the alloc stream of a seed and query.
func Draws(seed, query string, n int) []uint32 {
	word := prefix("alloc", seed, query).finish()[0]
	draws := make([]uint32, n)
	for i := range draws {
		draws[i] = mulberry32(&word)
	}
	return draws
}
