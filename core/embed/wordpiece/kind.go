package wordpiece

import "unicode/utf8"

// A kind says what becomes of a character: one of the constants below; else, below
// mapped, mark plus the rank of its class among the marks that stay; else mapped plus
// the place in mappings of what replaces it. gen/gen.py has the same list.
type kind uint32

const (
	letter   kind = iota // stays
	dropped              // leaves nothing
	barrier              // leaves nothing, but no mark moves over it
	space                // ends a word
	alone                // is a word
	syllable             // becomes the letters of a Hangul syllable
	mark                 // stays, in the order of the marks on a letter
	mapped   kind = 64
)

// The bits of a mapping's first byte.
const (
	mappingLength = 0x7F // bytes that follow
	mappingAlone  = 0x80 // a word of one character
)

// The table covers planes 0 to 2 as far as they are assigned, then plane 14's first
// characters. Beyond, private use is dropped and everything else is a letter, even where
// no character is assigned. The generator checks that this is so.
const (
	lowSize     = 0x2FA40
	plane14     = 0xE0000
	plane14Size = 0x200
	private     = 0xF0000
)

func kindOf(r rune) kind {
	u := uint32(r)
	switch {
	case u < utf8.RuneSelf:
		return kindAt(u)
	case u < lowSize:
	case u-plane14 < plane14Size:
		u -= plane14 - lowSize
	case u >= private && u&0xFFFF < 0xFFFE:
		return dropped
	default:
		return letter
	}
	return kindAt(uint32(kindIndex[u>>6])<<6 | u&63)
}

// kindAt returns the ith kind of the blocks.
func kindAt(i uint32) kind {
	b := kindBlocks[2*i : 2*i+2]
	return kind(b[0]) | kind(b[1])<<8
}

// mapping returns what replaces a character of kind k, and whether it is a word.
func mapping(k kind) (to string, isWord bool) {
	at := k - mapped
	header := kind(mappings[at])
	return mappings[at+1 : at+1+header&mappingLength], header&mappingAlone != 0
}
