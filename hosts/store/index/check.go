package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Kind says what is wrong with a file.
type Kind string

const (
	FileMissing    Kind = "missing"    // a generation needs it, or it is one that was published
	FileDamaged    Kind = "damaged"    // it is not what it should be, or cannot be read
	FileStale      Kind = "stale"      // CURRENT is out of date
	FileUnfinished Kind = "unfinished" // a publication that did not come to its end, or is about to
	FileUnused     Kind = "unused"     // no generation that is there needs it
	FileUntold     Kind = "untold"     // OLDEST is missing, and something cannot be told without it
	FileForgotten  Kind = "forgotten"  // of a generation that was lost and given up
	FileForeign    Kind = "foreign"    // it is none of the index's
)

// Harm reports whether something is lost, or was mistaken: such a file is no note.
func (k Kind) Harm() bool { return k == FileMissing || k == FileDamaged || k == FileStale }

// A Problem is one file that is not as it should be.
type Problem struct {
	Kind     Kind
	Path     string
	Sentence string
	Vectors  bool // they are vectors, without which words answer, and which can be made again
}

// A Report is what Check found.
type Report struct {
	Current     Ref   // as readers see it, the zero Ref where there is none
	Generations int   // whole ones
	Segments    int   // that are what their names say
	Blobs       int   // likewise
	Bytes       int64 // of these segments and blobs
	Problems    []Problem

	// Missing are the numbers of generations whose files are gone, ascending: they were
	// published, or nothing could have come after them, and Prune leaves no gap and says
	// what is the oldest one. They are among the problems.
	Missing []int64
	// Lost is empty, or says why something that was published after the current generation
	// is lost, or may be: that is not the one that was published last, or CURRENT does not
	// tell which one was.
	Lost string
}

// Sound reports whether every generation is whole, and CURRENT right and the newest.
// Files that are unused or foreign do no harm, nor does what was forgotten.
func (r Report) Sound() bool {
	return !slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Kind.Harm() || p.Kind == FileUnfinished })
}

// Check reads every file of the index and compares it with its name, and each
// generation with what is there. It takes no lock: what a writer changes meanwhile is no
// problem, but what it has not published yet counts as unused. (Only to find out whether
// the process that the lock's file names is still there, it tries whether the lock is free.)
//
// The error is that of a folder that could not be read, or of the context.
func (s *Store) Check(ctx context.Context) (Report, error) {
	c, err := s.check(ctx)
	if err != nil {
		return Report{}, err
	}
	for _, p := range c.problems {
		c.report.Problems = append(c.report.Problems, p.Problem)
	}
	return c.report, nil
}

func (s *Store) check(ctx context.Context) (*checker, error) {
	c := &checker{Store: s, writer: sync.OnceValue(s.writing), needed: map[string][]int64{}, vectors: map[string]bool{}}
	if err := c.current(); err != nil {
		return nil, err
	}
	for _, n := range c.seen.numbers {
		c.generation(n)
	}
	for _, folder := range []string{segments, blobs} {
		if err := c.folder(ctx, folder); err != nil {
			return nil, err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(c.needed)) {
		by := c.needed[path]
		c.add(FileMissing, path, fmt.Sprintf("%s is missing, and generation %d needs it", path, by[0]), by...)
	}
	if err := errors.Join(c.strangers(generations), c.root(), c.reconsider()); err != nil {
		return nil, err
	}
	c.lost()
	return c, nil
}

// A checker goes through an index once.
type checker struct {
	*Store
	report    Report
	problems  []problem
	writer    func() string // who has the lock, "" for nobody
	seen      state
	recovered string             // why another generation than the last one is current
	newest    int64              // the number of the one that was published last, as far as that is known
	needed    map[string][]int64 // paths that were not seen yet, with the generations that need them
	vectors   map[string]bool    // the paths of vectors
}

// A problem is one with the generations that it is of.
type problem struct {
	Problem
	of []int64
}

func (c *checker) add(kind Kind, path, what string, of ...int64) {
	c.problems = append(c.problems, problem{Problem{kind, path, what, c.vectors[path]}, of})
}

// writing returns who has the lock, "" for nobody. A process that was killed leaves its
// name in the file, and not the lock: that goes with it. Where the lock cannot be tried,
// the name is what there is.
func (s *Store) writing() string {
	path := s.path(lockFile)
	data, err := s.fs.ReadFile(path)
	if err != nil {
		return ""
	}
	h, err := parseHolder(data)
	if err != nil {
		return ""
	}
	if lock, err := s.fs.Lock(path); err == nil {
		_ = lock.Unlock()
		return ""
	}
	return h.String()
}

// current finds out which generation answers.
func (c *checker) current() error {
	var err error
	if c.seen, err = c.settled(); err != nil {
		return err
	}
	var g Generation
	c.recovered, err = c.View(currentName, func(of Generation) error {
		g = of
		c.doubt(g) // what was whole before may not be so now
		return c.verify(g)
	})
	p := c.seen.current
	switch codeOf(err) {
	case "":
		c.report.Current = g.Ref
	case Damaged:
		c.report.Current, c.recovered = Ref{}, ""
	case Absent:
	default:
		return err
	}
	c.newest = max(c.report.Current.Number, p.ref.Number)
	if p.doubt != "" {
		c.newest = max(c.report.Current.Number, c.seen.newest)
		return c.tellCurrent()
	}
	return nil
}

// tellCurrent tells why CURRENT is not believed. OLDEST is written after the first publication.
func (c *checker) tellCurrent() error {
	p, path := c.seen.current, c.path(current)
	trace, err := c.readPointer(oldest)
	switch {
	case err != nil:
		return err
	case p.missing && trace.missing && c.newest == 1:
		c.add(FileUnfinished, path, p.doubt+": generation 1 was not published to its end, which the next writer does", 1)
	case p.missing:
		c.add(FileMissing, path, p.doubt)
	case p.stale:
		c.add(FileStale, path, p.doubt)
	default:
		c.add(FileDamaged, path, p.doubt)
	}
	return nil
}

// reconsider takes back what was a problem only because something was published or
// dropped meanwhile (a generation goes before what it needs), and then tells of the
// generations that are missing.
func (c *checker) reconsider() error {
	before := c.seen
	after, err := c.settled()
	if err != nil {
		return err
	}
	if after.current.content != before.current.content {
		c.recovered = "" // what was lost is not, or a newer one is current
	}
	there := func(n int64) bool { return slices.Contains(after.numbers, n) }
	c.problems = slices.DeleteFunc(c.problems, func(p problem) bool {
		switch {
		case p.Path == c.path(current):
			return after.current.believed()
		case p.Kind == FileUnused:
			return !slices.Equal(before.numbers, after.numbers)
		case p.Kind == FileUnfinished && p.of[0] <= after.current.ref.Number:
			return true
		}
		return len(p.of) > 0 && p.of[0] != after.current.ref.Number && !slices.ContainsFunc(p.of, there)
	})
	numbers := slices.Concat(before.numbers, after.numbers)
	newest := max(before.newest, after.newest)
	return c.gaps(slices.DeleteFunc(numbers, func(n int64) bool { return n > newest }), after)
}

// gaps tells of the generations that are missing from the oldest one that was not dropped
// to the newest.
func (c *checker) gaps(seen []int64, after state) error {
	forgotten, err := c.forgotten() // before OLDEST is read, which Prune moves first
	if err != nil {
		return err
	}
	for _, n := range slices.Backward(forgotten) {
		if !slices.Contains(seen, n) {
			path := c.path(generations, forgottenOf(n))
			c.add(FileForgotten, path, fmt.Sprintf("generation %d was lost, and is forgotten: %s says so", n, path))
		}
	}
	trace, err := c.readOldest(after.numbers)
	if err != nil {
		return err
	}
	if after.current.believed() {
		c.newest = max(c.newest, after.current.ref.Number)
	}
	path := c.path(oldest)
	first := c.newest
	if len(after.numbers) > 0 {
		first = min(first, after.numbers[len(after.numbers)-1])
	}
	switch {
	case trace.doubt != "":
		c.add(FileDamaged, path, trace.doubt)
	case trace.missing && first > 1:
		c.add(FileUntold, path, fmt.Sprintf("%s is missing, so whether a generation before %d is lost cannot be told", path, first))
	case trace.missing && c.newest > 1:
		c.add(FileUntold, path, path+" is missing, so the loss of generation 1 could not be told")
	case trace.believed():
		first = min(first, trace.ref.Number)
	}
	if first == 0 {
		return nil // there is none
	}
	seen = append(seen, forgotten...)
	slices.Sort(seen)
	last := first - 1
	for _, n := range append(seen, c.newest+1) {
		if n > last+1 {
			c.gap(last+1, n-1)
		}
		last = max(last, n)
	}
	return nil
}

// mostMissing bounds how many generations are told one by one.
const mostMissing = 1000

// gap tells of a run of them.
func (c *checker) gap(first, last int64) {
	for n := first; n <= last && len(c.report.Missing) < mostMissing; n++ {
		c.report.Missing = append(c.report.Missing, n)
	}
	path := c.path(generations, fileOf(first))
	what := fmt.Sprintf("%s is missing: generation %d was published", path, first)
	if last > first {
		what = fmt.Sprintf("%s and %d more are missing: generations %d to %d were published", path, last-first, first, last)
	}
	c.add(FileMissing, path, what, last)
}

// lost says what came after the current generation, or may have.
func (c *checker) lost() {
	if c.recovered == "" {
		return
	}
	now, newer, unused := c.report.Current, int64(0), 0
	for _, p := range c.problems {
		for _, n := range p.of {
			if p.Kind.Harm() && n > now.Number && n <= c.seen.newest {
				newer = max(newer, n)
			}
		}
		if p.Kind == FileUnused && abi.IsDigest("sha256:"+filepath.Base(p.Path)) {
			unused++
		}
	}
	named := c.seen.current.ref
	switch next := now.Number + 1; {
	case newer > 0:
		c.report.Lost = fmt.Sprintf("%s, and generation %d came after it", c.recovered, newer)
	case named != (Ref{}) && (named.Number <= now.Number || named.Digest == now.Digest): // it was the last one
	case unused > 0:
		files := "a file is"
		if unused > 1 {
			files = fmt.Sprintf("%d files are", unused)
		}
		c.report.Lost = fmt.Sprintf("%s, and %s of no generation that is there: generation %d, and what came after it, may be lost", c.recovered, files, next)
	default:
		c.report.Lost = fmt.Sprintf("%s, and whether there was a generation %d cannot be told", c.recovered, next)
	}
}

func (c *checker) generation(n int64) {
	path := c.path(generations, fileOf(n))
	if n > c.seen.newest {
		c.add(FileDamaged, path, fmt.Sprintf("%s is damaged, or of no generation of this index: it is not whole, and stands apart from the others", path), n)
		return
	}
	g, err := c.Store.generation(n)
	if err != nil {
		c.add(FileDamaged, path, sentence(err), n)
		return
	}
	if n > c.newest {
		c.add(FileUnfinished, path, fmt.Sprintf("generation %d was not published to its end: the next writer finishes it, or gives it up", n), n)
	}
	c.report.Generations++
	for folder, names := range g.names() {
		for _, name := range names {
			path, _ := c.contentPath(folder, name)
			c.needed[path] = append(c.needed[path], n)
		}
	}
	for _, s := range g.Segments {
		if s.Vectors != "" {
			path, _ := c.contentPath(blobs, s.Vectors)
			c.vectors[path] = true
		}
	}
}

// folder compares the files of a folder with their names, and takes those that are
// there from needed.
func (c *checker) folder(ctx context.Context, folder string) error {
	entries, err := c.list(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if ours(folder, e.Name) {
			c.file(folder, e.Name)
		}
	}
	return c.strangers(folder)
}

func (c *checker) file(folder, name string) {
	path := c.path(folder, name)
	by := c.needed[path]
	if len(by) == 0 {
		what := fmt.Sprintf("no generation that is there needs %s", path)
		if writer := c.writer(); writer != "" {
			what += ", but " + writer + " may be about to publish one"
		}
		c.add(FileUnused, path, what)
		return
	}
	delete(c.needed, path)
	data, err := c.content(folder, "sha256:"+name)
	switch {
	case err != nil:
		c.add(FileDamaged, path, fmt.Sprintf("%s; generation %d needs it", sentence(err), by[0]), by...)
		return
	case folder == segments:
		c.report.Segments++
	default:
		c.report.Blobs++
	}
	c.report.Bytes += int64(len(data))
}

// root looks for what was never whole beside CURRENT and OLDEST. What else is in the folder is
// not the index's.
func (c *checker) root() error {
	entries, err := c.list("")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name == current+disk.Suffix || e.Name == oldest+disk.Suffix {
			c.add(FileUnused, c.path(e.Name), fmt.Sprintf("%s was never whole: the next prune removes it", c.path(e.Name)))
		}
	}
	return nil
}

// strangers tells of files that a folder should not hold.
func (c *checker) strangers(folder string) error {
	entries, err := c.list(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := c.path(folder, e.Name)
		switch {
		case ours(folder, e.Name):
		case leftover(folder, e.Name):
			c.add(FileUnused, path, fmt.Sprintf("%s was never whole: the next prune removes it", path))
		default:
			c.add(FileForeign, path, fmt.Sprintf("%s is no file of the index", json.Quote(path)))
		}
	}
	return nil
}
