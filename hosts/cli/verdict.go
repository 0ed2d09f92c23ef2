package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// showEnd is the end of an answer: the verdict, the counts, the remarks and the names.
func (r *run) showEnd(a *answer) {
	parts := []string{verdictOf(a.SearchReply), hitsOf(a.SearchReply)}
	if a.Omitted > 0 {
		why := "which the budget has no room for"
		if a.Verdict == abi.NoAnswer && a.Request.Abstain {
			why = "since none answers"
		}
		parts = append(parts, count(a.Omitted, "hit")+" left out, "+why)
	}
	for _, d := range a.Degraded {
		parts = append(parts, "degraded: "+terminal.Line(d))
	}
	r.printf("%s", strings.Join(parts, " · "))
	for _, remark := range a.remarks() {
		r.printf("%s", remark)
	}
	if a.Cursor != "" {
		r.printf("more: the same with --cursor %s", terminal.Line(a.Cursor))
	}
	r.printf("%s  engine %s  corpus %s  reply %s", terminal.Line(a.where), short(a.Engine), short(a.Corpus), short(a.Digest))
}

// hitsOf says how many hits a reply has, and of how many.
func hitsOf(p *abi.SearchReply) string {
	hits := count(int64(len(p.Hits)), "hit")
	if p.Total != nil {
		of := "passage"
		if p.Request.Collapse == abi.CollapseDoc {
			of = "document"
		}
		hits += " of " + count(*p.Total, of)
	}
	if end := pastEnd(p); end != "" {
		hits += ": " + end
	}
	return hits
}

// pastEnd says of a page without hits that there are some before it, "" of any other.
func pastEnd(p *abi.SearchReply) string {
	found := p.Verdict != abi.NoAnswer || p.Reason == abi.BelowEvidence
	if !found || len(p.Hits) > 0 || p.Omitted > 0 || p.Request.Offset == 0 {
		return ""
	}
	return "the list ends before hit " + itoa(p.Request.Offset+1)
}

// reasons are what the reasons of a reply without an answer mean.
var reasons = map[string]string{
	abi.EmptyCorpus:   "the corpus is empty",
	abi.FilteredOut:   "no document passes the filter",
	abi.OnlyStopWords: "the query has only stop words, as the, of, more",
	abi.NoWords:       "the query has no word to look for",
	abi.NoMatch:       "no passage matches",
	abi.BelowEvidence: "what was found holds too little of what was asked",
}

// verdictOf says what a reply is worth, and why.
func verdictOf(p *abi.SearchReply) string {
	var why []string
	if p.Reason != "" {
		why = append(why, cmp.Or(reasons[p.Reason], terminal.Line(p.Reason)))
	}
	e := p.Evidence
	if share := e.Together / max(e.Asked/100, 1); p.Verdict != abi.Answered && len(p.Hits) > 0 && share < 100 {
		why = append(why, fmt.Sprintf("the best hits hold %d %% of what was asked", share))
	}
	if p.Verdict != abi.Answered && len(p.Hits) > 0 && e.Cosine != nil {
		why = append(why, "the nearest by meaning has a cosine of "+nano(*e.Cosine))
	}
	if p.Verdict == abi.Weak && len(p.Corrected) > 0 {
		why = append(why, "the query was corrected")
	}
	if missing := slices.DeleteFunc(slices.Clone(e.Missing), isPhrase); len(missing) > 0 {
		why = append(why, "nowhere as a whole: "+terminal.Line(strings.Join(missing, ", ")))
	}
	if p.Verdict == abi.Weak && len(why) == 0 {
		why = append(why, "no passage holds all of what was asked")
	}
	if len(why) == 0 {
		return p.Verdict
	}
	return p.Verdict + ": " + strings.Join(why, "; ")
}
