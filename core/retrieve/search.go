package retrieve

import (
	"cmp"
	"slices"

	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/filter"
	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/internal/fixed"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/internal/seed"
	"github.com/rookhaven-project/rookhaven/core/lexical"
	"github.com/rookhaven-project/rookhaven/core/rank"
	"github.com/rookhaven-project/rookhaven/core/vector"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// An inquiry is a SearchRequest made ready: what follows from it alone.
type inquiry struct {
	request abi.SearchRequest
	need    *lexical.Need
	params  lexical.Params
	filter  *filter.Filter // nil: none
	keys    *seed.Keys     // nil: no seed
	set     abi.VectorSet  // of the index
	vector  *vector.Vector // of the query; nil: the vector leg takes no part
	absent  string         // why it does not though it is asked for
	full    bool           // a leg brought up as much as it may; set by fuse
}

// inquire makes a SearchRequest ready for a corpus with this root and these vectors;
// query is the vector of the query, or nil.
func inquire(q abi.SearchRequest, root string, set abi.VectorSet, query []int8) (*inquiry, error) {
	a := &inquiry{request: q}
	if err := a.choose(set, query); err != nil {
		return nil, err
	}
	a.need, a.params = lexicalNeed(q.Profile, q.Query)
	if q.Match == abi.MatchExact {
		a.need = lexical.ParseExact(q.Query)
	}
	if q.Seed != nil {
		keys := seed.NewKeys(*q.Seed, q.Query)
		a.keys = &keys
	}
	if q.Filters != nil {
		f, err := filter.Parse(q.Filters)
		if err != nil {
			return nil, err
		}
		a.filter, a.request.Filters = f, f.Append(nil)
	}
	slices.Sort(a.request.Collections)
	slices.Sort(a.request.Documents)
	a.request.Collections, a.request.Documents = slices.Compact(a.request.Collections), slices.Compact(a.request.Documents)
	return a, a.turn(root)
}

// lexicalNeed makes a text ready for a profile that ranks by an index.
func lexicalNeed(profile, text string) (*lexical.Need, lexical.Params) {
	if profile == abi.ProfileJournal {
		return lexical.Words(text).Once(), lexical.Journal
	}
	return lexical.Parse(text), lexical.Standard
}

// pool returns how many hits are ranked: what the page needs, and what the
// verdict rests on.
func (a *inquiry) pool() int64 { return max(a.request.Offset+a.request.Limit+1, lexical.Evidence) }

// key returns what puts one chunk before another where scores are equal.
func (a *inquiry) key(stable, id string, chunk int64) rank.Hit {
	h := rank.Hit{Stable: stable, ID: id, Chunk: chunk}
	if a.keys != nil {
		h.Key = a.keys.Of(stable)
	}
	return h
}

// Further of a corpus that has an index.
type indexed struct {
	*index.Index
	statistics index.Statistics
	tables     map[string]*lexical.Tables // by profile
	vectors    vectors
}

func (x *indexed) tablesOf(profile string) *lexical.Tables {
	if x.tables[profile] == nil {
		x.tables[profile] = &lexical.Tables{}
	}
	return x.tables[profile]
}

// A round holds what one instance found between the rounds of a search.
type round struct {
	*inquiry
	corpus *corpus
	search *lexical.Search
	meter  *meter.Meter
	view   *lexical.View // of the whole generation; set by partial
	marker *lexical.Marker
	alone  bool           // no other instance ranks
	passes *passing       // nil until it is asked for
	scans  []*vector.Scan // by part of the index; nil until they are made
	hits   []lexical.Hit  // by Found.Ref; set by legs

	found func(part int, chunk uint32) // told of every chunk that a leg considers; nil: nobody is
}

// search begins a search in one instance.
func (c *corpus) search(a *inquiry, account *meter.Account, m *meter.Meter) (*round, error) {
	if err := c.ensure(account, m); err != nil {
		return nil, err
	}
	s, err := lexical.Prepare(c.lexical.Index, a.need, a.params, c.lexical.tablesOf(a.request.Profile), m)
	return &round{inquiry: a, corpus: c, search: s, meter: m}, err
}

// plan says what there is in this instance.
func (r *round) plan() (abi.SearchPlan, error) {
	p := r.corpus.lexical.plan(r.search)
	p.Vectors = r.corpus.lexical.vectors.VectorSet
	if !r.request.Typos {
		return p, nil
	}
	for _, unit := range r.search.Unknown() {
		list, err := lexical.Candidates(r.corpus.lexical.Index, &r.need.Units[unit], r.meter)
		if err != nil {
			return p, err
		}
		u := abi.UnknownWord{Unit: int64(unit)}
		for _, k := range list {
			u.Terms = append(u.Terms, abi.CandidateTerm{Text: k.Text, Distance: k.Distance, Live: k.Live})
		}
		p.Unknown = append(p.Unknown, u)
	}
	return p, nil
}

func (x *indexed) plan(search *lexical.Search) abi.SearchPlan {
	s := x.statistics
	return abi.SearchPlan{
		Documents: s.Documents, Chunks: s.Chunks, Title: s.Title, Heading: s.Heading, Body: s.Body, All: s.All,
		Counts: search.Counts(),
	}
}

// sum adds up the plans of all instances. A word is unknown where it is in every one.
func sum(plans []abi.SearchPlan) (abi.SearchPlan, error) {
	if len(plans) == 0 {
		return abi.SearchPlan{}, abi.Errorf(abi.RoundsInvalid, "there are no plans")
	}
	t := abi.SearchPlan{Counts: make([]int64, len(plans[0].Counts)), Unknown: unknown(plans)}
	var err error
	if t.Vectors, err = setOf(plans); err != nil {
		return t, err
	}
	for _, p := range plans {
		if len(p.Counts) != len(t.Counts) {
			return t, abi.Errorf(abi.RoundsInvalid, "the plans count %d and %d entries", int64(len(t.Counts)), int64(len(p.Counts)))
		}
		for i, n := range p.Counts {
			t.Counts[i] += n
		}
		t.Documents += p.Documents
		t.Chunks += p.Chunks
		t.Title += p.Title
		t.Heading += p.Heading
		t.Body += p.Body
		t.All += p.All
	}
	if t.Chunks > maxChunks {
		return t, abi.Errorf(abi.RoundsInvalid, "the plans have more than %d chunks", int64(maxChunks))
	}
	return t, nil
}

// setOf returns the vectors that all instances have.
func setOf(plans []abi.SearchPlan) (abi.VectorSet, error) {
	set := plans[0].Vectors
	for _, p := range plans[1:] {
		switch {
		case p.Vectors == set:
		case p.Vectors.Model == "" || set.Model == "":
			set = abi.VectorSet{Absent: max(set.Absent, p.Vectors.Absent)} // the graver of two reasons
		default:
			return set, abi.Errorf(abi.RoundsInvalid, "the plans are of instances with other vectors")
		}
	}
	return set, nil
}

// unknown returns the words that occur in no instance, with the candidates of all.
func unknown(plans []abi.SearchPlan) []abi.UnknownWord {
	instances, found := map[int64]int{}, map[int64]abi.UnknownWord{}
	for _, p := range plans {
		for _, u := range p.Unknown {
			instances[u.Unit]++
			found[u.Unit] = abi.UnknownWord{Unit: u.Unit, Terms: append(found[u.Unit].Terms, u.Terms...)}
		}
	}
	var list []abi.UnknownWord
	for _, u := range plans[0].Unknown {
		if instances[u.Unit] == len(plans) {
			list = append(list, found[u.Unit])
		}
	}
	return list
}

// corrections returns what the words that occur nowhere are taken for, and how often
// that stands in no instance yet.
func (a *inquiry) corrections(total *abi.SearchPlan) ([]abi.CorrectedWord, error) {
	var list []abi.CorrectedWord
	for _, u := range total.Unknown {
		if u.Unit >= int64(len(a.need.Units)) {
			return nil, abi.Errorf(abi.RoundsInvalid, "the query has no unit %d", u.Unit)
		}
		candidates := make([]lexical.Candidate, len(u.Terms))
		for i, t := range u.Terms {
			candidates[i] = lexical.Candidate{Text: t.Text, Distance: t.Distance, Live: t.Live}
		}
		if term, ok := lexical.Choose(candidates); ok {
			list = append(list, abi.CorrectedWord{Unit: u.Unit, Text: term})
		}
	}
	return list, nil
}

// count counts in this instance what words are taken for.
func (r *round) count(total *abi.SearchPlan) (s abi.SearchStatistics, err error) {
	if s.Corrected, err = r.corrections(total); err != nil {
		return s, err
	}
	for i := range s.Corrected {
		c := &s.Corrected[i]
		if c.Live, c.Stem, err = lexical.CountsOf(r.corpus.lexical.Index, &r.need.Units[c.Unit], c.Text, r.meter); err != nil {
			return s, err
		}
	}
	if s.Apart, err = r.apart(total); err != nil {
		return s, err
	}
	if r.vector != nil {
		err = r.scan(total)
		if err != nil {
			return s, err
		}
		s.Histogram = r.histogram()
	}
	return s, nil
}

// apart reports whether there are several quoted phrases, and no chunk here that may be a
// hit has all of them.
func (r *round) apart(total *abi.SearchPlan) (bool, error) {
	if err := r.resolve(total); err != nil || r.search.Phrases() < 2 {
		return false, err
	}
	filter, err := r.filtered()
	if err != nil {
		return false, err
	}
	for i := range r.corpus.lexical.Parts {
		allowed, err := r.search.Allowed(i, filter.of(i))
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(allowed, func(word uint64) bool { return word != 0 }) {
			return false, nil
		}
	}
	return true, nil
}

// phrasesApart reports whether one of several quoted phrases is enough for the lexical leg.
func (a *inquiry) phrasesApart(all []abi.SearchStatistics) bool {
	return a.request.Mode != abi.ModeVector && !slices.ContainsFunc(all, func(s abi.SearchStatistics) bool { return !s.Apart })
}

// correct puts the words that are taken for typos right in a need with its
// entries' counts, by what all instances count, and returns what it put.
func (a *inquiry) correct(total *abi.SearchPlan, all []abi.SearchStatistics, stem lexical.Stem) ([]abi.Correction, error) {
	words, err := a.corrections(total)
	if err != nil {
		return nil, err
	}
	var list []abi.Correction
	for i := range words {
		w := &words[i]
		for n, s := range all {
			if i >= len(s.Corrected) || s.Corrected[i].Unit != w.Unit || s.Corrected[i].Text != w.Text {
				return nil, abi.Errorf(abi.RoundsInvalid, "statistics %d do not count what the plans take unit %d for", int64(n), w.Unit)
			}
			w.Live += s.Corrected[i].Live
			w.Stem += s.Corrected[i].Stem
		}
		list = append(list, abi.Correction{From: a.need.Units[w.Unit].Asked, To: w.Text})
		a.need.Correct(int(w.Unit), w.Text, w.Live, w.Stem, stem, a.params, total.Counts)
	}
	return list, nil
}

// partial ranks the chunks of this instance.
func (r *round) partial(total abi.SearchPlan, all []abi.SearchStatistics, corrected bool) (abi.SearchPartial, error) {
	p := abi.SearchPartial{}
	if err := r.scan(&total); err != nil { // by what is asked, before it is corrected
		return p, err
	}
	if corrected {
		var err error
		if r.search, err = lexical.Prepare(r.corpus.lexical.Index, r.need, r.params, r.corpus.lexical.tablesOf(r.request.Profile), r.meter); err != nil {
			return p, err
		}
	}
	if err := r.resolve(&total); err != nil {
		return p, err
	}
	r.view, r.marker = r.search.View(statisticsOf(r.params, total)), lexical.NewMarker(r.search)
	least := r.view.Least(r.request.MinEvidence)
	filter, err := r.filtered()
	if err != nil {
		return p, err
	}
	p.Passed, p.Unmet = filter.passed, filter.unmet
	err = r.legs(&p, all, lexical.Query{Limit: r.pool(), Collapse: r.request.Collapse == abi.CollapseDoc, Least: least})
	if err != nil {
		return p, err
	}
	texts := 0
	for i := range p.Hits {
		h, shown := r.hits[p.Hits[i].Ref], !r.alone
		if r.alone && r.vector != nil { // what is shown is known after the legs are joined: see texts
			r.name(&p.Hits[i], h)
			continue
		}
		if r.vector == nil { // the order is known here
			shown = int64(i) < r.request.Offset+r.request.Limit && h.Score >= least && (shown || int64(i) >= r.request.Offset)
		}
		if err := r.tell(&p.Hits[i], h, shown, &texts); err != nil {
			return p, err
		}
	}
	return p, nil
}

// resolve makes the search ready to rank, by what all instances count.
func (r *round) resolve(total *abi.SearchPlan) error {
	if len(total.Counts) != len(r.search.Counts()) {
		return abi.Errorf(abi.RoundsInvalid, "the plans count %d entries, the query has %d", int64(len(total.Counts)), int64(len(r.search.Counts())))
	}
	r.search.Resolve(statisticsOf(r.params, *total), total.Counts)
	return nil
}

// legs ranks by the legs that take part; words says how the lexical one ranks alone.
func (r *round) legs(p *abi.SearchPartial, all []abi.SearchStatistics, words lexical.Query) error {
	if r.vector != nil {
		return r.bothLegs(p, all)
	}
	words.Apart, words.Found = r.phrasesApart(all), r.found
	hits, err := r.rank(p, words)
	p.Hits = make([]abi.Found, len(hits))
	for i, h := range hits {
		p.Hits[i] = abi.Found{Score: h.Score.Nano(), Tier: h.Score.Tier(), Ref: i}
	}
	r.hits = hits
	return err
}

// rank is the lexical leg here, with what the request says for it.
func (r *round) rank(p *abi.SearchPartial, by lexical.Query) ([]lexical.Hit, error) {
	filter, err := r.filtered()
	if err != nil {
		return nil, err
	}
	by.Filter, by.Exact, by.Key = filter.allowed, r.request.Count || by.Found != nil, r.keyOf
	hits, matched, err := r.search.Rank(by)
	p.Matched = matched
	return hits, err
}

// keyOf is key of a chunk of the index.
func (r *round) keyOf(part int, chunk uint32) rank.Hit {
	s := r.corpus.lexical.Parts[part]
	doc := s.DocumentOf(chunk)
	stable, id := s.Key(doc)
	first, _ := s.Range(doc)
	return r.key(stable, id, int64(chunk-first))
}

// bothLegs is legs with the vector leg.
func (r *round) bothLegs(p *abi.SearchPartial, all []abi.SearchStatistics) error {
	distances, err := r.distances(all)
	if err != nil {
		return err
	}
	reach := distances.Reach(candidates)
	nearest, err := r.nearest(reach)
	if err != nil {
		return err
	}
	var ranked []lexical.Hit
	words := lexical.Query{Limit: legPool, Apart: r.phrasesApart(all)}
	switch {
	case r.request.Mode == abi.ModeHybrid:
		words.Found = r.found
		ranked, err = r.rank(p, words)
	case r.request.Collapse == abi.CollapseDoc && r.found == nil:
		_, err = r.rank(p, words) // for which chunks of a hit's document match
	}
	if err != nil {
		return err
	}
	p.Hits = r.both(ranked, nearest, reach)
	if r.request.Count {
		words.Limit, words.Collapse, words.Found = 1, true, nil
		return r.countMatches(p, words)
	}
	return nil
}

// countMatches counts what matches where the vector leg takes part: by the words, whose
// documents words counts, or of that leg alone all that is let through.
func (r *round) countMatches(p *abi.SearchPartial, words lexical.Query) error {
	switch {
	case r.request.Mode != abi.ModeVector && r.request.Collapse == abi.CollapseNone:
	case r.request.Mode != abi.ModeVector:
		_, err := r.rank(p, words)
		return err
	default:
		p.Matched = 0
		for i, scan := range r.scans {
			part, last := r.corpus.lexical.Parts[i], uint32(0)
			for chunk := range uint32(part.Chunks()) {
				if !scan.Within(int(chunk), r.vector.Dimensions()) {
					continue
				}
				doc := part.DocumentOf(chunk)
				if r.request.Collapse == abi.CollapseNone || last != doc+1 {
					p.Matched++
				}
				last = doc + 1
			}
		}
	}
	return nil
}

func textsOf(f *abi.Found) int {
	n := 0
	if f.Text != nil {
		n += len(f.Text.Text)
	}
	if f.Context != nil {
		n += len(f.Context.Text)
	}
	for _, l := range f.Front {
		n += len(l.Text)
	}
	return n
}

// maxTexts bounds the texts that an instance gives: where several rank, each has to
// give those of all hits up to the end of the page, since any may be on it.
const maxTexts = 128 << 20

// A passing says which chunks of each part the filters let through, how many live ones
// these are, and what of the filters no document meets.
type passing struct {
	allowed []lexical.Bitmap // nil: all
	passed  int64
	unmet   abi.Unmet
}

func (p *passing) of(part int) lexical.Bitmap {
	if p.allowed == nil {
		return nil
	}
	return p.allowed[part]
}

// filtered returns what passes here.
func (r *round) filtered() (*passing, error) {
	if r.passes != nil {
		return r.passes, nil
	}
	x, by := r.corpus.lexical, r.restriction()
	if by == nil {
		r.passes = &passing{passed: x.statistics.Chunks}
		return r.passes, nil
	}
	p := &passing{allowed: make([]lexical.Bitmap, len(x.Parts))}
	for i, part := range x.Parts {
		b, passed, err := by.chunks(part, r.meter)
		if err != nil {
			return nil, err
		}
		p.allowed[i] = b
		p.passed += passed
	}
	p.unmet = by.unmet()
	r.passes = p
	return p, nil
}

func statisticsOf(p lexical.Params, total abi.SearchPlan) lexical.Statistics {
	return p.Statistics(index.Statistics{
		Documents: total.Documents, Chunks: total.Chunks, Title: total.Title, Heading: total.Heading, Body: total.Body, All: total.All,
	})
}

// tell adds to a hit what a partial says of it, and its texts where it is shown; texts
// counts their bytes.
func (r *round) tell(f *abi.Found, h lexical.Hit, shown bool, texts *int) error {
	f.Units = r.search.Units(h)
	if r.request.Explain {
		f.Parts = partsOf(r.search.Explain(h))
	}
	f.Passage = r.passage(h, shown)
	if shown && r.request.Collapse == abi.CollapseDoc {
		if err := r.collapsed(&f.Passage, h); err != nil {
			return err
		}
	}
	if *texts += textsOf(f); *texts > maxTexts {
		return abi.Errorf(abi.OverBudget, "the texts of the hits to %d take more than %d bytes in one instance: ask for an earlier page, or for less text around hits", r.request.Offset+r.request.Limit, int64(maxTexts))
	}
	return r.meter.Add(2000)
}

// name tells of a hit what its place and the verdict rest on.
func (r *round) name(f *abi.Found, h lexical.Hit) {
	key := r.keyOf(h.Part, h.Chunk)
	f.Stable, f.ID, f.Chunk, f.Units = key.Stable, key.ID, key.Chunk, r.search.Units(h)
}

// answerSearch runs the rounds in one instance, with these vectors of the corpus.
func (e *Engine) answerSearch(c *corpus, q abi.SearchRequest, set abi.VectorSet, query []int8, m *meter.Meter) ([]byte, error) {
	e.stage("plan")
	a, err := inquire(q, c.root, set, query)
	if err != nil {
		return nil, err
	}
	r, err := c.search(a, e.account, m)
	if err != nil {
		return nil, err
	}
	r.alone = true
	total, err := r.plan()
	if err != nil {
		return nil, err
	}
	if err := a.bounded(total); err != nil {
		return nil, err
	}
	statistics, err := r.count(&total)
	if err != nil {
		return nil, err
	}
	corrected, err := a.correct(&total, []abi.SearchStatistics{statistics}, c.lexical.Stem)
	if err != nil {
		return nil, err
	}
	e.stage("rank")
	p, err := r.partial(total, []abi.SearchStatistics{statistics}, len(corrected) > 0)
	if err != nil {
		return nil, err
	}
	e.stage("merge")
	reply := &abi.SearchReply{Names: c.names, Corpus: c.root, Settings: c.lexical.Settings, Corrected: corrected}
	if err := a.conclude(reply, total, []abi.SearchStatistics{statistics}, []abi.SearchPartial{p}, r.view, r.texts); err != nil {
		return nil, err
	}
	return audit.SealSearch(reply), nil
}

// texts tells the texts of hits that are shown, where they were not told before.
func (r *round) texts(list []abi.Found) error {
	texts := 0
	for i := range list {
		if r.vector == nil {
			return nil
		}
		if err := r.tell(&list[i], r.hits[list[i].Ref], true, &texts); err != nil {
			return err
		}
	}
	return nil
}

// vectorSet returns the vectors that a corpus has.
func (c *corpus) vectorSet() abi.VectorSet {
	if c.lexical == nil {
		return abi.VectorSet{}
	}
	return c.lexical.vectors.VectorSet
}

// work says how much a search looks at: the live postings of its entries and the
// live chunks.
func (a *inquiry) work(total abi.SearchPlan) abi.SearchWork {
	w := abi.SearchWork{Chunks: total.Chunks}
	for _, n := range total.Counts {
		w.Postings += n
	}
	if a.vector != nil {
		w.Vectors = total.Chunks
	}
	w.Units = w.Chunks + w.Postings + w.Vectors
	return w
}

func (a *inquiry) bounded(total abi.SearchPlan) error {
	if w := a.work(total); w.Units > a.request.WorkLimit {
		return abi.Errorf(abi.WorkLimit, "the request takes %d units, its workLimit is %d", w.Units, a.request.WorkLimit)
	}
	return nil
}

// conclude makes the reply of what all instances found; texts tells the texts of those
// that are shown, where the partials do not.
func (a *inquiry) conclude(reply *abi.SearchReply, total abi.SearchPlan, all []abi.SearchStatistics, partials []abi.SearchPartial, view *lexical.View, texts func([]abi.Found) error) error {
	reply.Request, reply.Degraded, reply.Work = a.request, []string{}, a.work(total)
	if a.need.Omitted > 0 {
		reply.Degraded = append(reply.Degraded, abi.TermsOmitted)
	}
	if a.absent != "" {
		reply.Degraded = append(reply.Degraded, a.absent)
	}
	if a.vector != nil {
		reply.Model = a.set.Model
		if a.set.External {
			reply.Query = a.vector.Components()
		}
	}
	reply.Unmet = common(partials)
	ranked, matched, passed, err := a.merge(partials, view)
	if err != nil {
		return err
	}
	if len(ranked) > 0 && a.phrasesApart(all) {
		reply.Degraded = append(reply.Degraded, abi.PhrasesApart)
	}
	if a.request.Count {
		reply.Total = &matched
	}
	a.judge(reply, view, ranked, total, passed)
	return a.show(reply, view, ranked, texts)
}

// merge joins what the instances found, in the total order.
func (a *inquiry) merge(partials []abi.SearchPartial, view *lexical.View) (ranked []abi.Found, matched, passed int64, err error) {
	for i, p := range partials {
		if i == 0 {
			ranked = p.Hits[:len(p.Hits):len(p.Hits)]
		} else {
			ranked = append(ranked, p.Hits...)
		}
		matched += p.Matched
		passed += p.Passed
	}
	switch {
	case a.vector != nil:
		if ranked = a.fuse(ranked, view); a.request.Collapse == abi.CollapseDoc {
			ranked = collapse(ranked)
		}
	case len(partials) > 1: // else they are ranked
		slices.SortFunc(ranked, func(x, y abi.Found) int { return a.compare(&x, &y) })
	}
	for i := 1; i < len(ranked) && len(partials) > 1; i++ {
		if a.compare(&ranked[i-1], &ranked[i]) == 0 {
			return nil, 0, 0, abi.Errorf(abi.RoundsInvalid, "document %q is in two partials", ranked[i].ID)
		}
	}
	return ranked[:min(int64(len(ranked)), a.pool())], matched, passed, nil
}

func (a *inquiry) compare(x, y *abi.Found) int {
	if c := cmp.Or(cmp.Compare(y.Tier, x.Tier), cmp.Compare(y.Score, x.Score)); c != 0 {
		return c
	}
	return rank.Compare(a.key(x.Stable, x.ID, x.Chunk), a.key(y.Stable, y.ID, y.Chunk))
}

// hit returns the hit at a place of the ranking.
func (a *inquiry) hit(ranked []abi.Found, i int, view *lexical.View) abi.Found {
	f := ranked[i]
	f.Rank, f.Evidence = int64(i+1), a.evidence(&ranked[i], view)
	f.Words = view.Words(f.Units)
	if !a.request.Explain {
		f.Legs = nil
	} else {
		f.Key, f.Rule = a.key(f.Stable, f.ID, f.Chunk).Key, "last"
		if i+1 < len(ranked) {
			f.Rule = a.why(f, ranked[i+1])
		}
	}
	return f
}

// why returns the rule that puts one hit above the next.
func (a *inquiry) why(x, y abi.Found) string {
	if x.Tier != y.Tier {
		return "tier"
	}
	hx, hy := a.key(x.Stable, x.ID, x.Chunk), a.key(y.Stable, y.ID, y.Chunk)
	hx.Score, hy.Score = fixed.Score(x.Score), fixed.Score(y.Score)
	return string(rank.Why(hx, hy))
}
