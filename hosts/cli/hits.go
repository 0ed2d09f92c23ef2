package cli

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// showFound shows a SearchReply for people.
func (r *run) showFound(p *abi.SearchReply, o *opened) {
	r.showAsked(p)
	for i := range p.Hits {
		h := &p.Hits[i]
		r.showPlace(h)
		if h.Rule != "" {
			r.printf("      %s", above(h, i+1 < len(p.Hits)))
		}
		if text := body(h); text != "" {
			r.printf("%s", r.marked(terminal.Wrap(text, "      ", width), h.Words))
		}
		r.printf("")
	}
	r.showVerdictOf(p, o)
}

// showAsked says what was asked, and what was searched instead.
func (r *run) showAsked(p *abi.SearchReply) {
	r.printf("%s", quote(p.Request.Query, 200))
	for _, c := range p.Corrected {
		r.printf("searched %s, since %s does not occur", quote(c.To, 60), quote(c.From, 60))
	}
	r.printf("")
}

// showPlace is the first line of a hit: its rank, its score, and where it stands.
func (r *run) showPlace(h *abi.Found) {
	tier := ""
	if h.Tier > 0 {
		tier = "  tier " + itoa(h.Tier)
	}
	r.printf("%4d. %s%s  %s", h.Rank, nano(h.Score), tier, placeOf(h))
	if h.Chunks > 1 {
		r.printf("      the best of %s of this document", count(h.Chunks, "passage"))
	}
}

// placeOf says where a passage stands: its file with the line that it begins with, or
// its document, and the headings above it.
func placeOf(h *abi.Found) string {
	place := terminal.Line(h.ID)
	if h.Path != "" {
		place = terminal.Line(h.Path) + ":" + itoa(h.FirstLine)
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

// body returns the text of a hit as one line, with what stands around it where that was
// asked for.
func body(h *abi.Found) string {
	switch {
	case h.Context != nil:
		return terminal.Cut(terminal.Line(h.Context.Text), 4000)
	case h.Text != nil && strings.TrimSpace(h.Text.Text) != "":
		return excerpt(h.Text)
	}
	return ""
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

// showVerdictOf is the end of a reply: the verdict, the counts and the names.
func (r *run) showVerdictOf(p *abi.SearchReply, o *opened) {
	parts := []string{verdictOf(p)}
	hits := count(int64(len(p.Hits)), "hit")
	if p.Total != nil {
		of := "passage"
		if p.Request.Collapse == abi.CollapseDoc {
			of = "document"
		}
		hits += " of " + count(*p.Total, of)
	}
	parts = append(parts, hits)
	if p.Omitted > 0 {
		why := "which the budget has no room for"
		if p.Verdict == abi.NoAnswer {
			why = "since none answers"
		}
		parts = append(parts, count(p.Omitted, "hit")+" left out, "+why)
	}
	for _, d := range p.Degraded {
		parts = append(parts, "degraded: "+terminal.Line(d))
	}
	r.printf("%s", strings.Join(parts, " · "))
	if p.Cursor != "" {
		r.printf("more: the same with --cursor %s", terminal.Line(p.Cursor))
	}
	r.printf("%s  engine %s  corpus %s  reply %s", terminal.Line(o.Where), short(p.Engine), short(p.Corpus), short(p.Digest))
}

// verdictOf says what a reply is worth, and why.
func verdictOf(p *abi.SearchReply) string {
	var why []string
	switch p.Reason {
	case "":
	case abi.EmptyCorpus:
		why = append(why, "the corpus is empty")
	case abi.FilteredOut:
		why = append(why, "the filters let no passage through")
	case abi.OnlyStopWords:
		why = append(why, "the query has only words that every text has")
	case abi.NoWords:
		why = append(why, "the query has no word to look for")
	case abi.NoMatch:
		why = append(why, "no passage matches")
	case abi.BelowEvidence:
		why = append(why, "what was found holds too little of what was asked")
	default:
		why = append(why, terminal.Line(p.Reason))
	}
	e := p.Evidence
	if share := e.Together / max(e.Asked/100, 1); p.Verdict != abi.Answered && len(p.Hits) > 0 && share < 100 {
		why = append(why, fmt.Sprintf("the best hits hold %d %% of what was asked", share))
	}
	if p.Verdict == abi.Weak && len(p.Corrected) > 0 {
		why = append(why, "the query was corrected")
	}
	if len(e.Missing) > 0 {
		why = append(why, "nowhere: "+terminal.Line(strings.Join(e.Missing, ", ")))
	}
	if len(why) == 0 {
		return p.Verdict
	}
	return p.Verdict + ": " + strings.Join(why, "; ")
}

// marked puts the words of a query in bold where stdout is a terminal.
func (r *run) marked(text string, words []string) string {
	if !r.isTerminal() || r.Env("NO_COLOR") != "" {
		return text
	}
	return mark(text, words)
}

// isTerminal reports whether stdout shows what is written to it.
func (r *run) isTerminal() bool { return isTerminal(r.Stdout) && r.Env("TERM") != "dumb" }

func isTerminal(stream any) bool {
	f, ok := stream.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

const bold, plain = "\x1b[1m", "\x1b[22m"

// mark puts the words of a text that are like one of the given ones between bold and
// plain. It is for the eye: what counts as like is a guess.
func mark(text string, words []string) string {
	var b strings.Builder
	for len(text) > 0 {
		end := strings.IndexFunc(text, func(c rune) bool { return !isWord(c) })
		if end < 0 {
			end = len(text)
		}
		if word := text[:end]; alike(word, words) {
			b.WriteString(bold + word + plain)
		} else {
			b.WriteString(word)
		}
		text = text[end:]
		next := strings.IndexFunc(text, isWord)
		if next < 0 {
			next = len(text)
		}
		b.WriteString(text[:next])
		text = text[next:]
	}
	return b.String()
}

func isWord(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsMark(c) || unicode.IsDigit(c) || c == '_'
}

// alike reports whether a word is, without regard to case, one of the words or a part of
// one, or has the same beginning and at most three characters of its own.
func alike(word string, words []string) bool {
	if word == "" {
		return false
	}
	w := strings.ToLower(word)
	for _, q := range words {
		q = strings.ToLower(q)
		same := 0
		for same < min(len(w), len(q)) && w[same] == q[same] {
			same++
		}
		switch {
		case w == q, len(w) > 2 && strings.Contains(q, w) && strings.ContainsFunc(q, func(c rune) bool { return !isWord(c) }):
			return true
		case same >= 4 && len(w)-same <= 3 && len(q)-same <= 3:
			return true
		}
	}
	return false
}
