package index

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// What is kept where nobody says otherwise.
const (
	KeepNewest = 10
	KeepFor    = 30 * 24 * time.Hour
)

// Pruned is what Prune removed.
type Pruned struct {
	Generations []int64 // the oldest first
	Files       int     // of all kinds
	Bytes       int64   // of segments and blobs

	// Held is empty, or says why segments and blobs were left alone.
	Held string
}

// Prune drops the generations that are neither among the newest ones nor younger
// than age by the clock given, nor newer than one that is, so that the numbers of those
// that are kept have no gap; and then the segments and blobs that no generation
// names any more and this Writer did not add, and what crashes left behind, and what tells
// of generations that were forgotten and would have been dropped by now, or are back. The
// current generation stays in any case, and so does one whose time lies ahead.
//
// A generation goes before what it names, so that whatever fails, and whenever the
// power goes, those that are left are whole; the next Prune removes the rest. OLDEST
// tells of it before anything goes. As long as one that would stay is lost, its file
// damaged or missing, no segment and no blob is removed, since it may be one of its own.
func (w *Writer) Prune(newest int, age time.Duration, now time.Time) (Pruned, error) {
	w.turn.Lock()
	defer w.turn.Unlock()
	var done Pruned
	if err := w.usable(); err != nil {
		return done, err
	}
	plan, err := w.plan(newest, age, now)
	if err != nil {
		return done, err
	}
	if err := w.markOldest(plan.oldest); err != nil {
		return done, err
	}
	if err := w.dropGenerations(plan, &done); err != nil {
		return done, err
	}
	for _, name := range []string{current, oldest} {
		if err := w.removeFile(name + disk.Suffix); err != nil {
			return done, err
		}
	}
	done.Held = plan.held
	for _, folder := range []string{segments, blobs} {
		if err := w.dropContent(folder, plan, &done); err != nil {
			return done, err
		}
	}
	return done, nil
}

// A plan says what Prune is going to do.
type plan struct {
	drop   []int64         // the oldest first
	traces []int64         // of forgotten ones, likewise
	named  map[string]bool // paths that stay
	oldest Ref             // of the generations that stay, the lost ones among them
	held   string
}

func (w *Writer) plan(newest int, age time.Duration, now time.Time) (plan, error) {
	p := plan{named: map[string]bool{}, oldest: w.head}
	if w.head == (Ref{}) {
		return p, nil
	}
	numbers, err := w.numbers()
	if err != nil {
		return p, err
	}
	trace, err := w.readOldest(numbers)
	if err != nil {
		return p, err
	}
	var readable []Generation // the newest first
	for _, n := range numbers {
		g, err := w.generation(n)
		switch {
		case err == nil && n <= w.head.Number:
			readable = append(readable, g)
		case err != nil && codeOf(err) != Damaged:
			return p, err
		}
	}
	lowest := slices.Min(append(numbers, w.head.Number))
	if trace.believed() {
		lowest = min(lowest, trace.ref.Number)
	}
	young := func(g Generation) bool { return milli(now).Sub(g.Created) <= age }
	forgotten, err := w.forgotten()
	if err != nil {
		return p, err
	}
	gone := slices.DeleteFunc(slices.Clone(forgotten), func(n int64) bool { return slices.Contains(numbers, n) }) // others are back
	first := w.first(readable, lowest, int64(newest), young)
	for slices.Contains(gone, first) && first < w.head.Number {
		first++
	}
	for _, n := range slices.Backward(forgotten) {
		if n < first || n > w.head.Number || !slices.Contains(gone, n) {
			p.traces = append(p.traces, n)
		}
	}
	for _, n := range numbers {
		if n < first || n > w.head.Number { // the latter were never current
			p.drop = append(p.drop, n)
		}
	}
	slices.Sort(p.drop)
	p.stay(w, readable, first, trace, gone)
	return p, nil
}

// first returns the number of the oldest generation that stays. That of one that is lost
// is as young as the next one that is not.
func (w *Writer) first(readable []Generation, lowest, newest int64, young func(Generation) bool) int64 {
	first := max(lowest, min(w.head.Number, w.head.Number-newest+1))
	answers := false
	for i, g := range readable {
		if !answers && !w.doubted(g) { // it answers where what came after it does not
			answers, first = true, min(first, g.Number)
		}
		if young(g) {
			below := lowest
			if i+1 < len(readable) {
				below = readable[i+1].Number + 1
			}
			first = min(first, below)
		}
	}
	return first
}

// stay notes what the generations from the first one on need, and which of them are lost.
func (p *plan) stay(w *Writer, readable []Generation, first int64, trace pointer, forgotten []int64) {
	above := w.head.Number + 1 // the number of the one before, in the order of readable
	lost := func(n int64) {
		for n++; n < above && p.held == ""; n++ {
			if !slices.Contains(forgotten, n) {
				p.held = fmt.Sprintf("the file of generation %d is damaged or missing, so nothing was removed that may be a part of it", n)
			}
		}
	}
	for _, g := range readable {
		if g.Number < first {
			break
		}
		lost(g.Number)
		above, p.oldest = g.Number, g.Ref
		w.keep(p.named, g)
		if first < g.Number && g.Parent != (Ref{}) {
			p.oldest = g.Parent // a lost one, or the next one here
		}
	}
	lost(first - 1)
	if trace.believed() && first <= trace.ref.Number && trace.ref.Number < above {
		p.oldest = trace.ref
	}
}

func (w *Writer) keep(named map[string]bool, g Generation) {
	for folder, names := range g.names() {
		for _, name := range names {
			path, _ := w.contentPath(folder, name)
			named[path] = true
		}
	}
}

// readOldest reads OLDEST, which names a generation up to the current one.
func (s *Store) readOldest(numbers []int64) (pointer, error) {
	p, err := s.readPointer(oldest)
	if err == nil {
		err = s.resolve(oldest, &p, numbers)
	}
	return p, err
}

// markOldest makes OLDEST name a generation. Pruning needs no space: where there is none,
// OLDEST goes, and says nothing that is wrong.
func (w *Writer) markOldest(to Ref) error {
	path := w.path(oldest)
	p, err := w.readPointer(oldest)
	if err != nil || to == (Ref{}) || p.ref == to {
		return err
	}
	err = w.wrote(path, disk.Replace(w.fs, path, to.encode()))
	if codeOf(err) != Full || w.stopped() != nil {
		return err
	}
	if err := w.removeFile(oldest); err != nil {
		return err
	}
	return w.syncDir(w.dir)
}

func (w *Writer) dropGenerations(p plan, done *Pruned) error {
	for _, n := range p.drop {
		if err := w.removeFile(generations, fileOf(n)); err != nil {
			return err
		}
		done.Generations = append(done.Generations, n)
		done.Files++
	}
	for _, n := range p.traces {
		if err := w.removeFile(generations, forgottenOf(n)); err != nil {
			return err
		}
		done.Files++
	}
	if err := w.sweep(generations); err != nil {
		return err
	}
	return w.syncDir(w.path(generations)) // before anything goes that they named
}

func (w *Writer) dropContent(folder string, p plan, done *Pruned) error {
	if err := w.sweep(folder); err != nil || p.held != "" {
		return err
	}
	entries, err := w.list(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := w.path(folder, e.Name)
		if _, added := w.added[path]; added || p.named[path] || !e.Regular || !ours(folder, e.Name) {
			continue
		}
		size, _ := w.fs.Size(path) // it is only told
		if err := w.removeFile(folder, e.Name); err != nil {
			return err
		}
		done.Files++
		done.Bytes += size
	}
	return w.syncDir(w.path(folder))
}

// sweep removes the files that were never whole. Nobody else writes, and this
// Writer does one thing after the other.
func (w *Writer) sweep(folder string) error {
	entries, err := w.list(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Regular && leftover(folder, e.Name) {
			if err := w.removeFile(folder, e.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// leftover reports whether a name is one that a file has until it is whole.
func leftover(folder, name string) bool {
	name, ok := strings.CutSuffix(name, disk.Suffix)
	return ok && ours(folder, name)
}

// ours reports whether a name is one that this package gives to a whole file.
func ours(folder, name string) bool {
	if folder == generations {
		_, whole := numberOf(name, generationFile)
		_, forgotten := numberOf(name, forgottenFile)
		return whole || forgotten
	}
	return abi.IsDigest("sha256:" + name)
}

func (w *Writer) removeFile(parts ...string) error {
	path := w.path(parts...)
	if err := w.fs.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed("remove", path, err)
	}
	return nil
}
