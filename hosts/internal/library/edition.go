package library

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// An Edition is a generation that is open.
type Edition struct {
	Generation index.Generation
	Index      *pool.Index
	parts      []part
}

// Search answers a SearchRequest, given as JSON, with a SearchReply and where its
// time went. asOf says which generation answers, as [index.Store.AsOf] takes it; "" is
// the current one. Where it may not be what was published last, [Options.Tell] is told.
func (l *Library) Search(ctx context.Context, asOf string, request []byte) ([]byte, pool.Timings, error) {
	e, release, err := l.Edition(ctx, asOf)
	if err != nil {
		return nil, pool.Timings{}, err
	}
	defer release()
	return e.Index.Search(ctx, request)
}

// Edition returns a generation, open until it is released, for who asks it several
// things. Beside the current one, the library keeps one other generation open: the
// one that was asked last.
func (l *Library) Edition(ctx context.Context, asOf string) (e *Edition, release func(), err error) {
	if asOf == "current" {
		asOf = ""
	}
	for {
		e, err := l.find(ctx, asOf)
		if err != nil {
			return nil, nil, err
		}
		if release, ok := e.Index.Hold(); ok {
			return e, release, nil
		}
		// Another took its place between the two lines above.
	}
}

// find returns a generation that is open, and opens it first where it is not.
func (l *Library) find(ctx context.Context, asOf string) (*Edition, error) {
	if e, err := l.known(asOf); e != nil || err != nil {
		return e, err
	}
	select {
	case l.opening <- struct{}{}:
		defer func() { <-l.opening }()
	case <-ctx.Done():
		return nil, runner.Cancelled(ctx)
	}
	if e, err := l.known(asOf); e != nil || err != nil { // another caller opened it
		return e, err
	}
	return l.open(ctx, asOf)
}

// known returns a generation if it is open, nil if not.
func (l *Library) known(asOf string) (*Edition, error) {
	g, err := l.which(asOf)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range []*Edition{l.current, l.past} {
		if e != nil && e.Generation.Ref == g.Ref {
			return e, nil
		}
	}
	return nil, nil
}

// AnsweredBy names the generation that gave a reply, as asOf does, by the corpus root and the
// model of vectors that the reply names: the newest that has both, or else the root.
func (l *Library) AnsweredBy(root, model string) (asOf string) {
	if root == "" || model == "" {
		return root
	}
	kept, err := l.store.Generations()
	if err != nil {
		return root // who opens it is told
	}
	for _, g := range kept {
		if g.Root == root && g.Model == model && g.Complete() {
			return strconv.FormatInt(g.Number, 10)
		}
	}
	return root
}

// which returns the generation that is asked. Other settings are refused for the
// current one only: who asks an older one asks for it as it was.
func (l *Library) which(asOf string) (index.Generation, error) {
	g, recovered, err := l.store.Which(named(asOf))
	l.recovered(recovered)
	if err == nil && asOf == "" {
		_, err = l.settings(g)
	}
	return g, err
}

// named returns what the store calls a generation.
func named(asOf string) string { return cmp.Or(asOf, "current") }

func (l *Library) open(ctx context.Context, asOf string) (*Edition, error) {
	place := &l.current
	if asOf != "" {
		place = &l.past
	}
	var e *Edition
	recovered, err := l.store.View(named(asOf), func(g index.Generation) (err error) {
		if asOf == "" {
			_, err = l.settings(g)
		}
		if err == nil {
			e, err = l.load(ctx, g)
		}
		return err
	})
	l.recovered(recovered)
	if err != nil {
		return nil, err
	}
	l.take(place, e)
	return e, nil
}

// settings returns those of a generation, and refuses it where others are asked for.
func (l *Library) settings(g index.Generation) (abi.Settings, error) {
	here, err := abi.ReadSettings(g.Settings)
	if err == nil && l.Settings != nil {
		err = l.differ(here, *l.Settings)
	}
	return here, err
}

// differ names the first setting that is another one.
func (l *Library) differ(here, asked abi.Settings) error {
	a, errA := json.Parse(here.Append(nil))
	b, errB := json.Parse(asked.Append(nil))
	if err := errors.Join(errA, errB); err != nil {
		panic("library: BUG: settings that are no JSON: " + err.Error())
	}
	name, have, want, equal := json.Diff(a, b)
	if equal {
		return nil
	}
	return abi.Errorf(abi.SettingsInvalid, "%s is %s in the index in %s, and %s was asked for; leave it as it is, or rebuild the index (--rebuild)", name, have.String(), l.Folder, want.String())
}

// load opens a generation, and compares its root. What the caller does not take it
// closes.
func (l *Library) load(ctx context.Context, g index.Generation) (*Edition, error) {
	if engine := l.Runner.Engine(); g.Engine != engine {
		return nil, abi.Errorf(abi.SegmentVersion, "generation %d of the index in %s belongs to the engine %s, and this is %s; rebuild the index (--rebuild)", g.Number, l.Folder, g.Engine, engine)
	}
	return l.loadIn(ctx, l.Runner, g)
}

// loadIn is load in the engine that a generation belongs to.
func (l *Library) loadIn(ctx context.Context, r runner.Runner, g index.Generation) (*Edition, error) {
	settings, err := abi.ReadSettings(g.Settings)
	if err != nil {
		return nil, err
	}
	parts, err := l.parts(g)
	if err != nil {
		return nil, err
	}
	x, err := l.openParts(ctx, r, settings, parts, g.Building)
	if err != nil {
		return nil, err
	}
	if x.Root() != g.Root || int64(x.Documents()) != g.Documents {
		err := abi.Errorf(index.Damaged, "generation %d of the index in %s has %d documents with the root %s, and in its segments there are %d with the root %s", g.Number, l.Folder, g.Documents, g.Root, x.Documents(), x.Root())
		return nil, errors.Join(err, x.Close(context.WithoutCancel(ctx)))
	}
	return &Edition{g, x, parts}, nil
}

// openParts opens parts, with their vectors where all have some.
func (l *Library) openParts(ctx context.Context, r runner.Runner, settings abi.Settings, parts []part, building bool) (*pool.Index, error) {
	c := pool.Config{Shards: l.Shards}
	segments := l.segments(parts)
	if l.Vectors != nil {
		c.Vectors = l.vectorsOf(parts, building)
		for i, p := range parts {
			if p.Vectors != "" {
				segments[i].Vectors = func() ([]byte, error) { return l.vectorBlob(p.Vectors) }
			}
		}
	}
	return pool.OpenIndex(ctx, r, c, abi.Names{Engine: r.Engine()}, settings, segments)
}
