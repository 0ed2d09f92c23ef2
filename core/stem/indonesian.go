package stem

import (
	"bytes"
	"unicode/utf8"
)

// Indonesian is the stemmer of Fadillah Z. Tala's thesis ("A Study of Stemming
// Effects on Information Retrieval in Bahasa Indonesia", 2003), as Snowball reads
// it. It takes off prefixes as well as endings, and stops when two syllables are
// left.
type indonesian struct {
	particle, possessive, suffix *table
	prefix                       indonesianPrefix
}

// An indonesianPrefix is what of a prefix an ending depends on.
type indonesianPrefix uint8

const (
	noPrefix indonesianPrefix = iota
	activePrefix
	abstractPrefix
	perPrefix
	berPrefix
)

func newIndonesian() algorithm {
	n := &indonesian{
		particle:   newTable(rule{endings: "kah lah pun"}),
		possessive: newTable(rule{endings: "ku mu nya"}),
	}
	n.suffix = newTable(
		rule{endings: "kan", mild: true, when: func(*word, int) bool { return n.prefix != abstractPrefix && n.prefix != perPrefix }},
		rule{endings: "an", mild: true, when: func(*word, int) bool { return n.prefix != activePrefix }},
		rule{endings: "i", mild: true, when: func(w *word, i int) bool {
			return n.prefix != abstractPrefix && n.prefix != berPrefix && !endsAt(w.b, "s", i)
		}},
	)
	return n
}

func (n *indonesian) stem(w *word) {
	n.prefix = noPrefix
	n.apply(n.particle, w)
	n.apply(n.possessive, w)
	first := n.dropPrefix(w, firstPrefixes)
	if first == nil {
		n.dropPrefix(w, secondPrefixes)
		n.apply(n.suffix, w)
		return
	}
	// A p or s that is back is the first letter of the root: memerintahkan.
	if n.apply(n.suffix, w) && first.as == "" {
		n.dropPrefix(w, secondPrefixes)
	}
}

// apply applies a table to a word of three syllables or more.
func (n *indonesian) apply(t *table, w *word) bool {
	return syllables(w.b) > 2 && t.apply(w)
}

// syllables returns how many vowels there are.
func syllables(b []byte) int {
	n := 0
	for _, c := range b {
		if indonesianVowels.has(rune(c)) {
			n++
		}
	}
	return n
}

var indonesianVowels = classOf("aeiou")

// A prefixRule says what becomes of a word with a prefix.
type prefixRule struct {
	prefix, as string
	kind       indonesianPrefix
	when       func(rest []byte) bool
}

// Of two that begin alike, the one to try first comes first.
var (
	firstPrefixes = []prefixRule{
		{"di", "", activePrefix, nil},
		{"meng", "", activePrefix, nil},
		{"meny", "s", activePrefix, startsWithVowel},
		{"mem", "p", activePrefix, startsWithVowel},
		{"mem", "", activePrefix, nil},
		{"men", "", activePrefix, nil},
		{"me", "", activePrefix, nil},
		{"ter", "", activePrefix, nil},
		{"ke", "", abstractPrefix, nil},
		{"peng", "", abstractPrefix, nil},
		{"peny", "s", abstractPrefix, startsWithVowel},
		{"pem", "p", abstractPrefix, startsWithVowel},
		{"pem", "", abstractPrefix, nil},
		{"pen", "", abstractPrefix, nil},
	}
	secondPrefixes = []prefixRule{
		{"ber", "", berPrefix, nil},
		{"belajar", "ajar", berPrefix, nil},
		{"be", "", berPrefix, startsWithKer},
		{"per", "", perPrefix, nil},
		{"pelajar", "ajar", noPrefix, nil},
		{"pe", "", perPrefix, nil},
	}
)

// dropPrefix takes the first prefix of a list off a word of three syllables or
// more, and returns what it did, nil if it did nothing.
func (n *indonesian) dropPrefix(w *word, prefixes []prefixRule) *prefixRule {
	if syllables(w.b) <= 2 {
		return nil
	}
	for i := range prefixes {
		p := &prefixes[i]
		if rest := len(p.prefix); w.begins(p.prefix) && (p.when == nil || p.when(w.b[rest:])) {
			w.b = append(append(w.b[:0], p.as...), w.b[rest:]...)
			n.prefix = p.kind
			return p
		}
	}
	return nil
}

func startsWithVowel(rest []byte) bool {
	return len(rest) > 0 && indonesianVowels.has(rune(rest[0]))
}

// startsWithKer reports whether what is left begins with a consonant and er:
// bekerja.
func startsWithKer(rest []byte) bool {
	first, n := utf8.DecodeRune(rest)
	return n > 0 && !indonesianVowels.has(first) && bytes.HasPrefix(rest[n:], []byte("er"))
}
