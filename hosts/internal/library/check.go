package library

import (
	"context"
	"errors"

	"github.com/rookhaven-project/rookhaven/hosts/store/index"
)

// A Report is what Check found.
type Report struct {
	index.Report
	// Engine is nil, or why the current generation does not open: its engine or its
	// settings are others, or what is in its segments is not what they should hold.
	Engine error
}

// Sound reports whether every generation is whole and the current one answers.
func (r Report) Sound() bool { return r.Report.Sound() && r.Engine == nil }

// Check reads every file of the index, and opens the current generation anew. It
// takes no lock. An index that does not exist is INDEX_ABSENT.
func (l *Library) Check(ctx context.Context) (Report, error) {
	files, err := l.store.Check(ctx)
	if err != nil {
		return Report{}, err
	}
	r := Report{Report: files}
	_, err = l.store.View(named(""), func(g index.Generation) error {
		_, err := l.settings(g)
		if err != nil {
			return err
		}
		e, err := l.load(ctx, g)
		if err != nil {
			return err
		}
		return e.Index.Close(context.WithoutCancel(ctx))
	})
	switch {
	case ctx.Err() != nil:
		return r, errors.Join(err, ctx.Err())
	case code(err) == index.Absent:
		return r, err
	}
	r.Engine = err
	return r, nil
}

// Prune drops the generations that are neither among the newest nor young, as
// [index.Writer.Prune] says, and what they alone needed. DATA_LOCKED says that another
// process writes.
func (l *Library) Prune() (done index.Pruned, err error) {
	if err := l.absent(); err != nil {
		return done, err
	}
	_, err = l.write(func(w *work) error {
		done, err = w.writer.Prune(index.KeepNewest, index.KeepFor, w.Clock())
		return err
	})
	return done, err
}

// Forget gives up the generations that are lost, as [index.Writer.Forget] says, and removes
// what they alone needed. It returns their numbers, ascending.
func (l *Library) Forget(ctx context.Context) (lost []int64, err error) {
	if err := l.absent(); err != nil {
		return nil, err
	}
	_, err = l.write(func(w *work) error {
		if lost, err = w.writer.Forget(ctx); err != nil {
			return err
		}
		_, err = w.writer.Prune(index.KeepNewest, index.KeepFor, w.Clock())
		return err
	})
	return lost, err
}
