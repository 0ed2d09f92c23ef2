package main

import (
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/rookhaven-project/rookhaven/conformance/cmd/bench/products"
	"github.com/rookhaven-project/rookhaven/conformance/ir"
	"github.com/rookhaven-project/rookhaven/conformance/passages"
	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/core/embed/wordpiece"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/models"
)

// embedding compares the engine's runtimes with onnxruntime and the same model in
// 32-bit floating point: every text in every row, then the next text. The rows in
// which nothing but the products is done say what is lost between them.
func embedding(b *bench) error {
	long, short, err := embeddingTexts(b.texts)
	if err != nil {
		return err
	}
	rows, err := embedders()
	if err != nil {
		return err
	}
	for round := range b.choose(3, 1) + 1 { // the first warms up
		for _, t := range slices.Concat(long, short) {
			for _, r := range rows {
				r.ask(t, round > 0)
			}
		}
	}
	for _, r := range rows {
		r.end()
	}
	if err := sameVectors(rows); err != nil {
		return err
	}
	embeddingTable(rows, long, short)
	return nil
}

// A text has the ids of its tokens, [CLS] and [SEP] among them.
type text struct {
	Text string  `json:"text"`
	IDs  []int32 `json:"ids"`
}

// Of texts, in pieces of words.
const (
	passageLeast, passageMost = 150, 170
	queryPieces               = 10
)

// embeddingTexts returns passages of about 160 tokens, spread over all, and the
// beginnings of as many others as queries.
func embeddingTexts(n int) (long, short []text, err error) {
	made, err := passages.Make(".cache/passages", func(line string) { fmt.Fprintln(os.Stderr, line) })
	if err != nil {
		return nil, nil, err
	}
	documents, err := ir.ReadDocuments(made.Documents)
	if err != nil {
		return nil, nil, err
	}
	m, err := model.Open(models.MiniLM)
	if err != nil {
		return nil, nil, err
	}
	v, err := wordpiece.New(m.Vocabulary)
	if err != nil {
		return nil, nil, err
	}
	step := max(len(documents)/(20*n), 1)
	for i := 0; i < len(documents) && (len(long) < n || len(short) < n); i += step {
		whole := documents[i].Whole()
		tokens := v.Append(nil, whole)
		switch {
		case len(long) < n && len(tokens) >= passageLeast && len(tokens) <= passageMost:
			long = append(long, newText(v, whole))
		case len(short) < n && len(tokens) > queryPieces && tokens[queryPieces].First:
			short = append(short, newText(v, whole[:tokens[queryPieces-1].End]))
		}
	}
	if len(long) < n || len(short) < n {
		return nil, nil, fmt.Errorf("only %d passages and %d queries are of these lengths: lower -texts", len(long), len(short))
	}
	return long, short, nil
}

func newText(v *wordpiece.Vocabulary, s string) text {
	t := text{Text: s, IDs: []int32{v.CLS()}}
	for _, token := range v.Append(nil, s) {
		t.IDs = append(t.IDs, token.ID)
	}
	t.IDs = append(t.IDs, v.SEP())
	return t
}

// sameVectors demands that our rows have the same.
func sameVectors(rows []*embedder) error {
	for _, r := range rows[1:] {
		if !r.ours || r.absent != nil {
			continue
		}
		for text, v := range rows[0].vectors {
			if !slices.Equal(v, r.vectors[text]) {
				return fmt.Errorf("%s and %s give different vectors of %q", rows[0].name, r.name, text)
			}
		}
	}
	return nil
}

func embeddingTable(rows []*embedder, long, short []text) {
	macs, least, most := 0.0, math.MaxInt, 0
	for _, t := range long {
		macs += float64(products.Count(len(t.IDs))) / 1e9
		least, most = min(least, len(t.IDs)), max(most, len(t.IDs))
	}
	fmt.Printf("\nembedding, one text at a time on one thread: %d passages of %d to %d tokens, %d queries of %d; GMAC/s are 10⁹ products a second\n", len(long), least, most, len(short), len(short[0].IDs))
	fmt.Printf("%20s %8s %12s %15s %12s %15s %15s %10s\n", "", "GMAC/s", "passages/s", "/ onnxruntime", "query p50", "/ onnxruntime", "products alone", "reached")
	base := slices.IndexFunc(rows, func(r *embedder) bool { return !r.ours && r.absent == nil })
	for _, r := range rows {
		if r.absent != nil {
			fmt.Printf("%20s absent: %s\n", r.name, lastLine(r.absent.Error()))
			continue
		}
		took, query := seconds(r.times, long), p50(r.times, short)
		fmt.Printf("%20s %8.1f %12.1f", r.name, macs/took, float64(len(long))/took)
		if base < 0 {
			fmt.Printf(" %15s %9.2f ms %15s", "-", query, "-")
		} else {
			fmt.Printf(" %15.2f %9.2f ms %15.2f", seconds(rows[base].times, long)/took, query, query/p50(rows[base].times, short))
		}
		if r.ours {
			alone := seconds(r.products, long)
			fmt.Printf(" %15.1f %8.0f %%", macs/alone, 100*alone/took)
		}
		fmt.Println()
	}
	ours := slices.IndexFunc(rows, func(r *embedder) bool { return r.ours && r.absent == nil })
	if ours >= 0 && base >= 0 {
		mean, worst := cosines(rows[ours].vectors, rows[base].vectors)
		fmt.Printf("vectors: the same bytes in our rows; to %s the cosine is %.4f on average, %.4f at the worst\n", rows[base].name, mean, worst)
	}
}

// seconds returns the sum over texts of their median.
func seconds(times map[string]sample, texts []text) float64 {
	sum := 0.0
	for _, t := range texts {
		sum += times[t.Text].at(.5)
	}
	return sum / 1000
}

// p50 returns the median over all answers to texts, in milliseconds.
func p50(times map[string]sample, texts []text) float64 {
	var all sample
	for _, t := range texts {
		all = append(all, times[t.Text]...)
	}
	return all.at(.5)
}

func cosines(a, b map[string][]float64) (mean, worst float64) {
	worst = 1
	for text, v := range a {
		dot, vv, ww := 0.0, 0.0, 0.0
		for i, w := range b[text] {
			dot, vv, ww = dot+v[i]*w, vv+v[i]*v[i], ww+w*w
		}
		c := dot / math.Sqrt(vv*ww)
		mean, worst = mean+c/float64(len(a)), min(worst, c)
	}
	return mean, worst
}
