// Package decompose splits a query into needs, the parts that are searched for
// one by one. It works on the text alone: no model, no corpus, and it never
// fails; a query without a connector is one need.
//
// # Connectors
//
// A need ends at
//
//   - the words and, then, or, plus, also, and as well as, in any ASCII case,
//     standing alone between white space (stops of the next kinds may follow);
//   - an & that stands alone;
//   - a comma, semicolon, full stop or question mark that white space, a
//     closing bracket or quotation mark, or the end follows;
//   - a comma or semicolon inside a word, unless it stands between two digits or
//     the word is an identifier;
//   - their forms in Chinese, Japanese and Arabic script (，、；。？،؛؟), anywhere;
//   - the end of a line (LF, CR, VT, FF, U+0085, U+2028, U+2029);
//   - a bullet (•‣◦⁃▪●) anywhere, and "- ", "* ", "+ ", "1. ", "1) " where a line begins.
//
// # What stays whole
//
//   - Quoted text: between two " or two ` or “ and ” or « and » in one line, where
//     the first does not follow a letter or digit and the last is not followed by one.
//   - Numbers: 1,000 and 3.5.
//   - Identifiers: a word that holds one of _/\:=()[]{}<>@#$%^*+~| somewhere. A full stop
//     or question mark inside any word never splits it: v1.2, foo.bar, a?b.
//   - Abbreviations of single letters: the full stop of "e.g." and "J." ends no need.
//
// # What becomes of the parts
//
// A need is a part of the query as it was written, without the white space and
// connectors around it. Its weight is the number of its distinct content
// terms: tokens of [text.Cosine] that are no stop words. Parts of weight 0 are
// dropped; if none is left, the whole query is the one need. Beyond [MaxNeeds]
// parts, the last need holds the rest of the query.
package decompose

import (
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
	"github.com/rookhaven-project/rookhaven/core/text"
)

// MaxNeeds is the largest number of needs of a query.
const MaxNeeds = 1000

// A Need is a part of a query. Terms are its distinct content terms with their
// counts, in the order of their first occurrence.
type Need struct {
	Text  string
	Terms []Term
}

// Weight is the number of distinct content terms.
func (n Need) Weight() int64 { return int64(len(n.Terms)) }

// A Term is a content term and how often it occurs.
type Term struct {
	Text  string
	Count int64
}

// Query splits a query into its needs; there is always at least one.
func Query(query string) []Need {
	var needs []Need
	var last span
	for _, p := range parts(query) {
		if len(needs) == MaxNeeds {
			needs[MaxNeeds-1] = Of(query[last.start:trim(query, span{last.start, len(query)}).end])
			return needs
		}
		if n := Of(query[p.start:p.end]); n.Weight() > 0 {
			needs, last = append(needs, n), p
		}
	}
	if len(needs) == 0 {
		return []Need{Of(query)}
	}
	return needs
}

// Of returns a text as a need, unsplit.
func Of(s string) Need {
	need := Need{Text: s}
	at := map[string]int{}
	for tok := range text.Cosine(s) {
		if text.IsStop(tok.Text) {
			continue
		}
		i, ok := at[tok.Text]
		if !ok {
			i = len(need.Terms)
			at[tok.Text] = i
			need.Terms = append(need.Terms, Term{Text: tok.Text})
		}
		need.Terms[i].Count++
	}
	return need
}

// A span is a range of bytes.
type span struct{ start, end int }

// parts returns the parts of a query between its connectors, trimmed, without
// empty ones.
func parts(query string) []span {
	s := splitter{query: query}
	for start := 0; start < len(query); {
		end := start + lineEnd(query[start:])
		s.line(start, end)
		_, n := utf8.DecodeRuneInString(query[end:])
		start = end + n
	}
	return s.parts
}

func lineEnd(s string) int {
	for i, r := range s {
		if isNewline(r) {
			return i
		}
	}
	return len(s)
}

// A splitter collects the parts of a query, line by line.
type splitter struct {
	query string
	from  int // where the part under way begins
	parts []span
}

// cut ends the part under way at end; the next begins at next.
func (s *splitter) cut(end, next int) {
	p := trim(s.query, span{s.from, end})
	if p.start < p.end {
		s.parts = append(s.parts, p)
	}
	s.from = next
}

func (s *splitter) line(start, end int) {
	s.from = start + bullet(s.query[start:end])
	words := words(s.query, s.from, end)
	for i := 0; i < len(words); i++ {
		w := words[i]
		if n := s.connector(words[i:]); n > 0 {
			s.cut(w.start, words[i+n-1].end)
			i += n - 1
			continue
		}
		s.word(w)
	}
	s.cut(end, end)
}

// connector returns how many words at the front of words are a connector.
func (s *splitter) connector(words []word) int {
	switch s.bare(words[0]) {
	case "and", "then", "or", "plus", "also", "&":
		return 1
	case "as":
		if len(words) >= 3 && s.exact(words[0], "as") && s.exact(words[1], "well") && s.bare(words[2]) == "as" {
			return 3
		}
	}
	return 0
}

// bare returns a short word in lower case, without connecting punctuation
// after it.
func (s *splitter) bare(w word) string {
	t := s.query[w.start:w.end]
	for len(t) > 0 {
		r, n := utf8.DecodeLastRuneInString(t)
		if !isStop(r) && !isWideStop(r) {
			break
		}
		t = t[:len(t)-n]
	}
	if len(t) > len("then") {
		return ""
	}
	return asciiLower(t)
}

func (s *splitter) exact(w word, want string) bool {
	return w.end-w.start == len(want) && asciiLower(s.query[w.start:w.end]) == want
}

// word cuts inside and behind a word.
func (s *splitter) word(w word) {
	identifier := s.isIdentifier(w)
	for i := w.start; i < w.end; {
		if q := w.quoteAt(i); q.end > i {
			i = q.end
			continue
		}
		r, n := utf8.DecodeRuneInString(s.query[i:w.end])
		if isWideStop(r) || isBullet(r) || isStop(r) && s.ends(w, i, r, identifier) {
			s.cut(i, i+n)
		}
		i += n
	}
}

// ends reports whether the stop r at i ends a need.
func (s *splitter) ends(w word, i int, r rune, identifier bool) bool {
	if s.closes(i+1, w.end) {
		return r != '.' || !s.isInitial(w, i)
	}
	if r != ',' && r != ';' || identifier {
		return false
	}
	return !isASCIIDigit(s.query, i-1) || !isASCIIDigit(s.query, i+1)
}

// closes reports whether only stops, closing brackets and quotation marks stand
// between i and end.
func (s *splitter) closes(i, end int) bool {
	for _, r := range s.query[i:end] {
		if !isStop(r) && !isWideStop(r) && !strings.ContainsRune(`)]}"'”’»`+"`", r) {
			return false
		}
	}
	return true
}

// isInitial reports whether the word up to i consists of single letters with
// full stops between them, as "e.g" and "J" do.
func (s *splitter) isInitial(w word, i int) bool {
	letter := false
	for _, r := range s.query[w.start:i] {
		if letter && r != '.' || !letter && !ucd.IsLetter(r) {
			return false
		}
		letter = !letter
	}
	return letter
}

func (s *splitter) isIdentifier(w word) bool {
	for i := w.start; i < w.end; i++ {
		if q := w.quoteAt(i); q.end > i {
			i = q.end - 1
			continue
		}
		if strings.IndexByte(`_/\:=()[]{}<>@#$%^*+~|`, s.query[i]) >= 0 {
			return true
		}
	}
	return false
}

// trim drops white space and connecting punctuation around a part.
func trim(query string, p span) span {
	for p.start < p.end {
		r, n := utf8.DecodeRuneInString(query[p.start:p.end])
		if !ucd.IsSpace(r) && !isStop(r) && !isWideStop(r) {
			break
		}
		p.start += n
	}
	for p.start < p.end {
		r, n := utf8.DecodeLastRuneInString(query[p.start:p.end])
		if !ucd.IsSpace(r) && r != ',' && r != ';' && !isWideStop(r) {
			break
		}
		p.end -= n
	}
	return p
}

// bullet returns the length of white space and of a list marker where a line
// begins.
func bullet(line string) int {
	i := len(line) - len(strings.TrimLeft(line, " \t"))
	n := 0
	switch {
	case len(line) > i && strings.IndexByte("-*+", line[i]) >= 0:
		n = 1
	default:
		for n < 3 && isASCIIDigit(line, i+n) {
			n++
		}
		if n == 0 || len(line) <= i+n || line[i+n] != '.' && line[i+n] != ')' {
			return i
		}
		n++
	}
	if len(line) > i+n && line[i+n] != ' ' && line[i+n] != '\t' {
		return i
	}
	return i + n
}

func isStop(r rune) bool { return r == ',' || r == ';' || r == '.' || r == '?' }

func isWideStop(r rune) bool {
	switch r {
	case '，', '、', '；', '。', '？', '،', '؛', '؟':
		return true
	}
	return false
}

func isBullet(r rune) bool {
	switch r {
	case '•', '‣', '◦', '⁃', '▪', '●':
		return true
	}
	return false
}

func isNewline(r rune) bool {
	return r >= '\n' && r <= '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

func isASCIIDigit(s string, i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
