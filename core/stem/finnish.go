package stem

// Finnish is the Snowball stemmer for Finnish.
type finnish struct {
	particle, possessive, cases, comparative, plural, afterT *table
}

func newFinnish() algorithm {
	return &finnish{
		particle: newTable(
			rule{endings: "kin kaan kään ko kö han hän pa pä", when: after("ntaeiouyäö")},
			rule{endings: "sti", in: inR2},
		),
		possessive: newTable(
			rule{endings: "si", when: not(after("k"))},
			rule{endings: "ni", then: func(w *word) { w.replace("kse", "ksi") }},
			rule{endings: "nsa nsä mme nne"},
			rule{endings: "an", when: afterAny("ta ssa sta lla lta na")},
			rule{endings: "än", when: afterAny("tä ssä stä llä ltä nä")},
			rule{endings: "en", when: afterAny("lle ine")},
		),
		cases: newTable(
			rule{endings: "han", when: afterInR1("a'"), mild: true},
			rule{endings: "hen", when: afterInR1("e'"), mild: true},
			rule{endings: "hin", when: afterInR1("i'"), mild: true},
			rule{endings: "hon", when: afterInR1("o'"), mild: true},
			rule{endings: "hun", when: afterInR1("u'"), mild: true},
			rule{endings: "hän", when: afterInR1("ä'"), mild: true},
			rule{endings: "hön", when: afterInR1("ö'"), mild: true},
			rule{endings: "siin den tten", when: either(afterVowelI, afterInR1("'")), mild: true},
			rule{endings: "seen", when: afterLong, mild: true},
			rule{endings: "a ä", when: afterConsonantVowel},
			rule{endings: "tta ttä", when: after("e")},
			rule{endings: "ta tä ssa ssä sta stä lla llä lta ltä lle na nä ksi ine"},
			rule{endings: "n", then: shortenBeforeN},
		),
		comparative: newTable(
			rule{endings: "mpi mpa mpä mmi mma mmä", when: not(afterAny("po"))},
			rule{endings: "impi impa impä immi imma immä eja ejä"},
		),
		plural: newTable(rule{endings: "i j"}),
		afterT: newTable(
			rule{endings: "mma", when: not(afterAny("po"))},
			rule{endings: "imma"},
		),
	}
}

func (f *finnish) stem(w *word) {
	w.setR1R2(finnishVowels)
	f.particle.applyFrom(w, w.r1)
	f.possessive.applyFrom(w, w.r1)
	hadCase := f.cases.applyFrom(w, w.r1)
	f.comparative.applyFrom(w, w.r2)
	if hadCase {
		f.plural.applyFrom(w, w.r1)
	} else if dropT(w) {
		f.afterT.applyFrom(w, w.r2)
	}
	tidyFinnish(w)
	undoubleFinnish(w)
	w.drop("'", anywhere)
}

var (
	finnishVowels = classOf("aeiouyäö")
	longVowels    = classOf("aeiouäö") // that may be long, or stand before an i
	consonants    = classOf("bcdfghjklmnpqrstvwxz")
)

// afterInR1 is after for a letter that is in R1 itself.
func afterInR1(letters string) condition {
	in := after(letters)
	return func(w *word, i int) bool { return i > w.r1 && in(w, i) }
}

// afterLong reports whether a long vowel of R1 is before i.
func afterLong(w *word, i int) bool {
	r, j := w.before(i)
	s, j := w.before(j)
	return longVowels.has(r) && r == s && j >= w.r1
}

// afterVowelI reports whether a vowel and i, both in R1, are before i.
func afterVowelI(w *word, i int) bool {
	r, j := w.before(i)
	s, j := w.before(j)
	return r == 'i' && longVowels.has(s) && j >= w.r1
}

// afterConsonantVowel reports whether a consonant and a vowel are before i.
func afterConsonantVowel(w *word, i int) bool {
	r, j := w.before(i)
	s, _ := w.before(j)
	return finnishVowels.has(r) && consonants.has(s)
}

// shortenBeforeN takes the second vowel off a long one or ie that an n stood after.
func shortenBeforeN(w *word) {
	n := len(w.b)
	if afterLong(w, n) || w.ends("ie") {
		_, i := w.before(n)
		w.b = w.b[:i]
	}
}

// dropT takes off a t after a vowel, and reports whether it did.
func dropT(w *word) bool {
	i := len(w.b) - 1
	if !w.ends("t") || i <= w.r1 {
		return false
	}
	if r, _ := w.before(i); !finnishVowels.has(r) {
		return false
	}
	w.cut(1)
	return true
}

// tidyFinnish shortens what the endings leave behind, where that is in R1.
func tidyFinnish(w *word) {
	if afterLong(w, len(w.b)) {
		_, i := w.before(len(w.b))
		w.b = w.b[:i]
	}
	last, i := w.before(len(w.b))
	if last == 'a' || last == 'ä' || last == 'e' || last == 'i' {
		if c, j := w.before(i); consonants.has(c) && j >= w.r1 {
			w.b = w.b[:i]
		}
	}
	for _, s := range []string{"oj", "uj", "jo"} {
		if w.ends(s) && len(w.b)-len(s) >= w.r1 {
			w.cut(1)
		}
	}
}

// undoubleFinnish makes a double consonant single, whatever vowels follow it.
func undoubleFinnish(w *word) {
	end := len(w.b)
	r, i := w.before(end)
	for finnishVowels.has(r) {
		end = i
		r, i = w.before(end)
	}
	if before, _ := w.before(i); consonants.has(r) && before == r {
		w.b = append(w.b[:i], w.b[end:]...)
	}
}
