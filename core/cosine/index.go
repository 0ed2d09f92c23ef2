// Package cosine scores documents by the cosine of raw term counts, exactly.
//
// With q and d the counts of a content term in the need and in the document,
//
//	dot          = Σ q·d            over the terms of both
//	queryNorm    = Σ q²             over the terms of the need
//	documentNorm = Σ d²             over the terms of the document
//	score        = dot / √(queryNorm·documentNorm)
//
// rounded half up to nano-units by [fixed.Cosine]; it is 0 when a norm is 0, 1
// for the same proportions. Terms are the tokens of [text.Cosine] without stop
// words. Every document is scored by the same integers whether or not an index
// finds it: an [Index] only passes over those whose dot is 0, see
// TestIndexEqualsScan.
package cosine

import (
	"unsafe"

	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/internal/terms"
	"github.com/rookhaven-project/rookhaven/core/text"
)

// An Index holds the term counts of documents, by term.
type Index struct {
	terms terms.Table
	start []uint32 // term → where its postings begin; one more at the end
	posts []posting
	norms []uint64 // document → documentNorm
	bytes int64
}

// A posting says how often a term occurs in a document.
type posting struct{ doc, count uint32 }

// Len returns the number of documents.
func (x *Index) Len() int { return len(x.norms) }

// Bytes returns what the Index accounts for.
func (x *Index) Bytes() int64 { return x.bytes }

// A Builder makes an Index from texts, which get the numbers 0, 1, 2, ….
type Builder struct {
	index    Index
	account  *meter.Account
	meter    *meter.Meter
	last     []uint32 // term → the posting of the document under way, if it has one
	counts   []count  // of all documents, one document after the other
	docStart []uint32 // document → where its counts begin
	taken    int64
}

// A count is a posting with the term in place of the document.
type count struct{ term, count uint32 }

// NewBuilder returns a Builder for texts of so many bytes together, which takes
// its memory from an account. The seed is one that no text can foresee; it
// changes nothing but how fast terms are found.
func NewBuilder(seed uint64, size int, a *meter.Account, m *meter.Meter) *Builder {
	return &Builder{
		index:   Index{terms: terms.New(seed)},
		account: a,
		meter:   m,
		counts:  make([]count, 0, size/bytesPerCount),
	}
}

// bytesPerCount is how many bytes of prose there are to a term of a document; a
// corpus with fewer makes the counts grow, one with more leaves some unused.
const bytesPerCount = 8

// What the parts of an index take, generously: a term with its place in a table
// that is at most half full, a posting in both orders, a document.
const (
	termBytes     = 80
	postingBytes  = int64(unsafe.Sizeof(posting{}) + 2*unsafe.Sizeof(count{}))
	documentBytes = 32
)

// Add adds the next document.
func (b *Builder) Add(s string) error {
	first := uint32(len(b.counts))
	b.docStart = append(b.docStart, first)
	known := b.index.terms.Len()
	steps := 0
	for tok := range text.Cosine(s) {
		if steps += len(tok.Text) + 8; steps > 1<<16 {
			if err := b.meter.Add(steps); err != nil {
				return err
			}
			steps = 0
		}
		if !text.IsStop(tok.Text) {
			b.count(tok.Text, first)
		}
	}
	if err := b.meter.Add(steps + 64); err != nil {
		return err
	}
	var norm uint64
	for _, c := range b.counts[first:] {
		norm += uint64(c.count) * uint64(c.count)
	}
	b.index.norms = append(b.index.norms, norm)
	return b.take(int64(b.index.terms.Len()-known)*termBytes + int64(len(b.counts)-int(first))*postingBytes + documentBytes)
}

// count counts a term of the document whose counts begin at first.
func (b *Builder) count(term string, first uint32) {
	n, fresh := b.index.terms.Add(term)
	if fresh {
		b.last = append(b.last, 0)
	} else if at := b.last[n]; at >= first && at < uint32(len(b.counts)) && b.counts[at].term == n {
		b.counts[at].count++
		return
	}
	b.last[n] = uint32(len(b.counts))
	b.counts = append(b.counts, count{n, 1})
}

func (b *Builder) take(n int64) error {
	if err := b.account.Take(n); err != nil {
		return err
	}
	b.taken += n
	return nil
}

// Taken returns the bytes taken from the account so far, for giving them back
// when building fails.
func (b *Builder) Taken() int64 { return b.taken }

// Index returns the Index, by turning the counts from document order into term
// order. The Builder is used up.
func (b *Builder) Index() (*Index, error) {
	x := b.index
	x.start = make([]uint32, x.terms.Len()+1)
	for _, c := range b.counts {
		x.start[c.term+1]++
	}
	for n := range x.terms.Len() {
		x.start[n+1] += x.start[n]
	}
	next := append([]uint32(nil), x.start...)
	x.posts = make([]posting, len(b.counts))
	for doc, from := range b.docStart {
		to := uint32(len(b.counts))
		if doc+1 < len(b.docStart) {
			to = b.docStart[doc+1]
		}
		for _, c := range b.counts[from:to] {
			x.posts[next[c.term]] = posting{uint32(doc), c.count}
			next[c.term]++
		}
		if err := b.meter.Add(int(to-from) + 8); err != nil {
			return nil, err
		}
	}
	x.bytes = b.taken
	return &x, nil
}
