// Package json reads JSON strictly and writes it canonically.
//
// The [Reader] accepts exactly the documents of RFC 8259 in UTF-8, minus what
// two readers could understand differently or what could exhaust one of them:
//
//   - a byte order mark, ill-formed UTF-8 and escapes of lone surrogates are
//     refused (BadEncoding);
//   - an object whose names, unescaped, are not distinct is refused
//     (DuplicateMember);
//   - more than [MaxDepth] objects and arrays inside each other are refused
//     before the next one is entered (TooDeep);
//   - a document longer than 2³¹−1 bytes is refused (BadValue).
//
// The [Writer] and the Append functions write RFC 8785: no white space, members
// in the order of their names' UTF-16 code units, one spelling for each string
// and number. What is not representable so is a BUG of the caller and panics.
//
// A [Value] is a whole document in memory, for comparing and respelling the
// messages of this project; decoders of messages use the Reader directly.
//
// Nothing here recurses, uses floating point or iterates over a map: the same
// bytes give the same result and the same sentence in every runtime. All work
// is linear in the input, except for sorting the members of a Value; names are
// compared in a bit trie and not a hash table, since a sandbox without entropy
// has no secret to hash with: see TestDuplicateWork.
package json

import (
	"bytes"
	"iter"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

const (
	// MaxDepth is how many objects and arrays may stand inside each other.
	MaxDepth = 64

	// MaxInt is the greatest integer that Int reads and writes, 2⁵³−1;
	// the least is −MaxInt.
	MaxInt = 1<<53 - 1

	// MaxNano is the greatest number of nano-units that Nano reads and
	// writes, just below 10⁶; the least is −MaxNano.
	MaxNano = 1e15 - 1

	maxLen = 1<<31 - 1
)

// A Kind says what a JSON value is.
type Kind uint8

const (
	Invalid Kind = iota // not a value: after an error, or a missing Value
	End                 // no value is due here
	Object
	Array
	String
	Number
	True
	False
	Null
)

// String returns the kind as sentences name it: "an object", "true".
func (k Kind) String() string {
	switch k {
	case End:
		return "nothing"
	case Object:
		return "an object"
	case Array:
		return "an array"
	case String:
		return "a string"
	case Number:
		return "a number"
	case True:
		return "true"
	case False:
		return "false"
	case Null:
		return "null"
	}
	return "no value"
}

// kindOf gives the kind of the value that begins with a byte.
var kindOf = [256]Kind{
	'{': Object, '[': Array, '"': String, 't': True, 'f': False, 'n': Null, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// A Reason is the class of an [Error].
type Reason uint8

const (
	BadSyntax       Reason = iota + 1 // not the grammar of RFC 8259
	BadEncoding                       // byte order mark, ill-formed UTF-8, lone surrogate
	DuplicateMember                   // two members of an object have one name
	TooDeep                           // more than MaxDepth objects and arrays inside each other
	WrongType                         // well begun, but not the type that was asked for
	BadNumber                         // a number, but not of the form or range that was asked for
	UnknownMember                     // reported by Reader.Unknown
	BadValue                          // reported by Reader.Fail, or a document of 2 GiB
)

// String returns the reason in a few words.
func (r Reason) String() string {
	switch r {
	case BadSyntax:
		return "bad syntax"
	case BadEncoding:
		return "bad encoding"
	case DuplicateMember:
		return "duplicate member"
	case TooDeep:
		return "too deep"
	case WrongType:
		return "wrong type"
	case BadNumber:
		return "bad number"
	case UnknownMember:
		return "unknown member"
	case BadValue:
		return "bad value"
	}
	return "no reason"
}

// An Error says why a document was refused, and where.
// Its texts are valid UTF-8 without control characters and of bounded length,
// whatever the document held.
type Error struct {
	Reason  Reason
	Offset  int    // of the offending byte, counted from 0
	Path    string // of the value being read, as Reader.Path gives it; empty at the top
	Problem string // such as `expected a string, found a number`
	Hint    string // empty, or what could be meant, such as `did you mean "seed"?`
}

// Error returns a sentence: `documents[3]: duplicate member "id" at byte 812`.
func (e *Error) Error() string {
	var b []byte
	if e.Path != "" {
		b = append(b, e.Path...)
		b = append(b, ": "...)
	}
	b = append(b, e.Problem...)
	b = append(b, " at byte "...)
	b = appendDigits(b, uint64(e.Offset))
	if e.Hint != "" {
		b = append(b, ", "...)
		b = append(b, e.Hint...)
	}
	return string(b)
}

// A Reader takes a document apart, one value after the other, in its order.
//
// The first error stays: from then on every call returns at once, with the zero
// value or false, so that a decoder reads like a list of its members and looks
// at [Reader.End] once. A call that the document cannot cause, such as asking
// for a value where none is due, is a BUG and panics.
//
// Strings and Raw share the input's memory: it must not change as long as they
// are in use.
type Reader struct {
	in       []byte
	text     string // in, in the same memory
	pos      int
	last     int  // where the last name or value begins
	due      bool // a value comes next
	err      *Error
	stack    []frame
	names    []string // of the open objects, those of each frame together
	branches []branch // of the open objects that have more than few names
}

// A frame is an object or an array that has been entered and not left.
type frame struct {
	kind     Kind
	shown    bool   // the path goes on into the frame
	name     string // of the current member
	count    int    // members or elements begun
	start    int    // where it begins
	names    int    // where its names begin in Reader.names
	branches int    // where its branches begin in Reader.branches
	root     int32  // of its trie: a side as in branch
	marks    uint64 // of its names; a name whose mark is not here is new
}

// NewReader returns a Reader of one whole document.
func NewReader(in []byte) *Reader {
	r := &Reader{in: in, due: true}
	if len(in) > 0 {
		r.text = share(in)
	}
	switch {
	case len(in) > maxLen:
		r.fail(BadValue, maxLen, "the document is longer than 2147483647 bytes")
	case bytes.HasPrefix(in, []byte("\xef\xbb\xbf")):
		r.fail(BadEncoding, 0, "the document begins with a byte order mark")
	case bytes.HasPrefix(in, []byte("\xff\xfe")), bytes.HasPrefix(in, []byte("\xfe\xff")):
		r.fail(BadEncoding, 0, "the document is UTF-16, expected UTF-8")
	}
	return r
}

// Kind returns the kind of the value that comes next, without reading it. It
// looks at the value's first byte only. It is End where no value is due, and
// Invalid after an error; a byte that begins no value is an error.
func (r *Reader) Kind() Kind {
	if r.err != nil {
		return Invalid
	}
	if !r.due {
		return End
	}
	r.space()
	if r.pos < len(r.in) {
		if k := kindOf[r.in[r.pos]]; k != Invalid {
			return k
		}
	}
	if r.pos == len(r.in) && len(r.stack) == 0 {
		r.fail(BadSyntax, r.pos, "the document is empty")
	} else {
		r.fail(BadSyntax, r.pos, "expected a value, found "+r.found(r.pos))
	}
	return Invalid
}

// begin reports whether a value of kind k comes next, and notes where.
func (r *Reader) begin(k Kind, wanted string) bool {
	got := r.Kind()
	switch got {
	case k:
		r.last = r.pos
		return true
	case Invalid:
		return false
	case End:
		panic("json: BUG: no value is due")
	}
	r.last = r.pos
	r.fail(WrongType, r.pos, "expected "+wanted+", found "+got.String())
	return false
}

// Object enters the object that comes next and yields the name of each member;
// the body reads the member's value, all of it, or calls Skip. Leaving the loop
// early skips, and so validates, the rest of the object.
//
//	for name := range r.Object() {
//		switch name {
//		case "query":
//			q.Query = r.String()
//		case "budget":
//			q.Budget = r.Int()
//		default:
//			r.Unknown(names)
//		}
//	}
func (r *Reader) Object() iter.Seq[string] {
	return func(yield func(string) bool) { r.members(yield) }
}

func (r *Reader) members(yield func(string) bool) {
	depth := len(r.stack)
	if !r.EnterObject() {
		return
	}
	for name, ok := r.NextMember(); ok; name, ok = r.NextMember() {
		if !yield(name) {
			r.drain(depth)
			return
		}
	}
}

// Array enters the array that comes next and yields the index of each element;
// the body reads the element, all of it, or calls Skip. Leaving the loop early
// skips, and so validates, the rest of the array.
//
//	for range r.Array() {
//		q.Needs = append(q.Needs, r.String())
//	}
func (r *Reader) Array() iter.Seq[int] {
	return func(yield func(int) bool) { r.elements(yield) }
}

func (r *Reader) elements(yield func(int) bool) {
	depth := len(r.stack)
	if !r.EnterArray() {
		return
	}
	for i := 0; r.NextElement(); i++ {
		if !yield(i) {
			r.drain(depth)
			return
		}
	}
}

// EnterObject enters the object that comes next. NextMember goes through it.
// Object does both; this pair is for readers that keep a stack of their own.
func (r *Reader) EnterObject() bool {
	return (r.at('{') || r.begin(Object, "an object")) && r.enter(Object)
}

// EnterArray enters the array that comes next. NextElement goes through it.
func (r *Reader) EnterArray() bool {
	return (r.at('[') || r.begin(Array, "an array")) && r.enter(Array)
}

// at reports whether a value is due and begins here, without white space, with
// that byte; and if so, notes where. It is what begin does in the usual case.
func (r *Reader) at(c byte) bool {
	if r.due && r.pos < len(r.in) && r.in[r.pos] == c && r.err == nil {
		r.last = r.pos
		return true
	}
	return false
}

func (r *Reader) enter(k Kind) bool {
	if len(r.stack) == MaxDepth {
		r.fail(TooDeep, r.pos, "more than 64 objects and arrays inside each other")
		return false
	}
	if r.stack == nil {
		r.stack, r.names = make([]frame, 0, 4), make([]string, 0, 8)
	}
	r.stack = append(r.stack, frame{
		kind: k, start: r.pos, names: len(r.names), branches: len(r.branches),
	})
	r.pos++
	r.due = false
	return true
}

// leave closes the frame on top; its end has been seen at r.pos.
func (r *Reader) leave() {
	f := &r.stack[len(r.stack)-1]
	r.last = f.start
	r.names = r.names[:f.names]
	r.branches = r.branches[:f.branches]
	r.stack = r.stack[:len(r.stack)-1]
	r.pos++
}

// open returns the frame on top, in which a member or element is about to begin.
func (r *Reader) open(k Kind) *frame {
	if r.due {
		panic("json: BUG: the value before was not read")
	}
	if len(r.stack) == 0 || r.stack[len(r.stack)-1].kind != k {
		panic("json: BUG: not inside " + k.String())
	}
	return &r.stack[len(r.stack)-1]
}

// next goes to the next member or element of f, over the comma, or leaves f.
func (r *Reader) next(f *frame, end byte, wanted string) bool {
	f.shown = false
	r.space()
	switch c := r.peek(); {
	case c == end:
		r.leave()
		return false
	case f.count == 0:
		return true
	case c != ',':
		r.fail(BadSyntax, r.pos, "expected "+wanted+", found "+r.found(r.pos))
		return false
	}
	comma := r.pos
	r.pos++
	r.space()
	if r.peek() == end {
		r.fail(BadSyntax, comma, "comma before "+r.found(r.pos))
		return false
	}
	return true
}

// NextMember goes to the next member of the object entered last and returns its
// name, or leaves the object and returns false. The value before must have been
// read.
func (r *Reader) NextMember() (name string, ok bool) {
	if r.err != nil {
		return "", false
	}
	f := r.open(Object)
	if !r.toNext(f) && !r.next(f, '}', `"," or "}"`) {
		return "", false
	}
	r.last = r.pos
	if r.peek() != '"' {
		r.fail(BadSyntax, r.pos, "expected a member's name in quotes, found "+r.found(r.pos))
		return "", false
	}
	if name, ok = r.unquote(); !ok {
		return "", false
	}
	mark := markOf(name)
	if f.marks&mark != 0 || f.count >= few {
		if !r.record(f, name) {
			r.fail(DuplicateMember, r.last, "duplicate member "+Quote(name))
			return "", false
		}
	} else {
		r.names = append(r.names, name)
	}
	f.marks |= mark
	f.name, f.shown = name, true
	f.count++
	if r.peek() != ':' {
		r.space()
		if r.peek() != ':' {
			r.fail(BadSyntax, r.pos, `expected ":", found `+r.found(r.pos))
			return "", false
		}
	}
	r.pos++
	r.due = true
	return name, true
}

// toNext does what next does where the next member or element follows without
// white space; else it returns false and does nothing.
func (r *Reader) toNext(f *frame) bool {
	i := r.pos
	if f.count > 0 {
		if i+1 >= len(r.in) || r.in[i] != ',' {
			return false
		}
		i++
	}
	if i >= len(r.in) || r.in[i] <= ' ' || r.in[i]|0x20 == '}' { // ] or }
		return false
	}
	f.shown = false
	r.pos = i
	return true
}

// NextElement goes to the next element of the array entered last, or leaves the
// array and returns false. The element before must have been read.
func (r *Reader) NextElement() bool {
	if r.err != nil {
		return false
	}
	f := r.open(Array)
	if !r.toNext(f) && !r.next(f, ']', `"," or "]"`) {
		return false
	}
	f.count++
	f.shown = true
	r.last = r.pos
	r.due = true
	return true
}

// String reads a string and returns it unescaped. Without escapes it shares the
// input's memory. It may hold U+0000.
func (r *Reader) String() string {
	if !r.at('"') && !r.begin(String, "a string") {
		return ""
	}
	s, _ := r.unquote()
	r.due = false
	return s
}

// Int reads an integer of at most MaxInt in magnitude, written as an optional
// minus and digits: 1.0 and 1e3 are not integers here. −0 is 0.
func (r *Reader) Int() int64 {
	if n, ok := r.small(); ok {
		return n
	}
	if !r.begin(Number, "an integer") {
		return 0
	}
	lit, integer, ok := r.number()
	if !ok {
		return 0
	}
	if !integer {
		r.fail(BadNumber, r.last, "expected an integer, found "+cut(lit))
		return 0
	}
	n, ok := parseInt(lit)
	if !ok {
		r.fail(BadNumber, r.last, "integer "+cut(lit)+" is beyond 9007199254740991")
		return 0
	}
	return n
}

// small reads an integer of up to 15 digits that begins here, without a minus,
// and ends before a comma or a closing bracket; most numbers are of this kind.
// Else it returns false and does nothing.
func (r *Reader) small() (n int64, ok bool) {
	i := r.pos
	for i < len(r.in) && r.in[i]-'0' <= 9 {
		n = n*10 + int64(r.in[i]-'0')
		i++
	}
	size := i - r.pos
	if !r.due || r.err != nil || i == len(r.in) || uint(size-1) > 14 || r.in[r.pos] == '0' && size > 1 || r.in[i] != ',' && r.in[i]|0x20 != '}' {
		return 0, false
	}
	r.last, r.pos, r.due = r.pos, i, false
	return n, true
}

// Nano reads a number into nano-units, exactly: 0.5 is 500_000_000. Any spelling
// of a number is accepted, 1.23e-7 and 1.50 too; a number that is not a multiple
// of 10⁻⁹, or 10⁶ and more in magnitude, is refused.
func (r *Reader) Nano() int64 {
	if !r.begin(Number, "a number") {
		return 0
	}
	lit, _, ok := r.number()
	if !ok {
		return 0
	}
	n, problem := parseDecimal(lit).nano()
	if problem != "" {
		r.fail(BadNumber, r.last, "number "+cut(lit)+" "+problem)
		return 0
	}
	return n
}

// Bool reads true or false.
func (r *Reader) Bool() bool {
	if r.Kind() == False {
		r.last = r.pos
		r.word("false")
		return false
	}
	return r.begin(True, "true or false") && r.word("true")
}

// Null reads null.
func (r *Reader) Null() {
	if r.begin(Null, "null") {
		r.word("null")
	}
}

// Skip reads one value of any kind, and validates all of it.
func (r *Reader) Skip() { r.Raw() }

// Raw reads one value of any kind, validates all of it and returns its bytes,
// which are a part of the input.
func (r *Reader) Raw() []byte {
	if r.Kind() == End {
		panic("json: BUG: no value is due")
	}
	start := r.pos
	r.drain(len(r.stack))
	if r.err != nil {
		return nil
	}
	r.last = start
	return r.in[start:r.pos:r.pos]
}

// drain reads until no value is due and depth frames are open.
func (r *Reader) drain(depth int) {
	for r.err == nil {
		switch {
		case r.due:
			r.one()
		case len(r.stack) == depth:
			return
		case r.stack[len(r.stack)-1].kind == Object:
			r.NextMember()
		default:
			r.NextElement()
		}
	}
}

// one reads a value that holds no others, or enters one that may.
func (r *Reader) one() {
	k := r.Kind()
	r.last = r.pos
	switch k {
	case Object, Array:
		r.enter(k)
	case String:
		r.due = !r.pass()
	case Number:
		r.number()
	case True:
		r.word("true")
	case False:
		r.word("false")
	case Null:
		r.word("null")
	}
}

// End returns the first error, or one if anything but white space follows the
// document's value. It is the last call of every decoder.
func (r *Reader) End() error {
	if r.err != nil {
		return r.err
	}
	if r.due || len(r.stack) > 0 {
		panic("json: BUG: the document was not read to its end")
	}
	r.space()
	if r.pos < len(r.in) {
		r.fail(BadSyntax, r.pos, "expected the end of the document, found "+r.found(r.pos))
		return r.err
	}
	return nil
}

// Err returns the first error, an *[Error], or nil.
func (r *Reader) Err() error {
	if r.err != nil {
		return r.err
	}
	return nil
}

// Offset returns where the value or name that was read last begins.
func (r *Reader) Offset() int { return r.last }

// Path says where the reader is: the value that comes next if one is due, else
// the one read last. It looks like `documents[3].text`, and is empty at the top;
// a name that is not plain stands in brackets and quotes.
func (r *Reader) Path() string {
	var b []byte
	for i := range r.stack {
		if f := &r.stack[i]; !f.shown {
			break
		} else if f.kind == Object {
			b = appendPathName(b, f.name)
		} else {
			b = appendPathIndex(b, f.count-1)
		}
	}
	return string(b)
}

// Fail refuses what was read last, or the value that is due, for a reason of the
// caller: the error has the reason BadValue and the path and offset of that
// value. The problem is a sentence like `expected a positive integer`; user text
// in it goes through Quote. After an error it does nothing.
func (r *Reader) Fail(problem string) {
	r.fail(BadValue, r.last, problem)
}

// Unknown refuses the member whose name NextMember or Object gave last, and
// whose value has not been read, naming the nearest of the names that are known.
// After an error it does nothing.
func (r *Reader) Unknown(known []string) {
	if r.err != nil {
		return
	}
	if !r.due || len(r.stack) == 0 || r.stack[len(r.stack)-1].kind != Object {
		panic("json: BUG: not at a member")
	}
	f := &r.stack[len(r.stack)-1]
	f.shown = false
	r.fail(UnknownMember, r.last, "unknown member "+Quote(f.name))
	if near := Nearest(f.name, known); near != "" {
		r.err.Hint = "did you mean " + Quote(near) + "?"
	}
}

// fail keeps the first error.
func (r *Reader) fail(why Reason, offset int, problem string) {
	if r.err == nil {
		r.err = &Error{Reason: why, Offset: offset, Path: r.Path(), Problem: problem}
	}
}

// found describes what stands at byte i.
func (r *Reader) found(i int) string {
	if i == len(r.in) {
		return "the end of the document"
	}
	c, n := utf8.DecodeRune(r.in[i:])
	if c == utf8.RuneError && n == 1 {
		return string(appendHex([]byte("byte 0x"), uint32(r.in[i]), 2))
	}
	return Quote(string(c))
}

// peek returns the byte at r.pos, or 0 at the end.
func (r *Reader) peek() byte {
	if r.pos < len(r.in) {
		return r.in[r.pos]
	}
	return 0
}

func (r *Reader) space() {
	for r.pos < len(r.in) && r.in[r.pos] <= ' ' {
		switch r.in[r.pos] {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return
		}
	}
}

// word reads a literal name of which the first byte has been seen.
func (r *Reader) word(w string) bool {
	if !bytes.HasPrefix(r.in[r.pos:], []byte(w)) {
		r.fail(BadSyntax, r.pos, "expected "+w)
		return false
	}
	r.pos += len(w)
	r.due = false
	return true
}

// number reads a number and returns its text, and whether it is an integer in
// form: neither fraction nor exponent.
func (r *Reader) number() (lit []byte, integer, ok bool) {
	start := r.pos
	if r.in[r.pos] == '-' {
		r.pos++
	}
	if r.peek() == '0' {
		r.pos++
		if c := r.peek(); '0' <= c && c <= '9' {
			r.fail(BadSyntax, start, "number with leading zeros")
			return nil, false, false
		}
	} else if !r.digits() {
		return nil, false, false
	}
	integer = true
	if r.peek() == '.' {
		integer = false
		r.pos++
		if !r.digits() {
			return nil, false, false
		}
	}
	if c := r.peek(); c == 'e' || c == 'E' {
		integer = false
		r.pos++
		if c := r.peek(); c == '+' || c == '-' {
			r.pos++
		}
		if !r.digits() {
			return nil, false, false
		}
	}
	r.due = false
	return r.in[start:r.pos], integer, true
}

// digits reads one digit or more.
func (r *Reader) digits() bool {
	start := r.pos
	for r.pos < len(r.in) && r.in[r.pos]-'0' <= 9 {
		r.pos++
	}
	if r.pos == start {
		r.fail(BadSyntax, r.pos, "expected a digit, found "+r.found(r.pos))
		return false
	}
	return true
}

// unquote reads a string and returns it unescaped.
func (r *Reader) unquote() (string, bool) {
	start := r.pos + 1
	if end, ascii := plain(r.text, start); ascii && end < len(r.in) && r.in[end] == '"' {
		r.pos = end + 1
		return r.text[start:end], true
	}
	start, end, saved, ok := r.scan()
	if !ok || saved == 0 {
		return r.text[start:end], ok
	}
	out := unescape(r.text[start:end], end-start-saved)
	return share(out), true
}

// pass reads a string and validates it.
func (r *Reader) pass() bool {
	if end, ascii := plain(r.text, r.pos+1); ascii && end < len(r.in) && r.in[end] == '"' {
		r.pos = end + 1
		return true
	}
	_, _, _, ok := r.scan()
	return ok
}

// share returns b, which is not empty, as a string in the same memory. Copying
// instead costs a quarter of the reader's speed and 8 allocations a document:
// measured with BenchmarkRead.
func share(b []byte) string { return unsafe.String(&b[0], len(b)) }

// scan reads a string and validates it. Its text is in[start:end], and unescaped
// it is saved bytes shorter.
func (r *Reader) scan() (start, end, saved int, ok bool) {
	start = r.pos + 1
	for i := start; ; {
		j, ascii := plain(r.text, i)
		if !ascii {
			if bad := illFormed(r.text[i:j]); bad >= 0 {
				r.fail(BadEncoding, i+bad, "ill-formed UTF-8")
				return 0, 0, 0, false
			}
		}
		if j == len(r.in) {
			r.fail(BadSyntax, r.pos, "string without its closing quote")
			return 0, 0, 0, false
		}
		switch r.in[j] {
		case '"':
			r.pos = j + 1
			return start, j, saved, true
		case '\\':
			if j+1 < len(r.in) && unescapes[r.in[j+1]] != 0 {
				i = j + 2
				saved++
				continue
			}
			c, n := r.escape(j)
			if n == 0 {
				return 0, 0, 0, false
			}
			i = j + n
			saved += n - utf8.RuneLen(c)
		default:
			r.fail(BadSyntax, j, "unescaped control character "+r.found(j)+" in a string")
			return 0, 0, 0, false
		}
	}
}

// escape returns the character that the escape at in[i] stands for and the
// escape's length, which is 0 after an error.
func (r *Reader) escape(i int) (c rune, n int) {
	if i+1 == len(r.in) {
		r.fail(BadSyntax, r.pos, "string without its closing quote")
		return 0, 0
	}
	c, n = unescapeOne(r.text[i:])
	switch {
	case n > 0:
		return c, n
	case c < 0:
		bad := *r
		bad.pos = i + 1
		r.fail(BadSyntax, i, "unknown escape, backslash before "+r.found(i+1))
	case c == 0:
		r.fail(BadSyntax, i, `escape \u without four hexadecimal digits`)
	default:
		r.fail(BadEncoding, i, string(appendHex([]byte(`escape of a lone surrogate \u`), uint32(c), 4)))
	}
	return 0, 0
}

// unescapes holds what the escapes of two characters stand for, by the second.
var unescapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescapeOne decodes the escape that s begins with. Where it is wrong, n is 0
// and c says why: −1 for an unknown escape, 0 for hexadecimal digits that are
// missing, else the lone surrogate.
func unescapeOne(s string) (c rune, n int) {
	if c := unescapes[s[1]]; c != 0 {
		return rune(c), 2
	}
	if s[1] == 'u' {
		c, ok := hex4(s)
		if !ok {
			return 0, 0
		}
		if !utf16.IsSurrogate(c) {
			return c, 6
		}
		if low, ok := hex4(s[6:]); ok {
			if pair := utf16.DecodeRune(c, low); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return c, 0
	}
	return -1, 0
}

// hex4 reads \u and four hexadecimal digits.
func hex4(s string) (c rune, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for i := 2; i < 6; i++ {
		d := s[i]
		switch {
		case d-'0' <= 9:
			d -= '0'
		case d|0x20-'a' <= 5:
			d = d | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		c = c<<4 | rune(d)
	}
	return c, true
}

// unescape decodes a string that scan has validated, to size bytes.
func unescape(s string, size int) []byte {
	out := make([]byte, 0, size)
	for i := 0; ; {
		j, _ := plain(s, i) // at a backslash, or the end
		out = append(out, s[i:j]...)
		if j == len(s) {
			return out
		}
		if c := unescapes[s[j+1]]; c != 0 {
			out = append(out, c)
			i = j + 2
			continue
		}
		c, n := unescapeOne(s[j:])
		out = utf8.AppendRune(out, c)
		i = j + n
	}
}

// few is how many names of an object are compared one by one; from there on they
// stand in a trie.
const few = 8

// A branch is an inner node of a bit trie over the names of an object: names
// that reach it agree in all bits before this one. A side is a branch of the
// same frame, or ^i for the frame's name i. A walk passes at most nine branches
// for each byte of the name, whatever the other names are.
type branch struct {
	at   uint32 // byte of the name
	bit  uint16 // of unit
	side [2]int32
}

// unit returns byte i of a name with a ninth bit on top, or 0 behind its end,
// so that no name is a prefix of another.
func unit(s string, i uint32) uint16 {
	if i < uint32(len(s)) {
		return uint16(s[i]) | 0x100
	}
	return 0
}

// of returns the side of b that s belongs to.
func (b *branch) of(s string) int {
	if unit(s, b.at)&b.bit != 0 {
		return 1
	}
	return 0
}

// record adds a name to those of the object f, or returns false if it is there.
func (r *Reader) record(f *frame, name string) bool {
	own := r.names[f.names:]
	if len(own) < few {
		if slices.Contains(own, name) {
			return false
		}
	} else {
		if len(own) == few {
			f.root = ^0
			for i := 1; i < few; i++ {
				r.plant(f, own[i], i)
			}
		}
		if !r.plant(f, name, len(own)) {
			return false
		}
	}
	r.names = append(r.names, name)
	return true
}

// markOf returns one bit of 64 for a name. Most names of an object have different
// marks, and equal names have equal ones.
func markOf(name string) uint64 {
	n := uint(len(name))
	if n > 0 {
		n += uint(name[0])*7 + uint(name[n-1])*5 + uint(name[n/2])*3
	}
	return 1 << (n & 63)
}

// plant puts name i of the object f into its trie, or returns false if an equal
// one is there.
func (r *Reader) plant(f *frame, name string, i int) bool {
	trie := r.branches[f.branches:]
	side := f.root
	for side >= 0 {
		side = trie[side].side[trie[side].of(name)]
	}
	near := r.names[f.names:][^side]
	at := uint32(0)
	for int(at) < min(len(name), len(near)) && name[at] == near[at] {
		at++
	}
	differ := unit(name, at) ^ unit(near, at)
	if differ == 0 {
		return false
	}
	b := branch{at: at, bit: 1 << (bits.Len16(differ) - 1)}
	place := &f.root
	for *place >= 0 {
		next := &trie[*place]
		if next.at > b.at || next.at == b.at && next.bit < b.bit {
			break
		}
		place = &next.side[next.of(name)]
	}
	own := b.of(name)
	b.side[own] = ^int32(i)
	b.side[1-own] = *place
	*place = int32(len(trie))
	r.branches = append(r.branches, b)
	return true
}
