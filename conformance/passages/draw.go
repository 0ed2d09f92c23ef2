package passages

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
)

// The kinds of queries, 100 of each.
const (
	Heading  = "heading"  // the title of a passage, of two to eight words
	Sentence = "sentence" // a sentence of a passage, of eight to thirty words
	Words    = "words"    // three words of one passage, none of them common
)

const extendSeed = 1_000_000

// Queries draws 100 queries of each kind, or fewer if a million tries do not
// give as many; no two are equal.
func Queries(documents []ir.Document, seed uint64) []ir.Query {
	random := rand.New(rand.NewPCG(seed, 0))
	var list []ir.Query
	taken := map[string]bool{}
	for _, kind := range []struct {
		name string
		draw func(*rand.Rand, ir.Document) string
	}{{Heading, heading}, {Sentence, sentence}, {Words, threeWords}} {
		for n, tries := 0, 0; n < 100 && tries < 1_000_000; tries++ {
			text := kind.draw(random, documents[random.IntN(len(documents))])
			if text == "" || taken[text] {
				continue
			}
			taken[text] = true
			list = append(list, ir.Query{ID: fmt.Sprintf("%s-%02d", kind.name, n), Text: text, Kind: kind.name})
			n++
		}
	}
	return list
}

func heading(_ *rand.Rand, d ir.Document) string {
	if n := len(strings.Fields(d.Title)); n < 2 || n > 8 {
		return ""
	}
	return d.Title
}

func sentence(random *rand.Rand, d ir.Document) string {
	list := sentences(d.Text)
	s := list[random.IntN(len(list))]
	if n := len(strings.Fields(s)); n < 8 || n > 30 || !strings.HasSuffix(s, ".") {
		return ""
	}
	return s
}

func threeWords(random *rand.Rand, d ir.Document) string {
	var list []string
	for _, w := range strings.Fields(d.Text) {
		w = strings.Trim(w, ".,;:!?()[]\"'`")
		if len(w) >= 4 && strings.Trim(w, letters) == "" && !slices.Contains(common, w) && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	if len(list) < 3 {
		return ""
	}
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return strings.Join(list[:3], " ")
}

var common = strings.Fields("about after also because been before being between both could does each from have here into just like made make many more most much must only other over same should some such than that their them then there these they this those under used uses using very were what when where which while will with would your This That When Where These There Then They With From Some Such Here Each Also Otherwise What Which Note")

// Extend yields n passages more: sentences of the documents, drawn one by one,
// until a passage has enough words, under a title drawn likewise.
func Extend(documents []ir.Document, n int, seed uint64) iter.Seq[ir.Document] {
	return func(yield func(ir.Document) bool) {
		random := rand.New(rand.NewPCG(seed, 0))
		for i := range n {
			d := ir.Document{ID: fmt.Sprintf("mixed-%07d", i), Title: documents[random.IntN(len(documents))].Title}
			var parts []string
			for words := 0; words < enough; {
				list := sentences(documents[random.IntN(len(documents))].Text)
				s := list[random.IntN(len(list))]
				parts = append(parts, s)
				words += len(strings.Fields(s))
			}
			d.Text = strings.Join(parts, " ")
			if !yield(d) {
				return
			}
		}
	}
}
