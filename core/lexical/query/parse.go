package query

import (
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
	"github.com/rookhaven-project/rookhaven/core/text"
)

// A parser collects the clauses of source.
type parser struct {
	source string
	query  Query
	kept   int            // terms
	at     map[string]int // clauses by what they ask for
	key    []byte         // of one clause
	alone  int            // no quote before this byte has a partner

	// Of the clause under way:
	terms []Term
	more  int       // terms that are not in terms
	last  text.Kind // of its last term
}

// group reads what white space surrounds, from byte i on, or a part of it that ends
// with a phrase; it returns where that ends.
func (p *parser) group(i int) int {
	s := p.source
	var c Clause
	if i < len(s) && s[i] == '-' && p.begins(i+1) {
		c.Exclude = true
		i++
	}
	for f, name := range names {
		if strings.HasPrefix(s[i:], name) && p.begins(i+len(name)) {
			c.Field = Title + Field(f)
			i += len(name)
			break
		}
	}
	for i < len(s) && !isSpaceAt(s, i) {
		end := p.phraseEnd(i)
		if end > 0 {
			p.phrase(c, i, end)
		} else {
			end = p.textEnd(i)
			if !c.Exclude && c.Field == Any && p.source[end-1] != '*' {
				end = p.plainEnd(end)
			}
			p.text(c, i, end)
		}
		c, i = Clause{}, end
	}
	return i
}

// begins reports whether what - or a field may stand before begins at byte i.
func (p *parser) begins(i int) bool {
	s := p.source
	if i == len(s) {
		return false
	}
	switch s[i] {
	case '_':
		i = len(s) - len(strings.TrimLeft(s[i:], "_"))
	case '.':
		r, _ := utf8.DecodeRuneInString(s[i+1:])
		return ucd.IsLetter(r)
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return ucd.ClassOf(r)&(ucd.Letter|ucd.Digit) != 0 || isQuote(r) && p.phraseEnd(i) > 0
}

// phraseEnd returns where the phrase that a quote opens at byte i ends, or 0.
func (p *parser) phraseEnd(i int) int {
	s := p.source
	r, n := utf8.DecodeRuneInString(s[i:])
	if i < p.alone || !isQuote(r) {
		return 0
	}
	if before, _ := utf8.DecodeLastRuneInString(s[:i]); isInWord(before) {
		return 0
	}
	for i += n; i < len(s); i += n {
		r, n = utf8.DecodeRuneInString(s[i:])
		if isNewline(r) {
			break
		}
		if !isQuote(r) {
			continue
		}
		if after, _ := utf8.DecodeRuneInString(s[i+n:]); !isInWord(after) {
			return i + n
		}
	}
	p.alone = i
	return 0
}

// textEnd returns where the text from byte i on ends: where white space or a phrase
// begins. None begins at i.
func (p *parser) textEnd(i int) int {
	s := p.source
	for first := true; i < len(s); first = false {
		r, n := utf8.DecodeRuneInString(s[i:])
		if ucd.IsSpace(r) || !first && isQuote(r) && p.phraseEnd(i) > 0 {
			break
		}
		i += n
	}
	return i
}

// plainEnd returns where the words after byte i end in which nothing has a meaning of
// its own; i is where text ends. They are text with what is before them, which
// saves making ready for each (BenchmarkParse/paragraph: 3 times).
func (p *parser) plainEnd(i int) int {
	s := p.source
	for end := i; end < len(s); i = end {
		start := skipSpace(s, end)
		if start == end || start < len(s) && s[start] == '-' {
			break
		}
		for _, name := range names {
			if strings.HasPrefix(s[start:], name) {
				return i
			}
		}
		for end = start; end < len(s); {
			r, n := utf8.DecodeRuneInString(s[end:])
			if r == '*' || isQuote(r) {
				return i
			}
			if ucd.IsSpace(r) {
				break
			}
			end += n
		}
	}
	return i
}

// phrase adds the phrase from start to end, which are its quotes.
func (p *parser) phrase(c Clause, start, end int) {
	_, open := utf8.DecodeRuneInString(p.source[start:])
	_, shut := utf8.DecodeLastRuneInString(p.source[:end])
	from := start + open
	for tok, at := range text.Standard(p.source[from : end-shut]) {
		if !at.Kind.IsWhole() {
			p.take(tok, at, from)
		}
	}
	c.Kind, c.Quoted, c.Start, c.End = Phrase, true, start, end
	if len(p.terms) == 1 && p.more == 0 && p.terms[0].Kind == text.Tail {
		c.Kind = Prefix
	}
	p.add(c)
}

// text adds the clauses of the text from start to end.
func (p *parser) text(c Clause, start, end int) {
	s := p.source[start:end]
	starred := s[len(s)-1] == '*' && (end == len(p.source) || isSpaceAt(p.source, end))
	if starred {
		s = s[:len(s)-1]
	}
	for tok, at := range text.Standard(s) {
		if !p.goesOn(start + tok.Start) {
			p.addText(c)
		}
		p.take(tok, at, start)
	}
	if starred && p.makePrefix(start, end) {
		c.Kind, c.Start, c.End = Prefix, p.terms[0].Start, end
		p.add(c)
	}
	p.addText(c)
}

// makePrefix reports whether the star before byte end makes a prefix of the clause
// under way, the last of the text from start on, and leaves its term alone in it.
func (p *parser) makePrefix(start, end int) bool {
	end-- // of what is before the star
	if len(p.terms) > 0 && p.more == 0 && p.terms[0].End == end {
		switch p.terms[0].Kind {
		case text.Word, text.Compound, text.Identifier:
			if atLeastTwo(p.terms[0].Text) {
				p.terms = p.terms[:1]
				return true
			}
		}
		return false
	}
	if r, _ := utf8.DecodeLastRuneInString(p.source[start:end]); isInWord(r) {
		return false
	}
	// A whole may go on behind what joins words: docs/* is docs/x without the x.
	for tok, at := range text.Standard(p.source[start:end] + "x") {
		if at.Kind.IsWhole() && start+tok.End == end+1 {
			prefix := tok.Text[:len(tok.Text)-1]
			if !atLeastTwo(prefix) {
				return false
			}
			p.terms = append(p.terms[:0], Term{prefix, at.Position, at.Kind, start + tok.Start, end})
			return true
		}
	}
	return false
}

// atLeastTwo reports whether a term has two characters.
func atLeastTwo(term string) bool {
	n := 0
	for _, r := range term {
		if !ucd.IsMark(r) {
			n++
		}
	}
	return n >= 2
}

// take takes a token into the clause under way, with an offset of its source. The
// last character of several is none.
func (p *parser) take(tok text.Token, at text.Place, offset int) {
	switch {
	case at.Kind == text.Tail && p.last == text.Bigram && len(p.terms) > 0:
	case len(p.terms) == MaxTerms:
		p.more++
	default:
		p.terms = append(p.terms, Term{tok.Text, at.Position, at.Kind, offset + tok.Start, offset + tok.End})
	}
	p.last = at.Kind
}

// goesOn reports whether a token that begins at byte start belongs to the clause
// under way.
func (p *parser) goesOn(start int) bool {
	if len(p.terms) == 0 {
		return true
	}
	first := &p.terms[0]
	return first.Kind.IsWhole() && start < first.End || p.last == text.Bigram
}

// addText adds the clause under way, which is text.
func (p *parser) addText(c Clause) {
	if len(p.terms) == 0 {
		return
	}
	first, last := &p.terms[0], &p.terms[len(p.terms)-1]
	c.Start, c.End = first.Start, max(first.End, last.End)
	c.Kind = kinds[first.Kind]
	p.add(c)
}

// kinds are those of clauses by the first of their terms.
var kinds = [...]Kind{
	text.Word: Word, text.Part: Word, text.Compound: Compound, text.Identifier: Identifier,
	text.Bigram: Sequence, text.Tail: Prefix,
}

// add adds the clause under way.
func (p *parser) add(c Clause) {
	terms, more := p.terms, p.more
	p.terms, p.more = p.terms[:0], 0
	if len(terms) == 0 {
		return
	}
	first := terms[0].Position
	for i := range terms {
		terms[i].Position -= first
	}
	p.setKey(&c, terms)
	if i, ok := p.at[string(p.key)]; ok {
		p.query.Clauses[i].Count++
		return
	}
	room := min(len(terms), MaxTerms-p.kept)
	p.query.Omitted += len(terms) - room + more
	if room == 0 {
		return
	}
	c.Count, c.Terms = 1, terms[:room:room]
	p.terms = terms[len(terms):] // the next clause has its terms behind these
	p.kept += room
	p.at[string(p.key)] = len(p.query.Clauses)
	p.query.Clauses = append(p.query.Clauses, c)
}

// setKey sets p.key to what a clause asks for. No term has a byte 0.
func (p *parser) setKey(c *Clause, terms []Term) {
	key := append(p.key[:0], byte(c.Kind), byte(c.Field), 0, 0)
	if c.Exclude {
		key[2] = 1
	}
	if c.Quoted {
		key[3] = 1
	}
	for i := range terms {
		t := &terms[i]
		key = append(key, t.Text...)
		key = append(key, 0, byte(t.Kind), byte(t.Position), byte(t.Position>>8), byte(t.Position>>16), byte(t.Position>>24))
	}
	p.key = key
}

func isQuote(r rune) bool { return r == '"' || r == '“' || r == '”' }

func isInWord(r rune) bool { return ucd.ClassOf(r)&(ucd.Letter|ucd.Mark|ucd.Digit) != 0 }

func isNewline(r rune) bool {
	return r >= '\n' && r <= '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

func isSpaceAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return ucd.IsSpace(r)
}

func skipSpace(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !ucd.IsSpace(r) {
			break
		}
		i += n
	}
	return i
}
