package ucd

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzText(f *testing.F) {
	for _, tt := range nfcTests {
		f.Add(tt.in)
	}
	for _, tt := range foldTests {
		f.Add(tt.in)
	}
	for _, tt := range wordTests {
		f.Add(strings.Join(tt.words, ""))
	}
	for _, tt := range graphemeTests {
		f.Add(strings.Join(tt.clusters, ""))
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := nfc(s)
		if !utf8.ValidString(once) || !IsNFC(once) || nfc(once) != once {
			t.Errorf("NFC of %+q = %+q, which is not NFC", s, once)
		}
		if folded := AppendFold(nil, s); !slices.Equal(AppendFold(nil, folded), folded) {
			t.Errorf("folding %+q again changes it", s)
		}
		if got := strings.Join(slices.Collect(Words(s)), ""); got != s {
			t.Errorf("words of %+q are %+q", s, got)
		}
		if got := strings.Join(slices.Collect(Graphemes(s)), ""); got != s {
			t.Errorf("clusters of %+q are %+q", s, got)
		}
		if len(s) < 200 { // what follows is quadratic
			if want := plainNFC(s); once != want {
				t.Errorf("NFC of %+q = %+q, want %+q", s, once, want)
			}
			checkBorders(t, s)
		}
	})
}
