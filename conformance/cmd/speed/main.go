// Command speed prints how fast engines index and search 100,000 passages, and
// how that grows, all in one run: see package conformance/ir/speed.
//
//	go run ./conformance/cmd/speed [-n COUNTS] [-engines LIST] [-ours COMMAND] [-passes N] [-block N]
//
// COMMAND starts our engine, which speaks the protocol of conformance/ir/peer.
// conformance/peers/setup.sh installs the others.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
	"github.com/rookhaven-project/rookhaven/conformance/ir/peer"
	"github.com/rookhaven-project/rookhaven/conformance/ir/speed"
	"github.com/rookhaven-project/rookhaven/conformance/passages"
)

func main() {
	folder := flag.String("passages", ".cache/passages", "the `folder` of the passages")
	counts := flag.String("n", "100000", "the `counts` of passages, with commas")
	engines := flag.String("engines", "fts5,bleve-bm25,bleve-default,lucene,tantivy,minisearch-en,orama", "the peers, as a `list`")
	ours := flag.String("ours", "", "the `command` that starts our engine")
	passes := flag.Int("passes", 3, "measured passes over the queries")
	block := flag.Int("block", 25, "queries that one engine answers before the next is asked")
	flag.Parse()
	o := speed.Options{K: 10, Passes: *passes, Block: *block, Slow: 20 * time.Millisecond, Limit: 20 * time.Minute, Log: log}
	if *ours != "" {
		o.Peers = []peer.Peer{{Name: "rookhaven", Command: strings.Fields(*ours)}}
	}
	o.Peers = append(o.Peers, peer.Named(peer.List("."), strings.Split(*engines, ",")...)...)
	if err := tables(*folder, strings.Split(*counts, ","), o); err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

func log(line string) { fmt.Fprintln(os.Stderr, line) }

func tables(folder string, counts []string, o speed.Options) error {
	m, err := passages.Make(folder, log)
	if err != nil {
		return err
	}
	if o.Queries, err = ir.ReadQueries(m.Queries); err != nil {
		return err
	}
	pinned := cmp.Or(strings.Join(m.Absent, "; "), "others than pinned")
	if m.Pinned {
		pinned = "as pinned"
	}
	fmt.Printf("passages %.16s, %s\n", m.DocumentsSHA256, pinned)
	for _, count := range counts {
		n, err := strconv.Atoi(count)
		if err != nil {
			return err
		}
		if o.Documents, err = documents(folder, m, n); err != nil {
			return err
		}
		table, err := speed.Tables(o, speed.Measure(o), "bleve-bm25")
		if err != nil {
			return err
		}
		fmt.Printf("\n%s", table)
	}
	return nil
}

// documents returns a file of n passages.
func documents(folder string, m passages.Made, n int) (string, error) {
	if n == passages.Count {
		return m.Documents, nil
	}
	all, err := ir.ReadDocuments(m.Documents)
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, fmt.Sprintf("corpus-%d.jsonl", n))
	_, err = passages.WriteExtended(name, all, n)
	return name, err
}
