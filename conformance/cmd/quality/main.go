// Command quality prints how well engines rank the collections of a folder:
// nDCG@10 by collection, the difference to SQLite FTS5, and how likely chance
// alone would give such a difference. Each engine is a process of its own; an
// absent one is named with the reason. conformance/peers/setup.sh installs them.
//
//	go run ./conformance/cmd/quality [-ir FOLDER] [-engines LIST] [-ours COMMAND [-model FILE.rkm]] [-words] [-runs FOLDER]
//
// COMMAND starts our engine, which speaks the protocol of conformance/ir/peer. It is asked three times, by
// words, by both words and meaning, and by meaning; the first time vectors are made, which takes half an
// hour, and kept in the user's cache folder. Meaning is what the built-in model says, or that of
// -model, whose vectors take as long as it is large. -words leaves the last two out.
// The exit code is 1 if it misses a bar.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
	"github.com/rookhaven-project/rookhaven/conformance/ir/peer"
)

const ours, byBoth, byMeaning, base = "rookhaven", "rookhaven-hybrid", "rookhaven-vector", "fts5"

var errMissed = errors.New("a bar is missed")

func main() {
	folder := flag.String("ir", cmp.Or(os.Getenv("ROOKHAVEN_IR"), "../shared/ir"), "the `folder` of collections")
	engines := flag.String("engines", "fts5,fts5-stop,bleve-bm25,bleve-tfidf,bleve-default,lucene,tantivy,minisearch,minisearch-en,orama", "the peers to run, as a `list`")
	command := flag.String("ours", "", "the `command` that starts our engine")
	model := flag.String("model", "", "the `file` of the model, instead of the built-in one")
	words := flag.Bool("words", false, "ask our engine by words alone")
	runs := flag.String("runs", "", "a `folder` for rankings in the format of trec_eval")
	flag.Parse()
	if err := print(*folder, peers(*engines, *command, *model, *words), *runs); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

func peers(engines, command, model string, words bool) []peer.Peer {
	own := []peer.Peer{{Name: ours, Command: strings.Fields(command)}}
	if command == "" {
		own[0].Absent = "no -ours"
	} else if !words {
		for _, by := range []struct{ name, mode string }{{byBoth, "hybrid"}, {byMeaning, "vector"}} {
			started := append(strings.Fields(command), "-mode", by.mode)
			if model != "" {
				started = append(started, "-model", model)
			}
			own = append(own, peer.Peer{Name: by.name, Command: started})
		}
	}
	return append(own, peer.Named(peer.List("."), strings.Split(engines, ",")...)...)
}

func print(folder string, list []peer.Peer, runs string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*", "qrels.tsv"))
	if err != nil {
		return err
	}
	if len(names) == 0 {
		fmt.Printf("skipped: no collections in %s (name another folder with -ir or ROOKHAVEN_IR)\n", folder)
		return nil
	}
	var collections []*ir.Collection
	for _, name := range names {
		c, err := ir.Read(filepath.Dir(name))
		if err != nil {
			return err
		}
		collections = append(collections, c)
	}
	results := make([]result, 0, len(list))
	for _, p := range list {
		r := evaluate(p, folder, collections, runs)
		if r.absent != "" {
			fmt.Fprintf(os.Stderr, "%s is absent: %s\n", p.Name, r.absent)
			continue
		}
		results = append(results, r)
	}
	return report(collections, results)
}

// A result is what one engine reached on each collection.
type result struct {
	name, absent string
	each         []ir.Evaluation
}

// mean returns the mean over the collections.
func (r result) mean(of func(ir.Measures) float64) float64 {
	sum := 0.0
	for _, e := range r.each {
		sum += of(e.Mean)
	}
	return sum / float64(len(r.each))
}

func evaluate(p peer.Peer, folder string, collections []*ir.Collection, runs string) result {
	r := result{name: p.Name, absent: p.Absent}
	for _, c := range collections {
		if r.absent != "" {
			return r
		}
		fmt.Fprintf(os.Stderr, "%s on %s\n", p.Name, c.Name)
		run, err := rank(p, filepath.Join(folder, c.Name), c)
		if err == nil && runs != "" {
			err = c.WriteRun(filepath.Join(runs, p.Name, c.Name+".trec"), p.Name, run)
		}
		if err != nil {
			r.absent = err.Error()
			return r
		}
		r.each = append(r.each, c.Evaluate(run))
	}
	return r
}

// rank asks a fresh process every query of a collection.
func rank(p peer.Peer, folder string, c *ir.Collection) (ir.Run, error) {
	process, err := p.Start()
	if err != nil {
		return nil, err
	}
	defer process.Stop()
	if _, err := process.Read(filepath.Join(folder, "corpus.jsonl")); err != nil {
		return nil, err
	}
	if _, err := process.Build(); err != nil {
		return nil, err
	}
	run := ir.Run{}
	for _, q := range c.Queries {
		if run[q.ID], _, err = process.Query(q.Text, 100); err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
	}
	return run, nil
}
