package ucd

import "testing"

func TestJoinOf(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    rune
		want Join
	}{
		{"a letter", 'a', OfLetters},
		{"a Hebrew letter", 'א', OfLetters},
		{"a letter number", 'Ⅷ', OfLetters},
		{"a digit", '7', OfNumbers},
		{"an Arabic digit", '٣', OfNumbers},
		{"a colon", ':', BetweenLetters},
		{"a comma", ',', BetweenNumbers},
		{"a full stop", '.', BetweenLetters | BetweenNumbers},
		{"an apostrophe", '\'', BetweenLetters | BetweenNumbers},
		{"a typographic one", '’', BetweenLetters | BetweenNumbers},
		{"an underscore", '_', BetweenAll},
		{"a mark", '\u0301', Ignored},
		{"a soft hyphen", '\u00AD', Ignored},
		{"a joiner", '\u200D', Ignored},
		{"Han", '新', 0},
		{"Katakana", 'ア', 0},
		{"Thai", 'ก', 0},
		{"a quotation mark", '"', 0},
		{"a blank", ' ', 0},
		{"a newline", '\n', 0},
		{"a regional indicator", '🇩', 0},
		{"beyond Unicode", 0x110000, 0},
	} {
		if class, got := JoinOf(tt.r); got != tt.want || class != ClassOf(tt.r) {
			t.Errorf("%s: JoinOf(%U) = %b, %b, want %b, %b", tt.name, tt.r, class, got, ClassOf(tt.r), tt.want)
		}
	}
}

// Letters that the rules join to no others are those of scripts without spaces.
func TestLettersWithoutSpaces(t *testing.T) {
	for r := range scalars {
		class, join := JoinOf(r)
		if class&Letter == 0 || join&(OfLetters|Ignored) != 0 {
			continue
		}
		if s := "a" + string(r) + "a"; NextWord(s) == len(s) {
			t.Errorf("%U is joined to letters, but has no OfLetters", r)
		}
	}
}
