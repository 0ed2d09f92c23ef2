package retrieve

import (
	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

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
	if part, _ := stored.Vectors(); part && c.vectorSet().Model == "" {
		if !stored.Whole() {
			return stored.Broken(), nil
		}
		return abi.ReplayReply{Verdict: abi.Unverifiable, Missing: "vectors", Stored: stored.Model()}, nil
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
// can be made; without vectors, the one that the reply names.
func (e *Engine) namesOf(c *corpus, stored *audit.Stored) abi.Names {
	names := c.names
	if part, _ := stored.Vectors(); part {
		names.Model = ""
		if set := c.vectorSet(); set.Model == "" {
			names.Model = stored.Model() // it is vectors that are missing, whatever model is here
		} else if set.External && stored.HasQueries() || e.model != nil && e.model.digest == set.Model {
			names.Model = set.Model
		}
	}
	return names
}

// answeredWith returns the vectors which a stored reply was answered with, of those at hand.
func (c *corpus) answeredWith(stored *audit.Stored) abi.VectorSet {
	switch part, absent := stored.Vectors(); {
	case part:
		return c.vectorSet()
	case absent == abi.QueryAbsent:
		return abi.VectorSet{Model: absent} // which no model is
	case absent == abi.VectorsAbsent:
		return abi.VectorSet{}
	default:
		return abi.VectorSet{Absent: absent}
	}
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
	set := c.answeredWith(stored)
	if stored.IsSearch() {
		q, err := stored.Search()
		if err != nil {
			return nil, abi.Errorf(abi.ReplyInvalid, "its request: %s", err.Error())
		}
		query := stored.Query()
		if !set.External {
			if query, err = e.queryVector(set, q.Query, m); err != nil {
				return nil, err
			}
		}
		return e.answerSearch(c, q, set, query, m)
	}
	request, err := stored.Request()
	if err != nil {
		return nil, abi.Errorf(abi.ReplyInvalid, "its request: %s", err.Error())
	}
	var queries [][]int8
	if set.External {
		queries = stored.Queries()
	}
	return e.answer(c, request, set, queries, m)
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
