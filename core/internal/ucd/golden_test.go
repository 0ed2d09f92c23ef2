package ucd

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"testing"
)

// golden is the SHA-256 of everything the tables answer. It changes only with
// the version of Unicode, and such a change is a change of the ABI.
const golden = "c3b078e0599bb75d66673bdd8a22ec93fcfd6b8efed0a70fb70e39480df0f38d"

// For every character: its number (4 bytes, big-endian) and record, then length
// and bytes of its folding, its NFC and its decomposition.
func TestGolden(t *testing.T) {
	hash := sha256.New()
	var buf []byte
	add := func(s []byte) { buf = append(append(buf, byte(len(s))), s...) }
	for r := range scalars {
		buf = binary.BigEndian.AppendUint32(buf[:0], uint32(r))
		buf = binary.BigEndian.AppendUint32(buf, charOf(r))
		add(AppendFold(nil, string(r)))
		add(AppendNFC(nil, string(r)))
		for _, c := range appendDecomposed(nil, r) {
			buf = binary.BigEndian.AppendUint32(buf, uint32(c))
		}
		hash.Write(buf)
	}
	hash.Write([]byte(normPairs))
	if got := hex.EncodeToString(hash.Sum(nil)); got != golden {
		t.Errorf("digest of the tables = %s, want %s", got, golden)
	}
}
