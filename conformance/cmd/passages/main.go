// Command passages makes the passages that tables of speed are measured on.
//
//	go run ./conformance/cmd/passages [-folder FOLDER] [-n COUNT]
//
// COUNT above 100,000 writes a larger file beside them, mixed from their
// sentences; below it, evenly spread ones of them.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
	"github.com/rookhaven-project/rookhaven/conformance/passages"
)

func main() {
	folder := flag.String("folder", ".cache/passages", "the `folder` to write to")
	n := flag.Int("n", passages.Count, "the `count` of passages")
	flag.Parse()
	if err := write(*folder, *n); err != nil {
		fmt.Fprintln(os.Stderr, "passages:", err)
		os.Exit(1)
	}
}

func write(folder string, n int) error {
	m, err := passages.Make(folder, func(line string) { fmt.Fprintln(os.Stderr, line) })
	if err != nil {
		return err
	}
	fmt.Printf("%s  %s\n%s  %s\n", m.DocumentsSHA256, m.Documents, m.QueriesSHA256, m.Queries)
	if !m.Pinned {
		fmt.Printf("these are NOT the pinned passages; left out: %q\n", m.Absent)
	}
	if n == passages.Count {
		return nil
	}
	documents, err := ir.ReadDocuments(m.Documents)
	if err != nil {
		return err
	}
	name := filepath.Join(folder, fmt.Sprintf("corpus-%d.jsonl", n))
	digest, err := passages.WriteExtended(name, documents, n)
	if err == nil {
		fmt.Printf("%s  %s\n", digest, name)
	}
	return err
}
