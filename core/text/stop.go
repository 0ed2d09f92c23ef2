package text

// StopVersion is the version of the list that [IsStop] knows. A list that differs
// in a word has another number, because it changes scores.
const StopVersion = 1

// IsStop reports whether a token is one of the 32 English stop words:
//
//	a an and are as at be by can do for from how i in is
//	it me my of on or please that the this to was we what with you
func IsStop(token string) bool {
	switch token {
	case "a", "an", "and", "are", "as", "at", "be", "by",
		"can", "do", "for", "from", "how", "i", "in", "is",
		"it", "me", "my", "of", "on", "or", "please", "that",
		"the", "this", "to", "was", "we", "what", "with", "you":
		return true
	}
	return false
}
