package planted

// A tie is broken by the place in the corpus.
func storage(question []string) string {
	best := 0
	for i, w := range question {
		if len(w) > len(question[best]) {
			best = i
		}
	}
	return question[best]
}
