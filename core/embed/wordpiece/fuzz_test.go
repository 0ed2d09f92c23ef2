package wordpiece

import (
	"slices"
	"testing"
)

func FuzzAppend(f *testing.F) {
	for i, tt := range appendTests {
		f.Add(tt.text, appendTests[len(appendTests)-1-i].text)
	}
	v := vocabulary(f, pieces(f))
	f.Fuzz(func(t *testing.T, a, b string) {
		first := v.Append(nil, a)
		end := 0
		for i, token := range first {
			begins := token.End > end
			if token.First != begins || token.End < end || token.End > len(a) {
				t.Fatalf("%+q: token %d of %v begins a word or does not, after one that ends at %d", a, i, first, end)
			}
			end = token.End
		}
		both := v.Append(slices.Clone(first), b)
		for i := len(first); i < len(both); i++ {
			both[i].End += len(a) + 1
		}
		if got := v.Append(nil, a+" "+b); !slices.Equal(got, both) {
			t.Errorf("%+q and %+q have the tokens %v, want %v", a, b, got, both)
		}
	})
}
