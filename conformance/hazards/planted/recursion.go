package planted

import "strconv"

// Go's stack grows by unwinding that of WebAssembly, so it takes some thousand calls
// until 2,000 frames of the interpreter's stand on each other.
func recursion(question []string) string { return strconv.Itoa(down(12_000, question)) }

//go:noinline
func down(n int, question []string) int {
	if n == 0 {
		return len(question)
	}
	return across(n-1, question) + 1
}

//go:noinline
func across(n int, question []string) int { return down(n, question) ^ n }
