package text

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

func tokens(s string) []string {
	var all []string
	for t := range Cosine(s) {
		all = append(all, t.Text)
	}
	return all
}

var cosineTests = []struct {
	name string
	in   string
	want []string
}{
	{"nothing", "", nil},
	{"no letters", " \t-- ... !?", nil},
	{"words are folded", "Crane Faults", []string{"crane", "faults"}},
	{"stop words are tokens", "the tide and I", []string{"the", "tide", "and", "i"}},
	{"digits are part of a run", "berth 7, INV0042", []string{"berth", "7", "inv0042"}},
	{"punctuation splits", "INV-004 snake_case C++ a.b don't", []string{"inv", "004", "snake", "case", "c", "a", "b", "don", "t"}},
	{"capitals do not split", "parseHTTPHeader", []string{"parsehttpheader"}},
	{"no stems", "cranes craning", []string{"cranes", "craning"}},
	{"a token as often as it occurs", "tide Tide TIDE", []string{"tide", "tide", "tide"}},

	{"accents stay", "Größe café", []string{"grösse", "café"}},
	{"ASCII, then more", "CAFÉ7x", []string{"café7x"}},
	{"full folding", "STRASSE Straße ﬁn", []string{"strasse", "strasse", "fin"}},
	{"dotted capital I", "İzmir", []string{"i\u0307zmir"}},
	{"final sigma", "ΟΔΟΣ οδος", []string{"οδοσ", "οδοσ"}},
	{"iota subscript", "ᾳ α\u0345 ΑΙ", []string{"αι", "αι", "αι"}},
	{"NFC again after folding", "J\u030C ǰ", []string{"ǰ", "ǰ"}},
	{"singletons", "Kelvin Å Ω", []string{"kelvin", "å", "ω"}},
	{"digits of any script, as they are", "٣ ३ 3", []string{"٣", "३", "3"}},
	{"letters used as numbers are not digits", "Ⅷ ½ ²", nil},
	{"outside the BMP", "𐐀𐐁 𝐀", []string{"𐐨𐐩", "𝐀"}},
	{"vowel signs and viramas are marks", "हिन्दी भाषा", []string{"हिन्दी", "भाषा"}},
	{"Thai has no spaces", "ภาษาไทย", []string{"ภาษาไทย"}},
	{"Hebrew points", "שָׁלוֹם", []string{norm.NFC.String("שָׁלוֹם")}},

	{"a mark belongs to its letter", "e\u0301a", []string{"éa"}},
	{"marks in any order", "a\u0301\u0323 a\u0323\u0301", []string{"ạ\u0301", "ạ\u0301"}},
	{"a mark after a symbol belongs to the symbol", "=\u0338 ≠ ~\u0301x", []string{"x"}},
	{"marks after nothing", "\u0301\u0302abc", []string{"abc"}},
	{"Greek accents that decompose", "\u1FEE a\u0385b ¨\u0301", []string{"a", "b"}},
	{"emoji and their selectors", "tide ❤\uFE0F👩🏽\u200D🚀 7\uFE0F\u20E3", []string{"tide", "7\uFE0F\u20E3"}},
	{"format characters split", "soft\u00ADhyphen zero\u200Bwidth", []string{"soft", "hyphen", "zero", "width"}},
	{"a bad byte splits", "ab\xFFcd\xC3", []string{"ab", "cd"}},

	{"Han", "新幹線", []string{"新幹", "幹線"}},
	{"a lone character", "新 ア 한", []string{"新", "ア", "한"}},
	{"two", "部署", []string{"部署"}},
	{"Latin inside", "使用kubectl部署", []string{"使用", "kubectl", "部署"}},
	{"Latin beside a lone character", "T恤 K歌7", []string{"t", "恤", "k", "歌", "7"}},
	{"capitals inside", "使用KUBECTL部署", []string{"使用", "kubectl", "部署"}},
	{"Han and kana are one sequence", "東京へ行く", []string{"東京", "京へ", "へ行", "行く"}},
	{"iteration and length marks count", "佐々木カー", []string{"佐々", "々木", "木カ", "カー"}},
	{"punctuation ends a sequence", "東京、大阪。", []string{"東京", "大阪"}},
	{"ideographic zero is a number, not a digit", "二〇二", []string{"二", "二"}},
	{"kana with voiced marks", "か\u3099き\u3099く", []string{"がぎ", "ぎく"}},
	{"marks go with their character", "新\u0301幹\u0323線", []string{"新\u0301幹\u0323", "幹\u0323線"}},
	{"Hangul", "한국어 문서", []string{"한국", "국어", "문서"}},
	{"Hangul in parts", norm.NFD.String("한국어"), []string{"한국", "국어"}},
	{"compatibility ideographs", "\uF900\uF901", []string{"\u8C48\u66F4"}},
	{"beyond the BMP", "𠮷野家", []string{"𠮷野", "野家"}},
	{"Bopomofo", "ㄅㄆㄇ", []string{"ㄅㄆ", "ㄆㄇ"}},
	{"halfwidth and fullwidth stay", "ｱｲ ＡＢ", []string{"ｱｲ", "ａｂ"}},
}

func TestCosine(t *testing.T) {
	for _, tt := range cosineTests {
		if got := tokens(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("%s: tokens of %+q = %+q, want %+q", tt.name, tt.in, got, tt.want)
		}
	}
}

// A row lists the source of each token.
var sourceTests = []struct {
	name string
	in   string
	want []string
}{
	{"ASCII", "The tide, at 7.", []string{"The", "tide", "at", "7"}},
	{"folding makes it longer", "x İİ ŉ y", []string{"x", "İİ", "ŉ", "y"}},
	{"NFC makes it shorter", "cafe\u0301 noir", []string{"cafe\u0301", "noir"}},
	{"folding makes it shorter", "\u212A \u2126", []string{"\u212A", "\u2126"}},
	{"bigrams", "新幹線 x", []string{"新幹", "幹線", "x"}},
	{"bigrams that compose", "xか\u3099き\u3099く", []string{"x", "か\u3099き\u3099", "き\u3099く"}},
	{"Hangul in parts", "\u1112\u1161\u11AB\u1100\u116E\u11A8A", []string{"\u1112\u1161\u11AB\u1100\u116E\u11A8", "A"}},
	{"Latin inside, folded", "使用ﬁKUBE部署", []string{"使用", "ﬁKUBE", "部署"}},
	{"marks", "新\u0301\u0323幹線", []string{"新\u0301\u0323幹", "幹線"}},
	{"a jamo that composes with nothing", "각\u1161x", []string{"각\u1161", "x"}},
}

func TestSources(t *testing.T) {
	for _, tt := range sourceTests {
		var got []string
		for tok := range Cosine(tt.in) {
			got = append(got, tt.in[tok.Start:tok.End])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: sources in %+q = %+q, want %+q", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestStops(t *testing.T) {
	for tok := range Cosine("What do YOU do for a berth") {
		if got, want := IsStop(tok.Text), tok.Text != "berth"; got != want {
			t.Errorf("IsStop(%q) = %v, want %v", tok.Text, got, want)
		}
	}
}

// The consumer may stop at any token.
func TestStopEarly(t *testing.T) {
	const in = "Crane 新幹線x tide ÉÉ 使用A部署"
	all := tokens(in)
	for n := range all {
		var got []string
		for tok := range Cosine(in) {
			if got = append(got, tok.Text); len(got) > n {
				break
			}
		}
		if !slices.Equal(got, all[:n+1]) {
			t.Errorf("the first %d tokens = %q, want %q", n+1, got, all[:n+1])
		}
	}
}

const runClass = ucd.Letter | ucd.Mark | ucd.Digit

// The package comment's reason why equivalent texts have the same runs, for every
// character and every decomposition.
func TestRunsSurviveNormalization(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		nfd := []rune(norm.NFD.String(string(r)))
		for i, d := range nfd {
			whole, part := ucd.ClassOf(r)&runClass, ucd.ClassOf(d)&runClass
			switch {
			case i == 0 && (whole == 0) != (part == 0),
				i == 0 && (whole == ucd.Mark) != (part == ucd.Mark),
				whole == ucd.Mark && part != ucd.Mark,
				whole == 0 && i > 0 && part != ucd.Mark,
				i > 0 && part == 0:
				t.Errorf("%U decomposes to %U: a character enters or leaves the run", r, nfd)
			}
		}
		folded := string(ucd.AppendFold(nil, string(r)))
		for _, f := range folded {
			if (ucd.ClassOf(r)&runClass == 0) != (ucd.ClassOf(f)&runClass == 0) {
				t.Errorf("%U folds to %+q: a character enters or leaves the run", r, folded)
			}
		}
		if first, _ := utf8.DecodeRuneInString(folded); ucd.IsMark(r) != ucd.IsMark(first) && r != '\u0345' {
			t.Errorf("%U folds to %+q: a mark and something else", r, folded)
		}
	}
}

// pool has characters whose forms differ, marks, singletons, jamo, and plain ones.
func pool() []rune {
	pool := []rune("aAéZßİ ı7-.=~新幹カガー한\u1112\u1161\u11AB\u11A7" +
		"\u0300\u0301\u0304\u0308\u030C\u0323\u0331\u0338\u0345\u0340\u0341\u0343\u0344\u034F\u3099\uFE0F" +
		"\u037E\u0374\u0387\u0385\u1FEE\u1FEF\u1FFD\u1FBE\u1FC1\u2126\u212A\u212B\u226E\u2260\u2329\u0958\u0DDD\u0F73")
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if utf8.ValidRune(r) && norm.NFD.String(string(r)) != string(r) && (r < 0xAC00 || r > 0xD7A3) {
			pool = append(pool, r)
		}
	}
	return pool
}

func TestEquivalentForms(t *testing.T) {
	pool := pool()
	for seed := range uint64(30000) {
		r := rand.New(rand.NewPCG(seed, 0))
		var b strings.Builder
		for range r.IntN(20) {
			n := len(pool)
			if r.IntN(2) == 0 {
				n = 70 // the characters written out above come first
			}
			b.WriteRune(pool[r.IntN(n)])
		}
		s := b.String()
		want := tokens(s)
		for _, form := range []norm.Form{norm.NFC, norm.NFD} {
			if got := tokens(form.String(s)); !slices.Equal(got, want) {
				t.Fatalf("seed %d: tokens of %+q = %+q, of its form %d %+q", seed, s, want, form, got)
			}
		}
		if want := plainTokens(s); !slices.Equal(tokens(s), want) {
			t.Fatalf("seed %d: tokens of %+q = %+q, want %+q", seed, s, tokens(s), want)
		}
		checkTokens(t, s)
	}
}

// plainTokens is the package comment, sentence by sentence: NFC first, then runs.
func plainTokens(s string) []string {
	form := func(s string) string { return string(ucd.AppendNFC(nil, s)) }
	var all []string
	for _, run := range runs(form(s)) {
		all = append(all, plainRun(form(string(ucd.AppendFold(nil, run))))...)
	}
	return all
}

func runs(s string) []string {
	var all []string
	in := false
	for _, r := range s {
		class := ucd.ClassOf(r)
		starts := class&(ucd.Letter|ucd.Digit) != 0
		switch {
		case in && class&runClass != 0:
			all[len(all)-1] += string(r)
		case starts:
			all = append(all, string(r))
		}
		in = starts || in && class&ucd.Mark != 0
	}
	return all
}

func plainRun(run string) []string {
	var units []string
	for _, r := range run {
		if ucd.IsMark(r) && len(units) > 0 {
			units[len(units)-1] += string(r)
		} else {
			units = append(units, string(r))
		}
	}
	isCJK := func(i int) bool { r, _ := utf8.DecodeRuneInString(units[i]); return ucd.IsCJK(r) }
	var all []string
	for i := 0; i < len(units); {
		j := i
		for j < len(units) && isCJK(j) == isCJK(i) {
			j++
		}
		if !isCJK(i) || j == i+1 {
			all = append(all, strings.Join(units[i:j], ""))
		} else {
			for k := i; k+1 < j; k++ {
				all = append(all, units[k]+units[k+1])
			}
		}
		i = j
	}
	return all
}

// checkTokens checks what is promised of any text: offsets in the text that never
// fall, tokens that are not empty, and a source that makes the token.
func checkTokens(t *testing.T, s string) {
	t.Helper()
	start, end := 0, 0
	for tok := range Cosine(s) {
		if tok.Text == "" || tok.Start < start || tok.End < end || tok.Start >= tok.End || tok.End > len(s) {
			t.Fatalf("token %+q of %+q has the source %d to %d, after %d to %d", tok.Text, s, tok.Start, tok.End, start, end)
		}
		start, end = tok.Start, tok.End
		// The a is for U+0345: a mark in the source, but a letter, ι, when folded.
		if source := plainTokens("a" + s[start:end]); !strings.Contains(strings.Join(source, " "), tok.Text) {
			t.Fatalf("token %+q of %+q has the source %+q", tok.Text, s, s[start:end])
		}
	}
}

func FuzzCosine(f *testing.F) {
	for _, tt := range cosineTests {
		f.Add(tt.in)
	}
	for _, tt := range sourceTests {
		f.Add(tt.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 {
			return // the checks are quadratic
		}
		checkTokens(t, s)
		if got, want := tokens(s), plainTokens(s); !slices.Equal(got, want) {
			t.Errorf("tokens of %+q = %+q, want %+q", s, got, want)
		}
	})
}

// What is not folded is not copied; what is
// folded shares memory.
func TestAllocations(t *testing.T) {
	for _, tt := range []struct {
		name string
		text string
		most float64
	}{
		{"small letters", strings.Repeat("crane faults at berth 7, ", 400), 2},
		{"one capital a sentence", strings.Repeat("Crane faults at berth seven and no other. ", 400), 20},
		{"Han and kana", strings.Repeat("東京へ行く、新幹線で。", 400), 20},
		{"accents", strings.Repeat("größe über café. ", 400), 20},
	} {
		got := testing.AllocsPerRun(10, func() {
			for range Cosine(tt.text) {
			}
		})
		if got > tt.most {
			t.Errorf("%s: %v allocations, want at most %v", tt.name, got, tt.most)
		}
	}
}

var benchTexts = []struct {
	name, text string
}{
	{"English", strings.Repeat("Crane maintenance for berth 7 isn't due before Monday, unless the Harbour Master asks. ", 2000)},
	{"Lower", strings.Repeat("crane maintenance for berth 7 isn't due before monday, unless the harbour master asks. ", 2000)},
	{"Code", strings.Repeat("return parseHTTPHeader(req.header_map, \"X-Berth-7\") // see docs/cranes.md\n", 2000)},
	{"German", strings.Repeat("Die Gezeitentafeln für die Schleuse hängen im Büro, größer als früher. ", 2000)},
	{"Russian", strings.Repeat("Таблицы приливов для шлюза висят в конторе. ", 2000)},
	{"Japanese", strings.Repeat("新幹線の時刻表はホームにあります。", 2000)},
	{"Mixed", strings.Repeat("使用KUBECTL部署を行う。", 2000)},
	{"Korean", strings.Repeat("항만의 크레인 정비 일정은 사무실에 있습니다. ", 2000)},
	{"NFD", strings.Repeat("Le ge\u0301ne\u0301ral a e\u0301te\u0301 vu. ", 2000)},
}

func BenchmarkCosine(b *testing.B) {
	for _, bb := range benchTexts {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.text)))
			b.ReportAllocs()
			for b.Loop() {
				for range Cosine(bb.text) {
				}
			}
		})
	}
}
