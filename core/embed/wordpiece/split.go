package wordpiece

import (
	"slices"
	"unicode/utf8"
)

// maxChars is how many characters a word may have. A longer one has no pieces.
const maxChars = 100

// A splitter cuts a text into normalized words.
type splitter struct {
	room  [maxChars * utf8.UTFMax]byte
	word  []byte // of room: the word so far, at most maxChars characters
	chars int    // how many there are
	marks int    // where in word the marks begin that another one may go before
	yield func(word []byte, chars, end int)
}

// split calls yield for each word of a text, with the number of its characters and
// where it ends in the text. Of a word that is too long, it gives the beginning.
func split(text string, yield func(word []byte, chars, end int)) {
	s := splitter{yield: yield}
	s.word = s.room[:0]
	for i, r := range text { // what is not UTF-8 is U+FFFD, which is dropped
		switch k := kindOf(r); {
		case k == letter:
			s.add(r)
		case k == space:
			s.end(i)
		case k == dropped:
		case k == barrier:
			s.marks = len(s.word)
		case k == alone:
			s.end(i)
			s.add(r)
			s.end(i + utf8.RuneLen(r))
		case k == syllable:
			s.addSyllable(r)
		case k < mapped:
			s.addMark(r, k)
		default:
			to, isWord := mapping(k)
			if isWord {
				s.end(i)
			}
			for _, c := range to {
				if k := kindOf(c); k > mark {
					s.addMark(c, k)
				} else {
					s.add(c)
				}
			}
			if isWord {
				s.end(i + utf8.RuneLen(r))
			}
		}
	}
	s.end(len(text))
}

// add adds a character that no mark moves over.
func (s *splitter) add(r rune) {
	s.chars++
	if s.chars <= maxChars {
		s.word = utf8.AppendRune(s.word, r)
		s.marks = len(s.word)
	}
}

// addMark adds a mark behind those of its class or a lower one.
func (s *splitter) addMark(r rune, k kind) {
	s.chars++
	if s.chars > maxChars {
		return
	}
	at := len(s.word)
	for at > s.marks {
		before, n := utf8.DecodeLastRune(s.word[:at])
		if kindOf(before) <= k {
			break
		}
		at -= n
	}
	var b [utf8.UTFMax]byte
	s.word = slices.Insert(s.word, at, utf8.AppendRune(b[:0], r)...)
}

// Hangul syllables are taken apart by arithmetic (The Unicode Standard, §3.12).
const (
	hangul      = 0xAC00
	hangulLead  = 0x1100
	hangulVowel = 0x1161
	hangulTail  = 0x11A7 // one before the first tail: no tail
	hangulTails = 28
	hangulPairs = 21 * hangulTails // syllables of one lead
)

func (s *splitter) addSyllable(r rune) {
	n := r - hangul
	s.add(hangulLead + n/hangulPairs)
	s.add(hangulVowel + n%hangulPairs/hangulTails)
	if tail := n % hangulTails; tail > 0 {
		s.add(hangulTail + tail)
	}
}

// end yields the word that ends here, if there is one.
func (s *splitter) end(at int) {
	if s.chars > 0 {
		s.yield(s.word, s.chars, at)
	}
	s.word, s.chars, s.marks = s.room[:0], 0, 0
}
