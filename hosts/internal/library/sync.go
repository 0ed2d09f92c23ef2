package library

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/internal/logging"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Change is what making a generation did.
type Change struct {
	Generation index.Generation // the current one now
	Published  bool             // it is new

	Added, Changed, Removed, Kept int // documents
	Merged                        int // segments, into fewer

	// Held are the ids, ascending, of the documents that stay only because Sync was told
	// to keep them; they count as kept.
	Held []string
}

// Sync makes the index hold exactly these documents, each given as JSON, and those
// that it holds already with an id for which keep is true, which could not be looked
// at; a nil keep is never. Where it does already, nothing is published. DATA_LOCKED
// says that another process writes.
func (l *Library) Sync(ctx context.Context, documents [][]byte, keep func(id string) bool) (Change, error) {
	list, err := survey(documents)
	if err != nil {
		return Change{}, err
	}
	return l.write(func(w *work) error {
		base, release, err := w.base(ctx)
		if err != nil {
			return err
		}
		defer release()
		return w.sync(ctx, base, list, keep)
	})
}

// Rebuild builds the index anew from these documents, with the engine and the
// settings of now. The same documents give the same segments, in any order and
// whatever was there before: see TestSameBytes. The generation before may be
// damaged; then, with no settings asked for, it is built with the defaults.
func (l *Library) Rebuild(ctx context.Context, documents [][]byte) (Change, error) {
	list, err := survey(documents)
	if err != nil {
		return Change{}, err
	}
	return l.write(func(w *work) error {
		if g, _, err := w.store.Current(); err == nil {
			w.keepSettings(g)
		}
		w.change.Added = len(list)
		if err := w.build(ctx, list); err != nil {
			return err
		}
		return w.publish(ctx, holdsDocuments(list))
	})
}

// Compact does as Rebuild with the documents that the index holds, which it takes
// from its segments. Where this engine does not read them the code is
// SEGMENT_VERSION, and Rebuild is what helps. What fits into one segment becomes the
// bytes that Rebuild gives it. Where it did already, nothing is published. Where the last
// generation is lost, the code is INDEX_DAMAGED: an older one would be taken for it.
func (l *Library) Compact(ctx context.Context) (Change, error) {
	if err := l.absent(); err != nil {
		return Change{}, err
	}
	return l.write(func(w *work) error {
		g, recovered, err := w.store.Current()
		if err == nil && g.Ref != w.parent {
			err = abi.Errorf(index.Damaged, "%s; generation %d came after it, so its documents are not all that the index held: sync the index with them first", recovered, w.parent.Number)
		}
		if err == nil {
			w.parts, err = w.Library.parts(g)
		}
		if err != nil {
			return err
		}
		w.keepSettings(g)
		w.change.Kept = int(g.Documents)
		all := make([]int, len(w.parts))
		for i := range all {
			all[i] = i
		}
		runs := runsOf(w.parts, all)
		if w.compact(g, runs) {
			w.change.Generation = g
			return nil
		}
		if err := w.merge(ctx, runs); err != nil {
			return err
		}
		return w.publish(ctx, holdsRoot(g))
	})
}

// compact reports whether merging these runs would change nothing.
func (w *work) compact(g index.Generation, runs [][]int) bool {
	changes := func(p part) bool { return len(p.removed) > 0 }
	return len(runs) == len(w.parts) && !slices.ContainsFunc(w.parts, changes) &&
		g.Engine == w.Runner.Engine() && bytes.Equal(g.Settings, w.settings.Append(nil))
}

// A work makes a generation. It has the lock.
type work struct {
	*Library
	writer   *index.Writer
	parent   index.Ref
	settings abi.Settings
	parts    []part
	change   Change
	fresh    int64 // chunks that were built, not merged

	lacks      []lacking // the parts without vectors
	background int       // of the model, as what knows vectors of it says
	completed  bool      // the parts have their vectors by now
}

// absent fails where there is no index, before a lock makes its folder.
func (l *Library) absent() error {
	if _, _, err := l.store.Current(); code(err) == index.Absent {
		return err
	}
	return nil
}

func (l *Library) write(do func(w *work) error) (Change, error) {
	l.writing.Lock()
	defer l.writing.Unlock()
	writer, err := l.store.TryLock(l.Command)
	if err != nil {
		return Change{}, err
	}
	l.recovered(writer.Recovered()...)
	w := &work{Library: l, writer: writer, parent: writer.Head(), settings: abi.DefaultSettings()}
	if l.Settings != nil {
		w.settings = *l.Settings
	}
	err = do(w)
	if unlocked := writer.Close(); unlocked != nil {
		l.Log.Warn("index_not_unlocked", "path", l.Folder, logging.Failure(unlocked))
	}
	if err != nil {
		return Change{}, err
	}
	return w.change, nil
}

// keepSettings takes the settings of a generation, unless others were asked for.
func (w *work) keepSettings(g index.Generation) {
	if here, err := abi.ReadSettings(g.Settings); err == nil && w.Settings == nil {
		w.settings = here
	}
}

// base returns the current generation, nil where there is none. Where the last one is lost,
// it is an older one, and what is made comes after the lost one all the same.
func (w *work) base(ctx context.Context) (e *Edition, release func(), err error) {
	if w.parent == (index.Ref{}) {
		return nil, func() {}, nil
	}
	return w.Edition(ctx, "")
}

func (w *work) sync(ctx context.Context, base *Edition, list []document, keep func(id string) bool) error {
	var leaves []abi.Leaf
	if base != nil {
		var err error
		if leaves, err = abi.ReadLeaves(base.Index.Leaves()); err != nil {
			return err
		}
		w.settings, w.parts = base.Index.Settings(), base.parts
	}
	var held []string
	if keep != nil {
		given := len(list)
		list = withKept(list, leaves, keep)
		for _, d := range list[given:] {
			held = append(held, d.id)
		}
		slices.Sort(held)
	}
	c := compare(leaves, list)
	w.change = Change{Added: len(c.fresh) - c.changed, Changed: c.changed, Removed: len(c.gone) - c.changed, Kept: c.kept, Held: held}
	if base != nil && base.Generation.Ref == w.parent && len(c.fresh)+len(c.gone) == 0 {
		w.change.Generation = base.Generation
		return nil
	}
	if len(c.gone) > 0 {
		removed, _, err := base.Index.Remove(ctx, c.gone)
		if err != nil {
			return err
		}
		w.parts = removing(w.parts, removed)
	}
	if err := w.build(ctx, c.fresh); err != nil {
		return err
	}
	if err := w.merge(ctx, merges(w.parts)); err != nil {
		return err
	}
	return w.publish(ctx, holdsDocuments(list))
}

// build adds segments with these documents.
func (w *work) build(ctx context.Context, list []document) error {
	documents := make([][]byte, len(list))
	for i, d := range list {
		documents[i] = d.json
	}
	built := make([]part, len(pool.Batches(documents)))
	err := pool.Build(ctx, w.Runner, w.settings, documents, w.keep(built))
	for _, p := range built {
		w.fresh += p.Chunks
	}
	w.parts = slices.Concat(w.parts, built)
	return err
}

// merge puts one segment into the place of each run of parts.
func (w *work) merge(ctx context.Context, runs [][]int) error {
	var groups [][]pool.Segment
	var rest []part
	for _, run := range runs {
		var group []part
		for _, i := range run {
			group = append(group, w.parts[i])
		}
		groups = append(groups, w.segments(group))
		w.change.Merged += len(run)
	}
	for i, p := range w.parts {
		if !slices.ContainsFunc(runs, func(run []int) bool { return slices.Contains(run, i) }) {
			rest = append(rest, p)
		}
	}
	merged := make([]part, len(groups))
	err := pool.Compact(ctx, w.Runner, w.settings, groups, w.keep(merged))
	w.parts = append(rest, merged...)
	return err
}

// keep puts segments on the disk as they are made, and tells of them in parts.
func (w *work) keep(parts []part) func(n int, b pool.Built) error {
	return func(n int, b pool.Built) error {
		name, err := w.writer.AddSegment(b.Bytes)
		parts[n] = part{Segment: index.Segment{Name: name, Bytes: int64(len(b.Bytes)), Documents: b.Documents, Chunks: b.Chunks}}
		return err
	}
}

// publish opens what was made, and makes it the current generation if it holds what
// it should.
func (w *work) publish(ctx context.Context, holds func(x *pool.Index) error) error {
	start := time.Now()
	var g index.Generation
	if err := w.drop(); err != nil {
		return err
	}
	if err := w.leg(ctx, &g); err != nil {
		return err
	}
	x, err := w.openParts(ctx, w.Runner, w.settings, w.parts, g.Building)
	if err != nil {
		return err
	}
	if err = holds(x); err == nil {
		err = w.generation(x, &g)
	}
	if err == nil {
		g, err = w.writer.Publish(g)
	}
	if err != nil {
		return errors.Join(err, x.Close(context.WithoutCancel(ctx)))
	}
	w.take(&w.current, &Edition{g, x, w.parts})
	w.change.Generation, w.change.Published = g, true
	if g.Complete() {
		w.forgetCheckpoints()
	}
	w.Log.Info("index_published", "generation", g.Number, "corpus", g.Root, "documents", g.Documents, "segments", len(g.Segments), "merged", w.change.Merged, "open_ms", time.Since(start).Milliseconds())
	return nil
}

// generation fills in what an open index is as a generation.
func (w *work) generation(x *pool.Index, g *index.Generation) error {
	g.Parent, g.Created, g.Root, g.Engine = w.parent, w.Clock(), x.Root(), w.Runner.Engine()
	g.Settings, g.Documents = w.settings.Append(nil), int64(x.Documents())
	for i := range w.parts {
		p := &w.parts[i]
		if len(p.removed) > 0 && p.Tombstones == "" {
			var err error
			if p.Tombstones, err = w.writer.AddBlob(appendTombstones(nil, p.removed)); err != nil {
				return err
			}
		}
		g.Segments = append(g.Segments, p.Segment)
		if p.Vectors != "" {
			g.Model = p.model
		}
	}
	return nil
}

// holdsDocuments compares an index with the documents that it was to hold.
func holdsDocuments(list []document) func(x *pool.Index) error {
	return func(x *pool.Index) error {
		leaves, err := abi.ReadLeaves(x.Leaves())
		if err != nil {
			return err
		}
		if c := compare(leaves, list); len(c.fresh)+len(c.gone) > 0 {
			return abi.Errorf(abi.Internal, "the index that was built lacks %d of the documents given and has %d others; nothing was published", len(c.fresh), len(c.gone))
		}
		return nil
	}
}

// holdsRoot compares an index with the generation that it was made from.
func holdsRoot(g index.Generation) func(x *pool.Index) error {
	return func(x *pool.Index) error {
		if x.Root() != g.Root {
			return abi.Errorf(abi.SegmentVersion, "the documents in the segments of generation %d have the root %s, and this engine reads others, with the root %s; rebuild the index from its documents", g.Number, g.Root, x.Root())
		}
		return nil
	}
}
