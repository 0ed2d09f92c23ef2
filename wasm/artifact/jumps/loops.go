package jumps

import "slices"

// A loop is a run of segments that are jumped back to.
type loop struct {
	first, last int // segments
	head        int // the one that it is entered at
	from, to    int // its places in the order
}

// arrange finds the loops and the order of the segments.
func (f *function) arrange() {
	runs := f.runs()
	for _, l := range runs {
		if f.closed(&l, runs) {
			f.loops = append(f.loops, l)
		}
	}
	for f.sort(); ; f.sort() {
		i := f.misled()
		if i < 0 {
			return
		}
		f.loops = slices.Delete(f.loops, i, i+1)
	}
}

// runs returns for each segment that is jumped back to the run that ends with the
// last that does so, and with the last of the runs that begin inside of it: they
// lie inside of each other, the outer ones first.
func (f *function) runs() []loop {
	last := make([]int, len(f.segments)) // by the first; 0: there is none
	for s := range f.segments {
		for _, to := range f.segments[s].jumps {
			if to <= s {
				last[to] = s + 1
			}
		}
	}
	var list []loop
	for first := len(last) - 1; first >= 0; first-- {
		for s := first + 1; s < last[first]; s++ {
			last[first] = max(last[first], last[s])
		}
		if last[first] > 0 {
			list = append(list, loop{first: first, last: last[first] - 1, head: first})
		}
	}
	slices.Reverse(list)
	return list
}

// closed reports whether a run calls nothing and is entered at one place at most, its
// head: the first segment, or a later one that then takes the first place.
func (f *function) closed(l *loop, runs []loop) bool {
	heads := map[int]bool{}
	for s := range f.segments {
		inside := l.has(s)
		if inside && f.segments[s].calls {
			return false
		}
		for _, to := range f.segments[s].jumps {
			if !inside && l.has(to) {
				l.head, heads[to] = to, true
			}
		}
	}
	if before := l.first - 1; before < 0 || f.fallsThrough(before) || f.segments[before].calls {
		l.head, heads[l.first] = l.first, true
	}
	if len(heads) > 1 {
		return false
	}
	return !slices.ContainsFunc(runs, func(inner loop) bool { // that the new first place would take apart
		return l.first < inner.first && inner.first < l.head && l.head <= inner.last
	})
}

func (l *loop) has(s int) bool { return l.first <= s && s <= l.last }

// sort puts the segments into an order in which each loop begins with its head.
func (f *function) sort() {
	f.order, f.place = make([]int, len(f.segments)), make([]int, len(f.segments))
	for s := range f.order {
		f.order[s] = s
	}
	for _, l := range f.loops {
		from := slices.Index(f.order, l.first)
		run := f.order[from : from+l.last-l.first+1]
		at := slices.Index(run, l.head)
		copy(run, slices.Concat(run[at:], run[:at]))
	}
	for i, s := range f.order {
		f.place[s] = i
	}
	for i := range f.loops {
		l := &f.loops[i]
		l.from = f.place[l.head]
		l.to = l.from + l.last - l.first
	}
}

// misled returns a loop that is jumped into by a way that would have to go through
// the dispatch, or -1: a jump back to what is no head, or not of a loop around it.
func (f *function) misled() int {
	for s := range f.segments {
		for _, to := range f.segments[s].jumps {
			if f.place[to] > f.place[s] || f.isAround(s, to) {
				continue
			}
			for i := len(f.loops) - 1; i >= 0; i-- {
				if l := &f.loops[i]; l.from < f.place[to] && f.place[to] <= l.to {
					return i
				}
			}
		}
	}
	return -1
}

// isAround reports whether a segment lies in a loop with a head.
func (f *function) isAround(s, head int) bool {
	return slices.ContainsFunc(f.loops, func(l loop) bool { return l.head == head && l.has(s) })
}
