package index

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// AsOf returns a generation that is kept, by what a person may write:
//
//   - a number, "8";
//   - a corpus root, "sha256:" and 64 digits: the newest generation with this root;
//   - a time, RFC 3339 with its zone: the generation that was current then, by the
//     clock of the host that published it.
//
// Anything else is ARGUMENT_INVALID. GENERATION_UNKNOWN says which ones are kept;
// where the generation is known and its file damaged, the code is INDEX_DAMAGED.
func (s *Store) AsOf(what string) (Generation, error) {
	if n, err := strconv.ParseInt(what, 10, 64); err == nil && n > 0 {
		return s.byNumber(n)
	}
	if abi.IsDigest(what) {
		return s.newest("with the root "+what, func(g Generation) bool { return g.Root == what })
	}
	if t, err := time.Parse(time.RFC3339, what); err == nil {
		return s.byTime(t)
	}
	return Generation{}, abi.Errorf(abi.ArgumentInvalid, "%q is neither a generation's number nor a corpus root (sha256: and 64 digits) nor a time such as 2026-11-30T15:04:05Z", what)
}

func (s *Store) byNumber(n int64) (Generation, error) {
	kept, err := s.Generations()
	if err != nil {
		return Generation{}, err
	}
	for _, g := range kept {
		if g.Number == n {
			return g, nil
		}
	}
	if n < kept[0].Number {
		if _, err := s.fs.ReadFile(s.path(generations, fileOf(n))); err == nil {
			return s.generation(n) // its damage is what there is to tell
		}
	}
	return Generation{}, unknown(fmt.Sprintf("%d", n), kept)
}

func (s *Store) newest(which string, is func(Generation) bool) (Generation, error) {
	kept, err := s.Generations()
	if err != nil {
		return Generation{}, err
	}
	for _, g := range kept {
		if is(g) {
			return g, nil
		}
	}
	return Generation{}, unknown(which, kept)
}

// byTime returns the newest generation that was there at a time, if none can have
// come between it and the next one that is kept.
func (s *Store) byTime(t time.Time) (Generation, error) {
	kept, err := s.Generations()
	if err != nil {
		return Generation{}, err
	}
	for i, g := range kept {
		if g.Created.After(t) {
			continue
		}
		if i > 0 && kept[i-1].Number != g.Number+1 {
			break
		}
		return g, nil
	}
	return Generation{}, unknown("of "+t.UTC().Format(time.RFC3339), kept)
}

// told is how many generations a sentence lists.
const told = 10

func unknown(which string, kept []Generation) error {
	var b strings.Builder
	for i, g := range kept {
		if i == told {
			fmt.Fprintf(&b, " and %d older ones, the oldest %d of %s", len(kept)-told, kept[len(kept)-1].Number, kept[len(kept)-1].Created.Format(layout))
			break
		}
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, " %d of %s with the root %s", g.Number, g.Created.Format(layout), g.Root)
	}
	return abi.Errorf(Unknown, "no generation %s is kept; there is%s", which, b.String())
}
