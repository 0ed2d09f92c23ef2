package json

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"sort"
)

// A Value is a JSON value in memory, immutable. The zero Value has the kind
// Invalid and stands for a value that is missing.
//
// A number is kept exactly. It has at most 1000 significant digits, and an
// exponent from −1000 to 1000 where it is written with one digit before the
// point. Its canonical spelling is that of RFC 8785 if it is what a float64 is
// spelt as, and else has all of its digits in the same layout.
//
// A Value shares the memory of what was parsed, which must not change as long as
// it is in use.
type Value struct {
	doc *document
	at  int32
}

// A document holds the nodes of a Value in one slice, children before parents.
type document struct {
	nodes []node
	kids  []int32 // the children of each node, together
}

// A node is one value: text is a string, or the canonical spelling of a number;
// kids[first:first+count] are the children, members in canonical order.
type node struct {
	kind         Kind
	first, count int32
	name         string // of the member that it is the value of
	text         string
}

// Parse reads a whole document. It refuses what [Reader] refuses, and the
// numbers that a [Value] does not hold with BadNumber.
func Parse(in []byte) (Value, error) {
	b := builder{r: NewReader(in)}
	for b.due() {
		n := node{kind: b.r.Kind(), name: b.name}
		if n.kind == Object || n.kind == Array {
			b.enter(n)
		} else {
			n.text = b.r.scalar(n.kind)
			b.done = append(b.done, b.doc.add(n, nil))
		}
	}
	if err := b.r.End(); err != nil {
		return Value{}, err
	}
	return Value{&b.doc, b.done[0]}, nil
}

// A builder makes the nodes of a document in the order in which they end.
type builder struct {
	r    *Reader
	doc  document
	name string  // of the value that is due
	open []node  // entered and not left
	kids []int   // where in done the children of each open node begin
	done []int32 // nodes whose parent is open, at last the whole document
}

func (b *builder) enter(n node) {
	b.open, b.kids = append(b.open, n), append(b.kids, len(b.done))
	if n.kind == Object {
		b.r.EnterObject()
	} else {
		b.r.EnterArray()
	}
}

// due goes on to the next value, over the ends of objects and arrays, and
// reports whether there is one.
func (b *builder) due() bool {
	for b.r.err == nil && !b.r.due && len(b.open) > 0 {
		n, ok := b.open[len(b.open)-1], false
		if n.kind == Object {
			b.name, ok = b.r.NextMember()
		} else {
			b.name, ok = "", b.r.NextElement()
		}
		if !ok && b.r.err == nil {
			first := b.kids[len(b.kids)-1]
			b.done = append(b.done[:first], b.doc.add(n, b.done[first:]))
			b.open, b.kids = b.open[:len(b.open)-1], b.kids[:len(b.kids)-1]
		}
	}
	return b.r.err == nil && b.r.due
}

// scalar reads a value of kind k that holds no others and returns its text.
func (r *Reader) scalar(k Kind) string {
	switch k {
	case String:
		return r.String()
	case Number:
		return r.numeral()
	case True, False:
		r.Bool()
	case Null:
		r.Null()
	}
	return ""
}

// numeral reads a number and returns its canonical spelling.
func (r *Reader) numeral() string {
	r.last = r.pos
	lit, _, ok := r.number()
	if !ok {
		return ""
	}
	var buf [32]byte
	s, problem := parseDecimal(lit).canonical(buf[:0], lit)
	if problem != "" {
		r.fail(BadNumber, r.last, "number "+cut(lit)+" "+problem)
	} else if bytes.Equal(s, lit) {
		return share(lit)
	}
	return string(s)
}

// add appends a node with its children, whose order it settles.
func (d *document) add(n node, kids []int32) int32 {
	if n.kind == Object {
		slices.SortFunc(kids, func(a, b int32) int { return CompareNames(d.nodes[a].name, d.nodes[b].name) })
	}
	n.first, n.count = int32(len(d.kids)), int32(len(kids))
	d.kids = append(d.kids, kids...)
	d.nodes = append(d.nodes, n)
	return int32(len(d.nodes) - 1)
}

func (v Value) node() *node {
	if v.doc == nil {
		return &node{}
	}
	return &v.doc.nodes[v.at]
}

func (v Value) kid(i int) Value {
	n := v.node()
	return Value{v.doc, v.doc.kids[n.first:][:n.count][i]}
}

// Kind returns what v is: Invalid if it is missing, never End.
func (v Value) Kind() Kind { return v.node().kind }

// Len returns the number of members or elements, 0 for other kinds.
func (v Value) Len() int { return int(v.node().count) }

// Member returns the member of an object, or the zero Value if v has no such
// member or is no object.
func (v Value) Member(name string) Value {
	if v.Kind() != Object {
		return Value{}
	}
	i, ok := sort.Find(v.Len(), func(i int) int { return CompareNames(name, v.kid(i).node().name) })
	if !ok {
		return Value{}
	}
	return v.kid(i)
}

// Members yields the members of an object in canonical order.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Kind() != Object {
			return
		}
		for i := range v.Len() {
			if k := v.kid(i); !yield(k.node().name, k) {
				return
			}
		}
	}
}

// Elements yields the elements of an array.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.Kind() != Array {
			return
		}
		for i := range v.Len() {
			if !yield(i, v.kid(i)) {
				return
			}
		}
	}
}

// Text returns a string, unescaped, or "" for other kinds.
func (v Value) Text() string {
	if v.Kind() != String {
		return ""
	}
	return v.node().text
}

// Int returns a number that is an integer of at most MaxInt in magnitude.
func (v Value) Int() (n int64, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	text := []byte(v.node().text)
	for i, c := range text {
		if c-'0' > 9 && !(i == 0 && c == '-') {
			return 0, false
		}
	}
	return parseInt(text)
}

// Nano returns a number in nano-units, if that is exact and below 10⁶.
func (v Value) Nano() (n int64, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	n, problem := parseDecimal([]byte(v.node().text)).nano()
	return n, problem == ""
}

// String returns v as canonical JSON, or "" if it is missing.
func (v Value) String() string { return string(Append(nil, v)) }

// Canonicalize returns a document as canonical JSON. It refuses what Parse does.
func Canonicalize(in []byte) ([]byte, error) {
	v, err := Parse(in)
	if err != nil {
		return nil, err
	}
	return Append(make([]byte, 0, len(in)), v), nil
}

// Append appends v as canonical JSON; a missing Value appends nothing.
func Append(dst []byte, v Value) []byte {
	type place struct {
		v    Value
		next int // child
	}
	var open []place
	for {
		switch n := v.node(); n.kind {
		case Object:
			dst = append(dst, '{')
			open = append(open, place{v, 0})
		case Array:
			dst = append(dst, '[')
			open = append(open, place{v, 0})
		case String:
			dst = AppendString(dst, n.text)
		case Number:
			dst = append(dst, n.text...)
		case True, False, Null:
			dst = append(dst, n.kind.String()...)
		}
		for len(open) > 0 && open[len(open)-1].next == open[len(open)-1].v.Len() {
			if open[len(open)-1].v.Kind() == Object {
				dst = append(dst, '}')
			} else {
				dst = append(dst, ']')
			}
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			return dst
		}
		p := &open[len(open)-1]
		if p.next > 0 {
			dst = append(dst, ',')
		}
		v = p.v.kid(p.next)
		p.next++
		if p.v.Kind() == Object {
			dst = append(AppendString(dst, v.node().name), ':')
		}
	}
}

// Diff returns where two values differ first, going through members in canonical
// order and through elements in theirs: the path, as Reader.Path writes it, and
// what stands there in a and in b. A member or element that one of them lacks is
// a difference at its path, and the Value of that side is missing. An object and
// an array, a string and a number, true and false differ where they stand.
func Diff(a, b Value) (path string, av, bv Value, equal bool) {
	var open []pair
	for {
		m, n := a.node(), b.node()
		if m.kind != n.kind || m.text != n.text {
			return pathOf(open, cmp.Or(m.name, n.name)), a, b, false
		}
		if m.kind == Object || m.kind == Array {
			open = append(open, pair{a, b, 0})
		}
		for len(open) > 0 && open[len(open)-1].over() {
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			return "", Value{}, Value{}, true
		}
		a, b = open[len(open)-1].step()
	}
}

// A pair is two objects, or two arrays, whose first next children are equal.
type pair struct {
	a, b Value
	next int
}

func (p *pair) over() bool { return p.next >= max(p.a.Len(), p.b.Len()) }

// step returns the next children to compare, of which one may be missing; then
// they differ, and no step follows.
func (p *pair) step() (a, b Value) {
	if p.next < p.a.Len() {
		a = p.a.kid(p.next)
	}
	if p.next < p.b.Len() {
		b = p.b.kid(p.next)
	}
	p.next++
	if a.doc != nil && b.doc != nil {
		// Elements have no names and compare equal here.
		switch c := CompareNames(a.node().name, b.node().name); {
		case c < 0:
			b = Value{}
		case c > 0:
			a = Value{}
		}
	}
	return a, b
}

// pathOf returns the path to the last step of each pair; last is the name of the
// one that differs, if it is a member.
func pathOf(open []pair, last string) string {
	var b []byte
	for i, p := range open {
		switch {
		case p.a.Kind() == Array:
			b = appendPathIndex(b, p.next-1)
		case i == len(open)-1:
			b = appendPathName(b, last)
		default:
			b = appendPathName(b, p.a.kid(p.next-1).node().name)
		}
	}
	return string(b)
}
