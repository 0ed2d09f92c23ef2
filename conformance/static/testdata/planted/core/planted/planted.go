// Package planted holds one fault per function. Its folder is called core, so that
// its functions have the names of those that must not have any.
package planted

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/rookhaven-project/rookhaven/beside"
)

// Run calls all of them.
func Run(n int) int {
	sum := 0
	for _, f := range []func(int) int{
		product, narrow, passed, converted, bitsOf, root, lanes, weighed, inlined, itoa, print, exp, marshal, letter,
		lower, clock, dice, ranged, parallel, selected, leading, decode, lookup, constant, ordered, hash, sorted, floats, equal,
		closure(n), (&scale{n}).By,
		func(n int) int { return int(int8(twice(n))) + n*int(math.Float64bits(twice(half(n)))) },
	} {
		sum += f(n)
	}
	return sum
}

//go:noinline
func half(n int) float64 { return float64(n) / 2 }

//go:noinline
func product(n int) int { return int(float64(n) * 1.1) }

//go:noinline
func narrow(n int) int { return int(float32(n) + 0.1) }

var last float64

//go:noinline
func passed(n int) int { last = half(n); return n }

//go:noinline
func converted(n int) int { return int(last) + n }

//go:noinline
func bitsOf(n int) int { return int(math.Float64bits(float64(n)*1.1) >> 52) }

//go:noinline
func root(n int) int { return int(math.Sqrt(float64(n))) }

// A weight looks like no number at all.
type weight float64

//go:noinline
func weighed(n int) int {
	if weight(last) > 1 {
		return n
	}
	return 0
}

//go:noinline
func closure(n int) func(int) int { return func(m int) int { return int(float64(n) / float64(m)) } }

type scale struct{ n int }

//go:noinline
func (s *scale) By(n int) int { return int(float64(s.n) / float64(n)) }

//go:noinline
func inlined(n int) int { return beside.Half(n) }

//go:noinline
func twice[T int | float64](n T) T { return n + n }

type item struct {
	name  string
	score float64
}

//go:noinline
func sorted(n int) int {
	list := []item{{"a", half(n)}, {"b", 2}, {"c", 1}}
	slices.SortFunc(list, func(a, b item) int {
		if a.score < b.score {
			return -1
		}
		return 1
	})
	return len(list[0].name)
}

//go:noinline
func floats(n int) int {
	list := []float64{half(n), 2, 1}
	slices.Sort(list)
	return int(list[0])
}

// Arrays of structures with floating point are compared by a function of the compiler's.
//
//go:noinline
func equal(n int) int {
	a, b := [3]item{{"a", half(n)}}, [3]item{{"a", half(n + 1)}}
	if a == b {
		return 1
	}
	return 0
}

//go:noinline
func itoa(n int) int { return len(strconv.Itoa(n)) }

//go:noinline
func print(n int) int { return len(fmt.Sprint(n)) }

//go:noinline
func exp(n int) int { return int(math.Exp(half(n))) }

//go:noinline
func marshal(n int) int {
	b, _ := json.Marshal(n)
	return len(b)
}

//go:noinline
func letter(n int) int {
	if unicode.IsLetter(rune(n)) {
		return 1
	}
	return 0
}

//go:noinline
func lower(n int) int { return len(strings.ToLower("ÀB"[n%2:])) }

//go:noinline
func clock(n int) int { return n + time.Now().Nanosecond() }

//go:noinline
func dice(n int) int { return rand.IntN(n + 6) }

//go:noinline
func ranged(n int) int {
	for k := range squares {
		n = n*31 + k
	}
	return n
}

var channel = make(chan int, 1)

//go:noinline
func parallel(n int) int {
	go func() { last++ }()
	return n
}

//go:noinline
func selected(n int) int {
	select {
	case n = <-channel:
	case channel <- n:
	}
	return n
}
