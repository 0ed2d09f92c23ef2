package retrieve

import (
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/seed"
	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
	"github.com/rookhaven-project/rookhaven/core/lexical"
	"github.com/rookhaven-project/rookhaven/core/text"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// The size of a snippet, and how much of it may stand before the first matched
// term, in UTF-16 units.
const (
	snippetUnits = 480
	snippetLead  = 120
)

// The bounds of what a hit shows of its document's front matter.
const (
	frontLines = 8
	frontUnits = 240 // UTF-16 units of a line
)

// frontOf returns the lines of front matter, which ends where the first chunk begins,
// that hold something that is asked for: the first chunk is found by it, and does not show
// it. They are counted as those of the document are.
func frontOf(front, kind string, marker *lexical.Marker) []abi.FrontLine {
	front, _ = strings.CutPrefix(front, "\ufeff")
	if kind == abi.TextNone || front == "" {
		return nil
	}
	var list []abi.FrontLine
	line, from := int64(1), 0
	for _, start := range marker.Starts(front) {
		for end := strings.IndexByte(front[from:], '\n'); end >= 0 && from+end < start; end = strings.IndexByte(front[from:], '\n') {
			line++
			from += end + 1
		}
		if n := len(list); n > 0 && list[n-1].Line == line {
			continue
		}
		text, _, _ := strings.Cut(front[from:], "\n")
		text = strings.TrimSuffix(text, "\r")
		if seed.Units(text) > frontUnits {
			text = text[:border(text, frontUnits)]
		}
		if list = append(list, abi.FrontLine{Line: line, Text: text}); len(list) == frontLines {
			break
		}
	}
	return list
}

// An excerpter cuts from documents what a request asks for.
type excerpter struct {
	kind  string
	terms map[string]bool // the content terms of all needs
}

func newExcerpter(s *shared) *excerpter {
	x := &excerpter{s.request.Text, map[string]bool{}}
	for _, n := range s.needs {
		for _, t := range n.Terms {
			x.terms[t.Text] = true
		}
	}
	return x
}

// of returns the excerpt of a text, or nil where none is asked for.
func (x *excerpter) of(s string) *abi.Excerpt {
	if x.kind == abi.TextNone {
		return nil
	}
	units := seed.Units(s)
	if x.kind == abi.TextFull || units <= snippetUnits {
		return &abi.Excerpt{Text: s, To: int64(units), Of: int64(units)}
	}
	return snippet(s, x.firstMatch(s), units)
}

// snippet cuts the snippet around a match out of a text of so many units.
func snippet(s string, match, units int) *abi.Excerpt {
	start := snippetStart(s, match, units)
	end := snippetEnd(s, start)
	from := seed.Units(s[:start])
	return &abi.Excerpt{Text: s[start:end], From: int64(from), To: int64(from + seed.Units(s[start:end])), Of: int64(units)}
}

// firstMatch returns where the first content term of any need stands in a text,
// 0 where none does.
func (x *excerpter) firstMatch(s string) int {
	for tok := range text.Cosine(s) {
		if x.terms[tok.Text] {
			return tok.Start
		}
	}
	return 0
}

// snippetStart returns the grapheme border nearest after the place that leaves
// snippetLead units before the match and fills the snippet where the text ends.
// It never passes the match's own grapheme.
func snippetStart(s string, match, of int) int {
	want := min(seed.Units(s[:match])-snippetLead, of-snippetUnits)
	if want <= 0 {
		return 0
	}
	units := plainRun(s, want)
	for i := units; i < len(s); {
		if units >= want {
			return i
		}
		n := ucd.NextGrapheme(s[i:])
		units += seed.Units(s[i : i+n])
		i += n
	}
	return len(s)
}

// snippetEnd returns the last grapheme border at most snippetUnits after start.
func snippetEnd(s string, start int) int { return start + border(s[start:], snippetUnits) }

// border returns the last grapheme border of a text at most so many units after its
// start; a grapheme longer than that is cut between characters.
func border(s string, most int) int {
	units := plainRun(s, most)
	i := units
	for i < len(s) {
		n := ucd.NextGrapheme(s[i:])
		units += seed.Units(s[i : i+n])
		if units > most {
			break
		}
		i += n
	}
	if i == 0 {
		return characters(s, most)
	}
	return i
}

// plainRun returns how many characters at the front of s, at most so many, are a
// byte, a unit and a grapheme each: of ASCII, without CR, which may belong to a LF, and
// without the last, which a mark may follow.
func plainRun(s string, most int) int {
	n := 0
	for n < len(s) && n <= most && s[n] < utf8.RuneSelf && s[n] != '\r' {
		n++
	}
	return max(n-1, 0)
}

// characters returns the length in bytes of the characters at the front of s
// that have at most so many units.
func characters(s string, units int) int {
	i := 0
	for i < len(s) {
		_, n := utf8.DecodeRuneInString(s[i:])
		if units -= seed.Units(s[i : i+n]); units < 0 {
			break
		}
		i += n
	}
	return i
}
