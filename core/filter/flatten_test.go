package filter

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// show writes pairs as `a=1 b="x"`; an object is {}.
func show(pairs []Pair) string {
	list := make([]string, len(pairs))
	for i, p := range pairs {
		list[i] = p.Field + "=" + string(appendJSON(nil, p.Value))
	}
	return strings.Join(list, " ")
}

// deep returns n objects inside each other, with a 1 inside.
func deep(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }

var flattenTests = []struct {
	name, in, want string
}{
	{"nothing", `{}`, ``},
	{"by field, then value", `{"b":[2,1],"a":"x"}`, `a="x" b=1 b=2`},
	{"each once", `{"a":[1,1.0,1e0,"x","x"]}`, `a=1 a="x"`},
	{"an object and what is in it", `{"a":{"b":1}}`, `a={} a.b=1`},
	{"an array is no value", `{"a":[],"b":[[]],"c":[{}]}`, `c={}`},
	{"names with dots", `{"a.b":1,"a":{"b":2}}`, `a={} a.b=1 a.b=2`},
	{"fields sort by bytes, dots among them", `{"a":{"b":1},"a-b":2,"ab":3}`, `a={} a-b=2 a.b=1 ab=3`},
	{"what no field can name", `{"a b":1,"":{"c":1},"x":{".y":1,"z":2}}`, `x={} x.z=2`},
	{"16 parts, not 17", deep(17), "a={} " + func() string {
		s := ""
		for n := 2; n <= 16; n++ {
			s += strings.Repeat("a.", n-1) + "a={} "
		}
		return s[:len(s)-1]
	}()},
	{"names in NFC", `{"e\u0301":{"e\u0301":"e\u0301"}}`, `é={} é.é="é"`},
	{"numbers are exact", `{"a":[0.30000000000000004,123456789012345678]}`, `a=0.30000000000000004 a=123456789012345678`},
}

func TestFlatten(t *testing.T) {
	for _, tt := range flattenTests {
		if got := show(flatten(t, tt.in)); got != tt.want {
			t.Errorf("%s: %s gives %s, want %s", tt.name, tt.in, got, tt.want)
		}
	}
}

// Flatten appends, and leaves what is there alone.
func TestFlattenAppends(t *testing.T) {
	pairs := flatten(t, `{"z":1}`)
	pairs, err := Flatten(pairs, []byte(`{"a":2}`))
	if got := show(pairs); err != nil || got != "z=1 a=2" {
		t.Errorf("%s, %v", got, err)
	}
	if pairs, err = Flatten(pairs, []byte(`{"a":2,"b":1e2000}`)); err == nil || show(pairs) != "z=1 a=2" {
		t.Errorf("%s, %v", show(pairs), err)
	}
}

var corpusInvalidTests = []struct {
	name, in, want string
}{
	{"no object", `[1]`, "CORPUS_INVALID: metadata: expected an object, found an array"},
	{"null", `null`, "CORPUS_INVALID: metadata: expected an object, found null"},
	{"no JSON", `{"a":1`, "JSON_INVALID: metadata: expected \",\" or \"}\", found the end of the document"},
	{"a name twice", `{"a":{"b":1,"b":2}}`, `JSON_INVALID: metadata.a: duplicate member "b"`},
	{"something behind it", `{} 1`, `JSON_INVALID: metadata: expected the end of the document, found "1"`},
	{"a number out of bounds", `{"a":[0,{"b":1e1001}]}`, "CORPUS_INVALID: metadata.a[1].b: the number's exponent is not between -1000 and 1000"},
	{"a number too long", `{"a":1.` + strings.Repeat("1", 1000) + `}`, "CORPUS_INVALID: metadata.a: the number has more than 1000 significant digits"},
	{"too many values", `{"a":` + numbersTo(10_001) + `}`, "CORPUS_INVALID: metadata.a[10000]: the metadata has more than 10000 values and objects"},
}

func TestCorpusInvalid(t *testing.T) {
	for _, tt := range corpusInvalidTests {
		if _, err := Flatten(nil, []byte(tt.in)); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %.100s: %v, want %s", tt.name, tt.in, err, tt.want)
		}
	}
	flatten(t, `{"a":`+numbersTo(10_000)+`}`)
	flatten(t, `{"a b":`+numbersTo(20_000)+`}`)
}

// A field repeats the names of all objects around it, so what a document can make
// of a long name is bounded: 5,000 fields of at most 256 bytes here, and none of
// a name of 1 MiB.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("n", 200)
	in := `{"` + long + `":` + object(5000, func(i int) string { return `"` + strconv.Itoa(i) + long[:40] + `":1` }) +
		`,"` + strings.Repeat("x", 1<<20) + `":{"a":1}}`
	if got := len(flatten(t, in)); got != 5001 {
		t.Errorf("%d pairs", got)
	}
}

func BenchmarkFlatten(b *testing.B) {
	in := []byte(`{"author":{"mail":"kim@example.org","name":"Kim"},"date":"2026-05-01","draft":false,"lang":"en","rating":4.5,"tags":["crane","berth","tide"],"title":"Crane maintenance","year":2026}`)
	b.ReportAllocs()
	var pairs []Pair
	for b.Loop() {
		pairs, _ = Flatten(pairs[:0], in)
	}
}

// 100,000 documents, each with a date of its own.
func BenchmarkColumn(b *testing.B) {
	values := make([][]byte, 100_000)
	places := make([]uint32, len(values))
	for i := range values {
		values[i] = encode(fmt.Sprintf(`"2026-%08d"`, i))
		places[i] = uint32(i * 7919 % len(values))
	}
	var in []string
	for i := range 1000 {
		in = append(in, fmt.Sprintf(`"2026-%08d"`, i*97))
	}
	for _, bench := range []struct{ name, filter string }{
		{"range", `{"a":{"gte":"2026-00025000","lt":"2026-00075000"}}`},
		{"in", `{"a":{"in":[` + strings.Join(in, ",") + `]}}`},
	} {
		c := parse(b, bench.filter).Conditions()[0]
		at := func(i int) []byte { return values[i] }
		b.Run(bench.name+"/select", func(b *testing.B) {
			for b.Loop() {
				c.Select(len(values), at)
			}
		})
		s := c.Select(len(values), at)
		b.Run(bench.name+"/holds", func(b *testing.B) {
			n := 0
			for b.Loop() {
				n = 0
				for i := range places {
					if s.Holds(places[i : i+1]) {
						n++
					}
				}
			}
			b.ReportMetric(float64(n), "held")
		})
		b.Run(bench.name+"/match", func(b *testing.B) {
			for b.Loop() {
				for _, v := range values {
					c.Match(v)
				}
			}
		})
	}
}
