package chunk

import (
	"strings"

	"github.com/rookhaven-project/rookhaven/core/internal/meter"
)

const bom = "\ufeff"

// Markdown cuts a text that is written in Markdown. It fails only if the meter
// does.
func Markdown(source string, o Options) (Document, error) {
	if len(source) > most {
		return Whole(source), nil
	}
	d := Document{Text: source}
	start := len(source) - len(strings.TrimPrefix(source, bom))
	d.Front = readFront(source, start)
	nodes, err := scan(source, d.Front.End, o.metered())
	if err != nil {
		return Document{}, err
	}
	if d.Title = d.Front.title; d.Title == "" {
		d.Title = titleOf(source, nodes)
	}
	d.Chunks, err = o.chunks(source, d.Front.End, nodes)
	number(source, d.Chunks)
	return d, err
}

// titleOf returns the first heading of level 1, or else the first one.
func titleOf(source string, nodes []node) string {
	title := ""
	for i := int32(0); i < int32(len(nodes)); i = nodes[i].next {
		n := &nodes[i]
		if !n.isHeading() || n.n > 1 && title != "" {
			continue
		}
		from, to, _ := headingAt(source, n, endOf(source, nodes, n))
		text, _ := headingText(source[from:to])
		if n.n == 1 && text != "" {
			return text
		}
		if title == "" {
			title = text
		}
	}
	return title
}

func (o Options) metered() *meter.Meter {
	if o.Meter == nil {
		return meter.New(nil, nil)
	}
	return o.Meter
}

// chunks returns the chunks of a text from byte from on, without their lines.
func (o Options) chunks(source string, from int, nodes []node) ([]Chunk, error) {
	m := o.metered()
	starts, err := tokenStarts(source, from, m)
	if err != nil {
		return nil, err
	}
	token := 0
	for i := range nodes {
		for token < len(starts) && starts[token] < nodes[i].start {
			token++
		}
		nodes[i].token = int32(token)
	}
	c := cutter{source: source, sizes: o.Sizes.within(), meter: m, nodes: nodes, starts: starts}
	err = c.cutAll(outline(source, from, nodes, o.Levels))
	return c.chunks, err
}
