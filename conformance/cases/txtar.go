package cases

import (
	"bytes"
	"strings"
)

// A section is a named part of a case's file.
type section struct{ name, text string }

// parse takes a file apart: the comment, and the sections after lines of the form
// "-- name --". It is the format of Go's txtar.
func parse(data []byte) (comment string, sections []section) {
	text := &comment
	for line := range bytes.Lines(data) {
		if name, ok := header(string(line)); ok {
			sections = append(sections, section{name: name})
			text = &sections[len(sections)-1].text
			continue
		}
		*text += string(line)
	}
	return comment, sections
}

func header(line string) (name string, ok bool) {
	line = strings.TrimRight(line, "\r\n")
	name, found := strings.CutPrefix(line, "-- ")
	name, ends := strings.CutSuffix(name, " --")
	return strings.TrimSpace(name), found && ends && strings.TrimSpace(name) != ""
}

// format writes a file.
func format(comment string, sections []section) []byte {
	b := []byte(comment)
	for _, s := range sections {
		b = append(b, "-- "+s.name+" --\n"...)
		b = append(b, s.text...)
		if !strings.HasSuffix(s.text, "\n") {
			b = append(b, '\n')
		}
	}
	return b
}
