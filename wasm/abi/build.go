package abi

import "github.com/rookhaven-project/rookhaven/wasm/abi/json"

// A SegmentRef says where the bytes of a segment are: in a reservation of the
// bulk plane, or in the message itself, as base64.
type SegmentRef struct {
	Address, Size int64
	Inline        []byte // nil: in the reservation
}

// A BuildRequest is the request of build.
type BuildRequest struct {
	Documents []Document
	Settings  Settings
	Inline    bool
}

var buildMembers = []string{"documents", "settings", "inline"}

// ReadBuildRequest reads the request of build. The documents share the input's
// memory.
func ReadBuildRequest(in []byte, tick Tick) (BuildRequest, error) {
	r := json.NewReader(orEmpty(in))
	q := BuildRequest{Settings: DefaultSettings()}
	var stopped error
	code := RequestInvalid
	members(r, buildMembers, buildMembers[:1], func(member string) {
		switch member {
		case "documents":
			if q.Documents, stopped = documents(r, tick); r.Err() != nil {
				code = CorpusInvalid
			}
		case "settings":
			q.Settings = readSettings(r)
		case "inline":
			q.Inline = r.Bool()
		}
	})
	if stopped != nil {
		return q, stopped
	}
	if err := done(r, code); err != nil {
		return q, err
	}
	return q, q.Settings.Check()
}

// A CompactRequest is the request of compact: the open index whose live documents
// become one segment.
type CompactRequest struct {
	Handle int64
	Inline bool
}

// ReadCompactRequest reads the request of compact.
func ReadCompactRequest(in []byte) (CompactRequest, error) {
	r := json.NewReader(orEmpty(in))
	var q CompactRequest
	members(r, []string{"handle", "inline"}, []string{"handle"}, func(member string) {
		switch member {
		case "handle":
			q.Handle = r.Int()
		case "inline":
			q.Inline = r.Bool()
		}
	})
	return q, done(r, RequestInvalid)
}

// A BuildReply is the reply of build and of compact.
type BuildReply struct {
	Segment                  SegmentRef
	Documents, Chunks, Terms int64
	Stored                   int64 // bytes of documents in the segment
}

// Append appends a BuildReply.
func (p *BuildReply) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("chunks")
	w.Int(p.Chunks)
	w.Name("documents")
	w.Int(p.Documents)
	w.Name("segment")
	p.Segment.write(w)
	w.Name("stored")
	w.Int(p.Stored)
	w.Name("terms")
	w.Int(p.Terms)
	w.EndObject()
	return w.Bytes()
}

// ReadBuildReply reads a BuildReply.
func ReadBuildReply(in []byte) (BuildReply, error) {
	r := json.NewReader(in)
	var p BuildReply
	each(r, func(name string) bool {
		switch name {
		case "chunks":
			p.Chunks = r.Int()
		case "documents":
			p.Documents = r.Int()
		case "segment":
			p.Segment = readSegmentRef(r)
		case "stored":
			p.Stored = r.Int()
		case "terms":
			p.Terms = r.Int()
		default:
			return false
		}
		return true
	})
	return p, done(r, ReplyInvalid)
}

func (s *SegmentRef) write(w *json.Writer) {
	w.BeginObject()
	if s.Inline != nil {
		w.Name("base64")
		w.String(string(appendBase64(nil, s.Inline)))
	} else {
		w.Name("address")
		w.Int(s.Address)
		w.Name("size")
		w.Int(s.Size)
	}
	w.EndObject()
}

func readSegmentRef(r *json.Reader) SegmentRef {
	var s SegmentRef
	given := 0
	members(r, []string{"address", "size", "base64"}, nil, func(name string) {
		given++
		switch name {
		case "address":
			s.Address = natural(r)
		case "size":
			s.Size = natural(r)
		case "base64":
			given++
			ok := false
			if s.Inline, ok = parseBase64(r.String()); !ok {
				r.Fail("expected base64 (RFC 4648, padded)")
			}
		}
	})
	if given != 2 {
		r.Fail("expected address and size, or base64")
	}
	return s
}

func readRemoved(r *json.Reader) [][]uint32 {
	lists := [][]uint32{}
	for range r.Array() {
		list := []uint32{}
		for range r.Array() {
			n := natural(r)
			if n >= 1<<32 {
				r.Fail("expected the number of a document")
			}
			list = append(list, uint32(n))
		}
		lists = append(lists, list)
	}
	return lists
}

// A RemoveRequest is the request of remove.
type RemoveRequest struct {
	Handle int64
	IDs    []string
}

// ReadRemoveRequest reads the request of remove.
func ReadRemoveRequest(in []byte) (RemoveRequest, error) {
	r := json.NewReader(orEmpty(in))
	var q RemoveRequest
	names := []string{"handle", "ids"}
	members(r, names, names, func(name string) {
		switch name {
		case "handle":
			q.Handle = r.Int()
		case "ids":
			q.IDs = texts(r)
		}
	})
	return q, done(r, RequestInvalid)
}

// A RemoveReply says of each segment which of its documents are removed now, and
// which ids are not in the index.
type RemoveReply struct {
	Removed [][]uint32
	Unknown []string
}

// Append appends a RemoveReply.
func (p *RemoveReply) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("removed")
	w.BeginArray()
	for _, list := range p.Removed {
		w.BeginArray()
		for _, n := range list {
			w.Int(int64(n))
		}
		w.EndArray()
	}
	w.EndArray()
	w.Name("unknown")
	writeTexts(w, p.Unknown)
	w.EndObject()
	return w.Bytes()
}

// ReadRemoveReply reads a RemoveReply.
func ReadRemoveReply(in []byte) (RemoveReply, error) {
	r := json.NewReader(in)
	var p RemoveReply
	each(r, func(name string) bool {
		switch name {
		case "removed":
			p.Removed = readRemoved(r)
		case "unknown":
			p.Unknown = texts(r)
		default:
			return false
		}
		return true
	})
	return p, done(r, ReplyInvalid)
}
