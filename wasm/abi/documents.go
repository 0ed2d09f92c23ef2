package abi

import "github.com/rookhaven-project/rookhaven/wasm/abi/json"

// The bounds of documents (ABI.md §4.13).
const (
	MaxPage      = 10_000  // documents of a page, and ids that are asked by
	MaxPageBytes = 4 << 20 // of the documents of a page, but for one that is larger alone
)

// DefaultPage is how many documents a page has at most, where nothing is said.
const DefaultPage = 100

// A DocumentsRequest is the request of documents: IDs, or a page of all.
type DocumentsRequest struct {
	Handle int64
	After  string // ids that come after it; "": all
	Limit  int64
	IDs    []string // nil: a page of all
}

// ReadDocumentsRequest reads the request of documents.
func ReadDocumentsRequest(in []byte) (DocumentsRequest, error) {
	r := json.NewReader(orEmpty(in))
	q := DocumentsRequest{Limit: DefaultPage}
	paged := false
	members(r, []string{"handle", "after", "limit", "ids"}, []string{"handle"}, func(name string) {
		paged = paged || name == "after" || name == "limit"
		switch name {
		case "handle":
			q.Handle = r.Int()
		case "after":
			q.After = r.String()
		case "limit":
			q.Limit = r.Int()
		case "ids":
			q.IDs = texts(r)
		}
	})
	if err := done(r, RequestInvalid); err != nil {
		return q, err
	}
	switch {
	case paged && q.IDs != nil:
		return q, Errorf(RequestInvalid, "ids say which documents, and after and limit are about all of them: ids stand alone")
	case q.Limit < 1 || q.Limit > MaxPage:
		return q, Errorf(RequestInvalid, "limit is %d, it must be between 1 and %d", q.Limit, int64(MaxPage))
	case len(q.IDs) > MaxPage:
		return q, Errorf(RequestInvalid, "there are %d ids, the limit is %d", int64(len(q.IDs)), int64(MaxPage))
	case Units(q.After) > MaxID:
		return q, Errorf(RequestInvalid, "after has %d units, the limit is %d", int64(Units(q.After)), int64(MaxID))
	}
	return q, nil
}

// Append appends a DocumentsRequest.
func (q *DocumentsRequest) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	if q.IDs == nil {
		optional(w, "after", q.After)
	}
	w.Name("handle")
	w.Int(q.Handle)
	if q.IDs != nil {
		w.Name("ids")
		writeTexts(w, q.IDs)
	} else {
		w.Name("limit")
		w.Int(q.Limit)
	}
	w.EndObject()
	return w.Bytes()
}

// A DocumentsReply is the reply of documents.
type DocumentsReply struct {
	Documents [][]byte // each as canonical JSON, in the order of their ids' bytes
	More      bool     // others follow that were asked for
}

// Append appends a DocumentsReply.
func (p *DocumentsReply) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("documents")
	w.BeginArray()
	for _, d := range p.Documents {
		w.Raw(d)
	}
	w.EndArray()
	w.Name("more")
	w.Bool(p.More)
	w.EndObject()
	return w.Bytes()
}

// ReadDocumentsReply reads a DocumentsReply. The documents share the input's memory.
func ReadDocumentsReply(in []byte) (DocumentsReply, error) {
	r := json.NewReader(in)
	var p DocumentsReply
	each(r, func(name string) bool {
		switch name {
		case "documents":
			for range r.Array() {
				p.Documents = append(p.Documents, r.Raw())
			}
		case "more":
			p.More = r.Bool()
		default:
			return false
		}
		return true
	})
	return p, done(r, ReplyInvalid)
}

// ReadDocument reads one document. It fails as [ReadDocuments] does, and the document
// shares the input's memory.
func ReadDocument(in []byte) (Document, error) {
	r := json.NewReader(in)
	d := readDocument(r)
	return d, done(r, CorpusInvalid)
}

// AppendDocument appends a document in the one spelling among those with its digest:
// canonical JSON, without a key that says no more than the path, or else the id.
func AppendDocument(dst []byte, d Document) []byte {
	if key := d.Key; key != "" {
		if d.Key = ""; d.Stable() != key {
			d.Key = key
		}
	}
	w := json.NewWriter(dst)
	d.write(w)
	return w.Bytes()
}
