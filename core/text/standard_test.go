package text

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

// spell writes tokens as in the tables: wholes before a colon, the others with
// their position where it is not one more than that before.
func spell(s string) string {
	var b strings.Builder
	next := int32(0)
	for tok, at := range Standard(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if at.Position != next {
			fmt.Fprintf(&b, "%d!", at.Position)
		}
		b.WriteString([...]string{"", "", "~", "=", "", ""}[at.Kind])
		b.WriteString(tok.Text)
		b.WriteString([...]string{"", "'", "", "", "+", "."}[at.Kind])
		if !at.Kind.IsWhole() {
			next++
		}
	}
	return b.String()
}

// Tokens are spelled =identifier, ~compound, part', word, bigram+ and tail.
var standardTests = []struct {
	name string
	in   string
	want string
}{
	{"nothing", "", ""},
	{"no letters", " \t-- ... !? _ ++ #", ""},
	{"words are folded", "Crane FAULTS", "crane faults"},
	{"stop words are tokens", "the tide and I", "the tide and i"},
	{"nothing is stemmed", "cranes craning", "cranes craning"},
	{"punctuation ends words", "(tide), \"berth\"; crane! <b>", "tide berth crane b"},
	{"numbers", "berth 7, 42", "berth 7 42"},

	{"possessives are dropped", "crane's CRANE'S cranes' Alzheimer’s", "crane crane cranes alzheimer"},
	{"so are other endings", "I'm you're we've he'll she'd What's", "i you we he she what"},
	{"negations are words", "don't ISN'T can’t won\u02BCt", "don't isn't can't won't"},
	{"an ending goes on", "o'security d'Artagnan", "~o'security o' security' ~d'artagnan d' artagnan'"},
	{"not after an n", "it't", "~it't it' t'"},
	{"other apostrophes join", "l'avion O’Reilly's rock'n'roll", "~l'avion l' avion' ~o'reilly o' reilly' ~rock'n'roll rock' n' roll'"},
	{"an ending inside", "Alzheimer's-related", "~alzheimer-related alzheimer' related'"},
	{"quotes are no apostrophes", "'tide' ''berth'' ‘crane’", "tide berth crane"},

	{"hyphens", "well-known state-of-the-art", "~well-known well' known' ~state-of-the-art state' of' the' art'"},
	{"other hyphens", "DEC\u20110054 well\u2010known", "=dec-0054 dec' 0054' ~well-known well' known'"},
	{"dashes split", "1990–1995 tide—berth a -- b", "1990 1995 tide berth a b"},
	{"a slash", "and/or a/b", "=and/or and' or' =a/b a' b'"},
	{"a missing blank", "end.Next, one,two", "=end.next end' next' one two"},
	{"an ellipsis", "wait... what", "wait what"},
	{"numbers with signs", "3.14 1,000 1'000 12:30 50%", "=3.14 3' 14' =1,000 1' 000' =1'000 1' 000' =12:30 12' 30' 50"},
	{"a comma only between digits", "1,a a,1 1,,2", "1 a a 1 1 2"},

	{"camel case", "parseHTTPHeader", "=parsehttpheader parse' http' header'"},
	{"plurals of capitals", "URLs userIDs HTTPSv", "urls =userids user' ids' =httpsv http' sv'"},
	{"capitals alone", "NATO Tide TIDE", "nato tide tide"},
	{"letters and digits", "HTTP2Server sha256 10mg", "=http2server http' 2' server' =sha256 sha' 256' =10mg 10' mg'"},
	{"short codes stay", "b12 PhD LaTeX pH H2O i18n", "b12 phd latex ph h2o i18n"},
	{"digests stay", "d41d8cd98f00b204e9800998ecf8427e", "d41d8cd98f00b204e9800998ecf8427e"},
	{"long names don't", "getUserProfileSettingsFromRemoteServer", "=getuserprofilesettingsfromremoteserver get' user' profile' settings' from' remote' server'"},
	{"camel case beyond ASCII", "größeÄndern ЦенаТовара", "=grösseändern grösse' ändern' =ценатовара цена' товара'"},
	{"snake case", "snake_case_name MAX_LEN", "=snake_case_name snake' case' name' =max_len max' len'"},
	{"underscores around", "__init__ _private class_", "=__init__ init' =_private private' =class_ class'"},
	{"several hyphens or underscores", "a--b a__b", "=a--b a' b' =a__b a' b'"},
	{"four signs split", "a....b a::::b", "a b a b"},
	{"dots", "foo.bar.baz()", "=foo.bar.baz foo' bar' baz'"},
	{"versions", "v1.2.3 2026.4.10", "=v1.2.3 v1' 2' 3' =2026.4.10 2026' 4' 10'"},
	{"levels", "obj.parseHTTP(max_len)", "=obj.parsehttp obj' =parsehttp parse' http' =max_len max' len'"},
	{"names in dots", "self.__init__ a_b.c-d", "=self.__init__ self' =__init__ init' =a_b.c-d =a_b a' b' ~c-d c' d'"},
	{"paths", "core/text/cosine.go", "=core/text/cosine.go core' text' =cosine.go cosine' go'"},
	{"paths of Windows", `C:\docs\A.md docs/A.md`, "=c:/docs/a.md c' docs' =a.md a' md' =docs/a.md docs' =a.md a' md'"},
	{"URLs", "<https://example.com/a?b=1#c>", "=https://example.com/a?b=1#c https' =example.com example' com' a' b' 1' c'"},
	{"e-mail", "alice.b@example.com.", "=alice.b@example.com =alice.b alice' b' =example.com example' com'"},
	{"signs of languages", "C++ C# F#, C notepad++", "c++ c# f# c =notepad++ notepad'"},
	{"signs of languages among others", "C++/C# g++11 c_ .C# é# _c# C++/é", "=c++/c# c++' c#' =g++11 g++' 11' =c_ c' =.c# c#' é# =_c# c' =c++/é c++' é'"},
	{"only after letters", "x1++ a.b# #tag", "x1 =a.b# a' b#' tag"},
	{"a full stop before", ".NET x .NET.x ASP.NET .5", "=.net net' x =.net.x net' x' =asp.net asp' net' 5"},
	{"not after a call", "a().b ]c. ...d", "a b c d"},
	{"operators", "i=0 x+1 a->b a&&b", "=i=0 i' 0' =x+1 x' 1' a b =a&&b a' b'"},
	{"AT&T", "AT&T", "=at&t at' t'"},
	{"a mark on a sign", "a-\u0301b a_\u0301b c++\u0338", "a b a b c"},
	{"UAX #29 joins", "col·lecció צה״ל a‿b ٣٬٤ 1;2", "~col·lecció col' lecció' ~צה״ל צה' ל' ~a‿b a' b' =٣٬٤ ٣' ٤' 1 2"},

	{"accents stay", "Größe café İzmir", "grösse café i\u0307zmir"},
	{"NFC again after folding", "J\u030C ǰ", "ǰ ǰ"},
	{"letter numbers are letters", "Ⅷ Ⓐ", "ⅷ ⓐ"},
	{"other numbers are not", "½ x² CO₂", "x co"},
	{"soft hyphens", "soft\u00ADhyphen a\u200Db می\u200Cخواهم", "softhyphen ab میخواهم"},
	{"a zero-width space splits", "zero\u200Bwidth", "zero width"},
	{"a mark after what is left out", "e\u00AD\u0301", "é"},
	{"byte order mark", "\uFEFF# Tide \uFEFFberth", "tide berth"},
	{"variation selectors", "7\uFE0F\u20E3 葛\U000E0100城", "7\u20E3 葛城+ 城."},
	{"a bad byte splits", "ab\xFFcd\xC3", "ab cd"},
	{"emoji are no tokens", "tide ❤\uFE0F👩🏽\u200D🚀", "tide"},

	{"Han", "新幹線", "新幹+ 幹線+ 線."},
	{"a lone character", "新 ア 한", "新. ア. 한."},
	{"Latin inside", "使用Kubectl部署", "使用+ 用. kubectl 部署+ 署."},
	{"an identifier inside", "使用a_b部署", "使用+ 用. =a_b a' b' 部署+ 署."},
	{"digits inside", "2026年4月", "2026 年. 4 月."},
	{"signs don't join sequences", "新/幹 a/新 .NETで", "新. 幹. a 新. =.net net' で."},
	{"Kana", "東京へ行く。", "東京+ 京へ+ へ行+ 行く+ く."},
	{"ideographic zero", "二〇二六", "二〇+ 〇二+ 二六+ 六."},
	{"voiced marks", "か\u3099き\u3099", "がぎ+ ぎ."},
	{"Hangul", "한국어 문서", "한국+ 국어+ 어. 문서+ 서."},
	{"Thai", "ภาษาไทย", "ภา+ าษ+ ษา+ าไ+ ไท+ ทย+ ย."},
	{"Thai marks", "ที่นี่", "ที่นี่+ นี่."},
	{"compatibility ideographs", "\uF900\uF901", "\u8C48\u66F4+ \u66F4."},
}

func TestStandard(t *testing.T) {
	for _, tt := range standardTests {
		if got := spell(tt.in); got != tt.want {
			t.Errorf("%s: tokens of %+q = %s, want %s", tt.name, tt.in, got, tt.want)
		}
	}
}

// A row lists the source of each token.
var standardSourceTests = []struct {
	name string
	in   string
	want []string
}{
	{"words", "The tide, at 7.", []string{"The", "tide", "at", "7"}},
	{"endings", "crane’s DON’T", []string{"crane", "DON’T"}},
	{"camel case", "x parseHTTP", []string{"x", "parseHTTP", "parse", "HTTP"}},
	{"levels", "a_b.C", []string{"a_b.C", "a_b", "a", "b", "C"}},
	{"around", ".NET __x J++ ab++,", []string{".NET", "NET", "__x", "x", "J++", "ab++", "ab"}},
	{"an ending inside", "Al's-re", []string{"Al's-re", "Al", "re"}},
	{"what is left out", "e\u00AD\u0301a\u0301B\u00ADc", []string{"e\u00AD\u0301a\u0301B\u00ADc", "e\u00AD\u0301a\u0301", "B\u00ADc"}},
	{"NFC makes it shorter", "cafe\u0301Noir", []string{"cafe\u0301Noir", "cafe\u0301", "Noir"}},
	{"bigrams", "新幹線", []string{"新幹", "幹線", "線"}},
	{"bigrams that compose", "か\u3099き\u3099く", []string{"か\u3099き\u3099", "き\u3099く", "く"}},
}

func TestStandardSources(t *testing.T) {
	for _, tt := range standardSourceTests {
		var got []string
		for tok := range Standard(tt.in) {
			got = append(got, tt.in[tok.Start:tok.End])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: sources in %+q = %+q, want %+q", tt.name, tt.in, got, tt.want)
		}
	}
}

// What users of such tools search for: each query has to find the text by all its
// tokens but wholes and tails, in a row, and by its whole where it has one.
var trials = []struct {
	name        string
	text, query string
	found       bool
}{
	{"X32 CJK", "東京の新幹線です", "新幹線", true},
	{"X32 CJK, the other word", "新聞を読む", "新幹線", false},
	{"X32 Chinese", "数据库连接失败", "连接", true},
	{"X32 Korean", "데이터베이스 연결", "이스", true},
	{"X33 glued scripts", "使用kubectl部署", "kubectl", true},
	{"X33 glued scripts, the other", "使用kubectl部署", "部署", true},
	{"X34 NFC in NFD", norm.NFD.String("Überprüfung"), "überprüfung", true},
	{"X34 NFD in NFC", "Überprüfung", norm.NFD.String("überprüfung"), true},
	{"X34 Hangul", norm.NFD.String("한국어"), "한국어", true},
	{"X35 parseHTTPHeader", "func parseHTTPHeader()", "parseHTTPHeader", true},
	{"X35 its parts", "func parseHTTPHeader()", "http header", true},
	{"X35 its whole in small letters", "func parseHTTPHeader()", "parsehttpheader", true},
	{"X35 snake_case_name", "x = snake_case_name", "snake_case_name", true},
	{"X35 its part", "x = snake_case_name", "case", true},
	{"X35 DEC-0054", "see DEC-0054.", "DEC-0054", true},
	{"X35 its number", "see DEC-0054.", "0054", true},
	{"X35 another number", "see DEC-0054.", "DEC-0055", false},
	{"X35 2026.4.10", "released 2026.4.10, later", "2026.4.10", true},
	{"X35 its part", "released 2026.4.10, later", "2026", true},
	{"X35 C++", "in C++, not C", "C++", true},
	{"X35 not C", "in C, not C#", "C++", false},
	{"X35 nor the other way", "in C++ and C#", "C", false},
	{"X35 .NET", "under .NET 10", ".NET", true},
	{"X35 NET", "under .NET 10", "net", true},
	{"X35 a/b", "either a/b or c", "a/b", true},
	{"X35 its part", "either a/b or c", "b", true},
	{"X36 BOM", "\uFEFF# Heading", "Heading", true},
}

func TestTrials(t *testing.T) {
	for _, tt := range trials {
		if got := finds(tt.text, tt.query); got != tt.found {
			t.Errorf("%s: %+q found in %+q: %v, want %v", tt.name, tt.query, tt.text, got, tt.found)
		}
	}
}

func finds(s, query string) bool {
	at := map[plainToken]bool{}
	row := map[string][]int32{}
	for _, tok := range standardTokens(s) {
		at[plainToken{tok.text, tok.position, Word}] = true
		row[tok.text] = append(row[tok.text], tok.position)
	}
	tokens := standardTokens(query)
	if tokens[0].kind.IsWhole() && len(row[tokens[0].text]) == 0 {
		return false
	}
	tokens = slices.DeleteFunc(tokens, func(t plainToken) bool { return t.kind.IsWhole() || t.kind == Tail })
	return slices.ContainsFunc(row[tokens[0].text], func(start int32) bool {
		return !slices.ContainsFunc(tokens, func(t plainToken) bool { return !at[plainToken{t.text, start + t.position, Word}] })
	})
}

func TestStandardStops(t *testing.T) {
	for tok := range Standard("What's it, and how do they've DON’T aren't you for a berth") {
		if got, want := IsStandardStop(tok.Text), tok.Text != "berth"; got != want {
			t.Errorf("IsStandardStop(%q) = %v, want %v", tok.Text, got, want)
		}
	}
	for tok := range Standard("an and are as at be by can do for from how i in is it me my of on or please that the this to was we what with you a") {
		if !IsStop(tok.Text) || !IsStandardStop(tok.Text) {
			t.Errorf("%q is a stop word of the profile cosine: %v, standard: %v", tok.Text, IsStop(tok.Text), IsStandardStop(tok.Text))
		}
	}
}

// The consumer may stop at any token.
func TestStandardStopEarly(t *testing.T) {
	const in = "Crane 新幹線x tide's ÉÉ b_c.DeF2x .NET 使用A部署 éa\u0301Bcd don't"
	all := standardTokens(in)
	for n := range all {
		var got []plainToken
		for tok, at := range Standard(in) {
			if got = append(got, plainToken{tok.Text, at.Position, at.Kind}); len(got) > n {
				break
			}
		}
		if !slices.Equal(got, all[:n+1]) {
			t.Errorf("the first %d tokens = %+q, want %+q", n+1, got, all[:n+1])
		}
	}
}

// Nothing is lost of what is too long for a token.
func TestLongTokens(t *testing.T) {
	for _, tt := range []struct {
		name   string
		in     string
		tokens int
		first  int // its length
	}{
		{"the longest word", strings.Repeat("a", 255), 1, 255},
		{"a word in pieces", strings.Repeat("a", 256), 4, 85},
		{"a megabyte", strings.Repeat("x", 1<<20), (1<<20 + 84) / 85, 85},
		{"capitals in pieces", strings.Repeat("A", 256), 4, 85},
		{"letters that grow", strings.Repeat("İ", 100), 3, 126},
		{"the longest identifier", strings.Repeat("ab.", 85), 86, 254},
		{"one without its whole", strings.Repeat("ab.", 85) + "ab", 86, 2},
		{"a path of short names", strings.Repeat("a_b/", 1000) + "a_b", 3003, 3},
		{"a thousand marks", "é" + strings.Repeat("\u0323", 1000), 24, 85},
		{"a thousand marks in a sequence", "新" + strings.Repeat("\u0323", 1000), 48, 83},
	} {
		var all []string
		for tok := range Standard(tt.in) {
			all = append(all, tok.Text)
		}
		if len(all) != tt.tokens || len(all[0]) != tt.first {
			t.Errorf("%s: %d tokens, the first of %d bytes, want %d, %d", tt.name, len(all), len(all[0]), tt.tokens, tt.first)
		}
	}
}

// The reason why sureLength is sure.
func TestFormsAreShort(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		form := ucd.AppendNFC(nil, ucd.AppendFold(nil, ucd.AppendNFC(nil, string(r))))
		if len(form) > 3*utf8.RuneLen(r) {
			t.Errorf("%U, of %d bytes, has a form of %d", r, utf8.RuneLen(r), len(form))
		}
	}
}

// standardPool has what the profile standard distinguishes, the commonest first.
func standardPool() []rune {
	return append([]rune("aaabnstdmrevlABNST019 __--..,,''::/@#++=\\~&?%()]’‘\u02BC\u2010\u00B7\u0387\u037E;\u202F\u05F4\u066C\u203F"+
		"éÉßİжЖא٣Ⅷ〇新幹ガー한\u1112\u1161\u11AB\u0E44\u0E17\u0E22ǅᾈ"+
		"\u0301\u0323\u0338\u0345\u3099\u00AD\u200D\u200B\uFE0F\U000E0100\u034F\uFEFF\U0001F3FB"), pool()...)
}

func randomStandard(r *rand.Rand, pool []rune) string {
	var b strings.Builder
	for range r.IntN(24) {
		n := len(pool)
		if r.IntN(4) > 0 {
			n = 40 << r.IntN(3)
		}
		b.WriteRune(pool[r.IntN(min(n, len(pool)))])
	}
	return b.String()
}

func TestStandardEquivalentForms(t *testing.T) {
	pool := standardPool()
	for seed := range uint64(10000) {
		s := randomStandard(rand.New(rand.NewPCG(seed, 1)), pool)
		want := standardTokens(s)
		for _, form := range []norm.Form{norm.NFC, norm.NFD} {
			if got := standardTokens(form.String(s)); !slices.Equal(got, want) {
				t.Fatalf("seed %d: tokens of %+q = %+q, of its form %d %+q", seed, s, want, form, got)
			}
		}
		if plain := plainStandard(s); !slices.Equal(want, plain) {
			t.Fatalf("seed %d: tokens of %+q = %+q, want %+q", seed, s, want, plain)
		}
		checkStandard(t, s)
	}
}

func TestStandardInPieces(t *testing.T) {
	pool := standardPool()
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 2))
		a, b := randomStandard(r, pool), randomStandard(r, pool)
		got := standardTokens(a)
		position := int32(0)
		for _, tok := range got {
			if !tok.kind.IsWhole() {
				position = tok.position + 1
			}
		}
		for _, tok := range standardTokens(b) {
			tok.position += position
			got = append(got, tok)
		}
		for _, blank := range []string{"\n\n", " ", "\u2029", "\t"} {
			if want := standardTokens(a + blank + b); !slices.Equal(got, want) {
				t.Fatalf("seed %d: tokens of %+q and %+q = %+q, together %+q", seed, a, b, got, want)
			}
		}
	}
}

// checkStandard checks what is promised of any text: sources in the text, at
// characters, that begin in order and make their token.
func checkStandard(t *testing.T, s string) {
	t.Helper()
	start, position := 0, int32(0)
	for tok, at := range Standard(s) {
		source := s[tok.Start:tok.End]
		switch {
		case tok.Text == "" || len(tok.Text) > MaxToken || !utf8.ValidString(tok.Text),
			tok.Start < start || tok.Start >= tok.End || !utf8.RuneStart(s[tok.Start]),
			tok.End < len(s) && !utf8.RuneStart(s[tok.End]) && utf8.ValidString(s),
			at.Position != position:
			t.Fatalf("token %+q of %+q at %d has the source %d to %d, after %d, %d", tok.Text, s, at.Position, tok.Start, tok.End, position, start)
		case at.Kind.IsWhole() && !slices.ContainsFunc(standardTokens(source), func(t plainToken) bool { return t.text == tok.Text }),
			!at.Kind.IsWhole() && !strings.Contains(plainForm(lettersOf("a"+source)), tok.Text):
			t.Fatalf("token %+q of %+q has the source %+q", tok.Text, s, source)
		}
		if start = tok.Start; !at.Kind.IsWhole() {
			position++
		}
	}
}

// What UAX #29 takes for one word is one token, or in one.
func TestWordsOfUnicodeAreInTokens(t *testing.T) {
	pool := []rune("aaabnABN019  __--..,,'':/éÉßжЖא٣Ⅷ·\u05F4\u066C")
	for seed := range uint64(10000) {
		s := randomStandard(rand.New(rand.NewPCG(seed, 3)), pool)
		at := 0
		for word := range ucd.Words(s) {
			from, to := at, at+len(word)
			at = to
			word = strings.Trim(word, "_'")
			from += strings.Index(s[from:to], word)
			to = from + len(word)
			if sign := signAt(word, 0); sign&inWord == 0 {
				continue
			}
			covered := false
			for tok := range Standard(s) {
				covered = covered || tok.Start <= from && to <= tok.End
			}
			if !covered {
				t.Fatalf("seed %d: no token of %+q, %s, holds its word %+q", seed, s, spell(s), word)
			}
		}
	}
}

func FuzzStandard(f *testing.F) {
	for _, tt := range cosineTests {
		f.Add(tt.in)
	}
	for _, tt := range standardTests {
		f.Add(tt.in)
	}
	for _, tt := range standardSourceTests {
		f.Add(tt.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1000 {
			return // the checks are quadratic
		}
		checkStandard(t, s)
		if got, want := standardTokens(s), plainStandard(s); !slices.Equal(got, want) {
			t.Errorf("tokens of %+q = %+q, want %+q", s, got, want)
		}
	})
}

// As for the profile cosine; the tokens of a chain share memory, too.
func TestStandardAllocations(t *testing.T) {
	for _, tt := range []struct {
		name string
		text string
		most float64
	}{
		{"small letters", strings.Repeat("crane faults at berth 7, ", 400), 2},
		{"one capital a sentence", strings.Repeat("Crane faults at berth seven and no other. ", 400), 20},
		{"names in small letters", strings.Repeat("see docs/crane_faults.md ", 400), 8},
		{"names", strings.Repeat("parseHTTPHeader(reqBody) ", 400), 20},
		{"Han and kana", strings.Repeat("東京へ行く、新幹線で。", 400), 2},
		{"accents", strings.Repeat("größe über café. ", 400), 20},
	} {
		got := testing.AllocsPerRun(10, func() {
			for range Standard(tt.text) {
			}
		})
		if got > tt.most {
			t.Errorf("%s: %v allocations, want at most %v", tt.name, got, tt.most)
		}
	}
}

func BenchmarkStandard(b *testing.B) {
	for _, bb := range benchTexts {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.text)))
			b.ReportAllocs()
			for b.Loop() {
				for range Standard(bb.text) {
				}
			}
		})
	}
}
