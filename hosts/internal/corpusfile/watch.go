package corpusfile

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Pause is how long a file must be left alone before it is read again: editors
// and exports write in several steps.
const Pause = 100 * time.Millisecond

// Watch calls changed, on a goroutine of its own, when the file at path may have
// changed and was then left alone for [Pause]. It watches the folder, so that a
// file which is renamed into place is seen, and one that is a link as far as the
// link itself. It ends with the context. Where the system gives no notice, Watch
// returns the error, and callers rely on [Stat].
func Watch(ctx context.Context, path string, changed func()) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	path = filepath.Clean(path)
	if err := w.Add(filepath.Dir(path)); err != nil {
		_ = w.Close()
		return err
	}
	go watch(ctx, w, path, changed)
	return nil
}

func watch(ctx context.Context, w *fsnotify.Watcher, path string, changed func()) {
	defer func() { _ = w.Close() }()
	quiet := time.NewTimer(Pause)
	quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case event, ok := <-w.Events:
			if !ok {
				return
			}
			if filepath.Clean(event.Name) == path && event.Op != fsnotify.Chmod {
				quiet.Reset(Pause)
			}
		case _, ok := <-w.Errors:
			if !ok {
				return
			}
			quiet.Reset(Pause) // events were lost: this file's may be among them
		case <-quiet.C:
			changed()
		}
	}
}
