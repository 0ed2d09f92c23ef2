package filter

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func parse(t testing.TB, in string) *Filter {
	t.Helper()
	f, err := Parse([]byte(in))
	if err != nil {
		t.Fatalf("%s: %v", in, err)
	}
	return f
}

func flatten(t testing.TB, metadata string) []Pair {
	t.Helper()
	if metadata == "" {
		return nil
	}
	pairs, err := Flatten(nil, []byte(metadata))
	if err != nil {
		t.Fatalf("%.200s: %v", metadata, err)
	}
	return pairs
}

// One row for each rule of the package comment; the filters that must hold and
// those that must not, of one document.
var ruleTests = []struct {
	name         string
	metadata     string
	holds, fails []string
}{
	{
		"no condition holds of everything", `{}`,
		[]string{`{}`}, nil,
	},
	{
		"a scalar asks for equality", `{"a":"x"}`,
		[]string{`{"a":"x"}`, `{"a":{"eq":"x"}}`}, []string{`{"a":"y"}`, `{"a":"X"}`, `{"b":"x"}`},
	},
	{
		"all fields must hold", `{"a":1,"b":2}`,
		[]string{`{"a":1,"b":2}`}, []string{`{"a":1,"b":1}`, `{"a":2,"b":2}`},
	},
	{
		"all operators must hold", `{"a":4}`,
		[]string{`{"a":{"gte":3,"lte":5}}`, `{"a":{"gt":3,"lt":5,"neq":5}}`}, []string{`{"a":{"gte":3,"lte":5,"neq":4}}`, `{"a":{"gt":4,"lte":5}}`},
	},
	{
		"in holds for one of its values", `{"a":"x"}`,
		[]string{`{"a":{"in":["y","x"]}}`}, []string{`{"a":{"in":["y"]}}`, `{"b":{"in":["x"]}}`},
	},
	{
		"eq null finds an explicit null only", `{"a":null}`,
		[]string{`{"a":null}`, `{"a":{"eq":null}}`}, []string{`{"b":null}`, `{"b":{"eq":null}}`},
	},
	{
		"in [null] finds an explicit null only", `{"a":null}`,
		[]string{`{"a":{"in":[null]}}`, `{"a":{"in":[1,null]}}`}, []string{`{"b":{"in":[null]}}`, `{"a":{"in":[1]}}`},
	},
	{
		"exists false finds what is missing or null", `{"a":null,"c":0}`,
		[]string{`{"a":{"exists":false}}`, `{"b":{"exists":false}}`}, []string{`{"c":{"exists":false}}`},
	},
	{
		"exists true finds what is there and not null", `{"a":null,"c":0,"d":false,"e":""}`,
		[]string{`{"c":{"exists":true}}`, `{"d":{"exists":true}}`, `{"e":{"exists":true}}`}, []string{`{"a":{"exists":true}}`, `{"b":{"exists":true}}`},
	},
	{
		"neq null finds real values only", `{"a":null,"c":0}`,
		[]string{`{"c":{"neq":null}}`}, []string{`{"a":{"neq":null}}`, `{"b":{"neq":null}}`},
	},
	{
		"neq holds where the field is absent", `{"a":1}`,
		[]string{`{"b":{"neq":1}}`, `{"a":{"neq":2}}`}, []string{`{"a":{"neq":1}}`},
	},
	{
		"null is not another value", `{"a":null}`,
		[]string{`{"a":{"neq":1}}`}, []string{`{"a":{"gte":0}}`, `{"a":{"lte":0}}`, `{"a":{"lte":""}}`},
	},
	{
		"numbers are equal in every spelling", `{"a":1.0,"b":100,"c":-0,"d":0.5}`,
		[]string{`{"a":1}`, `{"a":1e0}`, `{"a":10E-1}`, `{"b":1e2}`, `{"b":{"in":[1E+2]}}`, `{"c":0}`, `{"c":0.000e7}`, `{"d":5e-1}`},
		[]string{`{"a":1.01}`, `{"a":-1}`, `{"c":1}`, `{"a":{"neq":1.00}}`},
	},
	{
		"numbers differ in their last digit", `{"a":123456789012345678901234567890.25,"b":9007199254740993}`,
		[]string{`{"a":12345678901234567890123456789025e-2}`, `{"b":{"gt":9007199254740992}}`, `{"a":{"lt":123456789012345678901234567890.250000000000000000001}}`},
		[]string{`{"a":123456789012345678901234567890.26}`, `{"b":9007199254740992}`, `{"b":{"lte":9007199254740992}}`},
	},
	{
		"numbers order by magnitude and sign", `{"a":-2.5,"b":10}`,
		[]string{`{"a":{"lt":-2.4}}`, `{"a":{"gt":-2.51}}`, `{"a":{"gt":-10}}`, `{"a":{"lt":0}}`, `{"b":{"gt":9}}`, `{"b":{"gt":9.999}}`, `{"b":{"lt":1e1000}}`, `{"b":{"gt":-1e1000}}`},
		[]string{`{"a":{"gt":0}}`, `{"a":{"lt":-3}}`, `{"b":{"gt":10}}`, `{"b":{"lt":10}}`},
	},
	{
		"no type equals another", `{"a":1,"b":"1","c":true,"d":"true","e":"null","f":0,"g":""}`,
		[]string{`{"a":1,"b":"1","c":true,"d":"true","e":"null","f":0,"g":""}`, `{"b":{"neq":1}}`},
		[]string{`{"a":"1"}`, `{"b":1}`, `{"c":"true"}`, `{"d":true}`, `{"c":1}`, `{"f":false}`, `{"g":null}`, `{"e":null}`, `{"f":""}`},
	},
	{
		"no order leads from type to type", `{"a":5,"b":"5","c":true,"d":null,"e":{}}`,
		[]string{`{"a":{"gte":0}}`, `{"b":{"gte":"0"}}`},
		[]string{
			`{"a":{"gte":""}}`, `{"a":{"lte":"9"}}`, `{"b":{"gte":0}}`, `{"b":{"lte":9}}`, `{"c":{"gte":0}}`, `{"c":{"lte":"z"}}`,
			`{"d":{"lte":0}}`, `{"e":{"gte":""}}`, `{"e":{"gte":0}}`, `{"a":{"gte":0,"lte":"9"}}`,
		},
	},
	{
		"strings order by bytes", `{"a":"b","z":"\uffff"}`,
		[]string{`{"a":{"gt":"a"}}`, `{"a":{"gt":"B"}}`, `{"a":{"lt":"ba"}}`, `{"a":{"gte":"b","lte":"b"}}`, `{"z":{"lt":"\ud800\udc00"}}`, `{"a":{"gt":"a\u0000"}}`, `{"a":{"lt":"b\u0000"}}`},
		[]string{`{"a":{"gt":"b"}}`, `{"a":{"lt":"b"}}`, `{"a":{"lt":"C"}}`, `{"a":"b\u0000"}`},
	},
	{
		"dates are strings in the order of time", `{"day":"2026-05-01","time":"2026-05-01T10:00:00Z"}`,
		[]string{`{"day":{"gte":"2026-05-01","lt":"2026-06"}}`, `{"time":{"gt":"2026-05-01"}}`, `{"time":{"gte":"2026-05","lt":"2026-06"}}`},
		[]string{`{"day":{"gt":"2026-05-01"}}`, `{"time":{"lte":"2026-05-01"}}`},
	},
	{
		"strings compare after NFC", `{"a":"caf\u00e9","b":"cafe\u0301","c":"\u212b"}`,
		[]string{`{"a":"cafe\u0301","b":"caf\u00e9"}`, `{"b":{"in":["cafe\u0301"]}}`, `{"c":"A\u030a"}`, `{"b":{"gt":"cafz"}}`},
		[]string{`{"a":"cafe"}`},
	},
	{
		"fields compare after NFC", `{"caf\u00e9":1,"the\u0301":{"\u212b":2}}`,
		[]string{`{"cafe\u0301":1}`, `{"th\u00e9.\u00c5":2}`}, nil,
	},
	{
		"names that are equal after NFC are one field", `{"\u00e9":1,"e\u0301":2}`,
		[]string{`{"\u00e9":1}`, `{"\u00e9":2}`}, []string{`{"\u00e9":{"neq":2}}`},
	},
	{
		"a field goes into objects", `{"a":{"b":{"c":1}}}`,
		[]string{`{"a.b.c":1}`}, []string{`{"a.b":1}`, `{"c":1}`, `{"a.c":1}`},
	},
	{
		"a name with dots is a path", `{"a.b":1,"a":{"b":2,"c.d":3},"og.title":"x"}`,
		[]string{`{"a.b":1}`, `{"a.b":2}`, `{"a.c.d":3}`, `{"og.title":"x"}`}, []string{`{"a.b":{"neq":1}}`},
	},
	{
		"names may hold _, - and letters of any script", `{"last-modified":1,"_x":2,"作者":"林","größe":3,"हिन्दी":4}`,
		[]string{`{"last-modified":1}`, `{"_x":2}`, `{"作者":"林"}`, `{"größe":3}`, `{"हिन्दी":4}`}, nil,
	},
	{
		"an array stands for its elements", `{"a":["x","y",1]}`,
		[]string{`{"a":"x"}`, `{"a":1}`, `{"a":{"in":["y","z"]}}`, `{"a":{"gte":1}}`, `{"a":{"exists":true}}`, `{"a":{"neq":"z"}}`, `{"a":{"neq":null}}`},
		[]string{`{"a":"z"}`, `{"a":{"neq":"x"}}`, `{"a":{"exists":false}}`, `{"a":{"gt":1}}`},
	},
	{
		"arrays inside arrays and objects inside arrays, too", `{"a":[[1,[2]],{"b":3},{"b":[4]}]}`,
		[]string{`{"a":1}`, `{"a":2}`, `{"a.b":3}`, `{"a.b":4}`}, []string{`{"a":3}`},
	},
	{
		"operators of one field ask for one value", `{"a":[1,9]}`,
		[]string{`{"a":{"gte":1,"lte":5}}`, `{"a":{"in":[1,2],"lt":2}}`}, []string{`{"a":{"gte":3,"lte":5}}`, `{"a":{"eq":9,"lt":5}}`},
	},
	{
		"null in an array", `{"a":[null,1],"b":[null]}`,
		[]string{`{"a":null}`, `{"a":{"exists":true}}`, `{"b":{"exists":false}}`, `{"b":null}`},
		[]string{`{"a":{"neq":null}}`, `{"a":{"exists":false}}`, `{"b":{"neq":null}}`, `{"a":{"exists":true,"eq":null}}`},
	},
	{
		"an empty array has no value", `{"a":[],"b":[[]]}`,
		[]string{`{"a":{"exists":false}}`, `{"a":{"neq":1}}`, `{"b":{"exists":false}}`}, []string{`{"a":{"exists":true}}`, `{"a":null}`, `{"a":{"neq":null}}`},
	},
	{
		"an object is a value that equals no other kind", `{"a":{},"b":{"c":null}}`,
		[]string{`{"a":{"exists":true}}`, `{"b":{"exists":true}}`, `{"a":{"neq":1}}`, `{"a":{"neq":null}}`, `{"b.c":null}`},
		[]string{`{"a":null}`, `{"a":{"exists":false}}`, `{"a":""}`, `{"b":{"neq":null,"gte":0}}`},
	},
	{
		"what no field can name is passed over", `{"a b":1,"":2,".c":3,"d.":4,"e..f":5,"g":{"":6,"h i":7},"$j":{"k":8}}`,
		[]string{`{"a":{"exists":false}}`, `{"c":{"exists":false}}`, `{"g":{"exists":true}}`, `{"k":{"exists":false}}`}, nil,
	},
	{
		"operators that nothing satisfies hold of nothing", `{"a":[1,2,3,"x",null]}`,
		nil, []string{`{"a":{"gt":2,"lt":2}}`, `{"a":{"gte":3,"lte":1}}`, `{"a":{"eq":1,"in":[2]}}`, `{"a":{"exists":true,"neq":1}}`, `{"a":{"exists":true,"eq":null}}`},
	},
}

func TestRules(t *testing.T) {
	for _, tt := range ruleTests {
		pairs := flatten(t, tt.metadata)
		for i, f := range append(tt.holds, tt.fails...) {
			want := i < len(tt.holds)
			if got := parse(t, f).Holds(nil, pairs); got != want {
				t.Errorf("%s: %s of %s is %v", tt.name, f, tt.metadata, got)
			}
		}
	}
}

var overlayTests = []struct {
	name            string
	chunk, document string
	filter          string
	want            bool
}{
	{"the chunk's value counts", `{"a":1}`, `{"a":2}`, `{"a":1}`, true},
	{"the document's is hidden", `{"a":1}`, `{"a":2}`, `{"a":2}`, false},
	{"neq asks the chunk", `{"a":1}`, `{"a":2}`, `{"a":{"neq":2}}`, true},
	{"else the document", `{"b":1}`, `{"a":2}`, `{"a":2}`, true},
	{"neq then, too", `{}`, `{"a":2}`, `{"a":{"neq":2}}`, false},
	{"field by field", `{"a":1}`, `{"b":2}`, `{"a":1,"b":2}`, true},
	{"a chunk's null hides a value", `{"a":null}`, `{"a":2}`, `{"a":{"exists":false}}`, true},
	{"an empty array hides nothing", `{"a":[]}`, `{"a":2}`, `{"a":2}`, true},
	{"paths, not objects, are laid over each other", `{"o":{"x":1}}`, `{"o":{"y":2}}`, `{"o.x":1,"o.y":2}`, true},
	{"absent in both", `{}`, `{}`, `{"a":{"neq":2}}`, true},
	{"no metadata at all", ``, ``, `{"a":{"exists":false}}`, true},
}

func TestOverlay(t *testing.T) {
	for _, tt := range overlayTests {
		if got := parse(t, tt.filter).Holds(flatten(t, tt.chunk), flatten(t, tt.document)); got != tt.want {
			t.Errorf("%s: %s over %s: %s is %v", tt.name, tt.chunk, tt.document, tt.filter, got)
		}
	}
}

var canonicalTests = []struct {
	name, in, want string
}{
	{"nothing", ` { } `, `{}`},
	{"a scalar is eq", `{"a":1}`, `{"a":{"eq":1}}`},
	{"fields in order", `{"b":1,"a.b":2,"a":3,"B":4}`, `{"B":{"eq":4},"a":{"eq":3},"a.b":{"eq":2},"b":{"eq":1}}`},
	{"operators in order", `{"a":{"neq":1,"lte":2,"lt":3,"in":[4],"gte":5,"gt":6,"exists":true,"eq":7}}`, `{"a":{"eq":7,"exists":true,"gt":6,"gte":5,"in":[4],"lt":3,"lte":2,"neq":1}}`},
	{"in is sorted and distinct", `{"a":{"in":["b",2,"a",1,true,null,1.0,"a",false,-1]}}`, `{"a":{"in":[null,false,true,-1,1,2,"a","b"]}}`},
	{"NFC", `{"e\u0301":"o\u0308"}`, `{"é":{"eq":"ö"}}`},
	{"escapes", `{"\u0061":"\u000a\/"}`, `{"a":{"eq":"\n/"}}`},
	{"integers", `{"a":{"in":[-0,10,1.50e1,1e21,1E20]}}`, `{"a":{"in":[0,10,15,100000000000000000000,1e+21]}}`},
	{"fractions", `{"a":{"in":[0.10,1e-6,1e-7,-12.50]}}`, `{"a":{"in":[-12.5,1e-7,0.000001,0.1]}}`},
	{"every digit", `{"a":{"in":[0.30000000000000004,123456789012345678901234567890,12345678901234567890.123456789e500,-1e-1000]}}`, `{"a":{"in":[-1e-1000,0.30000000000000004,1.2345678901234567890123456789e+29,1.2345678901234567890123456789e+519]}}`},
	{"zeros inside", `{"a":{"in":[1001,10010,100.001,5000000000000001e9]}}`, `{"a":{"in":[100.001,1001,10010,5.000000000000001e+24]}}`},
}

func TestCanonical(t *testing.T) {
	for _, tt := range canonicalTests {
		got := string(parse(t, tt.in).Append([]byte("x")))
		if got != "x"+tt.want {
			t.Errorf("%s: %s is written as %s, want x%s", tt.name, tt.in, got, tt.want)
		}
		if again := string(parse(t, tt.want).Append(nil)); again != tt.want {
			t.Errorf("%s: %s is written as %s", tt.name, tt.want, again)
		}
	}
}

// object returns a JSON object with n members.
func object(n int, member func(i int) string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = member(i)
	}
	return "{" + strings.Join(list, ",") + "}"
}

func numbersTo(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("," + strconv.Itoa(i))
	}
	return "[" + b.String()[1:] + "]"
}

func field(i int) string { return `"f` + strconv.Itoa(i) + `":1` }

const badField = "the field is not made of letters, digits, _ and -, in at most 16 parts joined by dots and 256 bytes"

var invalidTests = []struct {
	name, in, want string
}{
	{"no JSON", `{"a":`, "JSON_INVALID: filters.a: expected a value, found the end of the document"},
	{"nothing", ``, "JSON_INVALID: filters: the document is empty"},
	{"a field twice", `{"a":1,"a":2}`, `JSON_INVALID: filters: duplicate member "a"`},
	{"a field twice in two forms", `{"\u00e9":1,"e\u0301":2}`, "FILTER_INVALID: filters[\"e\u0301\"]: the field is there twice, in two forms of Unicode"},
	{"no object", `[]`, "FILTER_INVALID: filters: expected an object, found an array"},
	{"null", `null`, "FILTER_INVALID: filters: expected an object, found null"},
	{"a field with a space", `{"a b":1}`, `FILTER_INVALID: filters["a b"]: ` + badField},
	{"an empty field", `{"":1}`, `FILTER_INVALID: filters[""]: ` + badField},
	{"an empty part", `{"a..b":1}`, `FILTER_INVALID: filters["a..b"]: ` + badField},
	{"a dot at the start", `{".a":1}`, `FILTER_INVALID: filters[".a"]: ` + badField},
	{"a dot at the end", `{"a.":1}`, `FILTER_INVALID: filters["a."]: ` + badField},
	{"a sign", `{"$a":1}`, `FILTER_INVALID: filters["$a"]: ` + badField},
	{"17 parts", `{"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a":1}`, badField},
	{"257 bytes", `{"` + strings.Repeat("a", 257) + `":1}`, badField},
	{"a long field", `{"` + strings.Repeat("a", 1<<16) + `":1}`, badField},
	{"an array", `{"a":["x"]}`, `FILTER_INVALID: filters.a: expected a value or an object of operators, found an array: is {"in":[…]} meant?`},
	{"an object without operators", `{"a":{}}`, "FILTER_INVALID: filters.a: the object has no operator"},
	{"an unknown operator", `{"a":{"gtee":1}}`, `FILTER_INVALID: filters.a: unknown member "gtee", did you mean "gte"?`},
	{"a nested object", `{"a":{"b":{"eq":1}}}`, `FILTER_INVALID: filters.a: unknown member "b"`},
	{"an operator twice", `{"a":{"eq":1,"eq":1}}`, `JSON_INVALID: filters.a: duplicate member "eq"`},
	{"eq array", `{"a":{"eq":[1]}}`, "FILTER_INVALID: filters.a.eq: expected null, true, false, a number or a string, found an array"},
	{"neq object", `{"a":{"neq":{}}}`, "FILTER_INVALID: filters.a.neq: expected null, true, false, a number or a string, found an object"},
	{"in scalar", `{"a":{"in":1}}`, "FILTER_INVALID: filters.a.in: expected an array, found a number"},
	{"in nothing", `{"a":{"in":[]}}`, "FILTER_INVALID: filters.a.in: in has no values"},
	{"in array", `{"a":{"in":[1,[2]]}}`, "FILTER_INVALID: filters.a.in[1]: expected null, true, false, a number or a string, found an array"},
	{"in 1001 values", `{"a":{"in":` + numbersTo(1001) + `}}`, "FILTER_INVALID: filters.a.in[1000]: in has at most 1000 values"},
	{"exists null", `{"a":{"exists":null}}`, "FILTER_INVALID: filters.a.exists: expected true or false, found null"},
	{"exists text", `{"a":{"exists":"true"}}`, "FILTER_INVALID: filters.a.exists: expected true or false, found a string"},
	{"gte null", `{"a":{"gte":null}}`, "FILTER_INVALID: filters.a.gte: expected a number or a string, found null"},
	{"lt true", `{"a":{"lt":true}}`, "FILTER_INVALID: filters.a.lt: expected a number or a string, found true"},
	{"not a number", `{"a":NaN}`, "JSON_INVALID: filters.a: expected a value, found \"N\""},
	{"1001 digits", `{"a":` + strings.Repeat("7", 1001) + `}`, "FILTER_INVALID: filters.a: the number has more than 1000 significant digits"},
	{"a large exponent", `{"a":{"in":[1,1e1001]}}`, "FILTER_INVALID: filters.a.in[1]: the number's exponent is not between -1000 and 1000"},
	{"an immense exponent", `{"a":1e99999999999999999999999}`, "FILTER_INVALID: filters.a: the number's exponent is not between -1000 and 1000"},
	{"a small exponent", `{"a":{"gte":0.1e-1000}}`, "FILTER_INVALID: filters.a.gte: the number's exponent is not between -1000 and 1000"},
	{"65 conditions", object(65, field), "FILTER_INVALID: filters.f64: a filter has at most 64 conditions"},
	{"65 operators", object(33, func(i int) string { return `"f` + strconv.Itoa(i) + `":{"gt":1,"lt":2}` }), "FILTER_INVALID: filters.f32.gt: a filter has at most 64 conditions"},
}

func TestInvalid(t *testing.T) {
	for _, tt := range invalidTests {
		_, err := Parse([]byte(tt.in))
		var e *abi.Error
		if !errors.As(err, &e) || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%s: %.100s: %v, want %s", tt.name, tt.in, err, tt.want)
		}
	}
}

// What is just inside the bounds is taken.
func TestBounds(t *testing.T) {
	digits := strings.Repeat("7", MaxDigits)
	for _, in := range []string{
		object(MaxConditions, field),
		`{"a":{"in":` + numbersTo(MaxIn) + `}}`,
		`{"` + strings.Repeat("a", MaxField) + `":1}`,
		`{"` + strings.Repeat("a.", MaxParts-1) + `a":1}`,
		`{"a":` + digits + `}`,
		`{"a":0.` + strings.Repeat("0", 1000) + digits + `00e1}`,
		`{"a":-` + digits + strings.Repeat("0", 5000) + `e-4999}`,
		`{"a":1e1000,"b":1e-1000,"c":0e99999999999999999999}`,
	} {
		f := parse(t, in)
		if out := f.Append(nil); !reflect.DeepEqual(parse(t, string(out)), f) {
			t.Errorf("%.100s is written as %.100s, which is another filter", in, out)
		}
	}
}
