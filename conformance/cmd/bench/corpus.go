package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

const example = "hosts/cmd/rookhaven/example/corpus.jsonl"

// A language makes prose-like text: the words of the example corpus, and rarer
// invented ones, in falling frequency.
type language struct {
	words []string
	zipf  *rand.Zipf
	rand  *rand.Rand
}

func newLanguage() (*language, error) {
	text, err := os.ReadFile(example)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for scan := bufio.NewScanner(bytes.NewReader(text)); scan.Scan(); {
		var d struct{ Text string }
		if err := json.Unmarshal(scan.Bytes(), &d); err != nil {
			return nil, err
		}
		for _, w := range strings.Fields(d.Text) {
			counts[strings.ToLower(strings.Trim(w, `.,;:"'()?!`))]++
		}
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
