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
// names any more and this Writer did not add, and what crashes left behind. The
// current generation stays in any case, and so does one whose time lies ahead.
//
// A generation goes before what it names, so that whatever fails, and whenever the
// power goes, those that are left are whole; the next Prune removes the rest. As
// long as a generation's file is damaged, and it is not older than all others, no
// segment and no blob is removed, since it may be one of its own.
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
	if err := w.dropGenerations(plan, &done); err != nil {
		return done, err
	}
	if err := w.removeFile(current + disk.Suffix); err != nil {
		return done, err
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
	drop  []int64         // the oldest first
	named map[string]bool // paths that stay
	held  string
}

func (w *Writer) plan(newest int, age time.Duration, now time.Time) (plan, error) {
	p := plan{named: map[string]bool{}}
	numbers, err := w.numbers()
	if err != nil {
		return p, err
	}
	var damaged []int64
	var passed []Generation
	oldest, rank := w.head.Number, 0
	for _, n := range numbers {
		if n > w.head.Number { // it was never current
			p.drop = append(p.drop, n)
			continue
		}
		g, err := w.generation(n)
		switch {
		case codeOf(err) == Damaged:
			damaged = append(damaged, n)
		case err != nil:
			return p, err
		case n == w.head.Number, rank < newest, milli(now).Sub(g.Created) <= age:
			oldest = n
			w.keep(p.named, g)
		default:
			passed = append(passed, g)
		}
		rank++
	}
	for _, g := range passed {
		if g.Number < oldest {
			p.drop = append(p.drop, g.Number)
		} else { // the clock went back meanwhile
			w.keep(p.named, g)
		}
	}
	for _, n := range damaged {
		if n < oldest {
			p.drop = append(p.drop, n)
		} else {
			p.hold(n)
		}
	}
	if w.head != (Ref{}) && w.parent.Ref != w.head {
		p.hold(w.head.Number)
	}
	slices.Sort(p.drop)
	return p, nil
}

func (p *plan) hold(n int64) {
	p.held = fmt.Sprintf("the file of generation %d is damaged, so nothing was removed that may be a part of it", n)
}

func (w *Writer) keep(named map[string]bool, g Generation) {
	for folder, names := range g.names() {
		for _, name := range names {
			path, _ := w.contentPath(folder, name)
			named[path] = true
		}
	}
}

func (w *Writer) dropGenerations(p plan, done *Pruned) error {
	for _, n := range p.drop {
		if err := w.removeFile(generations, fileOf(n)); err != nil {
			return err
		}
		done.Generations = append(done.Generations, n)
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
		_, ok := numberOf(name)
		return ok
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
