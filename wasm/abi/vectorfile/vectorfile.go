// Package vectorfile is the form in which the vectors of a segment lie beside it: an
// immutable, checksummed run of bytes, the same for the module and for hosts.
//
// # The format, version 1
//
// Numbers are little-endian.
//
//	header      "rh.vec" 0x00, version (1 byte), u64 checksum of all that follows, u64
//	            size of the file, u64 checksum of the segment (in its header), u32
//	            chunks, u32 dimensions, u32 flags, u32 background of the model in
//	            thousandths, the name of the model (32 bytes)
//	hashes      of each chunk, in the segment's order: SHA-256 of the text that was
//	            embedded (32 bytes)
//	components  of each chunk: a signed byte for each dimension; then zeros up to a
//	            multiple of 8
//
// Flag 1 says that the model is an external one, whose vectors cannot be made again.
package vectorfile

import (
	"encoding/binary"
	"encoding/hex"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/checksum"
)

// Version is the version of the format.
//
//	1  first
const Version = 1

const (
	magic      = "rh.vec\x00"
	headerSize = 80
	hashSize   = 32
	external   = 1
)

// MaxChunks is how many vectors a File has at most.
const MaxChunks = 1<<24 - 1

// A File holds the vectors of one segment.
type File struct {
	Model      string // "sha256:…"
	External   bool   // the vectors cannot be made again
	Segment    uint64 // the checksum of the segment
	Dimensions int
	Background int    // of the model, in thousandths
	Hashes     []byte // one after the other
	Components []byte // signed bytes, one vector after the other
}

// Len returns how many vectors there are.
func (f *File) Len() int { return len(f.Hashes) / hashSize }

// Hash returns the hash of the text that a vector was made of.
func (f *File) Hash(i int) [hashSize]byte { return [hashSize]byte(f.Hashes[i*hashSize:]) }

// Vector returns the components of a vector, signed bytes that share the file's memory.
func (f *File) Vector(i int) []byte { return f.Components[i*f.Dimensions:][:f.Dimensions] }

// Size returns the size of the file of so many vectors.
func Size(chunks, dimensions int) int {
	return headerSize + chunks*hashSize + (chunks*dimensions+7)/8*8
}

// Append appends a File: its model is a digest, and there is a vector for each hash.
func (f *File) Append(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, magic...)
	dst = append(dst, Version)
	dst = append(dst, make([]byte, 8)...)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(Size(f.Len(), f.Dimensions)))
	dst = binary.LittleEndian.AppendUint64(dst, f.Segment)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(f.Len()))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(f.Dimensions))
	flags := uint32(0)
	if f.External {
		flags = external
	}
	dst = binary.LittleEndian.AppendUint32(dst, flags)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(f.Background))
	model, err := hex.DecodeString(f.Model[len("sha256:"):])
	if err != nil || len(model) != hashSize || len(f.Components) != f.Len()*f.Dimensions || len(f.Hashes)%hashSize != 0 {
		panic("vectorfile: BUG: " + f.Model + " is no digest, or vectors are missing")
	}
	dst = append(dst, model...)
	dst = append(dst, f.Hashes...)
	dst = append(dst, f.Components...)
	dst = append(dst, make([]byte, -(len(dst)-start)&7)...)
	binary.LittleEndian.PutUint64(dst[start+8:], checksum.Of(dst[start+16:]))
	return dst
}

// Read reads a File, which shares the memory of b. It fails with [abi.VectorsCorrupt]
// where a byte is not as it was written, and with [abi.VectorsVersion] for a file of
// another version.
func Read(b []byte) (*File, error) {
	corrupt := func(what string) (*File, error) {
		return nil, abi.Errorf(abi.VectorsCorrupt, "%s", what)
	}
	switch {
	case len(b) < headerSize || string(b[:len(magic)]) != magic:
		return corrupt("it is no file of vectors")
	case b[len(magic)] != Version:
		return nil, abi.Errorf(abi.VectorsVersion, "the vectors are of version %d, this engine reads %d", int64(b[len(magic)]), int64(Version))
	case binary.LittleEndian.Uint64(b[16:]) != uint64(len(b)) || len(b)%8 != 0:
		return corrupt("the file of vectors is cut")
	case binary.LittleEndian.Uint64(b[8:]) != checksum.Of(b[16:]):
		return corrupt("the checksum of the vectors is wrong")
	}
	f := &File{
		Segment:    binary.LittleEndian.Uint64(b[24:]),
		Dimensions: int(binary.LittleEndian.Uint32(b[36:])),
		Background: int(binary.LittleEndian.Uint32(b[44:])),
		Model:      "sha256:" + hex.EncodeToString(b[48:headerSize]),
	}
	chunks, flags := int(binary.LittleEndian.Uint32(b[32:])), binary.LittleEndian.Uint32(b[40:])
	if chunks > MaxChunks || f.Dimensions < 1 || f.Dimensions > abi.MaxDimensions || Size(chunks, f.Dimensions) != len(b) || flags > external || f.Background > abi.MaxBackground {
		return corrupt("the header of the vectors is wrong")
	}
	f.External = flags == external
	f.Hashes = b[headerSize:][:chunks*hashSize]
	rest := b[headerSize+chunks*hashSize:]
	f.Components = rest[:chunks*f.Dimensions]
	for _, c := range rest[chunks*f.Dimensions:] {
		if c != 0 {
			return corrupt("the vectors do not end in zeros")
		}
	}
	return f, nil
}
