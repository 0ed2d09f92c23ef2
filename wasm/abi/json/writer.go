package json

import (
	"encoding/binary"
	"math/bits"
	"slices"
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
	buf    []byte
	comma  int // how many come before the next name or value, 0 or 1
	due    int // what comes next
	depth  int // how many objects and arrays were begun and not ended
	levels [MaxDepth + 1]level
}

// What may come next, by the number of colons behind it.
const (
	aValue = iota
	aName
	nothing
)

// A level is an object or array, or what is outside of all of them.
type level struct {
	kind  Kind
	after uint8  // what is due after a value
	name  string // of the last member
	head  uint64 // its first eight bytes, or what no name comes after
}

// NewWriter returns a Writer that appends to dst. Of what stands behind dst in
// its capacity, a few bytes more may be overwritten than the value takes.
func NewWriter(dst []byte) *Writer {
	w := &Writer{buf: dst}
	w.levels[0].after = nothing
	return w
}

// BeginObject begins an object: Name and a value follow for each member.
func (w *Writer) BeginObject() { w.begin(Object, aName, '{') }

// EndObject ends the object begun last.
func (w *Writer) EndObject() { w.end(Object, aName, '}') }

// BeginArray begins an array: a value follows for each element.
func (w *Writer) BeginArray() { w.begin(Array, aValue, '[') }

// EndArray ends the array begun last.
func (w *Writer) EndArray() { w.end(Array, aValue, ']') }

// Name writes the name of the next member, which must come after the one before
// in the order of [CompareNames].
func (w *Writer) Name(name string) { w.short(name, aName) }

// String writes a string, which must be valid UTF-8.
func (w *Writer) String(s string) { w.short(s, aValue) }

// short writes a name or a string of 2 to 16 bytes of ASCII without escapes, as
// most are, and leaves others to long: also names that do not differ from the one
// before in their first eight bytes.
//
// It copies words that overlap, and hardly ever jumps: in WebAssembly Go's jumps
// and calls are dear, and with calls to find what is plain, copy it and append
// it this took twice as long (BenchmarkWriteReply).
func (w *Writer) short(s string, colons int) {
	k, n := len(s)-2, len(w.buf)
	l := &w.levels[w.depth]
	if w.due != colons || uint(k) > 14 || cap(w.buf)-n < 24 {
		w.long(s, colons)
		return
	}
	dst := w.buf[:n+24]
	dst[n] = ','
	n += w.comma
	to := (*[20]byte)(dst[n:])
	to[0] = '"'
	var head, tail uint64
	if k >= 6 {
		head, tail = eight(s), eight(s[k-6:])
		binary.LittleEndian.PutUint64(to[1:], head)
		binary.LittleEndian.PutUint64(to[k-5:], tail)
	} else {
		two := 2 + (k-2)&((k-2)>>63) // min(2, k), without a jump
		four := 4 + (k-4)&((k-4)>>63)
		head = pairAt(s, 0) | pairAt(s, two) | pairAt(s, four) | pairAt(s, k) | ' '*ones<<(uint(k+2)*8&63)
		binary.LittleEndian.PutUint64(to[1:], head)
		tail = head
	}
	before := l.head & -uint64(colons)
	at := bits.TrailingZeros64(head^before) &^ 7
	if special(head)|special(tail)|(head|tail)&highs != 0 || head>>at&0xff <= before>>at&0xff {
		w.long(s, colons)
		return
	}
	to[k+3] = '"'
	if colons == aValue {
		w.buf = dst[:n+k+4]
		w.comma, w.due = 1, int(l.after)
		return
	}
	to[k+4] = ':'
	w.buf = dst[:n+k+5]
	w.comma, w.due = 0, aValue
	l.name, l.head = s, head
}

func (w *Writer) long(s string, colons int) {
	if colons == aValue {
		w.value()
		w.buf = AppendString(w.buf, s)
		return
	}
	l := &w.levels[w.depth]
	if w.due != aName {
		panic("json: BUG: no name is due before " + Quote(s))
	}
	if w.comma > 0 {
		if CompareNames(l.name, s) >= 0 {
			panic("json: BUG: member " + Quote(s) + " after " + Quote(l.name))
		}
		w.buf = append(w.buf, ',')
	}
	w.buf = append(AppendString(w.buf, s), ':')
	w.comma, w.due = 0, aValue
	l.name, l.head = s, 1<<64-1
}

// value prepares for a value: a look at the order, and a comma if one is due.
func (w *Writer) value() {
	l := &w.levels[w.depth]
	if w.due != aValue {
		w.bad()
	}
	if w.comma > 0 {
		w.buf = append(w.buf, ',')
	}
	w.comma, w.due = 1, int(l.after)
}

func (w *Writer) bad() {
	if w.due == aName {
		panic("json: BUG: a value without a name")
	}
	panic("json: BUG: a second value")
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
	if w.due != nothing {
		panic("json: BUG: the value is not complete")
	}
	return w.buf
}

// Len returns the length of the slice so far.
func (w *Writer) Len() int { return len(w.buf) }

func (w *Writer) begin(k Kind, due int, c byte) {
	w.value()
	if w.depth == MaxDepth {
		panic("json: BUG: more than 64 objects and arrays inside each other")
	}
	w.depth++
	l := &w.levels[w.depth]
	l.kind, l.after, l.head = k, uint8(due), 0
	w.comma, w.due = 0, due
	if len(w.buf) == cap(w.buf) {
		w.buf = grow(w.buf, 512) // not 8, 16, 32 and so on
	}
	w.buf = append(w.buf, c)
}

func (w *Writer) end(k Kind, due int, c byte) {
	if w.levels[w.depth].kind != k || w.due != due {
		panic("json: BUG: the end of " + k.String() + " is not due")
	}
	w.depth--
	w.comma, w.due = 1, int(w.levels[w.depth].after)
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
// is not valid UTF-8 is a bug of the caller and panics. Of what stands behind dst
// in its capacity, a few bytes more may be overwritten than the string takes.
func AppendString(dst []byte, s string) []byte {
	dst = append(room(dst, len(s))[:len(dst)], '"')
	for i := 0; ; {
		j, ascii := plain(s, i)
		if !ascii && !valid(s[i:j]) {
			panic("json: BUG: ill-formed UTF-8 in " + Quote(s))
		}
		dst = append(dst, s[i:j]...)
		if j == len(s) {
			return append(dst, '"')
		}
		c := s[j]
		dst = append(dst, '\\', escapes[c])
		if escapes[c] == 'u' {
			dst = appendHex(dst, uint32(c), 4)
		}
		i = j + 1
	}
}

// room returns dst, as long as its capacity, with space for n bytes more, two
// quotes and the rest of a word.
func room(dst []byte, n int) []byte {
	if cap(dst)-len(dst) < n+10 {
		dst = grow(dst, n+10)
	}
	return dst[:cap(dst)]
}

// grow is a function of its own to say that it is rarely called.
func grow(dst []byte, n int) []byte { return slices.Grow(dst, n) }

// escapes holds the letter of each character's escape.
var escapes = [...]byte{
	'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'b', 't', 'n', 'u', 'f', 'r', 'u', 'u',
	'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u',
	'"': '"', '\\': '\\',
}

// AppendInt appends an integer. One beyond MaxInt in magnitude is a bug of the
// caller and panics.
func AppendInt(dst []byte, n int64) []byte {
	if uint64(n+MaxInt) > 2*MaxInt {
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
	if -1000 < n && n < 1000 {
		return appendTiny(dst, n)
	}
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	whole := uint64(0)
	if n >= 1e9 {
		whole = uint64(n) / 1e9
	}
	dst = appendDigits(dst, whole)
	if part := uint32(uint64(n) - whole*1e9); part > 0 {
		dst = appendFraction(dst, part)
	}
	return dst
}

// appendTiny appends n·10⁻⁹ below 10⁻⁶, which has an exponent.
func appendTiny(dst []byte, n int64) []byte {
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

// appendFraction appends a point and the nine digits of n, without the zeros at
// their end.
func appendFraction(dst []byte, n uint32) []byte {
	size := len(dst) + 10
	dst = room(dst, 10)
	to := (*[10]byte)(dst[size-10:])
	to[0] = '.'
	for i := 8; i > 0; i -= 2 {
		q := n / 100
		d := 2 * (n - q*100)
		to[i], to[i+1] = hundreds[d], hundreds[d+1]
		n = q
	}
	to[1] = '0' + byte(n)
	for dst[size-1] == '0' {
		size--
	}
	return dst[:size]
}
