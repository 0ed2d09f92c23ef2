package segment

import (
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/internal/terms"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Builder collects documents, their chunks and the tokens of these, in this
// order, until [Builder.Encode].
type Builder struct {
	meter   *meter.Meter
	account *meter.Account
	taken   int64

	records  []byte
	starts   []uint32 // document → where in records it begins
	texts    []byte
	chunks   []Chunk
	headings pool
	fields   columns

	terms  terms.Table
	isStop func(term string) bool
	stops  []bool   // term → whether it is a stop word
	term   []uint32 // occurrence → its term
	place  []uint32 // occurrence → field<<fieldShift | position
	first  []uint32 // chunk → its first occurrence
	totals [4]uint64
}

// A Chunk is a part of a document. Places are bytes of the document's text:
// Start ≤ Body ≤ End.
type Chunk struct {
	Document            uint32
	Start, Body, End    uint32
	Overlap             uint32 // bytes at the front that the chunk before has, too
	FirstLine, LastLine uint32
	headings            uint32
	content             [3]uint32 // tokens, by field
	All                 uint32    // tokens of headings and body, stop words among them
}

// Length returns the content tokens of a chunk: its length in scores.
func (c *Chunk) Length() uint32 { return c.content[Title] + c.content[Heading] + c.content[Body] }

const (
	fieldShift = 30
	maxPlace   = 1<<fieldShift - 1
	maxTokens  = 1<<16 - 1 // of a title or heading path
)

// NewBuilder returns a Builder for texts of so many bytes together, which takes its
// memory from an account. The seed is one that no text can foresee; it reaches no
// byte of the segment. Stop words take no length and get no places.
func NewBuilder(seed uint64, size int, isStop func(term string) bool, a *meter.Account, m *meter.Meter) *Builder {
	return &Builder{
		meter: m, account: a, isStop: isStop, terms: terms.New(seed), headings: newPool(),
		texts: make([]byte, 0, size), term: make([]uint32, 0, size/bytesPerToken), place: make([]uint32, 0, size/bytesPerToken),
	}
}

// bytesPerToken is how many bytes of prose there are to a token; texts with fewer
// make room grow, those with more leave some unused.
const bytesPerToken = 6

// Taken returns the bytes taken from the account, for giving them back.
func (b *Builder) Taken() int64 { return b.taken }

func (b *Builder) take(n int64) error {
	if err := b.account.Take(n); err != nil {
		return err
	}
	b.taken += n
	return nil
}

// What a document, a chunk and an occurrence take while a segment grows: an
// occurrence stands in two orders.
const (
	documentBytes   = 128
	chunkBytes      = 64
	occurrenceBytes = 24
)

// Document begins a document, with the title that is shown and searched and the
// text that chunks count their places in.
func (b *Builder) Document(d *abi.Document, title, text string, digest [32]byte, attributes []Attribute) error {
	if err := b.take(int64(documentBytes + 2*len(text) + len(d.ID) + len(title))); err != nil {
		return err
	}
	b.starts = append(b.starts, uint32(len(b.records)))
	b.records = append(b.records, digest[:]...)
	b.records = appendU32(b.records, uint32(len(b.chunks)))
	b.records = appendU32(b.records, uint32(len(b.texts)))
	b.records = appendU32(b.records, uint32(len(text)))
	if title == d.Title {
		title = ""
	}
	for _, s := range [...]string{d.ID, d.Key, d.Title, d.Path, d.Collection, d.Metadata, title, d.Blocks} {
		b.records = appendString(b.records, s)
	}
	b.texts = append(b.texts, text...)
	b.fields.add(uint32(len(b.starts)-1), attributes)
	return b.meter.Add(1000 + len(text)/8)
}

// Chunk begins a chunk of the document, whose tokens follow.
func (b *Builder) Chunk(c Chunk, headings []string) error {
	if len(b.chunks) == MaxChunks {
		return abi.Errorf(abi.OverBudget, "a segment holds at most %d chunks", int64(MaxChunks))
	}
	c.Document = uint32(len(b.starts) - 1)
	c.headings = b.headings.put(headings)
	b.chunks = append(b.chunks, c)
	b.first = append(b.first, uint32(len(b.term)))
	return b.take(chunkBytes)
}

// Token adds a token of the chunk under way. Fields come in their order, places
// in a field ascend. A token aside stands beside its parts and takes no length.
func (b *Builder) Token(f Field, term string, place uint32, aside bool) {
	n, fresh := b.terms.Add(term)
	if fresh {
		b.stops = append(b.stops, b.isStop(term))
	}
	b.term = append(b.term, n)
	b.place = append(b.place, uint32(f)<<fieldShift|min(place, maxPlace))
	if aside {
		return
	}
	c := &b.chunks[len(b.chunks)-1]
	if f != Title {
		c.All++
	}
	if !b.stops[n] && (f == Body || c.content[f] < maxTokens) {
		c.content[f]++
	}
}

// EndChunk ends the chunk under way.
func (b *Builder) EndChunk() error {
	c := &b.chunks[len(b.chunks)-1]
	for f, n := range c.content {
		b.totals[f] += uint64(n)
	}
	b.totals[3] += uint64(c.All)
	tokens := len(b.term) - int(b.first[len(b.first)-1])
	if err := b.take(int64(tokens) * occurrenceBytes); err != nil {
		return err
	}
	return b.meter.Add(16 * tokens)
}

// A pool keeps each different heading path once.
type pool struct {
	bytes []byte
	at    map[string]uint32
}

func newPool() pool { return pool{at: map[string]uint32{}} }

func (p *pool) put(path []string) uint32 {
	key := appendVarint(nil, uint64(len(path)))
	for _, s := range path {
		key = appendString(key, s)
	}
	at, ok := p.at[string(key)]
	if !ok {
		at = uint32(len(p.bytes))
		p.at[string(key)] = at
		p.bytes = append(p.bytes, key...)
	}
	return at
}
