package ucd

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// scalars are all 1,112,064 characters that UTF-8 can spell.
func scalars(yield func(rune) bool) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if utf8.ValidRune(r) && !yield(r) {
			return
		}
	}
}

func needUnicode(t *testing.T) {
	t.Helper()
	if unicode.Version != Version {
		t.Skipf("package unicode is of Unicode %s, our tables of %s: nothing to compare with", unicode.Version, Version)
	}
}

func TestClassEveryScalar(t *testing.T) {
	needUnicode(t)
	queries := []struct {
		name      string
		got, want func(rune) bool
	}{
		{"IsLetter", IsLetter, unicode.IsLetter},
		{"IsMark", IsMark, unicode.IsMark},
		{"IsDigit", IsDigit, unicode.IsDigit},
		{"IsSpace", IsSpace, unicode.IsSpace},
		{"IsUpper", IsUpper, unicode.IsUpper},
		{"IsLower", IsLower, unicode.IsLower},
	}
	for r := range scalars {
		for _, q := range queries {
			if got, want := q.got(r), q.want(r); got != want {
				t.Errorf("%s(%U) = %v, want %v", q.name, r, got, want)
			}
		}
	}
}

// Script is what package unicode has; Script_Extensions may only add to it where
// the script is Common or Inherited.
func TestCJKEveryScalar(t *testing.T) {
	needUnicode(t)
	scripts := []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo}
	added := 0
	for r := range scalars {
		switch got, want := IsCJK(r), unicode.In(r, scripts...); {
		case got == want:
		case got && unicode.In(r, unicode.Common, unicode.Inherited):
			added++
		default:
			t.Errorf("IsCJK(%U) = %v, its script says %v", r, got, want)
		}
	}
	if added < 100 {
		t.Errorf("Script_Extensions adds %d characters, want more than 100", added)
	}
}

var cjkTests = []struct {
	name string
	r    rune
	want bool
}{
	{"Han", '新', true},
	{"Han beyond the BMP", '𠮷', true},
	{"Han of Unicode 17", 0x323B0, true},
	{"iteration mark", '々', true},
	{"Hiragana", 'ぁ', true},
	{"Katakana", 'ア', true},
	{"halfwidth Katakana", 'ｱ', true},
	{"prolonged sound mark", 'ー', true},
	{"voiced sound mark", 0x3099, true},
	{"Hangul syllable", '한', true},
	{"Hangul jamo", 0x1100, true},
	{"Bopomofo", 'ㄅ', true},
	{"ideographic full stop", '。', true},
	{"Latin", 'a', false},
	{"fullwidth Latin", 'ａ', false},
	{"digit", '7', false},
	{"Yi", 'ꀀ', false},
	{"outside Unicode", 0x110000, false},
	{"negative", -1, false},
}

func TestCJK(t *testing.T) {
	for _, tt := range cjkTests {
		if got := IsCJK(tt.r); got != tt.want {
			t.Errorf("%s: IsCJK(%#x) = %v, want %v", tt.name, tt.r, got, tt.want)
		}
	}
}

func TestDecodeIsUTF8(t *testing.T) {
	check := func(s string) {
		t.Helper()
		for i := range len(s) {
			r, n := decode(s, i)
			if wr, wn := utf8.DecodeRuneInString(s[i:]); r != wr || n != wn {
				t.Fatalf("decode(%q, %d) = %U, %d, want %U, %d", s, i, r, n, wr, wn)
			}
		}
	}
	for r := range scalars {
		check(string(r))
	}
	edges := []byte{0, 'a', 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF}
	for _, a := range edges {
		for _, b := range edges {
			for _, c := range edges {
				for _, d := range edges {
					check(string([]byte{a, b, c, d}))
				}
			}
		}
	}
}

// alphabet returns characters that the algorithms treat in different ways, many
// of each kind, so that random strings of them meet the rules often.
func alphabet() []rune {
	var rs []rune
	seen := map[uint32]int{}
	for r := range scalars {
		v := normOf(r)
		if v >= normMapped {
			v = normMapped + uint32(normPool[v-normMapped])
		}
		key := charOf(r)<<10 | v
		if seen[key]++; seen[key] <= 6 || v&normBackward != 0 && v < normMapped {
			rs = append(rs, r)
		}
	}
	return append(rs, []rune("aeouAE=<> \r\n.,:'\"_1가각각")...)
}

// randomText makes a text of characters of the alphabet; every third has a long run of marks.
func randomText(r *rand.Rand, alphabet []rune) string {
	var b strings.Builder
	for range r.IntN(24) {
		b.WriteRune(alphabet[r.IntN(len(alphabet))])
	}
	if r.IntN(3) == 0 {
		marks := slices.DeleteFunc(slices.Clone(alphabet), func(r rune) bool { return !IsMark(r) })
		for range r.IntN(60) {
			b.WriteRune(marks[r.IntN(len(marks))])
		}
	}
	return b.String()
}
