package retrieve

import (
	"encoding/binary"

	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/cosine"
	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A corpus is a set of documents that is open in this instance.
type corpus struct {
	names     abi.Names
	documents []abi.Document
	digests   []audit.Digest // of documents
	index     *cosine.Index
	scan      *cosine.Scan
	marks     []uint32 // document → the last request that marked it
	mark      uint32   // of the last request
	trie      *audit.Corpus
	root      string
	size      int            // documents, or leaves
	at        map[string]int // id → document; made when scores are first given
	bytes     int64
	lexical   *indexed // nil: the corpus has no index
	listed    []listed // the documents by id; made when they are first asked for
	bare      bool     // it was opened from leaves, and has no documents
}

// What a document and a leaf take beside their strings and counts, while they
// are read and afterwards, generously: room that grows by copying, their places
// in maps, digests and hashes.
const (
	documentBytes = 560
	leafBytes     = 240
)

// open reads the request of open and makes the corpus. Memory is taken from the
// account before it is allocated, and given back when anything fails.
func open(in []byte, held Held, a *meter.Account, m *meter.Meter) (c *corpus, list bool, err error) {
	c = &corpus{}
	list, err = c.read(in, held, a, m)
	if err != nil {
		a.Give(c.bytes)
		return nil, false, err
	}
	return c, list, nil
}

// read fills a corpus. It reports whether its leaves are asked for.
func (c *corpus) read(in []byte, held Held, a *meter.Account, m *meter.Meter) (list bool, err error) {
	q, err := abi.ReadOpenRequest(in, ticker(a, m, documentBytes, &c.bytes), ticker(a, m, leafBytes, &c.bytes))
	if err != nil {
		return false, err
	}
	c.names, c.documents = q.Names, q.Documents
	switch {
	case q.Leaves != nil:
		return q.List, c.fromLeaves(q.Leaves, a, m)
	case q.Segments != nil:
		return q.List, c.fromSegments(&q, held, a, m)
	case q.Settings != nil:
		return q.List, c.makeIndex(*q.Settings, a, m)
	}
	return q.List, c.fromDocuments(a, m)
}

// ticker returns a Tick that takes memory for each element and counts it in taken.
func ticker(a *meter.Account, m *meter.Meter, each int64, taken *int64) abi.Tick {
	return func(bytes int) error {
		n := each + int64(bytes)
		if err := a.Take(n); err != nil {
			return err
		}
		*taken += n
		return m.Add(bytes + 64)
	}
}

func (c *corpus) fromLeaves(leaves []abi.Leaf, a *meter.Account, m *meter.Meter) (err error) {
	c.size, c.bare = len(leaves), true
	c.trie, err = audit.ReadCorpus(leaves)
	if err != nil {
		return err
	}
	c.root = audit.Name(c.trie.Root())
	return c.finish(cosine.NewBuilder(0, 0, a, m))
}

func (c *corpus) fromDocuments(a *meter.Account, m *meter.Meter) error {
	c.size = len(c.documents)
	if err := c.hash(m); err != nil {
		return err
	}
	if err := c.render(); err != nil {
		return err
	}
	root := c.trie.Root()
	c.root = audit.Name(root)
	b := cosine.NewBuilder(binary.LittleEndian.Uint64(root[:]), c.textBytes(), a, m)
	for i := range c.documents {
		if err := b.Add(c.documents[i].Text); err != nil {
			c.bytes += b.Taken()
			return err
		}
	}
	return c.finish(b)
}

// hash makes the digests of the documents and the trie over them.
func (c *corpus) hash(m *meter.Meter) error {
	c.digests = make([]audit.Digest, c.size)
	leaves := make([]audit.Leaf, c.size)
	for i := range c.documents {
		d := &c.documents[i]
		c.digests[i] = audit.Document(d)
		leaves[i] = audit.NewLeaf(d.ID, c.digests[i])
		if err := m.Add(1000 + 4*len(d.Text)); err != nil {
			return err
		}
	}
	c.trie = audit.NewCorpus(leaves)
	return nil
}

// render gives the documents that are made of blocks their text.
func (c *corpus) render() error {
	for i := range c.documents {
		d := &c.documents[i]
		if d.Blocks == "" {
			continue
		}
		text, err := index.Text(d)
		if err != nil {
			return err
		}
		d.Text = text
	}
	return nil
}

func (c *corpus) textBytes() int {
	n := 0
	for i := range c.documents {
		n += len(c.documents[i].Text)
	}
	return n
}

func (c *corpus) finish(b *cosine.Builder) (err error) {
	c.bytes += b.Taken()
	if c.index, err = b.Index(); err != nil {
		return err
	}
	c.scan = cosine.NewScan(c.index)
	c.marks = make([]uint32, len(c.documents))
	return nil
}

// newMark returns a mark that no document carries.
func (c *corpus) newMark() uint32 {
	if c.mark++; c.mark == 0 { // after 2³² requests, marks begin anew
		clear(c.marks)
		c.mark = 1
	}
	return c.mark
}

// plan says what this instance adds to the work of a request that is ranked without an
// index.
func (c *corpus) plan() abi.InstancePlan {
	if c.lexical != nil {
		return abi.InstancePlan{Chunks: c.lexical.statistics.Documents}
	}
	return abi.InstancePlan{Chunks: int64(len(c.documents))}
}

// find returns the place of a document in the corpus.
func (c *corpus) find(id string) (int, bool) {
	if c.at == nil {
		c.at = make(map[string]int, len(c.documents))
		for i := range c.documents {
			c.at[c.documents[i].ID] = i
		}
	}
	i, ok := c.at[id]
	return i, ok
}
