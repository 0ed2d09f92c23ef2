package segment

import "encoding/binary"

func u32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at : at+4]) }
func u64(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at : at+8]) }

func appendU32(dst []byte, n uint32) []byte { return binary.LittleEndian.AppendUint32(dst, n) }
func appendU64(dst []byte, n uint64) []byte { return binary.LittleEndian.AppendUint64(dst, n) }

func appendVarint(dst []byte, n uint64) []byte { return binary.AppendUvarint(dst, n) }

func appendString(dst []byte, s string) []byte {
	return append(appendVarint(dst, uint64(len(s))), s...)
}

// A decoder reads varints and strings from bytes, and remembers that they ended.
// Strings share the memory of the bytes.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) varint() uint64 {
	if len(d.b) > 0 && d.b[0] < 0x80 {
		n := d.b[0]
		d.b = d.b[1:]
		return uint64(n)
	}
	return d.long()
}

// long reads a varint of several bytes.
func (d *decoder) long() uint64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[size:]
	return n
}

func (d *decoder) string() string {
	n := d.varint()
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return ""
	}
	s := view(d.b[:n])
	d.b = d.b[n:]
	return s
}
