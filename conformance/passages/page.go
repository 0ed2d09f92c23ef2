package passages

import (
	"html"
	"strings"
)

// A block is a run of text of one page: a paragraph, an item, a heading.
type block struct {
	heading bool
	text    string
}

// read turns a page in HTML into blocks. It is no parser, and wants to be the
// same for ever rather than good: tags end blocks or do nothing, elements that
// navigate are left out with what they hold, entities become characters, white
// space becomes one space, and lines of <pre> are blocks of their own.
func read(page []byte) []block {
	r := &pageReader{rest: strings.ToValidUTF8(string(page), " ")}
	for r.rest != "" {
		r.step()
	}
	r.end()
	return r.blocks
}

type pageReader struct {
	rest    string
	text    strings.Builder
	blocks  []block
	heading bool
	pre     int    // how many <pre> are open
	skipped string // the name of the element that is left out
	depth   int    // how many of that name are open
}

// step reads a run of text or one tag.
func (r *pageReader) step() {
	if before, _, found := strings.Cut(r.rest, "<"); !found || before != "" {
		r.rest = r.rest[len(before):]
		r.add(before)
		return
	}
	if strings.HasPrefix(r.rest, "<!--") {
		_, r.rest, _ = strings.Cut(r.rest, "-->")
		return
	}
	tag, rest, found := strings.Cut(r.rest[1:], ">")
	if !found {
		r.rest = ""
		return
	}
	r.rest = rest
	closing := strings.HasPrefix(tag, "/")
	tag = strings.TrimPrefix(tag, "/")
	name := strings.ToLower(tag[:len(tag)-len(strings.TrimLeft(tag, letters))])
	r.tag(name, tag[len(name):], closing)
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func (r *pageReader) tag(name, attributes string, closing bool) {
	switch {
	case r.skipped != "":
		r.skip(name, closing)
	case !closing && (name == "script" || name == "style"):
		end := strings.Index(strings.ToLower(r.rest), "</"+name)
		r.rest = r.rest[max(end, 0):]
		if end < 0 {
			r.rest = ""
		}
	case !closing && navigates(name, attributes):
		r.end()
		r.skipped, r.depth = name, 1
	case name == "pre":
		r.end()
		r.pre = 1
		if closing {
			r.pre = 0
		}
	case len(name) == 2 && name[0] == 'h' && '1' <= name[1] && name[1] <= '6':
		r.end()
		r.heading = !closing
	case name == "br" && r.heading:
		r.text.WriteByte(' ')
	case isBlock(name):
		r.end()
	}
}

// skip looks for the end of the element that is left out.
func (r *pageReader) skip(name string, closing bool) {
	if name != r.skipped {
		return
	}
	r.depth++
	if closing {
		r.depth -= 2
	}
	if r.depth == 0 {
		r.skipped = ""
	}
}

func navigates(name, attributes string) bool {
	switch name {
	case "head", "nav", "header", "footer", "form", "button", "select", "svg", "math", "noscript":
		return true
	case "div", "ul", "table", "aside", "span", "p", "section":
		for _, mark := range []string{`role="navigation"`, "sphinxsidebar", `class="related`, `class="footer`, `class="navheader`, `class="navfooter`, `class="header`, `class="sidebar`, `class="toc`, `class="contents`, `class="nav-`, `class="spirit-nav`, "toctree", `class="short-contents`} {
			if strings.Contains(attributes, mark) {
				return true
			}
		}
	case "a":
		return strings.Contains(attributes, "headerlink") || strings.Contains(attributes, `class="anchor`) || strings.Contains(attributes, "srclink") || strings.Contains(attributes, "copiable-")
	}
	return false
}

func isBlock(name string) bool {
	switch name {
	case "a", "abbr", "acronym", "b", "bdi", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr":
		return false
	}
	return true
}

func (r *pageReader) add(text string) {
	if r.skipped != "" {
		return
	}
	text = html.UnescapeString(text)
	if r.pre == 0 {
		r.text.WriteString(text)
		return
	}
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			r.end()
		}
		r.text.WriteString(line)
	}
}

// end ends a block.
func (r *pageReader) end() {
	text := strings.Join(strings.Fields(r.text.String()), " ")
	r.text.Reset()
	if r.heading {
		text = strings.Trim(text, "¶§#.0123456789 \u00a0")
	}
	if text != "" {
		r.blocks = append(r.blocks, block{r.heading, text})
	}
	r.heading = r.heading && text == ""
}
