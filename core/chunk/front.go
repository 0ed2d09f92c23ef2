package chunk

import (
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// maxFront is how many bytes front matter has at most; what is longer is text.
const maxFront = 64 << 10

// readFront reads the front matter that begins at byte start of a text, if there
// is some: a line of --- and a mapping up to a line of --- or ..., or a line of
// +++ and TOML up to a line of +++. A --- is a thematic break, and what follows is
// text, unless the next line is a member, the end, or a comment and a member after
// it.
func readFront(source string, start int) Front {
	none := Front{Start: start, End: start}
	l := linesFrom(source, start)
	if !l.step() {
		return none
	}
	mark := strings.TrimRight(source[l.start:l.end], " \t")
	if mark != "---" && mark != "+++" {
		return none
	}
	var list []string
	opened := false
	for l.step() && l.next <= start+maxFront {
		line := source[l.start:l.end]
		if rest := strings.TrimRight(line, " \t"); rest == mark || rest == "..." && mark == "---" {
			if !opened && len(list) > 0 {
				return none
			}
			f := readMeta(mark, list)
			f.Start, f.End = start, l.next
			return f
		}
		if !opened && !strings.HasPrefix(line, "#") {
			if opened = opens(mark, line); !opened {
				return none
			}
		}
		list = append(list, line)
	}
	return none
}

// opens reports whether a line can be the first of front matter but for comments.
func opens(mark, line string) bool {
	if mark == "+++" {
		_, _, member := cutTOML(line)
		return member || strings.HasPrefix(line, "[")
	}
	_, _, member := cutYAML(line)
	return member
}

// A meta collects what front matter says.
type meta struct {
	lines []string
	object
	rest   []string // lines that say nothing that is understood
	kept   int      // values as they are written
	titled bool     // the member title was understood
}

// An object is one of JSON, made member by member.
type object struct {
	members []member
	names   map[string]bool
}

// A member has its value as JSON.
type member struct {
	name  string
	value []byte
}

// set adds a member, unless there is one of that name.
func (o *object) set(name string, value []byte) bool {
	name = wellFormed(name)
	if o.names[name] {
		return false
	}
	if o.names == nil {
		o.names = map[string]bool{}
	}
	o.names[name] = true
	o.members = append(o.members, member{name, value})
	return true
}

// json returns the object as JSON.
func (o *object) json() []byte {
	dst := []byte{'{'}
	for i, m := range o.members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(json.AppendString(dst, m.name), ':')
		dst = append(dst, m.value...)
	}
	return append(dst, '}')
}

// readMeta reads the lines of front matter. Those that belong to no member are the
// member "".
func readMeta(mark string, lines []string) Front {
	m := meta{lines: lines}
	if mark == "---" {
		m.yaml()
	} else {
		m.toml()
	}
	if len(m.rest) > 0 {
		m.kept++
		for name := ""; !m.set(name, appendText(nil, strings.Join(m.rest, "\n"))); name += "_" {
		}
	}
	v, err := json.Parse(m.json())
	if err != nil {
		panic("chunk: BUG: front matter gives no JSON")
	}
	f := Front{Meta: v, Kept: m.kept}
	if m.titled {
		f.title = oneLine(v.Member("title").Text())
	}
	return f
}

func appendList(dst []byte, values [][]byte) []byte {
	dst = append(dst, '[')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, v...)
	}
	return append(dst, ']')
}

func appendText(dst []byte, s string) []byte {
	return json.AppendString(dst, wellFormed(s))
}

// isNumber reports whether s is spelled as a number of JSON without an exponent,
// of at most 15 digits, so that a [json.Value] holds it exactly.
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole, fraction, point := strings.Cut(s, ".")
	if len(whole)+len(fraction) > 15 || !isDigits(whole) || point && !isDigits(fraction) {
		return false
	}
	return len(whole) == 1 || whole[0] != '0'
}

func isDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// width returns how many spaces begin a line.
func width(line string) int { return run(line, ' ') }

func isEmptyLine(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return line == "" || line[0] == '#'
}

// wellFormed returns s with U+FFFD for each byte that is no part of a character.
func wellFormed(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}
