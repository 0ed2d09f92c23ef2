package chunk

import (
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

// maxHeading is how many bytes of a heading a path holds. A longer one ends
// with … there and stays in the body whole.
const maxHeading = 512

// headingText returns what stands in a path for a heading: its text with one
// space for all white space between two words, links and images without where
// they lead, and without HTML tags. Other marks of Markdown stay: what looks like
// emphasis may be a name. whole says that nothing was left out.
func headingText(s string) (text string, whole bool) {
	s = oneLine(s)
	whole = true
	if len(s) > maxHeading {
		s, whole = s[:ucd.GraphemeStart(s[:min(len(s), maxHeading+utf8.UTFMax)], maxHeading)]+"…", false
	}
	if strings.IndexByte(s, '<') < 0 && !strings.Contains(s, "](") {
		return s, whole
	}
	bare := withoutLinks(s)
	return oneLine(bare), whole && bare == s
}

// oneLine returns s with one space for each run of white space.
func oneLine(s string) string {
	clean := true
	for i := range len(s) {
		if isBlank(s[i]) && (s[i] != ' ' || i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		switch {
		case !isBlank(s[i]):
			b = append(b, s[i])
		case len(b) > 0 && b[len(b)-1] != ' ':
			b = append(b, ' ')
		}
	}
	return strings.TrimSuffix(string(b), " ")
}

// withoutLinks leaves out of the short text s the destinations of links and
// images, with the brackets, and HTML tags. What stands in backticks stays.
func withoutLinks(s string) string {
	b := make([]byte, 0, len(s))
	var open []int // brackets in b
	for i := 0; i < len(s); {
		n := 1
		switch s[i] {
		case '\\':
			n = min(2, len(s)-i)
		case '`':
			n = codeSpan(s[i:])
		case '<':
			if t := inlineTag(s[i:]); t > 0 {
				i += t
				continue
			}
		case '[':
			open = append(open, len(b))
		case ']':
			if len(open) == 0 {
				break
			}
			at := open[len(open)-1]
			open = open[:len(open)-1]
			if t := inlineDestination(s[i+1:]); t > 0 {
				b = append(b[:at], b[at+1:]...)
				if at > 0 && b[at-1] == '!' {
					b = append(b[:at-1], b[at:]...)
				}
				i += 1 + t
				continue
			}
		}
		b = append(b, s[i:i+n]...)
		i += n
	}
	return string(b)
}

// codeSpan returns the length of the code span at the front of s, or of its
// backticks if none closes it.
func codeSpan(s string) int {
	n := run(s, '`')
	for i := n; i < len(s); i++ {
		if m := run(s[i:], '`'); m == n {
			return i + m
		} else if m > 0 {
			i += m - 1
		}
	}
	return n
}

// inlineTag returns the length of the HTML tag or comment at the front of s, or 0.
func inlineTag(s string) int {
	if rest, ok := strings.CutPrefix(s, "<!--"); ok {
		if i := strings.Index(rest, "-->"); i >= 0 {
			return 4 + i + 3
		}
		return 0
	}
	name, after := tagName(strings.TrimPrefix(s[1:], "/"))
	if name == "" {
		return 0
	}
	if s[1] == '/' {
		after = strings.TrimLeft(after, blanks)
	} else {
		after = attributes(after)
	}
	if !strings.HasPrefix(after, ">") {
		return 0
	}
	return len(s) - len(after) + 1
}

// inlineDestination returns the length of the (destination "title") of a link at
// the front of s, or 0.
func inlineDestination(s string) int {
	if s == "" || s[0] != '(' {
		return 0
	}
	open := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return i + 1
			}
		}
	}
	return 0
}
