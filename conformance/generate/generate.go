// Package generate makes cases from a seed: the same seed gives the same bytes, so
// a runtime needs no copy of the generator, only the calls.
//
// Twelve knobs are turned for each case on its own: how many documents there are
// (0 to 2,000, mostly few); duplicate and empty texts; scores that are equal on
// purpose; scripts (forty); combining marks and normal forms; characters beyond
// U+FFFF; very long words; connectors; budgets and work limits from 1 to the
// largest; ids that differ in case or normal form only, stable keys that are
// equal; options, needs and scores; and wrong requests, in bytes, in JSON and in
// meaning.
//
// A case opens its corpus and asks; many ask again in another spelling, replay the
// reply, whole or altered, or split the corpus over several handles and merge. Every
// third case is about an index: documents in markdown, blocks and plain, with
// metadata; settings; segments that are built, opened, damaged, removed from and
// compacted; searches with all of their options and syntax; pages, replays, rounds.
// Every thirteenth is about a model, a tiny one that is drawn as well: texts as they are
// or as queries, damaged models, none.
//
// What a later step needs of an earlier one, a reply or a partial, is what the native
// engine gave: in a runtime that differs, the earlier step has differed already.
package generate

import (
	"fmt"
	"strings"

	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Question is a corpus and a request that fit together.
type Question struct {
	Documents []abi.Document
	Request   abi.Request
}

// A Generator makes cases. Reference answers what later steps of a case need.
type Generator struct {
	Seed      uint64
	Reference func() call.Engine
}

// Name is how a case is called so that it can be made again.
func (g *Generator) Name(i int) string { return fmt.Sprintf("seed %d case %d", g.Seed, i) }

// Question returns the question of case i, before anything is made wrong.
func (g *Generator) Question(i int) Question {
	q, _ := question(newRandom(g.Seed, uint64(i)))
	return q
}

// Case returns case i.
func (g *Generator) Case(i int) call.Case {
	switch {
	case embeds(i):
		return g.embedCase(i)
	case asks(i):
		return g.searchCase(i)
	}
	r := newRandom(g.Seed, uint64(i))
	q, v := question(r)
	b := builder{r: r, q: q, v: v, s: &speller{r: r, loose: r.is(40)}, engine: g.Reference()}
	b.build()
	return call.Case{Name: g.Name(i), Steps: b.steps}
}

// question turns the knobs that make the corpus and the request.
func question(r *random) (Question, *vocabulary) {
	v := newVocabulary(r)
	q := Question{Request: abi.Default()}
	q.Documents = documents(r, v)
	q.Request = request(r, v, q.Documents)
	return q, v
}

func size(r *random) int {
	switch n := r.n(1000); {
	case n < 40:
		return 0
	case n < 90:
		return 1
	case n < 800:
		return r.between(2, 12)
	case n < 970:
		return r.between(13, 40)
	case n < 997:
		return r.between(41, 250)
	}
	return r.between(251, 2000)
}

func documents(r *random, v *vocabulary) []abi.Document {
	n := size(r)
	longest := r.between(1, 30)
	duplicates, empties, equals := r.n(50), r.n(20), r.is(30)
	base := v.text(r.between(1, 5))
	ids := newIDs(r, v)
	list := make([]abi.Document, n)
	for i := range list {
		d := &list[i]
		d.ID = ids.next(i)
		switch {
		case r.is(empties):
			d.Text = pick(r, []string{"", " ", "the of", "…", "\n"})
		case i > 0 && r.is(duplicates):
			d.Text = list[r.n(i)].Text
		case equals:
			d.Text = strings.Repeat(base+" ", r.between(1, 3)) // the same proportions, the same score
		default:
			d.Text = v.text(r.between(1, longest))
		}
		if r.is(2) {
			d.Text += strings.Repeat(" "+pick(r, english), r.between(100, 300)) // longer than a snippet
		}
		if ids.metadata {
			ids.describe(d)
		}
	}
	return list
}

// ids makes distinct ids of one kind.
type ids struct {
	r        *random
	v        *vocabulary
	kind     int
	taken    map[string]bool
	metadata bool
	keys     int // how many stable keys there are; 0: each its own
}

func newIDs(r *random, v *vocabulary) *ids {
	x := &ids{r: r, v: v, kind: r.n(6), taken: map[string]bool{}, metadata: r.is(35)}
	if r.is(40) {
		x.keys = r.between(1, 4)
	}
	return x
}

func (x *ids) next(i int) string {
	id := fmt.Sprintf("d%d", i)
	switch x.kind {
	case 1: // differing in case only
		b := []byte("abcdefghijkl")
		for k := range b {
			if i>>k&1 == 1 {
				b[k] -= 32
			}
		}
		id = string(b)
	case 2: // differing in normal form only
		var b strings.Builder
		for k := range 12 {
			b.WriteString([]string{"é", "é"}[i>>k&1])
		}
		id = b.String()
	case 3:
		id = pick(x.r, oddities) + id
	case 4:
		id = x.v.word()
	case 5:
		id = fmt.Sprint(i)
	}
	for x.taken[id] || id == "" {
		id += pick(x.r, []string{"'", "0", "\u0301", " "})
	}
	x.taken[id] = true
	return id
}

func (x *ids) describe(d *abi.Document) {
	if x.r.is(40) {
		d.Title = x.v.text(x.r.between(0, 4))
	}
	if x.r.is(40) {
		d.Path = fmt.Sprintf("docs/%s.md", x.v.word())
	}
	if x.r.is(30) {
		d.Collection = x.v.word()
	}
	if x.keys > 0 {
		d.Key = fmt.Sprintf("k%d", x.r.n(x.keys))
	}
}

func request(r *random, v *vocabulary, docs []abi.Document) abi.Request {
	q := abi.Default()
	q.Query = v.query()
	q.RecallBudget = pick(r, []int64{1, 1, 2, 3, 5, 10, 10, int64(r.between(1, 50)), int64(r.between(1, 1000)), abi.MaxBudget})
	if r.is(70) {
		q.Seed = pick(r, []string{"", "demo", "😀", "run-1", v.word(), fmt.Sprint(r.n(1000))})
	}
	q.Fill, q.Explain = r.is(30), r.is(35)
	if r.is(20) {
		q.Representation = abi.RepresentationSeed
	}
	q.Text = pick(r, []string{abi.TextNone, abi.TextNone, abi.TextSnippet, abi.TextFull})
	if r.is(20) {
		for range r.between(1, 6) {
			q.Needs = append(q.Needs, v.text(r.between(1, 5)))
		}
	}
	if r.is(10) {
		q.WorkLimit = int64(r.between(1, 60))
	}
	if q.Needs != nil && len(docs) > 0 && r.is(40) {
		q.Scores = scores(r, len(q.Needs), docs)
	}
	return q
}

func scores(r *random, needs int, docs []abi.Document) [][]abi.Given {
	list := make([][]abi.Given, needs)
	for i := range list {
		list[i] = []abi.Given{}
		for _, d := range docs {
			if r.is(40) {
				list[i] = append(list[i], abi.Given{ID: d.ID, Score: pick(r, []int64{0, 1, 2, 500, 1_000_000_000, abi.MaxScore, int64(r.n(1_000_000_000))})})
			}
		}
	}
	return list
}

// A builder makes the steps of a case.
type builder struct {
	r      *random
	q      Question
	v      *vocabulary
	s      *speller
	engine call.Engine
	steps  []call.Step
	opened int

	dimensions int // of the vectors of the index that is open; 0: it has none
}

func (b *builder) build() {
	if b.r.is(6) {
		b.wrongOpen()
		return
	}
	b.open(b.q.Documents)
	reply := b.retrieve()
	switch {
	case b.r.is(12):
		for range b.r.between(1, 3) {
			b.wrong()
		}
	case b.r.is(25) && reply != nil:
		b.replay(reply)
	case b.r.is(20):
		b.rounds()
	case b.r.is(15):
		b.add(abi.Decompose, 0, b.request(withoutScores(b.q.Request)))
	case b.r.is(20):
		b.s.loose = !b.s.loose
		b.retrieve()
	}
}

// add adds a step and returns what the reference answers to it, or nil.
func (b *builder) add(export abi.Export, handle int, input string) []byte {
	s := call.Step{Export: export, Handle: handle, Input: []byte(input)}
	b.steps = append(b.steps, s)
	handles := make([]int64, b.opened)
	for i := range handles {
		handles[i] = int64(i + 1) // as a fresh engine numbers them
	}
	out, err := b.engine.Call(export, call.Input(s, handles))
	if err != nil {
		return nil
	}
	if export == abi.Open {
		b.opened++
	}
	return out
}

func (b *builder) open(docs []abi.Document) []byte {
	list := make([]string, len(docs))
	for i := range docs {
		list[i] = b.document(&docs[i])
	}
	m := []member{{"engine", `"engine:case"`}, {"model", `"model:case"`}, {"documents", b.s.array(list)}}
	if len(docs) < 20 && b.r.is(20) {
		m = append(m, member{"list", "true"})
	}
	return b.add(abi.Open, 0, b.s.object(m))
}

func (b *builder) document(d *abi.Document) string {
	m := []member{{"id", b.s.text(d.ID)}}
	if d.Blocks == "" {
		m = append(m, member{"text", b.s.text(d.Text)})
	} else {
		m = append(m, member{"blocks", b.given(d.Blocks)})
	}
	if d.Metadata != "" {
		m = append(m, member{"metadata", b.given(d.Metadata)})
	}
	for _, o := range []member{{"title", d.Title}, {"path", d.Path}, {"collection", d.Collection}, {"key", d.Key}} {
		if o.value != "" {
			m = append(m, member{o.name, b.s.text(o.value)})
		}
	}
	return b.s.object(m)
}

func withoutScores(q abi.Request) abi.Request {
	q.Scores = nil
	return q
}

// request spells a request, without some of the members that have their default.
func (b *builder) request(q abi.Request) string {
	s, d := b.s, abi.Default()
	m := []member{{"query", s.text(q.Query)}}
	add := func(name, value string, isDefault bool) {
		if !isDefault || b.r.is(20) {
			m = append(m, member{name, value})
		}
	}
	add("recallBudget", s.int(q.RecallBudget), q.RecallBudget == d.RecallBudget)
	add("seed", s.text(q.Seed), q.Seed == d.Seed)
	add("profile", s.text(q.Profile), true)
	add("mode", s.text(q.Mode), q.Mode == "")
	add("fusion", s.text(q.Fusion), q.Fusion == "")
	add("representation", s.text(q.Representation), q.Representation == d.Representation)
	add("fill", s.bool(q.Fill), !q.Fill)
	add("explain", s.bool(q.Explain), !q.Explain)
	add("text", s.text(q.Text), q.Text == d.Text)
	add("workLimit", s.int(q.WorkLimit), q.WorkLimit == d.WorkLimit)
	if q.Needs != nil {
		var list []string
		for _, n := range q.Needs {
			list = append(list, s.text(n))
		}
		m = append(m, member{"needs", s.array(list)})
	}
	if q.Scores != nil {
		var list []string
		for _, need := range q.Scores {
			var given []member
			for _, g := range need {
				given = append(given, member{g.ID, s.int(g.Score)})
			}
			list = append(list, s.object(given))
		}
		m = append(m, member{"scores", s.array(list)})
	}
	return s.object(m)
}

func (b *builder) retrieve() []byte {
	return b.add(abi.Retrieve, 1, `"request":`+b.request(b.q.Request)+"}")
}

// rounds splits the corpus over several handles and merges, as a host with several
// instances does.
func (b *builder) rounds() {
	n := b.r.between(1, 5)
	parts := make([][]abi.Document, n)
	for _, d := range b.q.Documents {
		i := b.r.n(n)
		parts[i] = append(parts[i], d)
	}
	first := b.opened + 1
	request := b.request(b.q.Request)
	var plans, partials []string
	for i := range parts {
		b.open(parts[i])
		plans = append(plans, string(b.add(abi.Plan, first+i, `"request":`+request+"}")))
	}
	for i := range parts {
		partial := b.add(abi.Partial, first+i, `"request":`+request+`,"plans":[`+strings.Join(plans, ",")+"]}")
		if partial == nil {
			return
		}
		partials = append(partials, string(partial))
	}
	b.add(abi.Merge, 0, fmt.Sprintf(`{"engine":"engine:case","model":"model:case","corpus":"sha256:%064d","request":%s,"plans":[%s],"partials":[%s]}`,
		0, request, strings.Join(plans, ","), strings.Join(partials, ",")))
}

// replay replays a reply: as it is, respelt, or altered.
func (b *builder) replay(reply []byte) {
	stored := string(reply)
	if b.r.is(30) {
		if v, err := json.Parse(reply); err == nil {
			stored = b.respell(v)
		}
	}
	switch {
	case b.r.is(40):
	case b.r.is(50):
		stored = b.alter(stored)
	case b.r.is(50):
		docs := append([]abi.Document(nil), b.q.Documents...)
		switch {
		case len(docs) == 0 || b.r.is(30):
			docs = append(docs, abi.Document{ID: "new document", Text: b.v.text(3)})
		case b.r.is(50):
			docs[b.r.n(len(docs))].Text += "!"
		default:
			docs = docs[1:]
		}
		b.open(docs)
		b.add(abi.Replay, b.opened, `"reply":`+stored+"}")
		return
	default:
		shuffle(b.r, b.q.Documents)
		b.open(b.q.Documents)
		b.add(abi.Replay, b.opened, `"reply":`+stored+"}")
		return
	}
	b.add(abi.Replay, 1, `"reply":`+stored+"}")
}

// respell writes a value in another spelling.
func (b *builder) respell(v json.Value) string {
	switch v.Kind() {
	case json.Object:
		var m []member
		for name, x := range v.Members() {
			m = append(m, member{name, b.respell(x)})
		}
		return b.s.object(m)
	case json.Array:
		var list []string
		for _, x := range v.Elements() {
			list = append(list, b.respell(x))
		}
		return b.s.array(list)
	case json.String:
		return b.s.text(v.Text())
	}
	return v.String()
}
