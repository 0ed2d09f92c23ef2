package library

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// An Export is a generation that is open, to give its documents.
type Export struct {
	Generation index.Generation
	library    *Library
	index      *pool.Index
	leaves     []abi.Leaf    // by their ids
	other      runner.Runner // nil: the library's own
}

// Export opens a generation, named as for [Library.Search], to give its documents back. It
// opens in the engine that it belongs to: where that is another one, [Options.Engines] has
// it, else the code is ENGINE_UNKNOWN. What is damaged is INDEX_DAMAGED. The Export must be closed.
func (l *Library) Export(ctx context.Context, asOf string) (x *Export, err error) {
	recovered, err := l.store.View(named(asOf), func(g index.Generation) (err error) {
		x, err = l.export(ctx, g)
		return err
	})
	l.recovered(recovered)
	return x, err
}

func (l *Library) export(ctx context.Context, g index.Generation) (*Export, error) {
	x := &Export{Generation: g, library: l}
	err := x.open(ctx)
	if err != nil {
		return nil, errors.Join(x.worded(err), x.Close(context.WithoutCancel(ctx)))
	}
	return x, nil
}

func (x *Export) open(ctx context.Context) error {
	r, err := x.engine(ctx)
	if err != nil {
		return err
	}
	e, err := x.library.loadIn(ctx, r, x.Generation)
	if err != nil {
		return err
	}
	x.index = e.Index
	x.leaves, err = abi.ReadLeaves(e.Index.Leaves())
	slices.SortFunc(x.leaves, func(a, b abi.Leaf) int { return cmp.Compare(a.ID, b.ID) })
	return err
}

// engine returns the engine that the generation belongs to.
func (x *Export) engine(ctx context.Context) (runner.Runner, error) {
	l, g := x.library, &x.Generation
	if g.Engine == l.Runner.Engine() {
		return l.Runner, nil
	}
	var err error = abi.Errorf(abi.EngineUnknown, "it is not here")
	if l.Engines != nil {
		if x.other, err = l.Engines(ctx, g.Engine); err == nil {
			return x.other, nil
		}
	}
	if c := code(err); c != "" && c != abi.Cancelled {
		err = abi.Errorf(c, "generation %d of the index in %s belongs to the engine %s: %s", g.Number, l.Folder, g.Engine, sentence(err))
	}
	return nil, err
}

func sentence(err error) string {
	var e *abi.Error
	errors.As(err, &e)
	return e.Sentence
}

// Each gives the documents to yield, each as the canonical JSON that is the one spelling of
// those with its digest, in the order of their ids' bytes. So generations with one root
// give the same bytes, and an index that is made of these has the same root. Those of one page
// of the engine are in memory at a time; yield does not keep them.
//
// Each one is compared with the leaf that the root is over before it is given. What is another is
// INDEX_DAMAGED. A failure of yield is returned as it is.
func (x *Export) Each(ctx context.Context, yield func(document []byte) error) error {
	rest := x.leaves
	var content, spelt []byte // used again for each
	var own error             // of yield
	err := x.index.Each(ctx, func(d pool.Document) error {
		content, spelt = appendContent(content[:0], &d.Document), abi.AppendDocument(spelt[:0], d.Document)
		if len(rest) == 0 || rest[0] != (abi.Leaf{ID: d.ID, Doc: digest(content)}) || !bytes.Equal(spelt, d.JSON) {
			return abi.Errorf(abi.CorpusInvalid, "the document %s in its segments is none that its root is over", json.Quote(d.ID))
		}
		rest = rest[1:]
		own = yield(d.JSON)
		return own
	})
	if err == nil && len(rest) > 0 {
		err = abi.Errorf(abi.CorpusInvalid, "%d of its documents are not in its segments, the first is %s", len(rest), json.Quote(rest[0].ID))
	}
	if own != nil {
		return own
	}
	return x.worded(err)
}

// worded says of a failure which generation it is about, where it does not say so itself.
func (x *Export) worded(err error) error {
	g, l := &x.Generation, x.library
	switch code(err) {
	case abi.ExportUnknown:
		return abi.Errorf(abi.SegmentVersion, "generation %d of the index in %s belongs to the engine %s, which is too old to give documents back; build the index again from its files (--rebuild)", g.Number, l.Folder, g.Engine)
	case abi.CorpusInvalid, abi.JSONInvalid, abi.ReplyInvalid, abi.SegmentCorrupt:
		return abi.Errorf(index.Damaged, "generation %d of the index in %s: %s", g.Number, l.Folder, sentence(err))
	}
	return err
}

// Close closes what is open.
func (x *Export) Close(ctx context.Context) error {
	var err error
	if x.index != nil {
		err = x.index.Close(ctx)
	}
	if x.other != nil {
		err = errors.Join(err, x.other.Close(ctx))
	}
	return err
}
