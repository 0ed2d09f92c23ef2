package stem

// Danish is the Snowball stemmer for Danish. It has R1 only.
type danish struct {
	inflection, pair, derived *table
}

func newDanish() algorithm {
	return &danish{
		inflection: newTable(
			rule{endings: "hed ethed ered e erede ende erende ene erne ere en heden eren er heder erer heds es endes" +
				" erendes enes ernes eres ens hedens erens ers ets erets et eret"},
			rule{endings: "s", when: after("abcdfghjklmnoprtvyzå'")},
		),
		pair: newTable(rule{endings: "gd dt gt kt"}),
		derived: newTable(
			rule{endings: "ig lig elig els"},
			rule{endings: "løst", as: "løs"},
		),
	}
}

func (d *danish) stem(w *word) {
	three, ok := w.skip(3)
	if !ok {
		return
	}
	w.setR1AfterApostrophe(0, danishVowels)
	w.r1 = max(w.r1, three)
	d.inflection.applyFrom(w, w.r1)
	d.shortenPair(w)
	if w.ends("igst") {
		w.cut(len("st"))
	}
	if d.derived.applyFrom(w, w.r1) && !w.ends("løs") {
		d.shortenPair(w)
	}
	undouble(w)
	w.drop("'", anywhere)
}

var danishVowels = classOf("aeiouyæåø")

// shortenPair takes the last letter off a pair of consonants that an ending made.
func (d *danish) shortenPair(w *word) {
	if r, _ := d.pair.find(w, w.r1, len(w.b)); r != nil {
		w.cut(1)
	}
}

// undouble takes one off a double consonant whose second letter is in R1.
func undouble(w *word) {
	n := len(w.b)
	if n < 2 || n <= w.r1 || w.b[n-1] != w.b[n-2] {
		return
	}
	switch w.b[n-1] {
	case 'b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't':
		w.cut(1)
	}
}
