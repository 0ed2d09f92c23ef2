package stem

// Dutch is Porter's Snowball stemmer for Dutch.
type dutch struct {
	inflection, derived *table
	droppedE            bool
}

func newDutch() algorithm {
	d := &dutch{}
	d.inflection = newTable(
		rule{endings: "heden", as: "heid", in: inR1},
		rule{endings: "en ene", in: inR1, when: beforeEn, then: undoubleDutch},
		rule{endings: "s se", in: inR1, when: beforeS},
	)
	d.derived = newTable(
		rule{endings: "end ing", in: inR2, then: afterIng},
		rule{endings: "ig", in: inR2, when: not(after("e"))},
		rule{endings: "lijk", in: inR2, then: d.dropE},
		rule{endings: "baar", in: inR2},
		rule{endings: "bar", in: inR2, when: func(*word, int) bool { return d.droppedE }},
	)
	return d
}

func (d *dutch) stem(w *word) {
	w.change(withoutDutchAccent)
	markDutch(w)
	w.setR1R2AfterThree(dutchVowels)
	d.droppedE = false
	d.inflection.apply(w)
	d.dropE(w)
	dropHeid(w)
	d.derived.apply(w)
	shortenVowel(w)
	w.lower()
}

var dutchVowels = classOf("aeiouyè")

func withoutDutchAccent(r rune) rune {
	switch r {
	case 'ä', 'á':
		return 'a'
	case 'ë', 'é':
		return 'e'
	case 'ï', 'í':
		return 'i'
	case 'ö', 'ó':
		return 'o'
	case 'ü', 'ú':
		return 'u'
	}
	return r
}

// markDutch turns a y at the beginning or after a vowel, and an i between vowels,
// into capitals.
func markDutch(w *word) {
	last := none
	for i := 0; i < len(w.b); {
		r, next := w.letterAt(i)
		following, _ := w.letterAt(next)
		if r == 'y' && (i == 0 || dutchVowels.has(last)) || r == 'i' && dutchVowels.has(last) && dutchVowels.has(following) {
			r -= 'a' - 'A'
			w.b[i] = byte(r)
		}
		last, i = r, next
	}
}

// beforeEn reports whether an en at i is an ending.
func beforeEn(w *word, i int) bool {
	return w.otherBefore(i, dutchVowels) && !endsAt(w.b, "gem", i)
}

// beforeS reports whether an s at i is an ending.
func beforeS(w *word, i int) bool {
	return w.otherBefore(i, dutchVowels) && w.b[i-1] != 'j'
}

func undoubleDutch(w *word) {
	if w.ends("kk") || w.ends("dd") || w.ends("tt") {
		w.cut(1)
	}
}

// dropE takes off an e after a consonant.
func (d *dutch) dropE(w *word) {
	d.droppedE = false
	if i := len(w.b) - 1; w.ends("e") && i >= w.r1 && w.otherBefore(i, dutchVowels) {
		w.cut(1)
		d.droppedE = true
		undoubleDutch(w)
	}
}

// dropHeid takes off heid, and en before it.
func dropHeid(w *word) {
	if w.ends("cheid") || !w.drop("heid", inR2) {
		return
	}
	if i := len(w.b) - len("en"); w.ends("en") && i >= w.r1 && beforeEn(w, i) {
		w.cut(len("en"))
		undoubleDutch(w)
	}
}

// afterIng takes off the ig that stood before end or ing, or else undoubles.
func afterIng(w *word) {
	if w.ends("eig") || !w.drop("ig", inR2) {
		undoubleDutch(w)
	}
}

// shortenVowel makes a double vowel between consonants single: maan, brood.
func shortenVowel(w *word) {
	last, i := w.before(len(w.b))
	if last == none || last == 'I' || dutchVowels.has(last) || i < 2 || w.b[i-1] != w.b[i-2] {
		return
	}
	switch w.b[i-1] {
	case 'a', 'e', 'o', 'u':
		if w.otherBefore(i-2, dutchVowels) {
			w.b = append(w.b[:i-1], w.b[i:]...)
		}
	}
}
