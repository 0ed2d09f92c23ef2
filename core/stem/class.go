package stem

import (
	"slices"
	"unicode/utf8"
)

// A class is a set of letters.
type class struct {
	ascii [4]uint32 // a bit for each of those in ASCII
	rest  []rune
}

func classOf(letters string) *class {
	c := &class{}
	for _, r := range letters {
		if r < utf8.RuneSelf {
			c.ascii[r>>5] |= 1 << (r & 31)
		} else {
			c.rest = append(c.rest, r)
		}
	}
	return c
}

// has reports whether r is in the class. No class has [none].
func (c *class) has(r rune) bool {
	if r < utf8.RuneSelf {
		return c.ascii[r>>5&3]>>(r&31)&1 != 0
	}
	return slices.Contains(c.rest, r)
}
