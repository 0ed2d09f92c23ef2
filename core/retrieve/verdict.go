package retrieve

import (
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/internal/fixed"
	"github.com/rookhaven-project/rookhaven/core/lexical"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// judge sets the verdict, what it rests on, and the reason for an empty answer:
// the first that holds of an empty index, filters that let nothing through, a
// query of stop words, one that matches nothing, and too little evidence.
func (a *inquiry) judge(reply *abi.SearchReply, view *lexical.View, ranked []abi.Found, total abi.SearchPlan, passed int64) {
	e, cosine := a.weigh(view, ranked)
	reply.Evidence = abi.Evidence{Asked: e.Asked, Passage: e.Passage, Together: e.Together, Score: e.Best, Most: e.Most, Missing: e.Missing}
	if a.vector != nil {
		reply.Evidence.Cosine = &cosine
	}
	reply.Verdict = verdictOf(e, len(ranked), len(reply.Corrected) > 0 || slices.Contains(reply.Degraded, abi.PhrasesApart))
	switch {
	case total.Chunks == 0:
		reply.Verdict, reply.Reason = abi.NoAnswer, abi.EmptyCorpus
	case passed == 0:
		reply.Verdict, reply.Reason = abi.NoAnswer, abi.FilteredOut
	case view.NoWords():
		reply.Verdict, reply.Reason = abi.NoAnswer, abi.NoWords
	case view.OnlyStopWords() && (len(ranked) == 0 || e.Level == lexical.None):
		reply.Verdict, reply.Reason = abi.NoAnswer, abi.OnlyStopWords
	case len(ranked) == 0:
		reply.Verdict, reply.Reason = abi.NoAnswer, abi.NoMatch
	case reply.Verdict == abi.NoAnswer || a.reach(view, ranked) == 0:
		reply.Verdict, reply.Reason = abi.NoAnswer, abi.BelowEvidence
	}
}

// weigh says what the best hits hold of what is asked, and the best cosine.
func (a *inquiry) weigh(view *lexical.View, ranked []abi.Found) (e lexical.Finding, cosine int64) {
	best := make([][]int64, 0, lexical.Evidence)
	for _, f := range ranked[:min(len(ranked), lexical.Evidence)] {
		best = append(best, f.Units)
	}
	score, cosine := bestOf(ranked)
	if a.vector == nil && len(ranked) > 0 {
		score = ranked[0].Score
	}
	e = view.Evidence(best, score)
	if a.vector != nil {
		e.Level = a.level(view, &e, cosine)
	}
	return e, cosine
}

// verdictOf returns the verdict of what was found; less says that it was found by less
// than what is asked for.
func verdictOf(e lexical.Finding, hits int, less bool) string {
	switch {
	case hits == 0 || e.Level == lexical.None:
		return abi.NoAnswer
	case e.Level == lexical.Little || len(e.Missing) > 0 || less:
		return abi.Weak
	}
	return abi.Answered
}

// verdictOfNeeds is that of a reply: answered where every need with a slot is, no_answer
// where none is. Without an index, every hit is an answer.
func verdictOfNeeds(subs []abi.Subquery, hits int) string {
	counts, judged := map[string]int{}, 0
	for _, s := range subs {
		if s.Verdict != "" {
			counts[s.Verdict]++
			judged++
		}
	}
	switch {
	case hits == 0 || judged > 0 && counts[abi.NoAnswer] == judged:
		return abi.NoAnswer
	case counts[abi.Answered] == judged:
		return abi.Answered
	}
	return abi.Weak
}

// bestOf returns the best score of the lexical leg and the best cosine of fused hits.
func bestOf(ranked []abi.Found) (score, cosine int64) {
	for i := range ranked {
		for _, leg := range ranked[i].Legs {
			if leg.Name == abi.LegLexical {
				score = max(score, leg.Score)
			} else {
				cosine = max(cosine, leg.Score)
			}
		}
	}
	return score, cosine
}

// The bounds between the levels where the vector leg takes part, in thousandths: of the
// nearness, and of the sum of the legs, weighted as scores are. They were chosen on the
// collections apidocs, cosqa and nfcorpus_pp; TestX13NoAnswer has the others.
const (
	someCosine, enoughCosine = 340, 420
	someSum, enoughSum       = 300, 380
)

// level weighs the evidence of both legs, or of the vector leg alone. What one passage
// holds as a whole is enough by the words.
func (a *inquiry) level(view *lexical.View, e *lexical.Finding, cosine int64) lexical.Level {
	some, enough, near := int64(someCosine), int64(enoughCosine), a.nearness(cosine)
	if a.request.Mode == abi.ModeHybrid {
		if e.Whole() {
			return lexical.Enough
		}
		some, enough = someSum, enoughSum
		near = view.Of(0, e.Best)*lexicalWeight/1000 + near*vectorWeight/1000
	}
	switch {
	case near*1000 < some*fixed.One && a.nearness(cosine)*1000 >= enoughCosine*fixed.One:
		return lexical.Little // by meaning alone it is an answer
	case near*1000 < some*fixed.One:
		return lexical.None
	case near*1000 < enough*fixed.One:
		return lexical.Little
	}
	return lexical.Enough
}

// A cursor is the offset of the next page and the first digits of a digest over
// the corpus, everything in the request that says which hits there are and in
// what order, and the vectors that took part: it fits no other list, and this one however a page of it is shown.
func (a *inquiry) cursor(root string, offset int64) string {
	q, d := a.request, abi.DefaultSearch()
	q.Cursor, q.Offset, q.Limit, q.Budget, q.WorkLimit = "", 0, d.Limit, nil, d.WorkLimit
	q.Explain, q.Text, q.Expand, q.Count, q.Abstain = d.Explain, d.Text, d.Expand, d.Count, d.Abstain
	of := q.Append([]byte("rh/cursor/v1\x00" + root))
	if q.Mode != abi.ModeLexical { // the same question gives another list once vectors come
		of = append(of, "\x00"+a.set.Model+"\x00"+a.absent...)
	}
	name := audit.Name(audit.Sum(of))
	return decimal(offset) + "." + name[len("sha256:"):][:cursorDigits]
}

const cursorDigits = 32

// turn puts the offset that a cursor stands for into the request.
func (a *inquiry) turn(root string) error {
	if a.request.Cursor == "" {
		return nil
	}
	if a.request.Offset != 0 {
		return abi.Errorf(abi.CursorInvalid, "a request has a cursor or an offset, not both")
	}
	digits, _, ok := strings.Cut(a.request.Cursor, ".")
	offset, isNumber := number(digits)
	if !ok || !isNumber || offset > abi.MaxOffset || len(a.request.Cursor) != len(digits)+1+cursorDigits {
		return abi.Errorf(abi.CursorInvalid, "%q is no cursor", a.request.Cursor)
	}
	if a.cursor(root, offset) != a.request.Cursor {
		return abi.Errorf(abi.CursorStale, "the cursor is of another corpus or another request")
	}
	a.request.Cursor, a.request.Offset = "", offset
	return nil
}

// number reads a decimal number of at most nine digits in its shortest spelling.
func number(s string) (n int64, ok bool) {
	if s == "" || len(s) > 9 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = 10*n + int64(s[i]-'0')
	}
	return n, true
}

func decimal(n int64) string {
	var b []byte
	for ; n > 0 || len(b) == 0; n /= 10 {
		b = append(b, byte('0'+n%10))
	}
	slices.Reverse(b)
	return string(b)
}
