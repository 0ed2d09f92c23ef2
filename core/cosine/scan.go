package cosine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/core/decompose"
	"github.com/rookhaven-project/rookhaven/core/internal/fixed"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
)

// A Scan scores the documents of an Index for one need after the other. It holds
// nothing between them but its memory.
type Scan struct {
	index *Index
	dots  []uint64 // document → dot, 0 between needs
	docs  []uint32 // those with a dot above 0
	bar   fixed.Bar
}

// NewScan returns a Scan over an Index.
func NewScan(x *Index) *Scan {
	return &Scan{index: x, dots: make([]uint64, x.Len())}
}

// Norm returns the squared norm of a need.
func Norm(need decompose.Need) uint64 {
	var norm uint64
	for _, t := range need.Terms {
		norm += uint64(t.Count) * uint64(t.Count)
	}
	return norm
}

// A Match is a document with a dot above 0.
type Match struct {
	Doc  int
	dot  uint64
	norm uint64
	need uint64
	bar  *fixed.Bar
}

// AtLeast reports whether the score is at least s, faster than Score says it.
func (m Match) AtLeast(s fixed.Score) bool {
	if s > 1 && m.bar.Below(m.dot, m.need, m.norm, s) {
		return false
	}
	return fixed.CosineAtLeast(m.dot, m.need, m.norm, s)
}

// Score returns the cosine.
func (m Match) Score() fixed.Score { return fixed.Cosine(m.dot, m.need, m.norm) }

// Need yields each document whose score for a need may be above 0, in no
// promised order, and fails when the meter does.
func (s *Scan) Need(need decompose.Need, m *meter.Meter, yield func(Match)) error {
	err := s.add(need, m)
	norm := Norm(need)
	for _, doc := range s.docs {
		if err == nil {
			yield(Match{int(doc), s.dots[doc], s.index.norms[doc], norm, &s.bar})
		}
		s.dots[doc] = 0
	}
	steps := len(s.docs)
	s.docs = s.docs[:0]
	return cmp.Or(err, m.Add(steps))
}

// add adds the products of a need's terms to the dots.
func (s *Scan) add(need decompose.Need, m *meter.Meter) error {
	for _, t := range need.Terms {
		posts := s.index.postings(t.Text)
		for _, p := range posts {
			if s.dots[p.doc] == 0 {
				s.docs = append(s.docs, p.doc)
			}
			s.dots[p.doc] += uint64(t.Count) * uint64(p.count)
		}
		if err := m.Add(len(posts)); err != nil {
			return err
		}
	}
	return nil
}

func (x *Index) postings(term string) []posting {
	n, ok := x.terms.Find(term)
	if !ok {
		return nil
	}
	return x.posts[x.start[n]:x.start[n+1]]
}

// A Product is a term's part of a dot.
type Product struct {
	Term            string
	Query, Document int64
}

// Explain returns the products of a need and a document, by the bytes of their
// terms. Their sum is the dot, and the norms complete the score: see
// TestExplainIsScore.
func (x *Index) Explain(need decompose.Need, doc int) (products []Product, documentNorm uint64) {
	for _, t := range need.Terms {
		posts := x.postings(t.Text)
		i, ok := slices.BinarySearchFunc(posts, uint32(doc), func(p posting, d uint32) int { return int(p.doc) - int(d) })
		if ok {
			products = append(products, Product{t.Text, t.Count, int64(posts[i].count)})
		}
	}
	slices.SortFunc(products, func(a, b Product) int { return strings.Compare(a.Term, b.Term) })
	return products, x.norms[doc]
}
