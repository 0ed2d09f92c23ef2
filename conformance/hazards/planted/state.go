package planted

import "strconv"

var calls int

func state([]string) string {
	calls++
	return strconv.Itoa(calls)
}
