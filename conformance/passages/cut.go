package passages

import (
	"strings"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
)

// A passage ends before a sentence that would make it longer than longest
// words, once it has enough; a page's last one is dropped if it is shorter
// than shortest.
const (
	shortest = 60
	enough   = 95
	longest  = 125
	repeats  = 5 // a sentence seen more often in the whole collection is left out
)

// A cutter cuts pages into passages. It remembers the sentences of all pages,
// since documentation made by programs repeats some of them thousands of times.
type cutter struct{ seen map[string]int }

func newCutter() *cutter { return &cutter{map[string]int{}} }

// cut returns the passages of one page. The title of a passage is the heading
// under which it begins; headings inside it are lines of it.
func (c *cutter) cut(page []block) []ir.Document {
	var list []ir.Document
	var text strings.Builder
	heading, title, words := "", "", 0
	flush := func() {
		if words >= shortest {
			list = append(list, ir.Document{Title: title, Text: text.String()})
		}
		text.Reset()
		words = 0
	}
	for _, b := range page {
		if b.heading {
			heading = b.text
		}
		for i, s := range sentences(b.text) {
			if c.seen[s]++; c.seen[s] > repeats {
				continue
			}
			n := len(strings.Fields(s))
			if words >= enough || words > 0 && words+n > longest {
				flush()
			}
			if words == 0 {
				title = heading
				if b.heading {
					continue // the title says it
				}
			} else if i == 0 {
				text.WriteByte('\n')
			} else {
				text.WriteByte(' ')
			}
			text.WriteString(s)
			words += n
		}
	}
	flush()
	return list
}

// sentences splits text at the ends of lines, after a full stop, question or
// exclamation mark before a space and a capital letter, and after longest-25
// words without any.
func sentences(text string) []string {
	var list []string
	for line := range strings.SplitSeq(text, "\n") {
		from, words := 0, 0
		for i := 0; i+1 < len(line); i++ {
			if line[i+1] != ' ' {
				continue
			}
			words++
			ends := strings.IndexByte(".?!", line[i]) >= 0 && i+2 < len(line) && 'A' <= line[i+2] && line[i+2] <= 'Z'
			if ends || words == longest-25 {
				list = append(list, line[from:i+1])
				from, words = i+2, 0
			}
		}
		if from < len(line) {
			list = append(list, line[from:])
		}
	}
	return list
}
