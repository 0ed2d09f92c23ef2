package filter

import (
	"bytes"
	"cmp"
	stdjson "encoding/json"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// encode returns the encoding of a scalar, or nil if it is refused.
func encode(literal string) []byte {
	r := json.NewReader([]byte(literal))
	if k := r.Kind(); k == json.Object || k == json.Array {
		return nil
	}
	out := appendScalar(nil, r)
	if r.Err() != nil || r.End() != nil {
		return nil
	}
	return out
}

// Literals in ascending order; those in one row are equal.
var ascending = [][]string{
	{`null`}, {`false`}, {`true`},
	{`-9e1000`, `-90e999`}, {`-1e1000`}, {`-99999`}, {`-10000`}, {`-101`}, {`-100.5`}, {`-100`, `-1e2`, `-1000e-1`},
	{`-99`}, {`-10`}, {`-9`}, {`-5.01`}, {`-5.001`}, {`-5`, `-5.00`}, {`-1`}, {`-0.1`}, {`-0.09`}, {`-1e-1000`},
	{`0`, `-0`, `0.0`, `0e5`, `-0.00e-7`},
	{`1e-1000`, `0.1e-999`}, {`1.5e-1000`}, {`0.09`}, {`0.1`}, {`0.1000000000000000000000000000001`}, {`1`, `1.0`, `1e0`, `0.1e1`, `10e-1`, `1000E-3`, `0.001E+3`},
	{`5`}, {`5.001`}, {`5.01`}, {`5.1`}, {`9`}, {`10`, `1e1`}, {`99`}, {`100`}, {`100.5`}, {`101`},
	{`9007199254740992`}, {`9007199254740993`}, {`123456789012345678901234567890`}, {`123456789012345678901234567891`}, {`1e1000`}, {`9.9e1000`},
	{`""`}, {`"\u0000"`}, {`"A"`}, {`"a"`, `"\u0061"`}, {`"a\u0000"`}, {`"ab"`}, {`"b"`}, {`"é"`, `"e\u0301"`, `"\u00e9"`}, {`"\uffff"`}, {`"😀"`, `"\ud83d\ude00"`},
}

func TestEncodingOrder(t *testing.T) {
	for i, row := range ascending {
		for _, a := range row {
			for j, other := range ascending {
				for _, b := range other {
					x, y := encode(a), encode(b)
					if x == nil || y == nil {
						t.Fatalf("%s or %s is refused", a, b)
					}
					if got, want := bytes.Compare(x, y), cmp.Compare(i, j); got != want {
						t.Errorf("%s (%x) and %s (%x) compare as %d, want %d", a, x, b, y, got, want)
					}
				}
			}
		}
	}
}

var encodingTests = []struct {
	name, literal, want string
}{
	{"null", `null`, "\x01"},
	{"false", `false`, "\x02"},
	{"true", `true`, "\x03"},
	{"zero", `0`, "\x05"},
	{"one is 1·10^0", `1`, "\x06\x03\xe8\x0b"},
	{"digits by two", `123`, "\x06\x03\xea\x0d\x1f"},
	{"a negative number is complemented and ended", `-123`, "\x04\xfc\x15\xf2\xe0\xff"},
	{"the least exponent", `1e-1000`, "\x06\x00\x00\x0b"},
	{"a string", `"a"`, "\x07a"},
}

// The bytes are part of the format of segments.
func TestEncoding(t *testing.T) {
	for _, tt := range encodingTests {
		if got := string(encode(tt.literal)); got != tt.want {
			t.Errorf("%s: %s is %x, want %x", tt.name, tt.literal, got, tt.want)
		}
	}
}

// rational returns the number of a literal.
func rational(t testing.TB, literal string) *big.Rat {
	t.Helper()
	x, ok := new(big.Rat).SetString(literal)
	if !ok {
		t.Fatalf("math/big does not take %s", literal)
	}
	return x
}

// checkNumbers compares the encodings of two literals with math/big, and both
// with themselves when they are written and read again.
func checkNumbers(t *testing.T, a, b string) {
	t.Helper()
	x, y := encode(a), encode(b)
	if x == nil || y == nil {
		return
	}
	if got, want := bytes.Compare(x, y), rational(t, a).Cmp(rational(t, b)); got != want {
		t.Errorf("%s (%x) and %s (%x) compare as %d, want %d", a, x, b, y, got, want)
	}
	for _, literal := range []string{a, b} {
		v := encode(literal)
		text := string(appendJSON(nil, v))
		if rational(t, text).Cmp(rational(t, literal)) != 0 || !bytes.Equal(encode(text), v) {
			t.Errorf("%s (%x) is written as %s (%x)", literal, v, text, encode(text))
		}
		// Where a float64 is enough, the spelling is that of RFC 8785.
		if canonical, err := json.Canonicalize([]byte(literal)); err == nil && string(canonical) != text {
			t.Errorf("%s is written as %s, canonical JSON is %s", literal, text, canonical)
		}
	}
}

// randomNumber returns a literal of few digits and any shape.
func randomNumber(r *rand.Rand) string {
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "0001259"[r.IntN(7)]
		}
		return string(b)
	}
	s := []string{"", "-"}[r.IntN(2)] + strconv.Itoa(r.IntN(3))
	if s[len(s)-1] != '0' {
		s += digits(r.IntN(40))
	}
	if r.IntN(2) == 0 {
		s += "." + digits(1+r.IntN(40))
	}
	if r.IntN(2) == 0 {
		s += []string{"e", "E"}[r.IntN(2)] + []string{"", "+", "-"}[r.IntN(3)] + strconv.Itoa(r.IntN(60))
	}
	return s
}

func TestNumbersAgainstBig(t *testing.T) {
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 1))
		a := randomNumber(r)
		b := randomNumber(r)
		if r.IntN(3) == 0 { // another spelling, or a neighbour
			b = string(appendJSON(nil, encode(a)))
			if r.IntN(2) == 0 && !strings.ContainsAny(b, "e") {
				b = strings.TrimSuffix(b, "9") + "1"
			}
		}
		if checkNumbers(t, a, b); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// rank is the place of a value's type in the order of encodings.
func rank(v any) int {
	switch v := v.(type) {
	case nil:
		return 0
	case bool:
		if !v {
			return 1
		}
		return 2
	case stdjson.Number:
		return 3
	}
	return 4
}

// Two scalars compare as encodings as they do by definition, and each is written
// as JSON that has the same encoding.
func FuzzValue(f *testing.F) {
	for i, row := range ascending {
		f.Add(row[0], ascending[(i+1)%len(ascending)][0])
	}
	f.Add(strings.Repeat("9", 1000), "0."+strings.Repeat("0", 999)+"1")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := encode(a), encode(b)
		if x == nil || y == nil || !quick(a) || !quick(b) {
			return
		}
		v, w := decodeScalar(t, a), decodeScalar(t, b)
		want := cmp.Compare(rank(v), rank(w))
		if want == 0 {
			want, _ = compareValues(v, w)
		}
		if got := bytes.Compare(x, y); got != want {
			t.Errorf("%s (%x) and %s (%x) compare as %d, want %d", a, x, b, y, got, want)
		}
		if text := string(appendJSON(nil, x)); !bytes.Equal(encode(text), x) {
			t.Errorf("%s (%x) is written as %s (%x)", a, x, text, encode(text))
		}
	})
}

// quick reports whether math/big takes little time for a literal.
func quick(s string) bool {
	i := strings.IndexAny(s, "eE")
	return len(s) < 5000 && (i < 0 || s[0] == '"' || len(strings.TrimLeft(s[i+1:], "+-0")) <= 4)
}

func decodeScalar(t testing.TB, literal string) any {
	return decode(t, `{"v":`+literal+`}`)["v"]
}

// A number takes linear time, wherever its digits and zeros stand.
func TestLinear(t *testing.T) {
	zeros := strings.Repeat("0", 4<<20)
	for _, literal := range []string{"1" + zeros + "e-4194304", "0." + zeros + "1e4194305", "1." + zeros, "1e" + zeros, "1e+" + zeros + "0"} {
		if got := encode(literal); string(got) != string(encode("1")) {
			t.Errorf("%.20s… is %x", literal, got)
		}
	}
	if got := encode("1" + zeros); got != nil {
		t.Errorf("10^4194304 is %x", got)
	}
}
