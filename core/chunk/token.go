package chunk

import (
	"iter"

	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/text"
)

// tokens yields the tokens in which sizes are counted. It is the one place that
// says which they are.
func tokens(s string) iter.Seq[text.Token] { return text.Cosine(s) }

// tokenStarts returns where the tokens of a text begin, from byte from on. The
// size of a piece is how many of them are in it: sizes add up, wherever a text
// is cut.
func tokenStarts(source string, from int, m *meter.Meter) ([]int32, error) {
	const often = 1 << 12
	starts := make([]int32, 0, (len(source)-from)/6)
	for tok := range tokens(source[from:]) {
		starts = append(starts, int32(from+tok.Start))
		if len(starts)%often == 0 {
			if err := m.Add(8 * often); err != nil {
				return nil, err
			}
		}
	}
	return starts, m.Add(len(source) - from)
}
