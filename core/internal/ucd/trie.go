package ucd

import "unicode/utf8"

// The tries cover planes 0 to 3 as far as characters are assigned (slotLow), then
// plane 14's first 4096 characters, then one block for all the rest, which hold
// nothing. The generator checks that this is so.
const (
	slotLow     = 0x33480
	plane14     = 0xE0000
	plane14Size = 0x1000
	slotRest    = slotLow + plane14Size
)

// slot returns the place of r in a trie.
func slot(r rune) uint32 {
	u := uint32(r)
	switch {
	case u < slotLow:
		return u
	case u-plane14 < plane14Size:
		return u - plane14 + slotLow
	}
	return slotRest
}

// blockOf returns where the block that holds slot s begins, plus the place in it.
func blockOf(index string, s uint32) uint32 {
	return le16(index, s>>6)<<6 | s&63
}

// le16 returns the ith 2-byte integer of a table.
func le16(table string, i uint32) uint32 {
	b := table[2*i : 2*i+2]
	return uint32(b[0]) | uint32(b[1])<<8
}

// le32 returns the ith 4-byte integer of a table.
func le32(table string, i uint32) uint32 {
	b := table[4*i : 4*i+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// charOf returns the record of r: its Class, then what segmentation asks.
func charOf(r rune) uint32 {
	if uint32(r) < utf8.RuneSelf {
		return le32(charRecords, uint32(charBlocks[r]))
	}
	return le32(charRecords, uint32(charBlocks[blockOf(charIndex, slot(r))]))
}

// decode returns the character that begins at s[i] and its length in bytes.
// Where no valid UTF-8 begins it returns U+FFFD and 1, as utf8.DecodeRune does.
func decode[S ~string | ~[]byte](s S, i int) (rune, int) {
	b := s[i]
	left := len(s) - i
	switch {
	case b < utf8.RuneSelf:
		return rune(b), 1
	case b < 0xE0:
		if left >= 2 && b >= 0xC2 && follows(s[i+1]) {
			return rune(b&0x1F)<<6 | rune(s[i+1]&0x3F), 2
		}
	case b < 0xF0:
		if left >= 3 && follows(s[i+1]) && follows(s[i+2]) {
			r := rune(b&0x0F)<<12 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F)
			if r >= 0x800 && (r < 0xD800 || r > 0xDFFF) {
				return r, 3
			}
		}
	default:
		if left >= 4 && follows(s[i+1]) && follows(s[i+2]) && follows(s[i+3]) {
			r := rune(b&0x07)<<18 | rune(s[i+1]&0x3F)<<12 | rune(s[i+2]&0x3F)<<6 | rune(s[i+3]&0x3F)
			if b <= 0xF4 && r >= 0x10000 && r <= utf8.MaxRune {
				return r, 4
			}
		}
	}
	return utf8.RuneError, 1
}

// follows reports whether b can only be a later byte of a character.
func follows(b byte) bool { return b&0xC0 == 0x80 }
