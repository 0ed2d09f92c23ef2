package json

import (
	"bytes"
	stdjson "encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

var stringTests = []struct {
	name, in, want string
}{
	{"nothing", "", `""`},
	{"the two that must be escaped", "\"\\", `"\"\\"`},
	{"short escapes", "\b\t\n\f\r", `"\b\t\n\f\r"`},
	{"other controls in lower-case hex", "\x00\x01\x0b\x1f", `"\u0000\u0001\u000b\u001f"`},
	{"the solidus stays", "/", `"/"`},
	{"DEL stays", "\x7f", "\"\x7f\""},
	{"C1 controls stay", "\u0080\u009f", "\"\u0080\u009f\""},
	{"line separators stay", "\u2028\u2029", "\"\u2028\u2029\""},
	{"what HTML would escape stays", "<a>&'", `"<a>&'"`},
	{"all planes stay", "é€😀\U0010ffff", "\"é€😀\U0010ffff\""},
	{"nothing is normalised", "e\u0301\u00e9", "\"e\u0301\u00e9\""},
	{"the example of RFC 8785", "€$\u000f\nA'B\"\\\\\"/", `"€$\u000f\nA'B\"\\\\\"/"`},
}

func TestAppendString(t *testing.T) {
	for _, tt := range stringTests {
		if got := string(AppendString([]byte("x"), tt.in)); got != "x"+tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got[1:], tt.want)
		}
	}
}

var nanoSpellings = []struct {
	n    int64
	want string
}{
	{0, "0"}, {1_000_000_000, "1"}, {353_553_391, "0.353553391"}, {123, "1.23e-7"}, {1000, "0.000001"},
	{999, "9.99e-7"}, {1, "1e-9"}, {10, "1e-8"}, {120, "1.2e-7"}, {-123, "-1.23e-7"}, {-1_500_000_000, "-1.5"},
	{1001, "0.000001001"}, {MaxNano, "999999.999999999"}, {-MaxNano, "-999999.999999999"}, {100_000e9, "100000"},
}

func TestAppendNano(t *testing.T) {
	for _, tt := range nanoSpellings {
		if got := string(AppendNano(nil, tt.n)); got != tt.want {
			t.Errorf("AppendNano(%d) = %s, want %s", tt.n, got, tt.want)
		}
	}
}

func TestAppendInt(t *testing.T) {
	for _, tt := range []struct {
		n    int64
		want string
	}{{0, "0"}, {-1, "-1"}, {10, "10"}, {MaxInt, "9007199254740991"}, {-MaxInt, "-9007199254740991"}} {
		if got := string(AppendInt(nil, tt.n)); got != tt.want {
			t.Errorf("AppendInt(%d) = %s, want %s", tt.n, got, tt.want)
		}
	}
}

// Integers of every length, and those beside the powers of ten and of two, are
// spelled as strconv does; of nano-units, as the spelling of a decimal says.
func TestDigits(t *testing.T) {
	check := func(n uint64) {
		t.Helper()
		if got := string(appendDigits([]byte("x"), n)); got != "x"+strconv.FormatUint(n, 10) {
			t.Fatalf("%d is spelled %s", n, got[1:])
		}
		if n = n % (MaxNano + 1); n > 0 {
			d := decimal{digits: n, exp: -9}
			for d.digits%10 == 0 {
				d.digits /= 10
				d.exp++
			}
			if got, want := string(AppendNano(nil, int64(n))), string(appendDecimal(nil, d)); got != want {
				t.Fatalf("%d nano-units are spelled %s, want %s", n, got, want)
			}
		}
	}
	for shift := range 64 {
		for d := range uint64(5) {
			check(1<<shift + d - 2)
		}
	}
	for n := uint64(1); n < 1e19; n *= 10 {
		for d := range uint64(5) {
			check(n + d - 2)
		}
	}
	for seed := range uint64(50_000) {
		r := rand.New(rand.NewPCG(seed, 0))
		check(r.Uint64() >> r.IntN(64))
	}
}

// vectors returns the lines of a file that testdata/vectors.js wrote, each an
// input and how Node spells it.
func vectors(t *testing.T, name string, b []byte) [][2]string {
	t.Helper()
	var out [][2]string
	for line := range strings.Lines(string(b)) {
		in, want, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			t.Fatalf("%s: %q", name, line)
		}
		out = append(out, [2]string{in, want})
	}
	if len(out) < 2000 {
		t.Fatalf("%s: %d vectors", name, len(out))
	}
	return out
}

func spellNano(t *testing.T, in string) string {
	n, err := strconv.ParseInt(in, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return string(AppendNano(nil, n))
}

func spellNumber(t *testing.T, in string) string {
	out, err := Canonicalize([]byte(in))
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// Numbers are spelled as Node spelled them when the vectors were written and,
// where there is a Node, as it does now.
func TestNumbersAsNode(t *testing.T) {
	node, _ := exec.LookPath("node")
	for name, spell := range map[string]func(*testing.T, string) string{"nano": spellNano, "number": spellNumber} {
		b, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range vectors(t, name, b) {
			if got := spell(t, v[0]); got != v[1] {
				t.Errorf("%s: %s is spelled %s, want %s", name, v[0], got, v[1])
			}
		}
		if node == "" {
			continue
		}
		out, err := exec.Command(node, "testdata/vectors.js", name).Output()
		if err != nil || !bytes.Equal(out, b) {
			t.Errorf("%s: this Node spells them otherwise: %v", name, err)
		}
	}
}

// randomString returns characters of all planes, many of them at the borders.
func randomString(r *rand.Rand) string {
	borders := []rune{0, 8, 9, 10, 12, 13, 0x1f, ' ', '"', '/', '\\', 0x7f, 0x80, 0x7ff, 0x800, 0x2028, 0xd7ff, 0xe000, 0xfb33, 0xffff, 0x10000, 0x10ffff}
	b := make([]rune, r.IntN(12))
	for i := range b {
		if b[i] = borders[r.IntN(len(borders))]; r.IntN(3) == 0 {
			b[i] = rune(r.IntN(0xd800))
		}
	}
	return string(b)
}

// Strings and the order of names are JSON.stringify's and sort's in Node.
func TestStringsAsNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	r := rand.New(rand.NewPCG(1, 0))
	var names []string
	for range 5000 {
		names = append(names, randomString(r))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	in, err := stdjson.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", `let s="";process.stdin.setEncoding("utf8").on("data",d=>s+=d).on("end",()=>process.stdout.write(JSON.stringify(JSON.parse(s).sort())))`)
	cmd.Stdin = bytes.NewReader(in)
	want, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	SortMembers(names, func(s string) string { return s })
	w := NewWriter(nil)
	w.BeginArray()
	for _, name := range names {
		w.String(name)
	}
	w.EndArray()
	if got := w.Bytes(); !bytes.Equal(got, want) {
		t.Errorf("%d bytes written, Node writes %d others", len(got), len(want))
	}
}

func TestCompareNames(t *testing.T) {
	for seed := range uint64(50_000) {
		r := rand.New(rand.NewPCG(seed, 0))
		a, b := randomString(r), randomString(r)
		if seed%2 == 0 {
			b = a[:0] + a + b
		}
		want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		got := CompareNames(a, b)
		if got > 0 != (want > 0) || got < 0 != (want < 0) || CompareNames(b, a) > 0 != (want < 0) {
			t.Fatalf("seed %d: CompareNames(%q, %q) = %d, want %d", seed, a, b, got, want)
		}
	}
}

func TestWriter(t *testing.T) {
	v, err := Parse([]byte(`{"z":[1.50],"a":"\u00e9"}`))
	if err != nil {
		t.Fatal(err)
	}
	w := NewWriter([]byte("x"))
	w.BeginObject()
	w.Name("")
	w.Null()
	w.Name("a")
	w.BeginArray()
	w.BeginArray()
	w.EndArray()
	w.BeginObject()
	w.EndObject()
	w.Bool(true)
	w.Bool(false)
	w.Int(-3)
	w.Nano(123)
	w.String("\n")
	w.Raw([]byte(`{"b":1}`))
	w.Value(v)
	w.EndArray()
	w.Name("\U0001f600")
	w.Int(1)
	w.Name("\ufb33")
	w.Int(2)
	w.EndObject()
	want := `x{"":null,"a":[[],{},true,false,-3,1.23e-7,"\n",{"b":1},{"a":"é","z":[1.5]}],"` + "\U0001f600\":1,\"\ufb33\":2}"
	if got := string(w.Bytes()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Strings of every length, with and without something to escape at every place,
// are written as byte by byte.
func TestWriterStrings(t *testing.T) {
	for size := range 60 {
		for at := range size + 1 {
			for _, c := range []string{"", "\n", "\"", "\x00", "é", "字"} {
				s := strings.Repeat("ab-d", 15)[:at] + c + strings.Repeat("xyz ", 15)[:size-at]
				want := []byte{'"'}
				for i := range len(s) {
					switch s[i] {
					case '\n':
						want = append(want, `\n`...)
					case '"':
						want = append(want, `\"`...)
					case 0:
						want = append(want, `\u0000`...)
					default:
						want = append(want, s[i])
					}
				}
				want = append(want, '"')
				w := NewWriter(nil)
				w.BeginArray()
				w.String(s)
				w.String(s)
				w.EndArray()
				if got := string(w.Bytes()); got != "["+string(want)+","+string(want)+"]" {
					t.Fatalf("%q twice is written as %s", s, got)
				}
			}
		}
	}
}

// Names are taken in the order of CompareNames, and in no other.
func TestWriterTakesNamesInOrder(t *testing.T) {
	for seed := range uint64(50_000) {
		r := rand.New(rand.NewPCG(seed, 0))
		a, b := randomString(r), randomString(r)
		if r.IntN(2) == 0 {
			plain := func() string { return strings.Repeat("ab", 9)[:r.IntN(18)] + "a c~"[r.IntN(4):] }
			a, b = plain(), plain()
		}
		taken := func() (ok bool) {
			defer func() { ok = recover() == nil }()
			w := NewWriter(make([]byte, 0, r.IntN(100)))
			w.BeginObject()
			w.Name(a)
			w.Null()
			w.Name(b)
			return
		}()
		if want := CompareNames(a, b) < 0; taken != want {
			t.Fatalf("seed %d: %q after %q: taken %v, want %v", seed, b, a, taken, want)
		}
	}
}

func TestWriterBugs(t *testing.T) {
	for _, tt := range []struct {
		want string
		f    func(w *Writer)
	}{
		{`member "a" after "b"`, func(w *Writer) { w.BeginObject(); w.Name("b"); w.Null(); w.Name("a") }},
		{`member "a" after "a"`, func(w *Writer) { w.BeginObject(); w.Name("a"); w.Null(); w.Name("a") }},
		{"after \"\ufb33\"", func(w *Writer) { w.BeginObject(); w.Name("\ufb33"); w.Null(); w.Name("😀") }},
		{"a value without a name", func(w *Writer) { w.BeginObject(); w.Null() }},
		{`no name is due before "a"`, func(w *Writer) { w.Name("a") }},
		{`no name is due before "a"`, func(w *Writer) { w.BeginArray(); w.Name("a") }},
		{`no name is due before "b"`, func(w *Writer) { w.BeginObject(); w.Name("a"); w.Name("b") }},
		{"the end of an object is not due", func(w *Writer) { w.BeginObject(); w.Name("a"); w.EndObject() }},
		{"the end of an object is not due", func(w *Writer) { w.BeginArray(); w.EndObject() }},
		{"the end of an array is not due", func(w *Writer) { w.EndArray() }},
		{"a second value", func(w *Writer) { w.Null(); w.Null() }},
		{"the value is not complete", func(w *Writer) { w.Bytes() }},
		{"the value is not complete", func(w *Writer) { w.BeginArray(); w.Bytes() }},
		{"a missing value", func(w *Writer) { w.Value(Value{}) }},
		{"inside each other", func(w *Writer) {
			for range MaxDepth + 1 {
				w.BeginArray()
			}
		}},
		{`ill-formed UTF-8 in "a\xff"`, func(w *Writer) { w.String("a\xff") }},
		{"integer beyond", func(w *Writer) { w.Int(MaxInt + 1) }},
		{"integer beyond", func(w *Writer) { w.Int(-1 << 63) }},
		{"number of 1000000 or more", func(w *Writer) { w.Nano(MaxNano + 1) }},
		{"number of 1000000 or more", func(w *Writer) { w.Nano(-1 << 63) }},
	} {
		mustPanic(t, "json: BUG: ", func() { tt.f(NewWriter(nil)) })
		mustPanic(t, tt.want, func() { tt.f(NewWriter(nil)) })
	}
}
