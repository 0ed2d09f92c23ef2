// Package retrieve is the engine: it opens corpora and answers requests.
//
// A reply is a function of the engine, the corpus and the request. The order of
// the documents, their distribution over instances, earlier calls and the
// machine change no byte of it: see TestLayoutFree. The bytes are canonical
// JSON: two replies are equal when their digests are.
//
// # The stages
//
// A request is resolved, its query becomes needs ([decompose]), the needs share
// the budget ([budget]), each need with a slot is ranked ([cosine], [rank]) and
// the rankings become one: every need picks as many documents as it has slots;
// a document that several picked stands once, with its strongest score; all are
// put in the total order of [rank.Compare]; the result is audited ([audit]).
//
// A corpus may lie in several engines. Then [Engine.Call] is asked in three
// rounds, plan, partial and merge; retrieve is the same path with one engine.
package retrieve

import (
	"sync/atomic"

	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/lexical"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Config says how an Engine stands in its process. The zero Config is fine.
type Config struct {
	Stop   *atomic.Uint32     // a value other than 0 ends the running call; nil: nothing does
	Memory int64              // bytes that may be accounted for; 0: no limit
	Stage  func(stage string) // told when a stage begins; nil: nobody is
	Yield  func()             // called at bounded distance in long calls; nil: nothing is
	Held   Held               // gives what a host wrote into a reservation; nil: nothing is held
	Keep   Keep               // keeps bytes for a host to read; nil: nobody can
}

// Keep pins bytes until the host releases them, and returns their address.
type Keep func(b []byte) (address int64)

// An Engine holds open corpora. It serves one call at a time.
type Engine struct {
	config  Config
	account *meter.Account
	corpora map[int64]*corpus
	last    int64      // handle
	model   *openModel // nil: none is open
}

// New returns an Engine.
func New(c Config) *Engine {
	return &Engine{config: c, account: meter.NewAccount(c.Memory), corpora: map[int64]*corpus{}}
}

// Reserve accounts for n bytes that the caller is about to allocate, and reports
// whether the memory allows them.
func (e *Engine) Reserve(n int64) bool { return e.account.Take(n) == nil }

// Unreserve gives back what Reserve took.
func (e *Engine) Unreserve(n int64) { e.account.Give(n) }

// Call answers an export of ABI.md §2. The input of open belongs to the Engine
// from then on. Every error is an *[abi.Error].
func (e *Engine) Call(export abi.Export, in []byte) ([]byte, error) {
	m := meter.New(e.config.Stop, e.config.Yield)
	switch export {
	case abi.Abi:
		return constant(in, `{"abi":1}`)
	case abi.Describe:
		if err := abi.ReadEmpty(in); err != nil {
			return nil, err
		}
		return describe(), nil
	case abi.Open:
		return e.open(in, m)
	case abi.Close:
		return e.close(in)
	case abi.Decompose:
		return decomposition(in)
	case abi.Plan:
		return e.plan(in, m)
	case abi.Partial:
		return e.partial(in, m)
	case abi.Merge:
		return e.merge(in)
	case abi.Retrieve:
		return e.retrieve(in, m)
	case abi.Replay:
		return e.replay(in, m)
	}
	if reply, ok, err := e.callIndex(export, in, m); ok {
		return reply, err
	}
	return e.callModel(export, in, m)
}

// callIndex answers the exports of an index; ok says that the export is one.
func (e *Engine) callIndex(export abi.Export, in []byte, m *meter.Meter) (reply []byte, ok bool, err error) {
	switch export {
	case abi.Search:
		reply, err = e.search(in, m)
	case abi.SearchPlans:
		reply, err = e.searchPlan(in, m)
	case abi.SearchStats:
		reply, err = e.searchStatistics(in, m)
	case abi.SearchPartials:
		reply, err = e.searchPartial(in, m)
	case abi.SearchMerge:
		reply, err = e.searchMerge(in)
	case abi.Build:
		reply, err = e.build(in, m)
	case abi.Compact:
		reply, err = e.compact(in, m)
	case abi.Remove:
		reply, err = e.remove(in, m)
	case abi.Documents:
		reply, err = e.documents(in, m)
	default:
		return nil, false, nil
	}
	return reply, true, err
}

// callModel answers the exports of a model.
func (e *Engine) callModel(export abi.Export, in []byte, m *meter.Meter) ([]byte, error) {
	switch export {
	case abi.OpenModel:
		return e.openModel(in, m)
	case abi.CloseModel:
		return e.closeModel(in)
	case abi.Embed:
		return e.embed(in, m)
	case abi.ChunkTexts:
		return e.chunkTexts(in, m)
	case abi.PackVectors:
		return e.packVectors(in, m)
	case abi.AttachVectors:
		return e.attachVectors(in, m)
	}
	return nil, abi.Errorf(abi.ExportUnknown, "there is no %s", export)
}

func constant(in []byte, reply string) ([]byte, error) {
	if err := abi.ReadEmpty(in); err != nil {
		return nil, err
	}
	return []byte(reply), nil
}

func (e *Engine) stage(name string) {
	if e.config.Stage != nil {
		e.config.Stage(name)
	}
}

func (e *Engine) corpus(handle int64) (*corpus, error) {
	c, ok := e.corpora[handle]
	if !ok {
		return nil, abi.Errorf(abi.HandleUnknown, "no corpus is open under the handle %d", handle)
	}
	return c, nil
}

func (e *Engine) open(in []byte, m *meter.Meter) ([]byte, error) {
	e.stage("open")
	c, list, err := open(in, e.config.Held, e.account, m)
	if err != nil {
		return nil, err
	}
	e.last++
	e.corpora[e.last] = c
	reply := abi.OpenReply{Handle: e.last, Corpus: c.root, Documents: int64(c.size), Bytes: c.bytes}
	if list {
		reply.Leaves = c.trie.Leaves()
	}
	return reply.Append(nil), nil
}

func (e *Engine) close(in []byte) ([]byte, error) {
	handle, err := abi.ReadCloseRequest(in)
	if err != nil {
		return nil, err
	}
	c, err := e.corpus(handle)
	if err != nil {
		return nil, err
	}
	e.account.Give(c.bytes)
	delete(e.corpora, handle)
	return []byte("{}"), nil
}

func decomposition(in []byte) ([]byte, error) {
	q, err := abi.ReadRequest(in)
	if err != nil {
		return nil, err
	}
	if q.Scores != nil {
		return nil, abi.Errorf(abi.RequestInvalid, "decompose takes no scores")
	}
	s, err := share(q)
	if err != nil {
		return nil, err
	}
	d := abi.Decomposition{Request: q, Subqueries: s.subqueries()}
	return d.Append(nil), nil
}

func (e *Engine) plan(in []byte, m *meter.Meter) ([]byte, error) {
	q, err := abi.ReadPlanRequest(in)
	if err != nil {
		return nil, err
	}
	c, err := e.corpus(q.Handle)
	if err != nil {
		return nil, err
	}
	s, err := share(q.Request)
	if err != nil {
		return nil, err
	}
	p, _, err := c.plan(s, e.account, m)
	return p.Append(nil), err
}

func (e *Engine) partial(in []byte, m *meter.Meter) ([]byte, error) {
	q, err := abi.ReadPartialRequest(in)
	if err != nil {
		return nil, err
	}
	c, err := e.corpus(q.Handle)
	if err != nil {
		return nil, err
	}
	s, err := share(q.Request)
	if err != nil {
		return nil, err
	}
	if _, err := s.work(q.Plans); err != nil {
		return nil, err
	}
	e.stage("rank")
	p, err := e.rank(c, s, nil, q.Plans, m)
	if err != nil {
		return nil, err
	}
	return p.Append(nil), nil
}

// rank ranks the documents of this instance for each need with a slot. searches
// are those that plan began, nil where it was asked in another call.
func (e *Engine) rank(c *corpus, s *shared, searches []*lexical.Search, plans []abi.InstancePlan, m *meter.Meter) (abi.PartialResult, error) {
	if !s.request.Lexical() {
		if err := c.plain(e.account, m); err != nil {
			return abi.PartialResult{}, err
		}
		return c.partial(s, m)
	}
	if searches == nil {
		var err error
		if _, searches, err = c.plan(s, e.account, m); err != nil {
			return abi.PartialResult{}, err
		}
	}
	return c.partialLexical(s, searches, plans, m)
}

func (e *Engine) merge(in []byte) ([]byte, error) {
	e.stage("merge")
	q, err := abi.ReadMergeRequest(in)
	if err != nil {
		return nil, err
	}
	s, err := share(q.Request)
	if err != nil {
		return nil, err
	}
	reply, err := merge(s, q.Names, q.Corpus, q.Plans, q.Partials)
	if err != nil {
		return nil, err
	}
	if q.Request.Lexical() {
		reply.Settings = &q.Settings
	}
	return audit.Seal(reply), nil
}

func (e *Engine) retrieve(in []byte, m *meter.Meter) ([]byte, error) {
	q, err := abi.ReadPlanRequest(in)
	if err != nil {
		return nil, err
	}
	c, err := e.corpus(q.Handle)
	if err != nil {
		return nil, err
	}
	return e.answer(c, q.Request, m)
}

// answer runs the three rounds in one instance.
func (e *Engine) answer(c *corpus, q abi.Request, m *meter.Meter) ([]byte, error) {
	e.stage("decompose")
	s, err := share(q)
	if err != nil {
		return nil, err
	}
	plan, searches, err := c.plan(s, e.account, m)
	if err != nil {
		return nil, err
	}
	plans := []abi.InstancePlan{plan}
	if _, err := s.work(plans); err != nil {
		return nil, err
	}
	e.stage("rank")
	p, err := e.rank(c, s, searches, plans, m)
	if err != nil {
		return nil, err
	}
	e.stage("merge")
	reply, err := merge(s, c.names, c.root, plans, []abi.PartialResult{p})
	if err != nil {
		return nil, err
	}
	if q.Lexical() {
		reply.Settings = &c.lexical.Settings
	}
	return audit.Seal(reply), nil
}

func (e *Engine) replay(in []byte, m *meter.Meter) ([]byte, error) {
	taken := int64(0)
	defer func() { e.account.Give(taken) }()
	q, err := abi.ReadReplayRequest(in, ticker(e.account, m, leafBytes, &taken))
	if err != nil {
		return nil, err
	}
	c, err := e.corpus(q.Handle)
	if err != nil {
		return nil, err
	}
	stored, err := audit.ReadStored(q.Reply)
	if err != nil {
		return nil, err
	}
	v, err := e.verify(c, stored, q.Leaves, m)
	if err != nil {
		return nil, err
	}
	return v.Append(nil), nil
}

func (e *Engine) verify(c *corpus, stored *audit.Stored, leaves []abi.Leaf, m *meter.Meter) (abi.ReplayReply, error) {
	kept, err := keptCorpus(leaves)
	if err != nil {
		return abi.ReplayReply{}, err
	}
	names := e.namesOf(c, stored)
	if v, ok := stored.Altered(names, c.trie, c.settings()); ok {
		return v, nil
	}
	if v, ok := stored.Missing(names, c.trie, kept); ok {
		if !stored.Whole() {
			return stored.Broken(), nil
		}
		return v, nil
	}
	if settings, err := stored.Settings(); err == nil && settings != nil && *settings != c.settings() {
		if part, _ := stored.Vectors(); part { // the index that is built for it has none
			return abi.ReplayReply{Verdict: abi.Unverifiable, Missing: "vectors"}, nil
		}
	}
	replayed, err := e.again(c, stored, m)
	if err != nil {
		return refused(stored, err)
	}
	return stored.Compare(replayed), nil
}

// namesOf returns the names of what is at hand for a stored reply: where the vector leg
// took part, the model is the one of the vectors, if a vector of the query is at hand or
// can be made.
func (e *Engine) namesOf(c *corpus, stored *audit.Stored) abi.Names {
	names := c.names
	if part, _ := stored.Vectors(); part {
		names.Model = ""
		if set := c.vectorSet(); set.External && stored.Query() != nil || e.model != nil && e.model.digest == set.Model {
			names.Model = set.Model
		}
	}
	return names
}

// legs returns the vectors and that of the query which a stored reply was answered with,
// of those at hand.
func (e *Engine) legs(c *corpus, stored *audit.Stored, query string, m *meter.Meter) (set abi.VectorSet, v []int8, err error) {
	part, absent := stored.Vectors()
	switch set = c.vectorSet(); {
	case part && set.External:
		return set, stored.Query(), nil
	case part:
		v, err = e.queryVector(set, query, m)
		return set, v, err
	case absent == abi.QueryAbsent:
		return abi.VectorSet{Model: absent}, nil, nil
	}
	return abi.VectorSet{Building: absent == abi.VectorsBuilding}, nil, nil
}

// settings returns those of the index of a corpus, or those it would have.
func (c *corpus) settings() abi.Settings {
	if c.lexical == nil {
		return abi.DefaultSettings()
	}
	return c.lexical.Settings
}

// again answers the request of a stored reply.
func (e *Engine) again(c *corpus, stored *audit.Stored, m *meter.Meter) ([]byte, error) {
	settings, err := stored.Settings()
	if err != nil {
		return nil, abi.Errorf(abi.ReplyInvalid, "its settings: %s", err.Error())
	}
	if settings != nil {
		again, close, err := e.indexAgain(c, *settings, m)
		if err != nil {
			return nil, err
		}
		defer close()
		c = again
	}
	if stored.IsSearch() {
		q, err := stored.Search()
		if err != nil {
			return nil, abi.Errorf(abi.ReplyInvalid, "its request: %s", err.Error())
		}
		set, query, err := e.legs(c, stored, q.Query, m)
		if err != nil {
			return nil, err
		}
		return e.answerSearch(c, q, set, query, m)
	}
	request, err := stored.Request()
	if err != nil {
		return nil, abi.Errorf(abi.ReplyInvalid, "its request: %s", err.Error())
	}
	return e.answer(c, request, m)
}

// refused is the outcome of a replay whose request was not answered: a failure
// for a reply that is as it was, and the verdict on one that was altered.
func refused(stored *audit.Stored, err error) (abi.ReplayReply, error) {
	if stored.Whole() || isCancelled(err) {
		return abi.ReplayReply{}, err
	}
	return stored.Refused(), nil
}

func isCancelled(err error) bool {
	e, ok := err.(*abi.Error)
	return ok && e.Code == abi.Cancelled
}

func keptCorpus(leaves []abi.Leaf) (*audit.Corpus, error) {
	if leaves == nil {
		return nil, nil
	}
	return audit.ReadCorpus(leaves)
}
