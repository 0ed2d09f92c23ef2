package planted

import "strconv"

func narrow(question []string) string {
	n := 1<<31 - 1
	for range len(question) + 1 {
		n++
	}
	return strconv.Itoa(n / 3)
}
