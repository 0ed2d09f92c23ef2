package chunk

import (
	"strings"
)

// Plain cuts a text without marks: its paragraphs end at blank lines. It fails
// only if the meter does.
func Plain(source string, o Options) (Document, error) {
	if len(source) > most {
		return Whole(source), nil
	}
	start := len(source) - len(strings.TrimPrefix(source, bom))
	d := Document{Text: source, Front: Front{Start: start, End: start}}
	nodes, err := paragraphs(source, start, o)
	if err != nil {
		return Document{}, err
	}
	d.Chunks, err = o.chunks(source, start, nodes)
	number(source, d.Chunks)
	return d, err
}

// paragraphs returns the paragraphs of a plain text as nodes.
func paragraphs(source string, from int, o Options) ([]node, error) {
	m := o.metered()
	var nodes []node
	l, open := linesFrom(source, from), false
	for l.step() {
		if err := m.Add(l.end - l.start + 8); err != nil {
			return nil, err
		}
		blank := strings.Trim(source[l.start:l.end], blanks) == ""
		if !blank && !open {
			nodes = append(nodes, node{start: int32(l.start), next: int32(len(nodes) + 1), kind: paragraph})
		}
		open = !blank
	}
	return nodes, nil
}
