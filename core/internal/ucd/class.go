// Package ucd holds the parts of the Unicode Character Database that rookhaven's
// bytes depend on: classes of characters, normalization form C, full case
// folding, and the segmentation of UAX #29. The version is [Version], whatever
// Go version builds the engine, and it is part of the ABI: the standard
// library's tables change with the toolchain, these do not.
//
// What is promised:
//
//   - [AppendNFC] is NFC as UAX #15 defines it, without the limit of 30 marks
//     that some libraries set (TestNFCEveryScalar, TestNFCRandom);
//   - [AppendFold] is the full default case folding, statuses C and F
//     (TestFoldEveryScalar);
//   - [NextWord] and [NextGrapheme] follow the rules of UAX #29 for words and
//     extended grapheme clusters (TestWordRules, TestGraphemeRules);
//   - each class query agrees with the standard library where its version is
//     ours (TestClassEveryScalar);
//   - time is linear in the input, stack use constant (TestLinear);
//   - a byte that is not part of valid UTF-8 counts as one U+FFFD, which
//     AppendNFC and AppendFold write out (FuzzText).
//
// The tables are string constants written by gen/gen.mjs; gen/README.md says how.
// TestGolden holds a digest of everything they answer.
package ucd

// Version is the version of Unicode that the tables hold.
const Version = "17.0.0"

// A Class is a set of things true of one character.
type Class uint8

const (
	Letter Class = 1 << iota // general category L*: Lu, Ll, Lt, Lm, Lo
	Mark                     // general category M*: Mn, Mc, Me
	Digit                    // general category Nd
	CJK                      // Script_Extensions has Han, Hiragana, Katakana, Hangul or Bopomofo
	Space                    // White_Space
	Upper                    // general category Lu
	Lower                    // general category Ll

	// Changes marks a character that normalization or case folding may replace,
	// reorder or combine with one before it. A text without any is its own NFC
	// and its own case folding.
	Changes
)

// ClassOf returns everything this package knows about r in one lookup.
// A rune outside Unicode has no class.
func ClassOf(r rune) Class { return Class(charOf(r)) }

// IsLetter reports whether r is a letter, of any case or none.
func IsLetter(r rune) bool { return ClassOf(r)&Letter != 0 }

// IsMark reports whether r is a mark, combining or enclosing.
func IsMark(r rune) bool { return ClassOf(r)&Mark != 0 }

// IsDigit reports whether r is a decimal digit of any script.
func IsDigit(r rune) bool { return ClassOf(r)&Digit != 0 }

// IsSpace reports whether r is white space.
func IsSpace(r rune) bool { return ClassOf(r)&Space != 0 }

// IsUpper reports whether r is an upper-case letter; a title-case letter is not.
func IsUpper(r rune) bool { return ClassOf(r)&Upper != 0 }

// IsLower reports whether r is a lower-case letter.
func IsLower(r rune) bool { return ClassOf(r)&Lower != 0 }

// IsCJK reports whether r is used in Han, Hiragana, Katakana, Hangul or Bopomofo.
// It goes by Script_Extensions, so 'ー' and '々' count, and so does '。'.
func IsCJK(r rune) bool { return ClassOf(r)&CJK != 0 }
