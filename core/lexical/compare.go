package lexical

import (
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/text"
)

// compare keeps of the chunks those whose text has the phrase. A document is read
// once.
func (f *finder) compare(u *Unit, candidates []uint32) (*postings, error) {
	list := &postings{}
	for len(candidates) > 0 {
		doc := f.part.DocumentOf(candidates[0])
		n := 1
		for n < len(candidates) && f.part.DocumentOf(candidates[n]) == doc {
			n++
		}
		in := f.compareCut
		if r := f.part.Record(doc); f.index.IsPlain(&r) {
			in = f.comparePlain
		}
		if err := in(list, doc, u, candidates[:n]); err != nil {
			return nil, err
		}
		candidates = candidates[n:]
	}
	return list, nil
}

// comparePlain is compare for the chunks of a document whose bodies are all that is
// indexed beside its title.
func (f *finder) comparePlain(list *postings, doc uint32, u *Unit, candidates []uint32) error {
	r := f.part.Record(doc)
	count := func(field segment.Field, s string) (uint32, error) {
		if !u.Field.holds(field) {
			return 0, nil
		}
		n, steps := countIn(s, u)
		return n, f.meter.Add(steps)
	}
	title, err := count(segment.Title, r.Shown)
	if err != nil {
		return err
	}
	for _, chunk := range candidates {
		c := f.part.Chunk(chunk)
		body, err := count(segment.Body, r.Text[c.Body:c.End])
		if err != nil {
			return err
		}
		if n := f.weigh(body, title, 0); n > 0 {
			list.add(chunk, n)
		}
	}
	return nil
}

// compareCut is compare for the chunks of any document, which it cuts again.
func (f *finder) compareCut(list *postings, doc uint32, u *Unit, candidates []uint32) error {
	reading, err := f.index.Read(f.part, doc, f.meter)
	if err != nil {
		return err
	}
	for _, chunk := range candidates {
		var fields [3][]string // by place
		steps := 0
		reading.Tokens(chunk, func(field segment.Field, term string, place uint32, aside bool) {
			steps++
			if aside || place > 1<<24 || !u.Field.holds(field) {
				return
			}
			for uint32(len(fields[field])) <= place {
				fields[field] = append(fields[field], "")
			}
			fields[field][place] = term
		})
		var counts [3]uint32
		for i := range fields {
			n, compared := occurrences(fields[i], u)
			counts[i] = n
			steps += compared / 16
		}
		if n := f.weigh(counts[segment.Body], counts[segment.Title], counts[segment.Heading]); n > 0 {
			list.add(chunk, n)
		}
		if err := f.meter.Add(64 * steps); err != nil {
			return err
		}
	}
	return nil
}

// occurrences returns how often a phrase stands among terms by place, and how many
// terms it compared.
func occurrences(terms []string, u *Unit) (n uint32, compared int) {
	for i := range terms {
		for j, term := range u.Terms {
			compared++
			if at := i + int(u.Offsets[j]); at >= len(terms) || terms[at] != term {
				break
			}
			if j+1 == len(u.Terms) {
				n++
			}
		}
	}
	return n, compared
}

// countIn returns how often a phrase stands in a text, and its steps. Of a text of
// ASCII it cuts into tokens only what is near to the phrase, which takes a small part
// of the time; see TestCountIn.
func countIn(s string, u *Unit) (n uint32, steps int) {
	spans, ok := near(s, u)
	if !ok {
		return countTokens(s, u)
	}
	for _, p := range spans {
		more, cost := countTokens(s[p.from:p.to], u)
		n, steps = n+more, steps+cost
	}
	return n, steps + len(s)
}

// countTokens is countIn by all tokens of a text.
func countTokens(s string, u *Unit) (n uint32, steps int) {
	var terms []string // by place
	for t, at := range text.Standard(s) {
		if !at.Kind.IsWhole() {
			terms = append(terms, t.Text)
		}
	}
	n, compared := occurrences(terms, u)
	return n, 8*len(s) + compared
}

// A span is a part of a text, between white space.
type span struct{ from, to int }

// near returns apart from one another the spans of a text whose bytes have the words
// of a phrase, with nothing but signs between them. Whatever tokens make the phrase
// are in one of them, since white space ends every token. It is not ok where bytes do
// not tell: beyond ASCII, where an apostrophe follows a word (what is behind it may be
// dropped), and for words that have other characters than letters and digits.
func near(s string, u *Unit) (spans []span, ok bool) {
	if !isASCII(s) {
		return nil, false
	}
	for j, term := range u.Terms {
		if u.Offsets[j] != uint32(j) || !isPlain(term) {
			return nil, false
		}
	}
	first := u.Terms[0][0]
	for i := range len(s) {
		if s[i]|0x20 != first { // that of a digit is itself
			continue
		}
		to, ok := follow(s, i, u.Terms)
		switch {
		case !ok:
			return nil, false
		case to == none:
			continue
		}
		p := span{i, to}
		for p.from > 0 && !isSpace(s[p.from-1]) {
			p.from--
		}
		for p.to < len(s) && !isSpace(s[p.to]) {
			p.to++
		}
		if n := len(spans); n > 0 && p.from < spans[n-1].to {
			spans[n-1].to = max(spans[n-1].to, p.to)
		} else {
			spans = append(spans, p)
		}
	}
	return spans, true
}

// follow returns where terms end that follow one another from byte i of a text on, or
// none; it is not ok where an apostrophe follows one.
func follow(s string, i int, terms []string) (end int, ok bool) {
	for j, term := range terms {
		if j > 0 && i < len(s) && s[i] == '\'' {
			return none, false
		}
		for j > 0 && i < len(s) && !isWordByte(s[i]) {
			i++
		}
		if len(s)-i < len(term) || !foldsTo(s[i:i+len(term)], term) {
			return none, true
		}
		i += len(term)
	}
	return i, true
}

// isPlain reports whether a term has only small letters of ASCII and digits.
func isPlain(term string) bool {
	for i := range len(term) {
		if c := term[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func isWordByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}

// foldsTo reports whether a text of ASCII is a term in other cases.
func foldsTo(s, term string) bool {
	for i := range len(term) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != term[i] {
			return false
		}
	}
	return true
}
