package retrieve

import (
	"encoding/binary"

	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/cosine"
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
}

// What a document and a leaf take beside their texts and counts.
const (
	documentBytes = 224
	leafBytes     = 112
)

// open makes a corpus, and takes its memory from the account before it allocates.
func open(q abi.OpenRequest, a *meter.Account, m *meter.Meter) (*corpus, error) {
	c := &corpus{names: q.Names, documents: q.Documents}
	err := c.build(q, a, m)
	if err != nil {
		a.Give(c.bytes)
		return nil, err
	}
	return c, nil
}

func (c *corpus) build(q abi.OpenRequest, a *meter.Account, m *meter.Meter) error {
	if err := c.take(a, q); err != nil {
		return err
	}
	if q.Leaves != nil {
		return c.fromLeaves(q.Leaves, a, m)
	}
	return c.fromDocuments(a, m)
}

// take accounts for the texts, which stay in the request's bytes, and for what
// each document takes.
func (c *corpus) take(a *meter.Account, q abi.OpenRequest) error {
	n := int64(len(q.Leaves)) * leafBytes
	for i := range q.Documents {
		d := &q.Documents[i]
		n += documentBytes + leafBytes + int64(len(d.ID)+len(d.Text)+len(d.Title)+len(d.Path)+len(d.Collection)+len(d.Key))
	}
	if err := a.Take(n); err != nil {
		return err
	}
	c.bytes += n
	return nil
}

func (c *corpus) fromLeaves(leaves []abi.Leaf, a *meter.Account, m *meter.Meter) (err error) {
	c.size = len(leaves)
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

// plan says what this instance adds to the work of a request.
func (c *corpus) plan() abi.InstancePlan { return abi.InstancePlan{Chunks: int64(len(c.documents))} }

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
