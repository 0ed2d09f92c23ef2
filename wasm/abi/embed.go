package abi

import "github.com/rookhaven-project/rookhaven/wasm/abi/json"

// MaxBackground bounds the cosine of texts that have nothing to do with each other, in
// thousandths.
const MaxBackground = 900

// MaxTexts is how many texts a call of embed takes at most.
const MaxTexts = 1024

// An OpenModelRequest is the request of open_model: where the bytes of the model are.
type OpenModelRequest struct{ Model SegmentRef }

// ReadOpenModelRequest reads an OpenModelRequest.
func ReadOpenModelRequest(in []byte) (q OpenModelRequest, err error) {
	r := json.NewReader(orEmpty(in))
	members(r, []string{"model"}, []string{"model"}, func(string) { q.Model = readSegmentRef(r) })
	return q, done(r, RequestInvalid)
}

// Append appends an OpenModelRequest.
func (q *OpenModelRequest) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("model")
	q.Model.write(w)
	w.EndObject()
	return w.Bytes()
}

// An OpenModelReply says what the open model is.
type OpenModelReply struct {
	Name       string // for people
	Digest     string // of the file: its name everywhere else
	Dimensions int64  // components of a vector
	Window     int64  // tokens that are read together
	Background int64  // the cosine of texts that have nothing to do with each other, in thousandths
	Bytes      int64  // that the module accounts for
}

// Append appends an OpenModelReply.
func (p *OpenModelReply) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("background")
	w.Int(p.Background)
	w.Name("bytes")
	w.Int(p.Bytes)
	w.Name("digest")
	w.String(p.Digest)
	w.Name("dimensions")
	w.Int(p.Dimensions)
	w.Name("name")
	w.String(p.Name)
	w.Name("window")
	w.Int(p.Window)
	w.EndObject()
	return w.Bytes()
}

// ReadOpenModelReply reads an OpenModelReply.
func ReadOpenModelReply(in []byte) (p OpenModelReply, err error) {
	r := json.NewReader(in)
	each(r, func(name string) bool {
		switch name {
		case "background":
			p.Background = r.Int()
		case "bytes":
			p.Bytes = r.Int()
		case "digest":
			p.Digest = r.String()
		case "dimensions":
			p.Dimensions = r.Int()
		case "name":
			p.Name = r.String()
		case "window":
			p.Window = r.Int()
		default:
			return false
		}
		return true
	})
	return p, done(r, ReplyInvalid)
}

// An EmbedRequest asks for the vectors of texts.
type EmbedRequest struct {
	Texts []string
	Query bool // the texts are queries: what the model is told before those stands before them
}

// ReadEmbedRequest reads an EmbedRequest.
func ReadEmbedRequest(in []byte) (EmbedRequest, error) {
	r := json.NewReader(orEmpty(in))
	var q EmbedRequest
	members(r, []string{"texts", "query"}, []string{"texts"}, func(name string) {
		switch name {
		case "texts":
			if q.Texts = texts(r); len(q.Texts) > MaxTexts {
				r.Fail("expected at most 1024 texts")
			}
		case "query":
			q.Query = r.Bool()
		}
	})
	return q, done(r, RequestInvalid)
}

// Append appends an EmbedRequest.
func (q *EmbedRequest) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("query")
	w.Bool(q.Query)
	w.Name("texts")
	writeTexts(w, q.Texts)
	w.EndObject()
	return w.Bytes()
}

// An EmbedReply has a vector for each text, and how many tokens the text has.
type EmbedReply struct {
	Vectors [][]int8
	Tokens  []int64
}

// Append appends an EmbedReply.
func (p *EmbedReply) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("tokens")
	w.BeginArray()
	for _, n := range p.Tokens {
		w.Int(n)
	}
	w.EndArray()
	w.Name("vectors")
	w.BeginArray()
	for _, v := range p.Vectors {
		writeVector(w, v)
	}
	w.EndArray()
	w.EndObject()
	return w.Bytes()
}

// ReadEmbedReply reads an EmbedReply.
func ReadEmbedReply(in []byte) (p EmbedReply, err error) {
	r := json.NewReader(in)
	each(r, func(name string) bool {
		switch name {
		case "tokens":
			for range r.Array() {
				p.Tokens = append(p.Tokens, natural(r))
			}
		case "vectors":
			for range r.Array() {
				p.Vectors = append(p.Vectors, readVector(r))
			}
		default:
			return false
		}
		return true
	})
	return p, done(r, ReplyInvalid)
}
