package decompose

import (
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

// A word is a run without white space outside its quoted spans.
type word struct {
	span
	quotes []span // ascending, inside the word
}

// quoteAt returns the quoted span that holds i, or none.
func (w word) quoteAt(i int) span {
	lo, hi := 0, len(w.quotes)
	for lo < hi {
		if mid := (lo + hi) / 2; w.quotes[mid].end <= i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(w.quotes) && w.quotes[lo].start <= i {
		return w.quotes[lo]
	}
	return span{}
}

// words returns the words of a line, which is query[start:end].
func words(query string, start, end int) []word {
	quotes := quoted(query[:end], start)
	var list []word
	for i := start; i < end; {
		r, n := utf8.DecodeRuneInString(query[i:end])
		if ucd.IsSpace(r) {
			i += n
			continue
		}
		w := word{span: span{i, i}}
		w.end, w.quotes = wordEnd(query[:end], i, &quotes)
		list = append(list, w)
		i = w.end
	}
	return list
}

// wordEnd returns where the word at i ends and the quotes inside it, which it
// takes from the front of quotes.
func wordEnd(line string, i int, quotes *[]span) (int, []span) {
	all, taken := *quotes, 0
	for i < len(line) {
		if taken < len(all) && all[taken].start == i {
			i = all[taken].end
			taken++
			continue
		}
		r, n := utf8.DecodeRuneInString(line[i:])
		if ucd.IsSpace(r) {
			break
		}
		i += n
	}
	*quotes = all[taken:]
	return i, all[:taken]
}

// quotation marks that hold text together, opening and closing.
var marks = [...]struct{ open, close rune }{{'"', '"'}, {'`', '`'}, {'“', '”'}, {'«', '»'}}

// quoted returns the quoted spans of a line that begins at start, in order. An
// opening mark stands after no letter or digit, its closing mark before none.
func quoted(line string, start int) []span {
	last := lastClosing(line, start)
	var list []span
	for i := start; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		m := opening(r)
		if m >= 0 && last[m] > i && !wordBefore(line, i) {
			end := closing(line, i+n, marks[m].close)
			if end > 0 {
				list = append(list, span{i, end})
				i = end
				continue
			}
		}
		i += n
	}
	return list
}

func opening(r rune) int {
	for m, mark := range marks {
		if mark.open == r {
			return m
		}
	}
	return -1
}

// lastClosing returns for each kind of mark where the last one that may close
// stands, so that an opening mark without a partner costs no search.
func lastClosing(line string, start int) [len(marks)]int {
	last := [len(marks)]int{}
	for i := start; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		for m, mark := range marks {
			if mark.close == r && !wordAfter(line, i+n) {
				last[m] = i
			}
		}
		i += n
	}
	return last
}

// closing returns the end of the first mark that may close at or after i, 0 if
// there is none.
func closing(line string, i int, mark rune) int {
	for i < len(line) {
		r, n := utf8.DecodeRuneInString(line[i:])
		i += n
		if r == mark && !wordAfter(line, i) {
			return i
		}
	}
	return 0
}

func wordBefore(s string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return i > 0 && (ucd.IsLetter(r) || ucd.IsDigit(r))
}

func wordAfter(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return i < len(s) && (ucd.IsLetter(r) || ucd.IsDigit(r))
}
