package stem

// Irish is the Snowball stemmer for Irish, by Jim O'Regan.
type irish struct {
	noun, derived, verb *table
}

func newIrish() algorithm {
	return &irish{
		noun: newTable(
			rule{endings: "amh eamh abh eabh aibh ibh aimh imh aíocht íocht aíochta íochta", in: inR1},
			rule{endings: "ire irí aire airí", in: inR2},
		),
		derived: newTable(
			rule{endings: "acht eacht ach each achtúil achta eachtúil eachta", in: inR2},
			rule{endings: "arcacht arcachtaí arcachta", as: "arc"},
			rule{endings: "gineach gineas ginis", as: "gin"},
			rule{endings: "grafaíoch grafaíocht grafaíochta grafaíochtaí", as: "graf"},
			rule{endings: "paite patach pataigh patacha", as: "paite"},
			rule{endings: "óideach óideacha óidigh", as: "óid"},
		),
		verb: newTable(
			rule{endings: "imid aimid ímid aímid faidh fidh", in: inRV},
			rule{endings: "ain eadh adh áil tear tar", in: inR1},
		),
	}
}

func (t *irish) stem(w *word) {
	n, as := irishMutation(w)
	w.b = append(append(w.b[:0], as...), w.b[n:]...)
	w.setR1R2(irishVowels)
	w.rv = w.past(0, irishVowels)
	t.noun.apply(w)
	t.derived.apply(w)
	t.verb.apply(w)
}

var irishVowels = classOf("aeiouáéíóú")

// irishMutations are the beginnings that a word before gives to one, or that stand
// for one, and what they were. Of two that begin alike the longer comes first.
var irishMutations = [][2]string{
	{"d'fh", "f"}, {"d'", ""}, {"m'", ""}, {"b'", ""},
	{"bhf", "f"}, {"mb", "b"}, {"gc", "c"}, {"nd", "d"}, {"ng", "g"}, {"bp", "p"}, {"ts", "s"}, {"dt", "t"},
	{"bh", "b"}, {"ch", "c"}, {"dh", "d"}, {"fh", "f"}, {"gh", "g"}, {"mh", "m"}, {"ph", "p"}, {"sh", "s"}, {"th", "t"},
}

// irishMutation returns how many bytes of the beginning are a mutation, and what
// stands for them.
func irishMutation(w *word) (n int, as string) {
	for _, m := range irishMutations {
		if w.begins(m[0]) {
			return len(m[0]), m[1]
		}
	}
	return 0, ""
}
