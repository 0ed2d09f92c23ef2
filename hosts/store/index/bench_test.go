package index

import (
	"fmt"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
)

// A publication of one new segment after 20 old ones, on the disk of the machine.
func BenchmarkPublish(b *testing.B) {
	w := locked(b, Open(b.TempDir(), disk.OS()))
	var parts []part
	for i := range 20 {
		parts = append(parts, part{fmt.Sprint("old ", i), ""})
	}
	published(b, w, "d", parts...)
	g, _, err := w.Current()
	want(b, "Current", err, "")
	for i := 0; b.Loop(); i++ {
		name, err := w.AddSegment(contents(fmt.Sprint("new ", i)))
		want(b, "AddSegment", err, "")
		g.Parent, g.Segments = w.Head(), append(g.Segments[:20:20], Segment{Name: name, Documents: 2, Chunks: 3})
		g, err = w.Publish(g)
		want(b, "Publish", err, "")
	}
}

func BenchmarkCurrent(b *testing.B) {
	w := locked(b, Open(b.TempDir(), disk.OS()))
	for range 20 {
		published(b, w, "d", part{"a", ""}, part{"b", ""})
	}
	for b.Loop() {
		_, _, err := w.Current()
		want(b, "Current", err, "")
	}
}

func BenchmarkSegment(b *testing.B) {
	w := locked(b, Open(b.TempDir(), disk.OS()))
	data := make([]byte, 16<<20)
	name, err := w.AddSegment(data)
	want(b, "AddSegment", err, "")
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		_, err := w.Segment(name)
		want(b, "Segment", err, "")
	}
}
