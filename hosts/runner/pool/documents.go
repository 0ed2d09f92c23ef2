package pool

import (
	"context"
	"slices"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Document is one of an index: as it is read, and as the engine wrote it.
type Document struct {
	abi.Document
	JSON []byte
}

// pageDocuments is how many documents a shard is asked for at once. The engine ends a
// page with 4 MiB of them in any case (wasm/ABI.md §4.13).
const pageDocuments = 1000

// Each gives all documents of the index to yield, in the order of their ids' bytes. One
// page of each shard is in memory at a time. It ends with the first failure, also of
// yield.
func (x *Index) Each(ctx context.Context, yield func(d Document) error) error {
	limit := json.AppendInt([]byte(`,"limit":`), pageDocuments)
	return x.pages(ctx, yield, func(after string) [][]byte {
		return [][]byte{[]byte(`,"after":`), json.AppendString(nil, after), limit, closing}
	})
}

// EachOf is Each for the documents with these ids, each once. Ids that the index does not
// have are passed over.
func (x *Index) EachOf(ctx context.Context, ids []string, yield func(d Document) error) error {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	for part := range slices.Chunk(ids, abi.MaxPage) {
		err := x.pages(ctx, yield, func(after string) [][]byte {
			at, there := slices.BinarySearch(part, after)
			if there {
				at++
			}
			return [][]byte{[]byte(`,"ids":`), appendStrings(nil, part[at:]), closing}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A feed is what is left of a page of one shard.
type feed struct {
	page []Document
	more bool // pages follow
}

// pages merges the pages of all shards. rest returns the members that ask for what comes
// after an id.
func (x *Index) pages(ctx context.Context, yield func(d Document) error, rest func(after string) [][]byte) error {
	if err := x.enter(); err != nil {
		return err
	}
	defer x.leave()
	feeds := make([]feed, len(x.shards))
	err := x.each(ctx, func(ctx context.Context, i int) (err error) {
		feeds[i], err = x.page(ctx, i, rest(""))
		return err
	})
	last := ""
	for err == nil {
		i := least(feeds)
		if i < 0 {
			return nil
		}
		f := &feeds[i]
		d := f.page[0]
		if d.ID <= last {
			return abi.Errorf(abi.ReplyInvalid, "the engine gives the document %s after %s", json.Quote(d.ID), json.Quote(last))
		}
		if err = yield(d); err != nil {
			return err
		}
		last, f.page = d.ID, f.page[1:]
		if len(f.page) == 0 && f.more {
			*f, err = x.page(ctx, i, rest(last))
		}
	}
	return err
}

// least returns the number of the feed whose first document comes first, −1 where all
// are empty.
func least(feeds []feed) int {
	at := -1
	for i, f := range feeds {
		if len(f.page) > 0 && (at < 0 || f.page[0].ID < feeds[at].page[0].ID) {
			at = i
		}
	}
	return at
}

// page asks a shard for a page.
func (x *Index) page(ctx context.Context, i int, members [][]byte) (feed, error) {
	out, err := x.shards[i].call(ctx, newWatch().follow(i, abi.Documents), abi.Documents, withHandle(members...))
	if err != nil {
		return feed{}, err
	}
	reply, err := abi.ReadDocumentsReply(out)
	if err == nil && reply.More && len(reply.Documents) == 0 {
		err = abi.Errorf(abi.ReplyInvalid, "the engine gives no documents, and says that more follow")
	}
	if err != nil {
		return feed{}, err
	}
	f := feed{make([]Document, len(reply.Documents)), reply.More}
	for n, in := range reply.Documents {
		d, err := abi.ReadDocument(in)
		if err != nil {
			return feed{}, err
		}
		f.page[n] = Document{d, in}
	}
	return f, nil
}
