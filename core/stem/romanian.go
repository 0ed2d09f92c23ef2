package stem

// Romanian is the Snowball stemmer for Romanian.
type romanian struct {
	plural, combined, standard, verb, vowel *table
}

func newRomanian() algorithm {
	return &romanian{
		plural: newTable(
			rule{endings: "ul ului", in: inR1},
			rule{endings: "aua", as: "a", in: inR1},
			rule{endings: "ea ele elor", as: "e", in: inR1},
			rule{endings: "ii iua iei iile iilor ilor", as: "i", in: inR1},
			rule{endings: "ile", as: "i", in: inR1, when: not(afterAny("ab"))},
			rule{endings: "atei", as: "at", in: inR1},
			rule{endings: "ație ația", as: "ați", in: inR1},
		),
		combined: newTable(
			rule{endings: "abilitate abilitati abilităi abilități", as: "abil", in: inR1},
			rule{endings: "ibilitate", as: "ibil", in: inR1},
			rule{endings: "ivitate ivitati ivităi ivități", as: "iv", in: inR1},
			rule{endings: "icitate icitati icităi icități icator icatori iciv iciva icive icivi icivă" +
				" ical icala icale icali icală", as: "ic", in: inR1},
			rule{endings: "ativ ativa ative ativi ativă ațiune atoare ator atori ătoare ător ători", as: "at", in: inR1},
			rule{endings: "itiv itiva itive itivi itivă ițiune itoare itor itori", as: "it", in: inR1},
		),
		standard: newTable(
			rule{endings: "at ata ată ati ate ut uta ută uti ute it ita ită iti ite ic ica ice ici ică" +
				" abil abila abile abili abilă ibil ibila ibile ibili ibilă oasa oasă oase os osi oși" +
				" ant anta ante anti antă ator atori itate itati ităi ități iv iva ive ivi ivă", in: inR2},
			rule{endings: "iune iuni", in: inR2, when: after("ț"), then: func(w *word) { w.replace("ț", "t") }},
			rule{endings: "ism isme ist ista iste isti istă iști", as: "ist", in: inR2},
		),
		verb: newTable(
			rule{endings: "are ere ire âre ind ând indu ându eze ească ez ezi ează esc ești ește ăsc ăști ăște am ai au" +
				" eam eai ea eați eau iam iai ia iați iau ui ași arăm arăți ară uși urăm urăți ură iși irăm irăți iră" +
				" âi âși ârăm ârăți âră asem aseși ase aserăm aserăți aseră isem iseși ise iserăm iserăți iseră" +
				" âsem âseși âse âserăm âserăți âseră usem useși use userăm userăți useră", when: afterStemOrU},
			rule{endings: "ăm ați em eți im iți âm âți seși serăm serăți seră sei se sesem seseși sese seserăm" +
				" seserăți seseră"},
		),
		vowel: newTable(rule{endings: "a e i ie ă", in: inRV}),
	}
}

func (r *romanian) stem(w *word) {
	w.change(commaForCedilla)
	w.capitalBetweenVowels('i', 'u', romanianVowels)
	w.setR1R2(romanianVowels)
	w.setRV(romanianVowels)
	r.plural.apply(w)
	removed := false
	for r.combined.apply(w) {
		removed = true
	}
	if r.standard.apply(w) {
		removed = true
	}
	if !removed {
		r.verb.applyFrom(w, w.rv)
	}
	r.vowel.apply(w)
	w.lower()
}

var romanianVowels = classOf("aăâeiîou")

// commaForCedilla gives s and t the comma that Romanian has, where the cedilla that
// older character sets had stands for it.
func commaForCedilla(r rune) rune {
	switch r {
	case 'ş':
		return 'ș'
	case 'ţ':
		return 'ț'
	}
	return r
}

// afterStemOrU reports whether a consonant or u of RV is before i.
func afterStemOrU(w *word, i int) bool {
	r, begin := w.before(i)
	return r != none && begin >= w.rv && (r == 'u' || !romanianVowels.has(r))
}
