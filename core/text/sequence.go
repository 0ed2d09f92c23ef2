package text

import (
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

// maxCharacter is the largest length in bytes of the NFC of a character with its
// marks that is one unit: the form of two surely fits.
const maxCharacter = sureLength / 2

// nextSequence yields the tokens of the sequence of letters without spaces that
// begins at byte start, and returns where it ends, or stopped.
func (w *walker) nextSequence(start int) int {
	end, seen := w.readSequence(start)
	if seen&(hasMarks|hasChanges|hasIgnored) == 0 {
		return w.yieldPlainSequence(start, end)
	}
	t, direct := w.compose(start, end, seen)
	units := w.characters(t)
	w.setSources(units, start, direct)
	for i, u := range units {
		last, kind := u, Tail
		if i+1 < len(units) {
			last, kind = units[i+1], Bigram
		}
		text := t[u.start:last.end]
		if seen&hasIgnored != 0 || seen&hasChanges != 0 {
			text = w.fold(text)
		}
		if w.place(text, u.from, last.to, kind) == stopped {
			return stopped
		}
	}
	return end
}

// readSequence returns where the sequence that begins at byte i ends, and what it
// has.
func (w *walker) readSequence(i int) (end int, seen traits) {
	s := w.source
	for i < len(s) && s[i] >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(s[i:])
		sign, class := signOf(r)
		if sign != unspaced && sign != attached {
			break
		}
		if class&ucd.Changes != 0 {
			seen |= hasChanges
		}
		if sign == attached {
			seen |= hasMarks
			if isIgnored(r) {
				seen |= hasIgnored
			}
		}
		i += n
	}
	return i, seen
}

// yieldPlainSequence yields the tokens of a sequence in which each character
// stands for itself.
func (w *walker) yieldPlainSequence(start, end int) int {
	s := w.source
	_, n := utf8.DecodeRuneInString(s[start:])
	middle := start + n
	for middle < end {
		_, n = utf8.DecodeRuneInString(s[middle:])
		if w.place(s[start:middle+n], start, middle+n, Bigram) == stopped {
			return stopped
		}
		start, middle = middle, middle+n
	}
	return w.place(s[start:end], start, end, Tail)
}

// characters returns the characters of t with their marks. Marks beyond
// maxCharacter are units themselves.
func (w *walker) characters(t string) []unit {
	units := w.units[:0]
	for i := 0; i < len(t); {
		r, n := utf8.DecodeRuneInString(t[i:])
		if last := len(units) - 1; last >= 0 && ucd.IsMark(r) && i+n-units[last].start <= maxCharacter {
			units[last].end = i + n
		} else {
			units = append(units, unit{start: i, end: i + n})
		}
		i += n
	}
	w.units = units
	return units
}
