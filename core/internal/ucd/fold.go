package ucd

import "unicode/utf8"

// AppendFold appends the full default case folding of s to dst: each character
// is replaced by its mapping of status C or F in CaseFolding.txt. The result of
// folding a text in NFC need not be in NFC.
func AppendFold[S ~string | ~[]byte](dst []byte, s S) []byte {
	for i := 0; i < len(s); {
		if b := s[i]; b < utf8.RuneSelf {
			if 'A' <= b && b <= 'Z' {
				b += 'a' - 'A'
			}
			dst = append(dst, b)
			i++
			continue
		}
		r, n := decode(s, i)
		i += n
		dst = appendFolded(dst, r)
	}
	return dst
}

func appendFolded(dst []byte, r rune) []byte {
	v := uint32(foldBlocks[blockOf(foldIndex, slot(r))])
	switch {
	case v == 0:
		return utf8.AppendRune(dst, r)
	case v <= foldDeltaCount:
		return utf8.AppendRune(dst, r+rune(le32(foldDeltas, v-1)))
	}
	cell := foldStrings[8*(v-1-foldDeltaCount):]
	return append(dst, cell[1:1+cell[0]]...)
}
