package index

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// Current returns the current generation. recovered is empty, or a sentence for
// the log that says why CURRENT was not believed. The code is INDEX_ABSENT where
// nothing was published, and INDEX_DAMAGED where the current generation's file is
// missing or damaged.
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
		again, failure := s.readCurrent()
		if failure != nil {
			return Generation{}, "", failure
		}
		if again == seen.current {
			return g, recovered, err
		}
		// A publication came between, and perhaps a pruning.
	}
	return Generation{}, "", abi.Errorf(abi.StorageFailed, "%s does not come to rest", s.path(current))
}

// A state is what CURRENT holds, and which generations have a file.
type state struct {
	current pointer
	numbers []int64 // the newest first
}

// A pointer is CURRENT as it was read. Where it is missing, it points to no
// generation, as it did before the first one.
type pointer struct {
	ref     Ref
	missing bool
	damage  string // why it cannot be believed, "" if it can
}

func (s *Store) look() (state, error) {
	p, err := s.readCurrent()
	if err != nil {
		return state{}, err
	}
	numbers, err := s.numbers()
	return state{p, numbers}, err
}

func (s *Store) readCurrent() (pointer, error) {
	path := s.path(current)
	data, err := s.fs.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return pointer{missing: true}, nil
	case errors.Is(err, disk.ErrIrregular):
		return pointer{damage: path + " is no regular file"}, nil
	case err != nil:
		return pointer{}, failed("read", path, err)
	}
	ref, err := parseRef(data)
	if err != nil {
		return pointer{damage: path + " is damaged: " + err.Error()}, nil
	}
	return pointer{ref: ref}, nil
}

// numbers returns which generations have a file, the newest first.
func (s *Store) numbers() ([]int64, error) {
	entries, err := s.list(generations)
	if err != nil {
		return nil, err
	}
	var numbers []int64
	for _, e := range entries {
		if n, ok := numberOf(e.Name); ok {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	slices.Reverse(numbers)
	return numbers, nil
}

func numberOf(name string) (int64, bool) {
	digits, ok := strings.CutSuffix(name, ".json")
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, ok && err == nil && n > 0 && fileOf(n) == name
}

func fileOf(number int64) string { return strconv.FormatInt(number, 10) + ".json" }

// choose decides which generation is the current one: that of CURRENT, unless
// CURRENT is damaged or there is a whole generation two or more ahead of it. (One
// that is just one ahead is about to be published.)
func (s *Store) choose(seen state) (g Generation, recovered string, err error) {
	p := seen.current
	if p.missing && len(seen.numbers) > 0 && seen.numbers[0] > 1 {
		p.damage = s.path(current) + " is missing"
	}
	for _, n := range seen.numbers {
		if p.damage == "" && n < p.ref.Number+2 {
			break
		}
		g, err := s.generation(n)
		if err == nil {
			err = s.verify(g)
		}
		if err == nil {
			why := cmp.Or(p.damage, fmt.Sprintf("%s is out of date: it names generation %d", s.path(current), p.ref.Number))
			return g, fmt.Sprintf("%s; generation %d is the newest that is whole", why, n), nil
		}
		if codeOf(err) != Damaged {
			return Generation{}, "", err
		}
	}
	switch {
	case p.damage != "":
		return Generation{}, "", abi.Errorf(Damaged, "%s, and no generation is whole", p.damage)
	case p.missing && len(seen.numbers) > 0:
		return Generation{}, "", abi.Errorf(Absent, "there is no index in %s: its first publication did not come to its end", s.dir)
	case p.missing:
		return Generation{}, "", abi.Errorf(Absent, "there is no index in %s", s.dir)
	}
	g, err = s.named(p.ref)
	return g, "", err
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

// named reads the file of the generation that CURRENT names.
func (s *Store) named(ref Ref) (Generation, error) {
	g, err := s.generation(ref.Number)
	if err == nil && g.Digest != ref.Digest {
		err = abi.Errorf(Damaged, "%s is damaged: its digest is %s, and %s names %s", s.path(generations, fileOf(ref.Number)), g.Digest, current, ref.Digest)
	}
	if err != nil {
		return Generation{}, err
	}
	return g, nil
}

// verify compares all that a generation names with the names, once per Store.
func (s *Store) verify(g Generation) error {
	s.mu.Lock()
	known := s.whole[g.Digest]
	s.mu.Unlock()
	if known {
		return nil
	}
	for folder, names := range g.names() {
		for _, name := range names {
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
