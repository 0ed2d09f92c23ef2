package index

import (
	"context"
	"slices"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// Forget gives up each generation before the current one that is lost, which is what Check
// finds missing or damaged something of, and returns their numbers, ascending. What is left
// of their files goes, and one that says so comes in its place: Check tells of it as
// forgotten, and no more as lost, until Prune drops it. Those that are whole stay, and what
// only the others needed is left to Prune.
//
// Where the current generation is lost, too, the code is INDEX_DAMAGED, and nothing is
// changed: another one has to be published first. Where some step fails, or the power goes,
// some of them are forgotten, and Forget may be called again.
func (w *Writer) Forget(ctx context.Context) ([]int64, error) {
	w.turn.Lock()
	defer w.turn.Unlock()
	if err := w.usable(); err != nil {
		return nil, err
	}
	lost, err := w.lost(ctx)
	if err != nil {
		return nil, err
	}
	for _, n := range lost {
		path := w.path(generations, forgottenOf(n))
		if err := w.wrote(path, disk.Replace(w.fs, path, nil)); err != nil {
			return nil, err
		}
	}
	for _, n := range lost { // now that it may be missing
		if err := w.removeFile(generations, fileOf(n)); err != nil {
			return nil, err
		}
	}
	return lost, w.syncDir(w.path(generations))
}

// lost returns the numbers of the generations that are, ascending.
func (w *Writer) lost(ctx context.Context) ([]int64, error) {
	c, err := w.check(ctx)
	if err != nil {
		return nil, err
	}
	if c.report.Current != w.head {
		return nil, abi.Errorf(Damaged, "the current generation %d of %s is lost: publish another one before it is forgotten", w.head.Number, w.dir)
	}
	list := slices.Clone(c.report.Missing)
	for _, p := range c.problems {
		if p.Kind.Harm() {
			list = append(list, p.of...)
		}
	}
	slices.Sort(list)
	list = slices.DeleteFunc(list, func(n int64) bool { return n >= w.head.Number }) // Prune drops those
	return slices.Compact(list), nil
}
