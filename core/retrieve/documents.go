package retrieve

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A listed is a live document of a corpus, with its place.
type listed struct {
	id   string
	part int32  // of the index; asGiven: among the documents of the corpus
	doc  uint32 // in the part
}

const (
	asGiven     = -1
	listedBytes = 24
)

// documents gives documents back as they were given: see TestDocuments.
func (e *Engine) documents(in []byte, m *meter.Meter) ([]byte, error) {
	q, err := abi.ReadDocumentsRequest(in)
	if err != nil {
		return nil, err
	}
	c, err := e.corpus(q.Handle)
	if err != nil {
		return nil, err
	}
	list, err := c.list(e.account, m)
	if err != nil {
		return nil, err
	}
	if q.IDs != nil {
		list, q.Limit = withIDs(list, q.IDs), abi.MaxPage
	} else {
		at, there := find(list, q.After)
		if there {
			at++
		}
		list = list[at:]
	}
	p, err := c.page(list, int(q.Limit), m)
	return p.Append(nil), err
}

// list returns the live documents of a corpus in the order of their ids' bytes. It is
// made once, and kept until the corpus is closed.
func (c *corpus) list(a *meter.Account, m *meter.Meter) ([]listed, error) {
	if c.bare {
		return nil, abi.Errorf(abi.IndexAbsent, "the corpus was opened from leaves: it has a root, and no documents")
	}
	if c.listed != nil {
		return c.listed, nil
	}
	size := int64(c.size) * listedBytes
	if err := a.Take(size); err != nil {
		return nil, err
	}
	list, err := c.unsorted(m)
	if err == nil {
		err = sortListed(list, m)
	}
	if err != nil {
		a.Give(size)
		return nil, err
	}
	c.bytes += size
	c.listed = list
	return list, nil
}

func (c *corpus) unsorted(m *meter.Meter) ([]listed, error) {
	list := make([]listed, 0, c.size)
	if c.lexical == nil {
		for i := range c.documents {
			list = append(list, listed{c.documents[i].ID, asGiven, uint32(i)})
		}
		return list, nil
	}
	for n, part := range c.lexical.Parts {
		for doc := range uint32(part.Documents()) {
			if !part.IsRemoved(doc) {
				id, _ := part.Names(doc)
				list = append(list, listed{id, int32(n), doc})
			}
			if err := m.Add(64); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// sortListed sorts by id. Once it was stopped, what is left to do takes no time.
func sortListed(list []listed, m *meter.Meter) (err error) {
	slices.SortFunc(list, func(x, y listed) int {
		if err == nil {
			err = m.Add(8)
		}
		if err != nil {
			return 0
		}
		return strings.Compare(x.id, y.id)
	})
	return err
}

// find returns the place of an id, or where it would be.
func find(list []listed, id string) (at int, there bool) {
	return slices.BinarySearchFunc(list, id, func(x listed, id string) int { return strings.Compare(x.id, id) })
}

// withIDs returns the documents with these ids, each once, in the order of the list.
func withIDs(list []listed, ids []string) []listed {
	slices.Sort(ids)
	found := []listed{}
	for _, id := range slices.Compact(ids) {
		if at, there := find(list, id); there {
			found = append(found, list[at])
		}
	}
	return found
}

// page returns the first documents of a list: at most limit, and no more than have room.
func (c *corpus) page(list []listed, limit int, m *meter.Meter) (abi.DocumentsReply, error) {
	p := abi.DocumentsReply{Documents: [][]byte{}}
	size := 0
	for _, l := range list[:min(limit, len(list))] {
		d, err := c.document(l)
		if err != nil {
			return p, err
		}
		b := abi.AppendDocument(nil, d)
		if err := m.Add(1000 + 4*len(b)); err != nil {
			return p, err
		}
		if size += len(b); size > abi.MaxPageBytes && len(p.Documents) > 0 {
			break
		}
		p.Documents = append(p.Documents, b)
	}
	p.More = len(p.Documents) < len(list)
	return p, nil
}

// document returns a document as it was given. What is no text no engine wrote into a
// segment, and no JSON can carry.
func (c *corpus) document(l listed) (abi.Document, error) {
	if l.part == asGiven {
		return c.documents[l.doc], nil
	}
	d := c.lexical.Parts[l.part].Record(l.doc).Document
	for _, s := range []string{d.ID, d.Text, d.Title, d.Path, d.Collection, d.Key, d.Metadata, d.Blocks} {
		if !utf8.ValidString(s) {
			return d, abi.Errorf(abi.SegmentCorrupt, "document %d of segment %d is not UTF-8", int64(l.doc), int64(l.part))
		}
	}
	return d, nil
}
