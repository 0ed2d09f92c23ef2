package stem

// What Romance languages have in common.

// thenDrop takes off the first of some endings that the word has, if that is in a
// region. Of two that end alike the longer has to come first.
func thenDrop(in region, endings ...string) func(w *word) {
	return func(w *word) {
		for _, s := range endings {
			if w.ends(s) {
				w.drop(s, in)
				return
			}
		}
	}
}

// thenDropIv takes off iv, and at before that, or one of some other endings, all
// in R2.
func thenDropIv(others ...string) func(w *word) {
	drop := thenDrop(inR2, others...)
	return func(w *word) {
		if !w.ends("iv") {
			drop(w)
		} else if w.drop("iv", inR2) {
			w.drop("at", inR2)
		}
	}
}
