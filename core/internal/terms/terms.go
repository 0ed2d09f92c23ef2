// Package terms numbers strings: a hash table with linear probing, which costs a
// third of Go's map where processors have no instruction for its hash, as in
// WebAssembly.
//
// The hash is seeded with the root of the corpus, so that nobody can write a
// document whose terms collide: the document would change the seed. The hash
// reaches nothing but places in the table.
package terms

import "strings"

// A Table numbers terms 0, 1, 2, … in the order of their first occurrence.
type Table struct {
	seed  uint64
	names []string
	table []entry // the length is a power of two
}

// An entry is a place of the table: the number of a term and one, or 0, and its hash.
type entry struct{ next, hash uint32 }

// New returns an empty Table. The seed is one that no text can foresee.
func New(seed uint64) Table { return Table{seed: seed, table: make([]entry, 1024)} }

// Len returns the number of terms.
func (t *Table) Len() int { return len(t.names) }

// Names returns the terms by their numbers. The caller changes nothing in it.
func (t *Table) Names() []string { return t.names }

// Find returns the number of a term.
func (t *Table) Find(term string) (uint32, bool) {
	e := t.table[t.slot(term, t.hash(term))]
	return e.next - 1, e.next > 0
}

// Add returns the number of a term, and whether it is new.
func (t *Table) Add(term string) (n uint32, fresh bool) {
	h := t.hash(term)
	i := t.slot(term, h)
	if e := t.table[i]; e.next > 0 {
		return e.next - 1, false
	}
	t.names = append(t.names, strings.Clone(term)) // it may share memory with the text
	t.table[i] = entry{uint32(len(t.names)), h}
	if 2*len(t.names) > len(t.table) {
		t.grow()
	}
	return uint32(len(t.names) - 1), true
}

// slot returns where a term stands in the table, or the free place for it.
func (t *Table) slot(term string, h uint32) int {
	mask := len(t.table) - 1
	for i := int(h) & mask; ; i = (i + 1) & mask {
		if e := t.table[i]; e.next == 0 || e.hash == h && t.names[e.next-1] == term {
			return i
		}
	}
}

func (t *Table) grow() {
	old := t.table
	t.table = make([]entry, 4*len(old))
	mask := len(t.table) - 1
	for _, e := range old {
		if e.next == 0 {
			continue
		}
		i := int(e.hash) & mask
		for t.table[i].next != 0 {
			i = (i + 1) & mask
		}
		t.table[i] = e
	}
}

// hash multiplies the seed and eight bytes at a time through the string.
func (t *Table) hash(s string) uint32 {
	const odd = 0x9e3779b97f4a7c15
	h := t.seed ^ uint64(len(s))
	for ; len(s) >= 8; s = s[8:] {
		h = (h ^ word(s)) * odd
		h ^= h >> 29
	}
	var last uint64
	for i := range len(s) {
		last |= uint64(s[i]) << (8 * i)
	}
	h = (h ^ last) * odd
	h ^= h >> 32
	return uint32(h * odd >> 32)
}

// word reads eight bytes: to copy them would be a call in WebAssembly.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
