package segment

import (
	"cmp"
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/checksum"
)

// A Segment is open for reading. It shares the memory of its bytes.
type Segment struct {
	bytes  []byte
	parts  [sections][]byte
	counts [4]uint32
	totals [4]uint64
}

// What counts holds.
const (
	countDocuments = iota
	countChunks
	countTerms
	countStems
)

// Open checks the bytes of a segment and returns it. It fails with
// [abi.SegmentCorrupt] for bytes that [Builder.Encode] did not write, and with
// [abi.SegmentVersion] for those of another version.
func Open(b []byte) (*Segment, error) {
	switch {
	case len(b) < headerSize+sections*16 || string(b[:len(magic)]) != magic:
		return nil, abi.Errorf(abi.SegmentCorrupt, "the bytes are not those of a segment")
	case b[len(magic)] != Version:
		return nil, abi.Errorf(abi.SegmentVersion, "the segment has version %d, this engine reads %d", int64(b[len(magic)]), int64(Version))
	case u64(b, 16) != uint64(len(b)) || len(b)%8 != 0:
		return nil, abi.Errorf(abi.SegmentCorrupt, "the segment has %d bytes", int64(len(b)))
	case u64(b, 8) != checksum.Of(b[16:]):
		return nil, abi.Errorf(abi.SegmentCorrupt, "the checksum of the segment is wrong")
	}
	s := &Segment{bytes: b}
	for i := range s.counts {
		s.counts[i] = u32(b, 24+4*i)
	}
	for i := range s.totals {
		s.totals[i] = u64(b, 40+8*i)
	}
	for i := range s.parts {
		at, size := u64(b, headerSize+16*i), u64(b, headerSize+16*i+8)
		if at > uint64(len(b)) || size > uint64(len(b))-at {
			return nil, abi.Errorf(abi.SegmentCorrupt, "section %d lies outside the segment", int64(i))
		}
		s.parts[i] = b[at : at+size : at+size]
	}
	if err := s.checkTables(); err != nil {
		return nil, err
	}
	return s, nil
}

// checkTables checks the sizes of what is read by number.
func (s *Segment) checkTables() error {
	blocks := func(n uint32) int { return (int(n) + dictSize - 1) / dictSize * 8 }
	for _, c := range []struct{ section, size int }{
		{sectionDocuments, 4 * (int(s.counts[countDocuments]) + 1)},
		{sectionTokens, tokensSize * int(s.counts[countChunks])},
		{sectionChunkIndex, (int(s.counts[countChunks]) + chunksSize - 1) / chunksSize * 4},
		{sectionTermIndex, blocks(s.counts[countTerms])},
		{sectionStemIndex, blocks(s.counts[countStems])},
	} {
		if len(s.parts[c.section]) != c.size {
			return abi.Errorf(abi.SegmentCorrupt, "section %d has %d bytes", int64(c.section), int64(len(s.parts[c.section])))
		}
	}
	return nil
}

func (s *Segment) section(i int) []byte { return s.parts[i] }

// Bytes returns the segment as it was encoded.
func (s *Segment) Bytes() []byte { return s.bytes }

// Documents and Chunks return how many there are.
func (s *Segment) Documents() int { return int(s.counts[countDocuments]) }
func (s *Segment) Chunks() int    { return int(s.counts[countChunks]) }

// Terms returns how many different terms there are.
func (s *Segment) Terms() int { return int(s.counts[countTerms]) }

// Stored returns the size of what an index holds beside its terms: records,
// texts and metadata.
func (s *Segment) Stored() int {
	return len(s.parts[sectionDocuments]) + len(s.parts[sectionRecords]) + len(s.parts[sectionTexts]) + len(s.parts[sectionFields])
}

// Totals are sums over all chunks.
type Totals struct{ Title, Heading, Body, All uint64 }

// Totals returns the sums of the segment.
func (s *Segment) Totals() Totals { return Totals{s.totals[0], s.totals[1], s.totals[2], s.totals[3]} }

// Tokens returns the content tokens of a chunk, by field.
func (c *Chunk) Tokens() [3]uint32 { return c.content }

// TokensOf returns the content tokens of a chunk, by field.
func (s *Segment) TokensOf(chunk uint32) [3]uint32 {
	b := s.parts[sectionTokens][int(chunk)*tokensSize:][:tokensSize]
	others := u32(b, 4)
	return [3]uint32{others & maxTokens, others >> 16, u32(b, 8)}
}

// DocumentOf returns the document of a chunk.
func (s *Segment) DocumentOf(chunk uint32) uint32 {
	return u32(s.parts[sectionTokens], int(chunk)*tokensSize)
}

// Chunk returns a chunk.
func (s *Segment) Chunk(i uint32) Chunk {
	c := Chunk{Document: s.DocumentOf(i), content: s.TokensOf(i)}
	at := u32(s.parts[sectionChunkIndex], int(i/chunksSize)*4)
	section := s.parts[sectionChunks]
	d := decoder{b: section[min(int64(at), int64(len(section))):]}
	for range i % chunksSize * 8 {
		d.varint()
	}
	for _, to := range []*uint32{&c.Start, &c.Body, &c.End, &c.Overlap, &c.FirstLine, &c.LastLine, &c.headings, &c.All} {
		*to = uint32(d.varint())
	}
	c.Body += c.Start
	c.End += c.Body
	c.LastLine += c.FirstLine
	return c
}

// Headings returns the heading path of a chunk.
func (s *Segment) Headings(c Chunk) []string {
	section := s.parts[sectionHeadings]
	if uint64(c.headings) >= uint64(len(section)) {
		return nil
	}
	d := decoder{b: section[c.headings:]}
	n := d.varint()
	var path []string
	for ; n > 0 && !d.bad; n-- {
		path = append(path, d.string())
	}
	return path
}

// A Record is a document as it was given. Text is what its chunks count in.
type Record struct {
	abi.Document
	Shown  string // the title that is shown and searched
	Digest [32]byte
	First  uint32 // chunk
	Chunks uint32
}

// Record returns a document.
func (s *Segment) Record(doc uint32) Record {
	var r Record
	b := s.record(doc)
	copy(r.Digest[:], b)
	r.First, r.Chunks = s.chunksOf(doc)
	at, size := uint64(u32(b, 36)), uint64(u32(b, 40))
	if texts := s.parts[sectionTexts]; at+size <= uint64(len(texts)) {
		r.Text = view(texts[at : at+size])
	}
	d := decoder{b: b[44:]}
	for _, to := range []*string{&r.ID, &r.Key, &r.Title, &r.Path, &r.Collection, &r.Metadata, &r.Shown, &r.Blocks} {
		*to = d.string()
	}
	r.Shown = cmp.Or(r.Shown, r.Title)
	return r
}

// record returns the bytes of a document's record, at least 44.
func (s *Segment) record(doc uint32) []byte {
	from, to := u32(s.parts[sectionDocuments], 4*int(doc)), u32(s.parts[sectionDocuments], 4*int(doc)+4)
	records := s.parts[sectionRecords]
	if from > to || uint64(to) > uint64(len(records)) || to-from < 44 {
		return make([]byte, 44)
	}
	return records[from:to]
}

func (s *Segment) chunksOf(doc uint32) (first, count uint32) {
	first = u32(s.record(doc), 32)
	end := s.counts[countChunks]
	if int(doc)+1 < s.Documents() {
		end = u32(s.record(doc+1), 32)
	}
	return first, max(end, first) - first
}

// Key returns what breaks ties between documents: stable key and id.
func (s *Segment) Key(doc uint32) (stable, id string) {
	d := decoder{b: s.record(doc)[44:]}
	id = d.string()
	key := d.string()
	d.string()
	path := d.string()
	given := abi.Document{ID: id, Key: key, Path: path}
	return given.Stable(), id
}

// Digest returns the digest of a document.
func (s *Segment) Digest(doc uint32) (d [32]byte) {
	copy(d[:], s.record(doc))
	return d
}

// Names returns the id and the collection of a document.
func (s *Segment) Names(doc uint32) (id, collection string) {
	d := decoder{b: s.record(doc)[44:]}
	id = d.string()
	for range 4 { // key, title, path, collection
		collection = d.string()
	}
	return id, collection
}

// Range returns where a document's chunks are.
func (s *Segment) Range(doc uint32) (first, count uint32) { return s.chunksOf(doc) }

// Term returns the list of a term.
func (s *Segment) Term(term string) (List, bool) { return s.lookup(sectionTerms, term) }

// Stem returns the lists of all terms with a stem. of says which stem a term has.
func (s *Segment) Stem(stem string, of Stem) []List {
	w := s.seek(sectionStems, stem)
	if !w.next() || w.term != stem {
		if own, ok := of(stem); !ok || own != stem {
			return nil
		}
		if l, ok := s.Term(stem); ok {
			return []List{l}
		}
		return nil
	}
	postings := s.parts[sectionPostings]
	if w.at > len(postings) || w.size > len(postings)-w.at {
		return nil
	}
	var lists []List
	place := uint64(0)
	for d := (decoder{b: postings[w.at : w.at+w.size]}); len(d.b) > 0; {
		place += d.varint()
		if l, ok := s.termAt(place); ok {
			lists = append(lists, l)
		}
	}
	return lists
}

// termAt returns the list of the term at a place of the dictionary.
func (s *Segment) termAt(place uint64) (List, bool) {
	if place >= uint64(s.counts[countTerms]) {
		return List{}, false
	}
	w := walk{index: s.parts[sectionTermIndex], block: int(place / dictSize)}
	w.enter(s.parts[sectionTerms])
	for range place%dictSize + 1 {
		if !w.next() {
			return List{}, false
		}
	}
	return s.list(w.at, w.size)
}

// lookup finds a term in a dictionary, whose index is the section after it.
func (s *Segment) lookup(dict int, term string) (List, bool) {
	d := s.seek(dict, term)
	if d.next() && d.term == term {
		return s.list(d.at, d.size)
	}
	return List{}, false
}

// A walk goes over the terms of a dictionary in ascending order.
type walk struct {
	d        decoder
	index    []byte
	block    int
	text     []byte
	term     string
	at, size int
	pending  bool
}

// seek returns a walk whose first term is the first one not below term.
func (s *Segment) seek(dict int, term string) walk {
	index := s.parts[dict+1]
	n, _ := search(len(index)/8, func(i int) int {
		if strings.Compare(s.firstTerm(dict, i), term) <= 0 {
			return -1
		}
		return 1
	})
	w := walk{index: index, block: max(n-1, 0)}
	w.enter(s.parts[dict])
	for w.next() {
		if w.term >= term {
			w.pending = true
			break
		}
	}
	return w
}

func (s *Segment) firstTerm(dict, block int) string {
	at := u32(s.parts[dict+1], 8*block)
	if uint64(at)+1 > uint64(len(s.parts[dict])) {
		return ""
	}
	d := decoder{b: s.parts[dict][at+1:]} // behind a 0
	n := d.varint()
	return view(d.b[:min(n, uint64(len(d.b)))])
}

// enter begins with a block.
func (w *walk) enter(terms []byte) {
	if 8*w.block >= len(w.index) {
		return
	}
	at := u32(w.index, 8*w.block)
	if uint64(at) > uint64(len(terms)) {
		return
	}
	w.d = decoder{b: terms[at:]}
	w.at = int(u32(w.index, 8*w.block+4))
}

// next goes to the next term.
func (w *walk) next() bool {
	if w.pending {
		w.pending = false
		return true
	}
	if len(w.d.b) == 0 {
		return false
	}
	w.at += w.size
	shared := w.d.varint()
	n := w.d.varint()
	if w.d.bad || n > uint64(len(w.d.b)) || shared > uint64(len(w.text)) {
		w.d.b = nil
		return false
	}
	w.text = append(w.text[:shared], w.d.b[:n]...)
	w.d.b = w.d.b[n:]
	w.size = int(w.d.varint())
	w.term = view(w.text)
	return !w.d.bad
}

// Prefix yields the terms that begin with a prefix, ascending, with their lists,
// until it is told to stop. The term is valid until yield returns.
func (s *Segment) Prefix(prefix string, yield func(term string, l List) bool) {
	for w := s.seek(sectionTerms, prefix); w.next() && strings.HasPrefix(w.term, prefix); {
		if l, ok := s.list(w.at, w.size); ok && !yield(w.term, l) {
			return
		}
	}
}

func (s *Segment) list(at, size int) (List, bool) {
	postings := s.parts[sectionPostings]
	if at < 0 || size < 0 || at > len(postings) || size > len(postings)-at {
		return List{}, false
	}
	return newList(postings[at:at+size], s.counts[countChunks])
}
