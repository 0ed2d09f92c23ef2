package text

import (
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
)

// A unit is a character that is not a mark and the marks after it, in the form
// of a run in which it is compared.
type unit struct {
	start, end int // in the form
	from, to   int // in the source: the pieces that hold it
	cjk        bool
}

// A piece begins at a place in the form and a place in the source that
// correspond: it normalizes on its own and folds on its own.
type piece struct{ form, source int }

// nextCJK yields the tokens of the run from start to end, which has CJK
// characters, and returns end, or stopped.
func (c *cutter) nextCJK(start, end int, changes bool) int {
	form := c.source[start:end]
	if changes {
		form = c.formOf(start, end)
		c.units = appendUnits(c.units[:0], form, 0)
		locate(c.units, c.pieces)
	} else {
		c.units = appendUnits(c.units[:0], form, start)
	}
	for units := c.units; len(units) > 0; {
		n := sequence(units)
		if !c.emitSequence(form, units[:n]) {
			return stopped
		}
		units = units[n:]
	}
	return end
}

// emitSequence yields the tokens of units that are all CJK or all not.
func (c *cutter) emitSequence(form string, units []unit) bool {
	size := len(units) // of a token
	if units[0].cjk && size > 2 {
		size = 2
	}
	for ; len(units) >= size; units = units[1:] {
		first, last := units[0], units[size-1]
		if c.emit(form[first.start:last.end], first.from, last.to) == stopped {
			return false
		}
	}
	return true
}

// sequence returns how many of the first units are all CJK or all not.
func sequence(units []unit) int {
	n := 1
	for n < len(units) && units[n].cjk == units[0].cjk {
		n++
	}
	return n
}

// appendUnits appends the units of a form that is the source from byte source on.
func appendUnits(dst []unit, form string, source int) []unit {
	for i := 0; i < len(form); {
		r, n := utf8.DecodeRuneInString(form[i:])
		class := ucd.ClassOf(r)
		if class&ucd.Mark == 0 || i == 0 {
			dst = append(dst, unit{start: i, from: source + i, cjk: class&ucd.CJK != 0})
		}
		i += n
		last := &dst[len(dst)-1]
		last.end, last.to = i, source+i
	}
	return dst
}

// formOf returns the form of the run from start to end, and in c.pieces how it
// corresponds to the source; an empty piece stands at the end.
func (c *cutter) formOf(start, end int) string {
	pieces, out := c.pieces[:0], c.spare[0][:0]
	for i := start; i < end; {
		pieces = append(pieces, piece{len(out), i})
		r, n := utf8.DecodeRuneInString(c.source[i:end])
		whole := ucd.NextNFC(c.source[i:end])
		if source := c.source[i : i+whole]; whole == n && ucd.ClassOf(r)&ucd.Changes == 0 {
			out = append(out, source...)
		} else {
			out = c.appendForm(out, source)
		}
		i += whole
	}
	c.pieces, c.spare[0] = append(pieces, piece{len(out), end}), out
	return c.keep(out)
}

// locate sets where in the source the units come from.
func locate(units []unit, pieces []piece) {
	for i := range units {
		u := &units[i]
		for pieces[1].form <= u.start {
			pieces = pieces[1:]
		}
		u.from = pieces[0].source
		for pieces[1].form < u.end {
			pieces = pieces[1:]
		}
		u.to = pieces[1].source
	}
}
