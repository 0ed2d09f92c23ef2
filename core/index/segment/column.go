package segment

import (
	"bytes"
	"slices"
	"strings"
)

// An Attribute is a value of a document's metadata: where it stands, and an
// encoding of it whose bytes compare as the values do.
type Attribute struct {
	Path  string
	Value []byte
}

// The section fields holds a column for each path, by the bytes of the paths:
//
//	u32        how many columns
//	u32 × 2    of each column: where in the section its path begins, and its values
//	paths      strings
//	values     of a column: u32 how many documents have the path, those as u32,
//	           ascending; u32 how many different values, then for each, ascending,
//	           u32 × 2: where in the section its bytes begin (a string) and where
//	           its documents begin (u32 how many, those as u32, ascending)
type columns struct {
	at   map[string]int // path → its place in list
	list []column
}

// A column collects the values under one path.
type column struct {
	path   string
	at     map[string]int // value → its place in values
	values []value
}

type value struct {
	bytes string
	docs  []uint32
}

func (c *columns) add(doc uint32, list []Attribute) {
	if c.at == nil && len(list) > 0 {
		c.at = map[string]int{}
	}
	for _, a := range list {
		i, ok := c.at[a.Path]
		if !ok {
			i = len(c.list)
			c.at[a.Path] = i
			c.list = append(c.list, column{path: a.Path, at: map[string]int{}})
		}
		c.list[i].add(doc, a.Value)
	}
}

func (c *column) add(doc uint32, bytes []byte) {
	i, ok := c.at[string(bytes)]
	if !ok {
		i = len(c.values)
		c.at[string(bytes)] = i
		c.values = append(c.values, value{bytes: string(bytes)})
	}
	if docs := c.values[i].docs; len(docs) == 0 || docs[len(docs)-1] != doc {
		c.values[i].docs = append(docs, doc)
	}
}

func (c *columns) encode() []byte {
	slices.SortFunc(c.list, func(a, b column) int { return strings.Compare(a.path, b.path) })
	out := appendU32(nil, uint32(len(c.list)))
	at := len(out)
	out = append(out, make([]byte, 8*len(c.list))...)
	for i := range c.list {
		put(out, at+8*i, len(out))
		out = appendString(out, c.list[i].path)
		var table []byte
		table, out = c.list[i].encode(out)
		put(out, at+8*i+4, len(out))
		out = append(out, table...)
	}
	return out
}

// encode appends what the table of a column refers to to out, and returns the
// table.
func (c *column) encode(out []byte) (table, rest []byte) {
	slices.SortFunc(c.values, func(a, b value) int { return strings.Compare(a.bytes, b.bytes) })
	var all []uint32
	var index []byte
	for _, v := range c.values {
		index = appendU32(index, uint32(len(out)))
		out = appendString(out, v.bytes)
		index = appendU32(index, uint32(len(out)))
		out = appendList(out, v.docs)
		all = append(all, v.docs...)
	}
	slices.Sort(all)
	table = appendList(nil, slices.Compact(all))
	table = appendU32(table, uint32(len(c.values)))
	return append(table, index...), out
}

func appendList(dst []byte, list []uint32) []byte {
	dst = appendU32(dst, uint32(len(list)))
	for _, n := range list {
		dst = appendU32(dst, n)
	}
	return dst
}

func put(b []byte, at, n int) { copy(b[at:at+4], appendU32(nil, uint32(n))) }

// A Column holds what the documents have under one path. The zero Column is that
// of a path that none has.
type Column struct {
	section []byte
	all     list
	values  []byte // u32 × 2 of each
}

// A list is u32 numbers in bytes.
type list []byte

func (l list) len() int        { return len(l) / 4 }
func (l list) at(i int) uint32 { return u32(l, 4*i) }

func readList(section []byte, at uint32) (l list, end int, ok bool) {
	if uint64(at)+4 > uint64(len(section)) {
		return nil, 0, false
	}
	n := uint64(u32(section, int(at)))
	from := uint64(at) + 4
	if from+4*n > uint64(len(section)) {
		return nil, 0, false
	}
	return list(section[from : from+4*n]), int(from + 4*n), true
}

// Column returns the column of a path.
func (s *Segment) Column(path string) Column {
	section := s.section(sectionFields)
	if len(section) < 4 {
		return Column{}
	}
	n := int(u32(section, 0))
	if uint64(4+8*n) > uint64(len(section)) {
		return Column{}
	}
	i, found := search(n, func(i int) int { return strings.Compare(stringAt(section, u32(section, 4+8*i)), path) })
	if !found {
		return Column{}
	}
	all, end, ok := readList(section, u32(section, 4+8*i+4))
	if !ok || end+4 > len(section) {
		return Column{}
	}
	values := uint64(u32(section, end))
	if uint64(end)+4+8*values > uint64(len(section)) {
		return Column{}
	}
	return Column{section, all, section[end+4 : uint64(end)+4+8*values]}
}

// stringAt returns the string at a place of a section, "" where there is none.
func stringAt(section []byte, at uint32) string {
	if uint64(at) > uint64(len(section)) {
		return ""
	}
	d := decoder{b: section[at:]}
	return d.string()
}

// search finds the place of what compares as 0 in n ascending things.
func search(n int, compare func(i int) int) (at int, found bool) {
	lo, hi := 0, n
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if compare(mid) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < n && compare(lo) == 0
}

// Values returns how many different values a column has.
func (c Column) Values() int { return len(c.values) / 8 }

// Value returns the i-th value; they ascend.
func (c Column) Value(i int) []byte {
	at := u32(c.values, 8*i)
	if uint64(at) > uint64(len(c.section)) {
		return nil
	}
	d := decoder{b: c.section[at:]}
	n := d.varint()
	return d.b[:min(n, uint64(len(d.b)))]
}

// Find returns the first value that is not below v.
func (c Column) Find(v []byte) int {
	i, _ := search(c.Values(), func(i int) int { return bytes.Compare(c.Value(i), v) })
	return i
}

// Documents yields the documents with the i-th value.
func (c Column) Documents(i int, yield func(doc uint32)) {
	l, _, _ := readList(c.section, u32(c.values, 8*i+4))
	for i := range l.len() {
		yield(l.at(i))
	}
}

// Present yields the documents that have the path.
func (c Column) Present(yield func(doc uint32)) {
	for i := range c.all.len() {
		yield(c.all.at(i))
	}
}
