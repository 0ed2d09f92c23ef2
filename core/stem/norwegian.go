package stem

// Norwegian is the Snowball stemmer for Norwegian, Bokmål and Nynorsk. It has R1
// only.
type norwegian struct {
	inflection, pair, derived *table
}

func newNorwegian() algorithm {
	return &norwegian{
		inflection: newTable(
			rule{endings: "a e ede ande ende ane ene hetene en heten ar er heter as es edes endes enes hetenes ens" +
				" hetens ets et het ast"},
			rule{endings: "ers", when: either(
				not(afterAny("amm ast ind kap kk lt nk omm pp v øst")),
				afterAny("giv hav skap"))},
			rule{endings: "s", when: either(after("bcdfghjlmnoptvyz"), afterRK)},
			rule{endings: "erte ert", as: "er"},
		),
		pair:    newTable(rule{endings: "dt vt"}),
		derived: newTable(rule{endings: "leg eleg ig eig lig elig els lov elov slov hetslov"}),
	}
}

func (n *norwegian) stem(w *word) {
	three, ok := w.skip(3)
	if !ok {
		return
	}
	w.setR1AfterApostrophe(0, norwegianVowels)
	w.r1 = max(w.r1, three)
	n.inflection.applyFrom(w, w.r1)
	if r, _ := n.pair.find(w, w.r1, len(w.b)); r != nil {
		w.cut(1)
	}
	n.derived.applyFrom(w, w.r1)
	w.drop("'", anywhere)
}

var norwegianVowels = classOf("aeêioòóôuyæåø")

// afterRK reports whether an r but not er, or a k after a consonant, is before i.
func afterRK(w *word, i int) bool {
	r, i := w.before(i)
	return r == 'r' && !endsAt(w.b, "e", i) || r == 'k' && w.otherBefore(i, norwegianVowels)
}
