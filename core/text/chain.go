package text

import (
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

// An atom is a longest run of letters and digits with what is attached to them.
// Atoms that are joined to one another are a chain.
type atom struct {
	from       int // where underscores before it begin
	start, end int
	next       int // end, or the end of an ending that is dropped
	to         int // end, or the end of underscores, ++ or # after it
	parts      int // how many words it holds; they begin at its start
	cuts       int // and at what stands from here on in the walker's cuts
	link       link
	first      byte // the sign of its first character
	rest       byte // the bits in the signs of the others
	last       byte // the sign of its last character
	seen       traits
}

// A link is what joins an atom to the one before it, the closest first.
type link uint8

const (
	linkHyphen link = iota // a hyphen, an apostrophe or the like
	linkName               // underscores, or several hyphens
	linkDot                // a full stop, or a comma between digits
	linkPath               // one of / \ : @ & # + = ? % ~
	linkNone
)

// traits of an atom that signs don't tell.
type traits uint8

const (
	hasWide    traits = 1 << iota // characters beyond ASCII, in it or after it
	hasChanges                    // of them, some that normalization or folding may change
	hasMarks
	hasIgnored // what is left out, or an apostrophe of another spelling
	hasEnding  // what is left out after it
)

func (a *atom) isMixed() bool  { return isMixed(a.first, a.rest) }
func (a *atom) hasDigit() bool { return (a.first|a.rest)&isDigit != 0 }

// changes reports whether the form of the atom may differ from its source.
func (a *atom) changes() bool {
	return a.seen&(hasChanges|hasIgnored) != 0 || (a.first|a.rest)&isCapital != 0
}

// isBare reports whether nothing stands around the atom.
func (a *atom) isBare() bool { return a.from == a.start && a.to == a.end }

// isLetterName reports whether the atom is one letter that is a name with the ++ or #
// after it, as C++ is and C# is, and another than the letter alone.
func (a *atom) isLetterName(s string) bool {
	return a.rest == 0 && a.from == a.start && a.to > a.next && s[a.next] != '_'
}

// none is a place that is not in the text.
const none = -1

// maxChain is how many atoms are surely too long for a token: the form of each has
// a byte, and so has what joins two.
const maxChain = MaxToken/2 + 2

// nextChain yields the tokens of the chain that begins at byte start, and returns
// where it ends, or stopped. Between from and start stand underscores or a full stop
// that belong to it.
func (w *walker) nextChain(from, start int) int {
	w.chain, w.cuts, w.prefix = w.chain[:0], w.cuts[:0], none
	if from < start && w.source[from] == '.' {
		w.prefix, from = from, start
	}
	for l := linkNone; ; {
		a := w.grow()
		a.from, a.start, a.link = from, start, l
		w.readAtom(a)
		from, start, l = w.join(a)
		end := max(a.to, a.next)
		switch {
		case l == linkNone:
			if !w.yieldAtoms(len(w.chain)) {
				return stopped
			}
			return end
		case len(w.chain) == 2*maxChain && !w.yieldAtoms(maxChain):
			return stopped
		}
	}
}

// grow returns a further atom of the chain, which may hold anything: clearing them
// took a tenth of the time of code in WebAssembly.
func (w *walker) grow() *atom {
	n := len(w.chain)
	if n == cap(w.chain) {
		w.chain = append(w.chain, atom{})
	}
	w.chain = w.chain[:n+1]
	return &w.chain[n]
}

// yieldAtoms yields the tokens that begin in the first n atoms of the chain and
// takes these off it.
func (w *walker) yieldAtoms(n int) bool {
	w.setForm()
	for k := range n {
		if !w.yieldWholes(k) || !w.yieldParts(k) {
			return false
		}
	}
	w.prefix = none
	if n == len(w.chain) {
		return true
	}
	gone := w.chain[n].cuts
	w.cuts = w.cuts[:copy(w.cuts, w.cuts[gone:])]
	w.chain = w.chain[:copy(w.chain, w.chain[n:])]
	for k := range w.chain {
		w.chain[k].cuts -= gone
	}
	return true
}

// readAtom reads the atom a, whose start is set, and counts its parts.
func (w *walker) readAtom(a *atom) {
	s, i := w.source, a.start
	first, rest, last := byte(0), byte(0), byte(0)
	if i < len(s) && signs[s[i]]&inWord != 0 {
		first = signs[s[i]]
		last = first
		for i++; i < len(s) && signs[s[i]]&inWord != 0; i++ {
			last = signs[s[i]]
			rest |= last
		}
	}
	a.first, a.rest, a.last, a.seen = first, rest, last, 0
	a.end, a.next, a.to = i, i, i
	if i < len(s) && (signs[s[i]] == wide || s[i] == '\'') {
		w.readOn(a)
	}
	if a.parts, a.cuts = 1, len(w.cuts); a.isMixed() {
		w.cut(a)
	}
}

// readOn reads on the atom a, of which the part up to a.end was read.
func (w *walker) readOn(a *atom) {
	s, i := w.source, a.end
	for i < len(s) {
		sign, n := signs[s[i]], 1
		if sign == wide {
			var class ucd.Class
			var r rune
			r, n = utf8.DecodeRuneInString(s[i:])
			if sign, class = signOf(r); sign&inWord != 0 || sign == attached {
				a.seen |= hasWide
				if class&ucd.Changes != 0 {
					a.seen |= hasChanges
				}
			}
			if sign == attached {
				a.attach(r)
				i += n
				continue
			}
		}
		if sign&inWord == 0 {
			break
		}
		if a.last = sign; i == a.start {
			a.first = sign
		} else {
			a.rest |= sign
		}
		i += n
	}
	a.end, a.next, a.to = i, i, i
	if i < len(s) && (s[i] == '\'' || s[i] >= utf8.RuneSelf) {
		a.finish(s)
	}
}

// attach notes a character that is attached to one of the atom.
func (a *atom) attach(r rune) {
	a.seen |= hasMarks
	if isIgnored(r) {
		a.seen |= hasIgnored
	}
}

// finish takes 't after the atom into it, and sees an ending after it.
func (a *atom) finish(s string) {
	if n := negation(s, a.end); n > 0 {
		if n > len("'t") {
			a.seen |= hasIgnored | hasWide
		}
		a.end += n
		a.last = signs[s[a.end-1]]
		a.rest |= a.last
	}
	a.next, a.to = a.end, a.end
	if n := ending(s, a.end); n > 0 {
		a.next += n
		a.seen |= hasEnding
	}
}
