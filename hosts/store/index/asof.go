package index

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// AsOf returns a generation that is kept, by what a person may write, which is what
// reports print:
//
//   - current;
//   - a number, "8";
//   - a corpus root, "sha256:" and 64 digits, or its first 8 digits or more, with or
//     without "sha256:": the newest generation with this root;
//   - a time, RFC 3339 with its zone: the generation that was current then, by the
//     clock of the host that published it. Where it has no fraction of the second, or no
//     seconds, or is a day alone (of UTC), it is the one that was current at the end of
//     that second, minute or day.
//
// Digits that are a number of a generation that is kept are that number, and else the
// beginning of a root. Anything else is ARGUMENT_INVALID. GENERATION_UNKNOWN says which
// ones are kept, or which roots begin so where several do; where the generation is known
// and damaged, the code is INDEX_DAMAGED.
func (s *Store) AsOf(what string) (Generation, error) {
	g, _, err := s.Which(what)
	return g, err
}

// Which is AsOf that also returns, as [Store.Current] does, why CURRENT was not believed:
// where the answer depends on which generations there were, so that one that is lost
// would be another answer.
func (s *Store) Which(what string) (g Generation, recovered string, err error) {
	if what == currentName {
		return s.Current()
	}
	prefix, isRoot := rootPrefix(what)
	if n, ok := numeral(what); ok {
		if g, err = s.byNumber(n); !isRoot || codeOf(err) != Unknown {
			return g, "", err
		}
	}
	if isRoot {
		g, err = s.byRoot(prefix, what, err)
		return g, "", err
	}
	if t, ok := endOf(what); ok {
		return s.byTime(t, what)
	}
	return Generation{}, "", abi.Errorf(abi.ArgumentInvalid, "%q names no generation: give its number, its corpus root (8 digits of it or more), a time such as 2026-11-30T15:04:05Z or 2026-11-30, or current", what)
}

// currentName is what the current generation is asked for by.
const currentName = "current"

func numeral(what string) (int64, bool) {
	n, err := strconv.ParseInt(what, 10, 64)
	return n, err == nil && n > 0 && what[0] != '+'
}

// leastPrefix is how many digits of a root name it: too many for two generations of
// one index to share them by chance.
const leastPrefix = 8

// rootPrefix returns a root, or how one begins.
func rootPrefix(what string) (string, bool) {
	digits := strings.ToLower(strings.TrimPrefix(what, "sha256:"))
	notHex := func(c rune) bool { return !strings.ContainsRune("0123456789abcdef", c) }
	if len(digits) < leastPrefix || len(digits) > 64 || strings.ContainsFunc(digits, notHex) {
		return "", false
	}
	return "sha256:" + digits, true
}

// endOf returns the last moment of what a time stands for.
func endOf(what string) (time.Time, bool) {
	for _, form := range []struct {
		layout string
		unit   time.Duration
	}{{time.RFC3339, time.Second}, {"2006-01-02T15:04Z07:00", time.Minute}, {time.DateOnly, 24 * time.Hour}} {
		t, err := time.Parse(form.layout, what)
		switch {
		case err != nil:
		case strings.ContainsAny(what, ".,"): // it has a fraction
			return t, true
		default:
			return t.Add(form.unit - time.Nanosecond), true
		}
	}
	return time.Time{}, false
}

func (s *Store) byNumber(n int64) (Generation, error) {
	kept, recovered, err := s.kept()
	if err != nil {
		return Generation{}, err
	}
	for _, g := range kept {
		if g.Number == n {
			return g, nil
		}
	}
	if n < kept[0].Number || recovered != "" {
		if _, err := s.fs.ReadFile(s.path(generations, fileOf(n))); err == nil {
			g, err := s.generation(n) // its damage is what there is to tell
			if err == nil {
				err = s.verify(g)
			}
			return g, err
		}
	}
	return Generation{}, unknown(fmt.Sprintf("no generation %d is kept", n), kept)
}

// byRoot returns the newest generation whose root begins so, if all that do have one
// root. Where none does, the failure is none, if there is one.
func (s *Store) byRoot(prefix, what string, none error) (Generation, error) {
	kept, err := s.Generations()
	if err != nil {
		return Generation{}, err
	}
	var like []Generation
	for _, g := range kept {
		if strings.HasPrefix(g.Root, prefix) && !slices.ContainsFunc(like, func(o Generation) bool { return o.Root == g.Root }) {
			like = append(like, g)
		}
	}
	switch {
	case len(like) == 1:
		return like[0], nil
	case len(like) > 1:
		return Generation{}, unknown("several roots begin with "+what, like)
	case none == nil:
		none = unknown(fmt.Sprintf("no generation with the root %s is kept", what), kept)
	}
	return Generation{}, none
}

// byTime returns the newest generation that was there at a time, if none can have
// come between it and the next one that is kept.
func (s *Store) byTime(t time.Time, what string) (Generation, string, error) {
	kept, recovered, err := s.kept()
	if err != nil {
		return Generation{}, "", err
	}
	for i, g := range kept {
		if g.Created.After(t) {
			continue
		}
		switch {
		case i == 0: // what was lost came after it
			return g, recovered, nil
		case kept[i-1].Number == g.Number+1:
			return g, "", nil
		}
		break
	}
	return Generation{}, "", unknown(fmt.Sprintf("no generation of %s is kept", what), kept)
}

// told is how many generations a sentence lists.
const told = 10

func unknown(why string, kept []Generation) error {
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
	return abi.Errorf(Unknown, "%s; there is%s", why, b.String())
}
