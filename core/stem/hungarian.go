package stem

import "unicode/utf8"

// Hungarian is the Snowball stemmer for Hungarian, by Anna Tordai. It takes the
// endings of case, owner and number off nouns; each has to lie in R1.
type hungarian struct {
	steps []*table
}

func newHungarian() algorithm {
	double := afterAny("bb cc ccs dd ff gg ggy jj kk ll lly mm nn nny pp rr ss ssz tt tty vv zz zzs")
	return &hungarian{steps: []*table{
		// Instrumental.
		newTable(rule{endings: "al el", in: inR1, when: double, then: undoubleHungarian}),
		// Frequent cases.
		newTable(rule{endings: "ban ben ba be ra re nak nek val vel tól től ról ről ból ből hoz hez höz nál nél ig at et ot" +
			" öt ért képp képpen kor ul ül vá vé onként enként anként ként en on an ön n t", in: inR1, then: shortenFinal}),
		// Special cases.
		newTable(
			rule{endings: "án ánként", as: "a", in: inR1},
			rule{endings: "én", as: "e", in: inR1},
		),
		// Other cases.
		newTable(
			rule{endings: "astul estül stul stül", in: inR1},
			rule{endings: "ástul", as: "a", in: inR1},
			rule{endings: "éstül", as: "e", in: inR1},
		),
		// Factive.
		newTable(rule{endings: "á é", in: inR1, when: double, then: undoubleHungarian}),
		// Owned.
		newTable(
			rule{endings: "oké öké aké eké ké éi é", in: inR1},
			rule{endings: "áké áéi", as: "a", in: inR1},
			rule{endings: "éké ééi éé", as: "e", in: inR1},
		),
		// One thing of an owner.
		newTable(
			rule{endings: "ünk unk nk juk jük uk ük em om am m od ed ad öd d ja je a e o", in: inR1},
			rule{endings: "ánk ájuk ám ád á", as: "a", in: inR1},
			rule{endings: "énk éjük ém éd é", as: "e", in: inR1},
		),
		// Several things of an owner.
		newTable(
			rule{endings: "jaim jeim aim eim im jaid jeid aid eid id jai jei ai ei i jaink jeink eink aink ink" +
				" jaitok jeitek aitok eitek itek jeik jaik aik eik ik", in: inR1},
			rule{endings: "áim áid ái áink áitok áik", as: "a", in: inR1},
			rule{endings: "éim éid éi éink éitek éik", as: "e", in: inR1},
		),
		// Plural.
		newTable(
			rule{endings: "ák", as: "a", in: inR1},
			rule{endings: "ék", as: "e", in: inR1},
			rule{endings: "ök ok ek ak k", in: inR1},
		),
	}}
}

func (h *hungarian) stem(w *word) {
	if first, _ := w.letterAt(0); hungarianVowels.has(first) {
		w.r1 = w.pastOther(0, hungarianVowels)
	} else {
		w.r1 = w.past(0, hungarianVowels)
	}
	for _, step := range h.steps {
		step.apply(w)
	}
}

var hungarianVowels = classOf("aáeéiíoóöőuúüű")

// undoubleHungarian takes the last letter but one: pp, ccs.
func undoubleHungarian(w *word) {
	last, i := w.before(len(w.b))
	_, i = w.before(i)
	w.b = utf8.AppendRune(w.b[:i], last)
}

// shortenFinal makes a final á or é short, in R1.
func shortenFinal(w *word) {
	if i := len(w.b) - len("á"); i >= w.r1 {
		_ = w.replace("á", "a") || w.replace("é", "e")
	}
}
