package json

import (
	stdjson "encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func parse(t *testing.T, in string) Value {
	t.Helper()
	v, err := Parse([]byte(in))
	if err != nil {
		t.Fatalf("%s: %v", in, err)
	}
	return v
}

// The example of RFC 8785 §3.2.2, without the number that has more digits than a
// float64, of which a Value keeps all.
func TestCanonicalize(t *testing.T) {
	in := "{\n  \"numbers\": [1E30, 4.50, 2e-3, 0.000000000000000000000000001],\n" +
		`  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",` + "\n  \"literals\": [null, true, false]\n}"
	want := `{"literals":[null,true,false],"numbers":[1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
	if got, err := Canonicalize([]byte(in)); string(got) != want || err != nil {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	if got, err := Canonicalize([]byte(`333333333.33333329`)); string(got) != "333333333.33333329" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// Whatever a float64 is spelt as, however many digits that takes, is canonical.
func TestFloat64(t *testing.T) {
	for seed := range uint64(100_000) {
		f := math.Float64frombits(rand.New(rand.NewPCG(seed, 0)).Uint64())
		want, err := stdjson.Marshal(f)
		if err != nil {
			continue // infinite or no number
		}
		if got, err := Canonicalize(strconv.AppendFloat(nil, f, 'e', -1, 64)); string(got) != string(want) || err != nil {
			t.Fatalf("seed %d: %s, %v, want %s", seed, got, err, want)
		}
	}
}

func TestValue(t *testing.T) {
	v := parse(t, `{"b":[1,-2.5,1e-7],"a":"x\ny","c":{},"n":null,"t":true,"\u00e9":0}`)
	if v.Kind() != Object || v.Len() != 6 {
		t.Errorf("%v with %d members", v.Kind(), v.Len())
	}
	if got := v.Member("a").Text(); got != "x\ny" {
		t.Errorf("a is %q", got)
	}
	if got := v.Member("é").String(); got != "0" {
		t.Errorf("é is %s", got)
	}
	names := ""
	for name, m := range v.Members() {
		names += name + m.Kind().String() + " "
	}
	if want := "aa string ban array can object nnull ttrue éa number "; names != want {
		t.Errorf("%s, want %s", names, want)
	}
	for _, tt := range []struct {
		at         int
		n, nano    int64
		isInt, isN bool
	}{{0, 1, 1e9, true, true}, {1, 0, -25e8, false, true}, {2, 0, 100, false, true}} {
		for i, e := range v.Member("b").Elements() {
			if i != tt.at {
				continue
			}
			n, isInt := e.Int()
			nano, isN := e.Nano()
			if n != tt.n || nano != tt.nano || isInt != tt.isInt || isN != tt.isN {
				t.Errorf("b[%d] is %d %v, %d %v", i, n, isInt, nano, isN)
			}
		}
	}
	for range v.Elements() {
		t.Error("an element of an object")
	}
	for range v.Member("b").Members() {
		t.Error("a member of an array")
	}
	for range v.Members() {
		break
	}
	for range v.Member("b").Elements() {
		break
	}
}

// A missing Value answers everything with nothing.
func TestMissing(t *testing.T) {
	v := parse(t, `{"a":[1]}`)
	for _, m := range []Value{{}, v.Member("b"), v.Member("a").Member("b"), v.Member("")} {
		_, isInt := m.Int()
		_, isNano := m.Nano()
		if m.Kind() != Invalid || m.Len() != 0 || m.Text() != "" || m.String() != "" || isInt || isNano || m.Member("a").Kind() != Invalid {
			t.Errorf("%v", m)
		}
	}
	if n, ok := parse(t, "1e299").Member("x").Int(); ok {
		t.Error(n)
	}
	if n, ok := parse(t, "1e30").Int(); ok {
		t.Error(n)
	}
	if n, ok := parse(t, "100000000000000000000").Int(); ok {
		t.Error(n)
	}
}

var diffTests = []struct {
	name, a, b, path, av, bv string
}{
	{"equal", `{"a":[1,{"b":null}]}`, `{"a":[1,{"b":null}]}`, "=", "", ""},
	{"equal in another spelling", ` {"b":1.0,"a":"\u0061"}`, `{"a":"a","b":1}`, "=", "", ""},
	{"equal and empty", `{"a":[],"b":{}}`, `{"b":{},"a":[]}`, "=", "", ""},
	{"the whole", `1`, `2`, "", "1", "2"},
	{"another kind", `{"a":{}}`, `{"a":[]}`, "a", "{}", "[]"},
	{"string and number", `["1"]`, `[1]`, "[0]", `"1"`, "1"},
	{"true and false", `[true]`, `[false]`, "[0]", "true", "false"},
	{"null is not missing", `{"a":null}`, `{}`, "a", "null", ""},
	{"a score", `{"hits":[{"id":"a","score":1}]}`, `{"hits":[{"id":"a","score":0.5}]}`, "hits[0].score", "1", "0.5"},
	{"a member too many", `{"a":1,"b":2}`, `{"b":2}`, "a", "1", ""},
	{"a member too few", `{"a":{"y":1}}`, `{"a":{"x":[2],"y":1}}`, "a.x", "", "[2]"},
	{"the last member missing", `{"a":1,"b":2}`, `{"a":1}`, "b", "2", ""},
	{"canonical order, not the document's", `{"b":1,"a":1}`, `{"b":2,"a":2}`, "a", "1", "1?2"},
	{"an element too many", `[[1],[2,3]]`, `[[1],[2]]`, "[1][1]", "3", ""},
	{"an element too few", `[]`, `[{"a":1}]`, "[0]", "", `{"a":1}`},
	{"elements come before the length", `[1,2,3]`, `[0,2]`, "[0]", "1", "0"},
	{"after equal siblings", `[{"a":[[]]},{"a":[[1]]}]`, `[{"a":[[]]},{"a":[[2]]}]`, "[1].a[0][0]", "1", "2"},
	{"a name that is not plain", `{"a b":{"\n":1}}`, `{"a b":{"\n":2}}`, `["a b"]["\n"]`, "1", "2"},
	{"an empty name", `{"":1}`, `{"":2}`, `[""]`, "1", "2"},
	{"order above U+FFFF", "{\"\ufb33\":1,\"😀\":1}", "{\"\ufb33\":2}", `["😀"]`, "1", ""},
}

func TestDiff(t *testing.T) {
	for _, tt := range diffTests {
		a, b := parse(t, tt.a), parse(t, tt.b)
		_, bv, _ := strings.Cut(tt.bv, "?")
		if bv == "" {
			bv = tt.bv
		}
		path, x, y, equal := Diff(a, b)
		if equal {
			path = "="
		}
		if path != tt.path || x.String() != tt.av || y.String() != bv {
			t.Errorf("%s: %s %s %s, want %s %s %s", tt.name, path, x, y, tt.path, tt.av, bv)
		}
		back, y2, x2, _ := Diff(b, a)
		if !equal && back != path || x2.String() != x.String() || y2.String() != y.String() {
			t.Errorf("%s: the other way round %s %s %s", tt.name, back, y2, x2)
		}
	}
}

// randomValue writes a value of bounded depth, member names in random order.
func randomValue(r *rand.Rand, depth int) string {
	switch k := r.IntN(8); {
	case k == 0 && depth > 0:
		var s []string
		for i := range r.IntN(12) {
			s = append(s, string(AppendString(nil, string(appendDigits(nil, uint64(i*7%12)))))+":"+randomValue(r, depth-1))
		}
		return "{" + strings.Join(s, ",") + "}"
	case k == 1 && depth > 0:
		var s []string
		for range r.IntN(5) {
			s = append(s, randomValue(r, depth-1))
		}
		return "[ " + strings.Join(s, " , ") + " ]"
	case k < 4:
		return string(AppendString(nil, randomString(r)))
	case k < 6:
		return string(AppendNano(nil, r.Int64N(MaxNano)))
	}
	return []string{"true", "false", "null"}[r.IntN(3)]
}

// Two values are equal exactly if their canonical bytes are.
func TestDiffAgrees(t *testing.T) {
	for seed := range uint64(3000) {
		a := randomValue(rand.New(rand.NewPCG(seed, 0)), 6)
		r := rand.New(rand.NewPCG(seed, seed%2))
		b := randomValue(r, 6)
		va, vb := parse(t, "["+a+"]"), parse(t, "["+b+"]")
		if _, _, _, equal := Diff(va, vb); equal != (va.String() == vb.String()) {
			t.Fatalf("seed %d: %s and %s: equal is %v", seed, va, vb, equal)
		}
	}
}
