package chunk

import "strings"

// htmlStarts returns which of the seven start conditions of HTML blocks s meets,
// the first of them, or 0. s begins with <.
func htmlStarts(s string) int {
	rest := s[1:]
	switch {
	case strings.HasPrefix(rest, "!--"):
		return 2
	case strings.HasPrefix(rest, "?"):
		return 3
	case strings.HasPrefix(rest, "![CDATA["):
		return 5
	case strings.HasPrefix(rest, "!"):
		if len(rest) > 1 && isLetter(rest[1]) {
			return 4
		}
		return 0
	}
	closing := strings.HasPrefix(rest, "/")
	name, after := tagName(strings.TrimPrefix(rest, "/"))
	border := after == "" || isBlank(after[0]) || after[0] == '>'
	switch {
	case name == "":
		return 0
	case !closing && border && isVerbatim(name):
		return 1
	case (border || strings.HasPrefix(after, "/>")) && isBlockTag(name):
		return 6
	case closing && isRestBlank(strings.TrimLeft(after, blanks), ">"),
		!closing && isRestBlank(attributes(after), ">"):
		return 7
	}
	return 0
}

// blanks is what HTML counts as white space in a line.
const blanks = " \t\v\f"

// isRestBlank reports whether s is mark and white space.
func isRestBlank(s, mark string) bool {
	rest, ok := strings.CutPrefix(s, mark)
	return ok && strings.Trim(rest, blanks) == ""
}

// htmlEnds reports whether a line ends a block of the conditions 1 to 5. The
// others end at a blank line.
func htmlEnds(condition int, line string) bool {
	switch condition {
	case 1:
		return closesVerbatim(line)
	case 2:
		return strings.Contains(line, "-->")
	case 3:
		return strings.Contains(line, "?>")
	case 4:
		return strings.Contains(line, ">")
	case 5:
		return strings.Contains(line, "]]>")
	}
	return false
}

func closesVerbatim(line string) bool {
	for {
		i := strings.Index(line, "</")
		if i < 0 {
			return false
		}
		line = line[i+2:]
		if name, after := tagName(line); isVerbatim(name) && strings.HasPrefix(after, ">") {
			return true
		}
	}
}

// longestTag is the length of the longest name that isBlockTag knows.
const longestTag = len("blockquote")

// tagName cuts the name of a tag off s, in lower case if it is short enough to
// be one of those that matter, or an empty one.
func tagName(s string) (name, after string) {
	n := 0
	for n < len(s) && (isLetter(s[n]) || n > 0 && (isDigit(s[n]) || s[n] == '-')) {
		n++
	}
	if n > longestTag {
		return s[:n], s[n:]
	}
	var lower [longestTag]byte
	for i := range n {
		lower[i] = s[i]
		if isLetter(s[i]) {
			lower[i] |= 0x20
		}
	}
	return string(lower[:n]), s[n:]
}

// attributes returns what follows the attributes of an open tag and a slash, or
// "" where they are ill-formed.
func attributes(s string) string {
	for {
		rest := strings.TrimLeft(s, blanks)
		if rest == "" || rest[0] == '>' {
			return rest
		}
		if rest[0] == '/' {
			return rest[1:]
		}
		n := attributeName(rest)
		if n == 0 || len(rest) == len(s) {
			return ""
		}
		s = rest[n:]
		if value, ok := strings.CutPrefix(strings.TrimLeft(s, blanks), "="); ok {
			value = strings.TrimLeft(value, blanks)
			n := attributeValue(value)
			if n == 0 {
				return ""
			}
			s = value[n:]
		}
	}
}

func attributeName(s string) int {
	n := 0
	for n < len(s) {
		c := s[n]
		if !isLetter(c) && c != '_' && c != ':' && (n == 0 || !isDigit(c) && c != '.' && c != '-') {
			break
		}
		n++
	}
	return n
}

// attributeValue returns the length of the value at the front of s, or 0.
func attributeValue(s string) int {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
			return end + 2
		}
		return 0
	}
	n := 0
	for n < len(s) && s[n] > ' ' && strings.IndexByte("\"'=<>`", s[n]) < 0 {
		n++
	}
	return n
}

// isVerbatim reports whether an element holds text as it is.
func isVerbatim(name string) bool {
	switch name {
	case "pre", "script", "style", "textarea":
		return true
	}
	return false
}

// isBlockTag reports whether name is one of CommonMark 0.31's block tags.
func isBlockTag(name string) bool {
	switch name {
	case "address", "article", "aside", "base", "basefont", "blockquote", "body",
		"caption", "center", "col", "colgroup", "dd", "details", "dialog", "dir",
		"div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
		"frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header",
		"hr", "html", "iframe", "legend", "li", "link", "main", "menu", "menuitem",
		"nav", "noframes", "ol", "optgroup", "option", "p", "param", "search",
		"section", "summary", "table", "tbody", "td", "tfoot", "th", "thead",
		"title", "tr", "track", "ul":
		return true
	}
	return false
}
