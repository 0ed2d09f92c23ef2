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
			rule{endings: "ers", when: plural},
			rule{endings: "s", when: norwegianGenitive},
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

// plural reports whether an ers at i is an ending, which it is not in vers.
func plural(w *word, i int) bool { return !keepsErs(w, i) || endsErs(w, i) }

var (
	keepsErs = afterAny("amm ast ind kap kk lt nk omm pp v øst")
	endsErs  = afterAny("giv hav skap")
)

// norwegianGenitive reports whether an s at i is an ending.
func norwegianGenitive(w *word, i int) bool {
	r, before := w.before(i)
	switch r {
	case 'k':
		return w.otherBefore(before, norwegianVowels)
	case 'r':
		return !endsAt(w.b, "e", before)
	}
	return after("bcdfghjlmnoptvyz")(w, i)
}
