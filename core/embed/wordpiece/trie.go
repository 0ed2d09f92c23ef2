package wordpiece

import "math/bits"

// A trie holds pieces byte by byte. A node is a beginning of pieces, the root is 0. Its
// edges stand in a hash table with linear probing. A table of strings, asked for ever
// shorter beginnings of a word, took twice as long on English and four times on German.
type trie struct {
	edges []edge  // the length is a power of two
	ids   []int32 // by nodes: the id of the piece that ends here, or none
}

// An edge leads from a node by a byte to a node, or nowhere: to the root.
type edge struct {
	from, to uint32
	by       byte
}

const none = -1

func newTrie() trie { return trie{edges: make([]edge, 1024), ids: []int32{none}} }

// add adds a piece unless it is there, and returns its node.
func (t *trie) add(piece string) (node uint32) {
	for i := range len(piece) {
		e := t.slot(node, piece[i])
		to := e.to
		if to == 0 {
			to = uint32(len(t.ids))
			*e = edge{node, to, piece[i]}
			t.ids = append(t.ids, none)
			if 2*len(t.ids) > len(t.edges) {
				t.grow()
			}
		}
		node = to
	}
	return node
}

func (t *trie) grow() {
	old := t.edges
	t.edges = make([]edge, 2*len(old))
	for _, e := range old {
		if e.to != 0 {
			*t.slot(e.from, e.by) = e
		}
	}
}

// slot returns the edge from a node by a byte, or the free place for it.
func (t *trie) slot(from uint32, by byte) *edge {
	hash := (uint64(from)<<8 | uint64(by)) * 0x9e3779b97f4a7c15
	mask := len(t.edges) - 1
	for i := int(hash >> (bits.LeadingZeros64(uint64(mask)))); ; i = (i + 1) & mask {
		if e := &t.edges[i&mask]; e.to == 0 || e.from == from && e.by == by {
			return e
		}
	}
}

// longest returns the id and the length of the longest piece that goes from a node along
// a word, and none if there is none.
func (t *trie) longest(node uint32, word []byte) (id int32, n int) {
	id = none
	for i, b := range word {
		if node = t.slot(node, b).to; node == 0 {
			break
		}
		if t.ids[node] != none {
			id, n = t.ids[node], i+1
		}
	}
	return id, n
}
