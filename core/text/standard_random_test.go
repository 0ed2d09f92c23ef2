package text

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// standardPool has what the profile standard distinguishes, the commonest first.
func standardPool() []rune {
	return append([]rune("aaabnstdmrevlABNST019 __--..,,''::/@#++=\\~&?%()]’‘\u02BC\u2010\u00B7\u0387\u037E;\u202F\u05F4\u066C\u203F"+
		"éÉßİжЖא٣Ⅷ〇新幹ガー한\u1112\u1161\u11AB\u0E44\u0E17\u0E22ǅᾈ"+
		"\u0301\u0323\u0338\u0345\u3099\u00AD\u200D\u200B\uFE0F\U000E0100\u034F\uFEFF\U0001F3FB"), pool()...)
}

func TestStandardEquivalentForms(t *testing.T) {
	pool := standardPool()
	for seed := range uint64(600000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		for range r.IntN(24) {
			n := len(pool)
			if r.IntN(4) > 0 {
				n = 40 << r.IntN(3)
			}
			b.WriteRune(pool[r.IntN(min(n, len(pool)))])
		}
		s := b.String()
		want := standardTokens(s)
		for _, form := range []norm.Form{norm.NFC, norm.NFD} {
			if got := standardTokens(form.String(s)); !slices.Equal(got, want) {
				t.Fatalf("seed %d: tokens of %+q = %+q, of its form %d %+q", seed, s, want, form, got)
			}
		}
		if want := plainStandard(s); !slices.Equal(standardTokens(s), want) {
			t.Fatalf("seed %d: tokens of %+q =\n%+q, want\n%+q", seed, s, standardTokens(s), want)
		}
	}
}
