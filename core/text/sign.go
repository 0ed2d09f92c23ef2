package text

import (
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

// signs says what each byte of a text is to the profile standard. The signs are
// chosen for their bits.
//
//	a  a small letter     ,  a character that can join words
//	C  a capital          .  a full stop, which can also stand before a word
//	1  a digit            :  _ and #, which can also stand around words
//	~  not ASCII          (blank) anything else
const signs = "" +
	"                " +
	"                " +
	"   : ,,,   ,,,.," +
	"1111111111,  , ," +
	",CCCCCCCCCCCCCCC" +
	"CCCCCCCCCCC ,  :" +
	" aaaaaaaaaaaaaaa" +
	"aaaaaaaaaaa   , " +
	"~~~~~~~~~~~~~~~~" +
	"~~~~~~~~~~~~~~~~" +
	"~~~~~~~~~~~~~~~~" +
	"~~~~~~~~~~~~~~~~" +
	"~~~~~~~~~~~~~~~~" +
	"~~~~~~~~~~~~~~~~" +
	"~~~~~~~~~~~~~~~~" +
	"~~~~~~~~~~~~~~~~"

const (
	small  = 'a'
	big    = 'C'
	number = '1'
	stop   = '.'
	wide   = '~'
	blank  = ' '

	// Only characters beyond ASCII are these.
	caseless = 'A' // a letter that is neither small nor a capital
	attached = '"' // a mark, or what UAX #29 ignores inside words
	unspaced = '|' // a letter of a script without spaces

	// Bits of signs.
	inWord    = small & big & number & caseless // the others don't have it
	isCapital = big &^ small &^ number
	isSmall   = small &^ big // and of digits
	isLetter  = big & caseless &^ number
	isDigit   = number &^ small
	isStop    = stop &^ ','
	canBegin  = isLetter | isDigit | isStop // of those that can begin a token
)

// isMixed reports whether a word with these signs, of its first character and of
// the others, can have parts: it has capitals after its first letter and small
// letters, or letters and digits.
func isMixed(first, rest byte) bool {
	all := first | rest
	return rest&isCapital != 0 && all&isSmall != 0 || all&isDigit != 0 && all&isLetter != 0
}

// signOf returns the sign of a character beyond ASCII.
func signOf(r rune) (sign byte, class ucd.Class) {
	class, join := ucd.JoinOf(r)
	switch {
	case class&(ucd.Letter|ucd.CJK) == ucd.Letter && join&ucd.OfLetters != 0:
		switch {
		case class&ucd.Lower != 0:
			return small, class
		case class&ucd.Upper != 0:
			return big, class
		case r == modifierApostrophe:
			return blank, class
		}
		return caseless, class
	case class&ucd.Letter != 0 || isIdeographicNumber(r):
		return unspaced, class
	case class&ucd.Mark != 0 || join&ucd.Ignored != 0:
		return attached, class
	case class&ucd.Digit != 0 || join&ucd.OfNumbers != 0:
		return number, class
	case join&ucd.OfLetters != 0:
		return caseless, class
	}
	return blank, class
}

// signAt returns the sign of the character at byte i of s, blank at the end.
func signAt(s string, i int) byte {
	if i >= len(s) {
		return blank
	}
	sign := signs[s[i]]
	if sign == wide {
		r, _ := utf8.DecodeRuneInString(s[i:])
		sign, _ = signOf(r)
	}
	return sign
}

// isIdeographicNumber reports whether r is one of the letter numbers that are
// written as ideographs are, such as 〇.
func isIdeographicNumber(r rune) bool {
	return r == 0x3007 || r >= 0x3021 && r <= 0x3029 || r >= 0x3038 && r <= 0x303A
}

// isIgnored reports whether r, whose sign is attached, is left out of tokens:
// format characters, joiners, and marks that only choose a glyph.
func isIgnored(r rune) bool {
	return !ucd.IsMark(r) || r == 0x034F || r >= 0x180B && r <= 0x180F ||
		r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF
}

const (
	modifierApostrophe = '\u02BC' // a letter by its category
	hyphen             = '\u2010'
	noBreakHyphen      = '\u2011'
	narrowSpace        = '\u202F'
	greekQuestionMark  = '\u037E' // canonically a semicolon
	greekAnoTeleia     = '\u0387' // canonically a middle dot
)

// isApostrophe knows the apostrophes beyond ASCII.
func isApostrophe(r rune) bool {
	return r == '’' || r == '‘' || r == modifierApostrophe || r == '＇'
}
