package stem

import (
	"bytes"
	"unicode/utf8"
)

// A word is what an algorithm works on.
type word struct {
	b          []byte // in lower case; what a language marks with a capital is no vowel for it
	rv, r1, r2 int    // where the regions begin; each ends with the word
}

// A region is a part of a word in which an ending has to lie.
type region uint8

const (
	anywhere region = iota
	inRV
	inR1
	inR2
)

// start returns where a region begins. Since endings were taken off, this may be
// beyond the end.
func (w *word) start(r region) int {
	switch r {
	case inRV:
		return w.rv
	case inR1:
		return w.r1
	case inR2:
		return w.r2
	}
	return 0
}

// ends reports whether the word ends in s.
func (w *word) ends(s string) bool { return endsAt(w.b, s, len(w.b)) }

// endsAt reports whether b[:i] ends in s.
func endsAt(b []byte, s string, i int) bool {
	return i >= len(s) && string(b[i-len(s):i]) == s
}

// begins reports whether the word begins with s.
func (w *word) begins(s string) bool { return len(w.b) >= len(s) && string(w.b[:len(s)]) == s }

// cut takes n bytes off the end.
func (w *word) cut(n int) { w.b = w.b[:len(w.b)-n] }

// drop takes s off the end where the word has it there, within a region, and
// reports whether it did.
func (w *word) drop(s string, in region) bool {
	if !w.ends(s) || len(w.b)-len(s) < w.start(in) {
		return false
	}
	w.cut(len(s))
	return true
}

// replace puts as where the word ends in s, and reports whether it did.
func (w *word) replace(s, as string) bool {
	if !w.ends(s) {
		return false
	}
	w.b = append(w.b[:len(w.b)-len(s)], as...)
	return true
}

// none is the letter before the first one. It is in no class of letters.
const none rune = -1

// before returns the letter that ends at i, and where it begins.
func (w *word) before(i int) (rune, int) {
	if i <= 0 {
		return none, 0
	}
	if c := w.b[i-1]; c < utf8.RuneSelf {
		return rune(c), i - 1
	}
	r, n := utf8.DecodeLastRune(w.b[:i])
	return r, i - n
}

// letterAt returns the letter that begins at i, and where it ends.
func (w *word) letterAt(i int) (rune, int) {
	if i >= len(w.b) {
		return none, i
	}
	if c := w.b[i]; c < utf8.RuneSelf {
		return rune(c), i + 1
	}
	r, n := utf8.DecodeRune(w.b[i:])
	return r, i + n
}

// skip returns where the first n letters end, and whether the word has so many.
func (w *word) skip(n int) (int, bool) {
	i := 0
	for ; n > 0 && i < len(w.b); n-- {
		_, i = w.letterAt(i)
	}
	return i, n == 0
}

// hasLetters reports whether w.b[:i] has at least n letters.
func (w *word) hasLetters(n, i int) bool {
	end, ok := w.skip(n)
	return ok && end <= i
}

// past returns where the first letter of a class at or after i ends, or the end
// of the word.
func (w *word) past(i int, in *class) int { return w.pastFirst(i, in, true) }

// pastOther returns where the first letter outside of a class at or after i ends,
// or the end of the word.
func (w *word) pastOther(i int, in *class) int { return w.pastFirst(i, in, false) }

func (w *word) pastFirst(i int, in *class, is bool) int {
	for b := w.b; i < len(b); {
		r, n := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(b[i:])
		}
		i += n
		if in.has(r) == is {
			break
		}
	}
	return i
}

// setR1R2 sets R1, the region after the first non-vowel that follows a vowel, and
// R2, which is that region of R1.
func (w *word) setR1R2(vowels *class) {
	w.r1 = w.pastOther(w.past(0, vowels), vowels)
	w.r2 = w.pastOther(w.past(w.r1, vowels), vowels)
}

// setR1R2AfterThree sets R1 and R2, then lets R1 begin after three letters at the
// soonest. R2 stays. A word of fewer letters has neither.
func (w *word) setR1R2AfterThree(vowels *class) {
	three, ok := w.skip(3)
	if !ok {
		w.r1, w.r2 = len(w.b), len(w.b)
		return
	}
	w.setR1R2(vowels)
	w.r1 = max(w.r1, three)
}

// setR1AfterApostrophe sets R1 to begin after the first apostrophe that has n
// letters before it: it sets an ending off from an abbreviation or a name, as in
// pc'erne. Without one R1 begins after the first non-vowel that follows a vowel.
func (w *word) setR1AfterApostrophe(n int, vowels *class) {
	begin, _ := w.skip(n)
	if i := bytes.IndexByte(w.b[begin:], '\''); i >= 0 {
		w.r1 = begin + i + 1
		return
	}
	w.r1 = w.pastOther(w.past(0, vowels), vowels)
}

// setRV sets RV as most Romance languages have it: after the next vowel where the
// second letter is none; after the next non-vowel where the first two are vowels;
// after the third letter otherwise; the end of the word where there is no such
// place.
func (w *word) setRV(vowels *class) {
	first, i := w.letterAt(0)
	second, i := w.letterAt(i)
	switch {
	case second == none:
		w.rv = len(w.b)
	case !vowels.has(second):
		w.rv = w.past(i, vowels)
	case vowels.has(first):
		w.rv = w.pastOther(i, vowels)
	default:
		_, w.rv = w.letterAt(i)
	}
}

// otherBefore reports whether the word has a letter before i that is not of a
// class.
func (w *word) otherBefore(i int, in *class) bool {
	r, _ := w.before(i)
	return r != none && !in.has(r)
}

// capitalBetweenVowels turns each of two letters into a capital where it stands
// between vowels, from left to right: a letter so marked is no vowel to the next.
func (w *word) capitalBetweenVowels(one, other byte, vowels *class) {
	last := none
	for i := 0; i < len(w.b); {
		r, next := w.letterAt(i)
		if (r == rune(one) || r == rune(other)) && vowels.has(last) {
			if after, _ := w.letterAt(next); vowels.has(after) {
				w.b[i] -= 'a' - 'A'
				r -= 'a' - 'A'
			}
		}
		last, i = r, next
	}
}

// lower turns all capitals back.
func (w *word) lower() {
	for i, c := range w.b {
		if 'A' <= c && c <= 'Z' {
			w.b[i] = c + ('a' - 'A')
		}
	}
}

// swap replaces a sequence of bytes by another of the same length, everywhere.
func (w *word) swap(from, to string) {
	for i := len(from); i <= len(w.b); i++ {
		if endsAt(w.b, from, i) {
			copy(w.b[i-len(from):], to)
		}
	}
}

// change replaces each letter outside of ASCII by another, which takes no more
// bytes.
func (w *word) change(to func(r rune) rune) {
	kept := w.b[:0]
	for i := 0; i < len(w.b); {
		if c := w.b[i]; c < utf8.RuneSelf {
			kept = append(kept, c)
			i++
			continue
		}
		r, next := w.letterAt(i)
		kept = utf8.AppendRune(kept, to(r))
		i = next
	}
	w.b = kept
}
