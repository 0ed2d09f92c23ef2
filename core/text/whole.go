package text

import (
	"strings"
	"unicode/utf8"
)

// setForm sets the form of the chain, of which tokens can be parts: that of ASCII
// of which nothing is left out. Any other chain has none.
func (w *walker) setForm() {
	first, last := &w.chain[0], &w.chain[len(w.chain)-1]
	changes := byte(0)
	w.form = ""
	for k := range w.chain {
		a := &w.chain[k]
		if a.seen&(hasWide|hasEnding) != 0 {
			return
		}
		changes |= (a.first | a.rest) & isCapital
	}
	if w.formed = first.from; w.prefix >= 0 {
		w.formed = w.prefix
	}
	w.form = w.source[w.formed:last.to]
	if changes != 0 || strings.IndexByte(w.form, '\\') >= 0 {
		w.form = w.plain(w.form)
	}
}

// plain returns ASCII in small letters, and Windows' paths as others. Unlike lower
// it takes what is not a letter or digit, too.
func (w *walker) plain(s string) string {
	b := append(w.whole[:0], s...)
	for i, c := range b {
		if signs[c] == big {
			b[i] = c + ('a' - 'A')
		} else if c == '\\' {
			b[i] = '/'
		}
	}
	w.whole = b
	return w.keep(b)
}

// yieldWholes yields the compounds and identifiers that begin with atom k, the
// longest first.
func (w *walker) yieldWholes(k int) bool {
	a := &w.chain[k]
	if a.link > linkName && (len(w.chain) > 1 || !a.isBare() || w.prefix >= 0) && !w.yieldGroups(k) {
		return false
	}
	if a.parts == 1 {
		return true
	}
	if w.form == "" {
		w.whole = w.appendAtom(w.whole[:0], a)
	}
	return w.placeWhole(a.start, a.end, Identifier)
}

// yieldGroups yields what begins with atom k and is joined like a path, then by
// full stops, then like a name, if it is more than what comes after it here.
func (w *walker) yieldGroups(k int) bool {
	a := &w.chain[k]
	from, prefixed := a.from, k == 0 && w.prefix >= 0
	if prefixed {
		from = w.prefix
	}
	name := w.lastOf(k, linkName)
	if a.link > linkDot {
		dots := w.lastOf(name, linkDot)
		if a.link > linkPath {
			if path := w.lastOf(dots, linkPath); path > dots && !w.yieldGroup(from, k, path) {
				return false
			}
		}
		if (dots > name || prefixed) && !w.yieldGroup(from, k, dots) {
			return false
		}
	}
	return name == k && (a.isBare() || a.isLetterName(w.source)) || w.yieldGroup(a.from, k, name)
}

// lastOf returns the last atom that is joined to atom k by l or closer.
func (w *walker) lastOf(k int, l link) int {
	for k+1 < len(w.chain) && w.chain[k+1].link <= l {
		k++
	}
	return k
}

// yieldGroup yields the atoms from k to last, with what joins them and what is
// around them, as one token.
func (w *walker) yieldGroup(from, k, last int) bool {
	if w.form == "" {
		w.appendGroup(from, k, last)
	}
	return w.placeWhole(from, w.chain[last].to, w.kindOf(from, k, last))
}

// placeWhole yields the form of the source from start to end, which w.whole holds
// if the chain has none, unless it is too long.
func (w *walker) placeWhole(start, end int, kind Kind) bool {
	if w.form != "" {
		return end-start > MaxToken || w.yield(Token{w.form[start-w.formed : end-w.formed], start, end}, Place{w.position, kind})
	}
	return len(w.whole) > MaxToken || w.yield(Token{w.keep(w.whole), start, end}, Place{w.position, kind})
}

// kindOf tells compounds, which are words of letters with one hyphen or apostrophe
// between two, from identifiers.
func (w *walker) kindOf(from, k, last int) Kind {
	if from < w.chain[k].start {
		return Identifier
	}
	for m := k; m <= last; m++ {
		a := &w.chain[m]
		if m > k && a.link != linkHyphen || a.parts > 1 || a.hasDigit() || !a.isBare() {
			return Identifier
		}
	}
	return Compound
}

// appendGroup sets w.whole to the form of the atoms from k to last with what joins
// them and what is around them. It stops where that is too long.
func (w *walker) appendGroup(from, k, last int) {
	out := w.whole[:0]
	for m := k; m <= last && len(out) <= MaxToken; m++ {
		a := &w.chain[m]
		out = appendJoint(out, w.source[from:a.start])
		out = w.appendAtom(out, a)
		from = a.next
	}
	if to := w.chain[last].to; to > from {
		out = appendJoint(out, w.source[from:to])
	}
	w.whole = out
}

// appendJoint appends what joins atoms, in one spelling.
func appendJoint(dst []byte, s string) []byte {
	for _, r := range s {
		switch {
		case r == '\\':
			r = '/'
		case isApostrophe(r):
			r = '\''
		case r == hyphen || r == noBreakHyphen:
			r = '-'
		case r == greekAnoTeleia:
			r = '·'
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// appendAtom appends the form of an atom.
func (w *walker) appendAtom(dst []byte, a *atom) []byte {
	if a.seen&hasIgnored == 0 {
		return w.appendForm(dst, w.source[a.start:a.end])
	}
	t, _ := w.compose(a.start, a.end, a.seen)
	return w.appendForm(dst, t)
}
