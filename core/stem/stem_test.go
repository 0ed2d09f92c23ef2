package stem

import (
	"embed"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

//go:embed testdata/*.txt
var testdata embed.FS

// A vector is a word and its stem.
type vector struct{ word, stem string }

// vectorsOf returns the vectors of a language; testdata/README.md says where they
// are from.
func vectorsOf(t testing.TB, language string) []vector {
	t.Helper()
	switch language {
	case "nb", "nn":
		language = "no"
	}
	text, err := testdata.ReadFile("testdata/" + language + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	for line := range strings.Lines(string(text)) {
		word, stem, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Fatalf("%s.txt: %q is no vector", language, line)
		}
		all = append(all, vector{word, stem})
	}
	return all
}

func open(t testing.TB, language string) *Stemmer {
	t.Helper()
	s, ok := New(language)
	if !ok {
		t.Fatalf("New(%q) has no stemmer", language)
	}
	return s
}

func TestVectors(t *testing.T) {
	for _, language := range Languages() {
		s := open(t, language)
		for _, v := range vectorsOf(t, language) {
			if got := s.Stem(v.word); got != v.stem {
				t.Errorf("%s: Stem(%q) = %q, want %q", language, v.word, got, v.stem)
			}
		}
	}
}

// What a description says by example.
var stemTests = []struct {
	language, rule string
	stems          []vector
}{
	{"en", "plurals", []vector{
		{"caresses", "caress"}, {"ties", "tie"}, {"cries", "cri"}, {"gas", "gas"}, {"this", "this"}, {"gaps", "gap"}, {"kiwis", "kiwi"},
	}},
	{"en", "verbs", []vector{
		{"luxuriating", "luxuri"}, {"hopping", "hop"}, {"hoping", "hope"}, {"adding", "add"}, {"falling", "fall"}, {"dying", "die"},
		{"pasting", "paste"}, {"guaranteed", "guarante"}, {"feed", "feed"}, {"proceed", "proceed"}, {"proceeding", "proceed"},
	}},
	{"en", "words that look like verbs", []vector{
		{"inning", "inning"}, {"outing", "outing"}, {"herrings", "herring"}, {"evening", "evening"}, {"king", "king"},
	}},
	{"en", "y", []vector{{"cry", "cri"}, {"by", "by"}, {"say", "say"}, {"youth", "youth"}, {"boyish", "boyish"}}},
	{"en", "words apart", []vector{
		{"general", "general"}, {"generous", "generous"}, {"generate", "generat"}, {"international", "internat"},
		{"internal", "internal"}, {"universe", "univers"}, {"university", "universiti"}, {"news", "news"}, {"skies", "sky"},
	}},
	{"en", "apostrophes", []vector{
		{"dog's", "dog"}, {"dogs'", "dog"}, {"dog’s", "dog"}, {"'tis", "tis"}, {"don't", "don't"}, {"o’clock", "o'clock"},
	}},
	{"de", "ß, ss and transcribed umlauts", []vector{
		{"größe", "gross"}, {"grösse", "gross"}, {"groesse", "gross"}, {"quelle", "quell"}, {"feuer", "feu"},
	}},
	{"de", "inflection", []vector{
		{"äckern", "ack"}, {"ackers", "ack"}, {"armes", "arm"}, {"bedürfnissen", "bedurfnis"}, {"systemen", "system"},
		{"lehrerinnen", "lehr"}, {"derbsten", "derb"}, {"peter's", "peter"},
	}},
	{"fr", "diaereses and elisions", []vector{
		{"maïs", "maï"}, {"l'amie", "ami"}, {"qu'elle", "elle"}, {"aujourd'hui", "aujourd'hui"}, {"naïve", "naïv"},
	}},
	{"fr", "tapis is no verb", []vector{{"tapis", "tapis"}, {"palais", "palais"}, {"française", "franc"}}},
	{"es", "pronouns", []vector{{"haciéndola", "hac"}, {"decirles", "dec"}, {"toreándolo", "tor"}}},
	{"it", "pronouns", []vector{{"guardandogli", "guard"}, {"accomodarci", "accomod"}, {"dell'acqua", "acqua"}}},
	{"it", "divano and diva", []vector{{"divano", "divan"}, {"divani", "divan"}, {"diva", "div"}}},
	{"pt", "nasal vowels", []vector{{"nações", "naçõ"}, {"pão", "pã"}, {"irmã", "irmã"}}},
	{"nl", "double vowels", []vector{{"maan", "man"}, {"brood", "brod"}, {"lichamelijkheden", "licham"}}},
	{"sv", "articles", []vector{{"huset", "hus"}, {"alfabet", "alfabet"}, {"frihet", "frihet"}, {"husets", "hus"}}},
	{"no", "ers", []vector{{"hammers", "hammers"}, {"pepers", "pep"}}},
	{"da", "endings set off", []vector{{"pc'erne", "pc"}, {"bestemmelse", "bestem"}}},
	{"fi", "cases", []vector{{"aarteisiin", "aart"}, {"joulukuuhun", "jouluku"}, {"eläkkeet", "eläk"}}},
	{"hu", "double consonants", []vector{{"mulasztással", "mulasztás"}, {"babákkal", "baba"}}},
	{"ro", "cedillas", []vector{{"naţiune", "națiun"}, {"națiune", "națiun"}}},
	{"ru", "adjectives of verbs", []vector{{"бегавшая", "бега"}, {"величие", "велич"}, {"ёлка", "елк"}}},
	{"ga", "mutations", []vector{{"gcat", "cat"}, {"bhfuil", "fuil"}, {"d'fhág", "fág"}, {"siopadóireacht", "siopadóir"}}},
	{"et", "emphasis", []vector{{"bioloogi", "bioloogi"}, {"kookki", "kook"}, {"teha", "tegi"}}},
	{"id", "prefixes", []vector{{"memerintahkan", "perintah"}, {"pelajaran", "ajar"}, {"televisi", "televisi"}}},
}

func TestStem(t *testing.T) {
	for _, tt := range stemTests {
		s := open(t, tt.language)
		for _, v := range tt.stems {
			if got := s.Stem(v.word); got != v.stem {
				t.Errorf("%s, %s: Stem(%q) = %q, want %q", tt.language, tt.rule, v.word, got, v.stem)
			}
		}
	}
}

// A word that is not of letters alone is its own stem, in every language.
func TestSelf(t *testing.T) {
	for _, language := range Languages() {
		s := open(t, language)
		for _, word := range []string{
			"", "'", "h2o", "2nd", "errors_2", "ratings-based", "c++", "running.", "Running", "RUNNING",
			"running\x80", "\xffrunning", "running\u00a0", "runn\ufffding", "बाहर٣", "新幹", "\u0301", "🙂s",
		} {
			if got := s.Stem(word); got != word {
				t.Errorf("%s: Stem(%q) = %q, want the word", language, word, got)
			}
		}
	}
}

func TestNew(t *testing.T) {
	for _, tag := range []string{"en", "en-GB", "EN", "pt-BR", "nb-NO", "ru-Cyrl-RU"} {
		if _, ok := New(tag); !ok {
			t.Errorf("New(%q) has no stemmer", tag)
		}
	}
	for _, tag := range []string{"", "none", "xx", "e", "eng", "english", "-en", "tr", "zh"} {
		if s, ok := New(tag); ok || s != nil {
			t.Errorf("New(%q) has a stemmer", tag)
		}
	}
}

func TestLanguages(t *testing.T) {
	codes := Languages()
	if !slices.IsSorted(codes) {
		t.Errorf("Languages() = %v is not in order", codes)
	}
	for _, code := range codes {
		open(t, code)
	}
}

// A stem depends on the word alone, not on the words before it.
func TestStateless(t *testing.T) {
	for _, language := range Languages() {
		all := vectorsOf(t, language)
		s := open(t, language)
		for i := range all {
			v := all[(i*7919)%len(all)]
			if got := s.Stem(v.word); got != v.stem {
				t.Errorf("%s: after other words Stem(%q) = %q, want %q", language, v.word, got, v.stem)
			}
		}
	}
}

// The words are long enough that what takes time in proportion to their square
// would not end within a test's limit.
func TestLongWords(t *testing.T) {
	size := 1 << 18
	if testing.Short() {
		size = 1 << 14
	}
	for _, language := range Languages() {
		s := open(t, language)
		all := vectorsOf(t, language)
		for i := 0; i < len(all); i += len(all)/5 + 1 {
			word := strings.Repeat(all[i].word, size/len(all[i].word))
			if got := s.Stem(word); len(got) < size/4 {
				t.Errorf("%s: of %q, repeated to %d bytes, %d are left", language, all[i].word, len(word), len(got))
			}
		}
		for _, unit := range []string{"a", "b", "ã", "ä", "'", "e'", "ue", "qu", "ativ", "ать", "y"} {
			s.Stem(strings.Repeat(unit, size/len(unit)))
		}
	}
}

func FuzzStem(f *testing.F) {
	for i, language := range Languages() {
		for n, v := range vectorsOf(f, language) {
			if n%100 == 0 {
				f.Add(byte(i), v.word)
			}
		}
	}
	stemmers := make([]*Stemmer, len(languages))
	for i, l := range languages {
		stemmers[i] = open(f, l.code)
	}
	f.Fuzz(func(t *testing.T, i byte, word string) {
		used := stemmers[int(i)%len(stemmers)]
		language := languages[int(i)%len(languages)].code
		stem := used.Stem(word)
		if stem == "" && word != "" {
			t.Errorf("%s: Stem(%q) is empty", language, word)
		}
		if utf8.ValidString(word) && !utf8.ValidString(stem) {
			t.Errorf("%s: Stem(%q) = %q is not UTF-8", language, word, stem)
		}
		if again := open(t, language).Stem(word); again != stem {
			t.Errorf("%s: Stem(%q) = %q after other words, else %q", language, word, stem, again)
		}
	})
}

func BenchmarkStem(b *testing.B) {
	for _, language := range Languages() {
		if language == "nb" || language == "nn" {
			continue
		}
		b.Run(language, func(b *testing.B) {
			s, all := open(b, language), vectorsOf(b, language)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				s.Stem(all[i].word)
				if i++; i == len(all) {
					i = 0
				}
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for _, language := range []string{"en", "es", "et"} {
		b.Run(language, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				New(language)
			}
		})
	}
}
