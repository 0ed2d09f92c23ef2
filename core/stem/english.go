package stem

// English is Porter's second stemmer for English, known as Porter2. An apostrophe
// falls at either end of a word, at the back with an s after it.
type english struct {
	genitive, plural, combined, derived, residual, last *table
}

func newEnglish() algorithm {
	return &english{
		genitive: newTable(rule{endings: "' 's 's'"}),
		plural: newTable(
			rule{endings: "sses", as: "ss"},
			rule{endings: "ied ies", as: "i", then: keepTie},
			rule{endings: "us ss", when: never},
			rule{endings: "s", when: vowelBeforeLast},
		),
		combined: newTable(
			rule{endings: "tional", as: "tion", in: inR1},
			rule{endings: "enci", as: "ence", in: inR1},
			rule{endings: "anci", as: "ance", in: inR1},
			rule{endings: "abli", as: "able", in: inR1},
			rule{endings: "entli", as: "ent", in: inR1},
			rule{endings: "izer ization", as: "ize", in: inR1},
			rule{endings: "ational ation ator", as: "ate", in: inR1},
			rule{endings: "alism aliti alli", as: "al", in: inR1},
			rule{endings: "fulness fulli", as: "ful", in: inR1},
			rule{endings: "ousli ousness", as: "ous", in: inR1},
			rule{endings: "iveness iviti", as: "ive", in: inR1},
			rule{endings: "biliti bli", as: "ble", in: inR1},
			rule{endings: "ogist", as: "og", in: inR1},
			rule{endings: "ogi", as: "og", in: inR1, when: after("l")},
			rule{endings: "lessli", as: "less", in: inR1},
			rule{endings: "li", in: inR1, when: after("cdeghkmnrt")},
		),
		derived: newTable(
			rule{endings: "tional", as: "tion", in: inR1},
			rule{endings: "ational", as: "ate", in: inR1},
			rule{endings: "alize", as: "al", in: inR1},
			rule{endings: "icate iciti ical", as: "ic", in: inR1},
			rule{endings: "ful ness", in: inR1},
			rule{endings: "ative", in: inR2},
		),
		residual: newTable(
			rule{endings: "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize", in: inR2},
			rule{endings: "ion", in: inR2, when: after("st")},
		),
		last: newTable(
			rule{endings: "e", when: finalE},
			rule{endings: "l", in: inR2, when: after("l")},
		),
	}
}

func (e *english) stem(w *word) {
	if as, ok := englishException(w.b); ok {
		w.b = append(w.b[:0], as...)
		return
	}
	if !w.hasLetters(3, len(w.b)) {
		return
	}
	if w.begins("'") {
		w.b = w.b[:copy(w.b, w.b[1:])]
	}
	markY(w)
	setEnglishRegions(w)
	e.genitive.apply(w)
	e.plural.apply(w)
	englishVerb(w)
	finalY(w)
	e.combined.apply(w)
	e.derived.apply(w)
	e.residual.apply(w)
	e.last.apply(w)
	w.lower()
}

var englishVowels = classOf("aeiouy")

// englishException returns the stems of words that the rules would treat badly.
func englishException(word []byte) (string, bool) {
	switch string(word) {
	case "skis":
		return "ski", true
	case "skies":
		return "sky", true
	case "idly":
		return "idl", true
	case "gently":
		return "gentl", true
	case "ugly":
		return "ugli", true
	case "early":
		return "earli", true
	case "only":
		return "onli", true
	case "singly":
		return "singl", true
	case "sky", "news", "howe", "atlas", "cosmos", "bias", "andes":
		return string(word), true
	}
	return "", false
}

// markY turns a y at the beginning or after a vowel into Y: it is a consonant.
func markY(w *word) {
	for i, c := range w.b {
		if c == 'y' && (i == 0 || englishVowels.has(rune(w.b[i-1]))) {
			w.b[i] = 'Y'
		}
	}
}

// Beginnings after which R1 begins, because what follows says what is meant:
// generous, general; international, internal.
var englishBeginnings = []string{
	"gener", "commun", "arsen", "past", "univers", "later", "emerg", "organ", "inter",
}

func setEnglishRegions(w *word) {
	w.setR1R2(englishVowels)
	for _, s := range englishBeginnings {
		if w.begins(s) {
			w.r1 = len(s)
			w.r2 = w.pastOther(w.past(w.r1, englishVowels), englishVowels)
		}
	}
}

// keepTie gives back the e of a short word in ied or ies: ties, cries.
func keepTie(w *word) {
	if !w.hasLetters(3, len(w.b)) {
		w.b = append(w.b, 'e')
	}
}

// vowelBeforeLast reports whether w.b[:i] has a vowel other than its last letter.
func vowelBeforeLast(w *word, i int) bool {
	_, i = w.before(i)
	return hasVowel(w, i)
}

func hasVowel(w *word, i int) bool {
	for _, c := range w.b[:i] {
		if englishVowels.has(rune(c)) {
			return true
		}
	}
	return false
}

// englishVerb takes off ed and ing.
func englishVerb(w *word) {
	switch {
	case w.ends("eedly"):
		shortenEed(w, len("eedly"))
	case w.ends("eed"):
		shortenEed(w, len("eed"))
	case w.ends("ing") && keepsIng(w):
	case w.ends("ingly"):
		dropVerb(w, len("ingly"))
	case w.ends("edly"):
		dropVerb(w, len("edly"))
	case w.ends("ing"):
		dropVerb(w, len("ing"))
	case w.ends("ed"):
		dropVerb(w, len("ed"))
	}
}

func shortenEed(w *word, n int) {
	i := len(w.b) - n
	if i < w.r1 {
		return
	}
	switch string(w.b[:i]) {
	case "proc", "exc", "succ":
		return
	}
	w.b = append(w.b[:i], "ee"...)
}

// keepsIng reports whether the ing of a word is not that of a verb, or is that of
// a verb in ie, which it restores: dying, tying.
func keepsIng(w *word) bool {
	i := len(w.b) - len("ing")
	switch string(w.b[:i]) {
	case "inn", "out", "cann", "herr", "earr", "even":
		return true
	}
	if i == 0 || w.b[i-1] != 'y' {
		return false
	}
	first, begin := w.before(i - 1)
	if begin != 0 || first == none || englishVowels.has(first) {
		return false
	}
	w.b = append(w.b[:i-1], "ie"...)
	return true
}

// dropVerb takes the last n bytes off a word that has a vowel before them, and
// mends what is left: hop(p)ing, hop(e)ing.
func dropVerb(w *word, n int) {
	i := len(w.b) - n
	if !hasVowel(w, i) {
		return
	}
	w.b = w.b[:i]
	switch {
	case w.ends("at"), w.ends("bl"), w.ends("iz"):
		w.b = append(w.b, 'e')
	case endsDouble(w.b):
		if !isAddEggOff(w.b) {
			w.cut(1)
		}
	case i == w.r1 && endsShort(w, i):
		w.b = append(w.b, 'e')
	}
}

// isAddEggOff reports whether a double is all of a word but its first letter, a, e
// or o: without the double it would be another.
func isAddEggOff(b []byte) bool {
	return len(b) == 3 && (b[0] == 'a' || b[0] == 'e' || b[0] == 'o')
}

func endsDouble(b []byte) bool {
	n := len(b)
	if n < 2 || b[n-1] != b[n-2] {
		return false
	}
	switch b[n-1] {
	case 'b', 'd', 'f', 'g', 'm', 'n', 'p', 'r', 't':
		return true
	}
	return false
}

// endsShort reports whether w.b[:i] ends in a short syllable.
func endsShort(w *word, i int) bool {
	if endsAt(w.b, "past", i) {
		return true
	}
	last, i := w.before(i)
	vowel, i := w.before(i)
	if last == none || englishVowels.has(last) || !englishVowels.has(vowel) {
		return false
	}
	return i == 0 || last != 'w' && last != 'x' && last != 'Y' && w.otherBefore(i, englishVowels)
}

// finalY turns a final y after a consonant that is not the first letter into i.
func finalY(w *word) {
	if !w.ends("y") && !w.ends("Y") {
		return
	}
	if r, i := w.before(len(w.b) - 1); i > 0 && !englishVowels.has(r) {
		w.b[len(w.b)-1] = 'i'
	}
}

// finalE reports whether an e at i falls.
func finalE(w *word, i int) bool {
	return i >= w.r2 || i >= w.r1 && !endsShort(w, i)
}
