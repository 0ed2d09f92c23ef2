package stem

// Portuguese is the Snowball stemmer for Portuguese.
type portuguese struct {
	standard, verb, residual *table
}

func newPortuguese() algorithm {
	return &portuguese{
		standard: newTable(
			rule{endings: "eza ezas ico ica icos icas ismo ismos ável ível ista istas oso osa osos osas" +
				" amento amentos imento imentos adora ador aça~o adoras adores aço~es ante antes ância", in: inR2},
			rule{endings: "logia logias", as: "log", in: inR2},
			rule{endings: "uça~o uço~es", as: "u", in: inR2},
			rule{endings: "ência ências", as: "ente", in: inR2},
			rule{endings: "amente", in: inR1, then: thenDropIv("os", "ic", "ad")},
			rule{endings: "mente", in: inR2, then: thenDrop(inR2, "ante", "avel", "ível")},
			rule{endings: "idade idades", in: inR2, then: thenDrop(inR2, "abil", "ic", "iv")},
			rule{endings: "iva ivo ivas ivos", in: inR2, then: thenDrop(inR2, "at")},
			rule{endings: "ira iras", as: "ir", in: inRV, when: after("e")},
		),
		verb: newTable(rule{endings: "ada ida ia aria eria iria ará ara erá era irá ava asse esse isse aste este iste" +
			" ei arei erei irei am iam ariam eriam iriam aram eram iram avam em arem erem irem assem essem issem" +
			" ado ido ando endo indo ara~o era~o ira~o ar er ir as adas idas ias arias erias irias arás aras erás" +
			" eras irás avas es ardes erdes irdes ares eres ires asses esses isses astes estes istes is ais eis" +
			" íeis aríeis eríeis iríeis áreis areis éreis ereis íreis ireis ásseis ésseis ísseis áveis ados idos" +
			" ámos amos íamos aríamos eríamos iríamos áramos éramos íramos ávamos emos aremos eremos iremos" +
			" ássemos êssemos íssemos imos armos ermos irmos eu iu ou ira iras"}),
		residual: newTable(rule{endings: "os a i o á í ó", in: inRV}),
	}
}

func (p *portuguese) stem(w *word) {
	// The nasal vowels are a vowel with a consonant after it.
	w.swap("ã", "a~")
	w.swap("õ", "o~")
	w.setR1R2(portugueseVowels)
	w.setRV(portugueseVowels)
	if p.standard.apply(w) || p.verb.applyFrom(w, w.rv) {
		if w.ends("ci") {
			w.drop("i", inRV)
		}
	} else {
		p.residual.apply(w)
	}
	dropFinalE(w)
	w.swap("a~", "ã")
	w.swap("o~", "õ")
}

var portugueseVowels = classOf("aeiouáéíóúâêô")

// dropFinalE takes off a final e, and the u or i before it that kept a g or c as
// it was. A word that ends in ç gets c.
func dropFinalE(w *word) {
	switch last, i := w.before(len(w.b)); last {
	case 'e', 'é', 'ê':
		if i < w.rv {
			return
		}
		w.b = w.b[:i]
		if w.ends("gu") || w.ends("ci") {
			w.drop(string(w.b[len(w.b)-1:]), inRV)
		}
	case 'ç':
		w.b = append(w.b[:i], 'c')
	}
}
