package library

import (
	"bytes"
	"slices"

	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A part is a segment without the documents that were removed from it.
type part struct {
	index.Segment
	removed []uint32
	model   string // that made its vectors
}

// live returns how many of its documents are not removed.
func (p part) live() int64 { return p.Documents - int64(len(p.removed)) }

// weight returns about how many bytes of it are those of live documents.
func (p part) weight() int64 { return p.Bytes * p.live() / max(p.Documents, 1) }

// parts returns what a generation consists of.
func (l *Library) parts(g index.Generation) ([]part, error) {
	parts := make([]part, len(g.Segments))
	for i, s := range g.Segments {
		parts[i] = part{Segment: s, model: g.Model}
		if s.Tombstones == "" {
			continue
		}
		b, err := l.store.Blob(s.Tombstones)
		if err != nil {
			return nil, err
		}
		var ok bool
		if parts[i].removed, ok = parseTombstones(b, s.Documents); !ok {
			return nil, abi.Errorf(index.Damaged, "the blob %s is no set of tombstones for %d documents", s.Tombstones, s.Documents)
		}
	}
	return parts, nil
}

// segments returns parts as the pool reads them, from the disk.
func (l *Library) segments(parts []part) []pool.Segment {
	list := make([]pool.Segment, len(parts))
	for i, p := range parts {
		list[i] = pool.Segment{
			Size:    p.Bytes,
			Read:    func() ([]byte, error) { return l.store.Segment(p.Name) },
			Removed: p.removed,
		}
	}
	return list
}

// removing returns parts with other sets of removed documents; what holds no live
// document any more is left out.
func removing(parts []part, removed [][]uint32) []part {
	rest := slices.Clone(parts)
	for i := range rest {
		if !slices.Equal(rest[i].removed, removed[i]) {
			rest[i].removed, rest[i].Tombstones = removed[i], ""
		}
	}
	return slices.DeleteFunc(rest, func(p part) bool { return p.live() == 0 })
}

func appendTombstones(dst []byte, removed []uint32) []byte {
	w := json.NewWriter(dst)
	w.BeginArray()
	for _, n := range removed {
		w.Int(int64(n))
	}
	w.EndArray()
	return w.Bytes()
}

// parseTombstones takes exactly what appendTombstones wrote for a segment with so
// many documents.
func parseTombstones(in []byte, documents int64) (removed []uint32, ok bool) {
	r := json.NewReader(in)
	last := int64(-1)
	for range r.Array() {
		n := r.Int()
		if n <= last || n >= min(documents, 1<<32) {
			return nil, false
		}
		removed, last = append(removed, uint32(n)), n
	}
	if r.End() != nil || len(removed) == 0 || !bytes.Equal(in, appendTombstones(nil, removed)) {
		return nil, false
	}
	return removed, true
}

// What decides when segments are merged. Each segment costs every query a few
// microseconds, and as much time as its dictionary takes where a word occurs nowhere;
// each removed document costs memory, and its analysis whenever the index opens.
const (
	// full is how many bytes of live documents a merged segment may have: about what
	// a batch of the pool becomes. Larger ones could not be spread over shards.
	full = 16 << 20

	// manySmall is how many segments below half of that there may be. A document
	// that changes makes one of its own, so that every eighth change merges.
	manySmall = 8

	// staleShare is the share of removed documents, as a divisor, above which a
	// segment is made anew.
	staleShare = 4

	// opened is how many bytes of segments one merge opens: far below what an instance
	// has, where many are nearly empty.
	opened = 128 << 20
)

// merges says which parts are to be merged, by their numbers: those that are stale,
// and the small ones if there are too many, in runs that become one segment each.
func merges(parts []part) [][]int {
	var due, small []int
	for i, p := range parts {
		switch {
		case int64(len(p.removed))*staleShare > p.Documents:
			due = append(due, i)
		case p.weight() < full/2:
			small = append(small, i)
		}
	}
	if len(small) > manySmall || len(due) > 0 && len(due)+len(small) > manySmall {
		due = append(due, small...)
		slices.Sort(due)
	}
	runs := runsOf(parts, due)
	return slices.DeleteFunc(runs, func(run []int) bool { return len(run) == 1 && len(parts[run[0]].removed) == 0 })
}

// runsOf cuts numbers of parts into runs that become one segment each.
func runsOf(parts []part, numbers []int) [][]int {
	var runs [][]int
	weight, bytes := int64(0), int64(0)
	for _, i := range numbers {
		weight += parts[i].weight()
		bytes += parts[i].Bytes
		if len(runs) == 0 || weight > full || bytes > opened {
			runs = append(runs, nil)
			weight, bytes = parts[i].weight(), parts[i].Bytes
		}
		last := len(runs) - 1
		runs[last] = append(runs[last], i)
	}
	return runs
}
