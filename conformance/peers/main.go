// Command peers serves the protocol of conformance/ir/peer with an engine in Go
// that others use. It is a module of its own, so that the product does not
// depend on them.
//
//	peers bleve-bm25|bleve-tfidf|bleve-default|fts5|fts5-stop
//
// It runs on one thread, as every peer does as far as it can be told to.
package main

import (
	"fmt"
	"os"
	"runtime"

	"github.com/rookhaven-project/rookhaven/conformance/ir/peer"
)

func main() {
	runtime.GOMAXPROCS(1)
	engines := map[string]peer.Engine{
		"bleve-bm25":    &bleveEngine{scoring: "bm25", analyzer: "en"},
		"bleve-tfidf":   &bleveEngine{scoring: "tf-idf", analyzer: "en"},
		"bleve-default": &bleveEngine{scoring: "tf-idf", analyzer: "standard", positions: true},
		"fts5":          &fts5{},
		"fts5-stop":     &fts5{stop: true},
	}
	if len(os.Args) != 2 || engines[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: peers ENGINE")
		os.Exit(2)
	}
	if err := peer.Serve(engines[os.Args[1]], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}
