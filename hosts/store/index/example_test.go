package index_test

import (
	"fmt"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
)

// A writer adds what a generation consists of and publishes it; a reader sees the old
// one or the new one.
func Example() {
	const root = "sha256:8b53639f152c8fc6ef30802fde462ba0be9cf085f7580dc69efd72e002abbb35"
	const engine = "sha256:ed9f6f25068608efd412958da4dfc19328ca3511251fa6d5f9c42baf230e32f8"
	store := index.Open("/data", disktest.NewMemory()) // or disk.OS()

	w, err := store.TryLock("rookhaven index docs")
	if err != nil {
		fmt.Println(err)
		return
	}
	segment, err := w.AddSegment([]byte("the engine's bytes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = w.Publish(index.Generation{
		Parent: w.Head(), Created: time.Now(), Root: root, Engine: engine, Documents: 2,
		Segments: []index.Segment{{Name: segment, Documents: 2, Chunks: 7}},
	})
	fmt.Println("published:", err == nil)
	_, err = store.TryLock("a second one")
	fmt.Println("a second writer is refused:", err != nil)
	_ = w.Close()

	_, err = store.View("current", func(g index.Generation) error {
		for _, s := range g.Segments {
			data, err := store.Segment(s.Name)
			if err != nil {
				return err
			}
			fmt.Printf("generation %d: %q\n", g.Number, data)
		}
		return nil
	})
	fmt.Println("read:", err == nil)
	_, err = store.AsOf("7")
	fmt.Println(err != nil)
	// Output:
	// published: true
	// a second writer is refused: true
	// generation 1: "the engine's bytes"
	// read: true
	// true
}
