package planted

func mapOrder(question []string) string {
	counts := map[string]int{}
	for _, w := range question {
		counts[w]++
	}
	s := ""
	for w := range counts {
		s += w + " "
	}
	return s
}
