package ucd

// A Join says what the rules of UAX #29 for words make of one character.
type Join uint8

const (
	OfLetters      Join = 1 << iota // ALetter, Hebrew_Letter: the letters of words between spaces
	OfNumbers                       // Numeric
	BetweenLetters                  // MidLetter, MidNumLet, Single_Quote: joins letters (WB6, WB7)
	BetweenNumbers                  // MidNum, MidNumLet, Single_Quote: joins numbers (WB11, WB12)
	BetweenAll                      // ExtendNumLet: joins letters, numbers and its own kind (WB13a, WB13b)
	Ignored                         // Extend, Format, ZWJ: stays with the character before it (WB4)
)

// joinOfBreak holds the Join of each value of Word_Break, in the order of gen.mjs.
const joinOfBreak = "" +
	"\x00\x00\x00\x00" + // Other, CR, LF, Newline
	"\x20\x20\x20" + // Extend, Format, ZWJ
	"\x01\x01\x02\x00\x10" + // ALetter, Hebrew_Letter, Numeric, Katakana, ExtendNumLet
	"\x04\x08\x0C\x0C\x00" + // MidLetter, MidNum, MidNumLet, Single_Quote, Double_Quote
	"\x00\x00" + // Regional_Indicator, WSegSpace
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" // no value

// JoinOf returns the Class and the Join of r in one lookup. A letter without
// OfLetters belongs to a script that is written without spaces, to Katakana or,
// U+FF9E and U+FF9F, to halfwidth Katakana.
func JoinOf(r rune) (Class, Join) {
	record := charOf(r)
	return Class(record), Join(joinOfBreak[record>>8&31])
}
