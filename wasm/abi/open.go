package abi

import "github.com/rookhaven-project/rookhaven/wasm/abi/json"

// A Leaf is a document's place in the corpus root: its id and its digest.
type Leaf struct{ ID, Doc string }

// An OpenRequest is the request of open: Documents, Leaves or Segments, the others
// are nil.
type OpenRequest struct {
	Names
	Documents []Document
	Leaves    []Leaf
	Segments  []SegmentRef
	Removed   [][]uint32 // of each segment, the numbers of documents
	Settings  *Settings  // of an index; nil: none
	List      bool
}

var openMembers = []string{"documents", "leaves", "segments", "removed", "settings", "engine", "model", "vectors", "list"}

// ReadOpenRequest reads the request of open, which tells one Tick of each document
// and another of each leaf. The documents share the input's memory.
func ReadOpenRequest(in []byte, document, leaf Tick) (OpenRequest, error) {
	r := json.NewReader(orEmpty(in))
	var q OpenRequest
	var stopped error
	code := RequestInvalid
	members(r, openMembers, []string{"engine"}, func(member string) {
		switch member {
		case "documents":
			if q.Documents, stopped = documents(r, document); r.Err() != nil {
				code = CorpusInvalid
			}
		case "leaves":
			q.Leaves, stopped = leaves(r, leaf)
		case "segments":
			q.Segments = []SegmentRef{}
			for range r.Array() {
				q.Segments = append(q.Segments, readSegmentRef(r))
			}
		case "removed":
			q.Removed = readRemoved(r)
		case "settings":
			s := readSettings(r)
			q.Settings = &s
		case "engine":
			q.Engine = name(r)
		case "model":
			q.Model = name(r)
		case "vectors":
			q.Vectors = name(r)
		case "list":
			q.List = r.Bool()
		}
	})
	if stopped != nil {
		return q, stopped
	}
	if err := done(r, code); err != nil {
		return q, err
	}
	return q, q.check()
}

// check reports which members do not go together.
func (q *OpenRequest) check() error {
	given := 0
	for _, is := range []bool{q.Documents != nil, q.Leaves != nil, q.Segments != nil} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		return Errorf(RequestInvalid, "exactly one of documents, leaves and segments is needed")
	case q.Segments != nil && q.Settings == nil:
		return Errorf(RequestInvalid, "segments need the settings that they were built with")
	case q.Leaves != nil && q.Settings != nil:
		return Errorf(RequestInvalid, "leaves make no index")
	case q.Segments == nil && q.Removed != nil || len(q.Removed) > len(q.Segments):
		return Errorf(RequestInvalid, "removed has %d lists for %d segments", int64(len(q.Removed)), int64(len(q.Segments)))
	case q.Settings != nil:
		return q.Settings.Check()
	}
	return nil
}

func leaves(r *json.Reader, tick Tick) ([]Leaf, error) {
	list := []Leaf{}
	for range r.Array() {
		pair := [2]string{}
		n := 0
		for i := range r.Array() {
			pair[min(i, 1)] = r.String()
			n++
		}
		if n != 2 || pair[0] == "" || !IsDigest(pair[1]) {
			r.Fail("expected an id and a digest")
			return nil, nil
		}
		if err := stop(r, tick(len(pair[0])+len(pair[1]))); err != nil {
			return nil, err
		}
		list = append(list, Leaf{pair[0], pair[1]})
	}
	return list, nil
}

// ReadLeaves reads a list of leaves on its own, as a host keeps it.
func ReadLeaves(in []byte) ([]Leaf, error) {
	r := json.NewReader(in)
	list, _ := leaves(r, unbounded)
	return list, done(r, RequestInvalid)
}

// AppendLeaves appends leaves as an array of [id, digest].
func AppendLeaves(dst []byte, list []Leaf) []byte {
	w := json.NewWriter(dst)
	writeLeaves(w, list)
	return w.Bytes()
}

func writeLeaves(w *json.Writer, list []Leaf) {
	w.BeginArray()
	for _, l := range list {
		writeTexts(w, []string{l.ID, l.Doc})
	}
	w.EndArray()
}

// An OpenReply is the reply of open; Leaves is nil unless they were asked for.
type OpenReply struct {
	Handle    int64
	Corpus    string
	Documents int64
	Bytes     int64
	Leaves    []Leaf
}

// Append appends an OpenReply.
func (p *OpenReply) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("bytes")
	w.Int(p.Bytes)
	w.Name("corpus")
	w.String(p.Corpus)
	w.Name("documents")
	w.Int(p.Documents)
	w.Name("handle")
	w.Int(p.Handle)
	if p.Leaves != nil {
		w.Name("leaves")
		writeLeaves(w, p.Leaves)
	}
	w.EndObject()
	return w.Bytes()
}

// ReadOpenReply reads an OpenReply.
func ReadOpenReply(in []byte) (OpenReply, error) {
	r := json.NewReader(in)
	var p OpenReply
	each(r, func(name string) bool {
		switch name {
		case "bytes":
			p.Bytes = r.Int()
		case "corpus":
			p.Corpus = r.String()
		case "documents":
			p.Documents = r.Int()
		case "handle":
			p.Handle = r.Int()
		case "leaves":
			p.Leaves, _ = leaves(r, unbounded)
		default:
			return false
		}
		return true
	})
	return p, done(r, ReplyInvalid)
}

// ReadCloseRequest reads the request of close and returns its handle.
func ReadCloseRequest(in []byte) (handle int64, err error) {
	r := json.NewReader(orEmpty(in))
	members(r, planRequestMembers[:1], planRequestMembers[:1], func(string) { handle = r.Int() })
	return handle, done(r, RequestInvalid)
}

// ReadEmpty reads the request of an export that takes none.
func ReadEmpty(in []byte) error {
	r := json.NewReader(orEmpty(in))
	members(r, nil, nil, func(string) {})
	return done(r, RequestInvalid)
}
