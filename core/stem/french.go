package stem

// French is the Snowball stemmer for French.
type french struct {
	adverb                                  bool // the standard ending that was taken off is that of an adverb
	standard, iVerb, verb, plural, residual *table
}

func newFrench() algorithm {
	f := &french{}
	isAdverb := func(*word) { f.adverb = true }
	f.standard = newTable(
		rule{endings: "ance iqUe isme able iste eux ances iqUes ismes ables istes", in: inR2},
		rule{endings: "atrice ateur ation atrices ateurs ations", in: inR2, then: dropOrIqU},
		rule{endings: "logie logies", as: "log", in: inR2},
		rule{endings: "usion ution usions utions", as: "u", in: inR2},
		rule{endings: "ence ences", as: "ent", in: inR2},
		rule{endings: "ement ements", in: inRV, then: dropBeforeEment},
		rule{endings: "ité ités", in: inR2, then: dropBeforeIte},
		rule{endings: "if ive ifs ives", in: inR2, then: dropBeforeIf},
		rule{endings: "eaux", as: "eau"},
		rule{endings: "aux", as: "al", in: inR1},
		rule{endings: "oux", as: "ou", when: after("bhjlnp")},
		rule{endings: "euse euses", as: "eux", in: inR1, then: thenDrop(inR2, "eux")},
		rule{endings: "issement issements", in: inR1, when: afterOther(frenchVowels)},
		rule{endings: "amment", as: "ant", in: inRV, then: isAdverb},
		rule{endings: "emment", as: "ent", in: inRV, then: isAdverb},
		rule{endings: "ment ments", when: afterVowelInRV, then: isAdverb},
	)
	f.iVerb = newTable(rule{endings: "îmes ît îtes i ie ies ir ira irai iraIent irais irait iras irent irez iriez" +
		" irions irons iront is issaIent issais issait issant issante issantes issants isse issent isses issez" +
		" issiez issions issons it", when: verbInI})
	f.verb = newTable(
		rule{endings: "ions", in: inR2},
		rule{endings: "é ée ées és èrent er era erai eraIent erais erait eras erez eriez erions erons eront ez iez eais"},
		rule{endings: "âmes ât âtes a ai aIent ait ant ante antes ants as asse assent asses assiez assions",
			then: func(w *word) { w.drop("e", inRV) }},
		rule{endings: "ais aise aises", when: not(either(isPalais, afterAny("auv épl")))},
	)
	f.plural = newTable(rule{endings: "s", when: either(afterAny("Hi"), afterOther(classOf("aiouès")))})
	f.residual = newTable(
		rule{endings: "ion", in: inR2, when: afterSTInRV},
		rule{endings: "ier ière Ier Ière", as: "i"},
		rule{endings: "e"},
	)
	return f
}

func (f *french) stem(w *word) {
	dropElision(w, frenchElision)
	markFrench(w)
	w.setR1R2(frenchVowels)
	setFrenchRV(w)
	if f.dropEnding(w) {
		if !w.replace("Y", "i") {
			w.replace("ç", "c")
		}
	} else {
		f.plural.apply(w)
		f.residual.applyFrom(w, w.rv)
	}
	undoubleFrench(w)
	unaccent(w)
	unmarkFrench(w)
}

// dropEnding takes off the first there is of a standard ending, an ending of the
// verbs in i and another verb's; a verb's also after that of an adverb, which
// follows a participle: confusément.
func (f *french) dropEnding(w *word) bool {
	f.adverb = false
	if f.standard.apply(w) && !f.adverb {
		return true
	}
	return f.iVerb.applyFrom(w, w.rv) || f.verb.applyFrom(w, w.rv)
}

var frenchVowels = classOf("aeiouyâàëéêèïîôûù")

func frenchElision(s string) bool {
	switch s {
	case "c", "d", "j", "l", "m", "n", "qu", "s", "t":
		return true
	}
	return false
}

// markFrench turns letters into capitals: u and i between vowels, y beside a vowel
// and u after q. It writes ë as He and ï as Hi, so that endings find their vowels.
func markFrench(w *word) {
	for i := 0; i < len(w.b); {
		r, next := w.letterAt(i)
		if frenchVowels.has(r) {
			markAfterVowel(w, next)
		}
		switch following, _ := w.letterAt(next); {
		case r == 'ë':
			next = i + copy(w.b[i:], "He") - 1
		case r == 'ï':
			next = i + copy(w.b[i:], "Hi") - 1
		case r == 'y' && frenchVowels.has(following):
			w.b[i] = 'Y'
		case r == 'q' && following == 'u':
			w.b[next] = 'U'
		}
		i = next
	}
}

// markAfterVowel marks the letter at i, which follows a vowel.
func markAfterVowel(w *word, i int) {
	switch r, next := w.letterAt(i); r {
	case 'y':
		w.b[i] = 'Y'
	case 'u', 'i':
		if following, _ := w.letterAt(next); frenchVowels.has(following) {
			w.b[i] -= 'a' - 'A'
		}
	}
}

func unmarkFrench(w *word) {
	kept := w.b[:0]
	for i := 0; i < len(w.b); i++ {
		switch c := w.b[i]; {
		case c != 'H':
			kept = append(kept, c)
		case i+1 < len(w.b) && w.b[i+1] == 'e':
			kept = append(kept, "ë"...)
			i++
		case i+1 < len(w.b) && w.b[i+1] == 'i':
			kept = append(kept, "ï"...)
			i++
		}
	}
	w.b = kept
	w.lower()
}

// setFrenchRV sets RV: after the third letter where the first two are vowels, else
// after the first vowel that does not begin the word; sooner for some words.
func setFrenchRV(w *word) {
	first, i := w.letterAt(0)
	second, j := w.letterAt(i)
	third, k := w.letterAt(j)
	switch {
	case frenchVowels.has(first) && frenchVowels.has(second) && third != none:
		w.rv = k
	case w.begins("par"), w.begins("col"), w.begins("tap"), w.begins("ni") && frenchVowels.has(third):
		w.rv = k
	default:
		w.rv = w.past(i, frenchVowels)
	}
}

// dropOrIqU takes off ic, or makes it iqU where it is not in R2.
func dropOrIqU(w *word) {
	if !w.drop("ic", inR2) {
		w.replace("ic", "iqU")
	}
}

// dropBeforeEment sees to what stood before ement.
func dropBeforeEment(w *word) {
	switch {
	case w.ends("iv"):
		if w.drop("iv", inR2) {
			w.drop("at", inR2)
		}
	case w.ends("eus"):
		if !w.drop("eus", inR2) && len(w.b)-len("eus") >= w.r1 {
			w.replace("eus", "eux")
		}
	case w.ends("abl"):
		w.drop("abl", inR2)
	case w.ends("iqU"):
		w.drop("iqU", inR2)
	case w.ends("ièr"), w.ends("Ièr"):
		if i := len(w.b) - len("ièr"); i >= w.rv {
			w.b = append(w.b[:i], 'i')
		}
	}
}

// dropBeforeIte sees to what stood before ité.
func dropBeforeIte(w *word) {
	switch {
	case w.ends("abil"):
		if !w.drop("abil", inR2) {
			w.replace("abil", "abl")
		}
	case w.ends("ic"):
		dropOrIqU(w)
	case w.ends("iv"):
		w.drop("iv", inR2)
	}
}

// dropBeforeIf sees to what stood before if.
func dropBeforeIf(w *word) {
	if w.drop("at", inR2) {
		dropOrIqU(w)
	}
}

func afterVowelInRV(w *word, i int) bool {
	r, begin := w.before(i)
	return begin >= w.rv && frenchVowels.has(r)
}

// verbInI reports whether what begins at i is an ending of the verbs in i.
func verbInI(w *word, i int) bool {
	r, begin := w.before(i)
	return r != none && begin >= w.rv && r != 'H' && !frenchVowels.has(r)
}

// isPalais reports whether al and one letter are all of the word before i: palais,
// malais.
func isPalais(w *word, i int) bool {
	_, begin := w.before(i - len("al"))
	return endsAt(w.b, "al", i) && i > len("al") && begin == 0
}

func afterSTInRV(w *word, i int) bool {
	return i > w.rv && (w.b[i-1] == 's' || w.b[i-1] == 't')
}

func undoubleFrench(w *word) {
	if w.ends("enn") || w.ends("onn") || w.ends("ett") || w.ends("ell") || w.ends("eill") {
		w.cut(1)
	}
}

// unaccent makes the last vowel e where it is é or è and something follows it.
func unaccent(w *word) {
	end := len(w.b)
	for w.otherBefore(end, frenchVowels) {
		_, end = w.before(end)
	}
	r, i := w.before(end)
	if end < len(w.b) && (r == 'é' || r == 'è') {
		w.b[i] = 'e'
		w.b = append(w.b[:i+1], w.b[end:]...)
	}
}
