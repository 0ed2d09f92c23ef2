package generate

import "strings"

// A script is where its letters lie.
type script struct {
	name     string
	from, to rune
}

// scripts are forty, four of them beyond U+FFFF.
var scripts = []script{
	{"Latin", 'a', 'z'}, {"Latin-1", 0xe0, 0xff}, {"Latin extended", 0x100, 0x17f}, {"Vietnamese", 0x1ea0, 0x1ef9},
	{"Greek", 0x391, 0x3c9}, {"Cyrillic", 0x410, 0x44f}, {"Armenian", 0x531, 0x556}, {"Hebrew", 0x5d0, 0x5ea},
	{"Arabic", 0x620, 0x64a}, {"Syriac", 0x710, 0x72f}, {"Thaana", 0x780, 0x7a5}, {"N'Ko", 0x7ca, 0x7ea},
	{"Devanagari", 0x904, 0x939}, {"Bengali", 0x985, 0x9a8}, {"Gurmukhi", 0xa05, 0xa28}, {"Gujarati", 0xa85, 0xaa8},
	{"Oriya", 0xb05, 0xb28}, {"Tamil", 0xb85, 0xbb9}, {"Telugu", 0xc05, 0xc28}, {"Kannada", 0xc85, 0xca8},
	{"Malayalam", 0xd05, 0xd39}, {"Sinhala", 0xd85, 0xdb1}, {"Thai", 0xe01, 0xe3a}, {"Lao", 0xe81, 0xeb0},
	{"Tibetan", 0xf40, 0xf6c}, {"Myanmar", 0x1000, 0x102a}, {"Georgian", 0x10d0, 0x10f0}, {"Hangul Jamo", 0x1100, 0x1175},
	{"Ethiopic", 0x1200, 0x1248}, {"Cherokee", 0x13a0, 0x13f4}, {"Khmer", 0x1780, 0x17b3}, {"Mongolian", 0x1820, 0x1842},
	{"Hiragana", 0x3041, 0x3096}, {"Katakana", 0x30a1, 0x30fa}, {"Han", 0x4e00, 0x4f60}, {"Hangul", 0xac00, 0xac80},
	{"Gothic", 0x10330, 0x10349}, {"Deseret", 0x10400, 0x1044f}, {"Adlam", 0x1e900, 0x1e943}, {"Han extension B", 0x20000, 0x20060},
}

// What stands between, before and after words, and is wrong about them.
var (
	english    = strings.Fields("crane berth tide fog brake rope pilot quay ferry lamp buoy seal wreck dredge harbour storm window fault cargo hull 7 42 v1.2 berth_planner.max_wait a/b C++ R&D e.g. 1,000 3.5")
	stops      = strings.Fields("a an and are as at be by can do for from how i in is it me my of on or please that the this to was we what with you")
	connectors = []string{" and ", " then ", ", ", "; ", ". ", "? ", "\n", " or ", " plus ", " also ", " & ", " as well as ", "、", "。", "，", "؟ ", "\n- ", "\n2. ", " • ", "\u2028", ",", " AND "}
	marks      = []string{"\u0301", "\u0308", "\u0323", "\u0302", "\u0345", "\u064e", "\u093c", "\u3099", "\u20e3", "\ufe0f", "\u1ab0", "\U0001d165"}
	pictures   = []string{"🚢", "🏗️", "👩‍👩‍👧‍👦", "🇫🇷", "👍🏽", "❤️‍🔥", "1️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "𝒳", "𐌰"}
	oddities   = []string{"\x00", "\x01", "\x1f", "\x7f", "\u0085", "\u00a0", "\u00ad", "\u200b", "\u200d", "\u200f", "\u202e", "\u2028", "\u3000", "\ufeff", "\ufffd", "\ufffe", "\U0010ffff", "\ue000", "\u0378", "\\", "\"", "/", "</script>", "\t", "\r\n", "ﬁ", "ß", "ẞ", "İ", "ı", "ſ", "K", "Å", "ς", "Σ", "ǆ", "ꭰ", "가", "각", "각", "ﾊﾟ", "㍿", "٣", "７", "𝟕"}
	quotes     = [][2]string{{"\"", "\""}, {"`", "`"}, {"“", "”"}, {"«", "»"}, {"(", ")"}}
)

// A vocabulary is the words of one case: few, so that documents share them.
type vocabulary struct {
	r     *random
	words []string
}

func newVocabulary(r *random) *vocabulary {
	v := &vocabulary{r: r}
	chosen := []script{pick(r, scripts), pick(r, scripts)}
	for range r.between(3, 14) {
		switch {
		case r.is(45):
			v.words = append(v.words, pick(r, english))
		case r.is(10):
			v.words = append(v.words, strings.Repeat(v.letters(pick(r, chosen), r.between(1, 4)), r.between(20, 200)))
		default:
			v.words = append(v.words, v.letters(pick(r, chosen), r.between(1, 6)))
		}
	}
	return v
}

func (v *vocabulary) letters(s script, n int) string {
	var b strings.Builder
	for range n {
		b.WriteRune(s.from + rune(v.r.n(int(s.to-s.from)+1)))
		if v.r.is(8) {
			b.WriteString(pick(v.r, marks))
		}
	}
	return b.String()
}

// word returns a word, sometimes in another spelling.
func (v *vocabulary) word() string {
	w := pick(v.r, v.words)
	switch {
	case v.r.is(70):
		return w
	case v.r.is(30):
		return strings.ToUpper(w)
	case v.r.is(30):
		return pick(v.r, stops)
	case v.r.is(30):
		return w + pick(v.r, marks)
	case v.r.is(30):
		return pick(v.r, pictures) + w
	case v.r.is(50):
		return w + pick(v.r, oddities) + pick(v.r, v.words)
	}
	return respell(w)
}

// respell takes some composed letters apart and puts some together.
func respell(w string) string {
	return strings.NewReplacer("é", "é", "ü", "ü", "ạ", "ạ", "が", "が", "가", "가", "é", "é", "ü", "ü").Replace(w)
}

// text returns a text of about n words.
func (v *vocabulary) text(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			if v.r.is(90) {
				b.WriteByte(' ')
			} else {
				b.WriteString(pick(v.r, connectors))
			}
		}
		b.WriteString(v.word())
	}
	return b.String()
}

// query returns a query, often with many connectors.
func (v *vocabulary) query() string {
	var b strings.Builder
	heavy := v.r.is(15)
	n := v.r.between(1, 9)
	if heavy {
		n = v.r.between(5, 60)
	}
	for i := range n {
		if i > 0 {
			if heavy || v.r.is(35) {
				b.WriteString(pick(v.r, connectors))
			} else {
				b.WriteByte(' ')
			}
		}
		w := v.word()
		if v.r.is(8) {
			q := pick(v.r, quotes)
			w = q[0] + w + " and " + v.word() + q[1]
		}
		b.WriteString(w)
	}
	switch {
	case v.r.is(3):
		return pick(v.r, oddities)
	case v.r.is(3):
		return strings.Repeat(pick(v.r, connectors), v.r.between(1, 500))
	}
	return b.String()
}
