package model

import (
	"encoding/binary"
	"strings"
	"unsafe"

	"github.com/rookhaven-project/rookhaven/core/internal/sha256"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// Open reads a model. The bytes belong to it from then on: its weights lie in them.
// It fails with [abi.ModelCorrupt] or, for a file of another version, with
// [abi.ModelVersion].
func Open(in []byte) (*Model, error) {
	config, rest, err := head(in)
	if err != nil {
		return nil, err
	}
	m := &Model{}
	if m.Config, err = readConfig(config); err != nil {
		return nil, err
	}
	r := reader{in: in}
	if m.Vocabulary, r.at, err = pieces(in, rest, m.Pieces); err != nil {
		return nil, err
	}
	m.LayerList = make([]Layer, m.Layers)
	m.walk(&r)
	switch {
	case r.at != len(in):
		return nil, abi.Errorf(abi.ModelCorrupt, "it has %d bytes, its configuration asks for %d", int64(len(in)), int64(r.at))
	case r.filled || string(m.append(nil)) != string(config):
		return nil, abi.Errorf(abi.ModelCorrupt, "it is not written as this format is: there is something between the tensors, or the configuration is not canonical")
	}
	return m, nil
}

// head checks the header of a model, and returns its configuration and where that ends.
func head(in []byte) (config []byte, end int, err error) {
	switch {
	case len(in) < headSize+4 || string(in[:len(magic)]) != magic:
		return nil, 0, abi.Errorf(abi.ModelCorrupt, "it is no model: it does not begin as a file of the form .rkm does")
	case in[len(magic)] != Version:
		return nil, 0, abi.Errorf(abi.ModelVersion, "the model is of version %d, this engine reads version %d", int64(in[len(magic)]), int64(Version))
	}
	if size := binary.LittleEndian.Uint64(in[len(magic)+1:]); size != uint64(len(in)) {
		return nil, 0, abi.Errorf(abi.ModelCorrupt, "it has %d bytes, and says that it has %d", int64(len(in)), int64(min(size, 1<<53)))
	}
	if digest := sha256.Sum256(in[headSize:]); string(digest[:]) != string(in[sealedAt:headSize]) {
		return nil, 0, abi.Errorf(abi.ModelCorrupt, "its digest is not that of its content: a byte was changed")
	}
	n := int64(binary.LittleEndian.Uint32(in[headSize:]))
	if n > int64(len(in)-headSize-4) {
		return nil, 0, abi.Errorf(abi.ModelCorrupt, "its configuration does not fit")
	}
	end = headSize + 4 + int(n)
	return in[headSize+4 : end], end, nil
}

// pieces reads so many lines from a byte on, and returns where they end.
func pieces(in []byte, from, count int) (list []string, end int, err error) {
	rest := unsafe.String(unsafe.SliceData(in), len(in))[from:]
	list = make([]string, 0, min(count, len(rest)))
	for len(list) < count {
		n := strings.IndexByte(rest, '\n')
		if n < 0 {
			return nil, 0, abi.Errorf(abi.ModelCorrupt, "its vocabulary has %d pieces, its configuration %d", int64(len(list)), int64(count))
		}
		list, rest = append(list, rest[:n]), rest[n+1:]
	}
	return list, len(in) - len(rest), nil
}

// A reader finds tensors in the bytes of a file.
type reader struct {
	in     []byte
	at     int
	filled bool // something stands where nothing should
}

// take returns the next bytes, at a multiple of the alignment, nil where the file is
// too short.
func (r *reader) take(size, align int) []byte {
	for ; r.at%align > 0; r.at++ {
		r.filled = r.filled || r.at < len(r.in) && r.in[r.at] != 0
	}
	from := r.at
	if r.at += size; r.at > len(r.in) {
		return nil
	}
	return r.in[from:r.at:r.at]
}

func (r *reader) matrix(m *Matrix, rows, columns int) {
	m.Rows, m.Columns = rows, columns
	if b := r.take(rows*columns, alignment); b != nil {
		m.Weights = unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
	}
	if b := r.take(4*rows, 4); b != nil {
		m.Scales = make([]uint32, rows)
		for i := range m.Scales {
			m.Scales[i] = binary.LittleEndian.Uint32(b[4*i:])
		}
	}
}

func (r *reader) vector(v *[]int32, size int) {
	if b := r.take(4*size, alignment); b != nil {
		*v = make([]int32, size)
		for i := range *v {
			(*v)[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
		}
	}
}
