package stem

import "bytes"

// Italian is the Snowball stemmer for Italian.
type italian struct {
	pronoun, standard, verb *table
}

func newItalian() algorithm {
	return &italian{
		pronoun: newTable(rule{endings: "ci gli la le li lo mi ne si ti vi sene gliela gliele glieli glielo gliene" +
			" mela mele meli melo mene tela tele teli telo tene cela cele celi celo cene vela vele veli velo vene"}),
		standard: newTable(
			rule{endings: "anza anze ico ici ica ice iche ichi ismo ismi abile abili ibile ibili ista iste isti istà" +
				" istè istì oso osi osa ose mente atrice atrici ante anti", in: inR2},
			rule{endings: "azione azioni atore atori", in: inR2, then: thenDrop(inR2, "ic")},
			rule{endings: "logia logie", as: "log", in: inR2},
			rule{endings: "uzione uzioni usione usioni", as: "u", in: inR2},
			rule{endings: "enza enze", as: "ente", in: inR2},
			rule{endings: "amento amenti imento imenti", in: inRV},
			rule{endings: "amente", in: inR1, then: thenDropIv("os", "ic", "abil")},
			rule{endings: "ità", in: inR2, then: thenDrop(inR2, "abil", "ic", "iv")},
			rule{endings: "ivo ivi iva ive", in: inR2, then: dropAtIc},
		),
		verb: newTable(rule{endings: "ammo ando ano are arono asse assero assi assimo ata ate ati ato ava avamo avano" +
			" avate avi avo emmo enda ende endi endo erà erai eranno ere erebbe erebbero erei eremmo eremo ereste" +
			" eresti erete erò erono essero ete eva evamo evano evate evi evo Yamo iamo immo irà irai iranno ire" +
			" irebbe irebbero irei iremmo iremo ireste iresti irete irò irono isca iscano isce isci isco iscono" +
			" issero ita ite iti ito iva ivamo ivano ivate ivi ivo ono uta ute uti uto ar ir"}),
	}
}

func (t *italian) stem(w *word) {
	dropElision(w, italianElision)
	w.change(graveForAcute)
	w.swap("qu", "qU")
	w.capitalBetweenVowels('u', 'i', italianVowels)
	w.setR1R2(italianVowels)
	w.setRV(italianVowels)
	if w.begins("divan") {
		w.rv = len("divan") // divano is no form of divo
	}
	t.dropPronoun(w)
	_ = t.standard.apply(w) || t.verb.applyFrom(w, w.rv)
	dropFinalVowel(w)
	if w.ends("ch") || w.ends("gh") {
		if len(w.b)-len("ch") >= w.rv {
			w.cut(1)
		}
	}
	w.lower()
}

var italianVowels = classOf("aeiouàèìòù")

func italianElision(article string) bool {
	switch article {
	case "all", "d", "dall", "dell", "gl", "l", "m", "nell", "quell", "quest", "s", "sull", "t", "tutt", "un", "v":
		return true
	}
	return false
}

// dropElision takes off the elided word before the first apostrophe, if it is one
// of those given and something comes after it.
func dropElision(w *word, elided func(string) bool) {
	i := bytes.IndexByte(w.b, '\'')
	if i >= 0 && i+1 < len(w.b) && elided(string(w.b[:i])) {
		w.b = w.b[:copy(w.b, w.b[i+1:])]
	}
}

func graveForAcute(r rune) rune {
	switch r {
	case 'á':
		return 'à'
	case 'é':
		return 'è'
	case 'í':
		return 'ì'
	case 'ó':
		return 'ò'
	case 'ú':
		return 'ù'
	}
	return r
}

// dropPronoun takes off pronouns after a gerund or infinitive, which gets back its
// e: guardandogli, accomodarci.
func (t *italian) dropPronoun(w *word) {
	pronoun, i := t.pronoun.find(w, 0, len(w.b))
	if pronoun == nil {
		return
	}
	switch {
	case endsAt(w.b, "ando", i) || endsAt(w.b, "endo", i):
		if i-len("ando") >= w.rv {
			w.b = w.b[:i]
		}
	case endsAt(w.b, "ar", i) || endsAt(w.b, "er", i) || endsAt(w.b, "ir", i):
		if i-len("ar") >= w.rv {
			w.b = append(w.b[:i], 'e')
		}
	}
}

// dropAtIc takes off the at that stood before ivo, and ic before that.
func dropAtIc(w *word) {
	if w.drop("at", inR2) {
		w.drop("ic", inR2)
	}
}

// dropFinalVowel takes off a final vowel, and an i before it.
func dropFinalVowel(w *word) {
	switch last, i := w.before(len(w.b)); last {
	case 'a', 'e', 'i', 'o', 'à', 'è', 'ì', 'ò':
		if i >= w.rv {
			w.b = w.b[:i]
			w.drop("i", inRV)
		}
	}
}
