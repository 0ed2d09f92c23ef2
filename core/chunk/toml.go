package chunk

import "strings"

// toml reads lines of the subset of TOML that front matter is written in: members
// with a scalar or a list of scalars, and tables, [name], of these. Other values
// are strings as they are written, with the lines of a string of several.
func (m *meta) toml() {
	target, table, name := &m.object, object{}, ""
	end := func() {
		if target == &table && !m.set(name, table.json()) {
			m.rest = append(m.rest, "["+name+"]", string(table.json()))
		}
	}
	for len(m.lines) > 0 {
		line := strings.Trim(m.lines[0], " \t")
		m.lines = m.lines[1:]
		key, rest, ok := cutTOML(line)
		switch {
		case isEmptyLine(line):
		case ok:
			kept, block := m.kept, m.unclosed(rest)
			if !target.set(key, m.tomlValue(rest, block)) {
				m.rest = append(append(m.rest, line), block...)
			} else if key == "title" && target == &m.object {
				m.titled = m.kept == kept
			}
		case isTable(line):
			end()
			name = uncomment(line)
			name = strings.Trim(name[1:len(name)-1], " \t")
			table, target = object{}, &table
		default:
			m.rest = append(m.rest, line)
		}
	}
	end()
}

// isTable reports whether a line is [name], and not [[name]].
func isTable(line string) bool {
	line = uncomment(line)
	return len(line) > 2 && line[0] == '[' && line[1] != '[' && line[len(line)-1] == ']'
}

// cutTOML cuts a line into the name of a member and what stands behind its sign =.
func cutTOML(line string) (name, rest string, ok bool) {
	n := 0
	if line != "" && (line[0] == '"' || line[0] == '\'') {
		name, n = quoted(line)
	} else {
		for n < len(line) && (isLetter(line[n]) || isDigit(line[n]) || strings.IndexByte("_-.", line[n]) >= 0) {
			n++
		}
		name = line[:n]
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(line[n:], " \t"), "=")
	rest = strings.Trim(rest, " \t")
	return name, rest, ok && n > 0 && rest != ""
}

// unclosed takes the lines up to the one that closes a string of several lines or
// a list that rest opens.
func (m *meta) unclosed(rest string) []string {
	end := ""
	switch {
	case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, "'''"):
		if end = rest[:3]; strings.Contains(rest[3:], end) {
			return nil
		}
	case rest[0] == '[' && strings.IndexByte(rest, ']') < 0:
		end = "]"
	default:
		return nil
	}
	for i, line := range m.lines {
		if strings.Contains(line, end) {
			block := m.lines[:i+1]
			m.lines = m.lines[i+1:]
			return block
		}
	}
	return nil
}

// tomlValue returns a value as JSON.
func (m *meta) tomlValue(rest string, block []string) []byte {
	if rest[0] != '{' && !strings.HasPrefix(rest, `"""`) && !strings.HasPrefix(rest, "'''") {
		if v, ok := flow(strings.ReplaceAll(asWritten(rest, block), "\n", " ")); ok {
			return v
		}
	}
	m.kept++
	return appendText(nil, asWritten(rest, block))
}
