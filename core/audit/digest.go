// Package audit makes a result provable: the digests of documents, corpora and
// replies, and the comparison of a stored reply with a replayed one.
//
// All digests are SHA-256. Every kind of hashed text begins with its own tag, so
// that no document can pass for a node, nor a node for a leaf. ABI.md §3.1 and
// §8 define the forms; they are the same in every version of the engine.
package audit

import (
	"github.com/rookhaven-project/rookhaven/core/internal/sha256"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Digest is a SHA-256 sum.
type Digest = [sha256.Size]byte

// Name returns a digest as messages spell it.
func Name(d Digest) string {
	const digits = "0123456789abcdef"
	var b [len("sha256:") + 2*len(d)]byte
	hex := b[copy(b[:], "sha256:"):]
	for i, c := range d {
		hex[2*i], hex[2*i+1] = digits[c>>4], digits[c&15]
	}
	return string(b[:])
}

// Parse reads what Name wrote; ok is false for anything else.
func Parse(name string) (d Digest, ok bool) {
	if !abi.IsDigest(name) {
		return d, false
	}
	hex := name[len("sha256:"):]
	for i := range d {
		d[i] = nibble(hex[2*i])<<4 | nibble(hex[2*i+1])
	}
	return d, true
}

func nibble(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	return c - '0'
}

// Document returns the digest of a document: of everything about it that a
// reply can depend on, and of nothing that an engine computes.
func Document(d *abi.Document) Digest {
	size := 128 + len(d.Collection) + len(d.Stable()) + len(d.Path) + len(d.Text) + len(d.Title)
	content := append(make([]byte, 0, size+size/16), "rh/content/v1\x00"...) // with room for escapes
	return sha256.Sum256(abi.AppendContent(content, d))
}

// Seal sets the digest of a reply and returns its canonical bytes.
func Seal(p *abi.Reply) []byte {
	size := replyBytes
	for i := range p.Hits {
		size += hitBytes + textBytes(p.Hits[i].Text)
	}
	return p.Append(make([]byte, 0, size), func(unsealed []byte) string { return Name(sha256.Sum256(unsealed)) })
}

// SealSearch sets the digest of a reply of search and returns its canonical bytes.
func SealSearch(p *abi.SearchReply) []byte {
	size := replyBytes
	for i := range p.Hits {
		h := &p.Hits[i]
		size += hitBytes + textBytes(h.Text) + len(h.Metadata) + len(h.ID) + len(h.Path) + len(h.Title)
	}
	return p.Append(make([]byte, 0, size), func(unsealed []byte) string { return Name(Sum(unsealed)) })
}

// What a reply and each of its hits take about: room that is made at once is not
// made again and again while they are written.
const (
	replyBytes = 2048
	hitBytes   = 512
)

func textBytes(x *abi.Excerpt) int {
	if x == nil {
		return 0
	}
	return len(x.Text) + len(x.Text)/16
}

// Sum returns the digest of bytes.
func Sum(b []byte) Digest { return sha256.Sum256(b) }
