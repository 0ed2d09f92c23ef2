package library

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/internal/embedding"
	"github.com/rookhaven-project/rookhaven/hosts/internal/logging"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/vectorfile"
)

// few is how many chunks may lack their vectors for a generation to be published complete:
// they are made first. With more it is published at once, and its words answer.
const few = 64

// checkpoints is the folder of the vectors that were made for no generation yet.
const checkpoints = "vectors"

// vectorsOf says what the vector leg needs for parts. Queries have no vectors where those of
// the parts are of another model.
func (l *Library) vectorsOf(parts []part, building bool) pool.Vectors {
	v := pool.Vectors{Failed: func(err error) {
		l.Log.Warn("vectors_take_no_part", logging.Failure(err))
	}}
	if building {
		v.Absent = abi.VectorsBuilding
	}
	if len(parts) > 0 && parts[0].model == l.Vectors.Model {
		v.Query, v.Model = l.Vectors.Query, l.Vectors.File
	}
	return v
}

// drop takes vectors that are damaged from their parts: they are made again.
func (w *work) drop() error {
	for i := range w.parts {
		p := &w.parts[i]
		if p.Vectors == "" {
			continue
		}
		switch _, err := w.vectorFile(p.Vectors); code(err) {
		case "":
		case abi.VectorsCorrupt, abi.VectorsVersion:
			w.Log.Warn("vectors_damaged", logging.Failure(err))
			p.Vectors = ""
		default:
			return err
		}
	}
	return nil
}

// leg gives the parts the vectors that they lack, where these are few, and says else that
// they are to be made: also where it fails, since words can answer; Complete fails then. Those
// of another model it takes away.
func (w *work) leg(ctx context.Context, g *index.Generation) error {
	if w.Vectors == nil || w.completed {
		return nil
	}
	t, err := w.task(ctx, w.fresh <= few)
	if err != nil {
		return err
	}
	if g.Building = t == nil || t.Missing() > few; g.Building {
		return nil
	}
	if err := w.embed(ctx, t, func(int, int) {}); err != nil {
		if ctx.Err() != nil {
			return err
		}
		w.Log.Warn("not_embedded", logging.Failure(err))
		g.Building = true
	}
	return nil
}

// Complete makes the vectors that the current generation lacks, and publishes it with them;
// where it lacks none, nothing. progress is told how many of all that are to be made are.
// What was made is kept as it goes: a run that is ended is gone on with by the next one.
func (l *Library) Complete(ctx context.Context, progress func(done, total int)) (Change, error) {
	if err := l.absent(); err != nil {
		return Change{}, err
	}
	return l.write(func(w *work) error {
		g, _, err := w.store.Current()
		if err != nil {
			return err
		}
		w.change.Generation = g
		if w.Vectors == nil || len(g.Segments) == 0 || g.Ref != w.parent || g.Engine != w.Runner.Engine() {
			return nil
		}
		w.keepSettings(g)
		if w.parts, err = w.Library.parts(g); err != nil {
			return err
		}
		if err := w.drop(); err != nil {
			return err
		}
		if g.Model == w.Vectors.Model && !slices.ContainsFunc(w.parts, func(p part) bool { return p.Vectors == "" }) {
			return nil
		}
		t, err := w.task(ctx, true)
		if err != nil {
			return err
		}
		if err := w.embed(ctx, t, progress); err != nil {
			return err
		}
		w.completed = true
		return w.publish(ctx, holdsRoot(g))
	})
}

// A lacking is a part without vectors of the model, with the hashes of its texts.
type lacking struct {
	part   int
	hashes []embedding.Hash
}

// task returns what is to be embedded for the parts, with what is known already; nil
// where there are too many to look at.
func (w *work) task(ctx context.Context, look bool) (*embedding.Task, error) {
	w.lacks = nil
	t := embedding.NewTask()
	for i := range w.parts {
		p := &w.parts[i]
		if p.model != w.Vectors.Model {
			p.Vectors, p.model = "", w.Vectors.Model
		}
		if p.Vectors != "" || !look {
			continue
		}
		texts := lacking{part: i}
		err := pool.Texts(ctx, w.Runner, w.settings, w.segments(w.parts[i : i+1])[0], func(text string) {
			texts.hashes = append(texts.hashes, t.Add(text))
		})
		if err != nil {
			return nil, err
		}
		w.lacks = append(w.lacks, texts)
	}
	if !look {
		return nil, nil
	}
	return t, w.know(t)
}

func (l *Library) vectorFile(blob string) (*vectorfile.File, error) {
	b, err := l.vectorBlob(blob)
	if err != nil {
		return nil, err
	}
	return vectorfile.Read(b)
}

func (l *Library) vectorBlob(blob string) ([]byte, error) {
	b, err := l.store.Blob(blob)
	if code(err) == index.Damaged {
		err = abi.Errorf(abi.VectorsCorrupt, "%s", sentence(err))
	}
	return b, err
}

// know tells a task the vectors that were made before: those that an ended run kept, and
// those of the generations that are there.
func (w *work) know(t *embedding.Task) error {
	tell := func(f *vectorfile.File, err error) {
		if err != nil || f.Model != w.Vectors.Model {
			return // it is made again
		}
		w.background = f.Background
		for i := range f.Len() {
			t.Know(f.Hash(i), signed(f.Vector(i)))
		}
	}
	kept, err := w.checkpoints()
	if err != nil {
		return err
	}
	for _, path := range kept {
		if b, err := w.Disk.ReadFile(path); err == nil {
			tell(vectorfile.Read(b))
		}
	}
	generations, err := w.store.Generations()
	if err != nil && code(err) != index.Absent && code(err) != index.Damaged {
		return err
	}
	seen := map[string]bool{"": true}
	for _, g := range generations {
		for _, s := range g.Segments {
			if !seen[s.Vectors] && t.Missing() > 0 {
				seen[s.Vectors] = true
				tell(w.vectorFile(s.Vectors))
			}
		}
	}
	return nil
}

func signed(b []byte) []int8 {
	v := make([]int8, len(b))
	for i, c := range b {
		v[i] = int8(c)
	}
	return v
}

// embed makes the vectors that are missing, and gives each part that lacks them its file.
func (w *work) embed(ctx context.Context, t *embedding.Task, progress func(done, total int)) error {
	if total := t.Missing(); total > 0 {
		start := time.Now()
		e, err := w.Vectors.Open(ctx)
		if err != nil {
			return err
		}
		done := 0
		w.background = e.Background()
		progress(done, total)
		err = t.Run(ctx, e, func(hashes []embedding.Hash, vectors [][]int8) error {
			done += len(hashes)
			progress(done, total)
			if done == total {
				return nil
			}
			return w.checkpoint(hashes, vectors)
		})
		if err = errors.Join(err, e.Close(context.WithoutCancel(ctx))); err != nil {
			return err
		}
		w.Log.Info("embedded", "texts", total, "ms", time.Since(start).Milliseconds())
	}
	for _, l := range w.lacks {
		var components []byte
		for _, h := range l.hashes {
			for _, c := range t.Vector(h) {
				components = append(components, byte(c))
			}
		}
		p := &w.parts[l.part]
		q := abi.PackRequest{Model: w.Vectors.Model, External: w.Vectors.File == nil, Background: int64(w.background), Dimensions: int64(max(len(components)/max(len(l.hashes), 1), 1))}
		err := pool.Pack(ctx, w.Runner, w.settings, w.segments(w.parts[l.part : l.part+1])[0], q, components, func(file []byte) (err error) {
			p.Vectors, err = w.writer.AddBlob(file)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkpoint keeps vectors for the next run, should this one be ended.
func (w *work) checkpoint(hashes []embedding.Hash, vectors [][]int8) error {
	f := vectorfile.File{Model: w.Vectors.Model, Dimensions: len(vectors[0]), Background: w.background}
	for i, h := range hashes {
		f.Hashes = append(f.Hashes, h[:]...)
		for _, c := range vectors[i] {
			f.Components = append(f.Components, byte(c))
		}
	}
	folder := filepath.Join(w.Folder, checkpoints)
	err := w.Disk.Mkdir(folder)
	if err == nil || errors.Is(err, fs.ErrExist) {
		b := f.Append(nil)
		name := strings.TrimPrefix(embedding.ModelOf(b), "sha256:")[:24] + checkpointFile
		err = disk.Replace(w.Disk, filepath.Join(folder, name), b)
	}
	return failed("write", folder, err)
}

// checkpointFile ends the name of a checkpoint.
const checkpointFile = ".part"

// checkpoints returns the files that ended runs left.
func (w *work) checkpoints() ([]string, error) {
	folder := filepath.Join(w.Folder, checkpoints)
	entries, err := w.Disk.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []string
	for _, e := range entries {
		if e.Regular && (strings.HasSuffix(e.Name, checkpointFile) || strings.HasSuffix(e.Name, checkpointFile+disk.Suffix)) {
			list = append(list, filepath.Join(folder, e.Name))
		}
	}
	return list, failed("read", folder, err)
}

// forgetCheckpoints removes them once a generation has what is in them.
func (w *work) forgetCheckpoints() {
	list, err := w.checkpoints()
	for _, path := range list {
		err = errors.Join(err, w.Disk.Remove(path))
	}
	if err != nil { // the next one does it
		w.Log.Warn("checkpoints_not_removed", "path", w.Folder, logging.Failure(err))
	}
}

func failed(verb, path string, err error) error {
	switch {
	case err == nil:
		return nil
	case disk.IsFull(err):
		return abi.Errorf(index.Full, "%s %s: %s", verb, path, err.Error())
	}
	return abi.Errorf(abi.StorageFailed, "%s %s: %s", verb, path, err.Error())
}
