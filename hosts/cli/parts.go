package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// showParts shows how the scores of an answer came about.
func (r *run) showParts(a *answer) {
	r.showAsked(a)
	for i := range a.Hits {
		h := &a.Hits[i]
		r.showPlace(a, h)
		r.printf("      %-24s %-6s %6s %7s %9s %14s %14s", "part", "form", "count", "length", "passages", "weight", "score")
		sum := int64(0)
		for _, part := range h.Parts {
			r.printf("      %-24s %-6s %6d %7d %9d %14s %14s", terminal.Cut(terminal.Line(part.Text), 23), part.Form, part.Count, part.Length, part.Live, nano(part.Weight), nano(part.Score))
			sum += part.Score
		}
		r.printf("      %-24s %-6s %6s %7s %9s %14s %14s", "sum", "", "", "", "", "", nano(sum))
		r.showLegs(h)
		r.showFront(h)
		if i+1 < len(a.Hits) {
			r.printf("      %s", lost(h, &a.Hits[i+1]))
		} else {
			r.printf("      the last one shown")
		}
		r.printf("")
	}
	r.showEnd(a)
}

// showLegs shows what each leg adds to a score, where there are several ways to find.
func (r *run) showLegs(h *abi.Found) {
	if len(h.Legs) == 0 {
		return
	}
	r.printf("      %-24s %-6s %47s %14s", "leg", "rank", "score", "share")
	for _, leg := range h.Legs {
		rank := "-"
		if leg.Rank > 0 {
			rank = itoa(leg.Rank)
		}
		r.printf("      %-24s %-6s %47s %14s", legNames[leg.Name], rank, nano(leg.Score), nano(leg.Share))
	}
}

var legNames = map[string]string{abi.LegLexical: "by words", abi.LegVector: "by meaning"}

// lost says why the next hit does not stand above this one.
func lost(h, next *abi.Found) string {
	s := above(h, true)
	switch h.Rule {
	case "tier":
		return s + ": " + itoa(h.Tier) + ", the next has " + itoa(next.Tier)
	case "score":
		return s + ", " + nano(h.Score-next.Score) + " more: " + lacks(h, next)
	case "key":
		return s + ": " + itoa(int64(h.Key)) + ", the next has " + itoa(int64(next.Key))
	}
	return s
}

// lacks says which words make the difference between two scores: the two that make most
// of it.
func lacks(h, next *abi.Found) string {
	more := map[string]int64{}
	if len(h.Legs) > 0 {
		return lacksLegs(h, next)
	}
	for _, part := range h.Parts {
		more[part.Text] += part.Score
	}
	for _, part := range next.Parts {
		more[part.Text] -= part.Score
	}
	var words []string
	for word, n := range more {
		if n != 0 {
			words = append(words, word)
		}
	}
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(max(more[b], -more[b]), max(more[a], -more[a])), cmp.Compare(a, b))
	})
	var said []string
	for _, word := range words[:min(len(words), 2)] {
		n, than := more[word], " less of "
		if n < 0 {
			n, than = -n, " more of "
		}
		said = append(said, nano(n)+than+quote(word, 40))
	}
	return "the next has " + strings.Join(said, ", ")
}

// lacksLegs says which legs make the difference between two scores.
func lacksLegs(h, next *abi.Found) string {
	shares := map[string]int64{}
	for _, leg := range next.Legs {
		shares[leg.Name] = leg.Share
	}
	var said []string
	for _, leg := range h.Legs {
		switch n := leg.Share - shares[leg.Name]; {
		case n > 0:
			said = append(said, nano(n)+" less "+legNames[leg.Name])
		case n < 0:
			said = append(said, nano(-n)+" more "+legNames[leg.Name])
		}
	}
	return "the next has " + strings.Join(said, ", ")
}
