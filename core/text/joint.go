package text

import (
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

// join finds what joins the atom a to one after it, and sets a.to. It returns where
// the underscores before that one and where itself begins, and the link; linkNone if
// there is none.
func (w *walker) join(a *atom) (from, start int, l link) {
	s, i := w.source, a.next
	if i == len(s) || signs[s[i]] == blank {
		return 0, 0, linkNone
	}
	if i+1 < len(s) && signs[s[i+1]]&inWord != 0 {
		switch s[i] { // the commonest
		case '-':
			return i + 1, i + 1, linkHyphen
		case '_':
			a.to = i + 1
			return i + 1, i + 1, linkName
		case '.':
			return i + 1, i + 1, linkDot
		case '/', ':', '=':
			return i + 1, i + 1, linkPath
		}
	}
	return w.joinRarely(a)
}

// joinRarely is join for what may be anything.
func (w *walker) joinRarely(a *atom) (from, start int, l link) {
	s := w.source
	i, after := skipLow(s, a.next), 0
	low := i > a.next
	if !low {
		after = suffix(s, i, a)
	}
	if i += after; i > a.next {
		a.to = i
	}
	from, j := readJoint(s, i)
	if from-i > j.count {
		a.seen |= hasWide
	}
	if start = from; j.count > 0 {
		start = skipLow(s, from)
	}
	low = low || start > from
	sign := signAt(s, start)
	switch {
	case sign&inWord == 0,
		j.count == 0 && !low && after < len("++"),
		j.alone && (j.count > 1 || low || after > 0),
		j.digits && (a.last&isDigit == 0 || sign&isDigit == 0):
		return 0, 0, linkNone
	case after > 0:
		return from, start, linkPath
	case low || j.count > 1:
		return from, start, max(j.link, linkName)
	}
	return from, start, j.link
}

// suffix returns the length of the ++ or # at byte i of s that belongs to the name
// a before it, as in C++, or 0.
func suffix(s string, i int, a *atom) int {
	if a.link < linkDot || a.next > a.end || a.hasDigit() {
		return 0
	}
	switch {
	case i+1 < len(s) && s[i] == '+' && s[i+1] == '+' && signAt(s, i+2) != attached:
		return 2
	case i < len(s) && s[i] == '#' && !continues(s, i+1):
		return 1
	}
	return 0
}

// A joint is what stands between two atoms besides underscores.
type joint struct {
	link   link
	count  int  // of characters
	alone  bool // it joins only if it is one character
	digits bool // and stands between digits
}

// readJoint reads up to three characters that join, from byte i of s on, and
// returns where they end.
func readJoint(s string, i int) (int, joint) {
	var j joint
	for j.count < 3 {
		how, n := connector(s, i)
		if n == 0 {
			break
		}
		switch how {
		case connectAlone:
			j.alone = true
		case connectDigits:
			j.alone, j.digits = true, true
			j.link = max(j.link, linkDot)
		case connectDot:
			j.link = max(j.link, linkDot)
		case connectPath:
			j.link = max(j.link, linkPath)
		}
		j.count++
		i += n
	}
	return i, j
}

// How a character connects words.
const (
	connectHyphen = iota
	connectAlone  // if it stands alone
	connectDigits // if it stands alone between digits
	connectDot
	connectPath
)

// connector returns how the character at byte i of s connects, and its length, 0
// if it doesn't.
func connector(s string, i int) (how, n int) {
	if i >= len(s) {
		return 0, 0
	}
	switch b := s[i]; b {
	case '-':
		return connectHyphen, 1
	case '\'':
		return connectAlone, 1
	case ',':
		return connectDigits, 1
	case '.':
		return connectDot, 1
	case '/', '\\', ':', '@', '&', '#', '+', '=', '?', '%', '~':
		return connectPath, 1
	default:
		if b < utf8.RuneSelf {
			return 0, 0
		}
	}
	return wideConnector(s[i:])
}

// wideConnector is connector for the first character of s, which is not ASCII: a
// hyphen, or what joins words by UAX #29.
func wideConnector(s string) (how, n int) {
	r, n := utf8.DecodeRuneInString(s)
	_, join := ucd.JoinOf(r)
	switch {
	case r == hyphen || r == noBreakHyphen:
		return connectHyphen, n
	case r == narrowSpace || r == greekQuestionMark:
		return 0, 0
	case isApostrophe(r) || join&(ucd.BetweenLetters|ucd.BetweenAll) != 0:
		return connectAlone, n
	case join&ucd.BetweenNumbers != 0:
		return connectDigits, n
	}
	return 0, 0
}

// negation returns the length of 't at byte i of s, in a word such as don't, or 0.
func negation(s string, i int) int {
	n := apostrophe(s, i)
	if n == 0 || s[i-1]|0x20 != 'n' || i+n >= len(s) || s[i+n]|0x20 != 't' || continues(s, i+n+1) {
		return 0
	}
	return n + 1
}

// ending returns the length of 's, 're, 've, 'll, 'd or 'm at byte i of s, or 0.
func ending(s string, i int) int {
	n := apostrophe(s, i)
	if n == 0 || i+n >= len(s) {
		return 0
	}
	second := byte(0)
	switch s[i+n] | 0x20 {
	case 's', 'd', 'm':
	case 'r', 'v':
		second = 'e'
	case 'l':
		second = 'l'
	default:
		return 0
	}
	n++
	if second > 0 {
		if i+n >= len(s) || s[i+n]|0x20 != second {
			return 0
		}
		n++
	}
	if continues(s, i+n) {
		return 0
	}
	return n
}

// apostrophe returns the length of the apostrophe at byte i of s, or 0.
func apostrophe(s string, i int) int {
	switch {
	case i >= len(s):
		return 0
	case s[i] == '\'':
		return 1
	case s[i] < utf8.RuneSelf:
		return 0
	}
	if r, n := utf8.DecodeRuneInString(s[i:]); isApostrophe(r) {
		return n
	}
	return 0
}

// continues reports whether the character at byte i of s goes on with a word.
func continues(s string, i int) bool {
	sign := signAt(s, i)
	return sign&inWord != 0 || sign == attached
}
