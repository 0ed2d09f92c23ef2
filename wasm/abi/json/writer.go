package json

import (
	"slices"
	"unicode/utf8"
)

// A Writer appends one canonical JSON value (RFC 8785) to a byte slice.
//
// The caller writes the members of an object in canonical order; out of order,
// twice the same name, a value without a name, ill-formed UTF-8, a number out of
// range or nesting beyond MaxDepth are bugs of the caller and panic. Members
// whose names come from data are sorted with [SortMembers] first.
//
//	w := json.NewWriter(nil)
//	w.BeginObject()
//	w.Name("hits")
//	w.BeginArray()
//	…
//	w.EndArray()
//	w.Name("seed")
//	w.String(seed)
//	w.EndObject()
//	return w.Bytes()
type Writer struct {
	buf   []byte
	stack []level
	done  bool // the value is complete
	due   bool // a name was written and its value comes next
}

// A level is an object or array that was begun and not ended.
type level struct {
	kind Kind
	some bool   // it has a member or element
	name string // the last one
}

// NewWriter returns a Writer that appends to dst.
func NewWriter(dst []byte) *Writer { return &Writer{buf: dst} }

// BeginObject begins an object: Name and a value follow for each member.
func (w *Writer) BeginObject() { w.begin(Object, '{') }

// EndObject ends the object begun last.
func (w *Writer) EndObject() { w.end(Object, '}') }

// BeginArray begins an array: a value follows for each element.
func (w *Writer) BeginArray() { w.begin(Array, '[') }

// EndArray ends the array begun last.
func (w *Writer) EndArray() { w.end(Array, ']') }

// Name writes the name of the next member, which must come after the one before
// in the order of [CompareNames].
func (w *Writer) Name(name string) {
	if len(w.stack) == 0 || w.due || w.stack[len(w.stack)-1].kind != Object {
		panic("json: BUG: no name is due before " + Quote(name))
	}
	l := &w.stack[len(w.stack)-1]
	if l.some {
		if CompareNames(l.name, name) >= 0 {
			panic("json: BUG: member " + Quote(name) + " after " + Quote(l.name))
		}
		w.buf = append(w.buf, ',')
	}
	l.some, l.name = true, name
	w.buf = append(AppendString(w.buf, name), ':')
	w.due = true
}

// String writes a string, which must be valid UTF-8.
func (w *Writer) String(s string) {
	w.value()
	w.buf = AppendString(w.buf, s)
}

// Int writes an integer of at most MaxInt in magnitude.
func (w *Writer) Int(n int64) {
	w.value()
	w.buf = AppendInt(w.buf, n)
}

// Nano writes a number of nano-units, at most MaxNano in magnitude.
func (w *Writer) Nano(n int64) {
	w.value()
	w.buf = AppendNano(w.buf, n)
}

// Bool writes true or false.
func (w *Writer) Bool(b bool) {
	w.value()
	if b {
		w.buf = append(w.buf, "true"...)
	} else {
		w.buf = append(w.buf, "false"...)
	}
}

// Null writes null.
func (w *Writer) Null() {
	w.value()
	w.buf = append(w.buf, "null"...)
}

// Value writes a value that was parsed, which must not be missing. Its own
// nesting is not counted.
func (w *Writer) Value(v Value) {
	if v.Kind() == Invalid {
		panic("json: BUG: a missing value")
	}
	w.value()
	w.buf = Append(w.buf, v)
}

// Raw writes a value that is canonical JSON already, such as one that a Writer
// wrote before. It is not looked at: Canonicalize is for bytes of others.
func (w *Writer) Raw(canonical []byte) {
	w.value()
	w.buf = append(w.buf, canonical...)
}

// Bytes returns the slice with the value appended, which must be complete.
func (w *Writer) Bytes() []byte {
	if !w.done {
		panic("json: BUG: the value is not complete")
	}
	return w.buf
}

// Len returns the length of the slice so far.
func (w *Writer) Len() int { return len(w.buf) }

// value prepares for a value: a comma if one is due, and a look at the order.
func (w *Writer) value() {
	if len(w.stack) == 0 {
		if w.done {
			panic("json: BUG: a second value")
		}
		w.done = true
		return
	}
	l := &w.stack[len(w.stack)-1]
	if l.kind == Object {
		if !w.due {
			panic("json: BUG: a value without a name")
		}
		w.due = false
		return
	}
	if l.some {
		w.buf = append(w.buf, ',')
	}
	l.some = true
}

func (w *Writer) begin(k Kind, c byte) {
	w.value()
	if len(w.stack) == MaxDepth {
		panic("json: BUG: more than 64 objects and arrays inside each other")
	}
	w.done = false
	w.stack = append(w.stack, level{kind: k})
	w.buf = append(w.buf, c)
}

func (w *Writer) end(k Kind, c byte) {
	if len(w.stack) == 0 || w.due || w.stack[len(w.stack)-1].kind != k {
		panic("json: BUG: the end of " + k.String() + " is not due")
	}
	w.stack = w.stack[:len(w.stack)-1]
	w.done = len(w.stack) == 0
	w.buf = append(w.buf, c)
}

// CompareNames orders the names of members as RFC 8785 does, by their UTF-16
// code units. That is the order of code points, which is the order of UTF-8's
// bytes, except that the characters above U+FFFF, whose surrogates lie at D800
// to DFFF, come before those at E000 to FFFF. In UTF-8 these two begin with F0
// to F4 and with EE or EF.
func CompareNames(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if x >= 0xee && y >= 0xee && (x >= 0xf0) != (y >= 0xf0) {
			x, y = y, x
		}
		if x < y {
			return -1
		}
		return 1
	}
	return len(a) - len(b)
}

// SortMembers sorts members that come from data into the order in which a
// Writer takes them; name returns the name of one.
func SortMembers[M any](members []M, name func(M) string) {
	slices.SortStableFunc(members, func(a, b M) int { return CompareNames(name(a), name(b)) })
}

// AppendString appends a string with its quotes. It escapes quote, backslash and
// the characters below U+0020 and leaves all others as they are. A string that
// is not valid UTF-8 is a bug of the caller and panics.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; ; {
		j, ascii := plain(s, i)
		if !ascii && !utf8.ValidString(s[i:j]) {
			panic("json: BUG: ill-formed UTF-8 in " + Quote(s))
		}
		dst = append(dst, s[i:j]...)
		if j == len(s) {
			return append(dst, '"')
		}
		dst = appendEscape(dst, s[j])
		i = j + 1
	}
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\t':
		return append(dst, `\t`...)
	case '\n':
		return append(dst, `\n`...)
	case '\f':
		return append(dst, `\f`...)
	case '\r':
		return append(dst, `\r`...)
	}
	return appendHex(append(dst, `\u`...), uint32(c), 4)
}

// AppendInt appends an integer. One beyond MaxInt in magnitude is a bug of the
// caller and panics.
func AppendInt(dst []byte, n int64) []byte {
	if n > MaxInt || n < -MaxInt {
		panic("json: BUG: integer beyond 9007199254740991")
	}
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	return appendDigits(dst, uint64(n))
}

// AppendNano appends the number n·10⁻⁹ as ECMAScript spells it: 353_553_391 is
// 0.353553391, and 123 is 1.23e-7. One beyond MaxNano in magnitude is a bug of
// the caller and panics.
func AppendNano(dst []byte, n int64) []byte {
	if n > MaxNano || n < -MaxNano {
		panic("json: BUG: number of 1000000 or more")
	}
	if n == 0 {
		return append(dst, '0')
	}
	d := decimal{neg: n < 0, digits: uint64(max(n, -n)), exp: -9}
	for d.digits%10 == 0 {
		d.digits /= 10
		d.exp++
	}
	return appendDecimal(dst, d)
}
