package main

import (
	"fmt"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
)

// What our engine must reach in nDCG@10, beside FTS5 on each collection and
// FTS5 + 0.012 on average.
var bars = map[string]float64{"scifact": .695, "nfcorpus_pp": .332, "cranfield": .381, "cosqa": .395, "apidocs": .731}

const meanAboveBase = .012

func report(collections []*ir.Collection, results []result) error {
	fmt.Println("nDCG@10 (R@100 and MRR@10: means), linear gain, every engine on title and text as one field")
	fmt.Printf("%-15s", "")
	for _, c := range collections {
		fmt.Printf("%12s", c.Name)
	}
	fmt.Printf("%12s%12s%12s%12s\n", "mean", "- "+base, "R@100", "MRR@10")
	reference := find(results, base)
	for _, r := range results {
		fmt.Printf("%-15s", r.name)
		for _, e := range r.each {
			fmt.Printf("%12.4f", e.Mean.NDCG10)
		}
		fmt.Printf("%12.4f", r.mean(ndcg))
		if reference != nil {
			fmt.Printf("%+12.4f", r.mean(ndcg)-reference.mean(ndcg))
		} else {
			fmt.Printf("%12s", "?")
		}
		fmt.Printf("%12.4f%12.4f\n", r.mean(recall), r.mean(reciprocal))
	}
	own := find(results, ours)
	if own == nil {
		return nil
	}
	for _, name := range []string{base, "bleve-bm25"} {
		if other := find(results, name); other != nil {
			chance(collections, *own, *other)
		}
	}
	both := find(results, byBoth)
	if both != nil {
		chance(collections, *both, *own)
	}
	return judge(collections, *own, both, reference)
}

func ndcg(m ir.Measures) float64       { return m.NDCG10 }
func recall(m ir.Measures) float64     { return m.R100 }
func reciprocal(m ir.Measures) float64 { return m.MRR10 }

func find(results []result, name string) *result {
	for i := range results {
		if results[i].name == name {
			return &results[i]
		}
	}
	return nil
}

// chance prints for each collection, and for all their queries together, the
// difference of two engines and its p-value.
func chance(collections []*ir.Collection, a, b result) {
	fmt.Printf("\n%s - %s, and p of a two-sided paired randomisation test (100,000 rounds, seed 1)\n", a.name, b.name)
	var allA, allB []float64
	for i, c := range collections {
		x, y := a.each[i].NDCG10(), b.each[i].NDCG10()
		allA, allB = append(allA, x...), append(allB, y...)
		fmt.Printf("%-15s%+12.4f%12.5f\n", c.Name, a.each[i].Mean.NDCG10-b.each[i].Mean.NDCG10, ir.Randomise(x, y, 100000, 1))
	}
	fmt.Printf("%-15s%+12.4f%12.5f\n", "all queries", mean(allA)-mean(allB), ir.Randomise(allA, allB, 100000, 1))
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum / float64(len(list))
}

// How much hybrid has to gain on average over words alone, and may lose on any collection.
const hybridGains, hybridLoses = 0.015, 0.01

// judge prints each bar and whether our engine reaches it.
func judge(collections []*ir.Collection, own result, both, reference *result) error {
	var missed error
	check := func(name string, got, bar float64) {
		verdict := "reached"
		if got < bar {
			verdict, missed = "MISSED", errMissed
		}
		fmt.Printf("%-27s%9.4f  bar %.4f  %s\n", name, got, bar, verdict)
	}
	fmt.Println()
	for i, c := range collections {
		if bar, ok := bars[c.Name]; ok {
			check(c.Name, own.each[i].Mean.NDCG10, bar)
		}
		if reference != nil {
			check(c.Name+" against "+base, own.each[i].Mean.NDCG10, reference.each[i].Mean.NDCG10)
		}
	}
	if reference != nil {
		check("mean against "+base, own.mean(ndcg), reference.mean(ndcg)+meanAboveBase)
	}
	if both != nil {
		for i, c := range collections {
			check(c.Name+", hybrid", both.each[i].Mean.NDCG10, own.each[i].Mean.NDCG10-hybridLoses)
		}
		check("mean, hybrid", both.mean(ndcg), own.mean(ndcg)+hybridGains)
	}
	return missed
}
