package stem

import "strings"

// A rule says what becomes of a word with one of some endings.
type rule struct {
	endings string // between spaces
	as      string // what takes the place of the ending; nothing deletes it
	in      region // where the whole ending has to lie

	// What the word has to be like before the ending. Where it is not, the ending is
	// found all the same and nothing becomes of the word; but a mild rule leaves the
	// search to shorter endings.
	when condition
	mild bool

	then func(w *word) // what follows
}

// A condition is one on the word before i.
type condition func(w *word, i int) bool

// A table finds the longest of the endings of its rules. It is a trie of the
// endings read from their end, so a search takes time in proportion to the longest
// ending, however many there are.
type table struct {
	rules []rule
	nodes []node
}

// A node is one byte of an ending.
type node struct {
	letter byte
	rule   int16 // of the ending that begins here; 0 for none, else one more than its place
	child  int16 // the first of the nodes for what may stand before; 0 for none
	next   int16 // the next node for what may stand in place of this; 0 for none
}

func newTable(rules ...rule) *table {
	t := &table{rules: rules, nodes: make([]node, 1)}
	for i := range rules {
		for rest := rules[i].endings; rest != ""; {
			var ending string
			ending, rest, _ = strings.Cut(rest, " ")
			t.add(ending, int16(i+1))
		}
	}
	return t
}

func (t *table) add(ending string, rule int16) {
	at := int16(0)
	for i := len(ending) - 1; i >= 0; i-- {
		child := t.nodes[at].child
		for child != 0 && t.nodes[child].letter != ending[i] {
			child = t.nodes[child].next
		}
		if child == 0 {
			child = int16(len(t.nodes))
			t.nodes = append(t.nodes, node{letter: ending[i], next: t.nodes[at].child})
			t.nodes[at].child = child
		}
		at = child
	}
	t.nodes[at].rule = rule
}

// find returns the rule of the longest ending that w.b[from:to] has, and where the
// ending begins; nil if it has none.
func (t *table) find(w *word, from, to int) (*rule, int) {
	var found *rule
	begin, at, nodes := 0, int16(0), t.nodes
	for i := to - 1; i >= from; i-- {
		at = nodes[at].child
		for at != 0 && nodes[at].letter != w.b[i] {
			at = nodes[at].next
		}
		if at == 0 {
			break
		}
		if n := nodes[at].rule; n != 0 {
			if r := &t.rules[n-1]; !r.mild || r.when(w, i) {
				found, begin = r, i
			}
		}
	}
	return found, begin
}

// apply does to the word what the rule of its longest ending says, and reports
// whether it took or replaced the ending.
func (t *table) apply(w *word) bool { return t.applyFrom(w, 0) }

// applyFrom is apply for endings that lie at or after a place.
func (t *table) applyFrom(w *word, from int) bool {
	r, i := t.find(w, from, len(w.b))
	if r == nil || i < w.start(r.in) || r.when != nil && !r.when(w, i) {
		return false
	}
	w.b = append(w.b[:i], r.as...)
	if r.then != nil {
		r.then(w)
	}
	return true
}

// The conditions that rules are made of.

// after reports whether the word has one of some letters before i.
func after(letters string) condition {
	in := classOf(letters)
	return func(w *word, i int) bool {
		r, _ := w.before(i)
		return in.has(r)
	}
}

// afterOther reports whether the word has a letter before i outside of a class.
func afterOther(in *class) condition {
	return func(w *word, i int) bool { return w.otherBefore(i, in) }
}

// afterAny reports whether w.b[:i] ends in one of some endings between spaces.
func afterAny(endings string) condition {
	t := newTable(rule{endings: endings})
	return func(w *word, i int) bool {
		r, _ := t.find(w, 0, i)
		return r != nil
	}
}

// letters reports whether w.b[:i] has at least n letters.
func letters(n int) condition {
	return func(w *word, i int) bool { return w.hasLetters(n, i) }
}

func never(*word, int) bool { return false }

func not(c condition) condition {
	return func(w *word, i int) bool { return !c(w, i) }
}

func both(a, b condition) condition {
	return func(w *word, i int) bool { return a(w, i) && b(w, i) }
}

func either(a, b condition) condition {
	return func(w *word, i int) bool { return a(w, i) || b(w, i) }
}
