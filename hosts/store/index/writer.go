package index

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Writer is a Store that may be written to, as long as it is not closed. It may
// be used by several goroutines at once, and does one thing after the other.
type Writer struct {
	*Store
	lock      disk.Lock
	recovered []string

	turn   sync.Mutex
	closed bool
	head   Ref              // the current generation
	parent Generation       // its content, the zero Generation where its file is damaged
	added  map[string]int64 // what is on the disk and in no generation yet: sizes by path
}

// Recovered returns sentences for the log about what was found and put in order
// when the lock was taken: a process that ended without giving it back, a
// publication that was finished, a CURRENT that was written anew, a generation whose
// file is damaged.
func (w *Writer) Recovered() []string { return slices.Clone(w.recovered) }

// Head returns the current generation's name, the zero Ref before the first
// publication. It is there also when the generation's file is damaged, so that a new
// generation can be published after it.
func (w *Writer) Head() Ref {
	w.turn.Lock()
	defer w.turn.Unlock()
	return w.head
}

// Close gives the lock back.
func (w *Writer) Close() error {
	w.turn.Lock()
	defer w.turn.Unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	if err := w.lock.Unlock(); err != nil {
		return failed("unlock", w.path(lockFile), err)
	}
	return nil
}

// begin writes the holder's name, makes the folders, and puts CURRENT in order.
func (w *Writer) begin(command string) error {
	path := w.path(lockFile)
	if before, err := w.fs.ReadFile(path); err == nil && len(before) > 0 {
		who := "a process"
		if h, err := parseHolder(before); err == nil {
			who = h.String()
		}
		w.tell(who + " ended without giving the lock back")
	}
	_ = w.lock.Describe(newHolder(command).encode()) // a full disk must not be in the way of pruning
	var paths []string
	for _, name := range folders {
		path := w.path(name)
		if err := w.makeFolder(path); err != nil {
			return err
		}
		paths = append(paths, path)
	}
	for _, path := range append(paths, w.dir) { // whoever put something there may have died before
		if err := w.syncDir(path); err != nil {
			return err
		}
	}
	if err := w.settle(); err != nil {
		return err
	}
	return w.settleOldest()
}

// settle decides which generation is current, now that nobody publishes, and makes
// CURRENT say so.
func (w *Writer) settle() error {
	seen, err := w.look()
	if err != nil {
		return err
	}
	if seen.current.missing {
		w.anchor()
	}
	g, recovered, err := w.choose(seen)
	switch codeOf(err) {
	case "":
	case Damaged: // a new generation can come after it
		recovered = sentence(err)
	case Absent:
	default:
		return err
	}
	w.tell(recovered)
	if w.head, err = w.last(seen, g); err != nil {
		return err
	}
	if g.Ref == w.head {
		w.parent = g
	}
	next, err := w.interrupted()
	if err != nil {
		return err
	}
	if next.Number > 0 {
		w.head, w.parent = next.Ref, next
		w.tell(fmt.Sprintf("the publication of generation %d was interrupted, and is finished now", next.Number))
	}
	switch {
	case w.head != seen.current.ref:
		return w.point(w.head)
	case seen.current.doubt != "":
		return w.removeFile(current) // there is nothing that it could name
	}
	return nil
}

// settleOldest writes an OLDEST that is damaged or missing anew: it names the oldest
// generation that can be read.
func (w *Writer) settleOldest() error {
	numbers, err := w.numbers()
	if err != nil {
		return err
	}
	trace, err := w.readOldest(numbers)
	if err != nil || trace.believed() {
		return err
	}
	w.tell(trace.doubt)
	for _, n := range slices.Backward(numbers) {
		g, err := w.generation(n)
		if err == nil {
			return w.markOldest(g.Ref)
		}
		if codeOf(err) != Damaged {
			return err
		}
	}
	return nil
}

// last returns which generation was published last, whole or not, where g is the newest
// whole one: what CURRENT names if it is believed, else the newest that is known.
func (w *Writer) last(seen state, g Generation) (Ref, error) {
	if seen.current.doubt == "" {
		if g.Number > seen.current.ref.Number {
			return g.Ref, nil // it was all but published
		}
		return seen.current.ref, nil
	}
	n := seen.newest
	if g.Number == n { // or there is none
		return g.Ref, nil
	}
	newest, err := w.generation(n)
	if codeOf(err) != Damaged {
		return newest.Ref, err
	}
	data, _ := w.fs.ReadFile(w.path(generations, fileOf(n))) // whatever it holds, no generation has this digest
	return Ref{n, digestOf(data)}, nil
}

// anchor brings the names of the folder, and of those it is in, to the disk: whoever
// made them may have died before it did so. A folder above that this user may not
// read was not made by this user, so failures say nothing.
func (w *Writer) anchor() {
	for path := w.dir; filepath.Dir(path) != path; {
		path = filepath.Dir(path)
		_ = w.fs.SyncDir(path)
	}
}

func (w *Writer) tell(recovered string) {
	if recovered != "" {
		w.recovered = append(w.recovered, recovered)
	}
}

// interrupted returns the generation after the current one, if it is whole: its
// publication was interrupted just before its end.
func (w *Writer) interrupted() (Generation, error) {
	g, err := w.generation(w.head.Number + 1)
	if err == nil && g.Parent != w.head {
		return Generation{}, nil
	}
	if err == nil {
		err = w.verify(g)
	}
	switch codeOf(err) {
	case "":
		return g, nil
	case Damaged:
		return Generation{}, nil
	}
	return Generation{}, err
}

// point moves CURRENT.
func (w *Writer) point(to Ref) error {
	path := w.path(current)
	return w.wrote(path, disk.Replace(w.fs, path, to.encode()))
}

// usable says why the Writer may not write, if so.
func (w *Writer) usable() error {
	if w.closed {
		return abi.Errorf(abi.StorageFailed, "the lock of %s was given back", w.dir)
	}
	if err := w.stopped(); err != nil {
		return err
	}
	if err := w.lock.Held(); err != nil {
		return failed("keep the lock", w.path(lockFile), err)
	}
	return nil
}

// AddSegment keeps a segment and returns its name. Once it has returned, the
// segment is on the disk, and a generation may name it; until then it is spared by
// Prune as long as the Writer is not closed. One that is there already is compared,
// and written again only where it is damaged.
func (w *Writer) AddSegment(data []byte) (name string, err error) { return w.add(segments, data) }

// AddBlob keeps a blob, likewise.
func (w *Writer) AddBlob(data []byte) (name string, err error) { return w.add(blobs, data) }

func (w *Writer) add(folder string, data []byte) (string, error) {
	name := digestOf(data)
	path, err := w.contentPath(folder, name)
	if err != nil {
		return "", err
	}
	w.turn.Lock()
	defer w.turn.Unlock()
	if err := w.usable(); err != nil {
		return "", err
	}
	_, err = w.content(folder, name)
	if codeOf(err) == Damaged { // or missing; what is there was brought to the disk when the lock was taken
		err = w.wrote(path, disk.Replace(w.fs, path, data))
	}
	if err != nil {
		return "", err
	}
	w.added[path] = int64(len(data))
	return name, nil
}

// Publish makes a generation the current one and returns it with its number and
// digest, and with the sizes of its segments. Its parent has to be the current
// generation: another is GENERATION_MOVED. All it names has to be there: else the
// code is INDEX_DAMAGED, and ARGUMENT_INVALID where the generation contradicts
// itself.
//
// After another failure the old generation is current, or the new one as a whole:
// [Store.Current] tells.
func (w *Writer) Publish(g Generation) (Generation, error) {
	w.turn.Lock()
	defer w.turn.Unlock()
	if err := w.usable(); err != nil {
		return Generation{}, err
	}
	if err := w.unmoved(g.Parent); err != nil {
		return Generation{}, err
	}
	g, file, err := w.complete(g)
	if err != nil {
		return Generation{}, err
	}
	path := w.path(generations, fileOf(g.Number))
	err = w.wrote(path, disk.Replace(w.fs, path, file))
	if err == nil {
		err = w.point(g.Ref)
	}
	if err != nil {
		w.retreat(path, g)
		return Generation{}, err
	}
	w.advance(g)
	return g, nil
}

func (w *Writer) unmoved(parent Ref) error {
	now, err := w.readPointer(current)
	if err != nil {
		return err
	}
	if now.doubt != "" {
		return abi.Errorf(Damaged, "%s", now.doubt)
	}
	if now.ref != w.head {
		return abi.Errorf(Moved, "generation %d is current in %s, which this process did not publish", now.ref.Number, w.dir)
	}
	if parent != w.head {
		return abi.Errorf(Moved, "it was made from generation %d, and generation %d is current by now", parent.Number, w.head.Number)
	}
	return nil
}

// complete fills in what the caller leaves out, and returns the file, too.
func (w *Writer) complete(g Generation) (Generation, []byte, error) {
	g.Number, g.Created = g.Parent.Number+1, milli(g.Created)
	g.Segments, g.Blobs = slices.Clone(g.Segments), slices.Clone(g.Blobs)
	slices.Sort(g.Blobs)
	g.Blobs = slices.Compact(g.Blobs)
	if len(g.Settings) == 0 {
		g.Settings = []byte("{}")
	}
	err := g.check()
	if err == nil && g.Created.IsZero() {
		err = errors.New("it has no time")
	}
	if err == nil {
		err = w.present(&g)
	}
	var file []byte
	if err == nil {
		file, err = g.encode()
	}
	if err == nil {
		g, err = parseGeneration(file) // so that what is written can be read
	}
	if err != nil && codeOf(err) == "" {
		err = abi.Errorf(abi.ArgumentInvalid, "generation %d: %s", g.Number, err.Error())
	}
	return g, file, err
}

// present makes sure that all that a generation names is there, and notes the sizes
// of its segments. (Its names were brought to the disk when the lock was taken, or
// when it was added.) What the parent names, too, or this Writer added is not read
// again where it has its size.
func (w *Writer) present(g *Generation) error {
	trusted := w.trusted()
	for i, s := range g.Segments {
		size, err := w.sizeOf(segments, s.Name, trusted)
		if err != nil {
			return err
		}
		g.Segments[i].Bytes = size
	}
	for _, name := range g.names()[blobs] {
		if _, err := w.sizeOf(blobs, name, trusted); err != nil {
			return err
		}
	}
	return nil
}

// anySize stands for the size of what the parent names without it.
const anySize = -1

// trusted returns the sizes of what is known to be whole, by path.
func (w *Writer) trusted() map[string]int64 {
	trusted := map[string]int64{}
	for _, name := range w.parent.names()[blobs] {
		path, _ := w.contentPath(blobs, name)
		trusted[path] = anySize
	}
	for _, s := range w.parent.Segments {
		path, _ := w.contentPath(segments, s.Name)
		trusted[path] = s.Bytes
	}
	maps.Copy(trusted, w.added)
	return trusted
}

// sizeOf returns the size of a file that is there and what its name says.
func (w *Writer) sizeOf(folder, name string, trusted map[string]int64) (int64, error) {
	path, err := w.contentPath(folder, name)
	if err != nil {
		return 0, err
	}
	if want, ok := trusted[path]; ok {
		size, err := w.fs.Size(path)
		if err == nil && (size == want || want == anySize) {
			return size, nil
		}
	}
	data, err := w.content(folder, name)
	return int64(len(data)), err
}

// retreat takes back what a publication that failed has written, unless it may
// have come to its end after all.
func (w *Writer) retreat(path string, g Generation) {
	now, err := w.readPointer(current)
	switch {
	case err != nil || now.doubt != "":
	case now.ref == g.Ref:
		w.advance(g)
	case now.ref == w.head:
		_ = w.fs.Remove(path) // the next publication replaces it, or the next writer finishes this one
	}
}

func (w *Writer) advance(g Generation) {
	w.head, w.parent = g.Ref, g
	for folder, names := range g.names() {
		for _, name := range names {
			path, _ := w.contentPath(folder, name)
			delete(w.added, path)
		}
	}
}

// sentence is what a failure says, without its code.
func sentence(err error) string {
	var e *abi.Error
	if errors.As(err, &e) {
		return e.Sentence
	}
	return strings.TrimSpace(err.Error())
}
