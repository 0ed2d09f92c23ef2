package pool

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Segment is a part of an index.
type Segment struct {
	Size    int64                  // bytes
	Read    func() ([]byte, error) // whenever an instance is given them
	Removed []uint32               // the numbers of the documents that are left out, ascending
	Vectors func() ([]byte, error) // the file of its vectors; nil: there is none
}

// Kept returns a Segment whose bytes are kept in this process.
func Kept(b []byte, removed []uint32) Segment {
	return Segment{Size: int64(len(b)), Read: func() ([]byte, error) { return b, nil }, Removed: removed}
}

// An Index is open until it is closed. It answers what a [Corpus] does, and
// searches.
type Index struct {
	*spread
	settings abi.Settings
	segments int
	at       [][]int // shard → the numbers of its segments
	vectors  Vectors
	set      setOf
}

// Vectors say what an index has beside its words, and what makes them.
type Vectors struct {
	Absent string // "", or what degraded says of vectors that are not there

	// Query makes the vector of a query; nil, and where it fails, the vector leg takes no
	// part. Failed is told why it failed.
	Query  func(ctx context.Context, text string) ([]int8, error)
	Failed func(err error)

	// Model returns the file of the model, which a replay needs; nil where it is an
	// external one.
	Model func() ([]byte, error)
}

// A setOf is what the shards say of their vectors.
type setOf struct {
	mu    sync.Mutex
	reply abi.AttachReply
}

func (s *setOf) get() abi.AttachReply {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reply
}

func (s *setOf) put(reply abi.AttachReply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reply = reply
}

// OpenIndex opens an index of segments that this engine built with these settings:
// a segment does not name them, and nothing here checks it. Each lies in one shard as a
// whole. Where every segment has vectors, the vector leg takes part.
func OpenIndex(ctx context.Context, r runner.Runner, c Config, names abi.Names, settings abi.Settings, segments []Segment) (*Index, error) {
	x := &Index{settings: settings, segments: len(segments), vectors: c.Vectors}
	x.at = deal(segments, c.ofSegments(segments))
	var parts []content
	for _, numbers := range x.at {
		var part []Segment
		for _, n := range numbers {
			part = append(part, segments[n])
		}
		parts = append(parts, x.content(part, segments))
	}
	var err error
	x.spread, err = openSpread(ctx, r, names, parts, x.content(segments, segments))
	if err != nil {
		return nil, err
	}
	return x, nil
}

// content is that of some segments, with their vectors where all segments have them. Of
// damaged ones none is attached: words answer.
func (x *Index) content(part, all []Segment) content {
	open := ofSegments(x.settings, part)
	absent := x.vectors.Absent
	if hasNone := func(s Segment) bool { return s.Vectors == nil }; absent != "" || slices.ContainsFunc(all, hasNone) || len(all) == 0 {
		if absent == "" {
			return open
		}
		part = nil
	}
	return func(ctx context.Context, i runner.Instance, names abi.Names, leaves bool) (abi.OpenReply, error) {
		reply, err := open(ctx, i, names, leaves)
		if err != nil {
			return reply, err
		}
		set, err := attach(ctx, i, reply.Handle, part, absent)
		if e, ok := errors.AsType[*abi.Error](err); ok && (e.Code == abi.VectorsCorrupt || e.Code == abi.VectorsVersion) {
			if x.vectors.Failed != nil {
				x.vectors.Failed(err)
			}
			set, err = attach(ctx, i, reply.Handle, nil, abi.VectorsDamaged)
		}
		x.set.put(set)
		return reply, err
	}
}

// attach gives an open index the vectors of its segments, or says why it has none.
func attach(ctx context.Context, i runner.Instance, handle int64, part []Segment, absent string) (set abi.AttachReply, err error) {
	q := abi.AttachRequest{Handle: handle, Absent: absent}
	var held []uint32
	for _, s := range part {
		b, err := s.Vectors()
		if err != nil {
			return set, errors.Join(err, release(ctx, i, err, held))
		}
		at, err := i.Hold(ctx, b)
		if err != nil {
			return set, errors.Join(err, release(ctx, i, err, held))
		}
		held = append(held, at)
		q.Vectors = append(q.Vectors, abi.SegmentRef{Address: int64(at), Size: int64(len(b))})
	}
	out, err := quietly(ctx, i, abi.AttachVectors, q.Append(nil))
	if err == nil {
		set, err = abi.ReadAttachReply(out)
	}
	return set, errors.Join(err, release(ctx, i, err, held))
}

func weight(segments []Segment) int64 {
	n := int64(0)
	for _, s := range segments {
		n += s.Size
	}
	return n
}

// deal gives each of n shards the numbers of its segments: the largest first, each
// to the shard that has least.
func deal(segments []Segment, n int) [][]int {
	order := make([]int, len(segments))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(segments[b].Size, segments[a].Size) })
	hands, sizes := make([][]int, n), make([]int64, n)
	for _, i := range order {
		least := slices.Index(sizes, slices.Min(sizes))
		hands[least] = append(hands[least], i)
		sizes[least] += segments[i].Size
	}
	for _, hand := range hands {
		slices.Sort(hand)
	}
	return hands
}

// ofSegments is the content of segments. They go over the bulk plane one by one,
// so that this process holds one of them at a time.
func ofSegments(settings abi.Settings, segments []Segment) content {
	return func(ctx context.Context, i runner.Instance, names abi.Names, leaves bool) (abi.OpenReply, error) {
		var held []uint32
		var refs []abi.SegmentRef
		for _, s := range segments {
			b, err := s.Read()
			if err != nil {
				return abi.OpenReply{}, err
			}
			at, err := i.Hold(ctx, b)
			if err != nil {
				return abi.OpenReply{}, errors.Join(err, release(ctx, i, err, held))
			}
			held = append(held, at)
			refs = append(refs, abi.SegmentRef{Address: int64(at), Size: int64(len(b))})
		}
		reply, err := open(ctx, i, names, leaves, segmentMembers(settings, refs, segments))
		return reply, errors.Join(err, release(ctx, i, err, held))
	}
}

// release gives reservations back after a call that ended with err.
func release(ctx context.Context, i runner.Instance, err error, held []uint32) error {
	if runner.Dead(err) {
		return nil // with the instance
	}
	return i.Release(context.WithoutCancel(ctx), held...)
}

// segmentMembers returns the members of open that say what an index is.
func segmentMembers(settings abi.Settings, refs []abi.SegmentRef, segments []Segment) []byte {
	w := json.NewWriter(nil)
	w.BeginObject()
	w.Name("removed")
	w.BeginArray()
	for _, s := range segments {
		w.BeginArray()
		for _, doc := range s.Removed {
			w.Int(int64(doc))
		}
		w.EndArray()
	}
	w.EndArray()
	w.Name("segments")
	w.BeginArray()
	for _, ref := range refs {
		w.BeginObject()
		w.Name("address")
		w.Int(ref.Address)
		w.Name("size")
		w.Int(ref.Size)
		w.EndObject()
	}
	w.EndArray()
	w.Name("settings")
	w.Raw(settings.Append(nil))
	w.EndObject()
	return w.Bytes()[1 : w.Len()-1]
}

// Settings returns what the index was built with.
func (x *Index) Settings() abi.Settings { return x.settings }

// Search answers a SearchRequest, given as JSON, with a SearchReply and where its
// time went.
func (x *Index) Search(ctx context.Context, request []byte) ([]byte, Timings, error) {
	return x.answer(ctx, request, func(w *watch, request []byte) ([]byte, error) {
		vector, err := x.queryVector(ctx, request)
		if err != nil {
			return nil, err
		}
		if len(x.shards) > 1 {
			return x.searchRounds(ctx, w, request, vector)
		}
		return x.shards[0].call(ctx, w.follow(0, abi.Search), abi.Search, withHandle([]byte(`,"search":`), request, vector, closing))
	})
}

// Replay is that of a corpus. Where the vector leg took part, the model is opened for it,
// in an instance of its own.
func (x *Index) Replay(ctx context.Context, stored, leaves []byte) ([]byte, error) {
	set := x.set.get()
	if set.Model == "" || set.External || x.vectors.Model == nil || !names(stored, set.Model) {
		return x.spread.Replay(ctx, stored, leaves)
	}
	file, err := x.vectors.Model()
	if err != nil {
		return nil, err
	}
	return x.replay(ctx, stored, leaves, func(ctx context.Context, i runner.Instance, names abi.Names, leaves bool) (abi.OpenReply, error) {
		reply, err := x.whole(ctx, i, names, leaves)
		if err != nil {
			return reply, err
		}
		_, err = OpenModel(ctx, i, file)
		return reply, err
	})
}

// OpenModel opens a model in an instance.
func OpenModel(ctx context.Context, i runner.Instance, file []byte) (abi.OpenModelReply, error) {
	at, err := i.Hold(ctx, file)
	if err != nil {
		return abi.OpenModelReply{}, err
	}
	q := abi.OpenModelRequest{Model: abi.SegmentRef{Address: int64(at), Size: int64(len(file))}}
	out, err := quietly(ctx, i, abi.OpenModel, q.Append(nil))
	if err = errors.Join(err, release(ctx, i, err, []uint32{at})); err != nil {
		return abi.OpenModelReply{}, err
	}
	return abi.ReadOpenModelReply(out)
}

// names reports whether a stored reply names a model.
func names(stored []byte, model string) bool {
	v, err := json.Parse(stored)
	return err == nil && v.Member("model").Text() == model
}

// Model returns the digest of the model that made the vectors, "" where there are none.
func (x *Index) Model() string { return x.set.get().Model }

// queryVector returns the member queryVector of a call, nil where the vector leg takes no
// part. What is wrong with a request, the engine says.
func (x *Index) queryVector(ctx context.Context, request []byte) ([]byte, error) {
	if x.Model() == "" || x.vectors.Query == nil {
		return nil, nil
	}
	q, err := abi.ReadSearch(request)
	if err != nil || q.Mode == abi.ModeLexical {
		return nil, nil
	}
	v, err := x.embed(ctx, q.Query)
	if v == nil {
		return nil, err
	}
	return append([]byte(`,"queryVector":`), v...), nil
}

// queryVectors returns the member queryVectors of the calls of a request, nil where the
// vector leg takes no part.
func (x *Index) queryVectors(ctx context.Context, w *watch, request []byte) ([]byte, error) {
	if x.Model() == "" || x.vectors.Query == nil {
		return nil, nil
	}
	q, err := abi.ReadRequest(request)
	if err != nil || !q.Indexed() || q.Mode == abi.ModeLexical {
		return nil, nil
	}
	i := x.any()
	out, err := x.shards[i].call(ctx, w.follow(i, abi.Decompose), abi.Decompose, func([]byte) [][]byte { return [][]byte{request} })
	if err != nil {
		return nil, err
	}
	d, err := abi.ReadDecomposition(out)
	if err != nil {
		return nil, err
	}
	var list [][]byte
	for _, s := range d.Subqueries {
		if s.Budget == 0 {
			continue // it is not ranked
		}
		v, err := x.embed(ctx, s.Text)
		if v == nil {
			return nil, err
		}
		list = append(list, v)
	}
	return slices.Concat([]byte(`,"queryVectors":[`), bytes.Join(list, comma), []byte("]")), nil
}

// embed returns the vector of a text as messages have it, nil where it cannot be made.
func (x *Index) embed(ctx context.Context, text string) ([]byte, error) {
	v, err := x.vectors.Query(ctx, text)
	switch {
	case ctx.Err() != nil:
		return nil, runner.Cancelled(ctx)
	case err != nil:
		if x.vectors.Failed != nil {
			x.vectors.Failed(err)
		}
		return nil, nil
	case v == nil:
		return nil, nil
	}
	return append(abi.AppendVector([]byte{'"'}, v), '"'), nil
}

// Retrieve is that of a corpus. Where the index has vectors, the profiles that rank by it
// rank by them, too.
func (x *Index) Retrieve(ctx context.Context, request []byte) ([]byte, Timings, error) {
	return x.answer(ctx, request, func(w *watch, request []byte) ([]byte, error) {
		vectors, err := x.queryVectors(ctx, w, request)
		if err != nil {
			return nil, err
		}
		return x.retrieve(ctx, w, request, vectors, append([]byte(`,"settings":`), x.settings.Append(nil)...))
	})
}

// searchRounds answers a request in four rounds. As in [spread.rounds], a fault of the
// request stands at its place in the first round, the one that finds it.
func (x *Index) searchRounds(ctx context.Context, w *watch, request, vector []byte) ([]byte, error) {
	in := [][]byte{[]byte(`,"search":`), request, vector, json.AppendString([]byte(`,"corpus":`), x.root)}
	for _, round := range []struct {
		export abi.Export
		gives  string
	}{
		{abi.SearchPlans, `,"plans":`},
		{abi.SearchStats, `,"statistics":`},
		{abi.SearchPartials, `,"partials":`},
	} {
		given, err := x.round(ctx, w, round.export, withHandle(append(slices.Clone(in), closing)...))
		if err != nil {
			return nil, err
		}
		in = append(in, []byte(round.gives), given)
	}
	i := x.any()
	return x.shards[i].call(ctx, w.follow(i, abi.SearchMerge), abi.SearchMerge, func([]byte) [][]byte {
		head := append([]byte(`{"settings":`), x.settings.Append(nil)...)
		return slices.Concat([][]byte{appendNames(head, x.names)}, in, [][]byte{closing})
	})
}

// Remove says what is to be opened for an index without the documents with these
// ids: of each segment, by its number, all documents that are left out then. unknown
// are the ids that the index does not have, in the order given. The open index itself
// does not change.
func (x *Index) Remove(ctx context.Context, ids []string) (removed [][]uint32, unknown []string, err error) {
	if err := x.enter(); err != nil {
		return nil, nil, err
	}
	defer x.leave()
	replies := make([]abi.RemoveReply, len(x.shards))
	in := withHandle([]byte(`,"ids":`), appendStrings(nil, ids), closing)
	w := newWatch()
	err = x.each(ctx, func(ctx context.Context, i int) error {
		out, err := x.shards[i].call(ctx, w.follow(i, abi.Remove), abi.Remove, in)
		if err == nil {
			replies[i], err = abi.ReadRemoveReply(out)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return x.removed(replies), unknownToAll(ids, replies), nil
}

// removed puts the lists of the shards in the order of the index's segments.
func (x *Index) removed(replies []abi.RemoveReply) [][]uint32 {
	lists := make([][]uint32, x.segments)
	for i, numbers := range x.at {
		for k, n := range numbers {
			lists[n] = replies[i].Removed[k]
		}
	}
	return lists
}

// unknownToAll returns the ids that no shard knows.
func unknownToAll(ids []string, replies []abi.RemoveReply) []string {
	known := map[string]bool{}
	for _, r := range replies {
		unknown := make(map[string]bool, len(r.Unknown))
		for _, id := range r.Unknown {
			unknown[id] = true
		}
		for _, id := range ids {
			known[id] = known[id] || !unknown[id]
		}
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return known[id] })
}

func appendStrings(dst []byte, list []string) []byte {
	w := json.NewWriter(dst)
	w.BeginArray()
	for _, s := range list {
		w.String(s)
	}
	w.EndArray()
	return w.Bytes()
}
