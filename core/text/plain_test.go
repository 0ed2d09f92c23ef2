package text

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

// A plainToken is a token of the profile standard without its source.
type plainToken struct {
	text     string
	position int32
	kind     Kind
}

// A letter is a character of the NFC of a text and what is attached to it.
type letter struct {
	r        rune
	sign     byte
	attached string // without what is ignored
	more     bool   // something is attached, ignored or not
}

func lettersOf(s string) []letter {
	var all []letter
	for _, r := range string(ucd.AppendNFC(nil, s)) {
		sign := signAt(string(r), 0)
		switch last := len(all) - 1; {
		case sign != attached:
			all = append(all, letter{r: r, sign: sign})
		case last < 0:
			all = append(all, letter{r: '!', sign: blank, more: true})
		default:
			all[last].more = true
			if !isIgnored(r) {
				all[last].attached += string(r)
			}
		}
	}
	return all
}

func plainForm(letters []letter) string {
	var b []byte
	for _, l := range letters {
		r := l.r
		if isApostrophe(r) {
			r = '\''
		}
		b = utf8.AppendRune(b, r)
		b = append(b, l.attached...)
	}
	return string(ucd.AppendNFC(nil, ucd.AppendFold(nil, ucd.AppendNFC(nil, b))))
}

// A plainer makes the tokens of the profile standard as the package comment
// says, sentence by sentence, without a thought of speed.
type plainer struct {
	letters  []letter
	i        int
	position int32
	tokens   []plainToken
}

func plainStandard(s string) []plainToken {
	p := plainer{letters: lettersOf(s)}
	for p.i < len(p.letters) {
		switch {
		case p.sign(0) == unspaced:
			p.sequence()
		case p.isWord(0), p.beginsLow(), p.beginsStop():
			p.joined()
		default:
			p.i++
		}
	}
	return p.tokens
}

// at is the character n after the one under way, a blank at the end.
func (p *plainer) at(n int) letter {
	if p.i+n < len(p.letters) {
		return p.letters[p.i+n]
	}
	return letter{r: ' ', sign: blank}
}

func (p *plainer) sign(n int) byte { return p.at(n).sign }

func (p *plainer) isWord(n int) bool {
	return strings.IndexByte("aC1A", p.sign(n)) >= 0
}

func (p *plainer) beginsLow() bool {
	n := 0
	for p.at(n).r == '_' && !p.at(n).more {
		n++
	}
	return n > 0 && p.isWord(n)
}

func (p *plainer) beginsStop() bool {
	if p.at(0).r != '.' || p.at(0).more || !p.isWord(1) || p.sign(1) == number {
		return false
	}
	return p.i == 0 || p.letters[p.i-1].more || !strings.ContainsRune(".)]}", p.letters[p.i-1].r)
}

func (p *plainer) add(text string, kind Kind) {
	p.tokens = append(p.tokens, plainToken{text, p.position, kind})
	if kind != Compound && kind != Identifier {
		p.position++
	}
}

func (p *plainer) sequence() {
	from := p.i
	for p.sign(0) == unspaced {
		p.i++
	}
	var units [][]letter
	for _, l := range p.letters[from:p.i] {
		units = append(units, divideLetter(l)...)
	}
	for k, u := range units {
		if k+1 < len(units) {
			p.add(plainForm(slices.Concat(u, units[k+1])), Bigram)
		} else {
			p.add(plainForm(u), Tail)
		}
	}
}

// divideLetter gives marks for which there is no room units of their own.
func divideLetter(l letter) [][]letter {
	units := [][]letter{{{r: l.r}}}
	size := utf8.RuneLen(l.r)
	for _, r := range l.attached {
		n := utf8.RuneLen(r)
		if size+n > maxCharacter {
			units, size = append(units, []letter{{r: r}}), n
			continue
		}
		last := &units[len(units)-1][0]
		last.attached, size = last.attached+string(r), size+n
	}
	return units
}

// A plainAtom has what the joint before it is, the atom, and what stands around it.
type plainAtom struct {
	link          link
	joint         string // from the atom before, spelled in one way, without what is around atoms
	before, after string // underscores, ++ and #
	letters       []letter
	dropped       bool // an ending after it
}

func (a plainAtom) form() string { return plainForm(a.letters) }

func (a plainAtom) isLetterName() bool {
	return a.before == "" && len(a.letters) == 1 && (a.after == "++" || a.after == "#")
}

// joined reads atoms that are joined to one another and adds their tokens.
func (p *plainer) joined() {
	dot := ""
	if p.at(0).r == '.' {
		dot, p.i = ".", p.i+1
	}
	atoms := []plainAtom{p.atom(linkNone)}
	for {
		next, ok := p.joint(&atoms[len(atoms)-1])
		if !ok {
			break
		}
		a := p.atom(next.link)
		a.joint, a.before = next.joint, next.before+a.before
		atoms = append(atoms, a)
	}
	alone := len(atoms) == 1 && dot == "" && atoms[0].before == "" && (atoms[0].after == "" || atoms[0].isLetterName())
	p.paths(dot, atoms, alone)
}

func (p *plainer) low() string {
	from := p.i
	for p.at(0).r == '_' && !p.at(0).more {
		p.i++
	}
	return strings.Repeat("_", p.i-from)
}

// atom reads an atom; an ending after it is passed over.
func (p *plainer) atom(l link) plainAtom {
	a := plainAtom{link: l, before: p.low()}
	from := p.i
	for p.isWord(0) {
		p.i++
	}
	if p.contraction("t") > 0 && p.i > from && strings.ContainsRune("nN", p.letters[p.i-1].r) && !p.letters[p.i-1].more {
		p.i += 2
	}
	a.letters = p.letters[from:p.i]
	for _, ending := range []string{"s", "re", "ve", "ll", "d", "m"} {
		if n := p.contraction(ending); n > 0 {
			p.i += n
			a.dropped = true
			break
		}
	}
	return a
}

// contraction returns how many characters an apostrophe and the ending are here.
func (p *plainer) contraction(ending string) int {
	if !isApostrophe(p.at(0).r) && p.at(0).r != '\'' || p.at(0).more {
		return 0
	}
	for k, r := range ending {
		if l := p.at(1 + k); l.more || l.r != r && l.r != r-'a'+'A' {
			return 0
		}
	}
	if p.isWord(1 + len(ending)) {
		return 0
	}
	return 1 + len(ending)
}

// joint reads what joins a to an atom after it.
func (p *plainer) joint(a *plainAtom) (plainAtom, bool) {
	a.after = p.low()
	low := a.after != ""
	suffix := false
	isName := a.link >= linkDot && !strings.ContainsFunc(signsOf(a.letters), func(r rune) bool { return r == number }) && !a.dropped
	switch {
	case low || !isName:
	case p.at(0).r == '+' && !p.at(0).more && p.at(1).r == '+' && !p.at(1).more:
		a.after, suffix = "++", true
		p.i += 2
	case p.at(0).r == '#' && !p.at(0).more && !p.isWord(1):
		a.after = "#"
		p.i++
	}
	end := p.i
	next := plainAtom{link: linkHyphen}
	count, alone, digits := 0, false, false
	for count < 3 && !p.at(0).more {
		r := p.at(0).r
		_, join := ucd.JoinOf(r)
		switch {
		case r == '-' || r == hyphen || r == noBreakHyphen:
			r = '-'
		case r == '\'' || isApostrophe(r):
			r, alone = '\'', true
		case strings.ContainsRune("/\\:@&#+=?%~", r):
			next.link = linkPath
			if r == '\\' {
				r = '/'
			}
		case r == '.':
			next.link = max(next.link, linkDot)
		case r == ',' || r >= 0x80 && join&ucd.BetweenNumbers != 0 && join&ucd.BetweenLetters == 0:
			alone, digits = true, true
			next.link = max(next.link, linkDot)
		case r >= 0x80 && r != narrowSpace && join&(ucd.BetweenLetters|ucd.BetweenAll) != 0:
			alone = true
		default:
			r = 0
		}
		if r == 0 {
			break
		}
		next.joint += string(r)
		count++
		p.i++
	}
	if count > 0 {
		next.before = p.low()
	}
	low = low || next.before != ""
	digit := len(a.letters) > 0 && a.letters[len(a.letters)-1].sign == number
	ok := p.isWord(0) && (count > 0 || low || suffix)
	if alone && (count > 1 || low || a.after != "") || digits && (!digit || p.sign(0) != number) {
		ok = false
	}
	if !ok {
		p.i = end
		return next, false
	}
	switch {
	case a.after == "++" || a.after == "#":
		next.link = linkPath
	case low || count > 1:
		next.link = max(next.link, linkName)
	}
	return next, true
}

func signsOf(letters []letter) string {
	var b []byte
	for _, l := range letters {
		b = append(b, l.sign)
	}
	return string(b)
}

// paths adds the tokens of a chain.
func (p *plainer) paths(dot string, atoms []plainAtom, alone bool) {
	paths := split(atoms, linkPath)
	if len(paths) > 1 {
		p.addWhole(dot+textOf(atoms), Identifier)
	}
	for _, path := range paths {
		names := split(path, linkDot)
		if len(names) > 1 || dot != "" {
			p.addWhole(dot+textOf(path), Identifier)
		}
		dot = ""
		for _, name := range names {
			p.name(name, alone)
		}
	}
}

func (p *plainer) name(atoms []plainAtom, alone bool) {
	compound := true
	for k, a := range atoms {
		compound = compound && (k == 0 || a.link == linkHyphen) && a.before+a.after == "" &&
			len(partsOf(a.letters)) == 1 && !strings.Contains(signsOf(a.letters), "1")
	}
	switch {
	case compound && len(atoms) > 1:
		p.addWhole(textOf(atoms), Compound)
	case len(atoms) > 1 || atoms[0].before+atoms[0].after != "" && !atoms[0].isLetterName():
		p.addWhole(textOf(atoms), Identifier)
	}
	for _, a := range atoms {
		p.parts(a, alone)
	}
}

func (p *plainer) parts(a plainAtom, alone bool) {
	if a.isLetterName() && len(a.form()+a.after) <= MaxToken {
		p.add(a.form()+a.after, map[bool]Kind{true: Word, false: Part}[alone])
		return
	}
	parts := partsOf(a.letters)
	if len(parts) > 1 {
		p.addWhole(a.form(), Identifier)
	}
	var pieces []string
	for _, part := range parts {
		pieces = append(pieces, piecesOf(part)...)
	}
	for _, piece := range pieces {
		if alone && len(pieces) == 1 {
			p.add(piece, Word)
		} else {
			p.add(piece, Part)
		}
	}
}

func (p *plainer) addWhole(text string, kind Kind) {
	if len(text) <= MaxToken {
		p.add(text, kind)
	}
}

func split(atoms []plainAtom, at link) [][]plainAtom {
	groups := [][]plainAtom{atoms[:1]}
	for k := 1; k < len(atoms); k++ {
		if atoms[k].link == at {
			groups = append(groups, nil)
		}
		last := &groups[len(groups)-1]
		*last = append(slices.Clip(*last), atoms[k])
	}
	return groups
}

func textOf(atoms []plainAtom) string {
	text := ""
	for k, a := range atoms {
		if k > 0 {
			text += a.joint
		}
		text += a.before + a.form() + a.after
	}
	return text
}

// partsOf cuts at changes of case and between letters and digits.
func partsOf(letters []letter) [][]letter {
	signs := signsOf(letters)
	var parts [][]letter
	from := 0
	for i := 1; i < len(letters); i++ {
		is := func(k int, sign byte) bool { return k >= 0 && k < len(signs) && signs[k] == sign }
		isWord := func(k int) bool { return is(k, small) || is(k, big) || is(k, caseless) || is(k, number) }
		plural := letters[i].r == 's' && letters[i].attached == "" && (i+1 == len(letters) || !is(i+1, small))
		if !isWord(i-1) || !isWord(i) {
			continue
		}
		at := from
		switch {
		case is(i-1, number) != is(i, number), is(i-1, small) && is(i, big):
			at = i
		case is(i-2, big) && is(i-1, big) && is(i, small) && !plural:
			at = i - 1
		}
		if at > from {
			parts = append(parts, letters[from:at])
			from = at
		}
	}
	parts = append(parts, letters[from:])
	if n := len(letters); n < 2*len(parts) || n >= 32 && n < 3*len(parts) {
		return [][]letter{letters}
	}
	return parts
}

func piecesOf(part []letter) []string {
	if form := plainForm(part); len(form) <= MaxToken {
		return []string{form}
	}
	var pieces []string
	piece := ""
	for _, l := range part {
		for _, r := range string(l.r) + l.attached {
			if isApostrophe(r) {
				r = '\''
			}
			if len(piece)+utf8.RuneLen(r) > sureLength {
				pieces, piece = append(pieces, piece), ""
			}
			piece += string(r)
		}
	}
	pieces = append(pieces, piece)
	for k, piece := range pieces {
		pieces[k] = string(ucd.AppendNFC(nil, ucd.AppendFold(nil, ucd.AppendNFC(nil, piece))))
	}
	return pieces
}

func standardTokens(s string) []plainToken {
	var all []plainToken
	for tok, at := range Standard(s) {
		all = append(all, plainToken{tok.Text, at.Position, at.Kind})
	}
	return all
}
