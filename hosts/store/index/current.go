package index

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// Current returns the current generation: the one that CURRENT names, and where CURRENT
// is not believed or that one is lost, the newest that is whole. recovered is empty, or a
// sentence that names what is at fault. The code is INDEX_ABSENT where nothing was
// published, and INDEX_DAMAGED where no generation is whole.
//
// What the generation consists of is read by its user: see [Store.View].
func (s *Store) Current() (g Generation, recovered string, err error) {
	for range patience {
		seen, err := s.look()
		if err != nil {
			return Generation{}, "", err
		}
		g, recovered, err := s.choose(seen)
		if err == nil && recovered == "" {
			return g, "", nil
		}
		moved, failure := s.moved(seen)
		if failure != nil {
			return Generation{}, "", failure
		}
		if !moved {
			if codeOf(err) == Damaged {
				err = abi.Errorf(Damaged, "%s; build the index anew (rookhaven index --rebuild)", sentence(err))
			}
			return g, recovered, err
		}
	}
	return Generation{}, "", s.restless()
}

// settled is look at a moment when CURRENT and the generations belong together.
func (s *Store) settled() (state, error) {
	for range patience {
		seen, err := s.look()
		if err != nil {
			return state{}, err
		}
		if moved, err := s.moved(seen); err != nil || !moved {
			return seen, err
		}
	}
	return state{}, s.restless()
}

// moved reports whether a publication, and perhaps a pruning, came after CURRENT was read.
func (s *Store) moved(since state) (bool, error) {
	now, err := s.readPointer(current)
	return now.missing != since.current.missing || now.content != since.current.content, err
}

func (s *Store) restless() error {
	return abi.Errorf(abi.StorageFailed, "%s does not come to rest", s.path(current))
}

// A state is what CURRENT says, and which generations have a file.
type state struct {
	current pointer
	numbers []int64 // the newest first
	newest  int64   // the highest of them, and of that of CURRENT, which is known to be of this index
}

// A pointer is a file that names a generation, CURRENT or OLDEST.
type pointer struct {
	content string
	missing bool
	ref     Ref
	doubt   string // why it is not believed, "" if it is
	stale   bool   // that is since there are newer generations

	named Generation // where it is believed
	lost  error      // why that one cannot be read
}

// look reads CURRENT and says whether it is believed: not where it is missing or damaged
// though there are generations, nor where there is one of this index two or more ahead of
// it. (One that is just one ahead is about to be published.)
func (s *Store) look() (state, error) {
	p, err := s.readPointer(current)
	if err != nil {
		return state{}, err
	}
	numbers, err := s.numbers()
	if err != nil {
		return state{}, err
	}
	if p.missing && len(numbers) > 0 {
		p.doubt = s.path(current) + " is missing"
	}
	if err := s.resolve(current, &p, numbers); err != nil {
		return state{}, err
	}
	from := p.ref.Number
	if !p.believed() && len(numbers) > 0 {
		from = numbers[len(numbers)-1]
	}
	newest, err := s.newest(from, numbers)
	if p.believed() && newest >= p.ref.Number+2 {
		p.doubt, p.stale = fmt.Sprintf("%s is out of date: it names generation %d", s.path(current), p.ref.Number), true
	}
	return state{p, numbers, newest}, err
}

// newest returns the highest of the numbers that is known to be one of this index, where
// from is one. Numbers have no gap, so the next one is, whatever is in its file; one that
// stands apart may be a stray file, unless all that it names is here.
func (s *Store) newest(from int64, numbers []int64) (int64, error) {
	for _, n := range slices.Backward(numbers) {
		if n > from+1 {
			g, err := s.generation(n)
			if err == nil {
				err = s.verify(g)
			}
			if codeOf(err) == Damaged {
				continue
			}
			if err != nil {
				return 0, err
			}
		}
		from = max(from, n)
	}
	return from, nil
}

// believed reports whether a pointer names a generation that is or was there.
func (p pointer) believed() bool { return !p.missing && p.doubt == "" }

func (s *Store) readPointer(name string) (pointer, error) {
	path := s.path(name)
	data, err := s.fs.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return pointer{missing: true}, nil
	case errors.Is(err, disk.ErrIrregular):
		return pointer{doubt: path + " is no regular file"}, nil
	case err != nil:
		return pointer{}, failed("read", path, err)
	}
	p := pointer{content: string(data)}
	if p.ref, err = parseRef(data); err != nil {
		p.doubt = path + " is damaged: " + err.Error()
	}
	return p, nil
}

// resolve reads the generation that a pointer names. A generation's file holds its own
// digest and number, so where one is whole and has one of the two and not the other, it
// is the pointer that is damaged.
func (s *Store) resolve(name string, p *pointer, numbers []int64) error {
	if p.missing || p.doubt != "" {
		return nil
	}
	damaged := func(g Generation) {
		p.doubt = fmt.Sprintf("%s is damaged: it names generation %d with the digest %s, and there is generation %d with the digest %s", s.path(name), p.ref.Number, p.ref.Digest, g.Number, g.Digest)
	}
	p.named, p.lost = s.generation(p.ref.Number)
	switch {
	case p.lost == nil && p.named.Digest != p.ref.Digest:
		damaged(p.named)
		return nil
	case p.lost == nil:
		return nil
	case codeOf(p.lost) != Damaged:
		return p.lost
	}
	for _, n := range numbers {
		g, err := s.generation(n)
		if err == nil && g.Digest == p.ref.Digest {
			damaged(g)
			return nil
		}
		if err != nil && codeOf(err) != Damaged {
			return err
		}
	}
	return nil
}

// numbers returns which generations have a file, the newest first.
func (s *Store) numbers() ([]int64, error) { return s.numbered(generationFile) }

// forgotten returns which generations were given up, the newest first.
func (s *Store) forgotten() ([]int64, error) { return s.numbered(forgottenFile) }

func (s *Store) numbered(suffix string) ([]int64, error) {
	entries, err := s.list(generations)
	if err != nil {
		return nil, err
	}
	var numbers []int64
	for _, e := range entries {
		if n, ok := numberOf(e.Name, suffix); ok {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	slices.Reverse(numbers)
	return numbers, nil
}

// What is told of a generation in the folder of them, by how its file ends.
const (
	generationFile = ".json"      // what it consists of
	forgottenFile  = ".forgotten" // that it was lost, and given up: an empty file
)

func numberOf(name, suffix string) (int64, bool) {
	digits, ok := strings.CutSuffix(name, suffix)
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, ok && err == nil && n > 0 && strconv.FormatInt(n, 10) == digits
}

func fileOf(number int64) string      { return strconv.FormatInt(number, 10) + generationFile }
func forgottenOf(number int64) string { return strconv.FormatInt(number, 10) + forgottenFile }

// choose decides which generation is the current one: that of CURRENT, unless CURRENT is
// not believed or that one is lost, and then the newest that is whole.
func (s *Store) choose(seen state) (g Generation, recovered string, err error) {
	p := seen.current
	if p.missing && len(seen.numbers) == 0 {
		return Generation{}, "", abi.Errorf(Absent, "there is no index in %s", s.dir)
	}
	faults := []string{p.doubt}
	if p.doubt == "" {
		g, err := p.named, p.lost
		if err == nil && s.doubted(g) {
			err = s.verify(g)
		}
		if err == nil || codeOf(err) != Damaged {
			return g, "", err
		}
		faults = []string{sentence(err)}
	}
	for _, n := range seen.numbers {
		g, err := s.generation(n)
		if err == nil {
			err = s.verify(g)
		}
		if err == nil {
			return g, fmt.Sprintf("%s; generation %d is the newest that is whole", strings.Join(faults, "; "), n), nil
		}
		if codeOf(err) != Damaged {
			return Generation{}, "", err
		}
		if !slices.Contains(faults, sentence(err)) {
			faults = append(faults, sentence(err))
		}
	}
	return Generation{}, "", abi.Errorf(Damaged, "%s, and no generation is whole", strings.Join(faults, "; "))
}

// generation reads a generation's file.
func (s *Store) generation(number int64) (Generation, error) {
	path := s.path(generations, fileOf(number))
	data, err := s.read(path)
	if err != nil {
		return Generation{}, err
	}
	g, err := parseGeneration(data)
	if err == nil && g.Number != number {
		err = fmt.Errorf("it is generation %d", g.Number)
	}
	if err != nil {
		return Generation{}, abi.Errorf(Damaged, "%s is damaged: %s", path, err.Error())
	}
	return g, nil
}

// verify compares all that a generation needs with the names, once per Store. Without its
// vectors, words answer.
func (s *Store) verify(g Generation) error {
	s.mu.Lock()
	known := s.whole[g.Digest]
	s.mu.Unlock()
	if known {
		return nil
	}
	names := g.needs()
	for _, folder := range []string{segments, blobs} {
		for _, name := range names[folder] {
			if _, err := s.content(folder, name); err != nil {
				return err
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.whole[g.Digest] = true
	return nil
}

// doubt takes back that a generation is whole: damage was seen in it.
func (s *Store) doubt(g Generation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.whole[g.Digest] = false
}

// doubted reports whether damage was seen in a generation, and not mended since.
func (s *Store) doubted(g Generation) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	whole, known := s.whole[g.Digest]
	return known && !whole
}

// Generations returns the generations that are kept, the newest first and none that is
// newer than the current one. One whose file is damaged is left out; [Store.Check]
// tells of it.
func (s *Store) Generations() ([]Generation, error) {
	kept, _, err := s.kept()
	return kept, err
}

// kept is Generations that also returns why CURRENT was not believed.
func (s *Store) kept() (kept []Generation, recovered string, err error) {
	newest, recovered, err := s.Current()
	if err != nil {
		return nil, "", err
	}
	numbers, err := s.numbers()
	if err != nil {
		return nil, "", err
	}
	kept = []Generation{newest}
	for _, n := range numbers {
		if n >= newest.Number {
			continue
		}
		g, err := s.generation(n)
		switch {
		case err == nil:
			kept = append(kept, g)
		case codeOf(err) != Damaged:
			return nil, "", err
		}
	}
	return kept, recovered, nil
}
