// Command bench prints tables of speed, size and memory, each beside a peer or
// a variant that was measured in the same run. Machines are shared and noisy:
// read the ratios first.
//
//	go run ./conformance/cmd/bench [-only start,retrieve,meter,memory,embedding,ingest,sizes] [-quick] [-texts N]
//
// It needs bin/rookhaven (make build) and, for the peer in JavaScript, node. What the table
// of embedding lacks is a row that says so; conformance/peers/setup.sh installs onnxruntime.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	only := flag.String("only", "start,retrieve,meter,memory,embedding,ingest,sizes", "the `tables` to print")
	quick := flag.Bool("quick", false, "smaller corpora and fewer rounds")
	texts := flag.Int("texts", 40, "for embedding: how many passages, and as many queries")
	resident := flag.Int("resident", 0, "for memory: open so many MB and print what is resident")
	flag.Parse()
	if *resident > 0 {
		report(openAndPrint(context.Background(), *resident))
		return
	}
	b := &bench{quick: *quick, texts: *texts}
	for _, table := range []struct {
		name  string
		print func(*bench) error
	}{{"start", start}, {"retrieve", retrieve}, {"meter", meterCost}, {"memory", memory}, {"embedding", embedding}, {"ingest", ingest}, {"sizes", sizes}} {
		if slices.Contains(strings.Split(*only, ","), table.name) {
			report(table.print(b))
		}
	}
}

func report(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type bench struct {
	quick bool
	texts int
}

// choose returns a where there is time and q in a quick run.
func (b *bench) choose(a, q int) int {
	if b.quick {
		return q
	}
	return a
}

// A sample is a set of durations in milliseconds.
type sample []float64

func (s *sample) add(d time.Duration) { *s = append(*s, float64(d.Microseconds())/1000) }

// at returns the share-th part of the sorted sample, by nearest rank.
func (s sample) at(share float64) float64 {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}
