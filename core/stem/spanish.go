package stem

// Spanish is the Snowball stemmer for Spanish.
type spanish struct {
	pronoun, beforePronoun, standard, yVerb, verb, residual *table
}

func newSpanish() algorithm {
	return &spanish{
		pronoun: newTable(rule{endings: "me se sela selo selas selos la le lo las les los nos"}),
		beforePronoun: newTable(
			rule{endings: "iéndo", as: "iendo"},
			rule{endings: "ándo", as: "ando"},
			rule{endings: "ár", as: "ar"},
			rule{endings: "ér", as: "er"},
			rule{endings: "ír", as: "ir"},
			rule{endings: "ando", as: "ando"},
			rule{endings: "iendo", as: "iendo"},
			rule{endings: "ar", as: "ar"},
			rule{endings: "er", as: "er"},
			rule{endings: "ir", as: "ir"},
			rule{endings: "yendo", as: "yendo", when: after("u")},
		),
		standard: newTable(
			rule{endings: "anza anzas ico ica icos icas ismo ismos able ables ible ibles ista istas oso osa osos osas" +
				" amiento amientos imiento imientos", in: inR2},
			rule{endings: "adora ador ación adoras adores aciones ante antes ancia ancias acion", in: inR2,
				then: thenDrop(inR2, "ic")},
			rule{endings: "logía logías", as: "log", in: inR2},
			rule{endings: "ución uciones ucion", as: "u", in: inR2},
			rule{endings: "encia encias", as: "ente", in: inR2},
			rule{endings: "amente", in: inR1, then: thenDropIv("os", "ic", "ad")},
			rule{endings: "mente", in: inR2, then: thenDrop(inR2, "ante", "able", "ible")},
			rule{endings: "idad idades", in: inR2, then: thenDrop(inR2, "abil", "ic", "iv")},
			rule{endings: "iva ivo ivas ivos", in: inR2, then: thenDrop(inR2, "at")},
		),
		yVerb: newTable(rule{endings: "ya ye yan yen yeron yendo yo yó yas yes yais yamos", when: after("u")}),
		verb: newTable(
			rule{endings: "en es éis emos", then: hardenG},
			rule{endings: "arían arías arán arás aríais aría aréis aríamos aremos ará aré" +
				" erían erías erán erás eríais ería eréis eríamos eremos erá eré" +
				" irían irías irán irás iríais iría iréis iríamos iremos irá iré" +
				" aba ada ida ía ara iera ad ed id ase iese aste iste an aban ían aran ieran asen iesen aron ieron" +
				" ado ido ando iendo ió ar er ir as abas adas idas ías aras ieras ases ieses ís áis abais íais arais" +
				" ierais aseis ieseis asteis isteis ados idos amos ábamos íamos imos áramos iéramos iésemos ásemos"},
		),
		residual: newTable(
			rule{endings: "os a o á í ó", in: inRV},
			rule{endings: "e é", in: inRV, then: func(w *word) {
				if w.ends("gu") {
					w.drop("u", inRV)
				}
			}},
		),
	}
}

func (s *spanish) stem(w *word) {
	w.setR1R2(spanishVowels)
	w.setRV(spanishVowels)
	s.dropPronoun(w)
	_ = s.standard.apply(w) || s.yVerb.applyFrom(w, w.rv) || s.verb.applyFrom(w, w.rv)
	s.residual.apply(w)
	w.change(withoutAcute)
}

var spanishVowels = classOf("aeiouáéíóúü")

func withoutAcute(r rune) rune {
	switch r {
	case 'á':
		return 'a'
	case 'é':
		return 'e'
	case 'í':
		return 'i'
	case 'ó':
		return 'o'
	case 'ú':
		return 'u'
	}
	return r
}

// dropPronoun takes off pronouns after an infinitive or gerund, and the accent
// that they bring with them: haciéndola.
func (s *spanish) dropPronoun(w *word) {
	pronoun, end := s.pronoun.find(w, 0, len(w.b))
	if pronoun == nil {
		return
	}
	verb, i := s.beforePronoun.find(w, 0, end)
	if verb == nil || i < w.rv || verb.when != nil && !verb.when(w, i) {
		return
	}
	w.b = append(w.b[:i], verb.as...)
}

// hardenG takes off the u that kept a g hard before e: paguen.
func hardenG(w *word) {
	if w.ends("gu") {
		w.cut(1)
	}
}
