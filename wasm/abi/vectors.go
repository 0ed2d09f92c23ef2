package abi

import "github.com/rookhaven-project/rookhaven/wasm/abi/json"

// A ChunkTextsRequest asks for the texts that are embedded of the chunks of a segment,
// from one on.
type ChunkTextsRequest struct {
	Handle, Part, From int64
}

// ReadChunkTextsRequest reads a ChunkTextsRequest.
func ReadChunkTextsRequest(in []byte) (ChunkTextsRequest, error) {
	r := json.NewReader(orEmpty(in))
	var q ChunkTextsRequest
	members(r, []string{"handle", "part", "from"}, []string{"handle"}, func(name string) {
		switch name {
		case "handle":
			q.Handle = r.Int()
		case "part":
			q.Part = natural(r)
		case "from":
			q.From = natural(r)
		}
	})
	return q, done(r, RequestInvalid)
}

// Append appends a ChunkTextsRequest.
func (q *ChunkTextsRequest) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("from")
	w.Int(q.From)
	w.Name("handle")
	w.Int(q.Handle)
	w.Name("part")
	w.Int(q.Part)
	w.EndObject()
	return w.Bytes()
}

// A ChunkTextsReply has as many texts as fit a reply, at least one where there is one,
// and how many segments there are and chunks in this one.
type ChunkTextsReply struct {
	Parts, Chunks int64
	Texts         []string
}

// Append appends a ChunkTextsReply.
func (p *ChunkTextsReply) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("chunks")
	w.Int(p.Chunks)
	w.Name("parts")
	w.Int(p.Parts)
	w.Name("texts")
	writeTexts(w, p.Texts)
	w.EndObject()
	return w.Bytes()
}

// ReadChunkTextsReply reads a ChunkTextsReply.
func ReadChunkTextsReply(in []byte) (p ChunkTextsReply, err error) {
	r := json.NewReader(in)
	each(r, func(name string) bool {
		switch name {
		case "chunks":
			p.Chunks = natural(r)
		case "parts":
			p.Parts = natural(r)
		case "texts":
			p.Texts = texts(r)
		default:
			return false
		}
		return true
	})
	return p, done(r, ReplyInvalid)
}

// MaxDimensions is how many components a vector has at most.
const MaxDimensions = 8192

// A PackRequest asks for the file of the vectors of a segment: the components of all,
// in the order of the chunks.
type PackRequest struct {
	Handle, Part int64
	Model        string // the digest of the model that made them
	External     bool
	Dimensions   int64 // of each vector
	Background   int64 // of the model, in thousandths
	Components   SegmentRef
	Inline       bool
}

// ReadPackRequest reads a PackRequest.
func ReadPackRequest(in []byte) (PackRequest, error) {
	r := json.NewReader(orEmpty(in))
	var q PackRequest
	members(r, []string{"handle", "model", "dimensions", "components", "part", "background", "external", "inline"}, []string{"handle", "model", "dimensions", "components"}, func(name string) {
		switch name {
		case "handle":
			q.Handle = r.Int()
		case "part":
			q.Part = natural(r)
		case "model":
			q.Model = digest(r)
		case "background":
			if q.Background = r.Int(); q.Background < 0 || q.Background > MaxBackground {
				r.Fail("expected 0 to 900 thousandths")
			}
		case "external":
			q.External = r.Bool()
		case "dimensions":
			if q.Dimensions = r.Int(); q.Dimensions < 1 || q.Dimensions > MaxDimensions {
				r.Fail("expected 1 to 8192 dimensions")
			}
		case "components":
			q.Components = readSegmentRef(r)
		case "inline":
			q.Inline = r.Bool()
		}
	})
	return q, done(r, RequestInvalid)
}

// Append appends a PackRequest.
func (q *PackRequest) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("background")
	w.Int(q.Background)
	w.Name("components")
	q.Components.write(w)
	w.Name("dimensions")
	w.Int(q.Dimensions)
	w.Name("external")
	w.Bool(q.External)
	w.Name("handle")
	w.Int(q.Handle)
	w.Name("inline")
	w.Bool(q.Inline)
	w.Name("model")
	w.String(q.Model)
	w.Name("part")
	w.Int(q.Part)
	w.EndObject()
	return w.Bytes()
}

// A PackReply says where the file is.
type PackReply struct{ Vectors SegmentRef }

// Append appends a PackReply.
func (p *PackReply) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("vectors")
	p.Vectors.write(w)
	w.EndObject()
	return w.Bytes()
}

// ReadPackReply reads a PackReply.
func ReadPackReply(in []byte) (p PackReply, err error) {
	r := json.NewReader(in)
	each(r, func(name string) bool {
		if name == "vectors" {
			p.Vectors = readSegmentRef(r)
		}
		return name == "vectors"
	})
	return p, done(r, ReplyInvalid)
}

// An AttachRequest gives an open index the vectors of its segments, one file for each
// in their order; or none, and says then why: VectorsBuilding, VectorsDamaged, or "" where
// the index is to have none.
type AttachRequest struct {
	Handle  int64
	Vectors []SegmentRef
	Absent  string
}

// ReadAttachRequest reads an AttachRequest.
func ReadAttachRequest(in []byte) (AttachRequest, error) {
	r := json.NewReader(orEmpty(in))
	var q AttachRequest
	members(r, []string{"handle", "vectors", "absent"}, []string{"handle", "vectors"}, func(name string) {
		switch name {
		case "handle":
			q.Handle = r.Int()
		case "vectors":
			for range r.Array() {
				q.Vectors = append(q.Vectors, readSegmentRef(r))
			}
		case "absent":
			q.Absent = r.String()
		}
	})
	if err := done(r, RequestInvalid); err != nil {
		return q, err
	}
	if q.Absent != "" && len(q.Vectors) > 0 {
		return q, Errorf(RequestInvalid, "vectors that are there are not absent")
	}
	return q, checkEach([]choice{{"absent", or(q.Absent, VectorsBuilding), []string{VectorsBuilding, VectorsDamaged}}})
}

// Append appends an AttachRequest.
func (q *AttachRequest) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	optional(w, "absent", q.Absent)
	w.Name("handle")
	w.Int(q.Handle)
	w.Name("vectors")
	w.BeginArray()
	for i := range q.Vectors {
		q.Vectors[i].write(w)
	}
	w.EndArray()
	w.EndObject()
	return w.Bytes()
}

// An AttachReply says what the vectors are.
type AttachReply struct {
	Model      string // "" where there are none
	External   bool
	Dimensions int64
	Vectors    int64
	Bytes      int64 // that the module accounts for
}

// Append appends an AttachReply.
func (p *AttachReply) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("bytes")
	w.Int(p.Bytes)
	w.Name("dimensions")
	w.Int(p.Dimensions)
	w.Name("external")
	w.Bool(p.External)
	optional(w, "model", p.Model)
	w.Name("vectors")
	w.Int(p.Vectors)
	w.EndObject()
	return w.Bytes()
}

// ReadAttachReply reads an AttachReply.
func ReadAttachReply(in []byte) (p AttachReply, err error) {
	r := json.NewReader(in)
	each(r, func(name string) bool {
		switch name {
		case "bytes":
			p.Bytes = r.Int()
		case "dimensions":
			p.Dimensions = natural(r)
		case "external":
			p.External = r.Bool()
		case "model":
			p.Model = r.String()
		case "vectors":
			p.Vectors = natural(r)
		default:
			return false
		}
		return true
	})
	return p, done(r, ReplyInvalid)
}

// AppendVector appends a vector as messages have it.
func AppendVector(dst []byte, v []int8) []byte {
	b := make([]byte, len(v))
	for i, n := range v {
		b[i] = byte(n)
	}
	return appendBase64(dst, b)
}

// writeVector and readVector hand a vector on as base64 of one signed byte for each
// component.
func writeVector(w *json.Writer, v []int8) {
	w.String(string(AppendVector(nil, v)))
}

func readVector(r *json.Reader) []int8 {
	v, ok := ParseVector(r.String())
	if !ok {
		r.Fail("expected base64 (RFC 4648, padded)")
	}
	return v
}

// ParseVector reads a vector as messages have it; nil where there is none.
func ParseVector(s string) (v []int8, ok bool) {
	b, ok := parseBase64(s)
	if !ok || len(b) == 0 {
		return nil, ok
	}
	v = make([]int8, len(b))
	for i, n := range b {
		v[i] = int8(n)
	}
	return v, true
}

func readVectors(r *json.Reader) [][]int8 {
	list := [][]int8{}
	for range r.Array() {
		list = append(list, readVector(r))
	}
	return list
}
