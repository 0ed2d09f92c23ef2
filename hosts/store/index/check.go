package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Kind says what is wrong with a file.
type Kind string

const (
	FileMissing Kind = "missing" // a generation needs it
	FileDamaged Kind = "damaged" // it is not what it should be, or cannot be read
	FileStale   Kind = "stale"   // CURRENT is not believed, or a publication was not finished
	FileUnused  Kind = "unused"  // no generation needs it: the next Prune removes it
	FileForeign Kind = "foreign" // it is none of the index's
)

// A Problem is one file that is not as it should be.
type Problem struct {
	Kind     Kind
	Path     string
	Sentence string
}

// A Report is what Check found.
type Report struct {
	Current     Ref   // as readers see it, the zero Ref where there is none
	Generations int   // whole ones
	Segments    int   // that are what their names say
	Blobs       int   // likewise
	Bytes       int64 // of these segments and blobs
	Problems    []Problem

	// Missing are the numbers of generations whose files are gone though an older one is
	// there, ascending: they were published, or nothing could have come after them, and
	// Prune leaves no gap. They are among the problems.
	Missing []int64
	// Lost is empty, or says why something that was published after the current generation
	// may be lost: CURRENT is missing or damaged, or is not believed and newer generations
	// are not whole.
	Lost string
}

// Sound reports whether every generation is whole and CURRENT is right. Files that
// are unused or foreign do no harm.
func (r Report) Sound() bool {
	return !slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Kind != FileUnused && p.Kind != FileForeign })
}

// Check reads every file of the index and compares it with its name, and each
// generation with what is there. It takes no lock: what a writer changes meanwhile is no
// problem, but what it has not published yet counts as unused.
//
// The error is that of a folder that could not be read, or of the context.
func (s *Store) Check(ctx context.Context) (Report, error) {
	c := &checker{Store: s, needed: map[string][]int64{}}
	if err := c.current(); err != nil {
		return Report{}, err
	}
	numbers, err := s.numbers()
	if err != nil {
		return Report{}, err
	}
	for _, n := range numbers {
		c.generation(n)
	}
	for _, folder := range []string{segments, blobs} {
		if err := c.folder(ctx, folder); err != nil {
			return Report{}, err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(c.needed)) {
		by := c.needed[path]
		c.add(FileMissing, path, fmt.Sprintf("%s is missing, and generation %d needs it", path, by[0]), by...)
	}
	if err := errors.Join(c.strangers(generations), c.root()); err != nil {
		return Report{}, err
	}
	err = c.reconsider(numbers)
	c.lost()
	return c.report, err
}

// A checker goes through an index once.
type checker struct {
	*Store
	report Report
	doubt  string             // why CURRENT is not believed, "" if it is
	stale  bool               // that is since it names an older generation
	of     [][]int64          // the generations that each problem is one of
	needed map[string][]int64 // paths that were not seen yet, with the generations that need them
}

func (c *checker) add(kind Kind, path, what string, of ...int64) {
	c.report.Problems = append(c.report.Problems, Problem{kind, path, what})
	c.of = append(c.of, of)
}

// reconsider takes back what was a problem only because something was published or
// dropped meanwhile. (A generation goes before what it needs.)
func (c *checker) reconsider(before []int64) error {
	after, err := c.look()
	if err != nil {
		return err
	}
	var left []Problem
	for i, p := range c.report.Problems {
		there := func(n int64) bool { return slices.Contains(after.numbers, n) }
		switch {
		case p.Kind == FileUnused && !slices.Equal(before, after.numbers):
		case p.Kind == FileStale && len(c.of[i]) > 0 && c.of[i][0] <= after.current.ref.Number:
		case len(c.of[i]) > 0 && c.of[i][0] != after.current.ref.Number && !slices.ContainsFunc(c.of[i], there):
		default:
			left = append(left, p)
		}
	}
	c.report.Problems = left
	c.gaps(slices.Concat(before, after.numbers), after)
	return nil
}

// gaps tells of the generations that are missing between those that are there, or below
// the one that CURRENT names.
func (c *checker) gaps(seen []int64, after state) {
	if len(after.numbers) == 0 {
		return
	}
	oldest, newest := after.numbers[len(after.numbers)-1], max(after.numbers[0], c.report.Current.Number)
	slices.Sort(seen)
	last := oldest
	for _, n := range append(seen, newest+1) {
		if n > last+1 {
			c.gap(last+1, n-1)
		}
		last = max(last, n)
	}
}

// mostMissing bounds how many generations are told one by one.
const mostMissing = 1000

// gap tells of a run of them, but for the one that CURRENT names, which was told.
func (c *checker) gap(first, last int64) {
	for n := first; n <= last && len(c.report.Missing) < mostMissing; n++ {
		c.report.Missing = append(c.report.Missing, n)
	}
	of := func(n int64) string { return c.path(generations, fileOf(n)) }
	if slices.ContainsFunc(c.report.Problems, func(p Problem) bool { return p.Path == of(last) }) {
		last--
	}
	what := fmt.Sprintf("%s is missing: generation %d was published", of(first), first)
	switch {
	case last < first:
		return
	case last > first:
		what = fmt.Sprintf("%s and %d more are missing: generations %d to %d were published", of(first), last-first, first, last)
	}
	c.report.Problems = append(c.report.Problems, Problem{FileMissing, of(first), what})
}

// lost says what may have come after the current generation.
func (c *checker) lost() {
	if c.doubt == "" {
		return
	}
	newer, unused := "", 0
	for _, p := range c.report.Problems {
		n, isGeneration := numberOf(filepath.Base(p.Path))
		switch {
		case isGeneration && n > c.report.Current.Number && newer == "":
			newer = fmt.Sprintf("generation %d came after it", n)
		case p.Kind == FileUnused && abi.IsDigest("sha256:"+filepath.Base(p.Path)):
			unused++
		}
	}
	switch next := c.report.Current.Number + 1; {
	case newer != "":
		c.report.Lost = c.doubt + ", and " + newer
	case c.stale:
	case unused > 0:
		files := "a file is"
		if unused > 1 {
			files = fmt.Sprintf("%d files are", unused)
		}
		c.report.Lost = fmt.Sprintf("%s, and %s of no generation that is there: generation %d, and what came after it, may be lost", c.doubt, files, next)
	default:
		c.report.Lost = fmt.Sprintf("%s, and whether there was a generation %d cannot be told", c.doubt, next)
	}
}

func (c *checker) current() error {
	g, recovered, err := c.Current()
	p, failure := c.readCurrent()
	path := c.path(current)
	switch code := codeOf(err); {
	case failure != nil:
		return failure
	case err == nil:
		c.report.Current = g.Ref
		if recovered != "" {
			c.doubt, c.stale = recovered, !p.missing && p.damage == ""
			c.add(FileStale, path, recovered)
		}
	case code == Damaged && p.missing:
		c.add(FileMissing, path, sentence(err))
	case code == Damaged && p.damage != "":
		c.add(FileDamaged, path, sentence(err))
	case code == Damaged:
		c.report.Current = p.ref
		if path := c.path(generations, fileOf(p.ref.Number)); sentence(err) == path+" is missing" {
			c.add(FileMissing, path, sentence(err), p.ref.Number)
		}
	case code != Absent:
		return err
	}
	return nil
}

func (c *checker) generation(n int64) {
	path := c.path(generations, fileOf(n))
	g, err := c.Store.generation(n)
	if err == nil && n == c.report.Current.Number && g.Ref != c.report.Current {
		_, err = c.named(c.report.Current)
	}
	if err != nil {
		c.add(FileDamaged, path, sentence(err), n)
		return
	}
	if n > c.report.Current.Number {
		c.add(FileStale, path, fmt.Sprintf("generation %d was not published to its end: the next writer finishes it, or gives it up", n), n)
	}
	c.report.Generations++
	for folder, names := range g.names() {
		for _, name := range names {
			path, _ := c.contentPath(folder, name)
			c.needed[path] = append(c.needed[path], n)
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
		c.add(FileUnused, path, fmt.Sprintf("no generation needs %s: the next prune removes it", path))
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

// root looks for what was never whole beside CURRENT. What else is in the folder is
// not the index's.
func (c *checker) root() error {
	entries, err := c.list("")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name == current+disk.Suffix {
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
