package ucd

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func nfc(s string) string { return string(AppendNFC(nil, s)) }

var nfcTests = []struct {
	name, in, want string
}{
	{"empty", "", ""},
	{"ASCII", "crane 7", "crane 7"},
	{"letter and mark compose", "e\u0301", "é"},
	{"composed stays", "é", "é"},
	{"marks are put in order first", "a\u0301\u0323", "ạ\u0301"},
	{"a mark between blocks one of its class", "a\u0323\u0302", "\u1EAD"},
	{"equal classes keep their order", "a\u0301\u0300", "á\u0300"},
	{"a starter blocks", "ab\u0301", "ab\u0301"},
	{"singleton", "\u212B\u2126\u212A", "ÅΩK"},
	{"singleton mark", "x\u0340\u0341\u0343", "x\u0300\u0301\u0313"},
	{"mark that decomposes into two", "υ\u0344", "ΰ"},
	{"excluded composite decomposes", "\u0958", "\u0915\u093C"},
	{"compatibility ideograph", "\uF900", "\u8C48"},
	{"composed outside the BMP", "\U00011099\U000110BA", "\U0001109A"},
	{"vowel of two vowels", "\U00016D63\U00016D67\U00016D67", "\U00016D6A"},
	{"vowel before a composed vowel", "\U00016D63\U00016D68", "\U00016D6A"},
	{"Hangul lead and vowel", "\u1112\u1161", "하"},
	{"Hangul lead, vowel and tail", "\u1112\u1161\u11AB", "한"},
	{"Hangul syllable and tail", "하\u11AB", "한"},
	{"Hangul syllable with a tail takes no second", "한\u11AB", "한\u11AB"},
	{"no tail is not a tail", "하\u11A7", "하\u11A7"},
	{"a mark blocks Hangul", "\u1112\u0301\u1161", "\u1112\u0301\u1161"},
	{"marks at the start", "\u0323\u0301a", "\u0323\u0301a"},
	{"relation and overlay", "=\u0338", "≠"},
	{"a bad byte is U+FFFD", "a\xFFb", "a\uFFFDb"},
	{"a mark after a bad byte", "\xC3\u0301\u0323", "\uFFFD\u0323\u0301"},
	{"a cut character", "\xE3\x81", "\uFFFD\uFFFD"},
}

func TestNFC(t *testing.T) {
	for _, tt := range nfcTests {
		if got := nfc(tt.in); got != tt.want {
			t.Errorf("%s: NFC of %+q = %+q, want %+q", tt.name, tt.in, got, tt.want)
		}
		if got := string(AppendNFC([]byte("x"), []byte(tt.in))); got != "x"+tt.want {
			t.Errorf("%s: NFC of bytes %+q = %+q, want %+q", tt.name, tt.in, got, "x"+tt.want)
		}
		if got, want := IsNFC(tt.in), tt.in == tt.want; got != want {
			t.Errorf("%s: IsNFC(%+q) = %v, want %v", tt.name, tt.in, got, want)
		}
	}
}

func needNorm(t *testing.T) {
	t.Helper()
	if norm.Version != Version {
		t.Skipf("x/text is of Unicode %s, our tables of %s: nothing to compare with", norm.Version, Version)
	}
}

func TestNFCEveryScalar(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes as wasm, where TestGolden compares the same tables")
	}
	needNorm(t)
	for r := range scalars {
		s := string(r)
		nfd := norm.NFD.String(s)
		for _, in := range []string{s, nfd, s + "\u0323\u0301", "a" + s, "\u1100" + s, "가" + s} {
			want := norm.NFC.String(in)
			if got := nfc(in); got != want {
				t.Fatalf("NFC of %+q = %+q, want %+q", in, got, want)
			}
			if got := IsNFC(in); got != (in == want) {
				t.Fatalf("IsNFC(%+q) = %v, its NFC is %+q", in, got, want)
			}
		}
		props := norm.NFC.PropertiesString(s)
		if v := normOf(r); v < normMapped && uint8(v) != props.CCC() {
			t.Fatalf("class of %U = %d, want %d", r, uint8(v), props.CCC())
		}
		if r < 0xAC00 || r > 0xD7A3 {
			var got []byte
			for _, c := range appendDecomposed(nil, r) {
				got = utf8.AppendRune(got, c.char())
			}
			if string(got) != nfd {
				t.Fatalf("decomposition of %U = %+q, want %+q", r, got, nfd)
			}
		}
	}
}

// Every pair of one character that can begin a composition and one that can end
// it is composed as x/text does.
func TestPairs(t *testing.T) {
	needNorm(t)
	var firsts, seconds []rune
	for r := range scalars {
		if v := normOf(r); v < normMapped && v&normBackward != 0 {
			seconds = append(seconds, r)
		}
	}
	for i := 0; i < len(normPairs); i += 9 {
		firsts = append(firsts, be24(i))
	}
	firsts = append(slices.Compact(firsts), 0x1100, 0x1112, 0x1113, 0xAC00, 0xAC01, 0xD788, 0xD7A3)
	for _, a := range firsts {
		for _, b := range seconds {
			in := string(a) + string(b)
			if got, want := nfc(in), norm.NFC.String(in); got != want {
				t.Errorf("NFC of %+q = %+q, want %+q", in, got, want)
			}
		}
	}
}

func TestNFCRandom(t *testing.T) {
	alphabet := alphabet()
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 0))
		s := randomText(r, alphabet)
		got := nfc(s)
		if want := plainNFC(s); got != want {
			t.Fatalf("seed %d: NFC of %+q = %+q, want %+q", seed, s, got, want)
		}
		if norm.Version == Version && longestMarks(s) < 30 {
			if want := norm.NFC.String(s); got != want {
				t.Fatalf("seed %d: NFC of %+q = %+q, x/text says %+q", seed, s, got, want)
			}
		}
		if again := nfc(got); again != got {
			t.Fatalf("seed %d: NFC of %+q is not stable: %+q", seed, got, again)
		}
		if !IsNFC(got) || IsNFC(s) != (s == got) {
			t.Fatalf("seed %d: IsNFC is wrong about %+q", seed, s)
		}
		if want := norm.NFD.String(s); longestMarks(s) < 30 && nfc(want) != got {
			t.Fatalf("seed %d: NFC of the NFD of %+q = %+q, want %+q", seed, s, nfc(want), got)
		}
	}
}

// plainNFC follows the definition step by step, Hangul decomposed as well.
func plainNFC(s string) string {
	var chars []char
	for _, r := range s {
		if i := r - hangul; 0 <= i && i < hangulSyllables {
			chars = append(chars, char(hangulLead+i/hangulTails/hangulVowels), char(hangulVowel+i/hangulTails%hangulVowels))
			if tail := i % hangulTails; tail != 0 {
				chars = append(chars, char(hangulTail+tail))
			}
			continue
		}
		chars = appendDecomposed(chars, r)
	}
	for i := range chars {
		first := i
		for i < len(chars) && chars[i].class() != 0 {
			i++
		}
		slices.SortStableFunc(chars[first:i], func(a, b char) int { return cmp.Compare(a.class(), b.class()) })
	}
	for i := 1; i < len(chars); {
		if j := starterFor(chars, i); j >= 0 {
			if r, ok := pair(chars[j].char(), chars[i].char()); ok {
				chars[j] = char(r)
				chars = slices.Delete(chars, i, i+1)
				continue
			}
		}
		i++
	}
	var b strings.Builder
	for _, c := range chars {
		b.WriteRune(c.char())
	}
	return b.String()
}

// starterFor returns the place of the last starter before i unless something
// blocks chars[i] from it, else -1.
func starterFor(chars []char, i int) int {
	j := i - 1
	for j >= 0 && chars[j].class() != 0 {
		if chars[j].class() >= chars[i].class() {
			return -1
		}
		j--
	}
	return j
}

// longestMarks counts as x/text does before it inserts U+034F, more or less: the
// longest run of characters that are not plain starters, decomposed.
func longestMarks(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if startsApart(normOf(r)) && !IsMark(r) {
			run = 0
		}
		run += len(appendDecomposed(nil, r))
		longest = max(longest, run)
	}
	return longest
}

// A text may be normalized in the pieces that NextNFC names.
func TestNextNFC(t *testing.T) {
	alphabet := alphabet()
	for seed := range uint64(5000) {
		s := randomText(rand.New(rand.NewPCG(seed, 1)), alphabet)
		var pieces []byte
		for rest := s; rest != ""; {
			n := NextNFC(rest)
			pieces = AppendNFC(pieces, rest[:n])
			rest = rest[n:]
		}
		if want := nfc(s); string(pieces) != want {
			t.Fatalf("seed %d: NFC in pieces of %+q = %+q, want %+q", seed, s, pieces, want)
		}
	}
	if n := NextNFC(""); n != 0 {
		t.Errorf("NextNFC of nothing = %d, want 0", n)
	}
}

// Thousands of marks on one letter: the marks are placed a bounded number of
// times each, so time is linear; and nothing is inserted.
func TestLinear(t *testing.T) {
	for _, n := range []int{15, 16, 17, 100, 10_000, 1_000_000} {
		chars := []char{'a'}
		for i := range n {
			class, r := 230, rune(0x301)
			if i%2 == 1 {
				class, r = 220, 0x323
			}
			chars = append(chars, char(r)|char(class)<<24)
		}
		if placed := order(chars); placed > insertionMax*n {
			t.Errorf("%d marks were placed %d times", n, placed)
		}
		if !slices.IsSortedFunc(chars[1:], func(a, b char) int { return cmp.Compare(a.class(), b.class()) }) {
			t.Errorf("%d marks are not in order", n)
		}
	}
	in := "a" + strings.Repeat("\u0301\u0323", 5000)
	want := "ạ" + strings.Repeat("\u0323", 4999) + strings.Repeat("\u0301", 5000)
	if nfc(in) != want {
		t.Error("10,000 marks are not normalized")
	}
	for _, hostile := range []string{"a:\u0301", "a'\u00AD\u200D", "7,\u0301\u0301\u0301", "א\"\u0301"} {
		in := strings.Repeat(hostile, 10_000) + hostile[:1] + strings.Repeat("\u0301", 10_000)
		steps := 0
		for rest := in; rest != ""; {
			n, ahead := nextWord(rest)
			steps += ahead + utf8.RuneCountInString(rest[:n])
			rest = rest[n:]
		}
		if limit := 3 * utf8.RuneCountInString(in); steps > limit {
			t.Errorf("words of many %+q take %d steps, want at most %d", hostile, steps, limit)
		}
	}
}
