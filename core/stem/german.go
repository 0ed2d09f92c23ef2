package stem

// German is the Snowball stemmer for German.
type german struct {
	inflection, comparison, derived, apostrophe *table
}

func newGerman() algorithm {
	return &german{
		inflection: newTable(
			rule{endings: "em", in: inR1, when: not(afterAny("syst"))},
			rule{endings: "ern er erin erinnen", in: inR1},
			rule{endings: "e en es", in: inR1, then: shortenNiss},
			rule{endings: "s", in: inR1, when: after("bdfghklmnrt")},
			rule{endings: "ln lns", as: "l", in: inR1},
		),
		comparison: newTable(
			rule{endings: "en er est", in: inR1},
			rule{endings: "st", in: inR1, when: both(after("bdfghklmnt"), letters(4))},
			rule{endings: "et", in: inR1, when: both(after("dfgklmnrstUzä"), not(afterAny("geordn intern plan tick tr")))},
		),
		derived: newTable(
			rule{endings: "end ung", in: inR2, then: dropIg},
			rule{endings: "ig ik isch", in: inR2, when: not(after("e"))},
			rule{endings: "lich heit", in: inR2, then: dropErEn},
			rule{endings: "keit", in: inR2, then: dropLichIg},
		),
		apostrophe: newTable(rule{endings: "' 's 'sch", when: letters(2)}),
	}
}

func (g *german) stem(w *word) {
	w.capitalBetweenVowels('u', 'y', germanVowels)
	joinUmlauts(w)
	w.setR1R2AfterThree(germanVowels)
	g.inflection.apply(w)
	g.comparison.apply(w)
	g.derived.apply(w)
	g.apostrophe.apply(w)
	w.lower()
	w.change(withoutUmlaut)
}

var germanVowels = classOf("aeiouyäöü")

// joinUmlauts turns ae, oe and ue into umlauts, and ß into ss. The ue of que and,
// since its u is a capital by now, that of feuer stay.
func joinUmlauts(w *word) {
	kept := w.b[:0]
	for i := 0; i < len(w.b); {
		n := min(2, len(w.b)-i)
		switch pair := w.b[i : i+n]; string(pair) {
		case "ß":
			kept = append(kept, "ss"...)
		case "ae":
			kept = append(kept, "ä"...)
		case "oe":
			kept = append(kept, "ö"...)
		case "ue":
			kept = append(kept, "ü"...)
		case "qu":
			kept = append(kept, pair...)
		default:
			n = 1
			kept = append(kept, w.b[i])
		}
		i += n
	}
	w.b = kept
}

func withoutUmlaut(r rune) rune {
	switch r {
	case 'ä':
		return 'a'
	case 'ö':
		return 'o'
	case 'ü':
		return 'u'
	}
	return r
}

func shortenNiss(w *word) { w.replace("niss", "nis") }

// dropIg takes off the ig that stood before end or ung.
func dropIg(w *word) {
	if !w.ends("eig") {
		w.drop("ig", inR2)
	}
}

// dropErEn takes off the er or en that stood before lich or heit.
func dropErEn(w *word) {
	if !w.drop("er", inR1) {
		w.drop("en", inR1)
	}
}

// dropLichIg takes off the lich or ig that stood before keit.
func dropLichIg(w *word) {
	if !w.drop("lich", inR2) {
		w.drop("ig", inR2)
	}
}
