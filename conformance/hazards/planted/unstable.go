package planted

import (
	"sort"
	"strings"
)

// The lengths are compared, the words are not: their order is that of arrival.
func unstable(question []string) string {
	sort.Slice(question, func(i, j int) bool { return len(question[i]) > len(question[j]) })
	return strings.Join(question, " ")
}
