// Package chunk cuts documents into the pieces that are indexed, found and shown.
//
// # What is promised
//
// The chunks of a document are ranges of its text, in order, and cover it: chunk
// n+1 begins where chunk n ends, less the bytes that it is said to repeat. Only a
// byte order mark and front matter stand before the first chunk. No range begins
// or ends inside a grapheme, and each token of the text is a token of a chunk
// (FuzzMarkdown, FuzzPlain, FuzzBlocks, TestSizes). Equal bytes and options give
// equal chunks. Time is linear in the text, whatever it is (TestLinear); an edit
// changes the chunks of its section, and of a long section those after it up to
// the next block that begins a chunk in both (TestAnEditStaysLocal).
//
// # Sections
//
// [Markdown] finds blocks as CommonMark 0.31.2 defines them, and tables as GitHub
// does; testdata/README.md says what that was compared with. Containers inside each
// other count up to 64; what would be one more is text. Each heading of the levels
// asked for begins a section. Headings in quotes and list items belong to these and
// begin none. A section has the path of the headings over it, with its own. Then,
// if there is a minimum,
//
//   - a section that is nothing but a heading is joined with the first one under it;
//   - one under the minimum is joined with the next one under the same heading, as
//     long as all are at most the maximum: never with its parent or a child, never
//     with a section that leads others.
//
// [Plain] and [Blocks] make one section of a text, and sections of the headings,
// slides and sheets among blocks.
//
// # Sizes
//
// Sizes count the tokens of the engine that begin in a chunk's body. The lines of
// headings that [Chunk.Headings] holds whole are not of the body. A section of more
// than the maximum is cut. Its blocks go into a chunk as long as they bring it
// nearer to the target and leave it within the maximum, or it is under the minimum;
// what is left for the last two chunks is shared evenly, and a last one under the
// minimum is joined to the one before if both are at most the maximum. A block that
// does not fit is
//
//   - begun in a chunk of its own and, if it is larger than the maximum, cut: a
//     list between items, an item and a quote between blocks, code, HTML and tables
//     between lines, other text between sentences, then lines, then words, then
//     tokens;
//   - cut at once where the chunk before it would stay under the minimum, unless it
//     is code, a table or an item, which stay whole while they fit.
//
// So a chunk has at most the maximum, and one token more where two neighbours that
// overlap, as bigrams of Han do, are parted and the first is repeated. Only a
// grapheme or a token is never cut, however long it is.
//
// Where a paragraph was cut behind a sentence of at most Overlap tokens, the next
// chunk repeats it. Where a chunk begins inside a table, a fence or a list item,
// [Chunk.Prefix] holds what it needs to be understood: the head of the table, the
// line that opens the fence, the first line of the item. It is no part of the range,
// has at most half of the maximum and 1024 bytes, the innermost being kept, and
// counts when the chunk is filled, but cuts no block that would fit without it.
//
// # Lines
//
// A line of a chunk is a line of the file as grep -n counts: LF ends one, and
// neither a CR alone nor a form feed nor U+2028 does. As Markdown, a text has lines
// that end with LF, CR LF or CR, so that a CR alone can end a heading without
// ending a line of the file. First and last are those of the first and the last
// character that is no white space, and repeated text counts (TestLines).
//
// # Front matter
//
// A text in Markdown may begin with YAML between lines of ---, or TOML between
// lines of +++, of 64 KiB at most. It is read as far as a small subset goes and
// never fails: what goes beyond is kept as the text that it is, and counted. It is
// of no chunk; an index that has every word found takes Text[Front.Start:Front.End]
// with the first chunk.
package chunk

import (
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// Sizes are those of a chunk, in tokens. Max of 0 means that no section is cut,
// Min of 0 that none are joined, Overlap of 0 that no sentence is repeated.
type Sizes struct{ Target, Min, Max, Overlap int64 }

// Default returns the sizes of the product.
func Default() Sizes { return Sizes{Target: 180, Min: 64, Max: 220, Overlap: 32} }

// within returns sizes that agree with each other: Min ≤ Target ≤ Max, and no
// more repeated than half of what fills a chunk.
func (s Sizes) within() Sizes {
	if s.Max <= 0 || s.Max > most {
		s.Max = most // more tokens than a text has
	}
	if s.Target <= 0 || s.Target > s.Max {
		s.Target = s.Max
	}
	s.Min = max(0, min(s.Min, s.Target))
	s.Overlap = max(0, min(s.Overlap, s.Target/2))
	return s
}

// Levels is a set of heading levels.
type Levels uint8

// The levels at which the product splits, and those of the journal.
const (
	AllLevels     Levels = 1<<6 - 1
	JournalLevels Levels = 1<<1 | 1<<2
)

// LevelsOf returns the set of the levels given; numbers other than 1 to 6 are in
// no set.
func LevelsOf(levels ...int64) Levels {
	set := Levels(0)
	for _, l := range levels {
		if l >= 1 && l <= 6 {
			set |= 1 << (l - 1)
		}
	}
	return set
}

func (l Levels) has(level uint8) bool { return level > 0 && l>>(level-1)&1 != 0 }

// Options say how a document is cut. The zero Options leave it whole.
type Options struct {
	Sizes  Sizes
	Levels Levels       // of the headings that begin a chunk
	Meter  *meter.Meter // nil: the call cannot be stopped
}

// A Document is a text with the chunks that it is cut into. There is at least
// one chunk, so that a document without text is still found by its title.
type Document struct {
	Text   string // what the ranges are of: the text given, or the one made from blocks
	Title  string // of the front matter, or else the first heading of level 1, or else the first one; may be empty
	Front  Front
	Chunks []Chunk
}

// Front is the front matter of a document: a range of the text that no chunk
// covers, and what it says. Without front matter the range is empty and stands
// where the first chunk begins.
type Front struct {
	Start, End int        // in bytes, with the lines that enclose it
	Meta       json.Value // an object; missing without front matter
	Kept       int        // how many values go beyond the subset that is read, and are kept as they are written

	title string
}

// A Chunk is a piece of a document: the bytes from Start to End of its text.
type Chunk struct {
	Start, End int
	Body       int      // where the body begins, after the heading lines at Start that Headings holds whole
	Overlap    int      // how many bytes at Start repeat the end of the chunk before
	Prefix     string   // to be put before the text where it begins inside a table, a fence or a list item
	Level      int      // of the heading that begins it, the last of several; 0 if none does
	Headings   []string // the heading path, outermost first
	Merged     []string // the headings of the sections that were joined to it, in their order

	FirstLine, LastLine int64 // of the file, as grep -n counts; 0 if not known

	Location *abi.Location // only of blocks
}

// Whole returns a text as one chunk.
func Whole(source string) Document {
	d := Document{Text: source, Chunks: []Chunk{{End: len(source)}}}
	number(source, d.Chunks)
	return d
}

// most is the length in bytes of the longest text that is cut, and more tokens
// than it can have; a longer one, which no message can hold, stays whole.
const most = 1<<31 - 2
