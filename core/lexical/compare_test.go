package lexical

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A look at the bytes finds a phrase as often as all tokens do.
func TestCountIn(t *testing.T) {
	pieces := strings.Fields("of the The THE of_the ofThe of-the often there the's isn't don' ' - _ . , / \\ \" 7 of7the 7of a o f (of) of: [the] é of\u00adthe \u00ad C++ x.the")
	phrases := []string{"of the", "the of", "of the of", "the the", "the", "a of the", "7 of", "don t", "of 7 the", "isn't the", "C++ the"}
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 0))
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(pieces[r.IntN(len(pieces))])
			b.WriteString([]string{" ", " ", "\n", "", "\v", "\x1c"}[r.IntN(6)])
		}
		phrase := phrases[r.IntN(len(phrases))]
		n := Parse(`"` + phrase + `"`)
		if len(n.Units) != 1 || n.Units[0].Kind != Phrase {
			t.Fatalf("%s is no phrase", phrase)
		}
		u := n.Units[0]
		want, _ := countTokens(b.String(), &u)
		if got, _ := countIn(b.String(), &u); got != want {
			t.Fatalf("seed %d: %q %d times in %q, want %d", seed, phrase, got, b.String(), want)
		}
	}
}

// A phrase with stop words is found as often in a document that is compared as it is
// and in one that is cut again.
func TestCompareAlike(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		words := strings.Fields("of the tide be to or not crane of the")
		var plain, markdown []abi.Document
		for i := range 30 {
			var b strings.Builder
			for range 1 + r.IntN(200) {
				b.WriteString(words[r.IntN(len(words))] + []string{" ", " ", ", ", "\n"}[r.IntN(4)])
			}
			d := abi.Document{ID: string(rune('a' + i)), Title: words[r.IntN(9)] + " the", Text: b.String()}
			plain = append(plain, d)
			d.Path = "x.md"
			markdown = append(markdown, d)
		}
		phrases := make([][]int64, 0, 2)
		for _, docs := range [][]abi.Document{plain, markdown} {
			var counts []int64
			x := openWith(t, abi.DefaultSettings(), docs, 7)
			for _, phrase := range []string{`"of the"`, `"the of the"`, `title:"of the"`, `"to be or not"`, `"tide of the"`} {
				s, err := Prepare(x, Parse(phrase), Standard, &Tables{}, newMeter())
				if err != nil {
					t.Fatal(err)
				}
				sum := int64(0)
				for _, part := range s.sources {
					for _, p := range part[0].list {
						sum += int64(p & maxCount)
					}
				}
				counts = append(counts, sum)
			}
			phrases = append(phrases, counts)
		}
		for i := range phrases[0] {
			if phrases[0][i] != phrases[1][i] {
				t.Fatalf("seed %d, phrase %d: %v and %v", seed, i, phrases[0], phrases[1])
			}
		}
	}
}
