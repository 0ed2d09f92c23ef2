package stem

// Swedish is the Snowball stemmer for Swedish. It has R1 only.
type swedish struct {
	inflection, pair, derived *table
}

func newSwedish() algorithm {
	// The article et, as in huset, is told from the end of a noun, as in alfabet.
	neuter := both(afterSyllable, not(afterAny("h iet uit fab cit dit alit ilit mit nit pit rit sit tit ivit kvit xit"+
		" kom rak pak stak")))
	return &swedish{
		inflection: newTable(
			rule{endings: "a arna erna heterna orna ad e ade ande arne are aste en anden aren heten ern ar er heter or" +
				" as arnas ernas ornas es ades andes ens arens hetens erns at andet het ast"},
			rule{endings: "s", when: after("bcdfghjklmnoprtvy")},
			rule{endings: "et", when: neuter},
			rule{endings: "ets", when: neuter, mild: true},
		),
		pair: newTable(rule{endings: "dd gd nn dt gt kt tt"}),
		derived: newTable(
			rule{endings: "lig ig els"},
			rule{endings: "öst", as: "ös", when: after("iklnprtuv")},
			rule{endings: "fullt", as: "full"},
		),
	}
}

func (s *swedish) stem(w *word) {
	w.setR1R2AfterThree(swedishVowels)
	s.inflection.applyFrom(w, w.r1)
	if r, _ := s.pair.find(w, w.r1, len(w.b)); r != nil {
		w.cut(1)
	}
	s.derived.applyFrom(w, w.r1)
}

var swedishVowels = classOf("aeiouyäåö")

// afterSyllable reports whether a vowel and a consonant are before i, and something
// before them.
func afterSyllable(w *word, i int) bool {
	consonant, i := w.before(i)
	vowel, i := w.before(i)
	return consonant != none && !swedishVowels.has(consonant) && swedishVowels.has(vowel) && i > 0
}
