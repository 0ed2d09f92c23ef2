package segment

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the segment of the present version")

// A segment of each version is kept: it opens, and the same documents still give
// its bytes.
func TestX22KeptSegment(t *testing.T) {
	const name = "testdata/version-1.seg"
	made, m := random(t, rand.New(rand.NewPCG(11, 12)), 6)
	if *update {
		if err := os.WriteFile(name, made, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, made) {
		t.Error("the same documents give other bytes: a new format has a new version")
	}
	s, err := Open(kept)
	if err != nil {
		t.Fatal(err)
	}
	checkRecords(t, s, m)
	checkPrefix(t, s, m)
}
