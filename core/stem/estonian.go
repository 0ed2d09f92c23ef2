package stem

import "strings"

// Estonian is the Snowball stemmer for Estonian, by Linda Freienthal. It has R1
// only.
type estonian struct {
	irregular                                                     map[string]string
	emphasis, verb, noun, cases, plural, degree, iPlural, derived *table
}

func newEstonian() algorithm {
	afterStem := either(after("aeiou'"), afterLongEstonian)
	return &estonian{
		irregular: irregularEstonian(),
		emphasis: newTable(
			rule{endings: "gi", when: emphatic("cjlmnqrvwxaeiouõäöü")},
			rule{endings: "ki", when: emphatic("kptgbdshfšzž")},
		),
		verb: newTable(
			rule{endings: "nuksin nuksime nuksid nuksite ksin ksid ksime ksite mata takse dakse taks daks sime site sin"},
			rule{endings: "akse", as: "a"},
			rule{endings: "me da n b", when: after("aeiouõäöü")},
		),
		noun: newTable(
			rule{endings: "lasse last lane lasi", as: "lase"},
			rule{endings: "misse mist mine misi", as: "mise"},
			rule{endings: "lisse list line lisi", as: "lise"},
		),
		cases: newTable(
			rule{endings: "sse st le lt ga ks ta s l", when: afterStem},
			rule{endings: "t", when: letters(4)},
		),
		plural: newTable(
			rule{endings: "ikkude ikke ike", as: "iku"},
			rule{endings: "sid", when: not(afterLongEstonian)},
			rule{endings: "te", as: "te", then: shortenTe},
			rule{endings: "de d", when: afterStem},
		),
		degree: newTable(
			rule{endings: "mai m", when: after("aeiou'")},
			rule{endings: "ma"},
		),
		iPlural: newTable(rule{endings: "i", when: after("aeiou'")}),
		derived: newTable(rule{endings: "nu tu du va"}),
	}
}

func (e *estonian) stem(w *word) {
	if as, ok := e.irregular[string(w.b)]; ok {
		w.b = append(w.b[:0], as...)
		return
	}
	w.setR1AfterApostrophe(2, estonianVowels)
	e.emphasis.applyFrom(w, w.r1)
	if !e.verb.applyFrom(w, w.r1) {
		for _, step := range []*table{e.noun, e.cases, e.plural, e.degree, e.iPlural, e.derived} {
			step.applyFrom(w, w.r1)
		}
	}
	undoubleEstonian(w)
	w.drop("'", anywhere)
}

var estonianVowels = classOf("aeiouõäöü")

// Forms of short verbs that the rules would not bring together, by their stem.
//
//nolint:misspell // Estonian is not English
var estonianVerbs = []struct{ stem, forms string }{
	{"joo", "joon jood joob joote joome joovad jõin jõid jõi jõime jõite juuakse joodakse juua jooma " +
		"joomata"},
	{"saa", "saan saad saab saate saame saavad saaksin saaksid saaks saaksite saaksime sain said sai " +
		"saite saime saadakse saadi saama saada saamata"},
	{"viima", "viin viid viib viite viime viivad viisin viisite viisime viiakse viidi viima viia viimata"},
	{"keesi", "keeksin keeks keeksid keeksime keeksite keema keeta keedakse keemata"},
	{"löö", "löön lööd lööb lööme lööte löövad lüüakse löödakse löödi lööma lüüa löömata"},
	{"lõi", "lõin lõid lõi lõime lõite"},
	{"loo", "loon lood loob loome loote loovad looksin looksid looks looksime looksite luuakse loodi " +
		"luua looma loomata"},
	{"käisi", "käin käib käid käis käime käite käivad käiksin käiks käiksid käiksime käiksite käiakse " +
		"käidi käia käima käimata"},
	{"söö", "söön sööb sööd sööme sööte söövad sööksin sööks sööksid sööksime sööksite sõin sõi sõid " +
		"sõime sõite süüakse söödakse söödi sööma söömata süüa"},
	{"too", "toon tood toob toote toome toovad tooksin tooksid tooks tooksite tooksime tõin tõid tõi " +
		"tõime tõite tuuakse toodi tooma tuua toomata"},
	{"võisi", "võin võid võib võime võis võite võivad võiksin võiksid võiks võiksime võiksite võidakse " +
		"võidi võida võima võimata"},
	{"jääma", "jään jääd jääb jääme jääte jäävad jääksin jääksid jääks jääksime jääksite jäime jäite " +
		"jäin jäid jäi"},
	{"müüsi", "müün müüd müüb müüs müüme müüte müüvad müüksin müüksid müüks müüksime müüksite müüakse " +
		"müüdi müüa müüma müümata"},
	{"luge", "loeb loen loed loeme loete loevad loeks loeksin loeksid loeksime loeksite"},
	{"põde", "põen põeb põed põeme põete põevad põeksin põeks põeksid põeksime põeksite"},
	{"ladu", "laon laob laod laome laote laovad laoksin laoks laoksid laoksime laoksite"},
	{"tegi", "teeksin teeks teeksid teeksime teeksite teen teeb teed teeme teete teevad tehakse tehti " +
		"tegema tegemata teha"},
	{"nägi", "näen näeb näed näeme näete näevad näeksin näeks näeksid näeksime näeksite nähakse nähti " +
		"näha nägema nägemata"},
}

func irregularEstonian() map[string]string {
	stems := make(map[string]string)
	for _, v := range estonianVerbs {
		for form := range strings.SplitSeq(v.forms, " ") {
			stems[form] = v.stem
		}
	}
	return stems
}

// afterLongEstonian reports whether a long vowel is before i.
func afterLongEstonian(w *word, i int) bool {
	r, j := w.before(i)
	s, _ := w.before(j)
	return estonianVowels.has(r) && r == s
}

// emphatic returns a condition for the emphasis gi or ki: at least four letters
// before it, the last of them one of those given and no part of a long vowel.
func emphatic(last string) condition {
	in := after(last)
	return func(w *word, i int) bool { return w.hasLetters(4, i) && in(w, i) && !afterLongEstonian(w, i) }
}

// shortenTe sees to the ending te of a plural, which the word still has.
func shortenTe(w *word) {
	i := len(w.b) - len("te")
	switch {
	case !w.hasLetters(4, i):
		w.cut(1)
	case endsAt(w.b, "mis", i), endsAt(w.b, "las", i), endsAt(w.b, "lis", i):
		w.b = append(w.b[:i], 'e')
	case !endsAt(w.b, "t", i):
		w.b = w.b[:i]
	}
}

// undoubleEstonian makes kk, pp and tt before a last vowel in R1 single.
func undoubleEstonian(w *word) {
	vowel, i := w.before(len(w.b))
	if !estonianVowels.has(vowel) || i < w.r1 {
		return
	}
	if endsAt(w.b, "kk", i) || endsAt(w.b, "pp", i) || endsAt(w.b, "tt", i) {
		w.b = append(w.b[:i-1], w.b[i:]...)
	}
}
