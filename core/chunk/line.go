package chunk

import "strings"

// lines goes through the lines of a text. A line ends with LF, CR LF or a CR
// alone, as CommonMark has it; no other character ends one.
type lines struct {
	source     string
	start, end int // of the line, without what ends it
	next       int // where the next one starts
	lf, cr     int // the first of each at or after next; behind the text if there is none
}

func linesFrom(source string, at int) lines { return lines{source: source, next: at, lf: -1, cr: -1} }

// step goes to the next line and reports whether there is one.
func (l *lines) step() bool {
	if l.next >= len(l.source) {
		return false
	}
	l.start = l.next
	l.lf = l.find(l.lf, '\n')
	l.cr = l.find(l.cr, '\r')
	l.end = min(l.lf, l.cr)
	l.next = l.end + 1
	if l.cr+1 == l.lf && l.end == l.cr {
		l.next++
	}
	l.next = min(l.next, len(l.source))
	return true
}

// find returns where c is next, if that is not known.
func (l *lines) find(known int, c byte) int {
	if known >= l.next {
		return known
	}
	if i := strings.IndexByte(l.source[l.next:], c); i >= 0 {
		return l.next + i
	}
	return len(l.source)
}

// lineEnd returns where the line that holds byte i ends, with what ends it, or
// end if that is nearer.
func lineEnd(source string, i, end int) int {
	for ; i < end; i++ {
		switch source[i] {
		case '\r':
			if i+1 < end && source[i+1] == '\n' {
				return i + 2
			}
			return i + 1
		case '\n':
			return i + 1
		}
	}
	return end
}

// isBlank reports whether c is white space that can stand alone in a line.
func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// number sets the lines of chunks, whose starts and whose ends ascend: those of
// the first and the last character that is not white space.
func number(source string, chunks []Chunk) {
	first, last := counter{line: 1}, counter{line: 1}
	for i := range chunks {
		c := &chunks[i]
		from, to := c.Start, c.End
		for from < c.End && isBlank(source[from]) {
			from++
		}
		for to > from && isBlank(source[to-1]) {
			to--
		}
		if from == c.End {
			from = c.Start
			to = from
		}
		c.FirstLine = first.at(source, from)
		c.LastLine = max(c.FirstLine, last.at(source, max(to-1, from)))
	}
}

// A counter counts lines as grep -n does, by LF alone.
type counter struct {
	pos  int
	line int64
}

// at returns the line of byte i. Places that do not ascend get the line of the
// highest before them.
func (c *counter) at(source string, i int) int64 {
	if i > c.pos {
		c.line += int64(strings.Count(source[c.pos:i], "\n"))
		c.pos = i
	}
	return c.line
}
