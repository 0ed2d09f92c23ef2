// Command float prints how near a model's integers are to the same model in 32-bit
// floating point, on the collections of a folder: the cosine of the documents'
// vectors, and nDCG@10 of the rankings that both give by brute force; and how many of the
// ten documents that brute force ranks first the vector leg's candidates hold.
//
//	GOEXPERIMENT=simd go run ./conformance/cmd/float [-ir FOLDER] [-cache FOLDER] [-n PASSAGES] [-model FILE.rkm -graph ARCHIVE]
//
// The model is the built-in one, or that of a file, which was converted from the ONNX graph in
// the archive.
// conformance/peers/setup.sh onnx installs what computes in floating point. Vectors are
// kept in the cache by the digests of model and texts; without GOEXPERIMENT=simd, making the
// integers takes many times as long. The exit code is 1 if a bar is missed.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/models"
)

// The bars: of the cosine on -n passages, on average and at the worst, and how much nDCG@10 any
// collection may lose.
const (
	leastMean, leastCosine = 0.98, 0.95
	mostLost               = 0.01
)

func main() {
	folder := flag.String("ir", cmp.Or(os.Getenv("ROOKHAVEN_IR"), "../shared/ir"), "the `folder` of collections")
	cache := flag.String("cache", "", "the `folder` in which vectors are kept, instead of one in the user's cache")
	n := flag.Int("n", 2000, "how many `passages`, spread over all collections, the bars of the cosine are for")
	file := flag.String("model", "", "the `file` of the model, instead of the built-in one")
	graph := flag.String("graph", "", "the `archive` with the graph, *.onnx, and *tokenizer.json that -model was converted from")
	flag.Parse()
	if (*file == "") != (*graph == "") {
		fmt.Fprintln(os.Stderr, "float: -model and -graph belong together")
		os.Exit(2)
	}
	if err := print(*folder, *cache, *n, *file, *graph); err != nil {
		fmt.Fprintln(os.Stderr, "float:", err)
		os.Exit(1)
	}
}

func print(folder, cache string, n int, file, graph string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*", "qrels.tsv"))
	if err != nil {
		return err
	}
	if len(names) == 0 {
		fmt.Printf("skipped: no collections in %s (name another folder with -ir or ROOKHAVEN_IR)\n", folder)
		return nil
	}
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		cache = filepath.Join(user, "rookhaven-vectors")
	}
	makers, query, err := both(file, graph)
	if err != nil {
		return err
	}
	var all []float64
	missed := false
	fmt.Printf("%12s %10s %8s %12s %8s %15s %10s %11s %14s %6s\n", "", "documents", "queries", "cosine mean", "worst", "nDCG@10 float", "integers", "difference", "recall@10 2000", "500")
	for _, name := range names {
		r, err := compare(context.Background(), filepath.Dir(name), cache, query, makers)
		if err != nil {
			return err
		}
		all = append(all, r.cosines...)
		mean, worst := meanAndWorst(r.cosines)
		lost := r.ndcg[1] - r.ndcg[0]
		missed = missed || lost > mostLost
		fmt.Printf("%12s %10d %8d %12.5f %8.4f %15.4f %10.4f %+11.4f %14.4f %6.4f\n", r.name, len(r.cosines), r.queries, mean, worst, r.ndcg[1], r.ndcg[0], -lost, r.recall[0], r.recall[1])
	}
	mean, worst := meanAndWorst(all)
	fmt.Printf("%12s %10d %8s %12.5f %8.4f\n", "all", len(all), "", mean, worst)
	few := spread(all, n)
	mean, worst = meanAndWorst(few)
	fmt.Printf("%12s %10d %8s %12.5f %8.4f\n", "spread", len(few), "", mean, worst)
	if missed || mean < leastMean || worst < leastCosine {
		return errors.New("a bar is missed")
	}
	return nil
}

// both returns what makes integers and floating point, and what stands before a query.
func both(file, graph string) (makers [2]maker, query string, err error) {
	if file == "" {
		return [2]maker{integers{models.MiniLM}, floats{
			file:    ".cache/peers/onnx/minilm.onnx",
			command: []string{"wasm/artifact/models/reference.py", ".cache/peers/onnx/model", ".cache/peers/onnx/minilm.onnx"},
		}}, "", nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return makers, "", err
	}
	m, err := model.Open(b)
	if err != nil {
		return makers, "", fmt.Errorf("%s: %w", file, err)
	}
	return [2]maker{integers{b}, floats{
		file:    graph,
		command: []string{"conformance/cmd/float/graph.py", graph, fmt.Sprint(m.Window), m.Pooling},
	}}, m.Query, nil
}

// A result is what the integers (first) and the floating point gave on a collection.
type result struct {
	name    string
	queries int
	cosines []float64 // by document
	ndcg    [2]float64
	recall  [2]float64 // of the integers: with as many candidates as the engine takes, and with a quarter
}

// compare embeds a collection; query stands before the text of each query.
func compare(ctx context.Context, folder, cache, query string, makers [2]maker) (result, error) {
	c, err := ir.Read(folder)
	if err != nil {
		return result{}, err
	}
	documents, queries := make([]string, len(c.Documents)), make([]string, len(c.Queries))
	for i, d := range c.Documents {
		documents[i] = d.Whole()
	}
	for i, q := range c.Queries {
		queries[i] = query + q.Text
	}
	r := result{name: c.Name, queries: len(queries)}
	var vectors [2][][]float64
	for i, m := range makers {
		if vectors[i], err = kept(ctx, cache, m, c.Name+", documents", documents); err != nil {
			return r, err
		}
		asked, err := kept(ctx, cache, m, c.Name+", queries", queries)
		if err != nil {
			return r, err
		}
		r.ndcg[i] = c.Evaluate(rank(c, vectors[i], asked)).Mean.NDCG10
		if i == 0 {
			r.recall = [2]float64{recallOf(vectors[i], asked, candidates), recallOf(vectors[i], asked, candidates/4)}
		}
	}
	for i, v := range vectors[0] {
		r.cosines = append(r.cosines, dot(v, vectors[1][i]))
	}
	return r, nil
}

// rank returns the ten documents nearest to each query; of equals, the first.
func rank(c *ir.Collection, documents, queries [][]float64) ir.Run {
	run := ir.Run{}
	for i, q := range c.Queries {
		scores, order := make([]float64, len(documents)), make([]int, len(documents))
		for j, v := range documents {
			scores[j], order[j] = dot(queries[i], v), j
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		for _, j := range order[:min(10, len(order))] {
			run[q.ID] = append(run[q.ID], c.Documents[j].ID)
		}
	}
	return run
}

func dot(v, w []float64) float64 {
	sum := 0.0
	for i := range v {
		sum += v[i] * w[i]
	}
	return sum
}

func meanAndWorst(list []float64) (mean, worst float64) {
	worst = 1
	for _, c := range list {
		mean, worst = mean+c/float64(len(list)), min(worst, c)
	}
	return mean, worst
}

// spread takes n of a list, evenly.
func spread[T any](list []T, n int) []T {
	n = min(n, len(list))
	few := make([]T, n)
	for i := range few {
		few[i] = list[i*len(list)/n]
	}
	return few
}
