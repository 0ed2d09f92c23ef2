package planted

import (
	"slices"
	"strings"
)

func toLower(question []string) string {
	slices.Sort(question)
	return strings.ToLower(strings.Join(question, "ꟜǅΣ"))
}
