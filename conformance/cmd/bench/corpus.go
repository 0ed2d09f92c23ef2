package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
)

const example = "hosts/cmd/rookhaven/example/corpus.jsonl"

// exampleWords returns the words of the example corpus, one text after the other.
func exampleWords() ([]string, error) {
	documents, err := ir.ReadDocuments(example)
	if err != nil {
		return nil, err
	}
	var words []string
	for _, d := range documents {
		words = append(words, strings.Fields(d.Text)...)
	}
	return words, nil
}

// A language makes prose-like text: the words of the example corpus, and rarer
// invented ones, in falling frequency.
type language struct {
	words []string
	zipf  *rand.Zipf
	rand  *rand.Rand
}

func newLanguage() (*language, error) {
	words, err := exampleWords()
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for _, w := range words {
		counts[strings.ToLower(strings.Trim(w, `.,;:"'()?!`))]++
	}
	l := &language{rand: rand.New(rand.NewPCG(7, 7))}
	for w := range counts {
		l.words = append(l.words, w)
	}
	slices.SortFunc(l.words, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	for i := range 40000 {
		l.words = append(l.words, fmt.Sprintf("%s%d", l.words[i%1000], i))
	}
	l.zipf = rand.NewZipf(l.rand, 1.15, 6, uint64(len(l.words)-1))
	return l, nil
}

// corpus returns n documents of about 100 words as a JSON array.
func (l *language) corpus(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		b.WriteString([]string{"[", ",\n"}[min(i, 1)])
		fmt.Fprintf(&b, `{"id":"d%d","text":"`, i)
		for range 80 + l.rand.IntN(40) {
			b.WriteString(l.words[l.zipf.Uint64()])
			b.WriteByte(' ')
		}
		b.WriteString(`"}`)
	}
	b.WriteByte(']')
	return b.Bytes()
}

// queries returns n questions of two needs, of two or three words each, that
// are neither the commonest nor the rarest.
func (l *language) queries(n int) []string {
	list := make([]string, n)
	for i := range list {
		var parts [5]string
		for j := range parts {
			parts[j] = l.words[20+l.rand.IntN(3000)]
		}
		list[i] = strings.Join(parts[:3], " ") + " and " + strings.Join(parts[3:], " ")
	}
	return list
}
