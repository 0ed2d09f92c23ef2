package segment

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/checksum"
)

// A model is what a segment should hold, in maps.
type model struct {
	places map[string]map[uint32][3][]uint32 // term → chunk → field → places
	chunks []Chunk
	docs   []abi.Document
}

// stem cuts a final s off.
func stem(term string) (string, bool) {
	if term[0] >= '0' && term[0] <= '9' {
		return "", false
	}
	return strings.TrimSuffix(term, "s"), true
}

// random builds a segment and its model.
func random(t testing.TB, r *rand.Rand, docs int) ([]byte, *model) {
	t.Helper()
	b := NewBuilder(r.Uint64(), 0, placeless, meter.NewAccount(0), meter.New(nil, nil))
	m := &model{places: map[string]map[uint32][3][]uint32{}}
	vocabulary := 5 + r.IntN(300)
	for i := range docs {
		d := abi.Document{ID: fmt.Sprintf("d%d", i), Title: fmt.Sprintf("Title %d", i%3), Text: strings.Repeat("x", r.IntN(50))}
		m.docs = append(m.docs, d)
		attributes := []Attribute{{"n", fmt.Appendf(nil, "%03d", r.IntN(7))}}
		if err := b.Document(&d, d.Title, d.Text, [32]byte{byte(i)}, attributes); err != nil {
			t.Fatal(err)
		}
		for range 1 + r.IntN(3) {
			chunk := uint32(len(m.chunks))
			c := Chunk{End: uint32(len(d.Text)), FirstLine: 1, LastLine: 2, Document: uint32(i)}
			if err := b.Chunk(c, []string{"A", fmt.Sprint(i % 5)}); err != nil {
				t.Fatal(err)
			}
			for f := range Field(3) {
				place := uint32(0)
				repeat := r.IntN(40) == 0
				for range r.IntN(12) + 600*btoi(repeat) {
					place += uint32(r.IntN(3) * r.IntN(90))
					term := fmt.Sprintf("t%d", r.IntN(1+r.IntN(vocabulary)))
					if r.IntN(9) == 0 {
						term += "s"
					}
					if r.IntN(9) == 0 {
						term = term[1:]
					}
					aside := r.IntN(3) == 0
					b.Token(f, term, place, aside)
					if m.places[term] == nil {
						m.places[term] = map[uint32][3][]uint32{}
					}
					places := m.places[term][chunk]
					places[f] = append(places[f], place)
					m.places[term][chunk] = places
					if f != Title && !aside {
						c.All++
					}
					if !aside && !placeless(term) {
						c.content[f]++
					}
				}
			}
			if err := b.EndChunk(); err != nil {
				t.Fatal(err)
			}
			m.chunks = append(m.chunks, c)
		}
	}
	out, err := b.Encode(stem)
	if err != nil {
		t.Fatal(err)
	}
	return out, m
}

// placeless says that terms with a 7 are stop words.
func placeless(term string) bool { return strings.Contains(term, "7") }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// What was put in comes out: every term with its chunks, counts and places, and
// every stem with the sums over its terms.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 0))
		encoded, m := random(t, r, 1+r.IntN(400))
		s, err := Open(encoded)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if s.Documents() != len(m.docs) || s.Chunks() != len(m.chunks) || s.Terms() != len(m.places) {
			t.Fatalf("seed %d: %d documents, %d chunks, %d terms", seed, s.Documents(), s.Chunks(), s.Terms())
		}
		stems := map[string]map[uint32][3]uint32{}
		for term, want := range m.places {
			l, ok := s.Term(term)
			if !ok {
				t.Fatalf("seed %d: no term %q", seed, term)
			}
			checkList(t, fmt.Sprintf("seed %d, %q", seed, term), l, want, !placeless(term))
			if root, ok := stem(term); ok {
				if stems[root] == nil {
					stems[root] = map[uint32][3]uint32{}
				}
				for chunk, places := range want {
					counts := stems[root][chunk]
					for f := range places {
						counts[f] += uint32(len(places[f]))
					}
					stems[root][chunk] = counts
				}
			}
		}
		for root, want := range stems {
			checkStem(t, fmt.Sprintf("seed %d, stem %q", seed, root), s.Stem(root, stem), want)
		}
		for _, absent := range []string{"", "a", "t", "zz", "t9999", "\xff"} {
			if _, ok := s.Term(absent); ok && m.places[absent] == nil {
				t.Errorf("seed %d: there is a term %q", seed, absent)
			}
		}
		checkRecords(t, s, m)
		checkPrefix(t, s, m)
	}
}

// checkStem compares the sums over the lists of a stem with what is wanted.
func checkStem(t *testing.T, what string, lists []List, want map[uint32][3]uint32) {
	t.Helper()
	got := map[uint32]uint32{}
	var b Block
	for _, l := range lists {
		for i := range l.Blocks() {
			l.Read(i, &b)
			for j := range b.Len {
				body, _, _ := b.Counts(j)
				got[b.Chunks[j]] += body
			}
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d chunks, want %d", what, len(got), len(want))
	}
	for chunk, w := range want {
		if w[Body] <= MaxBody && got[chunk] != w[Body] {
			t.Fatalf("%s: chunk %d has %d, want %d", what, chunk, got[chunk], w[Body])
		}
	}
}

func checkCounts(t *testing.T, what string, l List, want map[uint32][3]uint32) {
	t.Helper()
	if l.Len() != len(want) {
		t.Fatalf("%s: %d chunks, want %d", what, l.Len(), len(want))
	}
	var b Block
	for i := range l.Blocks() {
		if !l.Read(i, &b) {
			t.Fatalf("%s: block %d is damaged", what, i)
		}
		for j := range b.Len {
			body, title, heading := b.Counts(j)
			w := want[b.Chunks[j]]
			if body != min(w[Body], MaxBody) || title != min(w[Title], MaxOther) || heading != min(w[Heading], MaxOther) {
				t.Fatalf("%s: chunk %d has %d, %d, %d, want %v", what, b.Chunks[j], title, heading, body, w)
			}
			if maxBody, maxTitle, maxHeading, _, ok := l.Max(i); ok && (body > maxBody || title > maxTitle || heading > maxHeading) {
				t.Fatalf("%s: block %d exceeds its maxima", what, i)
			}
		}
	}
}

func checkList(t *testing.T, what string, l List, want map[uint32][3][]uint32, placed bool) {
	t.Helper()
	counts := map[uint32][3]uint32{}
	for chunk, places := range want {
		counts[chunk] = [3]uint32{uint32(len(places[0])), uint32(len(places[1])), uint32(len(places[2]))}
	}
	checkCounts(t, what, l, counts)
	if !placed {
		return
	}
	var b Block
	for i := range l.Blocks() {
		l.Read(i, &b)
		ok := b.Places(func(j int, f Field, places []uint32) {
			if got := want[b.Chunks[j]][f]; !slices.Equal(got, places) {
				t.Fatalf("%s: places %v, want %v", what, places, got)
			}
		})
		if !ok {
			t.Fatalf("%s: the places of block %d are damaged", what, i)
		}
	}
}

func checkRecords(t *testing.T, s *Segment, m *model) {
	t.Helper()
	for i, want := range m.docs {
		got := s.Record(uint32(i))
		if got.Document != want || got.Digest != [32]byte{byte(i)} {
			t.Fatalf("document %d is %+v, want %+v", i, got, want)
		}
		if stable, id := s.Key(uint32(i)); stable != want.Stable() || id != want.ID {
			t.Fatalf("document %d has the key %q and the id %q", i, stable, id)
		}
	}
	for i, want := range m.chunks {
		got := s.Chunk(uint32(i))
		if !slices.Equal(s.Headings(got), []string{"A", fmt.Sprint(want.Document % 5)}) {
			t.Fatalf("chunk %d has the headings %q", i, s.Headings(got))
		}
		got.headings = 0
		if got != want {
			t.Fatalf("chunk %d is %+v, want %+v", i, got, want)
		}
	}
}

func checkPrefix(t *testing.T, s *Segment, m *model) {
	t.Helper()
	for _, prefix := range []string{"t1", "t", "2", "", "zz"} {
		var want, got []string
		for term := range m.places {
			if strings.HasPrefix(term, prefix) {
				want = append(want, term)
			}
		}
		slices.Sort(want)
		s.Prefix(prefix, func(term string, l List) bool {
			if l.Len() != len(m.places[term]) {
				t.Fatalf("prefix %q: %q has %d chunks", prefix, term, l.Len())
			}
			got = append(got, strings.Clone(term))
			return true
		})
		if !slices.Equal(got, want) {
			t.Fatalf("prefix %q: %q, want %q", prefix, got, want)
		}
	}
}

func TestSameBytes(t *testing.T) {
	one, _ := random(t, rand.New(rand.NewPCG(1, 2)), 50)
	two, _ := random(t, rand.New(rand.NewPCG(1, 2)), 50)
	if !bytes.Equal(one, two) {
		t.Error("the same documents gave other bytes")
	}
}

// Every byte flipped or cut off is detected when a segment opens.
func TestEveryByteIsGuarded(t *testing.T) {
	b, _ := random(t, rand.New(rand.NewPCG(3, 4)), 5)
	for i := range b {
		for bit := range 8 {
			b[i] ^= 1 << bit
			if _, err := Open(b); err == nil {
				t.Fatalf("bit %d of byte %d was flipped, and the segment opened", bit, i)
			}
			b[i] ^= 1 << bit
		}
	}
	for n := range b {
		if _, err := Open(b[:n]); err == nil {
			t.Fatalf("the first %d bytes opened", n)
		}
	}
	if _, err := Open(append(slices.Clone(b), 0)); err == nil {
		t.Error("a byte more opened")
	}
}

// A damaged segment whose checksum was made right is refused or read: no bytes
// make the reader fail otherwise.
func FuzzSegment(f *testing.F) {
	good, _ := random(f, rand.New(rand.NewPCG(5, 6)), 3)
	f.Add(good, 100, byte(1))
	f.Fuzz(func(t *testing.T, b []byte, at int, x byte) {
		b = slices.Clone(b)
		if len(b) < headerSize+sections*16 {
			return
		}
		if at >= 16 && at < len(b) {
			b[at] ^= x
		}
		copy(b[8:16], appendU64(nil, checksum.Of(b[16:len(b)&^7])))
		s, err := Open(b)
		if err != nil {
			return
		}
		readAll(s)
	})
}

func readAll(s *Segment) {
	var block Block
	all := func(l List) {
		for i := range l.Blocks() {
			if l.Read(i, &block) {
				block.Places(func(int, Field, []uint32) {})
			}
		}
	}
	s.Prefix("", func(_ string, l List) bool { all(l); return true })
	for _, term := range []string{"t1", "t2", "zz", ""} {
		if l, ok := s.Term(term); ok {
			all(l)
		}
		for _, l := range s.Stem(term, func(s string) (string, bool) { return s, true }) {
			all(l)
		}
	}
	for i := range s.Documents() {
		s.Record(uint32(i))
		s.Key(uint32(i))
		s.Range(uint32(i))
	}
	for i := range s.Chunks() {
		s.Headings(s.Chunk(uint32(i)))
	}
	c := s.Column("n")
	for i := range c.Values() {
		c.Value(i)
		c.Documents(i, func(uint32) {})
	}
	c.Present(func(uint32) {})
}
