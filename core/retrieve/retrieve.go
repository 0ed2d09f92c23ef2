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
// A corpus may lie in several engines. Then [Engine.Call] is asked in rounds, plan,
// statistics, partial and merge; retrieve is the same path with one engine.
package retrieve

import (
	"sync/atomic"

	"github.com/rookhaven-project/rookhaven/core/internal/meter"
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
	case abi.Statistics:
		return e.statistics(in, m)
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
