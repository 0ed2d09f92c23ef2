package cli

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// An answer is a SearchReply, and what there is to say of it beside.
type answer struct {
	*abi.SearchReply
	size  int    // of the reply in bytes
	where string // what was searched
	name  func(string) string
}

func newAnswer(p *abi.SearchReply, size int, where string) *answer {
	var names []string
	for i := range p.Hits {
		names = append(names, document(&p.Hits[i]))
	}
	return &answer{p, size, where, spelling(names)}
}

// document returns the name of a hit's document: its path, or its id.
func document(h *abi.Found) string { return cmp.Or(h.Path, h.ID) }

// showFound shows an answer for people.
func (r *run) showFound(a *answer) {
	r.showAsked(a)
	for i := range a.Hits {
		h := &a.Hits[i]
		r.showPlace(a, h)
		if h.Rule != "" {
			r.printf("      %s", above(h, i+1 < len(a.Hits)))
		}
		if text := body(h); text != "" {
			r.printf("%s", r.marked(text, h.Words))
		}
		r.showFront(h)
		r.printf("")
	}
	r.showEnd(a)
}

// showAsked says what was asked, and what was searched instead.
func (r *run) showAsked(a *answer) {
	r.printf("%s", quote(a.Request.Query, 200))
	for _, c := range a.Corrected {
		r.printf("searched %s, since %s does not occur", quote(c.To, 60), quote(c.From, 60))
	}
	r.printf("")
}

// showPlace is the first line of a hit: its rank, its score, and where it stands.
func (r *run) showPlace(a *answer, h *abi.Found) {
	tier := ""
	if h.Tier > 0 {
		tier = "  tier " + itoa(h.Tier)
	}
	r.printf("%4d. %s%s  %s", h.Rank, nano(h.Score), tier, a.place(h))
	if h.Chunks > 1 {
		r.printf("      the best of %s of this document", count(h.Chunks, "passage"))
	}
}

// showFront shows what of the front matter a passage was found by.
func (r *run) showFront(h *abi.Found) {
	for _, l := range h.Front {
		r.printf("%s", r.marked(terminal.Wrap("front matter, line "+itoa(l.Line)+": "+terminal.Line(l.Text), indent, width), h.Words))
	}
}

// place says where a passage stands: its file with the line that it begins with, or
// its document, and the headings above it.
func (a *answer) place(h *abi.Found) string {
	place := a.name(document(h))
	if h.Path != "" {
		place += ":" + itoa(h.FirstLine)
	}
	headings := h.Headings
	if len(headings) == 0 && h.Title != "" {
		headings = []string{h.Title}
	}
	if len(headings) == 0 {
		return place
	}
	return place + "  " + terminal.Cut(terminal.Line(strings.Join(headings, " > ")), 70)
}

// above says what puts a hit above the next one.
func above(h *abi.Found, next bool) string {
	rule := map[string]string{
		"tier": "its tier", "score": "its score", "key": "its seeded key, since the scores are equal",
		"stableKey": "the name of its document, since all before is equal", "id": "its id, since all before is equal",
		"chunk": "its place in the document, since all before is equal",
	}[h.Rule]
	if !next || rule == "" {
		return "the last one"
	}
	return "above the next by " + rule
}
