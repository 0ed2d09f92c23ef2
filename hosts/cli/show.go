package cli

import (
	"fmt"
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

const width = 100 // characters of a line of text

// show writes a reply for people: the needs with their budgets, the hits with the
// reason for each, and what was left out.
func show(p *abi.Reply) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s", quote(p.Request.Query, 200))
	by := p.Request.Profile
	if p.Request.Mode != "" {
		by += ", " + p.Request.Mode
	}
	line("budget %d, seed %s, profile %s", p.Request.RecallBudget, quote(p.Request.Seed, 40), by)
	line("")
	line("needs")
	verb := "match"
	if p.Work.Vectors > 0 { // any that is near enough to be looked at
		verb = "come into question"
	}
	for _, s := range p.Audit.Subqueries {
		line("  %d. %s: weight %d, %s, %s%s", s.Index+1, quote(s.Text, 60), s.Weight, count(s.Budget, "slot"), matched(&s, verb), answeredBy(&s))
	}
	line("")
	line("hits")
	names := make([]string, len(p.Hits))
	for i := range p.Hits {
		names[i] = p.Hits[i].ID
	}
	name := spelling(names)
	for i := range p.Hits {
		showHit(line, p, i, name)
	}
	if len(p.Hits) == 0 {
		line("  none: %s", reason(p))
		line("")
	}
	line("%s", summary(p))
	line("engine %s  corpus %s  reply %s", short(p.Engine), short(p.Corpus), short(p.Digest))
	return b.String()
}

func matched(s *abi.Subquery, verb string) string {
	if s.Budget == 0 {
		return "not ranked"
	}
	return count(s.Matched, "document") + " " + verb
}

// answeredBy says how well a need is answered, where that is known.
func answeredBy(s *abi.Subquery) string {
	if s.Verdict == "" {
		return ""
	}
	return ": " + terminal.Line(s.Verdict)
}

func showHit(line func(string, ...any), p *abi.Reply, i int, name func(string) string) {
	h := &p.Hits[i]
	title := ""
	if h.Title != "" {
		title = "  " + terminal.Cut(terminal.Line(h.Title), 70)
	}
	lines := ""
	if p := h.Place; p != nil {
		lines = fmt.Sprintf(":%d-%d", p.FirstLine, p.LastLine)
	}
	line("%4d. %s  %s%s%s", h.Rank, nano(h.Score), terminal.Cut(name(h.ID), 80), lines, title)
	for _, n := range h.Needs {
		line("      %s", pick(p, h, &n))
	}
	if h.Explain != nil {
		line("      %s", placed(h, i+1 < len(p.Hits)))
	}
	if h.Text != nil && strings.TrimSpace(h.Text.Text) != "" {
		line("%s", terminal.Wrap(excerpt(h.Text), indent, width))
	}
	line("")
}

// pick says why a need picked a hit.
func pick(p *abi.Reply, h *abi.Hit, n *abi.Pick) string {
	need := ""
	if n.Index >= 0 && n.Index < int64(len(p.Audit.Subqueries)) {
		need = " " + quote(p.Audit.Subqueries[n.Index].Text, 60)
	}
	verb := "picked by"
	if h.Fill {
		verb = "took an empty slot, best for"
	}
	s := fmt.Sprintf("%s need %d%s: rank %d, score %s", verb, n.Index+1, need, n.Rank, nano(n.Score))
	switch e := n.Explain; {
	case e == nil:
	case e.Given != nil:
		s += ", a score that the caller gave"
	case e.Parts != nil:
		for _, l := range e.Legs {
			rank := "not among its best"
			if l.Rank > 0 {
				rank = fmt.Sprintf("rank %d", l.Rank)
			}
			s += fmt.Sprintf("\n        %s %s, %s, gives %s", legNames[l.Name], nano(l.Score), rank, nano(l.Share))
		}
		parts := make([]string, len(e.Parts))
		for i, part := range e.Parts {
			parts[i] = fmt.Sprintf("%s (%s) %s", terminal.Line(part.Text), part.Form, nano(part.Score))
		}
		if len(parts) > 0 {
			s += "\n        = " + strings.Join(parts, " + ")
		}
	default:
		terms := make([]string, len(e.Terms))
		for i, t := range e.Terms {
			terms[i] = fmt.Sprintf("%s %d×%d", terminal.Line(t.Term), t.Query, t.Document)
		}
		s += fmt.Sprintf("\n        = %d / √(%d·%d) from %s", e.Dot, e.QueryNorm, e.DocumentNorm, strings.Join(terms, ", "))
	}
	return s
}

// placed says what puts a hit above the next one.
func placed(h *abi.Hit, next bool) string {
	rule := map[string]string{
		"tier": "its tier", "score": "its score", "key": "its seeded key, since the scores are equal",
		"stableKey": "its stable key, since scores and seeded keys are equal", "id": "its id, since all else is equal",
	}[h.Explain.Rule]
	if !next || rule == "" {
		return fmt.Sprintf("the last one (seeded key %d)", h.Explain.Key)
	}
	return fmt.Sprintf("above the next by %s (seeded key %d)", rule, h.Explain.Key)
}

func excerpt(x *abi.Excerpt) string {
	s := terminal.Line(x.Text)
	if x.From > 0 {
		s = "…" + s
	}
	if x.To < x.Of {
		s += "…"
	}
	return s
}

func reason(p *abi.Reply) string {
	switch p.Reason {
	case abi.EmptyCorpus:
		return "the corpus is empty"
	case abi.OnlyStopWords:
		return "the query has only stop words, as the, of, more"
	case abi.NoMatch:
		return "no document holds a word of the query"
	case abi.BelowEvidence:
		return "what was found holds too little of the query"
	}
	return terminal.Line(p.Reason)
}

// summary says what came out and what is not in it.
func summary(p *abi.Reply) string {
	verdict := p.Verdict
	if p.Reason == abi.BelowEvidence {
		verdict += " (" + reason(p) + ")"
	}
	parts := []string{verdict, count(int64(len(p.Hits)), "hit")}
	if n := p.Omitted.Documents; n > 0 {
		parts = append(parts, count(n, "more document")+" match")
	}
	if n := p.Omitted.Slots; n > 0 {
		parts = append(parts, count(n, "slot")+" stayed empty")
	}
	if p.Omitted.Pool > 0 {
		parts = append(parts, fmt.Sprintf("no more than the best %d passages by words and by meaning were looked at", p.Omitted.Pool))
	}
	for _, d := range p.Degraded {
		parts = append(parts, "degraded: "+terminal.Line(d))
	}
	return strings.Join(parts, " · ")
}

func count(n int64, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// quote puts what somebody wrote in quotes, in single ones where it has double ones.
func quote(s string, most int) string {
	q := `"`
	if strings.Contains(s, q) {
		q = "'"
	}
	return q + terminal.Cut(terminal.Line(s), most) + q
}

// nano writes a score with nine decimals.
func nano(n int64) string {
	if n < 0 {
		return "-" + nano(-n)
	}
	return fmt.Sprintf("%d.%09d", n/1e9, n%1e9)
}

// short is the part of a digest that people compare.
func short(digest string) string {
	hex, ok := strings.CutPrefix(digest, "sha256:")
	if !ok || len(hex) < 12 {
		return json.Quote(digest)
	}
	return hex[:12]
}
