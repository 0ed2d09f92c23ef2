package text

// StandardStopVersion is the version of the list that [IsStandardStop] knows. A list
// that differs in a word has another number, because it changes scores.
const StandardStopVersion = 1

// IsStandardStop reports whether a token of the profile standard is one of its
// English stop words: words that hold a sentence together and are in most texts,
// with those that make a question. [IsStop]'s are among them. Tokens have no
// endings such as 's and 'll, so that of the short forms only those with n't occur.
func IsStandardStop(token string) bool {
	switch token {
	case "i", "me", "my", "myself", "we", "our", "ours", "ourselves",
		"you", "your", "yours", "yourself", "yourselves",
		"he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its", "itself",
		"they", "them", "their", "theirs", "themselves",

		"what", "which", "who", "whom", "when", "where", "why", "how",
		"this", "that", "these", "those", "here", "there",

		"am", "is", "are", "was", "were", "be", "been", "being",
		"have", "has", "had", "having", "do", "does", "did", "doing",
		"can", "could", "would", "should", "ought", "cannot", "please",

		"isn't", "aren't", "wasn't", "weren't", "ain't", "haven't", "hasn't", "hadn't",
		"don't", "doesn't", "didn't", "can't", "couldn't", "won't", "wouldn't",
		"shan't", "shouldn't", "mustn't", "mightn't", "mayn't", "needn't", "oughtn't", "daren't",

		"a", "an", "the", "and", "but", "if", "or", "because", "as", "until", "while", "than",
		"of", "at", "by", "for", "with", "about", "against", "between", "into", "through",
		"during", "before", "after", "above", "below", "to", "from", "up", "down", "in", "out",
		"on", "off", "over", "under",

		"again", "further", "then", "once", "all", "any", "both", "each", "few", "more", "most",
		"other", "some", "such", "no", "nor", "not", "only", "own", "same", "so", "too", "very":
		return true
	}
	return false
}
