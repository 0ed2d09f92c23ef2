package ucd

import (
	"testing"
	"unicode"

	"golang.org/x/text/cases"
)

var foldTests = []struct {
	name, in, want string
}{
	{"ASCII", "HTTP Header_7", "http header_7"},
	{"sharp s", "Straße", "strasse"},
	{"capital sharp s", "ẞ", "ss"},
	{"dotted I keeps its dot", "İ", "i\u0307"},
	{"dotless i is not i", "ı", "ı"},
	{"final sigma is sigma", "ΟΔΟΣ ος", "οδοσ οσ"},
	{"iota subscript", "ᾳ\u0345", "αιι"},
	{"ligature", "ﬃ", "ffi"},
	{"Kelvin", "\u212A", "k"},
	{"Cherokee folds to capitals", "ꭰᏸ", "ᎠᏰ"},
	{"title case", "ǅ", "ǆ"},
	{"circled letter", "Ⓐ", "ⓐ"},
	{"outside the BMP", "𐐀", "𐐨"},
	{"no case", "新幹線 ٣", "新幹線 ٣"},
	{"a bad byte", "A\xC0", "a\uFFFD"},
}

func TestFold(t *testing.T) {
	for _, tt := range foldTests {
		if got := string(AppendFold(nil, tt.in)); got != tt.want {
			t.Errorf("%s: fold of %q = %+q, want %+q", tt.name, tt.in, got, tt.want)
		}
	}
}

// The standard library has simple folding as orbits; x/text folds fully, but
// folds Cherokee to small letters where CaseFolding.txt has the capitals.
func TestFoldEveryScalar(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes as wasm, where TestGolden compares the same tables")
	}
	needUnicode(t)
	fold := cases.Fold()
	for r := range scalars {
		got := AppendFold(nil, string(r))
		if cases.UnicodeVersion == Version && !unicode.Is(unicode.Cherokee, r) {
			if want := fold.String(string(r)); string(got) != want {
				t.Errorf("fold of %U = %+q, want %+q", r, got, want)
			}
		}
		if to := []rune(string(got)); len(to) == 1 && to[0] != r && !sameOrbit(r, to[0]) {
			t.Errorf("fold of %U = %U, which package unicode does not fold with it", r, to[0])
		}
		if again := AppendFold(nil, got); string(again) != string(got) {
			t.Errorf("fold of %U = %+q, folded again %+q", r, got, again)
		}
	}
}

func sameOrbit(a, b rune) bool {
	for r := unicode.SimpleFold(a); r != a; r = unicode.SimpleFold(r) {
		if r == b {
			return true
		}
	}
	return false
}

// What Changes says: every other character is its own NFC after any other, and
// its own folding.
func TestChanges(t *testing.T) {
	for r := range scalars {
		s := string(r)
		folds := string(AppendFold(nil, s)) != s
		v := normOf(r)
		normalizes := v != 0 && v < normMapped || v >= normMapped && normPool[v-normMapped]&(poolReplace|poolAttach) != 0
		if got, want := ClassOf(r)&Changes != 0, folds || normalizes; got != want {
			t.Errorf("%U: Changes is %v, want %v", r, got, want)
		}
	}
}

// core/text folds a text piece by piece: the folding of what starts apart starts apart.
func TestFoldKeepsPieces(t *testing.T) {
	for r := range scalars {
		if !startsApart(normOf(r)) {
			continue
		}
		first, _ := decode(AppendFold(nil, string(r)), 0)
		if !startsApart(normOf(first)) {
			t.Errorf("%U folds to %U, which attaches to what is before", r, first)
		}
	}
}
