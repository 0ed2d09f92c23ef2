package json

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// read gives each Reader method a document and returns what it makes of it.
func read[T any](in string, f func(*Reader) T) (T, error) {
	r := NewReader([]byte(in))
	v := f(r)
	return v, r.End()
}

func sentence(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

var intTests = []struct {
	name, in string
	want     int64
	err      string
}{
	{"digits", "7", 7, ""},
	{"minus", "-7", -7, ""},
	{"minus zero is zero", "-0", 0, ""},
	{"the greatest", "9007199254740991", MaxInt, ""},
	{"the least", "-9007199254740991", -MaxInt, ""},
	{"one more is refused", "9007199254740992", 0, "integer 9007199254740992 is beyond 9007199254740991 at byte 0"},
	{"one less is refused", "-9007199254740992", 0, "integer -9007199254740992 is beyond 9007199254740991 at byte 0"},
	{"twenty digits are refused", "18446744073709551617", 0, "integer 18446744073709551617 is beyond 9007199254740991 at byte 0"},
	{"long ones are cut in the sentence", strings.Repeat("1", 50), 0, "integer " + strings.Repeat("1", 40) + "… is beyond 9007199254740991 at byte 0"},
	{"a fraction is refused", "1.0", 0, "expected an integer, found 1.0 at byte 0"},
	{"an exponent is refused", " 1e3", 0, "expected an integer, found 1e3 at byte 1"},
	{"a string is refused", `"1"`, 0, "expected an integer, found a string at byte 0"},
	{"the grammar comes first", "01", 0, "number with leading zeros at byte 0"},
}

func TestInt(t *testing.T) {
	for _, tt := range intTests {
		got, err := read(tt.in, (*Reader).Int)
		if got != tt.want || sentence(err) != tt.err {
			t.Errorf("%s: Int(%s) = %d, %v, want %d, %s", tt.name, tt.in, got, err, tt.want, tt.err)
		}
	}
}

var nanoTests = []struct {
	name, in string
	want     int64
	err      string
}{
	{"an integer", "1", 1e9, ""},
	{"a fraction", "0.353553391", 353_553_391, ""},
	{"minus", "-0.5", -5e8, ""},
	{"minus zero is zero", "-0.0", 0, ""},
	{"the canonical exponent", "1.23e-7", 123, ""},
	{"one unit", "1e-9", 1, ""},
	{"one unit in full", "0.000000001", 1, ""},
	{"any exponent that is exact", "12.5E+1", 125e9, ""},
	{"trailing zeros say nothing", "1.5000000000000000000000000", 15e8, ""},
	{"leading zeros say nothing", "0.0000000000000000001e19", 1e9, ""},
	{"zero has any exponent", "0e999999999999999999999", 0, ""},
	{"the greatest", "999999.999999999", MaxNano, ""},
	{"the least", "-999999.999999999", -MaxNano, ""},
	{"a million is refused", "1000000", 0, "number 1000000 is 1000000 or more in magnitude at byte 0"},
	{"minus a million is refused", "-1e6", 0, "number -1e6 is 1000000 or more in magnitude at byte 0"},
	{"a great exponent is refused", "1e99999999999999999999", 0, "number 1e99999999999999999999 is 1000000 or more in magnitude at byte 0"},
	{"ten decimals are refused", "0.1234567891", 0, "number 0.1234567891 has more than nine decimals at byte 0"},
	{"half a unit is refused", "5e-10", 0, "number 5e-10 has more than nine decimals at byte 0"},
	{"a small exponent is refused", "1e-99999999999999999999", 0, "number 1e-99999999999999999999 has more than nine decimals at byte 0"},
	{"sixteen digits are refused", "999999.9999999999", 0, "number 999999.9999999999 has more than nine decimals at byte 0"},
	{"seventeen digits are refused", "0.12345678901234567", 0, "number 0.12345678901234567 has more than 15 significant digits at byte 0"},
	{"a string is refused", `"1"`, 0, "expected a number, found a string at byte 0"},
	{"null is refused", "null", 0, "expected a number, found null at byte 0"},
}

func TestNano(t *testing.T) {
	for _, tt := range nanoTests {
		got, err := read(tt.in, (*Reader).Nano)
		if got != tt.want || sentence(err) != tt.err {
			t.Errorf("%s: Nano(%s) = %d, %v, want %d, %s", tt.name, tt.in, got, err, tt.want, tt.err)
		}
	}
}

// What AppendNano writes, Nano reads back.
func TestNanoInverse(t *testing.T) {
	for seed := range uint64(20_000) {
		n := rand.New(rand.NewPCG(seed, 0)).Int64N(2*MaxNano+1) - MaxNano
		n /= []int64{1, 1e3, 1e6, 1e9, 1e12}[seed%5]
		s := string(AppendNano(nil, n))
		if got, err := read(s, (*Reader).Nano); got != n || err != nil {
			t.Fatalf("seed %d: Nano(%s) = %d, %v, want %d", seed, s, got, err, n)
		}
	}
}

func TestBoolNull(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"true", "true"},
		{" false ", "false"},
		{"null", "expected true or false, found null at byte 0"},
		{"0", "expected true or false, found a number at byte 0"},
		{"trux", "expected true at byte 0"},
		{"falsy", "expected false at byte 0"},
	} {
		b, err := read(tt.in, (*Reader).Bool)
		got := sentence(err)
		if err == nil {
			got = map[bool]string{true: "true", false: "false"}[b]
		}
		if got != tt.want {
			t.Errorf("Bool(%s) = %s, want %s", tt.in, got, tt.want)
		}
	}
	r := NewReader([]byte("[null,nil]"))
	for range r.Array() {
		r.Null()
	}
	if got, want := sentence(r.End()), "[1]: expected null at byte 6"; got != want {
		t.Errorf("Null: %s, want %s", got, want)
	}
}

// A query is a message as decoders see one.
type query struct {
	text  string
	needs []string
	docs  []document1
	limit int64
	raw   string
}

type document1 struct {
	id    string
	score int64
}

var queryNames = []string{"documents", "limit", "meta", "needs", "query"}

func readQuery(in string) (q query, err error) {
	r := NewReader([]byte(in))
	for name := range r.Object() {
		switch name {
		case "query":
			q.text = r.String()
		case "needs":
			for i := range r.Array() {
				if i == 1 && r.Kind() == String && strings.HasPrefix(in[r.Offset():], `"stop`) {
					r.Fail("too many needs")
					break
				}
				q.needs = append(q.needs, r.String())
			}
		case "limit":
			if q.limit = r.Int(); q.limit < 1 {
				r.Fail("expected a positive integer")
			}
		case "meta":
			q.raw = string(r.Raw())
		case "documents":
			for range r.Array() {
				q.docs = append(q.docs, readDocument(r))
			}
		default:
			r.Unknown(queryNames)
		}
	}
	return q, r.End()
}

func readDocument(r *Reader) (d document1) {
	for name := range r.Object() {
		switch name {
		case "id":
			d.id = r.String()
		case "score":
			d.score = r.Nano()
		default:
			r.Skip()
		}
	}
	if d.id == "" {
		r.Fail("document without an id")
	}
	return d
}

var decodeTests = []struct {
	name, in, err string
}{
	{"any order of members", `{"needs":["a","b"],"query":"q"}`, ""},
	{"a wrong type", `{"query":10}`, "query: expected a string, found a number at byte 9"},
	{"a wrong type inside", `{"documents":[{"id":"a"},{"id":null}]}`, "documents[1].id: expected a string, found null at byte 31"},
	{"a wrong container", `{"needs":{"a":1}}`, "needs: expected an array, found an object at byte 9"},
	{"a wrong document", `[]`, "expected an object, found an array at byte 0"},
	{"an unknown member with a near name", `{"qeury":"q"}`, `unknown member "qeury" at byte 1, did you mean "query"?`},
	{"an unknown member with none", `{"colour":"q"}`, `unknown member "colour" at byte 1`},
	{"a value that the caller refuses", `{"limit":0}`, "limit: expected a positive integer at byte 9"},
	{"an element that the caller refuses unread", `{"needs":["a", "stop"]}`, "needs[1]: too many needs at byte 15"},
	{"an object that the caller refuses", `{"documents":[{"id":"a"},{}]}`, "documents[1]: document without an id at byte 25"},
	{"an object of other members that the caller refuses", `{"documents":[{"x":[{}]}]}`, "documents[0]: document without an id at byte 14"},
	{"a duplicate, and where", `{"documents":[{"id":"a"},{"id":"b","id":"c"}]}`, `documents[1]: duplicate member "id" at byte 35`},
	{"the first error stays", `{"limit":0,"query":1,}`, "limit: expected a positive integer at byte 9"},
	{"a skipped value is validated", `{"documents":[{"id":"a","x":[1,{"y":tru}]}]}`, "documents[0].x[1].y: expected true at byte 36"},
	{"a raw value is validated", `{"meta":{"a":[1,2}}`, `meta.a: expected "," or "]", found "}" at byte 17`},
	{"what follows", `{"query":"q"} x`, `expected the end of the document, found "x" at byte 14`},
	{"nothing", ``, "the document is empty at byte 0"},
}

func TestDecode(t *testing.T) {
	for _, tt := range decodeTests {
		if _, err := readQuery(tt.in); sentence(err) != tt.err {
			t.Errorf("%s: %s: %v, want %s", tt.name, tt.in, err, tt.err)
		}
	}
	q, err := readQuery(` { "query" : "café\n" , "documents" : [ {"id":"a","score":1.23e-7,"x":{"y":[]}} ] , "meta" : { "a" : [ 1 ] } } `)
	if err != nil || q.text != "café\n" || q.raw != `{ "a" : [ 1 ] }` || !slices.Equal(q.docs, []document1{{"a", 123}}) {
		t.Errorf("decoded to %+v, %v", q, err)
	}
}

var pathTests = []struct {
	name, in, want string
}{
	{"the top", `x`, ""},
	{"a member", `{"a":x`, "a"},
	{"an element", `[0,1,x`, "[2]"},
	{"members and elements", `{"a":[{"b_1":{"c-d":x`, "a[0].b_1.c-d"},
	{"a name that is not plain", `{"a b":{"":{"é":x`, `["a b"][""]["é"]`},
	{"a name with what hides", `{"a\u202e\n":x`, `["a\u202e\n"]`},
	{"a long name", `{"` + strings.Repeat("a", 41) + `":x`, `["` + strings.Repeat("a", 40) + `"…]`},
	{"a syntax error between members", `{"a":[{"b":1 x`, "a[0]"},
	{"after a closed one", `{"a":[[1],[2]],"b":x`, "b"},
}

func TestPath(t *testing.T) {
	for _, tt := range pathTests {
		r := NewReader([]byte(tt.in))
		r.Skip()
		e, ok := r.Err().(*Error)
		if !ok || e.Path != tt.want {
			t.Errorf("%s: %s: %v, want the path %s", tt.name, tt.in, r.Err(), tt.want)
		}
	}
}

// A sentence is bounded and valid UTF-8 for any document.
func TestSentenceBounded(t *testing.T) {
	for _, name := range []string{strings.Repeat("n", 1000), strings.Repeat("\U000e0001", 1000), strings.Repeat("x", 40)} {
		r := NewReader([]byte(strings.Repeat(`{"`+name+`":`, 60) + `{"a":1,"a":2}`))
		r.Skip()
		got := sentence(r.Err())
		if len(got) > 1200 || !utf8.ValidString(got) || !strings.Contains(got, `…: duplicate member "a" at byte `) {
			t.Errorf("%d bytes: %s", len(got), got)
		}
	}
}

func TestReasons(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want Reason
	}{
		{"[1,]", BadSyntax},
		{"\xef\xbb\xbf1", BadEncoding},
		{"\"\xff\"", BadEncoding},
		{`"\udfff"`, BadEncoding},
		{`{"a":1,"a":1}`, DuplicateMember},
		{strings.Repeat("[", 65), TooDeep},
		{"1e1999", BadNumber},
	} {
		_, err := Parse([]byte(tt.in))
		if e, ok := err.(*Error); !ok || e.Reason != tt.want {
			t.Errorf("%q: %v, want %v", tt.in, err, tt.want)
		}
	}
	for in, want := range map[string]Reason{`{"limit":0}`: BadValue, `{"limits":0}`: UnknownMember, `{"limit":""}`: WrongType, `{"limit":0.5}`: BadNumber} {
		_, err := readQuery(in)
		if e, ok := err.(*Error); !ok || e.Reason != want {
			t.Errorf("%q: %v, want %v", in, err, want)
		}
	}
}

// Nesting is refused before the level is entered, however deep it goes.
func TestDepth(t *testing.T) {
	for _, in := range []string{strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), strings.Repeat(`{"a":`, 10_000)} {
		for name, f := range map[string]func() error{
			"Parse": func() error { _, err := Parse([]byte(in)); return err },
			"Skip":  func() error { r := NewReader([]byte(in)); r.Skip(); return r.Err() },
		} {
			e, ok := f().(*Error)
			if want := strings.Index(in[1:], in[:1]) + 1; !ok || e.Reason != TooDeep || e.Offset != 64*want {
				t.Errorf("%s: %v, want TooDeep at byte %d", name, e, 64*want)
			}
		}
	}
}

// Leaving a loop early skips the rest and validates it.
func TestBreak(t *testing.T) {
	r := NewReader([]byte(`[[{"a":[1,2],"b":2},3],4]`))
	for i := range r.Array() {
		if i == 0 {
			for range r.Array() {
				for range r.Object() {
					for range r.Array() {
						break
					}
					break
				}
				break
			}
			if r.Path() != "[0]" || r.Offset() != 1 {
				t.Errorf("after the breaks at %s, byte %d", r.Path(), r.Offset())
			}
			continue
		}
		if got := r.Int(); got != 4 {
			t.Errorf("element %d is %d", i, got)
		}
	}
	if err := r.End(); err != nil {
		t.Error(err)
	}
	r = NewReader([]byte(`[1,2,]`))
	for range r.Array() {
		break
	}
	if got, want := sentence(r.End()), `comma before "]" at byte 4`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// After an error nothing moves and nothing is due.
func TestSticky(t *testing.T) {
	r := NewReader([]byte(`{"a":tru,"b":1}`))
	r.EnterObject()
	r.NextMember()
	r.Bool()
	first := r.Err()
	if _, ok := r.NextMember(); ok || r.NextElement() || r.EnterObject() || r.EnterArray() {
		t.Error("went on")
	}
	if r.String() != "" || r.Int() != 0 || r.Nano() != 0 || r.Bool() || r.Raw() != nil || r.Kind() != Invalid {
		t.Error("returned a value")
	}
	for range r.Object() {
		t.Error("yielded a member")
	}
	for range r.Array() {
		t.Error("yielded an element")
	}
	r.Null()
	r.Skip()
	r.Fail("other")
	r.Unknown(nil)
	if r.Err() != first || r.End() != first {
		t.Errorf("%v, want %v", r.Err(), first)
	}
}

func TestKind(t *testing.T) {
	r := NewReader([]byte(` [ {} , [] , "" , -1 , 0 , true , false , null ] `))
	want := []Kind{Object, Array, String, Number, Number, True, False, Null}
	if r.Kind() != Array {
		t.Errorf("the document is %v", r.Kind())
	}
	var got []Kind
	for range r.Array() {
		got = append(got, r.Kind())
		r.Skip()
	}
	if !slices.Equal(got, want) || r.Kind() != End {
		t.Errorf("%v and then %v", got, r.Kind())
	}
}

// A string without escapes shares the input's memory; one with escapes does not.
func TestStringShares(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() {
		r := NewReader([]byte(`"0123456789"`))
		if r.String() == "" {
			t.Error("empty")
		}
	}); n > 2 {
		t.Errorf("%v allocations", n)
	}
}

func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got, ok := recover().(string); !ok || !strings.Contains(got, want) {
			t.Errorf("panicked with %q, want %q", got, want)
		}
	}()
	f()
}

func TestReaderBugs(t *testing.T) {
	at := func(in string) *Reader { return NewReader([]byte(in)) }
	mustPanic(t, "json: BUG: no value is due", func() { r := at("1 2"); r.Int(); r.Int() })
	mustPanic(t, "json: BUG: no value is due", func() { r := at("1"); r.Int(); r.Skip() })
	mustPanic(t, "json: BUG: no value is due", func() { r := at("1"); r.Int(); r.Bool() })
	mustPanic(t, "json: BUG: the value before was not read", func() {
		for range at("[1]").Array() {
		}
	})
	mustPanic(t, "json: BUG: not inside an object", func() { r := at("[1]"); r.EnterArray(); r.NextMember() })
	mustPanic(t, "json: BUG: not inside an array", func() { r := at("1"); r.Int(); r.NextElement() })
	mustPanic(t, "json: BUG: the document was not read", func() { _ = at("1").End() })
	mustPanic(t, "json: BUG: not at a member", func() { at("1").Unknown(nil) })
}

// wide returns an object with the names, and where the last member begins.
func wide(names []string) (in []byte, last int) {
	in = append(in, '{')
	for i, name := range names {
		if i > 0 {
			in = append(in, ',')
		}
		last = len(in)
		in = append(AppendString(in, name), ":1"...)
	}
	return append(in, '}'), last
}

// The work for each name is bounded by its own length, not by the number of
// names: nine branches for each byte and for its end. It is counted here in
// branches passed, for names that are as unkind to a tree as names can be.
func TestDuplicateWork(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes as wasm")
	}
	const n = 200_000
	number := func(i int) string { return string(appendDigits(nil, uint64(i))) }
	for kind, name := range map[string]func(int) string{
		"numbers":              number,
		"a long common prefix": func(i int) string { return strings.Repeat("p", 30) + number(i) },
		"reversed numbers":     func(i int) string { b := []byte(number(i)); slices.Reverse(b); return string(b) },
		"scattered": func(i int) string {
			return string(appendHex(nil, uint32(uint64(i)*2654435761), 8))
		},
	} {
		names := make([]string, n)
		for i := range names {
			names[i] = name(i)
		}
		in, _ := wide(names)
		r := NewReader(in)
		r.EnterObject()
		for range n {
			if _, ok := r.NextMember(); !ok {
				t.Fatalf("%s: %v", kind, r.Err())
			}
			r.Skip()
		}
		steps, most := 0, 0
		for _, name := range names {
			own := 0
			for side := r.stack[0].root; side >= 0; own++ {
				side = r.branches[side].side[r.branches[side].of(name)]
			}
			if own > 9*(len(name)+1) {
				t.Fatalf("%s: %q passes %d branches", kind, name, own)
			}
			steps, most = steps+own, max(most, own)
		}
		if len(r.branches) != n-1 || steps > 60*n {
			t.Errorf("%s: %d branches, %d steps", kind, len(r.branches), steps)
		}
		t.Logf("%s: %d steps for %d names, at most %d", kind, steps, n, most)
		if _, ok := r.NextMember(); ok || r.End() != nil || len(r.names)+len(r.branches) > 0 {
			t.Errorf("%s: %v", kind, r.Err())
		}
		in, last := wide(append(names, names[n/3]))
		r = NewReader(in)
		r.Skip()
		if e, ok := r.Err().(*Error); !ok || e.Reason != DuplicateMember || e.Offset != last {
			t.Errorf("%s: %v, want a duplicate at byte %d", kind, r.Err(), last)
		}
	}
	// Each name a prefix of the next: the walks are long and the names too.
	var names []string
	for i := range 1000 {
		names = append(names, strings.Repeat("\x00", i))
	}
	in, _ := wide(names)
	r := NewReader(in)
	r.Skip()
	if err := r.End(); err != nil {
		t.Error(err)
	}
}

// The trie finds the same first duplicate as a set.
func TestDuplicateAgrees(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		names := make([]string, 1+r.IntN(60))
		for i := range names {
			b := make([]byte, r.IntN(5))
			for j := range b {
				b[j] = "\x00ab\x01"[r.IntN(4)]
			}
			names[i] = string(b) + strings.Repeat("é", r.IntN(3))
		}
		seen := map[string]bool{}
		first := slices.IndexFunc(names, func(s string) bool { was := seen[s]; seen[s] = true; return was })
		in, last := wide(names)
		if first >= 0 {
			_, last = wide(names[:first+1])
		}
		reader := NewReader(in)
		reader.Skip()
		e, _ := reader.Err().(*Error)
		if first < 0 && e != nil || first >= 0 && (e == nil || e.Offset != last) {
			t.Fatalf("seed %d: %q: %v, want a duplicate at name %d", seed, names, e, first)
		}
	}
}
