package stem

// Russian is the Snowball stemmer for Russian. What is before RV, which begins after
// the first vowel, is never looked at.
type russian struct {
	gerund, reflexive, adjective, participle, verb, noun, derived, last *table
}

func newRussian() algorithm {
	return &russian{
		gerund: newTable(
			rule{endings: "в вши вшись", when: afterAYa},
			rule{endings: "ив ивши ившись ыв ывши ывшись"},
		),
		reflexive: newTable(rule{endings: "ся сь"}),
		adjective: newTable(rule{endings: "ее ие ые ое ими ыми ей ий ый ой ем им ым ом его ого ему ому их ых ую юю ая яя" +
			" ою ею"}),
		participle: newTable(
			rule{endings: "ем нн вш ющ щ", when: afterAYa},
			rule{endings: "ивш ывш ующ"},
		),
		verb: newTable(
			rule{endings: "ла на ете йте ли й л ем н ло но ет ют ны ть ешь нно", when: afterAYa},
			rule{endings: "ила ыла ена ейте уйте ите или ыли ей уй ил ыл им ым ен ило ыло ено ят ует уют ит ыт ены ить" +
				" ыть ишь ую ю"},
		),
		noun: newTable(rule{endings: "а ев ов ие ье е иями ями ами еи ии и ией ей ой ий й иям ям ием ем ам ом о у ах иях" +
			" ях ы ь ию ью ю ия ья я"}),
		derived: newTable(rule{endings: "ост ость", in: inR2}),
		last: newTable(
			rule{endings: "ейш ейше", then: undoubleN},
			rule{endings: "н", when: func(w *word, i int) bool { return i > w.rv && endsAt(w.b, "н", i) }},
			rule{endings: "ь"},
		),
	}
}

func (r *russian) stem(w *word) {
	w.swap("ё", "е")
	w.setR1R2(russianVowels)
	w.rv = w.past(0, russianVowels)
	r.dropInflection(w)
	if len(w.b) > w.rv {
		w.replace("и", "")
	}
	r.derived.applyFrom(w, w.rv)
	r.last.applyFrom(w, w.rv)
}

var russianVowels = classOf("аеиоуыэюя")

// dropInflection takes off a gerund's ending; or else a reflexive one and then an
// adjective's with a participle's before it, a verb's or a noun's.
func (r *russian) dropInflection(w *word) {
	if r.gerund.applyFrom(w, w.rv) {
		return
	}
	r.reflexive.applyFrom(w, w.rv)
	if r.adjective.applyFrom(w, w.rv) {
		r.participle.applyFrom(w, w.rv)
		return
	}
	_ = r.verb.applyFrom(w, w.rv) || r.noun.applyFrom(w, w.rv)
}

// afterAYa reports whether an а or я of RV is before i.
func afterAYa(w *word, i int) bool {
	return i > w.rv && (endsAt(w.b, "а", i) || endsAt(w.b, "я", i))
}

func undoubleN(w *word) {
	if n := len("н"); w.ends("нн") && len(w.b)-2*n >= w.rv {
		w.cut(n)
	}
}
