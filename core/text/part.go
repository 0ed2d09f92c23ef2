package text

import (
	"slices"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

// cut finds the parts of the atom a. In its NFC they begin at a capital after a
// small letter, at the last of several capitals if a small letter follows, at a
// digit after a letter and at a letter after a digit.
func (w *walker) cut(a *atom) {
	t, _ := w.compose(a.start, a.end, a.seen)
	var before, last byte // the signs of the two characters before
	count, lastAt, begun := 0, 0, 0
	for i := 0; i < len(t); {
		sign, n := signs[t[i]], 1
		if sign == wide {
			sign, n = signOfFirst(t[i:])
		}
		if sign != attached {
			at := 0
			switch {
			case last&inWord == 0 || sign&inWord == 0:
			case (last^sign)&isDigit != 0 || last == small && sign == big:
				at = i
			case before == big && last == big && sign == small && !isPlural(t[i:]):
				at = lastAt
			}
			if at > begun {
				w.cuts = append(w.cuts, at)
				begun = at
			}
			before, last, lastAt = last, sign, i
			count++
		}
		i += n
	}
	if a.parts = 1 + len(w.cuts) - a.cuts; isCode(count, a.parts) {
		a.parts, w.cuts = 1, w.cuts[:a.cuts]
	}
}

// isCode reports whether an atom of count characters has so many parts that it is
// no name but a code, a digest or the like, and stays whole.
func isCode(count, parts int) bool {
	return count < 2*parts || count >= 32 && count < 3*parts
}

// isPlural reports whether t, which comes after capitals, begins with an s and no
// other small letter, as in URLs.
func isPlural(t string) bool {
	if t[0] != 's' {
		return false
	}
	sign := signAt(t, 1)
	return sign != small && sign != attached
}

// signOfFirst returns the sign and the length of the first character of t, which
// is not ASCII.
func signOfFirst(t string) (sign byte, n int) {
	r, n := utf8.DecodeRuneInString(t)
	sign, _ = signOf(r)
	return sign, n
}

// yieldParts yields the parts of atom k, or the atom as a word.
func (w *walker) yieldParts(k int) bool {
	a, kind := &w.chain[k], Part
	name := a.isLetterName(w.source)
	if a.parts == 1 && a.link == linkNone && len(w.chain) == 1 && (a.isBare() || name) && w.prefix < 0 {
		kind = Word
	}
	switch {
	case name && w.setName(k):
		return w.place(w.keep(w.whole), a.start, a.to, kind) != stopped
	case w.form != "" && a.end-a.start <= MaxToken:
		return w.yieldCuts(a, kind)
	case a.parts == 1 && a.seen&hasIgnored == 0 && a.end-a.start <= sureLength:
		return w.place(w.formOf(a), a.start, a.end, kind) != stopped
	}
	return w.yieldUnits(a, kind)
}

// setName sets w.whole to the form of atom k with what is after it, unless that is too
// long for a token.
func (w *walker) setName(k int) bool {
	w.appendGroup(w.chain[k].start, k, k)
	return len(w.whole) <= MaxToken
}

// yieldCuts yields the parts of an atom of a chain that has a form.
func (w *walker) yieldCuts(a *atom, kind Kind) bool {
	form, start := w.form[a.start-w.formed:a.end-w.formed], 0
	for _, end := range w.cuts[a.cuts : a.cuts+a.parts-1] {
		if !w.yield(Token{form[start:end], a.start + start, a.start + end}, Place{w.position, Part}) {
			return false
		}
		w.position++
		start = end
	}
	if !w.yield(Token{form[start:], a.start + start, a.end}, Place{w.position, kind}) {
		return false
	}
	w.position++
	return true
}

// yieldUnits yields the parts of any atom, in pieces if they are too long.
func (w *walker) yieldUnits(a *atom, kind Kind) bool {
	t, direct := w.compose(a.start, a.end, a.seen)
	units := w.units[:0]
	for _, end := range w.cuts[a.cuts : a.cuts+a.parts-1] {
		units = append(units, unit{end: end})
	}
	units = append(units, unit{end: len(t)})
	for i := range len(units) - 1 {
		units[i+1].start = units[i].end
	}
	w.units = w.divide(units, t)
	w.setSources(w.units, a.start, direct)
	if len(w.units) > 1 {
		kind = Part
	}
	for _, u := range w.units {
		if w.place(w.fold(t[u.start:u.end]), u.from, u.to, kind) == stopped {
			return false
		}
	}
	return true
}

// formOf returns the form of an atom of which nothing is left out.
func (w *walker) formOf(a *atom) string {
	s := w.source[a.start:a.end]
	switch {
	case !a.changes():
		return s
	case a.seen&hasWide != 0:
		return w.fold(s)
	}
	return w.plain(s)
}

// divide returns the units of t, those whose form is longer than a token in pieces.
func (w *walker) divide(units []unit, t string) []unit {
	if !slices.ContainsFunc(units, func(u unit) bool { return w.isLong(t[u.start:u.end]) }) {
		return units
	}
	var out []unit
	for _, u := range units {
		if w.isLong(t[u.start:u.end]) {
			out = appendPieces(out, u, t)
		} else {
			out = append(out, u)
		}
	}
	return out
}

// isLong reports whether the form of a part is longer than a token.
func (w *walker) isLong(part string) bool {
	if len(part) <= sureLength {
		return false
	}
	w.whole = w.appendForm(w.whole[:0], part)
	return len(w.whole) > MaxToken
}

// appendPieces appends u in pieces of at most sureLength, cut where characters
// begin.
func appendPieces(dst []unit, u unit, t string) []unit {
	for i := u.start; i < u.end; {
		_, n := utf8.DecodeRuneInString(t[i:])
		if i += n; i-u.start > sureLength {
			dst = append(dst, unit{start: u.start, end: i - n})
			u.start = i - n
		}
	}
	return append(dst, u)
}

// compose returns the NFC of the source from start to end without what is ignored,
// and whether that is the source itself. If not, w.pieces says how they correspond.
func (w *walker) compose(start, end int, seen traits) (t string, direct bool) {
	if s := w.source[start:end]; seen&hasIgnored == 0 && (seen&hasChanges == 0 || ucd.IsNFC(s)) {
		return s, true
	}
	pieces, out := w.pieces[:0], w.spare[0][:0]
	for i := start; i < end; {
		pieces = append(pieces, piece{len(out), i})
		n, at := ucd.NextNFC(w.source[i:end]), len(out)
		out = ucd.AppendNFC(out, w.source[i:i+n])
		out = dropIgnored(out, at)
		i += n
	}
	w.pieces, w.spare[0] = append(pieces, piece{len(out), end}), out
	return w.keep(out), false
}

// dropIgnored takes what is ignored out of b from byte i on, and spells
// apostrophes in one way.
func dropIgnored(b []byte, i int) []byte {
	out := b[:i]
	for i < len(b) {
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case r < utf8.RuneSelf:
			out = append(out, b[i])
		case isApostrophe(r):
			out = append(out, '\'')
		default:
			if sign, _ := signOf(r); sign != attached || !isIgnored(r) {
				out = append(out, b[i:i+n]...)
			}
		}
		i += n
	}
	return out
}

// setSources sets where units of what compose returned come from.
func (w *walker) setSources(units []unit, start int, direct bool) {
	if !direct {
		locate(units, w.pieces)
		return
	}
	for i := range units {
		u := &units[i]
		u.from, u.to = start+u.start, start+u.end
	}
}
