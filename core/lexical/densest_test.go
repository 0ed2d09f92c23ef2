package lexical

import (
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A text has a bar where the run begins that is to be shown; words between are far
// apart where there are dots.
var densestTests = []struct{ name, query, text string }{
	{"the first of equals", "crane", "the |crane … a crane"},
	{"what is rare before what is common", "harbour sextant", "harbour … a |sextant … harbour"},
	{"where more stands together", "crane tide fog", "crane … tide … fog … |tide and fog, a crane … fog"},
	{"from the nearest of several on", "crane fog", "crane crane … |crane and fog"},
	{"a whole identifier before its parts", "marker19999", "marker 7 … 19999 … see |marker19999"},
	{"a stem", "ferry", "the |ferries"},
	{"a phrase where it stands", `"tide windows"`, "windows … tide … the |tide windows"},
	{"a phrase after its words", `"tide windows"`, "the tide is of windows … |tide windows"},
	{"a phrase that begins again", `"tide tide windows"`, "tide … tide |tide tide windows"},
	{"a phrase of stop words", `"to be or not to be"`, "be or not … |to be or not to be"},
	{"a phrase and a word", `fog "tide windows"`, "fog … tide windows … |fog in tide windows … tide windows"},
	{"words of a compound", "tide-fog", "tide … fog … a |tide-fog table"},
	{"units, not bytes", "新幹線 時刻", "新幹線 … |新幹線" + strings.Repeat("の", 150) + "時刻"},
	{"no word is cut", "crane windows", "|crane " + strings.Repeat("a ", 145) + " windows"},
	{"a prefix", "sext*", "a crane … the |sextant"},
	{"nothing", "title:quay", "|nothing of it"},
}

func TestDensest(t *testing.T) {
	far := strings.Repeat(" filler", 100) + " "
	for _, tt := range densestTests {
		text := strings.ReplaceAll(tt.text, " … ", far)
		want := strings.IndexByte(text, '|')
		text = strings.Replace(text, "|", "", 1)
		x := open(t, []abi.Document{{ID: "a", Title: "quay", Text: text}, {ID: "b", Text: "harbour"}, {ID: "c", Text: "harbour"}}, 3)
		s, hits := search(t, x, Parse(tt.query), Query{Limit: 1})
		if got := NewMarker(s).Densest(hits[0], text, 300); got != want {
			t.Errorf("%s: %s begins at %d, want %d of %q", tt.name, tt.query, got, want, tt.text)
		}
	}
}
