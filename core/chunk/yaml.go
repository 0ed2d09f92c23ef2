package chunk

import "strings"

// yaml reads lines of the subset of YAML 1.2 that front matter is written in:
//
//	name: value
//	name: [value, value]
//	name: {name: value}
//	name: | or >, and indented lines
//	name:
//	  - value
//	name:
//	  name: value
//
// where a value is plain, in single or in double quotes, and on one line; a plain
// one may go on in indented lines. Numbers are those that JSON can spell without
// an exponent; other ones, dates, yes and no are strings, as is every value that
// goes beyond the subset, as it is written.
func (m *meta) yaml() {
	for len(m.lines) > 0 {
		line := m.lines[0]
		m.lines = m.lines[1:]
		if isEmptyLine(line) {
			continue
		}
		name, rest, ok := cutYAML(line)
		if !ok {
			m.rest = append(m.rest, line)
			continue
		}
		block := m.indented(rest)
		kept := m.kept
		if !m.set(name, m.value(rest, block)) {
			m.rest = append(append(m.rest, line), block...)
		} else if name == "title" {
			m.titled = m.kept == kept
		}
	}
}

// indented takes the lines that belong to a member: those that are indented, and
// items of a list that are not.
func (m *meta) indented(rest string) []string {
	n, last := 0, 0
	list := isEmptyLine(rest)
	for n < len(m.lines) {
		line := m.lines[n]
		if strings.TrimLeft(line, " \t") != "" {
			if line[0] != ' ' && line[0] != '\t' && !(list && isItem(line)) {
				break
			}
			last = n + 1
		}
		n++
	}
	block := m.lines[:last]
	m.lines = m.lines[last:]
	return block
}

func isItem(line string) bool { return line == "-" || strings.HasPrefix(line, "- ") }

// value returns the value of a member as JSON: rest stands behind its colon,
// block are the lines under it.
func (m *meta) value(rest string, block []string) []byte {
	switch {
	case isEmptyLine(rest) && len(block) == 0:
		return []byte("null")
	case isEmptyLine(rest):
		if v := items(block); v != nil {
			return v
		}
		if v := mapping(block); v != nil {
			return v
		}
	case rest[0] == '|' || rest[0] == '>':
		if strings.Trim(uncomment(rest[1:]), "+-") == "" {
			return appendText(nil, scalarBlock(block, rest[0] == '>'))
		}
	case len(block) == 0:
		if v, ok := flow(rest); ok {
			return v
		}
	case rest[0] == '[' || rest[0] == '{':
		if v, ok := flow(strings.ReplaceAll(asWritten(rest, block), "\n", " ")); ok {
			return v
		}
	case isPlain(rest):
		if folded, ok := fold(rest, block); ok {
			return appendText(nil, folded)
		}
	}
	m.kept++
	return appendText(nil, asWritten(rest, block))
}

// items reads a list of values, one a line.
func items(block []string) []byte {
	list := [][]byte{}
	indent := width(block[0])
	for _, line := range block {
		if isEmptyLine(line) {
			continue
		}
		if width(line) != indent || !isItem(line[indent:]) {
			return nil
		}
		v := []byte("null")
		if item := strings.Trim(line[indent+1:], " \t"); !isEmptyLine(item) {
			var ok bool
			if _, _, member := cutYAML(item); member {
				return nil
			}
			if v, ok = flow(item); !ok {
				return nil
			}
		}
		list = append(list, v)
	}
	return appendList(nil, list)
}

// mapping reads members, one a line.
func mapping(block []string) []byte {
	var o object
	indent := width(block[0])
	for _, line := range block {
		if isEmptyLine(line) {
			continue
		}
		if width(line) != indent {
			return nil
		}
		name, rest, ok := cutYAML(line[indent:])
		if !ok {
			return nil
		}
		v := []byte("null")
		if !isEmptyLine(rest) {
			if v, ok = flow(rest); !ok {
				return nil
			}
		}
		if !o.set(name, v) {
			return nil
		}
	}
	return o.json()
}

// cutYAML cuts a line into the name of a member and what stands behind its colon.
func cutYAML(line string) (name, rest string, ok bool) {
	if line == "" {
		return "", "", false
	}
	if line[0] == '"' || line[0] == '\'' {
		name, n := quoted(line)
		if n == 0 || !strings.HasPrefix(line[n:], ":") {
			return "", "", false
		}
		return name, strings.Trim(line[n+1:], " \t"), n+1 == len(line) || isBlank(line[n+1])
	}
	if strings.IndexByte(" \t-?:,[]{}#&*!|>%@`=", line[0]) >= 0 && !(line[0] == '-' && len(line) > 1 && line[1] > ' ') {
		return "", "", false
	}
	for i := range len(line) {
		switch {
		case line[i] == '#' && isBlank(line[i-1]):
			return "", "", false
		case line[i] == ':' && (i+1 == len(line) || isBlank(line[i+1])):
			return strings.TrimRight(line[:i], " \t"), strings.Trim(line[i+1:], " \t"), true
		}
	}
	return "", "", false
}

// asWritten returns a value that was not understood.
func asWritten(rest string, block []string) string {
	if len(block) == 0 {
		return rest
	}
	indent := len(block[0])
	for _, line := range block {
		if strings.Trim(line, " \t") != "" {
			indent = min(indent, width(line))
		}
	}
	var b strings.Builder
	b.WriteString(rest)
	for _, line := range block {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimRight(line[min(indent, len(line)):], " \t"))
	}
	return b.String()
}

// scalarBlock returns the text of the indented lines of a block scalar, whose
// lines go on in one another if it is folded.
func scalarBlock(block []string, folded bool) string {
	text := asWritten("", block)
	if !folded {
		return text
	}
	lines := strings.Split(text, "\n")
	var b strings.Builder
	for i, line := range lines {
		switch {
		case i == 0:
		case line == "":
			b.WriteByte('\n')
			continue
		case lines[i-1] != "":
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}

// fold returns a plain value that goes on in the lines under it.
func fold(rest string, block []string) (string, bool) {
	text := uncomment(rest)
	for _, line := range block {
		if isEmptyLine(line) {
			continue
		}
		line = strings.Trim(line, " \t")
		if _, _, member := cutYAML(line); member || isItem(line) || strings.Contains(line, " #") {
			return "", false
		}
		text += " " + line
	}
	return text, true
}

// isPlain reports whether a value has no quotes, brackets or other signs in front.
func isPlain(s string) bool { return strings.IndexByte("\"'[]{}&*!|>%@`#,", s[0]) < 0 }

// uncomment returns s without a comment and the white space before it.
func uncomment(s string) string {
	for i := range len(s) {
		if s[i] == '#' && (i == 0 || isBlank(s[i-1])) {
			s = s[:i]
			break
		}
	}
	return strings.Trim(s, " \t")
}

// flow reads a value on one line: a scalar, a list or a mapping of scalars.
func flow(s string) ([]byte, bool) {
	switch s[0] {
	case '[':
		return flowList(s)
	case '{':
		return flowMapping(s)
	}
	v, n := scalar(s, "")
	return v, n > 0 && uncomment(s[n:]) == ""
}

func flowList(s string) ([]byte, bool) {
	list := [][]byte{}
	rest, end := flowNext(s[1:], ']')
	for !end {
		v, n := scalar(rest, ",]")
		if n == 0 {
			return nil, false
		}
		list = append(list, v)
		var ok bool
		if rest, ok = flowComma(rest[n:], ']'); !ok {
			return nil, false
		}
		rest, end = flowNext(rest, ']')
	}
	return appendList(nil, list), uncomment(rest) == ""
}

func flowMapping(s string) ([]byte, bool) {
	var o object
	rest, end := flowNext(s[1:], '}')
	for !end {
		name, after, ok := cutYAML(rest)
		if !ok || after == "" {
			return nil, false
		}
		v, n := scalar(after, ",}")
		if n == 0 || !o.set(name, v) {
			return nil, false
		}
		if rest, ok = flowComma(after[n:], '}'); !ok {
			return nil, false
		}
		rest, end = flowNext(rest, '}')
	}
	return o.json(), uncomment(rest) == ""
}

// flowNext goes to the next element, or over the end.
func flowNext(s string, end byte) (rest string, ended bool) {
	s = strings.TrimLeft(s, " \t")
	if s != "" && s[0] == end {
		return s[1:], true
	}
	return s, false
}

// flowComma goes over a comma, or up to the end.
func flowComma(s string, end byte) (rest string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	switch {
	case s == "":
		return "", false
	case s[0] == ',':
		return s[1:], true
	}
	return s, s[0] == end
}

// scalar reads the value at the front of s, which one of the signs in ends ends,
// and returns it as JSON and its length; 0 says that it is none.
func scalar(s, ends string) ([]byte, int) {
	if s == "" {
		return nil, 0
	}
	if s[0] == '"' || s[0] == '\'' {
		text, n := quoted(s)
		return appendText(nil, text), n
	}
	if !isPlain(s) {
		return nil, 0
	}
	n := 0
	for n < len(s) {
		if ends != "" && strings.IndexByte(ends, s[n]) >= 0 || s[n] == '#' && isBlank(s[n-1]) {
			break
		}
		if s[n] == ':' && (n+1 == len(s) || isBlank(s[n+1])) || ends != "" && strings.IndexByte("[]{}", s[n]) >= 0 {
			return nil, 0
		}
		n++
	}
	return plain(strings.Trim(s[:n], " \t")), n
}

// plain returns a value without quotes as JSON.
func plain(s string) []byte {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return []byte("null")
	case "true", "True", "TRUE":
		return []byte("true")
	case "false", "False", "FALSE":
		return []byte("false")
	}
	if isNumber(s) {
		return []byte(s)
	}
	return appendText(nil, s)
}

// quoted reads the string in quotes at the front of s and returns its length, or
// 0 if it does not end or has an escape that is none.
func quoted(s string) (text string, n int) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] != s[0] && (s[i] != '\\' || s[0] == '\''):
			b.WriteByte(s[i])
		case s[i] == s[0] && s[0] == '\'' && i+1 < len(s) && s[i+1] == '\'':
			b.WriteByte('\'')
			i++
		case s[i] == s[0]:
			return b.String(), i + 1
		default:
			r, n := escape(s[i:])
			if n == 0 {
				return "", 0
			}
			b.WriteRune(r)
			i += n - 1
		}
	}
	return "", 0
}

// escape reads the escape at the front of s: of one sign, or \x, \u, \U with 2,
// 4 or 8 hexadecimal digits.
func escape(s string) (r rune, n int) {
	if len(s) < 2 {
		return 0, 0
	}
	const signs, meant = `"\/0abtnvfre _NLP`, "\"\\/\x00\a\b\t\n\v\f\r\x1b \u00a0\u0085\u2028\u2029"
	at := strings.IndexByte(signs, s[1])
	if at >= 0 {
		for _, r := range meant {
			if at == 0 {
				return r, 2
			}
			at--
		}
	}
	digits := 0
	switch s[1] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	}
	if digits == 0 || len(s) < 2+digits {
		return 0, 0
	}
	for _, c := range []byte(s[2 : 2+digits]) {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, 0
		}
	}
	return r, 2 + digits
}
