package wordpiece

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// pieces returns the pieces of the vocabulary in testdata.
func pieces(t testing.TB) []string {
	t.Helper()
	f, err := os.Open("testdata/vocab.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func vocabulary(t testing.TB, pieces []string) *Vocabulary {
	t.Helper()
	v, err := New(pieces)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// small is a vocabulary for tables; ids are places in it.
var small = strings.Fields("[PAD] [UNK] [CLS] [SEP] un ##aff ##able ##a a b i ##̇ ss ß ς σ ##σ 漢 ᄀ ##ᅡ ##ᆨ . [ ] ## sep ##sep 𐐨 ##語 7 ; ` é")

// spell writes tokens as pieces: those of a word joined, words apart.
func spell(pieces []string, tokens []Token) string {
	var b strings.Builder
	for i, t := range tokens {
		if t.First && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(pieces[t.ID])
	}
	return b.String()
}

var appendTests = []struct {
	name, text, want string
}{
	{"nothing has no tokens", "", ""},
	{"nor has white space", " \t\n\u3000\u2028", ""},
	{"the longest piece first", "unaffable", "un##aff##able"},
	{"a word that cannot be cut to its end is unknown", "unaffableb", "[UNK]"},
	{"as is one that cannot be begun", "xun", "[UNK]"},
	{"a piece that goes on does not begin a word", "able", "[UNK]"},
	{"letters lose case and accents", "ÚN ùn u\u0301N", "un un un"},
	{"a capital i with a dot is an i", "İ I\u0307", "i i"},
	{"sigma has one lower case", "ΣΣ σς", "σ##σ [UNK]"},
	{"a sharp s stays", "ß ẞ ss", "ß ß ss"},
	{"case beyond the first plane", "𐐀", "𐐨"},
	{"an ideograph is a word", "a漢b", "a 漢 b"},
	{"and so is one for compatibility, as what it is decomposed to", "a\ufa47b", "a 漢 b"},
	{"a Hangul syllable becomes its letters", "가 각", "ᄀ##ᅡ ᄀ##ᅡ##ᆨ"},
	{"punctuation stands alone", "a.b...", "a . b . . ."},
	{"what decomposes to punctuation does too", "a\u037eb\u1fef", "a ; b `"},
	{"special tokens are text", "[SEP] [sep]", "[ sep ] [ sep ]"},
	{"the prefix is text", "##a", "[UNK] [UNK] a"},
	{"controls and formats vanish", "u\x00\u00ad\u200d\u0085\x0bn", "un"},
	{"private use vanishes", "u\ue000\U000f0000\U0010fffdn", "un"},
	{"what is no character does not", "un\ufffe", "[UNK]"},
	{"nor does what is not assigned", "un\u0378 \U000e0fff", "[UNK] [UNK]"},
	{"marks alone are nothing", "\u0301 \u0301", ""},
	{"marks newer than Unicode 8 stay", "a\u08d4", "[UNK]"},
	{"what is not UTF-8 vanishes", "u\xffn\xed\xa0\x80 \xe6\xbc", "un"},
	{"a replacement character vanishes", "u\ufffdn", "un"},
	{"100 characters are a word", strings.Repeat("a", 100), "a" + strings.Repeat("##a", 99)},
	{"101 are unknown", strings.Repeat("a", 101) + " a", "[UNK] a"},
	{"what is dropped does not count", strings.Repeat("a\u0301", 100), "a" + strings.Repeat("##a", 99)},
	{"what is decomposed counts", strings.Repeat("각", 34) + " 가", "[UNK] ᄀ##ᅡ"},
}

func TestAppend(t *testing.T) {
	v := vocabulary(t, small)
	for _, tt := range appendTests {
		if got := spell(small, v.Append(nil, tt.text)); got != tt.want {
			t.Errorf("%s: %+q has the tokens %s, want %s", tt.name, tt.text, got, tt.want)
		}
	}
}

func TestTokensSayWhereTheirWordEnds(t *testing.T) {
	v := vocabulary(t, small)
	text := "una\u0301, ." + "\u00ad漢7\xff"
	want := []Token{
		{4, true, 5}, {7, false, 5}, // the accent is of the word
		{1, true, 6}, // the comma
		{21, true, 8},
		{17, true, 13}, // the soft hyphen belongs to no word
		{29, true, 15},
	}
	dst := []Token{{9, true, 0}}
	got := v.Append(dst, text)
	if !slices.Equal(got, append(dst, want...)) {
		t.Errorf("Append(%v, %q) = %v, want %v after it", dst, text, got, want)
	}
	if v.CLS() != 2 || v.SEP() != 3 {
		t.Errorf("[CLS] is %d and [SEP] is %d, want 2 and 3", v.CLS(), v.SEP())
	}
}

var newTests = []struct {
	name, pieces, want string
}{
	{"empty piece", "[UNK] [CLS]  [SEP]", "vocabulary: an empty piece"},
	{"piece twice", "[UNK] a [CLS] [SEP] a", "vocabulary: a stands twice"},
	{"inner piece twice", "[UNK] ##a a [CLS] [SEP] ##a", "vocabulary: ##a stands twice"},
	{"no [UNK]", "[CLS] [SEP]", "vocabulary: [UNK] is missing"},
	{"no [CLS]", "[UNK] [SEP] ##[CLS]", "vocabulary: [CLS] is missing"},
	{"no [SEP]", "[UNK] [CLS]", "vocabulary: [SEP] is missing"},
}

func TestNewRefuses(t *testing.T) {
	for _, tt := range newTests {
		_, err := New(strings.Split(tt.pieces, " "))
		if err == nil || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// testdata/README.md says what the vectors are.
func TestVectors(t *testing.T) {
	v := vocabulary(t, pieces(t))
	f, err := os.Open("testdata/vectors.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	n := 0
	for ; lines.Scan(); n++ {
		quoted, want, _ := strings.Cut(lines.Text(), "\t")
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		if got := number(v.Append(nil, text)); got != want {
			t.Errorf("line %d: %+q has the tokens %s, want %s", n+1, text, got, want)
		}
	}
	if n != 3000 || lines.Err() != nil {
		t.Errorf("%d vectors, error %v, want 3000", n, lines.Err())
	}
}

// number writes tokens as ids: those of a word joined by +, words apart.
func number(tokens []Token) string {
	var b []byte
	for i, t := range tokens {
		if i > 0 {
			b = append(b, "+ "[b2i(t.First)])
		}
		b = strconv.AppendInt(b, int64(t.ID), 10)
	}
	return string(b)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The digests of the words that the reference makes of every character, written by
// gen/gen.py. They change only with the reference, and with them every vector.
const (
	characters = "09297169ce0520aec6279cc5cb3eec01406ebd902d40d7a54efc64aed4a7bfc0"
	marks      = "636d4b69e136f70d2b8205ddae100ade8a977caed5ece2e392252d08b69dbc2d"
)

func scalars(yield func(r rune) bool) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if utf8.ValidRune(r) && !yield(r) {
			return
		}
	}
}

// digest returns the digest of the words of texts.
func digest(texts func(yield func(text string) bool)) string {
	hash := sha256.New()
	var buf []byte
	for text := range texts {
		buf = buf[:0]
		split(text, func(word []byte, chars, end int) {
			buf = append(append(buf, word...), '\n')
		})
		hash.Write(append(buf, '\n'))
	}
	return hex.EncodeToString(hash.Sum(nil))
}

func TestEveryCharacter(t *testing.T) {
	got := digest(func(yield func(text string) bool) {
		for r := range scalars {
			yield("a" + string(r) + "b")
		}
	})
	if got != characters {
		t.Errorf("digest of every character between letters = %s, want %s", got, characters)
	}
}

// Two marks, one of each class that stays, around everything that may stand among them.
func TestMarks(t *testing.T) {
	classes := []rune{0x11446, 0x1B44, 0x1D165, 0x302E, 0x1D16D, 0x8D4}
	got := digest(func(yield func(text string) bool) {
		for _, a := range classes {
			for _, b := range classes {
				for r := range scalars {
					among := kindOf(r) == dropped || kindOf(r) == barrier || kindOf(r) > mark
					privateUse := r >= 0xE000 && r <= 0xF8FF || r >= private
					if among && !privateUse {
						yield("x" + string(a) + string(r) + string(b))
					}
				}
			}
		}
	})
	if got != marks {
		t.Errorf("digest of marks = %s, want %s", got, marks)
	}
}

func TestMarksAreOrdered(t *testing.T) {
	for n := 1; n <= maxChars; n++ {
		text := "x" + strings.Repeat("\u08d4\u1b44", n)
		split(text, func(word []byte, chars, end int) {
			if chars != 2*n+1 || end != len(text) {
				t.Errorf("%d marks: a word of %d characters to %d", 2*n, chars, end)
			}
			want := []byte("x" + strings.Repeat("\u1b44", n) + strings.Repeat("\u08d4", n))
			if chars <= maxChars && !bytes.Equal(word, want) {
				t.Errorf("%d marks: %+q, want %+q", 2*n, word, want)
			}
		})
	}
}

// A text of any length needs no memory but that of its tokens.
func TestAppendAllocates(t *testing.T) {
	v := vocabulary(t, pieces(t))
	var dst []Token
	allocations := func(text string) float64 {
		dst = v.Append(dst[:0], text)
		return testing.AllocsPerRun(10, func() { dst = v.Append(dst[:0], text) })
	}
	want := allocations("")
	for _, text := range []string{benchTexts[0].text, strings.Repeat("x", 100_000), strings.Repeat("\u08d4\u1b44", 10_000)} {
		if got := allocations(text); got > want {
			t.Errorf("%.20q…: %v allocations, want the %v of an empty text", text, got, want)
		}
	}
}
