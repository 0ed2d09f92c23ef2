package ucd

import (
	"bufio"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A row is the segments, so the text is their concatenation.
var wordTests = []struct {
	name  string
	words []string
}{
	{"empty", nil},
	{"WB3: no boundary in CR LF", []string{"a", "\r\n", "b"}},
	{"WB3a, WB3b: line ends stand alone", []string{"\n", "\r", "\u0085", "\u2028", "a", "\v"}},
	{"WB3a before WB4: a mark does not join a line end", []string{"\n", "\u0301", "a"}},
	{"WB3c: pictographs joined", []string{"👩\u200D🚀", "x"}},
	{"WB3c: a joiner before a letter", []string{"👩\u200D", "a"}},
	{"WB3d: spaces together", []string{"a", "   ", "b"}},
	{"WB3d: only when adjacent", []string{" \u0308", " "}},
	{"WB4: marks, format characters and joiners are ignored", []string{"a\u0308\u00AD\u200Db", " "}},
	{"WB5: letters", []string{"crane", " ", "αβγ"}},
	{"WB6, WB7: in letters", []string{"can't", " ", "d:e", " ", "e.g", "."}},
	{"WB6, WB7: across marks", []string{"a\u0308'\u0308b"}},
	{"WB6: not before a digit", []string{"a", "'", "1"}},
	{"WB6: not at the end", []string{"dogs", "'"}},
	{"WB6: not twice", []string{"a", ".", ".", "b"}},
	{"WB7a: Hebrew and an apostrophe", []string{"א'", " "}},
	{"WB7b, WB7c: Hebrew and a quotation mark", []string{"צה\"ל"}},
	{"WB7b: not at the end", []string{"א", "\""}},
	{"WB7b: not in Latin", []string{"a", "\"", "b"}},
	{"WB8: digits", []string{"42"}},
	{"WB9, WB10: letters and digits", []string{"A3a7"}},
	{"WB11, WB12: in numbers", []string{"3,456.789", " ", "1'000"}},
	{"WB11: not before a letter", []string{"3", ",", "a"}},
	{"WB12: not at the end", []string{"3", "."}},
	{"WB13: Katakana", []string{"カタカナー"}},
	{"WB13: Katakana and Latin", []string{"カ", "a"}},
	{"WB13a, WB13b: connectors", []string{"snake_case_7_カ", "-", "_"}},
	{"WB15, WB16: flags are pairs", []string{"🇩🇪", "🇫🇷", "🇩"}},
	{"WB15: after a letter", []string{"a", "🇩🇪", "🇫"}},
	{"WB15: a joiner in a pair is ignored", []string{"🇩\u200D🇪", "🇫"}},
	{"WB999: Han and Hiragana one by one", []string{"新", "幹", "線", "の"}},
	{"WB999: punctuation", []string{"C", "+", "+"}},
	{"Hangul is letters", []string{"한국어", " ", "\u1112\u1161\u11AB"}},
	{"a bad byte stands alone", []string{"a", "\xFF", "b"}},
}

func TestWordRules(t *testing.T) {
	for _, tt := range wordTests {
		if got := slices.Collect(Words(strings.Join(tt.words, ""))); !slices.Equal(got, tt.words) {
			t.Errorf("%s: words %+q, want %+q", tt.name, got, tt.words)
		}
	}
}

var graphemeTests = []struct {
	name     string
	clusters []string
}{
	{"empty", nil},
	{"GB999: letters", []string{"a", "b"}},
	{"GB3: CR LF", []string{"\r\n", "\n", "\r"}},
	{"GB4, GB5: controls stand alone", []string{"a", "\u0000", "\u0301", "\u200B", "\u0301"}},
	{"GB6: Hangul lead", []string{"\u1100\u1100\u1161", "\u1100가"}},
	{"GB7: Hangul vowel", []string{"가\u1161\u11A8"}},
	{"GB8: Hangul tail", []string{"각\u11A8", "가"}},
	{"GB8: no vowel after a tail", []string{"각", "\u1161"}},
	{"GB9: marks", []string{"e\u0301\u0323", "x\u200D", "y"}},
	{"GB9a: spacing marks", []string{"கி", "க"}},
	{"GB9b: prepended", []string{"\u0600٣", "x"}},
	{"GB9b: not before a control", []string{"\u0600", "\n"}},
	{"GB9c: conjunct", []string{"क्त", "क"}},
	{"GB9c: conjunct of three", []string{"क्त्य"}},
	{"GB9c: with a nukta and joiners", []string{"क\u093C\u200D\u094D\u200Dत"}},
	{"GB9c: no linker", []string{"क\u093C", "त"}},
	{"GB9c: a linker without a consonant", []string{"a\u094D", "त"}},
	{"GB9c: a vowel sign ends it", []string{"क\u094D\u093E", "त"}},
	{"GB11: family", []string{"👩\u200D👩\u200D👧", "👧"}},
	{"GB11: with a modifier", []string{"👩🏽\u200D🚀"}},
	{"GB11: a joiner after a letter", []string{"a\u200D", "🚀"}},
	{"GB11: two joiners", []string{"👩\u200D\u200D", "🚀"}},
	{"GB12: flags from the start", []string{"🇩🇪", "🇫🇷", "🇩"}},
	{"GB13: flags after a letter", []string{"a", "🇩🇪", "🇫"}},
	{"GB13: a joiner ends a flag", []string{"🇩\u200D", "🇪🇫", "🇷"}},
	{"keycap", []string{"1\uFE0F\u20E3", "2"}},
	{"tag sequence", []string{"🏴\U000E0067\U000E0062\U000E007F", "x"}},
	{"a bad byte takes a mark", []string{"\xFF\u0301", "\xC3", "a"}},
}

func TestGraphemeRules(t *testing.T) {
	for _, tt := range graphemeTests {
		s := strings.Join(tt.clusters, "")
		if got := slices.Collect(Graphemes(s)); !slices.Equal(got, tt.clusters) {
			t.Errorf("%s: clusters %+q, want %+q", tt.name, got, tt.clusters)
		}
		checkBorders(t, s)
	}
}

// checkBorders compares GraphemeStart and GraphemeEnd with the clusters from the start.
func checkBorders(t *testing.T, s string) {
	t.Helper()
	at := 0
	for g := range Graphemes(s) {
		for i := at; i < at+len(g); i++ {
			if got := GraphemeStart(s, i); got != at {
				t.Fatalf("GraphemeStart(%+q, %d) = %d, want %d", s, i, got, at)
			}
			want := at + len(g)
			if i == at {
				want = at
			}
			if got := GraphemeEnd(s, i); got != want {
				t.Fatalf("GraphemeEnd(%+q, %d) = %d, want %d", s, i, got, want)
			}
		}
		at += len(g)
	}
	for _, i := range []int{-1, len(s), len(s) + 1} {
		want := max(0, min(i, len(s)))
		if a, b := GraphemeStart(s, i), GraphemeEnd(s, i); a != want || b != want {
			t.Fatalf("borders of %+q at %d = %d, %d, want %d", s, i, a, b, want)
		}
	}
}

func TestGraphemeBorders(t *testing.T) {
	alphabet := alphabet()
	for seed := range uint64(5000) {
		checkBorders(t, randomText(rand.New(rand.NewPCG(seed, 2)), alphabet))
	}
}

// TestOfficial runs the test files of the Unicode Character Database (lines such
// as "÷ 0061 × 0308 ÷ 0062 ÷") where UCD_TESTS names a folder that has them. They
// are not committed; gen/README.md says what was run.
func TestOfficial(t *testing.T) {
	folder := os.Getenv("UCD_TESTS")
	if folder == "" {
		t.Skip("UCD_TESTS names no folder with WordBreakTest.txt and GraphemeBreakTest.txt")
	}
	officialBreaks(t, folder+"/WordBreakTest.txt", NextWord)
	officialBreaks(t, folder+"/GraphemeBreakTest.txt", NextGrapheme)
}

func officialBreaks(t *testing.T, path string, next func(string) int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		row, _, _ := strings.Cut(lines.Text(), "#")
		if row = strings.TrimSpace(row); row == "" {
			continue
		}
		rows++
		rest, got := officialText(t, row), "÷"
		for rest != "" {
			n := next(rest)
			got += officialSegment(rest[:n]) + " ÷"
			rest = rest[n:]
		}
		if got != row {
			t.Errorf("%s: %s, want %s", path, got, row)
		}
	}
	t.Logf("%s: %d rows", path, rows)
}

func officialText(t *testing.T, row string) string {
	t.Helper()
	var b strings.Builder
	for _, field := range strings.Fields(row) {
		if field == "÷" || field == "×" {
			continue
		}
		r, err := strconv.ParseUint(field, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteRune(rune(r))
	}
	return b.String()
}

func officialSegment(s string) string {
	var fields []string
	for _, r := range s {
		hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
		fields = append(fields, strings.Repeat("0", max(0, 4-len(hex)))+hex)
	}
	return " " + strings.Join(fields, " × ")
}
