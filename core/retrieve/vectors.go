package retrieve

import (
	"encoding/binary"
	"strings"

	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/internal/sha256"
	"github.com/rookhaven-project/rookhaven/core/vector"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/vectorfile"
)

// textsBytes is how many bytes of texts a reply of chunk_texts has, but for one text
// that is longer.
const textsBytes = 1 << 20

// chunkTexts gives the texts that are embedded of the chunks of a segment.
func (e *Engine) chunkTexts(in []byte, m *meter.Meter) ([]byte, error) {
	q, err := abi.ReadChunkTextsRequest(in)
	if err != nil {
		return nil, err
	}
	part, parts, err := e.partOf(q.Handle, q.Part)
	if err != nil {
		return nil, err
	}
	reply := abi.ChunkTextsReply{Parts: parts, Chunks: int64(part.Chunks())}
	for size, i := 0, q.From; i < reply.Chunks && size < textsBytes && len(reply.Texts) < abi.MaxTexts; i++ {
		text := embedded(part, uint32(i))
		size += len(text)
		reply.Texts = append(reply.Texts, text)
		if err := m.Add(1000 + len(text)); err != nil {
			return nil, err
		}
	}
	return reply.Append(nil), nil
}

// partOf returns a segment of an open index, and how many it has.
func (e *Engine) partOf(handle, n int64) (part *index.Part, parts int64, err error) {
	c, err := e.indexOf(handle)
	if err != nil {
		return nil, 0, err
	}
	if parts = int64(len(c.lexical.Parts)); n >= parts {
		return nil, parts, abi.Errorf(abi.RequestInvalid, "the index has no segment %d, it has %d", n, parts)
	}
	return c.lexical.Parts[n], parts, nil
}

// embedded returns the text that is embedded of a chunk: the title, the headings that
// are not the title again, and the text without its own heading, a line each.
func embedded(part *index.Part, chunk uint32) string {
	c := part.Chunk(chunk)
	doc := part.Record(c.Document)
	var lines []string
	for _, s := range append([]string{doc.Shown}, part.Headings(c)...) {
		if s != "" && (len(lines) == 0 || s != lines[len(lines)-1]) {
			lines = append(lines, s)
		}
	}
	if body := doc.Text[c.Body:c.End]; body != "" {
		lines = append(lines, body)
	}
	return strings.Join(lines, "\n")
}

// packVectors makes the file of the vectors of a segment.
func (e *Engine) packVectors(in []byte, m *meter.Meter) ([]byte, error) {
	q, err := abi.ReadPackRequest(in)
	if err != nil {
		return nil, err
	}
	part, _, err := e.partOf(q.Handle, q.Part)
	if err != nil {
		return nil, err
	}
	components, err := bytesOf(q.Components, e.config.Held)
	if err != nil {
		return nil, err
	}
	f := vectorfile.File{Model: q.Model, External: q.External, Segment: checksumOf(part), Dimensions: int(q.Dimensions), Background: int(q.Background), Components: components}
	if len(components) != part.Chunks()*f.Dimensions {
		return nil, abi.Errorf(abi.RequestInvalid, "the segment has %d chunks, and there are %d components of %d dimensions", int64(part.Chunks()), int64(len(components)), q.Dimensions)
	}
	if err := e.account.Take(int64(vectorfile.Size(part.Chunks(), f.Dimensions))); err != nil {
		return nil, err
	}
	defer e.account.Give(int64(vectorfile.Size(part.Chunks(), f.Dimensions)))
	for i := range uint32(part.Chunks()) {
		text := embedded(part, i)
		hash := sha256.Sum256([]byte(text))
		f.Hashes = append(f.Hashes, hash[:]...)
		if err := m.Add(1000 + 4*len(text)); err != nil {
			return nil, err
		}
	}
	var reply abi.PackReply
	if b := f.Append(nil); q.Inline || e.config.Keep == nil {
		reply.Vectors.Inline = b
	} else {
		reply.Vectors.Address, reply.Vectors.Size = e.config.Keep(b), int64(len(b))
	}
	return reply.Append(nil), nil
}

// checksumOf returns the checksum by which a file of vectors names its segment.
func checksumOf(part *index.Part) uint64 { return binary.LittleEndian.Uint64(part.Bytes()[8:]) }

// A vectors holds what the vector leg ranks by.
type vectors struct {
	abi.VectorSet
	parts []*vector.Set // by part of the index; nil where there are none
	bytes int64         // accounted for
}

// attachVectors gives an open index its vectors, in the place of those that it had.
func (e *Engine) attachVectors(in []byte, m *meter.Meter) ([]byte, error) {
	e.stage("open")
	q, err := abi.ReadAttachRequest(in)
	if err != nil {
		return nil, err
	}
	c, err := e.indexOf(q.Handle)
	if err != nil {
		return nil, err
	}
	v := vectors{VectorSet: abi.VectorSet{Absent: q.Absent}}
	if len(q.Vectors) > 0 {
		if err := e.readVectors(&v, c.lexical, q.Vectors, m); err != nil {
			e.account.Give(v.bytes)
			return nil, err
		}
	}
	e.account.Give(c.lexical.vectors.bytes)
	c.bytes += v.bytes - c.lexical.vectors.bytes
	c.lexical.vectors = v
	reply := abi.AttachReply{Model: v.Model, External: v.External, Dimensions: v.Dimensions, Bytes: v.bytes}
	for _, set := range v.parts {
		reply.Vectors += int64(set.Len())
	}
	return reply.Append(nil), nil
}

func (e *Engine) readVectors(v *vectors, x *indexed, refs []abi.SegmentRef, m *meter.Meter) error {
	if len(refs) != len(x.Parts) {
		return abi.Errorf(abi.RequestInvalid, "the index has %d segments, and there are vectors of %d", int64(len(x.Parts)), int64(len(refs)))
	}
	take := func(n int64) error {
		err := e.account.Take(n)
		if err == nil {
			v.bytes += n
		}
		return err
	}
	for i, ref := range refs {
		b, err := bytesOf(ref, e.config.Held)
		if err != nil {
			return err
		}
		if err := take(int64(len(b))); err != nil {
			return err
		}
		f, err := vectorfile.Read(b)
		if err != nil {
			return err
		}
		if err := v.fits(f, x.Parts[i], int64(i)); err != nil {
			return err
		}
		if err := take(vector.Bytes(f.Dimensions, f.Len())); err != nil {
			return err
		}
		set, err := vector.NewSet(f.Dimensions, f.Components, m)
		if err != nil {
			return err
		}
		v.parts = append(v.parts, set)
	}
	return nil
}

// fits takes over what a file says of its vectors. It fails where they are not those
// of a part, or of another model than those before.
func (v *vectors) fits(f *vectorfile.File, part *index.Part, n int64) error {
	set := abi.VectorSet{Model: f.Model, External: f.External, Dimensions: int64(f.Dimensions), Background: int64(f.Background)}
	switch {
	case f.Len() != part.Chunks() || f.Segment != checksumOf(part):
		return abi.Errorf(abi.VectorsCorrupt, "the vectors of segment %d are of another segment", n)
	case n == 0:
		v.VectorSet = set
	case v.VectorSet != set:
		return abi.Errorf(abi.VectorsCorrupt, "the vectors of segment %d are of another model than those before", n)
	}
	return nil
}
