package filter

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// The definition of the package comment, word for word and slowly: it works on
// what encoding/json decodes, compares numbers with math/big, and knows neither
// encodings nor columns.

// An objectValue is what an object is as a value.
type objectValue struct{}

// valuesAt returns the values that metadata has at a field.
func valuesAt(metadata map[string]any, field string) []any {
	var found []any
	var walk func(path []string, v any)
	walk = func(path []string, v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(path, e)
			}
			return
		case map[string]any:
			for name, m := range v {
				walk(append(slices.Clip(path), norm.NFC.String(name)), m)
			}
			if len(path) == 0 {
				return
			}
			if strings.Join(path, ".") == field {
				found = append(found, objectValue{})
			}
			return
		}
		if len(path) > 0 && strings.Join(path, ".") == field {
			found = append(found, v)
		}
	}
	walk(nil, metadata)
	return found
}

// compareValues returns the order of two values of one type, and whether they are.
func compareValues(a, b any) (order int, same bool) {
	switch a := a.(type) {
	case stdjson.Number:
		if b, ok := b.(stdjson.Number); ok {
			x, _ := new(big.Rat).SetString(string(a))
			y, _ := new(big.Rat).SetString(string(b))
			return x.Cmp(y), true
		}
	case string:
		if b, ok := b.(string); ok {
			return strings.Compare(norm.NFC.String(a), norm.NFC.String(b)), true
		}
	case bool:
		if b, ok := b.(bool); ok && a == b {
			return 0, true
		}
	case nil:
		return 0, b == nil
	}
	return 0, false
}

func equal(a, b any) bool {
	order, same := compareValues(a, b)
	return same && order == 0
}

// holdsByDefinition evaluates a filter that encoding/json decoded.
func holdsByDefinition(filter, chunk, document map[string]any) bool {
	for field, asked := range filter {
		field = norm.NFC.String(field)
		values := valuesAt(chunk, field)
		if len(values) == 0 {
			values = valuesAt(document, field)
		}
		operators, ok := asked.(map[string]any)
		if !ok {
			operators = map[string]any{"eq": asked}
		}
		if !fieldHolds(operators, values) {
			return false
		}
	}
	return true
}

func fieldHolds(operators map[string]any, values []any) bool {
	some := map[string]any{}
	for name, v := range operators {
		switch {
		case name == "neq" && slices.ContainsFunc(values, func(x any) bool { return equal(x, v) }):
			return false
		case name == "neq" && v == nil && len(values) == 0:
			return false
		case name == "neq":
		case name == "exists" && v == false:
			if slices.ContainsFunc(values, func(x any) bool { return x != nil }) {
				return false
			}
		default:
			some[name] = v
		}
	}
	return len(some) == 0 || slices.ContainsFunc(values, func(x any) bool { return allOf(some, x) })
}

// allOf reports whether one value is all that is asked of some value.
func allOf(some map[string]any, x any) bool {
	for name, v := range some {
		order, same := compareValues(x, v)
		ok := false
		switch name {
		case "eq":
			ok = equal(x, v)
		case "in":
			ok = slices.ContainsFunc(v.([]any), func(v any) bool { return equal(x, v) })
		case "exists":
			ok = x != nil
		case "gt":
			ok = same && order > 0
		case "gte":
			ok = same && order >= 0
		case "lt":
			ok = same && order < 0
		case "lte":
			ok = same && order <= 0
		}
		if !ok {
			return false
		}
	}
	return true
}

func decode(t testing.TB, in string) map[string]any {
	t.Helper()
	d := stdjson.NewDecoder(strings.NewReader(in))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", in, err)
	}
	return v
}

// The definition says what the table of rules says.
func TestDefinitionFollowsRules(t *testing.T) {
	for _, tt := range ruleTests {
		for i, f := range append(tt.holds, tt.fails...) {
			want := i < len(tt.holds)
			if got := holdsByDefinition(decode(t, f), nil, decode(t, tt.metadata)); got != want {
				t.Errorf("%s: %s of %s is %v by definition", tt.name, f, tt.metadata, got)
			}
		}
	}
	for _, tt := range overlayTests {
		if tt.chunk == "" {
			continue
		}
		if got := holdsByDefinition(decode(t, tt.filter), decode(t, tt.chunk), decode(t, tt.document)); got != tt.want {
			t.Errorf("%s: %s over %s: %s is %v by definition", tt.name, tt.chunk, tt.document, tt.filter, got)
		}
	}
}

// Few fields and values, so that they meet; every value in several spellings.
var (
	someNames  = []string{"a", "b", "c", "a.b", "é", "e\u0301", "a-1", "b.c", "x y", "", "a."}
	someFields = []string{"a", "b", "c", "a.b", "a.c", "b.c", "a.b.c", "é", "e\u0301", "a.é", "a-1", "zz"}
	someValues = []string{
		`null`, `true`, `false`,
		`0`, `-0`, `0e1`, `1`, `1.0`, `1e0`, `10e-1`, `-1`, `-1.00`, `2`, `0.5`, `5E-1`, `1e30`, `1000000000000000000000000000000`,
		`1000000000000000000000000000001`, `0.30000000000000004`, `0.3`,
		`""`, `"1"`, `"a"`, `"\u0061"`, `"a\u0000"`, `"é"`, `"e\u0301"`, `"ea"`, `"f"`, `"2026-05-01"`, `"2026-05-01T10:00:00Z"`, `"null"`, `"\ud83d\ude00"`, `"\uffff"`,
	}
)

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// members returns a JSON object with up to n different names of a list.
func members(r *rand.Rand, names []string, n int, value func(r *rand.Rand) string) string {
	var list []string
	for _, i := range r.Perm(len(names))[:r.IntN(min(n, len(names))+1)] {
		name, _ := stdjson.Marshal(names[i])
		list = append(list, string(name)+":"+value(r))
	}
	return "{" + strings.Join(list, ",") + "}"
}

func elements(r *rand.Rand, n int, value func(r *rand.Rand) string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = value(r)
	}
	return "[" + strings.Join(list, ",") + "]"
}

func randomValue(r *rand.Rand) string {
	switch r.IntN(10) {
	case 0, 1:
		return elements(r, r.IntN(4), randomValue)
	case 2, 3:
		return members(r, someNames, 3, randomValue)
	}
	return pick(r, someValues)
}

func randomMetadata(r *rand.Rand) string { return members(r, someNames, 5, randomValue) }

func randomScalar(r *rand.Rand) string { return pick(r, someValues) }

func randomFilter(r *rand.Rand) string {
	var fields []string
	if r.IntN(2) == 0 {
		fields = slices.DeleteFunc(slices.Clone(someFields), func(f string) bool { return f == "e\u0301" })
	} else {
		fields = slices.DeleteFunc(slices.Clone(someFields), func(f string) bool { return f == "é" })
	}
	return members(r, fields, 2, func(r *rand.Rand) string {
		if r.IntN(4) == 0 {
			return randomScalar(r)
		}
		names := []string{"eq", "neq", "in", "exists", "gt", "gte", "lt", "lte"}
		var list []string
		for _, i := range r.Perm(len(names))[:1+r.IntN(3)] {
			list = append(list, `"`+names[i]+`":`+randomOperand(r, names[i]))
		}
		return "{" + strings.Join(list, ",") + "}"
	})
}

func randomOperand(r *rand.Rand, name string) string {
	switch name {
	case "in":
		return elements(r, 1+r.IntN(5), randomScalar)
	case "exists":
		return []string{"true", "false"}[r.IntN(2)]
	case "eq", "neq":
		return randomScalar(r)
	}
	return pick(r, someValues[3:]) // a number or a string
}

// Columns are what a segment makes of metadata: for each field the sorted
// distinct values, and for each row the places of its own.
type columns struct {
	values map[string][][]byte
	places map[string][][]uint32
	rows   int
}

func newColumns(rows [][]Pair) *columns {
	c := &columns{map[string][][]byte{}, map[string][][]uint32{}, len(rows)}
	for _, pairs := range rows {
		for _, p := range pairs {
			c.values[p.Field] = append(c.values[p.Field], p.Value)
		}
	}
	for field, list := range c.values {
		slices.SortFunc(list, bytes.Compare)
		c.values[field] = slices.CompactFunc(list, bytes.Equal)
		c.places[field] = make([][]uint32, len(rows))
	}
	for i, pairs := range rows {
		for _, p := range pairs {
			at, _ := slices.BinarySearchFunc(c.values[p.Field], p.Value, bytes.Compare)
			c.places[p.Field][i] = append(c.places[p.Field][i], uint32(at))
		}
	}
	return c
}

// row returns the places that a row has in a field.
func (c *columns) row(field string, i int) []uint32 {
	if list := c.places[field]; list != nil {
		return list[i]
	}
	return nil
}

// For 300 corpora of 30 documents, half of them with chunks that have metadata of
// their own, and 30 filters each: columns, Holds and the definition agree.
func TestColumnsEqualDefinition(t *testing.T) {
	held, asked := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		const n = 30
		texts := make([]string, 2*n) // chunk i lies in document n+i
		rows, decoded := make([][]Pair, 2*n), make([]map[string]any, 2*n)
		for i := range texts {
			texts[i] = randomMetadata(r)
			if i < n && r.IntN(2) == 0 {
				texts[i] = "{}"
			}
			rows[i], decoded[i] = flatten(t, texts[i]), decode(t, texts[i])
		}
		c := newColumns(rows)
		for range 30 {
			text := randomFilter(r)
			f, definition := parse(t, text), decode(t, text)
			again := parse(t, string(f.Append(nil)))
			got := make([]bool, n)
			for i := range got {
				got[i] = true
			}
			for _, condition := range f.Conditions() {
				values := c.values[condition.Field]
				s := condition.Select(len(values), func(i int) []byte { return values[i] })
				checkSelection(t, &condition, s, values)
				for i := range got {
					got[i] = got[i] && s.HoldsOver(c.row(condition.Field, i), c.row(condition.Field, n+i))
				}
			}
			for i := range got {
				want := holdsByDefinition(definition, decoded[i], decoded[n+i])
				if pairs := f.Holds(rows[i], rows[n+i]); got[i] != want || pairs != want || again.Holds(rows[i], rows[n+i]) != want {
					t.Fatalf("seed %d: %s of %s over %s is %v in columns, %v in pairs, %v by definition", seed, text, texts[i], texts[n+i], got[i], pairs, want)
				}
				if asked++; want {
					held++
				}
			}
		}
	}
	if held < asked/10 || held > asked*9/10 {
		t.Errorf("%d of %d hold: the filters tell too little", held, asked)
	}
}

// checkSelection compares Select with Match, value by value.
func checkSelection(t *testing.T, c *Condition, s Selection, values [][]byte) {
	t.Helper()
	if s.Not != c.Absent() || s.Holds(nil) != c.Absent() {
		t.Fatalf("Not is %v, Absent %v, Holds(nil) %v", s.Not, c.Absent(), s.Holds(nil))
	}
	for i, v := range values {
		if got, want := s.Holds([]uint32{uint32(i)}), c.Match(v) != c.Absent(); got != want {
			t.Fatalf("value %d, %x: selected %v, want %v", i, v, got, want)
		}
	}
	for i, r := range s.Ranges {
		if r.Start >= r.End || int(r.End) > len(values) || i > 0 && r.Start <= s.Ranges[i-1].End {
			t.Fatalf("ranges %v of %d values", s.Ranges, len(values))
		}
	}
}

var selectTests = []struct {
	name, filter string
	want         string
	looks        int // at values, at most
}{
	{"one value", `{"a":50000}`, "[{50000 50001}]", 40},
	{"the first", `{"a":0}`, "[{0 1}]", 10},
	{"the last", `{"a":99999}`, "[{99999 100000}]", 40},
	{"none", `{"a":-1}`, "[]", 10},
	{"beyond all", `{"a":"x"}`, "[]", 40},
	{"between two", `{"a":{"gte":10.5,"lt":11}}`, "[]", 20},
	{"a range", `{"a":{"gte":100,"lt":90000}}`, "[{100 90000}]", 70},
	{"neighbours are one range", `{"a":{"in":[7,8,10]}}`, "[{7 9} {10 11}]", 30},
	{"half a type", `{"a":{"lte":99.5}}`, "[{0 100}]", 20},
	{"what neq rules out", `{"a":{"neq":3}}`, "[{3 4}]", 10},
}

func TestSelect(t *testing.T) {
	values := make([][]byte, 100_000)
	for i := range values {
		values[i] = encode(fmt.Sprint(i))
	}
	for _, tt := range selectTests {
		looks := 0
		s := parse(t, tt.filter).Conditions()[0].Select(len(values), func(i int) []byte {
			looks++
			return values[i]
		})
		if got := fmt.Sprint(s.Ranges); got != tt.want || looks > tt.looks {
			t.Errorf("%s: %s selects %s after %d looks, want %s after at most %d", tt.name, tt.filter, got, looks, tt.want, tt.looks)
		}
	}
}
